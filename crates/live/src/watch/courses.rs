//! The courses of the measures over the rounds, thinned, for the board's lines.

use std::sync::{Mutex, MutexGuard};

use kleroterion_core::lock::locked;
use kleroterion_core::score::MetricRow;
use kleroterion_stats::Judge;
use kleroterion_stats::sequence::Range;

use crate::limits::MOST_LINE_POINTS;

/// The courses of all lanes. A lane writes its own course; readers take a copy.
#[derive(Debug, Default)]
pub struct Courses {
    /// The metrics followed, each with its range if it has a value in each round.
    pub metrics: Vec<(String, Option<Range>)>,
    lanes: Vec<Mutex<Course>>,
}

/// The course of a lane's measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// The number of rounds played when the measures were last noted.
    pub rounds: u64,
    /// All measures after these rounds.
    pub now: Vec<MetricRow>,
    /// A line for each metric of [`Courses::metrics`].
    pub lines: Vec<CourseLine>,
}

/// A metric over the rounds of a lane: at most [`MOST_LINE_POINTS`] points about equally far apart,
/// always with the first and the last.
///
/// Points are the first ones in each stretch of `gap` rounds. They depend on the rounds alone, not
/// on the times of reading. A line drawn again from the journal is therefore the same.
#[derive(Clone, Debug, PartialEq)]
pub struct CourseLine {
    /// Its points, in order.
    pub points: Vec<CoursePoint>,
    /// The rounds between points that stay; a power of two.
    gap: u64,
}

impl Default for CourseLine {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            gap: 1,
        }
    }
}

/// The value of a metric after some rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoursePoint {
    /// The number of rounds played.
    pub round: u64,
    /// The metric's value; `None` if it has none yet.
    pub value: Option<f64>,
    /// The running mean so far, of a metric with a value in each round.
    pub mean: Option<Mean>,
}

/// The running mean of a metric's values in each round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean so far.
    pub value: f64,
    /// The confidence sequence for the running average of the conditional means, valid at any time.
    /// `None` if a value left its range.
    pub interval: Option<(f64, f64)>,
}

impl Courses {
    /// Creates empty courses of `lanes` lanes, for the judged metrics.
    #[must_use]
    pub fn new(lanes: usize, judge: &Judge) -> Self {
        let range = |metric: &String| {
            let (least, most) = judge.info(metric).by_round?;
            Range::new(least, most)
        };
        let metrics = judge.metrics.iter();
        let metrics: Vec<_> = metrics.map(|name| (name.clone(), range(name))).collect();
        let lane = || Course {
            lines: vec![CourseLine::default(); metrics.len()],
            ..Course::default()
        };
        Self {
            lanes: (0..lanes).map(|_| Mutex::new(lane())).collect(),
            metrics,
        }
    }

    /// The course of a lane so far.
    ///
    /// # Panics
    /// Panics if there is no lane of this number.
    #[must_use]
    pub fn of(&self, lane: usize) -> Course {
        self.course(lane).clone()
    }

    fn course(&self, lane: usize) -> MutexGuard<'_, Course> {
        locked(&self.lanes[lane])
    }

    /// The number of rounds between lasting points of a lane's lines: a power of two that only
    /// grows.
    ///
    /// # Panics
    /// Panics if there is no lane of this number.
    #[must_use]
    pub fn gap(&self, lane: usize) -> u64 {
        self.course(lane).lines.first().map_or(1, |line| line.gap)
    }

    /// Notes the measures of a lane after `rounds` rounds, with `means` by metric. Note every
    /// multiple of [`gap`](Self::gap). A point at any other round lasts until the next one.
    ///
    /// # Panics
    /// Panics if there is no lane of this number.
    pub fn note(&self, lane: usize, rounds: u64, rows: &[MetricRow], means: &[Option<Mean>]) {
        let mut course = self.course(lane);
        course.rounds = rounds;
        rows.clone_into(&mut course.now);
        for (at, (name, _)) in self.metrics.iter().enumerate() {
            let row = rows.iter().rev().find(|row| &*row.metric == name);
            course.lines[at].add(CoursePoint {
                round: rounds,
                value: row.map(|row| row.value),
                mean: means.get(at).copied().flatten(),
            });
        }
    }
}

impl CourseLine {
    /// Adds the next point. It replaces the last one if that one does not stay.
    fn add(&mut self, point: CoursePoint) {
        if let Some((last, before)) = self.points.split_last()
            && (last.round == point.round || !self.stays(before, last))
        {
            self.points.pop();
        }
        self.points.push(point);
        // A last point that does not stay is not counted: it is there or not by the clock.
        while let Some((last, before)) = self.points.split_last()
            && before.len() + usize::from(self.stays(before, last)) >= MOST_LINE_POINTS
        {
            self.thin();
        }
    }

    /// Returns true if a point after these begins a new stretch.
    fn stays(&self, before: &[CoursePoint], point: &CoursePoint) -> bool {
        before
            .last()
            .is_none_or(|before| before.round / self.gap != point.round / self.gap)
    }

    /// Drops about half of the points.
    fn thin(&mut self) {
        self.gap *= 2;
        let last = self.points.pop();
        let all = std::mem::take(&mut self.points);
        for point in all {
            if self.stays(&self.points, &point) {
                self.points.push(point);
            }
        }
        self.points.extend(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(round: u64) -> CoursePoint {
        CoursePoint {
            round,
            value: Some(round as f64),
            mean: None,
        }
    }

    #[test]
    fn a_line_keeps_its_ends_and_points_about_as_far_from_each_other() {
        for steps in [&[1][..], &[1024], &[1, 1, 1, 700], &[3, 50, 1]] {
            let mut line = CourseLine::default();
            let mut round = 0;
            for (count, step) in steps.iter().cycle().take(20_000).enumerate() {
                round += step;
                line.add(point(round));
                let points = &line.points;
                assert!(
                    points.len() <= MOST_LINE_POINTS
                        && points.len() >= (count + 1).min(MOST_LINE_POINTS / 4)
                );
                assert_eq!(points[0].round, steps[0]);
                assert_eq!(points.last(), Some(&point(round)));
                assert!(points.is_sorted_by(|a, b| a.round < b.round));
            }
            let points = &line.points;
            let widest = points.windows(2).map(|two| two[1].round - two[0].round);
            let widest = widest.max().unwrap() as f64;
            assert!(
                widest < 5.0 * round as f64 / MOST_LINE_POINTS as f64,
                "{widest} of {round}"
            );
        }
    }

    #[test]
    fn a_lane_that_is_looked_at_twice_in_a_round_has_one_point_there() {
        let mut line = CourseLine::default();
        for round in [1, 2, 2, 2] {
            line.add(point(round));
        }
        assert_eq!(line.points, [point(1), point(2)]);
    }

    #[test]
    fn a_lane_s_course_is_its_own() {
        let judge = Judge {
            metrics: vec!["screened".into(), "selection_rate".into()],
            ..Judge::default()
        };
        let courses = Courses::new(2, &judge);
        assert_eq!(courses.metrics[0].1, None);
        assert!(courses.metrics[1].1.is_some());
        let rows = [("selection_rate", 0.5), ("other", 2.0)].map(|(metric, value)| MetricRow {
            metric: metric.into(),
            at: None,
            value,
        });
        let mean = Mean {
            value: 0.4,
            interval: Some((0.1, 0.8)),
        };
        courses.note(1, 10, &rows, &[None, Some(mean)]);
        assert_eq!(courses.gap(1), 1);
        assert_eq!(
            courses.of(0).lines,
            [CourseLine::default(), CourseLine::default()]
        );
        let course = courses.of(1);
        assert_eq!((course.rounds, course.now.len()), (10, 2));
        assert_eq!(course.lines[0].points[0].value, None);
        let point = course.lines[1].points[0];
        assert_eq!((point.value, point.mean), (Some(0.5), Some(mean)));
    }
}
