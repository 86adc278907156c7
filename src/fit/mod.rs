//! Parameters of a config from what was recorded before.

pub mod looks;
mod quantiles;
mod reviews;

pub use quantiles::{chi_square_quantile, f_quantile};
pub use reviews::{PastKind, Reviews, ReviewsSpec, Tiers};
