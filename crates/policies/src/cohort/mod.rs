//! Cohorts chosen through interviews (Schumann, Counts, Foster, Dickerson: The Diverse Cohort
//! Selection Problem, AAMAS 2019).
//!
//! n applicants, the arms, are shown at once. Interviews of them can be bought, cheap or thorough
//! ([`Tiers`]); each answers a noisy draw around the applicant's utility u. In the end K are chosen
//! that make an [`Objective`] w as great as can be. [`Swap`] picks whom to interview next, and how;
//! [`UniformInterviews`], [`RandomInterviews`] and [`BoundaryReviews`] are its baselines.
//!
//! The lane keeps the file on each candidate: T, the gains of the interviews added up, and u^,
//! their weighted mean. The policies read it and keep no books of their own. [`Informed`] puts a
//! [`CohortForecast`] on file before the first interview. What depends on the interviews so far
//! alone (M, M~, whom they contest) is a [`Contest`], which can be followed without the rest.
//!
//! Ties are broken the same everywhere: where values are equal M~ keeps the members of M, and then
//! the lower slot comes first; among equally wide radii the arm of least gap to the boundary of M
//! is interviewed first ([`contest::GroupEdges`]), and then the lower slot. So that a slot is chance,
//! and not who applied first, a policy can be shown each slate in a random order: [`Shuffled`], as
//! all that the catalogue makes.

mod baselines;
mod boundary;
pub mod contest;
mod expected;
mod forecast;
mod informed;
mod menu;
pub mod objective;
mod order;
mod round;
mod shuffled;
mod swap;
pub mod theory;
mod tiers;
mod worth;

pub use baselines::{RandomInterviews, UniformInterviews};
pub use boundary::{BoundaryParameters, BoundaryReviews};
pub use contest::{Contest, Scope};
pub use expected::Expected;
pub use forecast::{CohortForecast, ForecastParameters};
pub use informed::Informed;
pub use objective::{CohortShape, Diverse, Objective, Quotas, TopK};
pub use order::Order;
pub use shuffled::Shuffled;
pub use swap::{StopRule, Stopped, Swap, SwapParameters, radius_scale};
pub use tiers::{Strong, Tiers};
pub use worth::ByObjective;
