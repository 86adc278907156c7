//! The bounds of what a summary keeps and lists.

// Courses and comparisons

/// The most points that are kept of a course, but for the moment of decision and the last.
pub const MOST_COURSE_POINTS: u64 = 64;

/// The most contenders for which a summary lists all comparisons. With more of them the list would
/// fill it.
pub const MOST_CONTENDERS: usize = 100;

/// The foremost contenders on a measure whose comparisons with all others are listed then.
pub const MOST_FOREMOST: usize = 8;

/// The most replications that a verdict says it still needs: of more no run could be.
pub const MOST_NEEDED: u64 = 1_000_000_000_000_000;

// Answers

/// The most characters of an answer, its full stop included.
pub const MOST_ANSWER: usize = 120;
