//! The flow of batches from the source to the lanes, and who watches it.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::protocol::Batch;

/// Batches in flight on each channel.
pub(super) const IN_FLIGHT: usize = 2;

/// Watches the stream's flow. It can neither slow nor alter a run.
pub trait Watcher: Send + Sync {
    /// Rounds from `first_round` on, of `persons` in all, go to the lanes.
    fn sent(&self, first_round: u64, persons: usize);

    /// A batch is on its way to a lane (by its place in the arena).
    fn waits(&self, lane: usize);

    /// A batch waits for a lane no longer: the lane took it, or has ended.
    fn taken(&self, lane: usize);

    /// The stream waits for a lane; `None`: it moves again.
    fn held(&self, lane: Option<usize>);
}

/// The lanes' ends of the stream: lossless, the slowest holds the others back.
pub(super) struct FanOut {
    lanes: Vec<(usize, mpsc::Sender<Arc<Batch>>)>,
    watcher: Option<Arc<dyn Watcher>>,
}

impl FanOut {
    pub(super) fn new(
        lanes: Vec<mpsc::Sender<Arc<Batch>>>,
        watcher: Option<Arc<dyn Watcher>>,
    ) -> Self {
        Self {
            lanes: lanes.into_iter().enumerate().collect(),
            watcher,
        }
    }

    /// Returns when every lane has ended.
    pub(super) async fn all_gone(&self) {
        for (_, lane) in &self.lanes {
            lane.closed().await;
        }
    }

    /// Sends to every lane that still plays; false when none does.
    pub(super) async fn send(&mut self, batch: Batch) -> bool {
        let batch = Arc::new(batch);
        let watcher = self.watcher.as_ref();
        watcher.inspect(|watcher| watcher.sent(batch.round_number(0), batch.persons().len()));
        let mut left = Vec::with_capacity(self.lanes.len());
        for (place, lane) in self.lanes.drain(..) {
            // Counted before the lane can take it.
            watcher.inspect(|watcher| watcher.waits(place));
            let sent = match lane.try_send(Arc::clone(&batch)) {
                Err(TrySendError::Full(batch)) => {
                    watcher.inspect(|watcher| watcher.held(Some(place)));
                    let sent = lane.send(batch).await.is_ok();
                    watcher.inspect(|watcher| watcher.held(None));
                    sent
                }
                sent => sent.is_ok(),
            };
            if sent {
                left.push((place, lane));
            } else {
                watcher.inspect(|watcher| watcher.taken(place));
            }
        }
        self.lanes = left;
        !self.lanes.is_empty()
    }
}

/// The lane's end of the stream.
pub(super) struct Inlet {
    pub(super) batches: mpsc::Receiver<Arc<Batch>>,
    /// The lane's place in the arena.
    pub(super) place: usize,
    pub(super) watcher: Option<Arc<dyn Watcher>>,
}

impl Inlet {
    /// The next batch; `None` once the stream has ended.
    pub(super) async fn next(&mut self) -> Option<Arc<Batch>> {
        let batch = self.batches.recv().await?;
        let watcher = self.watcher.as_ref();
        watcher.inspect(|watcher| watcher.taken(self.place));
        Some(batch)
    }

    /// Lets the source go on without this lane; what was on its way is dropped.
    pub(super) async fn close(mut self) {
        self.batches.close();
        while self.next().await.is_some() {}
    }
}
