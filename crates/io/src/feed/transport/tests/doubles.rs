//! A feed that a test runs: what it delivers, and how it ends.

use std::fs::{self, File};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tracing::Level;
use tracing::subscriber::DefaultGuard;

use crate::feed::transport::carry::{Ended, Feed};
use crate::feed::{
    Delivery, FeedSpec, Framing, Item, OnError, Reading, ReadingSpec, Receipt, SlateEnd, Transport,
};
use kleroterion_core::source::{FeedError, Sizes};

/// Long enough for anything that does not hang. A paused clock goes on where all wait for it.
const LONG: Duration = Duration::from_secs(10);
/// The file is looked at several times within it.
const SOME: Duration = Duration::from_secs(2);

/// People with an `x`, a line each.
pub(in crate::feed) fn spec() -> FeedSpec {
    let reading = Reading::new(ReadingSpec {
        numeric: vec!["x".into()],
        ..ReadingSpec::default()
    });
    FeedSpec {
        transport: Transport::Stdin,
        framing: Framing::default(),
        max_length: 1024,
        on_error: OnError::Skip,
        reading: Arc::new(reading.expect("it is sound")),
        outcomes: None,
        outcome_range: None,
        horizon: None,
        slates: SlateEnd::Size(Sizes::Constant(1)),
        each: 1,
    }
}

/// The records of these people.
pub(in crate::feed::transport) fn people<const N: usize>(ids: [usize; N]) -> Vec<String> {
    let record = |id| format!("{{\"id\":\"{id}\",\"x\":1}}");
    ids.map(record).into()
}

/// The same, a line each.
pub(in crate::feed::transport) fn lines<const N: usize>(ids: [usize; N]) -> String {
    people(ids).join("\n") + "\n"
}

/// Returns the record of each candidate, or the line and error of a refused record.
pub(in crate::feed::transport) fn said(items: &[Item]) -> Vec<String> {
    let text = |item: &Item| match item {
        Item::Candidate(person) => person.record.to_string(),
        Item::Refused(refused) => format!("{}: {}", refused.line, refused.error),
        _ => unreachable!("a feed of records brings records"),
    };
    items.iter().map(text).collect()
}

/// The log of this thread, while this lives.
pub(in crate::feed::transport) struct Log {
    folder: TempDir,
    _held: DefaultGuard,
}

impl Log {
    pub(in crate::feed::transport) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = File::create(folder.path().join("log")).expect("a file");
        let subscriber = tracing_subscriber::fmt().with_writer(Mutex::new(file));
        let subscriber = subscriber.with_ansi(false);
        let subscriber = subscriber.with_max_level(Level::WARN).finish();
        let _held = tracing::subscriber::set_default(subscriber);
        Self { folder, _held }
    }

    pub(in crate::feed::transport) fn text(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).expect("it is text")
    }
}

/// A feed that runs.
pub(in crate::feed::transport) struct Running {
    stop: watch::Sender<bool>,
    came: mpsc::Receiver<Delivery>,
    feed: JoinHandle<Result<Ended, FeedError>>,
}

impl Running {
    pub(in crate::feed::transport) fn start(feed: impl Feed + 'static) -> Self {
        let (deliveries, came) = mpsc::channel(1);
        let (stop, stopped) = watch::channel(false);
        let feed = tokio::spawn(Box::new(feed).run(deliveries, stopped));
        Self { stop, came, feed }
    }

    /// The next delivery.
    pub(in crate::feed::transport) async fn delivery(&mut self) -> Delivery {
        let came = timeout(LONG, self.came.recv()).await;
        came.expect("something was to come").expect("it goes on")
    }

    /// Returns the records of the next delivery, and answers it.
    pub(in crate::feed::transport) async fn next(&mut self) -> Vec<String> {
        let delivery = self.delivery().await;
        let receipt = delivery.receipt.expect("a receipt is wanted");
        // A feed that has failed since waits for none.
        let _ = receipt.send(Receipt::default());
        said(&delivery.items)
    }

    /// Looks for a while whether anything comes, or the feed ends.
    pub(in crate::feed::transport) async fn is_silent(&mut self) -> bool {
        timeout(SOME, self.came.recv()).await.is_err()
    }

    /// Returns true if a delivery is waiting.
    #[cfg(feature = "nats")]
    pub(in crate::feed::transport) fn has_come(&self) -> bool {
        !self.came.is_empty()
    }

    /// Asks the feed to stop.
    pub(in crate::feed::transport) fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Returns the end of a feed that delivers nothing more.
    pub(in crate::feed::transport) async fn ended(mut self) -> Result<Ended, FeedError> {
        let came = timeout(LONG, self.came.recv()).await;
        assert!(came.expect("it does not hang").is_none());
        self.feed.await.expect("it does not panic")
    }

    /// Stops the feed and returns its end.
    pub(in crate::feed::transport) async fn stopped(self) -> Result<Ended, FeedError> {
        self.stop();
        self.ended().await
    }
}
