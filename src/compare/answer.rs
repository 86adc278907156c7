//! The answer to the user's question: who dominates whom, who is on the frontier, what the goal
//! comes to.
//!
//! All intervals of a run hold together, so what is read off several of them holds at the same
//! joint confidence. A policy **dominates** another if it is surely at least as good on every
//! judged metric that has a better side, and surely better on one. The **frontier** is every
//! contender that no other dominates. Yardsticks are in none of the lists.

mod contenders;
mod goal_answer;
mod headline;
mod uncompared;

pub use goal_answer::GoalAnswer;

use schemars::JsonSchema;
use serde::Serialize;

use self::contenders::Contenders;
use super::judge::Judge;
use super::pair::Pair;
use crate::compare::RunResult;

/// The answer of a run; labels are in the order of the config.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Answer {
    /// The answer in a sentence or two.
    pub headline: String,
    /// The contenders that no other surely dominates.
    pub frontier: Vec<String>,
    /// Who surely dominates whom.
    pub dominates: Vec<[String; 2]>,
    /// How many pairs of the frontier more replications may still put in order.
    pub open: u64,
    /// What the goal comes to, where the config states one.
    pub goal: Option<GoalAnswer>,
    /// The comparisons of contenders that the config does not ask for, and dominance needs.
    pub between: Vec<Pair>,
}

impl Answer {
    /// The answer that `pairs`, all comparisons of the run, give; `run.policies` in the order of
    /// the config.
    pub(super) fn of(run: &RunResult, judge: &Judge, pairs: &[Pair]) -> Self {
        let contenders = Contenders::of(run, judge, pairs);
        let dominates = contenders.dominates();
        let is_dominated = |label: &&&str| !dominates.iter().any(|[_, b]| b == *label);
        let frontier: Vec<&str> = match contenders.metrics.is_empty() {
            true => Vec::new(),
            false => contenders
                .labels
                .iter()
                .filter(is_dominated)
                .copied()
                .collect(),
        };
        let goal = judge.goal.as_ref();
        let goal = goal.map(|goal| contenders.goal(goal, run, judge));
        let between = pairs.iter().filter(|pair| !judge.asks(&pair.b));
        Self {
            headline: headline::of(
                &contenders,
                run,
                judge,
                &dominates,
                &frontier,
                goal.as_ref(),
            ),
            open: contenders.open(&frontier),
            dominates: dominates
                .iter()
                .map(|pair| pair.map(str::to_owned))
                .collect(),
            frontier: frontier.into_iter().map(str::to_owned).collect(),
            goal,
            between: between.cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests;
