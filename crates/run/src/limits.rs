//! The bounds of what a config may ask for and of what a run holds: rows, rounds, bytes, waits.

use std::time::Duration;

// Documents

/// The most brackets that are open at once, so that no config runs the parser out of stack.
pub const DEEPEST_NESTING: usize = 80;

/// The most runs that a sweep may have.
pub const MOST_SWEEP_RUNS: usize = 10_000;

/// The most values that a range may have.
pub const MOST_RANGE_VALUES: f64 = 10_000.0;

// Configs

/// The most reviews of an applicant beyond the first.
pub const MOST_REVIEWS: f64 = 100.0;

/// The most rounds between a choice and its outcome: far beyond any run, and sums of rounds stay
/// whole numbers of 64 bits.
pub const MOST_DELAY: u64 = 1_000_000_000_000;

/// The rounds after which a lane is stalled, where the config sets no other number.
pub const MOST_ROUNDS: u64 = 10_000_000;

/// The most interviews in a round, where the config sets no number: some policies look until they
/// are sure, which may be never.
pub const MOST_INTERVIEWS: u64 = 10_000_000;

/// The longest time, in seconds, that a live run can wait for something: as good as for ever.
pub const LONGEST_TIME: f64 = 100.0 * 365.0 * 86_400.0;

/// The time to wait for a lane that plays elsewhere, where the config gives none.
pub const LANE_PATIENCE: Duration = Duration::from_secs(60);

/// The longest record of a feed, in bytes, where the config gives no other length.
pub const LONGEST_RECORD: usize = 100 << 10;

/// The time after which NATS delivers an unacknowledged message again, where the config gives
/// none.
pub const NATS_ACK_WAIT: Duration = Duration::from_secs(30);

/// The most unacknowledged messages of NATS, where the config gives no number.
pub const MOST_UNACKNOWLEDGED: u64 = 4096;

// Computations that a config asks for

/// The longest horizon for which an optimal policy is computed.
pub const MOST_OPTIMAL_ROUNDS: u64 = 100_000;

/// The most cells of a law that a forecast is solved for, so that the check of a config stays
/// quick.
pub const MOST_OUTLOOK_CELLS: u32 = 1 << 16;

/// The most kinds of people of whom letters are planned, since the plan weighs each of them.
pub const MOST_KINDS: usize = 200_000;

// Runs

/// The most persons of a batch, about, where the user does not set them.
pub const MOST_BATCH_PERSONS: usize = 1024;

/// The most bytes of the persons of a batch, about, where the user does not set them.
pub const MOST_BATCH_BYTES: usize = 64 << 10;

/// The number of replications per thread by which the fastest may be ahead of the slowest. It
/// bounds the results that wait.
pub const MOST_REPLICATIONS_AHEAD: u64 = 8;

/// The bytes that the leaves of a policy may use before they go to a temporary file.
pub const MOST_FOLD_MEMORY: usize = 4 << 20;

/// The time that played replications may wait before they are written to disk.
pub const PLAYED_SYNC: Duration = Duration::from_secs(1);

/// The most bytes of a frame of played replications; a longer one is a broken file.
pub const MOST_FRAME_BYTES: u32 = 1 << 30;
