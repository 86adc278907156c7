//! Records from a tape: a recorded stream, played at once or at a multiple of its recorded pace.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use async_trait::async_trait;
use chrono::DateTime;
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::carry::{Chunks, Ended, Feed, ended, stopped, unread, whole};
use crate::feed::courier::{Courier, Over};
use crate::feed::decoder::Decoder;
use crate::feed::{Delivery, FeedSpec, Item, RefusedRecord};
use crate::limits::{LONGEST_WAIT, READ_BYTES};
use crate::record::cell::shown;
use crate::record::object;
use kleroterion_core::source::FeedError;

/// A feed from a recorded stream: NDJSON, each record with its time `at` (RFC 3339 or seconds) if
/// the pace matters. A record without a time comes together with the one before it.
pub struct Tape {
    path: PathBuf,
    speed: Option<f64>,
    spec: FeedSpec,
    numbers: Arc<AtomicU64>,
}

impl Tape {
    /// Creates a feed from a file, at a multiple of its pace or all at once; `numbers` counts the
    /// records that have come before.
    #[must_use]
    pub fn new(
        path: PathBuf,
        speed: Option<f64>,
        spec: &FeedSpec,
        numbers: Arc<AtomicU64>,
    ) -> Self {
        Self {
            path,
            speed,
            spec: spec.clone(),
            numbers,
        }
    }
}

#[async_trait]
impl Feed for Tape {
    async fn run(
        self: Box<Self>,
        deliveries: mpsc::Sender<Delivery>,
        stop: watch::Receiver<bool>,
    ) -> Result<Ended, FeedError> {
        let opened = File::open(&self.path).await;
        let file = opened.map_err(|error| {
            FeedError(format!("{} can't be opened: {error}", self.path.display()))
        })?;
        let Some(speed) = self.speed else {
            return whole(file, &self.spec, self.numbers, deliveries, stop).await;
        };
        let mut player = Player {
            decoder: Decoder::new(&self.spec, self.numbers, 1),
            courier: Courier::new(deliveries, self.spec.on_error),
            stop,
            speed,
            begun: None,
        };
        player.play(file).await
    }
}

impl Chunks for File {
    async fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        buffer.reserve(READ_BYTES);
        self.read_buf(buffer).await?;
        Ok(())
    }
}

/// Plays a tape at its pace.
struct Player {
    decoder: Decoder,
    courier: Courier,
    stop: watch::Receiver<bool>,
    speed: f64,
    /// The moment of the first record, by our clock and in seconds by the tape's.
    begun: Option<(Instant, f64)>,
}

/// The reason why the tape is played no further.
enum Cut {
    Stopped,
    Over(Over),
}

impl Player {
    async fn play(&mut self, mut file: File) -> Result<Ended, FeedError> {
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            file.next(&mut buffer).await.map_err(unread)?;
            let mut items = Vec::new();
            let last = buffer.is_empty();
            match last {
                true => self.decoder.finish(|line, item| items.push((line, item))),
                false => self
                    .decoder
                    .push(&buffer, |line, item| items.push((line, item))),
            }
            match self.send(items).await {
                Ok(()) if last => return ended(self.courier.settle().await, Ended::Source),
                Ok(()) => {}
                Err(Cut::Stopped) => return ended(self.courier.settle().await, Ended::Stopped),
                Err(Cut::Over(over)) => return ended(Err(over), Ended::Source),
            }
        }
    }

    /// Hands items over, each when it is due.
    async fn send(&mut self, items: Vec<(u64, Item)>) -> Result<(), Cut> {
        let mut ready = Vec::new();
        for (line, item) in items {
            let (item, due) = self.due(line, item);
            if let Some(due) = due.filter(|due| *due > Instant::now()) {
                self.courier.hand(&mut ready, 0).await.map_err(Cut::Over)?;
                tokio::select! {
                    biased;
                    () = stopped(&mut self.stop) => return Err(Cut::Stopped),
                    () = self.courier.untaken() => return Err(Cut::Over(Over::Untaken)),
                    () = sleep_until(due) => {}
                }
            }
            ready.push(item);
        }
        if *self.stop.borrow() {
            return Err(Cut::Stopped);
        }
        let left_out = self.decoder.take_left_out();
        let handed = self.courier.hand(&mut ready, left_out).await;
        handed.map_err(Cut::Over)
    }

    /// Returns an item with the moment at which it is due, if its record gives one. A candidate
    /// with an unreadable time becomes a refused record.
    fn due(&mut self, line: u64, item: Item) -> (Item, Option<Instant>) {
        let Item::Candidate(person) = &item else {
            return (item, None);
        };
        match arrival(&person.record) {
            Ok(None) => (item, None),
            Ok(Some(at)) => {
                let (begun, first) = *self.begun.get_or_insert_with(|| (Instant::now(), at));
                let wait = ((at - first) / self.speed).clamp(0.0, LONGEST_WAIT);
                (item, Some(begun + Duration::from_secs_f64(wait)))
            }
            Err(error) => {
                let record = (&*person.record).into();
                let refused = RefusedRecord {
                    line,
                    error,
                    record,
                };
                (Item::Refused(refused), None)
            }
        }
    }
}

/// Reads the time in a record's member `at`: RFC 3339, or seconds since some moment. A tape has one
/// of these kinds. Returns `None` if there is no `at`.
pub(in crate::feed) fn arrival(record: &str) -> Result<Option<f64>, String> {
    let members = object::members(record).map_err(|fault| fault.line())?;
    let Some(cell) = object::cell(&[members], "at").map_err(|fault| fault.line())? else {
        return Ok(None);
    };
    let number = cell.parse().ok().filter(|at: &f64| at.is_finite());
    let date = || {
        let date = DateTime::parse_from_rfc3339(&cell).ok()?;
        Some(date.timestamp_micros() as f64 / 1e6)
    };
    match number.or_else(date) {
        Some(at) => Ok(Some(at)),
        None => Err(format!(
            "{} in `at` is no time: write 2026-05-01T09:30:00Z, or seconds as a number",
            shown(&cell)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::transport::tests::doubles::{Running, spec};

    /// Records due at the same moment form one delivery, and the last line needs no line end.
    #[tokio::test(start_paused = true)]
    async fn records_come_at_a_multiple_of_their_pace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tape");
        let records = [
            r#"{"id":"1","x":1,"at":100}"#,
            r#"{"id":"2","x":1,"at":100}"#,
            r#"{"id":"3","x":1,"at":110}"#,
            r#"{"id":"4","x":1}"#,
            r#"{"id":"5","x":1,"at":90}"#,
            r#"{"id":"6","x":1,"at":120}"#,
        ];
        std::fs::write(&path, records.join("\n")).unwrap();
        let begun = Instant::now();
        let tape = Tape::new(path, Some(2.0), &spec(), Arc::default());
        let mut running = Running::start(tape);
        for (together, after) in [(0..2, 0), (2..5, 5), (5..6, 10)] {
            assert_eq!(running.next().await, &records[together]);
            // A clock of milliseconds.
            let elapsed = begun.elapsed() - Duration::from_secs(after);
            assert!(elapsed <= Duration::from_millis(2), "{after}: {elapsed:?}");
        }
        assert_eq!(running.ended().await, Ok(Ended::Source));
    }

    #[test]
    fn times_are_dates_or_seconds() {
        for (record, at) in [
            (r#"{"id":1}"#, None),
            (r#"{"at":null}"#, None),
            (r#"{"at":1.5}"#, Some(1.5)),
            (r#"{"at":"-2"}"#, Some(-2.0)),
            (r#"{"at":"1970-01-01T00:01:00Z"}"#, Some(60.0)),
            (r#"{"at":"1970-01-01T01:00:00.25+01:00"}"#, Some(0.25)),
        ] {
            assert_eq!(arrival(record), Ok(at), "{record}");
        }
        for record in [
            r#"{"at":"soon"}"#,
            r#"{"at":true}"#,
            r#"{"at":1e999}"#,
            r#"{"at":[1]}"#,
        ] {
            assert!(arrival(record).is_err(), "{record}");
        }
    }
}
