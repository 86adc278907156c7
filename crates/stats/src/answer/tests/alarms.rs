//! The rate at which the answer is wrong if it is looked at after every replication.
//!
//! Replications of null worlds: what would be said of them is false. In the long form (KLERO_LONG)
//! 2,000 streams of each. A broken version, with intervals of half the width, must be seen.

use super::*;
use crate::settle::Test;
use crate::{Verdict, compare};
use kleroterion_core::draw::{Key, Purpose};

const ALPHA: f64 = 0.05;
const LOOKS: u64 = 60;

fn streams() -> u64 {
    match std::env::var_os("KLERO_LONG") {
        Some(_) => 2_000,
        None => 150,
    }
}

/// The most streams that may be wrong: alpha of them, and four standard errors.
fn most() -> f64 {
    let n = streams() as f64;
    n * ALPHA + 4.0 * (n * ALPHA * (1.0 - ALPHA)).sqrt()
}

/// A world of two policies: the mean loss of each, about which replications vary a little, and the
/// chance that each keeps the quotas. That is 0 or 1, so that its spread decides how wide intervals
/// are.
struct World {
    losses: [f64; 2],
    kept: [f64; 2],
    margin: Option<f64>,
}

impl World {
    fn lane(&self, policy: usize, stream: u64, at: u64) -> LaneResult {
        let key = Key::new(77, stream);
        let mut draw = key.draw(Purpose::World, at, policy as u64);
        let loss = self.losses[policy] + 0.1 * (draw.uniform() - 0.5);
        let kept = f64::from(u8::from(draw.uniform() < self.kept[policy]));
        let values = [("representation_loss", loss), ("quotas_kept", kept)];
        LaneResult::new(
            Ending::Filled,
            None,
            values.map(|(metric, value)| MetricRow {
                metric: metric.into(),
                at: None,
                value,
            }),
        )
    }

    fn judge(&self) -> Judge {
        let margin = self.margin.map(|margin| ("quotas_kept".to_owned(), margin));
        Judge {
            metrics: vec!["representation_loss".into(), "quotas_kept".into()],
            versus: Versus::Everyone,
            margins: margin.into_iter().collect(),
            alpha: ALPHA,
            ..Judge::default()
        }
    }

    /// Returns true if a look at some time finds one of the policies dominating the other. `width`
    /// scales the intervals.
    fn is_wrong(&self, stream: u64, width: f64) -> bool {
        let policy = |label: &str| PolicyRun::new(label, "k");
        let mut run = RunResult {
            name: "t".into(),
            seed: 1,
            replications: 0,
            policies: vec![policy("a"), policy("b")],
            ..RunResult::default()
        };
        let judge = self.judge();
        (0..LOOKS).any(|at| {
            run.replications += 1;
            for (place, policy) in run.policies.iter_mut().enumerate() {
                policy.push(self.lane(place, stream, at));
            }
            // Before the tenth nothing could be sure.
            at >= 10 && !dominated(&run, &judge, width).is_empty()
        })
    }

    fn wrong(&self, width: f64) -> f64 {
        let wrong = (0..streams()).filter(|stream| self.is_wrong(*stream, width));
        wrong.count() as f64
    }
}

fn dominated(run: &RunResult, judge: &Judge, width: f64) -> Vec<[String; 2]> {
    let mut pairs = compare(run, judge);
    for pair in &mut pairs {
        let (mean, lo, hi) = (pair.mean.unwrap(), pair.lo.unwrap(), pair.hi.unwrap());
        let narrowed = |limit: f64| mean + width * (limit - mean);
        let (lo, hi) = (narrowed(lo), narrowed(hi));
        (pair.lo, pair.hi) = (Some(lo), Some(hi));
        let direction = pair.direction;
        pair.verdict = Verdict::of(lo, hi, direction, pair.margin);
    }
    Answer::of(run, judge, &pairs).dominates
}

/// a represents better, and keeps the quotas as often: no dominance without a margin.
#[test]
fn nobody_dominates_whom_it_equals_on_a_measure() {
    let world = World {
        losses: [0.2, 0.6],
        kept: [0.5, 0.5],
        margin: None,
    };
    let (wrong, broken) = (world.wrong(1.0), world.wrong(0.5));
    assert!(wrong <= most(), "{wrong} of {}", streams());
    assert!(
        broken > most(),
        "{broken} of {}: half the width goes unseen",
        streams()
    );
}

/// a represents better, and keeps the quotas less often by just the margin.
#[test]
fn nobody_dominates_whom_it_is_worse_than_by_the_margin() {
    let world = World {
        losses: [0.2, 0.6],
        kept: [0.4, 0.6],
        margin: Some(0.2),
    };
    let (wrong, broken) = (world.wrong(1.0), world.wrong(0.5));
    assert!(wrong <= most(), "{wrong} of {}", streams());
    assert!(
        broken > most(),
        "{broken} of {}: half the width goes unseen",
        streams()
    );
}

/// Policies of one law.
#[test]
fn nobody_dominates_its_equal() {
    let world = World {
        losses: [0.4, 0.4],
        kept: [0.5, 0.5],
        margin: Some(0.1),
    };
    let wrong = world.wrong(1.0);
    assert!(wrong <= most(), "{wrong} of {}", streams());
}

/// The number of streams on which a constraint on a policy that keeps the quotas with chance `kept`
/// is settled, in whichever way, at some look; `alpha` is that of each side.
fn settled(kept: f64, bound: f64, alpha: f64) -> f64 {
    let constraint = Constraint {
        metric: "quotas_kept".into(),
        bound: GoalBound::AtLeast(bound),
    };
    let world = World {
        losses: [0.4; 2],
        kept: [kept; 2],
        margin: None,
    };
    let judge = world.judge();
    let settled = (0..streams()).filter(|stream| {
        let mut test = Test::new(&constraint, &judge, alpha);
        (0..4 * LOOKS).any(|at| {
            test.add(&world.lane(0, *stream, at));
            test.meets() != Meets::Open
        })
    });
    settled.count() as f64
}

/// At the bound itself both words are wrong with chance alpha at most, each with half of it here.
#[test]
fn a_constraint_at_the_bound_is_rarely_settled() {
    let at_bound = settled(0.5, 0.5, ALPHA / 2.0);
    assert!(at_bound <= most(), "{at_bound} of {}", streams());
    // Half the width asks for a quarter of the evidence.
    let broken = settled(0.5, 0.5, libm::pow(ALPHA / 2.0, 0.25));
    assert!(
        broken > most(),
        "{broken} of {}: half the width goes unseen",
        streams()
    );
    // And what is true is said.
    assert!(settled(0.8, 0.5, ALPHA / 2.0) > 0.95 * streams() as f64);
}
