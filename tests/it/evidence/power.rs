//! How soon a verdict comes: six pairs from the four settings, in multiples of the least that any
//! test can need, and what common draws save.

use std::path::Path;

use kleroterion::compare::RunResult;
use kleroterion::compare::{Judge, UntilDecided, Verdict, Versus, compare};
use kleroterion::score::MetricInfo;

use super::ALPHA;
use super::record::{Draws, Measured, Record, saving};
use crate::support::{config, long, many, plan, play, values};

/// A comparison that stays as it is: its config and what is set, whom, on what, and what comes out.
struct Pair {
    setting: &'static str,
    config: &'static str,
    set: &'static [&'static str],
    /// A further policy, where the config lacks it.
    more: &'static str,
    a: &'static str,
    b: &'static str,
    metric: &'static str,
    /// What is to be said of a.
    verdict: Verdict,
    /// Whether the two are one algorithm with another parameter.
    akin: bool,
    replications: u64,
}

/// The queue of the committee, a little more patient.
pub const QUEUE_3: &str = "[[policy]]\nlabel = \"queue 3\"\nkind = \"virtual_queue\"\nv = 3.0\n";

/// Chosen so that a verdict takes from fifty to some hundreds of replications, and each setting is
/// there.
const PAIRS: [Pair; 6] = [
    Pair {
        setting: "committee",
        config: "committee-brexit-like.toml",
        set: &[],
        more: "",
        a: "queue",
        b: "cmdp",
        metric: "representation_loss",
        verdict: Verdict::Better,
        akin: false,
        replications: 1_000,
    },
    Pair {
        setting: "committee",
        config: "committee-brexit-like.toml",
        set: &[],
        more: QUEUE_3,
        a: "queue 3",
        b: "queue",
        metric: "selection_rate",
        verdict: Verdict::Better,
        akin: true,
        replications: 1_000,
    },
    Pair {
        setting: "cohort, money for 60",
        config: "schumann2019-t2.toml",
        set: &[
            "rules.budget=60",
            "policy.strong.stop=\"budget\"",
            "policy.weak.stop=\"budget\"",
        ],
        more: "",
        a: "strong",
        b: "weak",
        metric: "optimal",
        verdict: Verdict::Better,
        akin: true,
        replications: 2_000,
    },
    Pair {
        setting: "cohort, money for 40",
        config: "schumann2019-t2.toml",
        set: &[
            "rules.budget=40",
            "policy.SWAP.stop=\"budget\"",
            "policy.strong.stop=\"budget\"",
        ],
        more: "",
        a: "SWAP",
        b: "strong",
        metric: "optimal",
        verdict: Verdict::Worse,
        akin: true,
        replications: 2_000,
    },
    Pair {
        setting: "meritocratic, 10 rounds",
        config: "grazzi2022-groups.toml",
        set: &["rules.until.rounds=10", "report.at=[10]"],
        more: "",
        a: "fair greedy",
        b: "fair oracle",
        metric: "impact_ratio",
        verdict: Verdict::Better,
        akin: false,
        replications: 1_500,
    },
    Pair {
        setting: "pool, 50 rounds",
        config: "puranik2022-fig1b.toml",
        set: &["rules.until.rounds=50", "report.at=[50]"],
        more: "",
        a: "lambda 1",
        b: "lambda 0.5",
        metric: "fairness_loss",
        verdict: Verdict::Better,
        akin: true,
        replications: 500,
    },
];

/// Plays two policies of a config.
pub fn duel(
    name: &str,
    set: &[&str],
    more: &str,
    labels: [&str; 2],
    replications: u64,
) -> RunResult {
    let replications = many(replications);
    let set = [&[&*replications], set].concat();
    let mut plan = plan(&(config(name) + more), Path::new("configs"), &set);
    plan.keep_lanes(|lane| labels.contains(&&*lane.label));
    play(&plan)
}

impl Pair {
    fn judge(&self, until_decided: bool) -> Judge {
        Judge {
            metrics: vec![self.metric.into()],
            versus: Versus::Baseline(self.b.into()),
            alpha: ALPHA,
            until_decided,
            ..Judge::default()
        }
    }

    /// After how many replications `until = "decided"` stops.
    fn stop(&self, run: &RunResult) -> u64 {
        let lanes = |at: usize| run.policies[at].lanes();
        let labels: Vec<&str> = run.policies.iter().map(|policy| &*policy.label).collect();
        let mut decision = UntilDecided::new(&labels, &self.judge(true));
        let mut both = lanes(0).into_iter().zip(lanes(1));
        let stop = both.position(|(one, other)| decision.add(&[one, other]));
        stop.expect("it is decided") as u64 + 1
    }

    fn measure(&self) {
        let run = duel(
            self.config,
            self.set,
            self.more,
            [self.a, self.b],
            self.replications,
        );
        let verdict = compare(&run, &self.judge(false)).remove(0).verdict;
        assert_eq!(verdict, self.verdict, "{} {}", self.a, self.b);
        let [a, b] = [self.a, self.b].map(|label| values(&run, label, self.metric, None));
        let range = MetricInfo::of(self.metric).range.expect("it is declared");
        let record = Record::new(&a, &b, range);
        let stop = self.stop(&run);
        assert_eq!(record.stop(), stop);
        let (floor, streams) = (record.floor(), 200 * long());
        let common = record.times(Draws::Common, streams);
        let apart = record.times(Draws::Independent, streams);
        let multiple = |time: Measured| time.per(floor.replications);
        let (betting, mixture) = (multiple(common.betting), multiple(common.mixture));
        let (by_spread, by_time) = (saving(&a, &b), apart.betting.over(common.betting));
        println!(
            "| {} | {} against {}, {} | {} | {:.1} (in its own order {}) | {:.1} | {:.2} | \
             {betting} (at most {:.2}) | {mixture} \
             | {:.3} | {by_spread} | {by_time} |",
            self.setting,
            self.a,
            self.b,
            self.metric,
            self.verdict,
            common.betting,
            stop,
            floor.replications,
            floor.bet,
            floor.bound,
            common.overshoot,
        );
        // Both are theorems of the record's law.
        assert!(
            betting.most() >= 1.0 && mixture.most() >= 1.0,
            "{betting} {mixture}"
        );
        assert!(betting.least() <= floor.bound, "{betting}, {}", floor.bound);
        // Measured. Where the best bet is all, the multiples are those of a small D that never
        // varies: the n at which the mean of exp(f n D) over the nine bets is 40 (1.54), and four,
        // as the mixture never bets more than a quarter.
        let ((from, to), (least, most)) = match floor.bet {
            ..0.9 => ((1.2, 1.45), (1.7, 2.5)),
            _ => ((1.5, 1.6), (3.8, 4.1)),
        };
        assert!(betting.most() > from && betting.least() < to, "{betting}");
        assert!(
            mixture.most() > least && mixture.least() < most,
            "{mixture}"
        );
        assert!(common.wrong <= ALPHA / 2.0, "{}", common.wrong);
        // Nothing promises that two others go together; not much can be lost.
        let least = if self.akin { 1.0 } else { 0.9 };
        assert!(by_spread.least() > 1.0 || !self.akin, "{by_spread}");
        assert!(by_spread.most() > least && by_time.most() > least);
        // What goes together has less spread to bet against; where the best bet is all, there is
        // none to save.
        if self.akin && floor.bet < 0.9 {
            assert!(by_time.least() > 1.0, "{by_time}");
        }
    }
}

#[test]
fn a_verdict_takes_no_more_than_some_times_the_information_floor() {
    println!(
        "| setting | pair, metric | verdict | replications to it | floor | best bet | betting, \
         times the floor | predictable \
         mixture | passes the level by | independent over common draws: variance | replications \
         to a verdict |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    PAIRS.iter().for_each(Pair::measure);
}

/// A law of two values, to know that the floor is one: D = 1 with chance p, else -1. KL(1/2, p) in
/// closed form.
#[test]
fn the_floor_of_a_coin_is_known() {
    let (a, b): (Vec<f64>, Vec<f64>) = (0..10)
        .map(|at| if at < 7 { (1.0, 0.0) } else { (0.0, 1.0) })
        .unzip();
    let floor = Record::new(&b, &a, (0.0, 1.0)).floor();
    let kl = 0.7 * libm::log(0.7 / 0.5) + 0.3 * libm::log(0.3 / 0.5);
    assert!((floor.replications * kl / libm::log(40.0) - 1.0).abs() < 1e-9);
    assert!((floor.bet - 0.4).abs() < 1e-6, "{}", floor.bet);
}
