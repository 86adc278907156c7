//! The moment when every pair is decided, or the goal is settled: for a run that stops there
//! (`until = "decided"`).

mod watch;

use self::watch::Watch;
use super::goal::{Goal, Meets};
use super::judge::{FILLED, Judge, against, is_unfilled};
use super::relation::Relation;
use super::settle::{Test, settle};
use kleroterion_core::score::{Direction, LaneResult};

/// Follows a run replication by replication, in their order, until every pair is decided at any
/// time. A pair is decided if its interval leaves out 0 or lies within the margin, or if a lane
/// forbids the comparison. If the config states a goal, the goal must be settled instead.
///
/// If `filled` is judged because a lane left places empty, two policies that never differed in it
/// need not be decided. Verdicts are valid at any time, so stopping costs nothing. The result
/// depends on the replications alone, so a run stops at the same one whatever the threads.
#[derive(Clone, Debug)]
pub struct UntilDecided {
    judge: Judge,
    watches: Vec<Watch>,
    /// True if a lane has left places of its committee empty.
    any_unfilled: bool,
    goal: Option<GoalWatch>,
}

/// The goal's constraints, contender by contender.
#[derive(Clone, Debug)]
struct GoalWatch {
    /// The better side of the metric whose best value is sought.
    direction: Direction,
    /// Places of the contenders in the run.
    places: Vec<usize>,
    /// The tests of each.
    tests: Vec<Vec<Test>>,
}

impl UntilDecided {
    /// Makes the follower of a run of these policies, in the run's order, before any replication.
    #[must_use]
    pub fn new(labels: &[&str], judge: &Judge) -> Self {
        let pairs = against(labels, judge);
        let metrics = judge.shares();
        let alpha = judge.difference_alpha() / (metrics.len() * pairs.len()) as f64;
        let watch = |metric: &str, pair| Watch::new(metric, pair, judge, alpha);
        let metrics = metrics.iter();
        let watches = metrics.flat_map(|metric| pairs.iter().map(move |&pair| watch(metric, pair)));
        let watches: Vec<Watch> = watches.collect();
        let goal = judge.goal.as_ref();
        // A goal needs all pairs on its own metric; otherwise those that the config asks for count.
        let is_needed = |watch: &Watch| match goal {
            Some(goal) => watch.metric == goal.best,
            None => judge.asks(labels[watch.b]),
        };
        Self {
            watches: watches.into_iter().filter(is_needed).collect(),
            judge: judge.clone(),
            any_unfilled: false,
            goal: goal.map(|goal| GoalWatch::new(goal, labels, judge)),
        }
    }

    /// Takes in the next replication, its lanes in the run's order. Returns true if every pair is
    /// decided now. Always false if there are no pairs.
    pub fn add(&mut self, lanes: &[LaneResult]) -> bool {
        for watch in &mut self.watches {
            watch.add(&lanes[watch.a], &lanes[watch.b], &self.judge);
        }
        self.any_unfilled |= lanes.iter().any(|lane| is_unfilled(lane.ending));
        // What is judged only where a lane left places empty.
        let added = self.judge.adds_filled().then_some(FILLED);
        let waits = |watch: &Watch| match added == Some(&*watch.metric) {
            true => self.any_unfilled && watch.identical != Some(true) && !watch.decided,
            false => !watch.decided,
        };
        match &mut self.goal {
            Some(goal) => {
                goal.add(lanes);
                goal.is_settled(&self.watches)
            }
            None => !self.watches.is_empty() && !self.watches.iter().any(waits),
        }
    }
}

impl GoalWatch {
    fn new(goal: &Goal, labels: &[&str], judge: &Judge) -> Self {
        let places = (0..labels.len()).filter(|place| judge.is_contender(labels[*place]));
        let places: Vec<usize> = places.collect();
        let alpha = goal.alpha(judge, places.len());
        let tests = || {
            let each = goal.constraints.iter();
            each.map(|constraint| Test::new(constraint, judge, alpha))
        };
        Self {
            direction: judge.directions.of(&goal.best),
            tests: places.iter().map(|_| tests().collect()).collect(),
            places,
        }
    }

    fn add(&mut self, lanes: &[LaneResult]) {
        for (place, tests) in self.places.iter().zip(&mut self.tests) {
            tests.iter_mut().for_each(|test| test.add(&lanes[*place]));
        }
    }

    fn is_settled(&self, watches: &[Watch]) -> bool {
        let meets = |at: usize| Meets::all(self.tests[at].iter().map(Test::meets));
        let relation = |a: usize, b: usize| {
            let (a, b) = (self.places[a], self.places[b]);
            let found = watches.iter().find_map(|watch| match (watch.a, watch.b) {
                pair if pair == (a, b) => Some(watch.relation(self.direction)),
                pair if pair == (b, a) => Some(watch.relation(self.direction).turned()),
                _ => None,
            });
            found.unwrap_or(Relation::None)
        };
        // A lane that broke off leaves its policy out of the answer.
        let is_in = |at: &usize| {
            let place = self.places[*at];
            !watches
                .iter()
                .any(|watch| watch.broken.contains(&Some(place)))
        };
        let contenders: Vec<usize> = (0..self.places.len()).filter(is_in).collect();
        !contenders.is_empty() && settle(&contenders, meets, relation).is_settled
    }
}

#[cfg(test)]
mod tests;
