//! The kinds of feeds.

/// How the records of a feed come.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum FeedKind {
    Stdin,
    Tcp,
    Http,
    Tail,
    Tape,
    Nats,
}
