//! The papers' numbers.

mod committee;
mod examples;
mod learning;
<<<<<<< HEAD
mod parallel;
mod queue;
=======
mod regret;
>>>>>>> learn
