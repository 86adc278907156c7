pub(super) mod doubles;

use self::doubles::{Broker, plain, wanted};
use super::*;
use crate::feed::transport::tests::doubles::{Log, Running, said, spec};
use crate::feed::{OnError, Reading, ReadingSpec};
use crate::record::Filter;

const ONE: &str = r#"{"id":"1","x":1,"age":30}"#;
const TWO: &str = r#"{"id":"2","x":1,"age":30}"#;
const YOUNG: &str = r#"{"id":"3","x":1,"age":17}"#;
/// It has no `x`.
const WRONG: &str = r#"{"id":"4","age":30}"#;

/// The answers that acknowledge a message and that give it back.
const ACK: &str = "";
const NAK: &str = "-NAK";

/// A feed of adults, and its server.
async fn opened(on_error: OnError) -> (Running, Broker) {
    let mut broker = Broker::of(&plain()).await;
    let reading = Reading::new(ReadingSpec {
        numeric: vec!["x".into()],
        filters: vec![Filter::parse("age >= 18").unwrap()],
        ..ReadingSpec::default()
    });
    let spec = FeedSpec {
        on_error,
        reading: Arc::new(reading.unwrap()),
        ..spec()
    };
    let feed = Nats::open(&wanted(&broker.url), &spec).await.unwrap();
    let link = feed.link().expect("it has a connection");
    assert!(link.is_up() && Arc::ptr_eq(&link, &feed.link));
    let running = Running::start(feed);
    broker.asked().await;
    (running, broker)
}

fn accepted(seq: u64) -> Taken {
    Taken::Accepted { seq, person: None }
}

fn answer(delivery: Delivery, taken: Vec<Taken>) {
    let receipt = Receipt { taken, last_seq: 9 };
    delivery.receipt.unwrap().send(receipt).unwrap();
}

/// Messages that the journal holds, or `where` leaves out, are not sent again. Those that came
/// after the end of all lanes are.
#[tokio::test]
async fn messages_are_acknowledged_once_they_are_taken() {
    let (mut running, mut broker) = opened(OnError::Skip).await;
    broker.send(&[
        (4, 1, ONE),
        (5, 1, YOUNG),
        (6, 1, WRONG),
        (7, 1, YOUNG),
        (8, 1, TWO),
    ]);
    let delivery = running.delivery().await;
    let items = said(&delivery.items);
    assert_eq!((items.len(), delivery.left_out), (3, 2));
    assert_eq!((&*items[0], &*items[2]), (ONE, TWO));
    assert!(items[1].starts_with("6: "), "{items:?}");
    broker.settled().await;
    assert!(broker.is_silent());
    answer(delivery, vec![accepted(1), Taken::Refused, Taken::Over]);
    for number in [4, 5, 6, 7] {
        assert_eq!(broker.answer().await, (number, ACK.to_owned()));
    }
    broker.settled().await;
    assert!(broker.is_silent());

    // One that was refused is known without an id, where it is sent again.
    broker.send(&[(6, 2, WRONG), (8, 2, TWO)]);
    assert_eq!(broker.answer().await, (6, ACK.to_owned()));
    let delivery = running.delivery().await;
    assert_eq!(said(&delivery.items), [TWO]);
    answer(delivery, vec![accepted(3)]);
    assert_eq!(broker.answer().await, (8, ACK.to_owned()));
    assert_eq!(running.stopped().await, Ok(Ended::Stopped));
}

/// Four deliveries wait for their receipts, and what has come meanwhile is given back at the end.
#[tokio::test]
async fn few_deliveries_are_in_flight() {
    let (mut running, mut broker) = opened(OnError::Skip).await;
    let mut waiting = VecDeque::new();
    for number in 1..=4 {
        broker.send(&[(number, 1, ONE)]);
        waiting.push_back(running.delivery().await);
    }
    broker.send(&[(5, 1, ONE), (6, 1, TWO)]);
    broker.settled().await;
    assert!(!running.has_come());
    answer(waiting.pop_front().unwrap(), vec![accepted(1)]);
    waiting.push_back(running.delivery().await);
    broker.send(&[(7, 1, TWO)]);
    broker.settled().await;
    assert!(!running.has_come());
    assert_eq!(broker.answer().await, (1, ACK.to_owned()));
    running.stop();
    assert_eq!(broker.answer().await, (7, NAK.to_owned()));
    // What was handed over is acknowledged still.
    for delivery in waiting {
        let taken = vec![accepted(2); delivery.items.len()];
        answer(delivery, taken);
    }
    assert_eq!(running.ended().await, Ok(Ended::Stopped));
    for number in [2, 3, 4, 5, 6] {
        assert_eq!(broker.answer().await, (number, ACK.to_owned()));
    }
}

#[tokio::test]
async fn a_message_that_can_not_be_read_ends_the_feed_where_it_is_to() {
    let (mut running, mut broker) = opened(OnError::Halt).await;
    broker.send(&[(1, 1, ONE), (2, 1, WRONG), (3, 1, TWO)]);
    let delivery = running.delivery().await;
    let items = said(&delivery.items);
    assert_eq!((items.len(), &*items[0]), (2, ONE));
    let why = items[1].strip_prefix("2: ").unwrap();
    answer(delivery, vec![accepted(1), Taken::Refused]);
    let ended = running.ended().await;
    assert_eq!(ended, Ok(Ended::Halted(format!("message 2: {why}"))));
    for number in [1, 2] {
        assert_eq!(broker.answer().await, (number, ACK.to_owned()));
    }
    let (mut running, broker) = opened(OnError::Halt).await;
    broker.send(&[(1, 1, ONE)]);
    assert_eq!(running.next().await, [ONE]);
    assert_eq!(running.stopped().await, Ok(Ended::Stopped));
}

#[tokio::test]
async fn a_feed_whose_receipts_are_dropped_is_untaken() {
    let (mut running, broker) = opened(OnError::Skip).await;
    broker.send(&[(1, 1, ONE)]);
    drop(running.delivery().await);
    assert_eq!(running.ended().await, Ok(Ended::Untaken));
}

#[tokio::test]
async fn a_feed_that_stops_is_untaken_where_its_receipts_are_dropped() {
    let (mut running, broker) = opened(OnError::Skip).await;
    broker.send(&[(1, 1, ONE)]);
    let delivery = running.delivery().await;
    running.stop();
    tokio::task::yield_now().await;
    drop(delivery);
    assert_eq!(running.ended().await, Ok(Ended::Untaken));
}

/// The user learns that the server is gone, once; not that the feed is over.
#[tokio::test]
async fn a_connection_is_lost_by_the_server_and_not_by_the_feed() {
    let log = Log::new();
    let mut links = Vec::new();
    for is_lost in [false, true] {
        let broker = Broker::of(&plain()).await;
        let feed = Nats::open(&wanted(&broker.url), &spec()).await.unwrap();
        let link = Arc::clone(&feed.link);
        match is_lost {
            true => broker.hang_up(),
            false => drop(feed),
        }
        while link.is_up() {
            tokio::task::yield_now().await;
        }
        links.push((link.lost(), link.has_ended()));
        let words = "the connection to NATS is lost; klero connects again";
        assert_eq!(log.text().matches(words).count(), usize::from(is_lost));
    }
    assert_eq!(links, [(0, true), (1, false)]);
}
