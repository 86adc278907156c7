//! The bounds of what pages hold and of what is read for them and for draws.

use std::time::Duration;

// Pages and tables

/// The most bytes of a page. Long tables are shortened if a page would exceed it, those under
/// figures first. A note then says so.
pub const MOST_PAGE_BYTES: usize = 400_000;

/// The most policies of a matrix of pairs: more columns have no room.
pub const MOST_MATRIX_POLICIES: usize = 12;

/// The most bytes of the config that a page holds.
pub const MOST_CONFIG_BYTES: usize = 24_000;

/// The most replications of a run that has a `long.csv`, which repeats what `replications.csv`
/// has.
pub const MOST_LONG_REPLICATIONS: u64 = 100_000;

/// The most decisions that a story shows; the others are counted.
pub const MOST_STORY_DECISIONS: usize = 200;

/// The most rounds of a run that are read for its report: those on which policies disagree are
/// looked for among them.
pub const MOST_ROUNDS_READ: u64 = 4000;

/// The most decisions that are read for it: of more than 50 policies, fewer rounds are read.
pub const MOST_DECISIONS_READ: u64 = 50 * MOST_ROUNDS_READ;

/// The pause before the number of the process that holds a folder is read again.
pub const HOLDER_PAUSE: Duration = Duration::from_millis(1);
