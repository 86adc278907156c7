//! The course of a difference over the rounds of one stream, as they come.

use super::{DifferencePoint, MOST, stays};
use crate::compare::judge::Judge;
use crate::compare::sequence::{Range, StreamSequence};
use crate::compare::verdict::Verdict;
use crate::score::Direction;

/// The course of a pair on one stream, in bounded room.
#[derive(Clone, Debug)]
pub(in crate::compare) struct StreamCourse {
    direction: Direction,
    margin: Option<f64>,
    /// Of the differences.
    range: Range,
    /// The numbers between points that stay; a power of two.
    gap: u64,
    points: Vec<DifferencePoint>,
    decided: Option<DifferencePoint>,
    /// The boundary when it was last computed. It never falls.
    boundary: f64,
}

impl StreamCourse {
    /// Nothing seen yet of a pair whose differences on a metric have this range.
    pub(in crate::compare) fn new(metric: &str, range: Range, judge: &Judge) -> Self {
        Self {
            direction: judge.directions.of(metric),
            margin: judge.margins.get(metric).copied(),
            range,
            gap: 1,
            points: Vec::new(),
            decided: None,
            boundary: 0.0,
        }
    }

    /// Notes the sequence after its next value.
    pub(in crate::compare) fn note(&mut self, stream: &StreamSequence, identical: bool) {
        let n = stream.count();
        let stays_here = stays(n, self.gap);
        let may_decide = self.decided.is_none() && !identical && self.may_decide(stream);
        if !stays_here && !may_decide {
            return;
        }
        let (lo, hi) = stream.interval();
        let (lo, hi) = (self.range.value(lo), self.range.value(hi));
        self.boundary = stream.boundary();
        let point = DifferencePoint {
            n,
            mean: self.range.value(stream.mean()),
            interval: Some((lo, hi)),
            verdict: match identical {
                true => Verdict::Identical,
                false => Verdict::of(lo, hi, self.direction, self.margin),
            },
        };
        if may_decide && point.verdict.is_decided() {
            self.decided = Some(point);
        }
        if stays_here {
            self.points.push(point);
        }
        while self.points.len() as u64 > MOST {
            self.gap *= 2;
            let gap = self.gap;
            self.points.retain(|point| stays(point.n, gap));
        }
    }

    /// Whether the interval may leave 0 out or lie within the margin. Computing it at every value
    /// would cost more than the run. The sum of the differences must at least reach the boundary as
    /// it was before.
    fn may_decide(&self, stream: &StreamSequence) -> bool {
        let n = stream.count() as f64;
        let (least, most) = self.range.ends();
        let sum = (stream.mean() - 0.5).abs() * n;
        let within = match self.margin.map(|margin| margin / (most - least)) {
            Some(margin) if margin >= 0.5 => return true,
            Some(margin) => margin * n - sum,
            None => f64::NEG_INFINITY,
        };
        // A hair for rounding.
        sum.max(within) * (1.0 + 1e-9) >= self.boundary
    }

    /// The points that were kept, with the moment of decision, in rising n.
    pub(in crate::compare) fn points(&self) -> Vec<DifferencePoint> {
        let mut points = self.points.clone();
        points.extend(self.decided);
        points.sort_by_key(|point| point.n);
        points.dedup_by_key(|point| point.n);
        points
    }
}
