//! The metrics of a run that are compared, and the replications over which they are compared.

use super::judge::{FILLED, Judge, Unfilled, is_unfilled};
use super::run_result::RunResult;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{Direction, LaneResult, PolicyRun};

impl Judge {
    /// Returns true if all values of a run are those of one stream, played once.
    pub(super) const fn is_of_stream(&self, run: &RunResult) -> bool {
        run.replications == 1 && !self.until_decided && !self.of_cases
    }

    /// The metrics that alpha is split over: the judged that are one measure in all lanes, and
    /// `filled` where lanes are to fill a committee.
    pub(super) fn shares(&self) -> Vec<&str> {
        let mut shares = self.shown();
        shares.retain(|metric| !self.apart.iter().any(|apart| apart == metric));
        shares
    }

    /// The judged metrics, and `filled` where lanes are to fill a committee.
    fn shown(&self) -> Vec<&str> {
        let judged = self.metrics.iter().map(String::as_str);
        let filled = self.adds_filled().then_some(FILLED);
        judged.chain(filled).collect()
    }

    /// Returns true if `filled` has a share of alpha although the config does not name it. It has
    /// none if nothing else is judged.
    #[must_use]
    pub fn adds_filled(&self) -> bool {
        let named = self.metrics.iter().any(|metric| metric == FILLED);
        self.unfilled != Unfilled::NoCommittee && !named && !self.metrics.is_empty()
    }

    /// The metrics whose final values of each replication are needed for verdicts and the goal.
    pub fn needs(&self) -> impl Iterator<Item = String> {
        let judged = self.shown().into_iter();
        let goal = self.goal.iter().flat_map(|goal| {
            let bounds = goal.constraints.iter().map(|bound| &*bound.metric);
            bounds.chain([&*goal.best])
        });
        judged.chain(goal).map(str::to_owned)
    }

    /// The metrics that a run's replications are compared on: `filled` only where some lane of the
    /// run left places empty.
    pub(super) fn compared(&self, run: &RunResult) -> Vec<&str> {
        let endings = run.policies.iter().flat_map(|policy| policy.endings());
        let shown = !self.adds_filled() || endings.copied().any(is_unfilled);
        let mut metrics = self.shares();
        metrics.retain(|metric| shown || *metric != FILLED);
        metrics
    }

    /// Returns true if a lane of a replication left places empty and the metric excludes such
    /// lanes.
    pub(super) fn is_apart<const N: usize>(&self, metric: &str, endings: [Ending; N]) -> bool {
        self.unfilled != Unfilled::NoCommittee
            && !self.info(metric).of_unfilled
            && endings.into_iter().any(is_unfilled)
    }

    /// The value of a lane that counts, where one does.
    pub(super) fn value(&self, metric: &str, lane: &LaneResult) -> Option<f64> {
        self.counted(metric, lane.ending, lane.at_end(metric))
    }

    /// The value that counts of a lane that ended so, with this value at its end; where one does.
    pub(super) fn counted(&self, metric: &str, ending: Ending, at_end: Option<f64>) -> Option<f64> {
        match self.unfilled {
            Unfilled::LeftOut if self.is_apart(metric, [ending]) => None,
            Unfilled::Worst if self.is_apart(metric, [ending]) => self.worst(metric),
            _ => at_end,
        }
    }

    /// The values of two lanes of a replication, where both count.
    pub(super) fn values(&self, metric: &str, lanes: [&LaneResult; 2]) -> Option<[f64; 2]> {
        let [a, b] = lanes.map(|lane| self.value(metric, lane));
        Some([a?, b?])
    }

    /// The values of a policy that count, one a replication.
    pub(super) fn column(
        &self,
        metric: &str,
        policy: &PolicyRun,
    ) -> impl Iterator<Item = Option<f64>> {
        let lanes = policy.endings().iter().zip(policy.column(metric, None));
        lanes.map(move |(ending, value)| self.counted(metric, *ending, value))
    }

    /// Returns the worst value that a metric can take, if its range and its better side are known.
    #[must_use]
    pub fn worst(&self, metric: &str) -> Option<f64> {
        let range = self.range(metric)?;
        match self.directions.of(metric) {
            Direction::Lower => Some(range.value(1.0)),
            Direction::Higher => Some(range.value(0.0)),
            Direction::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constraint, Goal, GoalBound};

    fn judge(metrics: &[&str], unfilled: Unfilled) -> Judge {
        Judge {
            metrics: metrics.iter().map(|metric| (*metric).to_owned()).collect(),
            unfilled,
            ..Judge::default()
        }
    }

    fn needs(judge: &Judge) -> Vec<String> {
        judge.needs().collect()
    }

    #[test]
    fn what_verdicts_and_the_goal_need_is_the_judged_the_bounds_and_the_best() {
        let mut judge = judge(&["screened", "cost"], Unfilled::NoCommittee);
        assert_eq!(needs(&judge), ["screened", "cost"]);
        let bound = |metric: &str| Constraint {
            metric: metric.into(),
            bound: GoalBound::AtMost(0.5),
        };
        judge.goal = Some(Goal {
            best: "cost".into(),
            constraints: vec![bound("representation_loss"), bound("screened")],
        });
        let goal = ["representation_loss", "screened", "cost"];
        assert_eq!(needs(&judge), [&["screened", "cost"][..], &goal].concat());
        judge.unfilled = Unfilled::LeftOut;
        let judged = ["screened", "cost", "filled"];
        assert_eq!(needs(&judge), [&judged[..], &goal].concat());
    }

    #[test]
    fn filled_has_its_share_where_committees_are_judged_and_it_is_not_named() {
        for (metrics, unfilled, adds) in [
            (&["screened"][..], Unfilled::LeftOut, true),
            (&["screened"], Unfilled::Worst, true),
            (&["screened"], Unfilled::NoCommittee, false),
            (&["screened", "filled"], Unfilled::LeftOut, false),
            (&[], Unfilled::LeftOut, false),
        ] {
            let judge = judge(metrics, unfilled);
            assert_eq!(judge.adds_filled(), adds, "{metrics:?} {unfilled:?}");
            assert_eq!(judge.shares().len(), metrics.len() + usize::from(adds));
        }
    }

    /// A lane that left places empty counts as bad as can be, where that is known.
    #[test]
    fn the_worst_value_is_the_end_of_the_range_on_the_worse_side() {
        let judge = Judge {
            ranges: [("cost", (-2.0, 6.0)), ("accepted", (0.0, 9.0))]
                .map(|(metric, range)| (metric.to_owned(), range))
                .into(),
            ..judge(&["cost"], Unfilled::Worst)
        };
        assert_eq!(judge.worst("cost"), Some(6.0));
        assert_eq!(judge.worst("filled"), Some(0.0));
        // Neither side is worse, or no range is known.
        assert_eq!(judge.worst("accepted"), None);
        assert_eq!(judge.worst("fair_regret"), None);
        let counted = |ending| judge.counted("cost", ending, Some(1.5));
        assert_eq!(counted(Ending::Filled), Some(1.5));
        assert_eq!(counted(Ending::Stalled), Some(6.0));
        assert_eq!(
            judge.counted("filled", Ending::Stalled, Some(0.0)),
            Some(0.0)
        );
    }
}
