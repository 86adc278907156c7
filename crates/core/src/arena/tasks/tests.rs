//! The task of a source, run alone.

use std::sync::atomic::AtomicUsize;

use async_trait::async_trait;

use super::super::by_hand::batch_from;
use super::super::flow::{Ahead, Inlet, way};
use super::*;
use crate::source::FeedError;

/// Emits rounds of one person, two a batch, until the stream has ended; counts its batches.
struct Pairs {
    batches: u64,
    emitted: Arc<AtomicUsize>,
}

#[async_trait]
impl Source for Pairs {
    async fn next(&mut self, _: usize) -> Result<Option<Batch>, FeedError> {
        let out = self.emitted.load(Ordering::Relaxed) as u64;
        if out == self.batches {
            return Ok(None);
        }
        self.emitted.fetch_add(1, Ordering::Relaxed);
        Ok(Some(batch_from(2 * out + 1, 2 * out, &[1, 1])))
    }

    fn left_over(&self) -> u64 {
        self.emitted.load(Ordering::Relaxed) as u64 + 10
    }
}

/// A stream of six batches, whose longest lane plays `horizon` rounds: how many batches are
/// emitted, how many are left over, and the rounds that a lane was sent.
async fn emitted(horizon: u64) -> (usize, u64, Vec<u64>) {
    let (outlet, batches) = way(Ahead::Persons(100));
    let mut inlet = Inlet {
        batches,
        place: 0,
        watcher: None,
    };
    let emitted = Arc::new(AtomicUsize::new(0));
    let source = Pairs {
        batches: 6,
        emitted: Arc::clone(&emitted),
    };
    let end = SourceEnd::default();
    let lanes = Downstream::Lanes(FanOut::new(vec![outlet], None));
    let task = source_task(
        Box::new(source),
        lanes,
        2,
        horizon,
        Arc::clone(&end),
        Arc::default(),
    );
    let left_over = task.await;
    assert_eq!(end.get().map(|stop| stop.ending), Some(Ending::SourceEnded));
    let mut first_rounds = Vec::new();
    while let Some(batch) = inlet.next().await {
        first_rounds.push(batch.round_number(0));
    }
    (emitted.load(Ordering::Relaxed), left_over, first_rounds)
}

/// No one is drawn, or taken from a feed, whom no lane can meet.
#[tokio::test]
async fn a_source_emits_no_batch_beyond_the_longest_lane() {
    assert_eq!(emitted(0).await, (0, 10, vec![]));
    assert_eq!(emitted(4).await, (2, 12, vec![1, 3]));
    assert_eq!(emitted(5).await, (3, 13, vec![1, 3, 5]));
    assert_eq!(emitted(100).await, (6, 16, vec![1, 3, 5, 7, 9, 11]));
}
