//! Live runs.

mod board;
mod script;
