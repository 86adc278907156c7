//! From a config's text to what is asked for: raw -> check -> plan.
//!
//! *Raw* is a [`Document`]. *Check* walks it with a [`Reader`](crate::document::Reader), which collects every
//! problem rather than stop at the first. Whatever passes is a plan and is trusted from then on.

mod about;
mod admissions;
mod applicants;
mod arms;
mod attributes;
mod categorical;
mod check;
mod context;
mod contexts;
mod families;
mod feasible;
mod feed;
mod feedback;
mod file;
mod gaussian_groups;
mod goal;
mod joint;
mod layout;
mod linear_groups;
mod live;
mod located;
mod objective;
mod plan;
mod pool;
mod quota;
mod report;
mod resolve;
mod resolved;
mod respondents;
mod rules;
mod target;
mod unfilled;
mod world;

#[cfg(test)]
mod tests;

pub use crate::document::Document;
pub use check::check;
pub(crate) use families::scorers;
pub(crate) use located::DATA;
pub use located::{alike, located};
pub use plan::{LanePlan, LivePlan, Merits, Plan, World};
