//! The connection of a feed to a server elsewhere, as those who watch see it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The state and the counts of one connection. Its feed writes them.
#[derive(Debug, Default)]
pub struct FeedLink {
    is_up: AtomicBool,
    has_ended: AtomicBool,
    lost: AtomicU64,
    again: AtomicU64,
    waiting: AtomicU64,
}

impl FeedLink {
    /// Notes that there is a connection.
    pub fn is_made(&self) {
        self.is_up.store(true, Ordering::Relaxed);
    }

    /// Notes that the connection was lost.
    pub fn is_lost(&self) {
        if self.is_up.swap(false, Ordering::Relaxed) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Notes that the feed is over, and has ended its connection.
    pub fn is_closed(&self) {
        self.is_up.store(false, Ordering::Relaxed);
        self.has_ended.store(true, Ordering::Relaxed);
    }

    /// Notes a message: `is_again` if it had been sent before, and the number that wait behind it.
    pub fn note(&self, is_again: bool, waiting: u64) {
        self.again.fetch_add(u64::from(is_again), Ordering::Relaxed);
        self.waiting.store(waiting, Ordering::Relaxed);
    }

    /// Returns true if the feed is connected.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    /// Returns true if the feed has ended the connection.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    /// The number of times that the connection was lost.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// The number of messages that came although they had been sent before.
    #[must_use]
    pub fn again(&self) -> u64 {
        self.again.load(Ordering::Relaxed)
    }

    /// The number of messages that the server still held when the last one came.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(link: &FeedLink) -> (bool, u64, u64, u64) {
        (link.is_up(), link.lost(), link.again(), link.waiting())
    }

    #[test]
    fn a_connection_is_lost_once_however_often_it_fails_to_come_back() {
        let link = FeedLink::default();
        assert_eq!(seen(&link), (false, 0, 0, 0));
        link.is_lost();
        link.is_made();
        assert_eq!(seen(&link), (true, 0, 0, 0));
        for _ in 0..3 {
            link.is_lost();
        }
        assert_eq!(seen(&link), (false, 1, 0, 0));
        link.is_made();
        link.is_lost();
        for (is_again, waiting) in [(true, 9), (false, 8), (true, 7)] {
            link.note(is_again, waiting);
        }
        assert_eq!(seen(&link), (false, 2, 2, 7));
    }
    #[test]
    fn a_connection_that_the_feed_has_ended_is_not_lost() {
        let link = FeedLink::default();
        link.is_made();
        assert!(!link.has_ended());
        link.is_closed();
        assert!(link.has_ended());
        assert_eq!(seen(&link), (false, 0, 0, 0));
    }
}
