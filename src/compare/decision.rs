//! When every pair is decided: for a run that stops there (`until = "decided"`).

use super::judge::{Judge, against};
use super::sequence::{Bets, Range, Tilted};
use crate::protocol::Ending;
use crate::score::LaneResult;

/// Follows a run replication by replication, in their order, until every pair is decided at any time: its interval leaves
/// out 0, or lies within the margin, or a lane forbids the comparison. Valid at any time, so stopping there costs nothing; and
/// a function of the replications alone, so it stops at the same one whatever the threads.
#[derive(Clone, Debug)]
pub struct Decision {
    watches: Vec<Watch>,
}

/// One pair.
#[derive(Clone, Debug)]
struct Watch {
    metric: String,
    /// Places of a and b in the run.
    a: usize,
    b: usize,
    source_end_is_short: bool,
    /// ln(2/alpha).
    level: f64,
    /// None where a value has left it: then nothing is ever decided.
    scale: Option<Scale>,
    /// Against a mean D of at most 0, at least 0.
    signs: [Against; 2],
    /// Against a mean D of at most minus the margin, at least the margin; none where a side is sure.
    margins: Option<[Option<Against>; 2]>,
    decided: bool,
}

/// What is known of a metric's differences.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// They lie in a range.
    Range(Range),
    /// Their variance is at most so much.
    Variance(f64),
}

impl Scale {
    fn of(metric: &str, judge: &Judge) -> Option<Self> {
        let range = judge.range(metric).map(Range::of_differences);
        let variance = || judge.variance(metric).map(Self::Variance);
        range.map(Self::Range).or_else(variance)
    }

    /// A difference and its mirror image as evidence takes them in; none where it leaves the range.
    fn sides(self, difference: f64) -> Option<[f64; 2]> {
        match self {
            Self::Range(range) => {
                let up = range.unit(difference).ok()?;
                Some([up, 1.0 - up])
            }
            Self::Variance(_) => difference.is_finite().then_some([difference, -difference]),
        }
    }

    /// Evidence against a mean of at most `bound`; none where that is sure beforehand.
    fn against(self, bound: f64, alpha: f64) -> Option<Against> {
        match self {
            Self::Range(range) => {
                let unit = range.unit(bound).ok().filter(|unit| *unit >= 1e-100);
                unit.map(|unit| Against::Bets(Bets::against(unit)))
            }
            Self::Variance(variance) => {
                let tilted = Tilted::against(bound, variance, alpha);
                Some(Against::Tilted(tilted))
            }
        }
    }
}

/// Evidence against a mean of at most some bound.
#[derive(Clone, Debug)]
enum Against {
    Bets(Bets),
    Tilted(Tilted),
}

impl Against {
    fn add(&mut self, value: f64) {
        match self {
            Self::Bets(bets) => bets.add(value),
            Self::Tilted(tilted) => tilted.add(value),
        }
    }

    fn ln_e(&self) -> f64 {
        match self {
            Self::Bets(bets) => bets.ln_e(),
            Self::Tilted(tilted) => tilted.ln_e(),
        }
    }
}

impl Decision {
    /// Nothing seen of a run of these policies, in the run's order, yet.
    #[must_use]
    pub fn new(labels: &[&str], judge: &Judge) -> Self {
        let pairs = against(labels, &judge.versus);
        let alpha = judge.alpha / (judge.metrics.len() * pairs.len()) as f64;
        let watch = |metric: &String, (a, b): (usize, usize)| {
            let scale = Scale::of(metric, judge);
            let margin = judge.margins.get(metric);
            let bounds = scale.zip(margin).map(|(scale, margin)| {
                let against = scale.against(-margin, alpha);
                [against.clone(), against]
            });
            let sign = scale.and_then(|scale| scale.against(0.0, alpha));
            // Without a scale nothing is taken in.
            let sign = sign.unwrap_or_else(|| Against::Bets(Bets::against(0.5)));
            Watch {
                metric: metric.clone(),
                a,
                b,
                source_end_is_short: judge.source_end_is_short,
                level: libm::log(2.0 / alpha),
                scale,
                signs: [sign.clone(), sign],
                margins: bounds,
                decided: false,
            }
        };
        let metrics = judge.metrics.iter();
        let watches = metrics.flat_map(|metric| pairs.iter().map(move |&pair| watch(metric, pair)));
        Self {
            watches: watches.collect(),
        }
    }

    /// Takes in the next replication, its lanes in the run's order; whether every pair is decided now. Never where there are no
    /// pairs.
    pub fn add(&mut self, lanes: &[LaneResult]) -> bool {
        for watch in &mut self.watches {
            watch.add(&lanes[watch.a], &lanes[watch.b]);
        }
        !self.watches.is_empty() && self.watches.iter().all(|watch| watch.decided)
    }
}

impl Watch {
    fn add(&mut self, a: &LaneResult, b: &LaneResult) {
        let comparable = |ending: Ending| ending.is_comparable(self.source_end_is_short);
        if !comparable(a.ending) || !comparable(b.ending) {
            // For good: nothing clears a lane.
            (self.decided, self.scale) = (true, None);
        }
        let values = a.at_end(&self.metric).zip(b.at_end(&self.metric));
        let (Some((a, b)), Some(scale)) = (values, self.scale) else {
            return;
        };
        let Some(sides) = scale.sides(a - b) else {
            (self.decided, self.scale) = (false, None);
            return;
        };
        for (side, bets) in sides.into_iter().zip(&mut self.signs) {
            bets.add(side);
        }
        if let Some(bounds) = &mut self.margins {
            for (side, bets) in sides.into_iter().zip(bounds) {
                bets.iter_mut().for_each(|bets| bets.add(side));
            }
        }
        let refuted = |bets: &Against| bets.ln_e() > self.level;
        let within = |bounds: &[Option<Against>; 2]| {
            let mut sides = bounds.iter();
            sides.all(|bets| bets.as_ref().is_none_or(refuted))
        };
        self.decided = self.signs.iter().any(refuted) || self.margins.as_ref().is_some_and(within);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Pair, Verdict, Versus, compare};
    use crate::draw::{Key, Purpose};
    use crate::score::{PolicyRun, Row, RunResult};

    const LABELS: [&str; 3] = ["c", "a", "b"];

    fn lane(loss: Option<f64>, ending: Ending) -> LaneResult {
        let row = |value| Row {
            metric: "representation_loss".into(),
            at: None,
            value,
        };
        LaneResult {
            ending,
            detail: None,
            rows: loss.map(row).into_iter().collect(),
        }
    }

    /// a is a little better than c, b the same as c on average.
    fn replication(number: u64, difference: f64) -> [LaneResult; 3] {
        let mut draw = Key::new(5, number).draw(Purpose::World, 0, 0);
        let mut loss = |mean: f64| {
            let value = mean + 0.1 * (draw.uniform() - 0.5);
            lane(Some(value).filter(|_| number % 7 != 3), Ending::Filled)
        };
        [loss(0.5), loss(0.5 - difference), loss(0.5)]
    }

    fn judge(margin: Option<f64>, versus: Versus) -> Judge {
        let name = "representation_loss".to_owned();
        Judge {
            metrics: vec![name.clone()],
            margins: margin.map(|margin| (name, margin)).into_iter().collect(),
            versus,
            alpha: 0.05,
            until_decided: true,
            ..Judge::default()
        }
    }

    fn pairs(all: &[[LaneResult; 3]], judge: &Judge) -> Vec<Pair> {
        let policy = |at: usize| PolicyRun {
            label: LABELS[at].into(),
            kind: "k".into(),
            lanes: all.iter().map(|lanes| lanes[at].clone()).collect(),
        };
        let run = RunResult {
            name: "t".into(),
            seed: 1,
            replications: all.len() as u64,
            policies: vec![policy(0), policy(1), policy(2)],
            rounds: Vec::new(),
        };
        compare(&run, judge)
    }

    #[test]
    fn all_is_decided_exactly_where_no_verdict_is_open() {
        let baseline = || Versus::Baseline("c".into());
        for (difference, margin, versus, known) in [
            (0.3, Some(0.2), baseline(), true),
            (0.3, Some(0.2), Versus::Everyone, true),
            (0.05, Some(0.3), baseline(), true),
            (0.3, None, baseline(), false),
            (0.0, Some(1.0), baseline(), true),
            (0.0, Some(9.0), baseline(), true),
            (0.3, Some(0.2), Versus::Nobody, false),
        ] {
            let judge = judge(margin, versus);
            let mut decision = Decision::new(&LABELS, &judge);
            let mut all = Vec::new();
            let mut ever = false;
            for number in 0..200 {
                all.push(replication(number, difference));
                let decided = decision.add(&all[number as usize]);
                let pairs = pairs(&all, &judge);
                let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
                assert_eq!(decided, !pairs.is_empty() && !open, "{number}: {pairs:?}");
                ever |= decided;
            }
            assert_eq!(ever, known, "{difference} {margin:?}");
        }
    }

    #[test]
    fn a_lane_that_failed_decides_its_pairs_and_a_value_beyond_the_range_never_does() {
        let judge = judge(None, Versus::Baseline("c".into()));
        let far = |number| replication(number, 0.4);
        let mut decision = Decision::new(&LABELS, &judge);
        let ended = (0..200).position(|number| {
            let mut lanes = far(number);
            if number == 20 {
                lanes[2] = lane(None, Ending::Stalled);
            }
            decision.add(&lanes)
        });
        let ended = ended.expect("it is decided");
        assert!(ended >= 20, "{ended}");
        let mut decision = Decision::new(&LABELS, &judge);
        for number in 0..200 {
            let mut lanes = far(number);
            lanes[2] = lane(Some(if number == 4 { 7.0 } else { 0.9 }), Ending::Filled);
            assert!(!decision.add(&lanes));
        }
    }

    /// Of a metric without a range, by the stated bound on the variance: decided exactly where no verdict is open.
    #[test]
    fn a_stated_variance_decides_too() {
        for (difference, stated, known) in [(0.3, Some(0.02), true), (0.3, None, false)] {
            let judge = Judge {
                metrics: vec!["cost".into()],
                variances: stated.map(|v| ("cost".to_owned(), v)).into_iter().collect(),
                ..judge(None, Versus::Baseline("c".into()))
            };
            let named = |mut lanes: [LaneResult; 3]| {
                let rows = lanes.iter_mut().flat_map(|lane| &mut lane.rows);
                rows.for_each(|row| row.metric = "cost".into());
                // b far on the other side, so that both pairs can be decided.
                lanes[2].rows.iter_mut().for_each(|row| row.value += 0.4);
                lanes
            };
            let mut decision = Decision::new(&LABELS, &judge);
            let (mut all, mut ever) = (Vec::new(), false);
            for number in 0..60 {
                all.push(named(replication(number, difference)));
                let decided = decision.add(&all[number as usize]);
                let pairs = pairs(&all, &judge);
                if stated.is_some() {
                    let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
                    assert_eq!(decided, !open, "{number}: {pairs:?}");
                    assert!(pairs[0].method.starts_with("Catoni"), "{}", pairs[0].method);
                }
                ever |= decided;
            }
            assert_eq!(ever, known, "{stated:?}");
        }
    }

    #[test]
    fn nothing_that_needs_a_fixed_number_is_given() {
        let all: Vec<_> = (0..40).map(|number| replication(number, 0.4)).collect();
        for pair in pairs(&all, &judge(None, Versus::Everyone)) {
            assert_eq!((pair.beside.t_lo, pair.beside.median_lo), (None, None));
            assert!(pair.lo.is_some() && pair.beside.e_value.is_some());
        }
    }
}
