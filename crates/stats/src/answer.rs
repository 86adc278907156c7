//! The answer to the user's question: which policies dominate, which are on the frontier, and the
//! result of the goal.
//!
//! All intervals of a run hold together, so what is read off several of them holds at the same
//! joint confidence. A policy **dominates** another if it is surely at least as good on every
//! judged metric that has a better side, and surely better on one. The **frontier** is every
//! contender that no other dominates. Yardsticks are in none of the lists.

mod between;
mod contenders;
mod goal_answer;
mod headline;
mod uncompared;

pub use goal_answer::GoalAnswer;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::contenders::Contenders;
use super::judge::Judge;
use super::pair::Pair;
use crate::RunResult;

/// The answer of a run; labels are in the order of the config.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The answer in a sentence or two.
    pub headline: String,
    /// The contenders that no other surely dominates.
    pub frontier: Vec<String>,
    /// The pairs of policies in which the first surely dominates the second.
    pub dominates: Vec<[String; 2]>,
    /// The number of pairs of the frontier that more replications may still put in order.
    #[serde(default)]
    #[schemars(!default)]
    pub open: u64,
    /// The answer to the goal, if the config states one.
    pub goal: Option<GoalAnswer>,
    /// The comparisons of contenders that the config does not ask for and that dominance needs.
    /// With more than a hundred contenders, only those that are enough to see which lead.
    #[serde(default)]
    #[schemars(!default)]
    pub between: Vec<Pair>,
    /// The number of further comparisons of contenders, not listed. Their intervals hold together
    /// with those listed. Left out if all are listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(!default)]
    pub unlisted: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
const fn is_zero(many: &u64) -> bool {
    *many == 0
}

impl Answer {
    /// The answer that `pairs`, all comparisons of the run, give; `run.policies` in the order of
    /// the config.
    pub(super) fn of(run: &RunResult, judge: &Judge, pairs: &[Pair]) -> Self {
        let contenders = Contenders::of(run, judge, pairs);
        let dominates = contenders.dominates();
        let dominated: BTreeSet<&str> = dominates.iter().map(|[_, b]| *b).collect();
        let is_ahead = |label: &&&str| !dominated.contains(**label);
        let frontier: Vec<&str> = match contenders.metrics.is_empty() {
            true => Vec::new(),
            false => contenders.labels.iter().filter(is_ahead).copied().collect(),
        };
        let goal = judge.goal.as_ref();
        let goal = goal.map(|goal| contenders.goal(goal, run, judge));
        let (between, unlisted) = between::listed(&contenders, judge, pairs);
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
            between,
            unlisted,
        }
    }
}

#[cfg(test)]
mod tests;
