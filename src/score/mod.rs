//! Scorers measure what lanes do; one per family of measures.

mod cohort;
mod committee;
mod direction;
mod directions;
mod fairness;
mod merit;
mod metric;
mod pools;
mod quotas;
mod regret;
mod representation;
mod scoreboard;
mod scores;
mod spending;
mod tally;
mod utilities;

pub use cohort::Cohort;
pub use committee::{Bounds, Committee};
pub use fairness::Fairness;
pub use merit::Merit;
pub use direction::Direction;
pub use directions::Directions;
pub use metric::{MetricInfo, catalogue};
pub use pools::{PoolAim, Pools};
pub use quotas::{QuotaSpan, QuotaViolation};
pub use regret::Regret;
pub use representation::Representation;
pub use scoreboard::{Moments, Readings, RoundValues, Scoreboard, Scorer, Witness};
pub use scores::{ENDING, LaneResult, MetricRow, PolicyRun};
pub use spending::{OutcomeSum, OwnMeasures, Spending};
pub(crate) use tally::group_names;
pub use tally::{HeadCount, SelectionRates, metrics_of};
pub use utilities::Utilities;
