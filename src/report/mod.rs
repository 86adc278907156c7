//! Reports: what a run leaves on the terminal and in its folder. Nothing here writes back to a run.

pub mod account;
pub mod asked;
pub mod chances;
#[cfg(test)]
mod contrast;
pub mod csv;
pub mod figure;
pub mod files;
pub mod finished;
pub mod flat;
pub mod forecast;
mod goal;
mod grid;
pub mod json;
pub mod lotteries;
pub(crate) mod markup;
pub(crate) mod number;
mod otherwise;
pub mod page;
pub mod plans;
pub mod points;
pub mod read;
#[cfg(test)]
mod samples;
pub mod story;
pub(crate) mod streams;
pub mod sweep;
pub mod table;
mod verdicts;

pub use number::grouped;

/// Text without control characters, which would move a terminal's cursor.
#[must_use]
pub fn plain(text: &str) -> String {
    let seen = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(seen).collect()
}

/// Lines of at most `width` characters, broken at blanks; a longer word has a line of its own.
#[must_use]
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in plain(text).split_whitespace() {
        let long = word.chars().count();
        if used > 0 && used + 1 + long > width {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
        }
        used += long;
    }
    lines
}
