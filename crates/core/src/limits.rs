//! The bounds of a run's queues and of what it holds in memory.

use std::time::Duration;

// Queues of the arena

/// The most batches that wait on each channel of the arena: one is played while the next is drawn.
pub const BATCHES_IN_FLIGHT: usize = 2;

/// The most interviews of a candidate that are drawn ahead, of each kind.
pub const MOST_LOOKS_AHEAD: u32 = 64;

/// The most sealed answers that are kept for interviews to come.
pub const MOST_SEALS: usize = 1 << 16;

// Candidates

/// The most candidates of a round, since a round is held in memory as a whole.
pub const MOST_SLATE: u32 = 1_000_000;

/// The greatest Poisson mean and the greatest Zipf rank: a Zipf law keeps a sum for each rank.
pub const MOST_COUNTED: u64 = 1_000_000;

/// The most combinations of values of attributes that are drawn together, from one table.
pub const MOST_TOGETHER: usize = 4096;

/// The most cells of a schema whose values are kept in a table.
pub const MOST_TABULATED: u32 = 4096;

// Records of rounds

/// The most interviews of a round that a trail keeps; the rest are counted.
pub const MOST_TRAIL_LOOKS: usize = 50_000;

/// The most people whom the reasons of a round's interviews name. Later reasons have terms alone.
pub const MOST_TRAIL_NAMES: usize = 200_000;

// Scores

/// The most layouts of values that are remembered, since a policy may name its own measures as it
/// likes.
pub const MOST_LAYOUTS: usize = 64;

/// The most cells by which persons are counted. Of more cells they are counted by value.
pub const MOST_COUNTED_CELLS: u32 = 4096;

/// The largest cohort whose utilities are added up beforehand, for each size up to it.
pub const MOST_SUMMED: usize = 1_000_000;

// Long work

/// The time between two looks at work on another thread.
pub const WATCH_LOOK: Duration = Duration::from_millis(20);
