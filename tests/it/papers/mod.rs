//! The papers' numbers.

mod committee;
mod examples;
mod learning;
mod parallel;
mod queue;
mod regret;
