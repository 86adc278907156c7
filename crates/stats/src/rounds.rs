//! Comparisons round by round on one stream, played once.
//!
//! Policies learn and pools move, so D has no one mean. What an interval covers is the running
//! average over the rounds played of E(D | all before), at all times at once: [`StreamSequence`].

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::course::{DifferencePoint, StreamCourse};
use super::goal::{Constraint, Tested};
use super::judge::{Judge, against};
use super::round_means::RoundMean;
use super::sequence::{Range, StreamSequence};
use super::standing::Dated;
use super::sureness::Sureness;
use super::verdict::Verdict;
use kleroterion_core::score::Direction;

/// Paired differences vary little: intervals are tightest where they do.
const V_OPT: f64 = 1.0;

/// Follows a replication, lane by lane as rounds come, in any interleaving. The results depend on
/// the rounds alone.
#[derive(Clone, Debug)]
pub struct Rounds {
    metrics: Vec<String>,
    watches: Vec<Watch>,
    means: Vec<RoundMean>,
    lanes: Vec<FollowedLane>,
    mark: Option<Mark>,
}

/// A lane that is followed.
#[derive(Clone, Debug, Default)]
struct FollowedLane {
    /// The number of rounds handed over.
    rounds: u64,
    is_over: bool,
    /// The places of the watches on its pairs.
    watches: Vec<usize>,
}

/// The evidence after a certain round, for a caller who asked before it was over.
#[derive(Clone, Debug)]
struct Mark {
    round: u64,
    /// The evidence of each watch and mean. `None` if a lane has not reached the round.
    pairs: Vec<Option<RoundPair>>,
    means: Vec<Option<RoundMean>>,
}

/// The evidence of the rounds of one stream, played once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundEvidence {
    /// The pairs of policies compared.
    pub pairs: Vec<RoundPair>,
    /// The means for the goal's constraints.
    means: Vec<RoundMean>,
}

impl RoundEvidence {
    /// Returns the test of a constraint for a policy, by its place in the run. `None` if it is not
    /// tested on rounds.
    pub(super) fn tested(
        &self,
        lane: usize,
        constraint: &Constraint,
        label: &str,
    ) -> Option<Tested> {
        let mut means = self.means.iter();
        let mean = means.find(|mean| mean.is_of(lane, constraint))?;
        Some(mean.tested(label))
    }
}

/// The difference of two policies over the rounds that both played.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundPair {
    /// The metric, by its value in one round.
    pub metric: String,
    /// The place of a in the run.
    pub a: usize,
    /// The place of b in the run.
    pub b: usize,
    /// The number of rounds in which both have a value. For a rate within a group, the number of
    /// its people whom both were shown.
    pub n: u64,
    /// The mean of D = value(a) - value(b) over them.
    pub mean: f64,
    /// The interval at level `alpha` for the running average of the conditional means of D. `None`
    /// if a value left its range.
    pub interval: Option<(f64, f64)>,
    /// The judge's alpha, split over the comparisons made round by round.
    pub alpha: f64,
    /// The logarithms of two e-values: that D is above 0 on average, and that it is below 0.
    pub ln_e_values: [f64; 2],
    /// True if all D are exactly 0.
    pub identical: bool,
    /// The approximate number of further rounds that separate the two, if they are like those so
    /// far.
    pub needed: Option<u64>,
    /// The moment at which the running average was sure, if it ever was.
    pub dated: Option<Dated>,
    /// The course before the last round. Empty if the config does not ask for the comparison.
    pub course: Vec<DifferencePoint>,
}

/// The comparison of one pair on one metric.
#[derive(Clone, Debug)]
struct Watch {
    metric: usize,
    /// Places of a and b.
    lanes: [usize; 2],
    ended: [bool; 2],
    /// Values of the one ahead, which the other has still to meet.
    waiting: VecDeque<Option<f64>>,
    /// True if b is ahead.
    b_ahead: bool,
    range: Range,
    stream: StreamSequence,
    alpha: f64,
    identical: bool,
    beyond: bool,
    direction: Direction,
    margin: Option<f64>,
    sureness: Sureness<Verdict>,
    /// Only of comparisons that the config asks for.
    course: Option<StreamCourse>,
}

impl Rounds {
    /// Makes the follower of a run of these policies before any round. `None` if nothing is
    /// compared round by round.
    #[must_use]
    pub fn new(labels: &[&str], judge: &Judge) -> Option<Self> {
        let metrics: Vec<(String, Range)> = judge.by_round().collect();
        let pairs = against(labels, judge);
        let means = means(labels, judge);
        let has_pairs = !metrics.is_empty() && !pairs.is_empty();
        if judge.until_decided || !has_pairs && means.is_empty() {
            return None;
        }
        let alpha = judge.alpha_of_stream(pairs.len());
        let watch = |metric: usize, range: Range, lanes: (usize, usize)| {
            let asks = judge.asks(labels[lanes.1]);
            let mut watch = Watch::new(&metrics[metric].0, range, lanes, judge, alpha);
            watch.metric = metric;
            watch.course = watch.course.filter(|_| asks);
            watch
        };
        let ranges = metrics.iter().map(|(_, range)| *range).enumerate();
        let watches =
            ranges.flat_map(|(at, range)| pairs.iter().map(move |&p| watch(at, range, p)));
        let watches: Vec<Watch> = watches.collect();
        let mut lanes = vec![FollowedLane::default(); labels.len()];
        for (place, watch) in watches.iter().enumerate() {
            for lane in watch.lanes {
                lanes[lane].watches.push(place);
            }
        }
        let mut metrics: Vec<String> = metrics.into_iter().map(|(name, _)| name).collect();
        for mean in &means {
            if metrics.iter().all(|known| known != mean.metric()) {
                metrics.push(mean.metric().to_owned());
            }
        }
        Some(Self {
            metrics,
            watches,
            means,
            lanes,
            mark: None,
        })
    }

    /// The metrics that are followed.
    #[must_use]
    pub fn metrics(&self) -> &[String] {
        &self.metrics
    }

    /// Adds the values of the next `rounds` rounds of a lane: a row per metric, a column per round
    /// (or per person of its roster). `None` stands for no value.
    pub fn add(&mut self, lane: usize, rounds: u64, values: &[Vec<Option<f64>>]) {
        for &place in &self.lanes[lane].watches {
            let watch = &mut self.watches[place];
            watch.add(watch.side(lane), &values[watch.metric]);
        }
        for mean in &mut self.means {
            let place = self.metrics.iter().position(|name| name == mean.metric());
            if let Some(place) = place {
                mean.add(lane, &values[place]);
            }
        }
        self.lanes[lane].rounds += rounds;
        self.keep(lane..=lane);
    }

    /// Records that a lane plays no further round.
    pub fn end(&mut self, lane: usize) {
        for &place in &self.lanes[lane].watches {
            let watch = &mut self.watches[place];
            let side = watch.side(lane);
            watch.ended[side] = true;
            if usize::from(watch.b_ahead) != side {
                watch.waiting.clear();
            }
        }
        self.lanes[lane].is_over = true;
        self.keep(lane..=lane);
    }

    /// Asks for the evidence after a round: see [`marked`](Self::marked).
    pub fn mark(&mut self, round: u64) {
        self.mark = Some(Mark {
            round,
            pairs: vec![None; self.watches.len()],
            means: vec![None; self.means.len()],
        });
        self.keep(0..=self.lanes.len() - 1);
    }

    /// Returns the evidence after the marked round, for the lanes that have reached it. `None` if
    /// two of them were past the round before it was marked.
    #[must_use]
    pub fn marked(&self, is_here: &[bool]) -> Option<RoundEvidence> {
        let mark = self.mark.as_ref()?;
        let is_asked = |watch: &Watch| watch.lanes.iter().all(|lane| is_here[*lane]);
        let pairs = self.watches.iter().zip(&mark.pairs);
        let pairs = pairs.filter(|(watch, _)| is_asked(watch));
        let means = self.means.iter().zip(&mark.means);
        let means = means.filter(|(mean, _)| is_here[mean.lane()]);
        Some(RoundEvidence {
            pairs: pairs.map(|(_, pair)| pair.clone()).collect::<Option<_>>()?,
            means: means.map(|(_, mean)| mean.clone()).collect::<Option<_>>()?,
        })
    }

    /// Keeps what has come to the marked round of what these lanes are in.
    fn keep(&mut self, which: RangeInclusive<usize>) {
        let Some(mut mark) = self.mark.take() else {
            return;
        };
        let is_there = |lanes: &[usize]| {
            let lanes = || lanes.iter().map(|lane| &self.lanes[*lane]);
            let slowest = lanes().map(|lane| lane.rounds).min();
            let ended = lanes().filter(|lane| lane.is_over);
            let ended = ended.map(|lane| lane.rounds);
            // Where the slowest has ended nothing is added any more.
            slowest == Some(mark.round) || slowest < Some(mark.round) && slowest == ended.min()
        };
        let watches = self.lanes[which.clone()].iter();
        for &place in watches.flat_map(|lane| &lane.watches) {
            let (watch, kept) = (&self.watches[place], &mut mark.pairs[place]);
            if kept.is_none() && is_there(&watch.lanes) {
                *kept = Some(watch.pair(&self.metrics[watch.metric]));
            }
        }
        for (mean, kept) in self.means.iter().zip(&mut mark.means) {
            let is_its = which.contains(&mean.lane());
            if is_its && kept.is_none() && is_there(&[mean.lane()]) {
                *kept = Some(mean.clone());
            }
        }
        self.mark = Some(mark);
    }

    /// Returns the evidence so far.
    #[must_use]
    pub fn read(&self) -> RoundEvidence {
        RoundEvidence {
            pairs: self.pairs(),
            means: self.means.clone(),
        }
    }

    /// Returns the comparisons of pairs so far: metric by metric, in label order.
    #[must_use]
    pub fn pairs(&self) -> Vec<RoundPair> {
        let pair = |watch: &Watch| watch.pair(&self.metrics[watch.metric]);
        self.watches.iter().map(pair).collect()
    }
}

/// Makes the means that are followed for the goal's constraints, for each contender.
fn means(labels: &[&str], judge: &Judge) -> Vec<RoundMean> {
    let Some(goal) = &judge.goal else {
        return Vec::new();
    };
    let places = (0..labels.len()).filter(|place| judge.is_contender(labels[*place]));
    let places: Vec<usize> = places.collect();
    let alpha = goal.alpha(judge, places.len());
    let each = places.iter().flat_map(|lane| {
        let constraints = goal.constraints.iter();
        constraints.filter_map(move |one| RoundMean::new(one, *lane, judge, alpha))
    });
    each.collect()
}

impl Watch {
    /// Makes the watch of a pair on a metric whose values have this range, before any value.
    fn new(metric: &str, range: Range, (a, b): (usize, usize), judge: &Judge, alpha: f64) -> Self {
        let range = range.of_differences();
        let margin = judge.margins.get(metric).copied();
        let ends = margin.map(|margin| [-margin, margin]);
        let thresholds = ends.into_iter().flatten().chain([0.0]);
        let thresholds = thresholds.filter_map(|threshold| range.unit(threshold).ok());
        Self {
            metric: 0,
            lanes: [a, b],
            ended: [false; 2],
            waiting: VecDeque::new(),
            b_ahead: false,
            range,
            stream: StreamSequence::new(alpha, V_OPT),
            alpha,
            identical: true,
            beyond: false,
            direction: judge.directions.of(metric),
            margin,
            sureness: Sureness::new(thresholds.collect()),
            course: Some(StreamCourse::new(metric, range, judge)),
        }
    }

    /// The side of one of its lanes: 0 for a, 1 for b.
    fn side(&self, lane: usize) -> usize {
        usize::from(self.lanes[0] != lane)
    }

    fn add(&mut self, side: usize, values: &[Option<f64>]) {
        for value in values {
            if usize::from(self.b_ahead) != side
                && let Some(other) = self.waiting.pop_front()
            {
                let [a, b] = if side == 0 {
                    [*value, other]
                } else {
                    [other, *value]
                };
                self.take(a.zip(b));
            } else if !self.ended[1 - side] {
                self.b_ahead = side == 1;
                self.waiting.push_back(*value);
            }
        }
    }

    fn take(&mut self, values: Option<(f64, f64)>) {
        let Some((a, b)) = values else { return };
        self.identical &= a == b;
        match self.range.unit(a - b) {
            Ok(unit) => self.stream.add(unit),
            Err(_) => self.beyond = true,
        }
        // Where a value left its range there is no interval any more.
        if self.beyond {
            return;
        }
        let (range, direction, margin) = (self.range, self.direction, self.margin);
        let turned = self.sureness.note(&self.stream, |(lo, hi)| {
            let verdict = Verdict::of(range.value(lo), range.value(hi), direction, margin);
            verdict.is_decided().then_some(verdict)
        });
        if let Some(course) = &mut self.course {
            let is_sure = self.sureness.now().is_some();
            course.note(&self.stream, self.identical, is_sure, turned);
        }
    }

    /// Returns the moments at which it was sure, if it ever was.
    fn dated(&self) -> Option<Dated> {
        let ((sure_at, verdict), open_at, since) = self.sureness.dates()?;
        Some(Dated {
            sure_at,
            verdict,
            open_at,
            since,
        })
    }

    fn pair(&self, metric: &str) -> RoundPair {
        let stream = &self.stream;
        let value = |unit| self.range.value(unit);
        let (lo, hi) = stream.interval();
        RoundPair {
            metric: metric.to_owned(),
            a: self.lanes[0],
            b: self.lanes[1],
            n: stream.count(),
            mean: value(stream.mean()),
            interval: (stream.count() > 0 && !self.beyond).then(|| (value(lo), value(hi))),
            alpha: self.alpha,
            ln_e_values: stream.ln_e_values(0.5),
            identical: self.identical && stream.count() > 0,
            needed: stream
                .likely(0.5)
                .map(|all| all.saturating_sub(stream.count()).max(1)),
            dated: self.dated().filter(|_| !self.beyond),
            course: self
                .course
                .as_ref()
                .map_or_else(Vec::new, StreamCourse::points),
        }
    }
}

#[cfg(test)]
mod tests;
