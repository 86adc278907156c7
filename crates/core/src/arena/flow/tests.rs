//! Batches on their way to lanes, step by step, and what a watcher is shown of it.

use std::sync::Mutex;
use std::task::Poll;

use super::*;
use crate::limits::BATCHES_IN_FLIGHT;
use crate::protocol::Schema;

fn batch(persons: usize) -> Batch {
    let mut batch = Batch::new(Arc::new(Schema::default()), 7, 0);
    (0..persons).for_each(|_| batch.persons_mut().push(0, &[], &[], None));
    batch.close_round();
    batch
}

#[derive(Default)]
struct Diary(Mutex<Vec<String>>);

impl Diary {
    fn note(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    fn read(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Watcher for Diary {
    fn sent(&self, batch: &Batch) {
        let (first_round, persons) = (batch.round_number(0), batch.persons().len());
        self.note(format!("sent {first_round} {persons}"));
    }

    fn waits(&self, lane: usize) {
        self.note(format!("waits {lane}"));
    }

    fn taken(&self, lane: usize) {
        self.note(format!("taken {lane}"));
    }

    fn held(&self, lane: Option<usize>) {
        self.note(format!("held {lane:?}"));
    }
}

/// Polls once.
async fn once<T>(future: impl Future<Output = T>) -> Poll<T> {
    let mut future = Box::pin(future);
    std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

#[tokio::test]
async fn there_is_room_for_few_batches_or_for_a_number_of_persons() {
    let (outlet, mut taken) = way(Ahead::Batches);
    for _ in 0..BATCHES_IN_FLIGHT {
        assert!(outlet.has_room(&batch(9)));
        assert!(outlet.send(Arc::new(batch(9))).await);
    }
    assert!(!outlet.has_room(&batch(1)));
    drop(taken.recv().await);
    assert!(outlet.has_room(&batch(1)));

    let (outlet, mut taken) = way(Ahead::Persons(4));
    assert!(outlet.has_room(&batch(9)));
    assert!(outlet.send(Arc::new(batch(3))).await);
    assert!(outlet.has_room(&batch(1)) && !outlet.has_room(&batch(2)));
    // A batch without people takes the room of one.
    assert!(outlet.has_room(&batch(0)));
    assert!(outlet.send(Arc::new(batch(0))).await);
    assert!(!outlet.has_room(&batch(0)));
    drop(taken.recv().await);
    assert!(outlet.has_room(&batch(3)) && !outlet.has_room(&batch(4)));
    drop(taken);
    assert!(!outlet.send(Arc::new(batch(1))).await);
}

#[tokio::test]
async fn a_watcher_sees_which_lane_holds_the_stream_and_whose_batches_are_dropped() {
    let diary = Arc::new(Diary::default());
    let (first, first_taken) = way(Ahead::Persons(2));
    let (second, second_taken) = way(Ahead::Batches);
    let watcher: Arc<dyn Watcher> = Arc::clone(&diary) as _;
    let inlet = |batches, place| Inlet {
        batches,
        place,
        watcher: Some(Arc::clone(&watcher)),
    };
    let (mut first_inlet, second_inlet) = (inlet(first_taken, 0), inlet(second_taken, 1));
    let mut lanes = FanOut::new(vec![first, second], Some(Arc::clone(&watcher)));
    assert!(lanes.send(batch(2)).await);
    assert_eq!(diary.read(), ["sent 7 2", "waits 0", "waits 1"]);
    {
        let mut sending = Box::pin(lanes.send(batch(1)));
        assert!(once(&mut sending).await.is_pending());
        assert_eq!(diary.read(), ["sent 7 1", "waits 0", "held Some(0)"]);
        let came = first_inlet.next().await.expect("a batch");
        assert_eq!(came.persons().len(), 2);
        assert!(sending.await);
        assert_eq!(diary.read(), ["taken 0", "held None", "waits 1"]);
    }
    // Two wait for the second lane when it ends, and one for the first.
    second_inlet.close().await;
    assert_eq!(diary.read(), ["taken 1", "taken 1"]);
    assert!(lanes.send(batch(1)).await);
    let known = ["sent 7 1", "waits 0", "waits 1", "taken 1"];
    assert_eq!(diary.read(), known);
    first_inlet.close().await;
    assert!(!lanes.send(batch(1)).await);
    lanes.all_gone().await;
}
