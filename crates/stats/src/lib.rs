//! Comparison of the policies of a run: summaries, paired differences, intervals and verdicts.
//!
//! - [`RunResult`] is a finished run and [`Judge`] says what is compared; [`Summary`] is the result.
//! - [`Pair`] is one comparison on one metric, with its [`Estimand`], [`Verdict`] and [`Standing`].
//! - [`Answer`] says which policies are best, and [`Goal`] which meet the user's constraints.
//! - [`CaseTable`] are values that no run made, and [`Comparison`] is what they say.
//! - [`sequence`] has the confidence sequences, whose intervals hold at any time.
//! - [`Rounds`], [`GroupRates`] and [`OutcomeMeans`] follow one stream as it is played.
//!
//! The crate must never know how a run is played, drawn or stored: it reads numbers only.

mod answer;
mod cases;
mod chances;
mod compared;
mod course;
mod courses;
mod decision;
mod estimand;
mod evidence;
mod found;
mod goal;
mod judge;
mod least_chance;
mod least_chances;
pub mod limits;
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
mod standing;
mod stats;
mod summary;
mod sureness;
pub mod t;
mod verdict;

pub use answer::{Answer, GoalAnswer};
pub use cases::{CaseMeasure, CaseQuestion, CaseSummary, CaseTable, Comparison};
pub use chances::{CHANCE_STEPS, ChanceSummary, GroupChances, SeatCounts};
pub use course::{DifferencePoint, PairCourse};
pub use courses::courses;
pub use decision::UntilDecided;
pub use estimand::Estimand;
pub use evidence::PairExtras;
pub use goal::{Constraint, Goal, GoalBound, Meets, Tested};
pub use judge::{FILLED, Ground, Judge, Unfilled, Versus};
pub use least_chance::{LEAST_CHANCE, LeastChance};
pub use one_stream::FACT;
pub use order::{IntervalEstimate, beats, exact_interval, quantile_interval, share_interval};
pub use outcomes::{
    GroupOutcome, LaneStream, MeanOutcome, OUTCOME_MEAN, OutcomeMeans, OutcomeSummary,
    StreamSummary,
};
pub use pair::{Blocked, ByPair, Pair};
pub use pairs::compare;
pub use parity::{PARITY_METHOD, PARITY_NEEDS, Parity};
pub use rates::{AttributeRates, Composition, FourFifths, GroupRate, GroupRates, Ratio};
pub use rounds::{RoundEvidence, RoundPair, Rounds};
pub use run_result::RunResult;
pub use standing::{Dated, NOT_IN_THIS_RUN, Standing, lies_within, when};
pub use stats::{CurvePoint, Curves, GroupScores, SeriesPoint, Stats, quantile};
pub use summary::{PolicySummary, Summary, Versions};
pub use verdict::Verdict;
