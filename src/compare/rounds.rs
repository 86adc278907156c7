//! Round by round: what one stream, played once, says of two policies.
//!
//! Policies learn and pools move, so D has no one mean. What an interval covers is the running
//! average over the rounds played of E(D | all before), at all times at once: [`StreamSequence`].

use std::collections::VecDeque;

use super::goal::{Constraint, Tested};
use super::judge::{Judge, against};
use super::round_means::RoundMean;
use super::sequence::{Range, StreamSequence};

/// Paired differences vary little: intervals are tightest where they do.
const V_OPT: f64 = 1.0;

/// Follows a replication, lane by lane as their rounds come, in any interleaving; what it says
/// depends on the rounds alone.
#[derive(Clone, Debug)]
pub struct Rounds {
    metrics: Vec<String>,
    watches: Vec<Watch>,
    means: Vec<RoundMean>,
}

/// What the rounds of one stream, played once, say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundEvidence {
    /// Of pairs of policies.
    pub pairs: Vec<RoundPair>,
    /// Of the goal's constraints.
    means: Vec<RoundMean>,
}

impl RoundEvidence {
    /// What the rounds say of a policy, by its place in the run, and a constraint; none where it is
    /// not tested on rounds.
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
    /// The metric, as it is in one round.
    pub metric: String,
    /// Place of a in the run.
    pub a: usize,
    /// Place of b.
    pub b: usize,
    /// Rounds in which both have a value; of a rate within a group, people of it whom both were
    /// shown.
    pub n: u64,
    /// The mean over them of D = value(a) - value(b).
    pub mean: f64,
    /// The interval at level `alpha` for the running average of the conditional means of D; none
    /// where a value left its range.
    pub interval: Option<(f64, f64)>,
    /// The judge's alpha, split over the comparisons made round by round.
    pub alpha: f64,
    /// E-values that D is above 0, below 0 on average.
    pub e_values: [f64; 2],
    /// Whether all D are exactly 0.
    pub identical: bool,
    /// About how many more rounds are likely to separate the two, if they are like those so far.
    pub needed: Option<u64>,
}

/// One pair on one metric.
#[derive(Clone, Debug)]
struct Watch {
    metric: usize,
    /// Places of a and b.
    lanes: [usize; 2],
    ended: [bool; 2],
    /// Values of the one ahead, which the other has still to meet.
    waiting: VecDeque<Option<f64>>,
    /// Whether it is b that is ahead.
    b_ahead: bool,
    range: Range,
    stream: StreamSequence,
    alpha: f64,
    identical: bool,
    beyond: bool,
}

impl Rounds {
    /// Nothing seen of a run of these policies yet; none where nothing is compared round by round.
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
        let watch = |metric: usize, range: Range, (a, b): (usize, usize)| Watch {
            metric,
            lanes: [a, b],
            ended: [false; 2],
            waiting: VecDeque::new(),
            b_ahead: false,
            range: range.of_differences(),
            stream: StreamSequence::new(alpha, V_OPT),
            alpha,
            identical: true,
            beyond: false,
        };
        let ranges = metrics.iter().map(|(_, range)| *range).enumerate();
        let watches =
            ranges.flat_map(|(at, range)| pairs.iter().map(move |&p| watch(at, range, p)));
        let watches = watches.collect();
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
        })
    }

    /// The metrics that are followed.
    #[must_use]
    pub fn metrics(&self) -> &[String] {
        &self.metrics
    }

    /// The next values of a lane, a metric a row, a round (or a person of its roster) a column;
    /// none where it has no value.
    pub fn add(&mut self, lane: usize, values: &[Vec<Option<f64>>]) {
        for watch in &mut self.watches {
            if let Some(side) = watch.side(lane) {
                watch.add(side, &values[watch.metric]);
            }
        }
        for mean in &mut self.means {
            let place = self.metrics.iter().position(|name| name == mean.metric());
            if let Some(place) = place {
                mean.add(lane, &values[place]);
            }
        }
    }

    /// A lane plays no further round.
    pub fn end(&mut self, lane: usize) {
        for watch in &mut self.watches {
            if let Some(side) = watch.side(lane) {
                watch.ended[side] = true;
                if usize::from(watch.b_ahead) != side {
                    watch.waiting.clear();
                }
            }
        }
    }

    /// What may be said so far.
    #[must_use]
    pub fn read(&self) -> RoundEvidence {
        RoundEvidence {
            pairs: self.pairs(),
            means: self.means.clone(),
        }
    }

    /// What may be said of pairs so far: metric by metric, in label order.
    #[must_use]
    pub fn pairs(&self) -> Vec<RoundPair> {
        let pair = |watch: &Watch| watch.pair(&self.metrics[watch.metric]);
        self.watches.iter().map(pair).collect()
    }
}

/// What is followed of each contender for the goal's constraints.
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
    /// 0 for a, 1 for b.
    fn side(&self, lane: usize) -> Option<usize> {
        self.lanes.iter().position(|place| *place == lane)
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
            e_values: stream.e_values(0.5),
            identical: self.identical && stream.count() > 0,
            needed: stream
                .likely(0.5)
                .map(|all| all.saturating_sub(stream.count()).max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Versus;
    use super::*;

    fn judge(versus: Versus) -> Judge {
        Judge {
            metrics: ["screened", "selection_rate", "fair_regret"]
                .map(str::to_owned)
                .into(),
            versus,
            alpha: 0.05,
            ..Judge::default()
        }
    }

    fn all(labels: &[&str]) -> Rounds {
        Rounds::new(labels, &judge(Versus::Everyone)).unwrap()
    }

    fn wave(lane: usize, round: usize) -> Option<f64> {
        let value = 0.4 + 0.1 * lane as f64 + 0.3 * libm::sin((round * (lane + 1)) as f64);
        (!(round + lane).is_multiple_of(7)).then_some(value)
    }

    /// Rounds `from..to` of a lane, both metrics.
    fn values(lane: usize, from: usize, to: usize) -> Vec<Vec<Option<f64>>> {
        let of = |shift: usize| (from..to).map(|round| wave(lane, round + shift)).collect();
        vec![of(0), of(1000)]
    }

    #[test]
    fn it_is_the_stream_of_the_differences_in_the_order_of_the_rounds() {
        let mut rounds = all(&["b", "a"]);
        rounds.add(0, &values(0, 0, 200));
        rounds.add(1, &values(1, 0, 200));
        let pairs = rounds.pairs();
        let mut plain = StreamSequence::new(0.025, V_OPT);
        let (mut sum, mut n) = (0.0, 0);
        for round in 0..200 {
            if let Some((a, b)) = wave(1, round).zip(wave(0, round)) {
                plain.add((a - b + 1.0) / 2.0);
                sum += a - b;
                n += 1;
            }
        }
        let (lo, hi) = plain.interval();
        let first = &pairs[0];
        assert_eq!((&*first.metric, first.a, first.b), ("selection_rate", 1, 0));
        assert_eq!((first.n, first.alpha), (n, 0.025));
        assert!((first.mean - sum / n as f64).abs() < 1e-12);
        let (ours_lo, ours_hi) = first.interval.unwrap();
        assert!((ours_lo - (2.0 * lo - 1.0)).abs() < 1e-12);
        assert!((ours_hi - (2.0 * hi - 1.0)).abs() < 1e-12);
        assert!(!first.identical);
        assert_eq!(pairs.len(), 2);
        assert_eq!(pairs[1].metric, "fair_regret");
    }

    #[test]
    fn how_lanes_come_in_does_not_matter() {
        let told = |steps: &[(usize, usize)]| {
            let mut rounds = all(&["a", "b", "c"]);
            let mut at = [0; 3];
            for &(lane, step) in steps.iter().cycle() {
                let to = (at[lane] + step).min(300);
                rounds.add(lane, &values(lane, at[lane], to));
                at[lane] = to;
                if at == [300; 3] {
                    return rounds.pairs();
                }
            }
            unreachable!()
        };
        let first = told(&[(0, 1), (1, 1), (2, 1)]);
        assert_eq!(first.len(), 6);
        for steps in [
            &[(2, 300), (1, 300), (0, 300)][..],
            &[(0, 7), (2, 64), (1, 1)],
            &[(1, 100), (0, 13), (2, 300), (0, 64)],
        ] {
            assert_eq!(told(steps), first, "{steps:?}");
        }
    }

    #[test]
    fn rounds_that_one_did_not_play_do_not_count_and_are_not_kept() {
        for early in [0, 1] {
            for first in [0, 1] {
                let mut rounds = all(&["a", "b"]);
                let to = |lane| if lane == early { 50 } else { 400 };
                for lane in [first, 1 - first] {
                    rounds.add(lane, &values(lane, 0, to(lane)));
                    rounds.end(lane);
                }
                let mut both = all(&["a", "b"]);
                both.add(0, &values(0, 0, 50));
                both.add(1, &values(1, 0, 50));
                assert_eq!(rounds.pairs(), both.pairs());
                assert!(rounds.watches.iter().all(|watch| watch.waiting.is_empty()));
            }
        }
        // The one that goes on after the other's end keeps nothing.
        let mut rounds = all(&["a", "b"]);
        rounds.add(0, &values(0, 0, 5));
        rounds.end(0);
        rounds.add(1, &values(1, 0, 400));
        assert!(rounds.watches.iter().all(|watch| watch.waiting.is_empty()));
    }

    #[test]
    fn the_same_in_every_round_is_identical_and_what_leaves_its_range_has_no_interval() {
        let mut rounds = all(&["a", "b"]);
        let same = vec![vec![Some(0.25); 30], vec![Some(0.5); 30]];
        rounds.add(0, &same);
        rounds.add(1, &same);
        assert!(
            rounds
                .pairs()
                .iter()
                .all(|pair| pair.identical && pair.needed.is_none())
        );
        rounds.add(0, &[vec![Some(0.25)], vec![Some(9.0)]]);
        rounds.add(1, &[vec![Some(0.26)], vec![Some(0.5)]]);
        let pairs = rounds.pairs();
        assert!(!pairs[0].identical && pairs[0].interval.is_some());
        assert!(!pairs[1].identical && pairs[1].interval.is_none());
        let none = all(&["a", "b"]).pairs();
        assert!(!none[0].identical && none[0].interval.is_none());
    }

    #[test]
    fn it_is_there_only_where_rounds_are_compared() {
        let labels = ["a", "b"];
        let ends_alone = Judge {
            metrics: vec!["screened".into(), "representation_loss".into()],
            ..judge(Versus::Everyone)
        };
        let stopping = Judge {
            until_decided: true,
            ..judge(Versus::Everyone)
        };
        for judge in [ends_alone, stopping, judge(Versus::Nobody)] {
            assert!(Rounds::new(&labels, &judge).is_none());
        }
        assert!(Rounds::new(&labels[..1], &judge(Versus::Everyone)).is_none());
    }
}
