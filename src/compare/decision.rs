//! When every pair is decided: for a run that stops there (`until = "decided"`).

use super::pairs::{Judge, against};
use super::sequence::{Bets, Range};
use crate::protocol::Ending;
use crate::score::{LaneResult, MetricInfo};

/// Follows a run replication by replication, in their order, until every pair is decided by betting: its interval leaves
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
    range: Option<Range>,
    /// Against a mean D of at most 0, at least 0.
    signs: [Bets; 2],
    /// Against a mean D of at most minus the margin, at least the margin; none where a side is sure.
    margins: Option<[Option<Bets>; 2]>,
    decided: bool,
}

impl Decision {
    /// Nothing seen of a run of these policies, in the run's order, yet.
    #[must_use]
    pub fn new(labels: &[String], judge: &Judge) -> Self {
        let pairs = against(labels, &judge.versus);
        let alpha = judge.alpha / (judge.metrics.len() * pairs.len()) as f64;
        let watch = |metric: &String, (a, b): (usize, usize)| {
            let range = MetricInfo::of(metric).range;
            let range = range.and_then(|(least, most)| Range::new(least, most));
            let range = range.map(Range::of_differences);
            let margin = judge.margins.get(metric);
            let bounds = range.zip(margin).map(|(range, margin)| {
                let unit = range.unit(-margin).ok().filter(|unit| *unit >= 1e-100);
                [unit.map(Bets::against), unit.map(Bets::against)]
            });
            Watch {
                metric: metric.clone(),
                a,
                b,
                source_end_is_short: judge.source_end_is_short,
                level: libm::log(2.0 / alpha),
                range,
                signs: [Bets::against(0.5), Bets::against(0.5)],
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
            (self.decided, self.range) = (true, None);
        }
        let values = a.at_end(&self.metric).zip(b.at_end(&self.metric));
        let (Some((a, b)), Some(range)) = (values, self.range) else {
            return;
        };
        let Ok(up) = range.unit(a - b) else {
            (self.decided, self.range) = (false, None);
            return;
        };
        let sides = [up, 1.0 - up];
        for (side, bets) in sides.into_iter().zip(&mut self.signs) {
            bets.add(side);
        }
        for bounds in &mut self.margins {
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
