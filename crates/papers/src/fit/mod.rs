//! Parameters of a config, estimated from recorded data.

mod applicants;
pub mod logistic;
pub mod looks;
mod quantiles;
mod reviews;
mod scores;

pub use applicants::{ApplicantsSpec, CellChoice, FitApplicants};
pub use kleroterion_stats::GroupScores;
pub use quantiles::{chi_square_quantile, f_quantile};
pub use reviews::{PastKind, ReviewFile, ReviewTiers, ReviewsSpec};
pub use scores::ApplicantScores;
