//! Who takes what a feed hands over, and a feed that runs.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kleroterion::config::{Document, check};
use kleroterion::feed::{Delivery, Ended, Feed, FeedSpec, Item, Receipt, Taken};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::support::configs::FEED;

/// Long enough for anything that does not hang.
pub const LONG: Duration = Duration::from_secs(60);

/// Of each thing that came: a person's record, or the line and what is wrong.
pub fn line_of(item: &Item) -> String {
    match item {
        Item::Candidate(person) => person.record.to_string(),
        Item::Refused(refused) => format!("{}: {}", refused.line, refused.error),
        _ => unreachable!("a feed of records brings records"),
    }
}

/// What a config with some of its lines replaced says of a feed.
pub fn spec(edits: &[(&str, &str)]) -> FeedSpec {
    let text = crate::support::configs::with(FEED, edits);
    let plan = check(&Document::parse(&text).unwrap(), std::path::Path::new("."));
    plan.unwrap_or_else(|problems| panic!("{problems}"))
        .world
        .feed
        .clone()
        .unwrap()
}

/// A record that lacks most of what it must have, but not what `where` asks for.
pub const WRONG: &str = r#"{"id":"wrong","AGE":30}"#;

/// A record of a person, of which nothing is to be said.
pub fn person(id: usize) -> String {
    format!(
        r#"{{"id":"{id}","SEX":{},"AGE":30,"EDU":1,"mark":0}}"#,
        1 + id % 2
    )
}

/// A feed that runs, and what has been taken of it.
pub struct Running {
    pub stop: watch::Sender<bool>,
    taken: Arc<Mutex<Vec<Vec<Item>>>>,
    feed: JoinHandle<Ended>,
}

impl Running {
    /// Runs a feed whose deliveries are taken and answered at once.
    pub fn start(feed: Box<dyn Feed>) -> Self {
        let (deliveries, mut came) = mpsc::channel::<Delivery>(1);
        let taken = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&taken);
        tokio::spawn(async move {
            let (mut seq, mut ids) = (0, BTreeSet::new());
            while let Some(Delivery { items, receipt, .. }) = came.recv().await {
                let took = items.iter().map(|item| {
                    seq += 1;
                    match item {
                        Item::Candidate(person) if ids.insert(person.id.clone()) => {
                            Taken::Accepted {
                                seq,
                                person: Some(ids.len() as u64 - 1),
                            }
                        }
                        Item::Candidate(_) => Taken::Duplicate,
                        _ => Taken::Refused,
                    }
                });
                let taken = took.collect();
                kept.lock().unwrap().push(items);
                let _ = receipt.unwrap().send(Receipt {
                    taken,
                    last_seq: seq,
                });
            }
        });
        Self::run(feed, deliveries, taken)
    }

    /// Runs a feed whose deliveries go to `deliveries`.
    pub fn into(feed: Box<dyn Feed>, deliveries: mpsc::Sender<Delivery>) -> Self {
        Self::run(feed, deliveries, Arc::default())
    }

    fn run(
        feed: Box<dyn Feed>,
        deliveries: mpsc::Sender<Delivery>,
        taken: Arc<Mutex<Vec<Vec<Item>>>>,
    ) -> Self {
        let (stop, stopped) = watch::channel(false);
        let feed = tokio::spawn(async move { feed.run(deliveries, stopped).await.unwrap() });
        Self { stop, taken, feed }
    }

    /// What has come, thing by thing.
    pub fn lines(&self) -> Vec<String> {
        let taken = self.taken.lock().unwrap();
        taken.iter().flatten().map(line_of).collect()
    }

    /// What has come, delivery by delivery.
    pub fn deliveries(&self) -> Vec<Vec<Item>> {
        self.taken.lock().unwrap().clone()
    }

    /// Waits until that many things have come.
    pub async fn came(&self, things: usize) -> Vec<String> {
        let come = async {
            while self.lines().len() < things {
                sleep(Duration::from_millis(5)).await;
            }
        };
        let waited = timeout(LONG, come).await;
        waited.unwrap_or_else(|_| panic!("{things} were to come: {:?}", self.lines()));
        self.lines()
    }

    /// Waits until the feed has ended.
    pub async fn ended(&mut self) -> Ended {
        let ended = timeout(LONG, &mut self.feed).await;
        ended.expect("it does not hang").expect("it does not panic")
    }

    /// Stops the feed and waits until it has.
    pub async fn stopped(&mut self) -> Ended {
        self.stop.send(true).unwrap();
        self.ended().await
    }
}
