//! The course of a difference over the rounds of one stream, as they come.

use super::{DifferencePoint, stays};
use crate::judge::Judge;
use crate::limits::MOST_COURSE_POINTS;
use crate::sequence::{Range, StreamSequence};
use crate::verdict::Verdict;
use kleroterion_core::score::Direction;

/// The course of a pair on one stream, in bounded room.
#[derive(Clone, Debug)]
pub(crate) struct StreamCourse {
    direction: Direction,
    margin: Option<f64>,
    /// The range of the differences.
    range: Range,
    /// The numbers between points that stay; a power of two.
    gap: u64,
    points: Vec<DifferencePoint>,
    decided: Option<DifferencePoint>,
    /// The last two moments at which what is sure changed.
    turns: [Option<DifferencePoint>; 2],
}

impl StreamCourse {
    /// Makes the course of a pair whose differences on a metric have this range, before any value.
    pub(crate) fn new(metric: &str, range: Range, judge: &Judge) -> Self {
        Self {
            direction: judge.directions.of(metric),
            margin: judge.margins.get(metric).copied(),
            range,
            gap: 1,
            points: Vec::new(),
            decided: None,
            turns: [None; 2],
        }
    }

    /// Notes the sequence after its next value; whether something is sure of it now, and whether
    /// that is another thing than before.
    pub(crate) fn note(
        &mut self,
        stream: &StreamSequence,
        identical: bool,
        is_sure: bool,
        turned: bool,
    ) {
        let n = stream.count();
        let stays_here = stays(n, self.gap);
        let decides = self.decided.is_none() && !identical && is_sure;
        if !stays_here && !decides && !turned {
            return;
        }
        let (lo, hi) = stream.interval();
        let (lo, hi) = (self.range.value(lo), self.range.value(hi));
        let point = DifferencePoint {
            n,
            mean: self.range.value(stream.mean()),
            interval: Some((lo, hi)),
            verdict: match identical {
                true => Verdict::Identical,
                false => Verdict::of(lo, hi, self.direction, self.margin),
            },
        };
        if decides && point.verdict.is_decided() {
            self.decided = Some(point);
        }
        if turned {
            self.turns = [self.turns[1], Some(point)];
        }
        if !stays_here {
            return;
        }
        self.points.push(point);
        if n / self.gap > MOST_COURSE_POINTS {
            self.gap *= 2;
            let gap = self.gap;
            self.points.retain(|point| stays(point.n, gap));
        }
    }

    /// The points that were kept, with the moment of decision and the last two turns, in rising n.
    pub(crate) fn points(&self) -> Vec<DifferencePoint> {
        let mut points = self.points.clone();
        points.extend(self.decided);
        points.extend(self.turns.into_iter().flatten());
        points.sort_by_key(|point| point.n);
        points.dedup_by_key(|point| point.n);
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sureness::Sureness;
    use kleroterion_core::draw::{Key, Purpose};

    /// The first n at which an interval computed at every n decides.
    fn plainly(values: &[f64], margin: Option<f64>) -> Option<u64> {
        let mut stream = StreamSequence::new(0.05, 1.0);
        let decides = |unit: &f64| {
            stream.add(*unit);
            let (lo, hi) = stream.interval();
            let ends = (2.0 * lo - 1.0, 2.0 * hi - 1.0);
            Verdict::of(ends.0, ends.1, Direction::Higher, margin).is_decided()
        };
        values.iter().position(decides).map(|at| at as u64 + 1)
    }

    fn sureness(course: &StreamCourse) -> Sureness<Verdict> {
        let ends = course.margin.map(|margin| [-margin, margin]);
        let thresholds = ends.into_iter().flatten().chain([0.0]);
        Sureness::new(
            thresholds
                .filter_map(|threshold| course.range.unit(threshold).ok())
                .collect(),
        )
    }

    /// Notes a value as the fold over rounds does.
    fn note(
        course: &mut StreamCourse,
        sureness: &mut Sureness<Verdict>,
        stream: &StreamSequence,
        identical: bool,
    ) {
        let (range, direction, margin) = (course.range, course.direction, course.margin);
        let turned = sureness.note(stream, |(lo, hi)| {
            let verdict = Verdict::of(range.value(lo), range.value(hi), direction, margin);
            verdict.is_decided().then_some(verdict)
        });
        course.note(stream, identical, sureness.now().is_some(), turned);
    }

    #[test]
    fn the_moment_is_the_first_though_not_every_interval_is_computed() {
        let range = Range::new(-1.0, 1.0).expect("a range");
        let mut moments = 0;
        for number in (0..40).step_by(4) {
            let mut draw = Key::new(7, number).draw(Purpose::World, 0, 0);
            let drift = 0.002 * number as f64;
            let values: Vec<f64> = (0..1_000)
                .map(|_| (0.3 + drift + 0.4 * draw.uniform()).clamp(0.0, 1.0))
                .collect();
            for margin in [None, Some(0.3), Some(1.5)] {
                let judge = Judge {
                    margins: margin
                        .map(|margin| ("m".to_owned(), margin))
                        .into_iter()
                        .collect(),
                    ..Judge::default()
                };
                let mut course = StreamCourse::new("m", range, &judge);
                course.direction = Direction::Higher;
                let mut stream = StreamSequence::new(0.05, 1.0);
                let mut sureness = sureness(&course);
                for value in &values {
                    stream.add(*value);
                    note(&mut course, &mut sureness, &stream, false);
                }
                let moment = course.decided.map(|point| point.n);
                assert_eq!(moment, plainly(&values, margin), "{number} {margin:?}");
                moments += usize::from(moment.is_some_and(|n| n > 1));
                assert!(course.points().len() <= 64 + 12);
            }
        }
        assert!(moments > 10, "{moments}");
    }

    /// The kept points depend on the number of values and on nothing else.
    #[test]
    fn points_are_multiples_of_the_gap_and_powers_of_two() {
        let judge = Judge::default();
        let range = Range::new(-1.0, 1.0).expect("a range");
        let mut course = StreamCourse::new("m", range, &judge);
        let mut stream = StreamSequence::new(0.05, 1.0);
        for n in 1..=1_000 {
            stream.add(0.5);
            course.note(&stream, true, false, false);
            // All of the first 64 stay until the next comes.
            let kept = course.points().len();
            assert!(n > 64 || kept == n, "{kept} of {n}");
        }
        let at: Vec<u64> = course.points().iter().map(|point| point.n).collect();
        let known = (1..=1_000_u64).filter(|n| n.is_power_of_two() || n % 16 == 0);
        assert_eq!(at, known.collect::<Vec<_>>());
        assert!(
            course
                .points()
                .iter()
                .all(|p| p.verdict == Verdict::Identical)
        );
    }

    /// A course and its stream over values of \[0, 1\], with a margin in a range of differences.
    fn followed(most: f64, margin: Option<f64>) -> (StreamCourse, StreamSequence) {
        let judge = Judge {
            margins: margin.map(|m| ("m".to_owned(), m)).into_iter().collect(),
            ..Judge::default()
        };
        let range = Range::new(-most, most).expect("a range");
        let mut course = StreamCourse::new("m", range, &judge);
        course.direction = Direction::Higher;
        (course, StreamSequence::new(0.05, 1.0))
    }

    /// A margin decides in a narrow range too, where it is a larger share of the range.
    #[test]
    fn a_margin_decides_at_the_first_interval_within_it_whatever_the_range() {
        for (most, margin) in [(0.25, 0.1), (1.0, 0.4), (40.0, 16.0)] {
            let (mut course, mut stream) = followed(most, Some(margin));
            let (mut first, mut sureness) = (None, sureness(&course));
            for n in 1..=100_u64 {
                stream.add(if n % 2 == 0 { 0.6 } else { 0.4 });
                note(&mut course, &mut sureness, &stream, false);
                let (lo, hi) = stream.interval();
                if first.is_none() && 0.3 <= lo && hi <= 0.7 {
                    first = Some(n);
                }
            }
            let decided = course.decided.expect("it lies within the margin");
            assert_eq!(Some(decided.n), first, "{most}");
            assert_eq!(decided.verdict, Verdict::Equivalent);
        }
    }

    /// No difference is beyond that margin, so the first round in which two differ decides.
    #[test]
    fn a_margin_as_wide_as_the_range_decides_once_two_differ() {
        for margin in [1.0, 1.5] {
            let (mut course, mut stream) = followed(1.0, Some(margin));
            let mut sureness = sureness(&course);
            for n in 1..=100_u64 {
                stream.add(if n < 3 { 0.5 } else { 0.6 });
                note(&mut course, &mut sureness, &stream, n < 3);
            }
            let decided = course.decided.expect("all lie within the margin");
            assert_eq!((decided.n, decided.verdict), (3, Verdict::Equivalent));
            // It stays among the points, of which every other one is gone.
            let at: Vec<u64> = course.points().iter().map(|point| point.n).collect();
            assert_eq!(at[..5], [1, 2, 3, 4, 6]);
        }
    }

    /// A sum a billionth beyond the boundary leaves 0 out, and is not missed by rounding.
    #[test]
    fn a_sum_that_only_just_reaches_the_boundary_decides() {
        const N: u64 = 30;
        let after = |value: f64, count: u64| {
            let mut stream = StreamSequence::new(0.05, 1.0);
            (0..count).for_each(|_| stream.add(value));
            stream
        };
        let sum = |value: f64| (value - 0.5) * N as f64;
        // The least value at which the sum of N is beyond, by bisection; less than N would not do.
        let (mut lo, mut hi) = (0.5, 1.0);
        for _ in 0..100 {
            let middle = 0.5 * (lo + hi);
            match sum(middle) >= after(middle, N).boundary() * (1.0 + 5e-10) {
                true => hi = middle,
                false => lo = middle,
            }
        }
        assert!(hi < 0.9, "{hi}");
        let (mut course, mut stream) = followed(1.0, None);
        let mut sureness = sureness(&course);
        for _ in 0..N {
            stream.add(hi);
            note(&mut course, &mut sureness, &stream, false);
        }
        let decided = course.decided.expect("the interval leaves out 0");
        assert_eq!((decided.n, decided.verdict), (N, Verdict::Better));
    }
}
