//! How often a run that stops when it is decided (`until = "decided"`) is wrong, where neither
//! policy is better.

use std::path::Path;

use kleroterion::compare::t::t_interval;
use kleroterion::compare::{Judge, UntilDecided, Verdict, Versus, compare};
use kleroterion::draw::{Draw, Key, Purpose};
use kleroterion::protocol::Ending;
use kleroterion::score::{LaneResult, MetricRow};

use super::ALPHA;
use crate::support::{long, plan, play};

const METRIC: &str = "optimal";

/// Replications at most.
const MOST: usize = 500;

/// From this replication on t is looked at.
const FIRST: usize = 10;

fn lane(value: f64) -> LaneResult {
    let metric = METRIC.into();
    let row = MetricRow {
        metric,
        at: None,
        value,
    };
    LaneResult::new(Ending::Horizon, None, vec![row])
}

fn judge() -> Judge {
    Judge {
        metrics: vec![METRIC.into()],
        versus: Versus::Baseline("b".into()),
        alpha: ALPHA,
        until_decided: true,
        ..Judge::default()
    }
}

/// The values of a and b in a replication.
type Law = fn(&mut Draw) -> (f64, f64);

fn coin(draw: &mut Draw, chance: f64) -> f64 {
    f64::from(u8::from(draw.uniform() < chance))
}

/// Neither is better: each succeeds in one of two; the two share most of their luck; rarely either
/// is right; and a loses little often where b loses much seldom.
const ALIKE: [(&str, Law); 4] = [
    ("independent coins", |draw| {
        (coin(draw, 0.5), coin(draw, 0.5))
    }),
    ("coins that share luck", |draw| {
        let both = coin(draw, 0.5);
        let own = |draw: &mut Draw| {
            if draw.uniform() < 0.2 {
                coin(draw, 0.5)
            } else {
                both
            }
        };
        (own(draw), own(draw))
    }),
    ("rare successes", |draw| (coin(draw, 0.1), coin(draw, 0.1))),
    ("little often, much seldom", |draw| (0.1, coin(draw, 0.1))),
];

/// Half the width of the t interval after n replications, in standard errors.
fn t_widths() -> Vec<f64> {
    let width = |n: usize| t_interval(0.0, 1.0, n as u64, ALPHA).map_or(f64::INFINITY, |t| t.1);
    (0..=MOST).map(width).collect()
}

/// Whether a run of this law is ever decided, and whether it would be by t at the same level.
fn run(law: Law, mut draw: Draw, t_widths: &[f64]) -> (bool, bool) {
    let mut decision = UntilDecided::new(&["a", "b"], &judge());
    let (mut decided, mut by_t) = (false, false);
    let (mut sum, mut squares) = (0.0, 0.0);
    for (at, t_width) in t_widths.iter().enumerate().skip(1) {
        let (a, b) = law(&mut draw);
        decided = decided || decision.add(&[lane(a), lane(b)]);
        sum += a - b;
        squares += (a - b) * (a - b);
        let n = at as f64;
        let variance = (squares - sum * sum / n) / (n - 1.0);
        by_t |= at >= FIRST && sum.abs() > t_width * (n * variance.max(0.0)).sqrt();
    }
    (decided, by_t)
}

#[test]
fn a_run_until_decided_is_seldom_wrong() {
    let t_widths = t_widths();
    for (name, (what, law)) in (0..).zip(ALIKE) {
        let runs = 2_000 * long();
        let key = Key::new(2026, name);
        let all: Vec<(bool, bool)> = (0..runs)
            .map(|number| run(law, key.draw(Purpose::World, number, 0), &t_widths))
            .collect();
        let share = |which: &dyn Fn(&(bool, bool)) -> bool| {
            all.iter().filter(|run| which(run)).count() as f64 / runs as f64
        };
        let (betting, t) = (share(&|run| run.0), share(&|run| run.1));
        println!(
            "{what}: of {runs} runs decided, wrongly, {betting:.4}, by t looked at as often {t:.4}"
        );
        assert!(betting <= ALPHA, "{what}: {betting}");
        // One that never is would be too wide to be of use.
        assert!(betting > 0.005, "{what}: {betting}");
        assert!(t > 2.0 * ALPHA, "{what}: {t} by t");
    }
}

/// Lots for one of those who come, by two lotteries of one law.
const LOTS: &str = r#"
name = "two lotteries"
seed = 1
replications = 200
[source]
type = "categorical"
shares = { gender = { M = 0.5, F = 0.5 } }
[target]
gender = { M = 0.2, F = 0.8 }
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 1 }
[[policy]]
label = "one"
kind = "proportional"
[[policy]]
label = "the other"
kind = "proportional"
[report]
judge = ["share.F"]
baseline = "one"
until = "decided"
"#;

/// The same of runs that are really played.
#[test]
fn a_real_run_until_decided_is_seldom_wrong() {
    let mut plan = plan(LOTS, Path::new(""), &[]);
    let runs = 300 * long();
    let (mut wrong, mut stopped, mut differ) = (0, 0, 0);
    for seed in 0..runs {
        plan.set_seed(seed);
        let run = play(&plan);
        stopped += u64::from(run.replications < plan.replications);
        let pair = compare(&run, &plan.judge).remove(0);
        differ += u64::from(pair.mean != Some(0.0));
        wrong += u64::from(pair.verdict == Verdict::Differs);
    }
    println!(
        "two lotteries of one law: of {runs} runs decided, wrongly, {wrong}, \
         stopped early {stopped}"
    );
    assert!(wrong as f64 <= ALPHA * runs as f64, "{wrong} of {runs}");
    assert!(
        stopped <= wrong && wrong > 0 && differ > runs / 2,
        "{stopped} {differ}"
    );
}
