//! The flow of batches from the source to the lanes, and who watches it.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::limits::BATCHES_IN_FLIGHT;
use crate::protocol::Batch;

/// Watches the stream's flow. It can neither slow nor alter a run.
pub trait Watcher: Send + Sync {
    /// Called when a batch goes to the lanes.
    fn sent(&self, batch: &Batch);

    /// Called when a batch is on its way to a lane (by its place in the arena).
    fn waits(&self, lane: usize);

    /// Called when a batch no longer waits for a lane: the lane took it, or has ended.
    fn taken(&self, lane: usize);

    /// Called when the stream waits for a lane, or with `None` when it moves again.
    fn held(&self, lane: Option<usize>);
}

/// The distance by which the stream may run ahead of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ahead {
    /// A few batches: the lanes stay close to each other, and few batches are held in memory.
    #[default]
    Batches,
    /// About this many persons: a lane waits for a slow one only once that one is this far behind.
    Persons(u32),
}

/// A batch on its way to a lane, and the room it takes there.
pub(super) struct Passage {
    batch: Arc<Batch>,
    _room: Option<OwnedSemaphorePermit>,
}

/// The stream's end of the way to a lane.
pub(super) struct Outlet {
    batches: mpsc::Sender<Passage>,
    room: Option<(Arc<Semaphore>, u32)>,
}

/// The way to a lane: the stream's end and the lane's.
pub(super) fn way(ahead: Ahead) -> (Outlet, mpsc::Receiver<Passage>) {
    let (most, room) = match ahead {
        Ahead::Batches => (BATCHES_IN_FLIGHT, None),
        // Each batch takes the room of a person at least.
        Ahead::Persons(persons) => {
            let persons = persons.max(1);
            let room = Arc::new(Semaphore::new(persons as usize));
            (persons as usize, Some((room, persons)))
        }
    };
    let (batches, taken) = mpsc::channel(most);
    (Outlet { batches, room }, taken)
}

impl Outlet {
    /// Returns true if a batch can be sent without waiting.
    fn has_room(&self, batch: &Batch) -> bool {
        let room = self.room.as_ref();
        let fits = |(room, most): &(Arc<Semaphore>, u32)| {
            room.available_permits() >= taken_by(batch, *most) as usize
        };
        self.batches.capacity() > 0 && room.is_none_or(fits)
    }

    /// Sends a batch once there is room; false where the lane has ended.
    async fn send(&self, batch: Arc<Batch>) -> bool {
        let room = match &self.room {
            None => None,
            Some((room, most)) => {
                let taken = taken_by(&batch, *most);
                Arc::clone(room).acquire_many_owned(taken).await.ok()
            }
        };
        let passage = Passage { batch, _room: room };
        self.batches.send(passage).await.is_ok()
    }
}

/// The room that a batch takes where there is room for `most`.
fn taken_by(batch: &Batch, most: u32) -> u32 {
    let persons = u32::try_from(batch.persons().len()).unwrap_or(u32::MAX);
    persons.clamp(1, most)
}

/// The lanes' ends of the stream: lossless, the slowest holds the others back.
pub(super) struct FanOut {
    lanes: Vec<(usize, Outlet)>,
    watcher: Option<Arc<dyn Watcher>>,
}

impl FanOut {
    pub(super) fn new(lanes: Vec<Outlet>, watcher: Option<Arc<dyn Watcher>>) -> Self {
        Self {
            lanes: lanes.into_iter().enumerate().collect(),
            watcher,
        }
    }

    /// Returns when every lane has ended.
    pub(super) async fn all_gone(&self) {
        for (_, lane) in &self.lanes {
            lane.batches.closed().await;
        }
    }

    /// Sends to every lane that still plays; false when none does.
    pub(super) async fn send(&mut self, batch: Batch) -> bool {
        let batch = Arc::new(batch);
        let watcher = self.watcher.as_ref();
        watcher.inspect(|watcher| watcher.sent(&batch));
        let mut left = Vec::with_capacity(self.lanes.len());
        for (place, lane) in self.lanes.drain(..) {
            // Counted before the lane can take it.
            watcher.inspect(|watcher| watcher.waits(place));
            let is_held = !lane.batches.is_closed() && !lane.has_room(&batch);
            let holder = watcher.filter(|_| is_held);
            holder.inspect(|watcher| watcher.held(Some(place)));
            let sent = lane.send(Arc::clone(&batch)).await;
            holder.inspect(|watcher| watcher.held(None));
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
    pub(super) batches: mpsc::Receiver<Passage>,
    /// The lane's place in the arena.
    pub(super) place: usize,
    pub(super) watcher: Option<Arc<dyn Watcher>>,
}

impl Inlet {
    /// The next batch; `None` once the stream has ended.
    pub(super) async fn next(&mut self) -> Option<Arc<Batch>> {
        let Passage { batch, .. } = self.batches.recv().await?;
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

#[cfg(test)]
mod tests;
