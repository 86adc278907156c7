//! The courses of the measures over the rounds, thinned, for the board's lines.

/// The courses of all lanes.
#[derive(Debug, Default)]
pub struct Courses {}
