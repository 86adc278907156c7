//! When every pair is decided: for a run that stops there (`until = "decided"`).

use super::judge::{Judge, against};
use super::sequence::{Bets, Range};
use super::unfilled::{FILLED, is_unfilled};
use crate::score::LaneResult;

/// Follows a run replication by replication, in their order, until every pair is decided by betting: its interval leaves
/// out 0, or lies within the margin, or a lane forbids the comparison. Where `filled` is judged because a lane left places empty, two
/// policies that never differed in it wait for nothing. Valid at any time, so stopping there costs nothing; and
/// a function of the replications alone, so it stops at the same one whatever the threads.
#[derive(Clone, Debug)]
pub struct Decision {
    judge: Judge,
    watches: Vec<Watch>,
    /// Whether a lane has left places of its committee empty.
    any_unfilled: bool,
}

/// One pair.
#[derive(Clone, Debug)]
struct Watch {
    metric: String,
    /// Places of a and b in the run.
    a: usize,
    b: usize,
    /// ln(2/alpha).
    level: f64,
    /// None where a value has left it: then nothing is ever decided.
    range: Option<Range>,
    /// Against a mean D of at most 0, at least 0.
    signs: [Bets; 2],
    /// Against a mean D of at most minus the margin, at least the margin; none where a side is sure.
    margins: Option<[Option<Bets>; 2]>,
    decided: bool,
    /// Whether all D were exactly 0; none before the first value.
    identical: Option<bool>,
}

impl Decision {
    /// Nothing seen of a run of these policies, in the run's order, yet.
    #[must_use]
    pub fn new(labels: &[&str], judge: &Judge) -> Self {
        let pairs = against(labels, &judge.versus);
        let metrics = judge.shares();
        let alpha = judge.alpha / (metrics.len() * pairs.len()) as f64;
        let watch = |metric: &str, (a, b): (usize, usize)| {
            let range = judge.range(metric).map(Range::of_differences);
            let margin = judge.margins.get(metric);
            let bounds = range.zip(margin).map(|(range, margin)| {
                let unit = range.unit(-margin).ok().filter(|unit| *unit >= 1e-100);
                [unit.map(Bets::against), unit.map(Bets::against)]
            });
            Watch {
                metric: metric.to_owned(),
                a,
                b,
                level: libm::log(2.0 / alpha),
                range,
                signs: [Bets::against(0.5), Bets::against(0.5)],
                margins: bounds,
                decided: false,
                identical: None,
            }
        };
        let metrics = metrics.iter();
        let watches = metrics.flat_map(|metric| pairs.iter().map(move |&pair| watch(metric, pair)));
        Self {
            watches: watches.collect(),
            judge: judge.clone(),
            any_unfilled: false,
        }
    }

    /// Takes in the next replication, its lanes in the run's order; whether every pair is decided now. Never where there are no
    /// pairs.
    pub fn add(&mut self, lanes: &[LaneResult]) -> bool {
        for watch in &mut self.watches {
            watch.add(&lanes[watch.a], &lanes[watch.b], &self.judge);
        }
        self.any_unfilled |= lanes.iter().any(is_unfilled);
        // What is judged only where a lane left places empty.
        let added = self.judge.adds_filled().then_some(FILLED);
        let waits = |watch: &Watch| match added == Some(&*watch.metric) {
            true => self.any_unfilled && watch.identical != Some(true) && !watch.decided,
            false => !watch.decided,
        };
        !self.watches.is_empty() && !self.watches.iter().any(waits)
    }
}

impl Watch {
    fn add(&mut self, a: &LaneResult, b: &LaneResult, judge: &Judge) {
        let comparable = |lane: &LaneResult| lane.ending.is_comparable(judge.source_end_is_short);
        if !comparable(a) || !comparable(b) {
            // For good: nothing clears a lane.
            (self.decided, self.range) = (true, None);
        }
        let values = judge.values(&self.metric, [a, b]);
        let (Some([a, b]), Some(range)) = (values, self.range) else {
            return;
        };
        self.identical = Some(self.identical.unwrap_or(true) && a == b);
        let Ok(up) = range.unit(a - b) else {
            (self.decided, self.range) = (false, None);
            return;
        };
        let sides = [up, 1.0 - up];
        for (side, bets) in sides.into_iter().zip(&mut self.signs) {
            bets.add(side);
        }
        if let Some(bounds) = &mut self.margins {
            for (side, bets) in sides.into_iter().zip(bounds) {
                bets.iter_mut().for_each(|bets| bets.add(side));
            }
        }
        let refuted = |bets: &Bets| bets.ln_e() > self.level;
        let within = |bounds: &[Option<Bets>; 2]| {
            let mut sides = bounds.iter();
            sides.all(|bets| bets.as_ref().is_none_or(refuted))
        };
        self.decided = self.signs.iter().any(refuted) || self.margins.as_ref().is_some_and(within);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Unfilled;
    use crate::compare::{Pair, Verdict, Versus, compare};
    use crate::draw::{Key, Purpose};
    use crate::protocol::Ending;
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

    /// Lanes of a committee: those of `b` leave places empty in one of `rare` replications.
    fn committees(number: u64, rare: u64) -> [LaneResult; 3] {
        let mut lanes = replication(number, 0.3);
        for (at, lane) in lanes.iter_mut().enumerate() {
            let short = at == 2 && number % rare == rare - 1;
            lane.ending = if short {
                Ending::Stalled
            } else {
                Ending::Filled
            };
            let filled = Row {
                metric: FILLED.into(),
                at: None,
                value: f64::from(u8::from(!short)),
            };
            lane.rows.push(filled);
        }
        lanes
    }

    #[test]
    fn committees_with_empty_places_leave_no_verdict_open_where_all_is_decided() {
        let baseline = || Versus::Baseline("c".into());
        for (unfilled, rare, margin, versus, known) in [
            (Unfilled::LeftOut, 2, Some(0.2), baseline(), true),
            (Unfilled::LeftOut, 2, Some(0.2), Versus::Everyone, true),
            (Unfilled::Worst, 3, Some(0.4), baseline(), true),
            // Whether b fills as often as the others is open to the end; with a margin it is not.
            (Unfilled::LeftOut, 190, None, baseline(), false),
            (Unfilled::LeftOut, 190, Some(0.2), baseline(), true),
            // Nobody leaves a place empty.
            (Unfilled::LeftOut, 1000, Some(0.2), baseline(), true),
        ] {
            let mut judge = judge(margin, versus);
            judge.unfilled = unfilled;
            judge
                .margins
                .extend(margin.map(|margin| (FILLED.to_owned(), margin)));
            let mut decision = Decision::new(&LABELS, &judge);
            let (mut all, mut ever) = (Vec::new(), false);
            for number in 0..200 {
                all.push(committees(number, rare));
                let decided = decision.add(&all[number as usize]);
                // Where it turns, and now and then: all of them take long.
                if decided == ever && number % 40 != 39 {
                    continue;
                }
                let pairs = pairs(&all, &judge);
                let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
                assert_eq!(decided, !open, "{number}: {pairs:?}");
                let shown = pairs.iter().any(|pair| pair.metric == FILLED);
                assert_eq!(shown, number + 1 >= rare);
                // A committee that is left unfilled can open what was decided, so the last one says it.
                ever = decided;
            }
            assert_eq!(ever, known, "{unfilled:?} {rare} {margin:?}");
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
                lanes[2] = lane(None, Ending::Left);
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

    #[test]
    fn nothing_that_needs_a_fixed_number_is_given() {
        let all: Vec<_> = (0..40).map(|number| replication(number, 0.4)).collect();
        for pair in pairs(&all, &judge(None, Versus::Everyone)) {
            assert_eq!((pair.beside.t_lo, pair.beside.median_lo), (None, None));
            assert!(pair.lo.is_some() && pair.beside.e_value.is_some());
        }
    }
}
