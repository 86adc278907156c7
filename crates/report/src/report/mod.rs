//! Reports: the output of a run on the terminal and in its folder. Nothing here writes back to a
//! run.

pub mod account;
pub mod asked;
mod bar;
pub mod cases;
pub mod chances;
pub mod cohort;
pub mod csv;
pub mod curves;
pub mod doings;
pub mod figure;
pub mod files;
pub mod finished;
pub mod flat;
pub mod forecast;
mod grid;
pub mod json;
mod kept;
pub mod kept_lotteries;
pub mod lotteries;
pub mod markup;
pub mod medium;
mod natural;
mod notes;
pub mod number;
pub mod page;
pub mod plans;
pub mod points;
pub mod read;
pub mod story;
pub mod streams;
pub mod strip;
pub mod sweep;
pub mod table;
#[cfg(test)]
mod tests;
mod tex;
mod units;
mod verdicts;
pub mod why;
pub mod written;

pub use grid::words_table;
pub use number::grouped;

/// Returns text in which every character is visible. Others are spelt out.
#[must_use]
pub fn plain(text: &str) -> String {
    kleroterion_io::record::legible(text).into_owned()
}
