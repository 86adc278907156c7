//! Comparison of the policies of a finished run: folds, paired differences, intervals, verdicts.

mod answer;
mod binomial;
mod chances;
mod compared;
mod course;
mod courses;
mod curve;
mod decision;
mod evidence;
mod found;
mod goal;
mod group_scores;
mod judge;
mod least_chance;
mod least_chances;
mod one_stream;
mod order;
mod outcomes;
mod pair;
mod pairs;
mod parity;
mod rates;
mod relation;
mod round_means;
mod rounds;
mod run_result;
pub mod sequence;
mod settle;
mod signs;
mod stats;
mod summary;
pub mod t;
mod unfilled;
mod verdict;

pub use answer::{Answer, GoalAnswer};
pub use binomial::exact_interval;
pub use chances::{CHANCE_STEPS, ChanceSummary, GroupChances, SeatCounts};
pub use course::{DifferencePoint, PairCourse};
pub use courses::courses;
pub use curve::{CurvePoint, Curves};
pub use decision::UntilDecided;
pub use evidence::PairExtras;
pub use goal::{Constraint, Goal, GoalBound, Meets, Tested};
pub use group_scores::GroupScores;
pub use judge::{Ground, Judge, Versus};
pub use least_chance::{LEAST_CHANCE, LeastChance};
pub use one_stream::FACT;
pub use order::{IntervalEstimate, beats, quantile_interval};
pub use outcomes::{
    GroupOutcome, LaneStream, MeanOutcome, OUTCOME_MEAN, OutcomeMeans, OutcomeSummary,
    StreamSummary,
};
pub use pair::{Blocked, Estimand, Pair};
pub use pairs::compare;
pub use parity::{PARITY_METHOD, PARITY_NEEDS, Parity};
pub use rates::{AttributeRates, Composition, FourFifths, GroupRate, GroupRates, Ratio};
pub use rounds::{RoundEvidence, RoundPair, Rounds};
pub use run_result::RunResult;
pub use stats::{SeriesPoint, Stats, quantile};
pub use summary::{PolicySummary, Summary, Versions};
pub use unfilled::{FILLED, Unfilled};
pub use verdict::Verdict;
