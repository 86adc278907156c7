//! The bounds of what is read for draws, and of what their pages hold.

/// The most files that are looked at in the folder of a draw, since it may be any folder.
pub const MOST_DRAW_FILES: usize = 10_000;

/// The largest file of a draw, in bytes.
pub const MOST_DRAW_FILE_BYTES: u64 = 1 << 32;

/// The most bytes that the panels take on the page. Where they need more, the page says that the
/// file has them all.
pub const MOST_LISTING_BYTES: usize = 320_000;

/// The most replications of a draw for its chances, which is also the limit of `--chances`.
pub const MOST_CHANCES: u64 = 10_000_000;
