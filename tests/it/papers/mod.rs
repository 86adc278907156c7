//! The papers' numbers.

mod committee;
mod examples;
mod learning;
mod meritocratic;
mod parallel;
mod queue;
mod regret;
