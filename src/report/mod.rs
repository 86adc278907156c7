//! Reports: what a run leaves on the terminal and in its folder. Nothing here writes back to a run.

pub mod account;
#[cfg(test)]
mod contrast;
pub mod csv;
pub mod figure;
pub mod files;
pub mod finished;
pub mod forecast;
mod grid;
pub mod json;
pub(crate) mod markup;
pub(crate) mod number;
mod otherwise;
pub mod page;
pub mod plans;
pub mod read;
pub mod story;
pub mod sweep;
pub mod table;
mod verdicts;

/// Text without control characters, which would move a terminal's cursor.
#[must_use]
pub fn plain(text: &str) -> String {
    let seen = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(seen).collect()
}
