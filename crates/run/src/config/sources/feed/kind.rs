//! The kinds of feeds.

/// The kind of transport of a feed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum FeedKind {
    Stdin,
    Tcp,
    Http,
    Tail,
    Tape,
    Nats,
}
