//! Kinds of feeds.

/// Where people from outside come from.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum FeedKind {
    Stdin,
    Tcp,
    Http,
    Tail,
    Tape,
}
