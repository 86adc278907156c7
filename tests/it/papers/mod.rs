//! The papers' numbers.

mod committee;
mod examples;
mod learning;
mod regret;
