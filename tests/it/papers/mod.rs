//! The papers' numbers.

mod cohort;
mod committee;
mod examples;
mod forecasts;
mod learning;
mod meritocratic;
mod parallel;
mod pool;
mod queue;
mod regret;
