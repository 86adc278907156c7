//! The papers' numbers.

mod census;
mod cohort;
mod committee;
mod examples;
mod forecasts;
mod learning;
mod linear_groups;
mod meritocratic;
mod merits_kept;
mod mixtures;
mod parallel;
pub mod pools;
mod queue;
mod regret;
mod reproduce;
