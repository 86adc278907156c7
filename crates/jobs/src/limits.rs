//! The bounds of what a job holds and waits for.

/// The number of bytes held in memory before a table goes to a temporary file.
pub const MOST_TABLE_MEMORY: usize = 8 << 20;

/// The most characters of a draw's title, so that it fits on a line.
pub const LONGEST_TITLE: usize = 200;
