//! Configs and the files that they name: sound ones mean what they say, wrong ones are refused.

pub mod applicants;
pub mod contexts;
mod errors;
mod late_groups;
mod organisers;
mod pairs;
mod schema;
pub mod worlds;
