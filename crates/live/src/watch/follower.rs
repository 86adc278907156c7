//! A reader of a run's decisions: each once it can't be lost.

use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::Watched;
use super::decisions::LaneDecision;
use crate::limits::MOST_EVENTS_AT_ONCE;

/// A reader of a live run's decisions, in their one order.
///
/// A decision that counts comes once it is committed. A reader that is slow misses the oldest: then
/// `event.seq` has a gap. It never slows the run.
pub struct DecisionFollower {
    watched: Arc<Watched>,
    /// The number of the next decision; `None` for the oldest that is kept.
    from: Option<u64>,
    made: watch::Receiver<u64>,
    acted: watch::Receiver<u64>,
    noted: watch::Receiver<u64>,
    closed: watch::Receiver<bool>,
}

impl Watched {
    /// Returns a reader of the decisions from number `from` on, or from the oldest that is kept.
    #[must_use]
    pub fn follow(self: &Arc<Self>, from: Option<u64>) -> DecisionFollower {
        DecisionFollower {
            watched: Arc::clone(self),
            from,
            made: self.decisions.watch(),
            acted: self.watch_acted(),
            noted: self.watch_shown(),
            closed: self.closed.subscribe(),
        }
    }
}

impl DecisionFollower {
    /// The number of the next decision; `None` for the oldest that is kept.
    #[must_use]
    pub fn from(&self) -> Option<u64> {
        self.from
    }

    /// Returns the next decisions that are there, a bounded number of them.
    pub fn ready(&mut self) -> Vec<Arc<LaneDecision>> {
        // What is new wakes from here on.
        self.made.mark_unchanged();
        self.acted.mark_unchanged();
        self.noted.mark_unchanged();
        let from = self.from.unwrap_or(0);
        let mut all = self.watched.decisions.since(from, MOST_EVENTS_AT_ONCE);
        let lasting = all.iter().take_while(|one| self.watched.may_tell(one));
        all.truncate(lasting.count());
        self.from = all.last().map(|last| last.event.seq() + 1).or(self.from);
        all
    }

    /// Waits until there may be more decisions, or the run has ended.
    pub async fn changed(&mut self) {
        tokio::select! {
            _ = self.made.changed() => {}
            _ = self.acted.changed() => {}
            _ = self.noted.changed() => {}
            _ = self.closed.changed() => {}
        }
    }

    /// Waits for the next decisions. `None` once the run has ended and all of them were returned.
    pub async fn next(&mut self) -> Option<Vec<Arc<LaneDecision>>> {
        loop {
            // Asked first: what is ready afterwards is all.
            let is_closed = *self.closed.borrow_and_update();
            let ready = self.ready();
            match (ready.is_empty(), is_closed) {
                (false, _) => return Some(ready),
                (true, true) => return None,
                (true, false) => self.changed().await,
            }
        }
    }

    /// Returns the decisions one by one, for a thread that may block.
    ///
    /// # Errors
    /// Fails if the system gives no runtime.
    pub fn blocking(self) -> io::Result<BlockingDecisions> {
        Ok(BlockingDecisions {
            runtime: Builder::new_current_thread().build()?,
            follower: self,
            ready: Vec::new().into_iter(),
        })
    }
}

/// The decisions of a live run, one by one. It waits for each, and ends with the run.
///
/// # Panics
/// Within a runtime of tokio.
pub struct BlockingDecisions {
    runtime: Runtime,
    follower: DecisionFollower,
    ready: std::vec::IntoIter<Arc<LaneDecision>>,
}

impl Iterator for BlockingDecisions {
    type Item = Arc<LaneDecision>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.len() == 0 {
            self.ready = self.runtime.block_on(self.follower.next())?.into_iter();
        }
        self.ready.next()
    }
}
