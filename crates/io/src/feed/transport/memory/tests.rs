use std::pin::pin;

use tokio::sync::watch::Sender;
use tokio::task::JoinHandle;

use super::*;
use crate::feed::transport::tests::doubles::{people, said, spec};
use crate::feed::{MemorySender, OnError, Taken, memory_feed};

/// A feed that runs.
struct Opened {
    sender: MemorySender,
    deliveries: mpsc::Receiver<Delivery>,
    stop: Sender<bool>,
    ended: JoinHandle<Result<Ended, FeedError>>,
}

fn opened(spec: &FeedSpec, bound: usize) -> Opened {
    let (sender, feed) = memory_feed(bound);
    let memory = Box::new(open(Some(&feed), spec, Arc::default()).ok().unwrap());
    let (deliver, deliveries) = mpsc::channel(4);
    let (stop, stopped) = watch::channel(false);
    Opened {
        sender,
        deliveries,
        stop,
        ended: tokio::spawn(memory.run(deliver, stopped)),
    }
}

/// The recorder's answer: each item has the number of its place.
fn accept(delivery: Delivery) -> Vec<String> {
    let person = |at: usize| Taken::Accepted {
        seq: at as u64 + 1,
        person: Some(at as u64),
    };
    let receipt = Receipt {
        taken: (0..delivery.items.len()).map(person).collect(),
        last_seq: 9,
    };
    delivery.receipt.unwrap().send(receipt).unwrap();
    said(&delivery.items)
}

/// The fates of records that [`accept`] took, by their places in the delivery.
fn taken(places: impl IntoIterator<Item = u64>) -> Vec<Fate> {
    let taken = places.into_iter().map(|at| {
        Fate::Answered(Taken::Accepted {
            seq: at + 1,
            person: Some(at),
        })
    });
    taken.collect()
}

#[tokio::test]
async fn each_record_is_answered_once_it_is_kept_and_not_before() {
    let mut opened = opened(&spec(), 8);
    let [first, second] = people([1, 2]).try_into().unwrap();
    let one = opened.sender.send(first.clone()).await.unwrap();
    let delivery = opened.deliveries.recv().await.unwrap();
    // What comes together is handed over together, while the first waits for its answer.
    let together = vec![second.clone().into(), b"{}".to_vec()];
    let two = opened.sender.send_all(together).await.unwrap();
    let later = opened.deliveries.recv().await.unwrap();
    let mut known = pin!(two.fates());
    let pause = std::time::Duration::from_millis(20);
    assert!(tokio::time::timeout(pause, &mut known).await.is_err());
    assert_eq!(accept(delivery), [first]);
    assert_eq!(one.fate().await, taken([0]).pop());
    let said = accept(later);
    assert_eq!(said[0], second);
    assert!(said[1].starts_with("3: "), "{said:?}");
    let mut fates = known.await;
    let Some(Fate::Refused(why)) = fates.pop() else {
        panic!("it says nothing of the record");
    };
    assert_eq!(format!("3: {why}"), said[1]);
    assert_eq!(fates, taken([0]));
    drop(opened.sender);
    assert_eq!(opened.ended.await.unwrap(), Ok(Ended::Source));
}

#[tokio::test]
async fn a_full_channel_holds_the_sender_back() {
    let pause = std::time::Duration::from_millis(20);
    for together in [false, true] {
        let mut opened = opened(&spec(), 1);
        let sender = opened.sender.clone();
        let send = |id: usize| {
            let record: Vec<u8> = people([id]).remove(0).into();
            let sender = sender.clone();
            async move {
                match together {
                    true => sender.send_all(vec![record]).await,
                    false => sender.send(record).await,
                }
            }
        };
        let mut held = Vec::new();
        while let Ok(sent) = tokio::time::timeout(pause, send(held.len())).await {
            held.push(sent.unwrap());
        }
        // Some are handed over and not answered, one is read, and one waits.
        assert!(held.len() <= 4 + 2, "{}", held.len());
        assert_eq!(accept(opened.deliveries.recv().await.unwrap()).len(), 1);
        assert!(tokio::time::timeout(pause, send(99)).await.is_ok());
    }
}

/// With a receiver that takes all deliveries and answers none, the feed reads no more at last.
#[tokio::test]
async fn deliveries_that_are_not_answered_hold_the_sender_back() {
    let mut opened = opened(&spec(), 1);
    let pause = std::time::Duration::from_millis(50);
    let mut unanswered = Vec::new();
    while let Ok(sent) = tokio::time::timeout(pause, opened.sender.send("{}")).await {
        drop(sent.unwrap());
        while let Ok(delivery) = opened.deliveries.try_recv() {
            unanswered.push(delivery);
        }
    }
    while let Ok(delivery) = opened.deliveries.try_recv() {
        unanswered.push(delivery);
    }
    assert_eq!(unanswered.len(), MOST_MEMORY_DELIVERIES);
}

#[tokio::test]
async fn a_record_whose_fate_is_unknown_says_so() {
    let mut opened = opened(&spec(), 4);
    let one = opened.sender.send("{}").await.unwrap();
    drop(opened.deliveries.recv().await.unwrap());
    assert_eq!(one.fate().await, None);
    assert_eq!(opened.ended.await.unwrap(), Ok(Ended::Untaken));
    assert!(opened.sender.send("{}").await.is_none());
}

#[tokio::test]
async fn it_stops_when_it_is_told_to_and_halts_at_a_record_that_cannot_be_read() {
    let mut running = opened(&spec(), 4);
    let sent = running.sender.send(people([1]).remove(0)).await.unwrap();
    let delivery = running.deliveries.recv().await.unwrap();
    running.stop.send(true).unwrap();
    // What was handed over is still answered.
    accept(delivery);
    assert!(sent.fate().await.is_some());
    assert_eq!(running.ended.await.unwrap(), Ok(Ended::Stopped));

    let spec = FeedSpec {
        on_error: OnError::Halt,
        max_length: 30,
        ..spec()
    };
    let mut running = opened(&spec, 4);
    let long = format!("{{\"id\":\"{}\",\"x\":1}}", "a".repeat(40));
    for record in [people([1]).remove(0), long, people([2]).remove(0)] {
        drop(running.sender.send(record).await);
    }
    let mut said = Vec::new();
    while let Some(delivery) = running.deliveries.recv().await {
        said.extend(accept(delivery));
    }
    assert_eq!((said.len(), &*said[0]), (2, &*people([1])[0]));
    let Ok(Ended::Halted(why)) = running.ended.await.unwrap() else {
        panic!("it went on");
    };
    assert!(why.starts_with("line 2: the line is longer"), "{why}");
}

#[test]
fn without_a_feed_or_with_one_that_was_opened_it_says_what_to_do() {
    let refused = |feed: Option<&MemoryFeed>| match open(feed, &spec(), Arc::default()) {
        Err(problem) => problem.to_string(),
        _ => panic!("it was opened"),
    };
    assert!(refused(None).contains("none hands them in (help: run the program"));
    let (_sender, feed) = memory_feed(1);
    assert!(open(Some(&feed), &spec(), Arc::default()).is_ok());
    assert!(refused(Some(&feed)).contains("opened before (help: make a feed for each run"));
}

#[test]
fn threads_that_block_send_too() {
    let (sender, feed) = memory_feed(1);
    let thread = std::thread::spawn(move || {
        let awaited = sender.send_blocking(people([1]).remove(0)).unwrap();
        awaited.fate_blocking()
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let memory = Box::new(open(Some(&feed), &spec(), Arc::default()).ok().unwrap());
        let (deliver, mut deliveries) = mpsc::channel(4);
        let (_stop, stopped) = watch::channel(false);
        let ended = tokio::spawn(memory.run(deliver, stopped));
        accept(deliveries.recv().await.unwrap());
        assert_eq!(ended.await.unwrap(), Ok(Ended::Source));
    });
    assert!(matches!(thread.join().unwrap(), Some(Fate::Answered(_))));
}
