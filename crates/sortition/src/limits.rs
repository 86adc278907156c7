//! The bounds of what is asked of a lottery and of letters. How long a search goes on is with the search.

// Panels and letters

/// The most panels of a list, so that each of them can be published.
pub const MOST_PANELS: u32 = 10_000;

/// The most answers to letters that are waited for, for each member.
pub const MOST_ANSWERS: usize = 2_000;
