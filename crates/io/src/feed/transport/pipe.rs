//! Records from the standard input, or from another reader whose calls block.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;

use async_trait::async_trait;
use tokio::sync::{mpsc, watch};

use super::carry::{Chunks, Ended, Feed, unread, whole};
use crate::feed::{Delivery, FeedSpec};
use crate::limits::{MOST_CHUNKS_AHEAD, READ_BYTES};
use kleroterion_core::source::FeedError;

/// A feed from a reader whose calls block.
///
/// It is read on a detached thread, because a blocking read cannot be cancelled and must not keep
/// the program from ending.
pub struct Pipe {
    reader: Box<dyn Read + Send>,
    spec: FeedSpec,
    numbers: Arc<AtomicU64>,
}

impl Pipe {
    /// Creates a feed from the standard input; `numbers` counts the records that have come before.
    #[must_use]
    pub fn stdin(spec: &FeedSpec, numbers: Arc<AtomicU64>) -> Self {
        Self::new(Box::new(io::stdin()), spec, numbers)
    }

    /// Creates a feed from a reader.
    #[must_use]
    pub fn new(reader: Box<dyn Read + Send>, spec: &FeedSpec, numbers: Arc<AtomicU64>) -> Self {
        Self {
            reader,
            spec: spec.clone(),
            numbers,
        }
    }
}

#[async_trait]
impl Feed for Pipe {
    async fn run(
        self: Box<Self>,
        deliveries: mpsc::Sender<Delivery>,
        stop: watch::Receiver<bool>,
    ) -> Result<Ended, FeedError> {
        let Self {
            reader,
            spec,
            numbers,
        } = *self;
        let (sender, read) = mpsc::channel(MOST_CHUNKS_AHEAD);
        let named = thread::Builder::new().name("feed".into());
        named
            .spawn(move || pass_on(reader, &sender))
            .map_err(unread)?;
        whole(Received(read), &spec, numbers, deliveries, stop).await
    }
}

/// Reads on until the end, or until the receiver is dropped.
fn pass_on(mut reader: Box<dyn Read + Send>, sender: &mpsc::Sender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; READ_BYTES];
        let read = match reader.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => {
                chunk.truncate(length);
                Ok(chunk)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let broken = read.is_err();
        if sender.blocking_send(read).is_err() || broken {
            return;
        }
    }
}

/// The bytes that the thread has read.
struct Received(mpsc::Receiver<io::Result<Vec<u8>>>);

impl Chunks for Received {
    async fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        if let Some(chunk) = self.0.recv().await {
            *buffer = chunk?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io::{Cursor, ErrorKind};
    use std::sync::atomic::Ordering;
    use std::time::Instant;

    use super::*;
    use crate::feed::transport::tests::doubles::{self, Running, lines, people};
    use crate::feed::{
        Codec, Framing, OnError, Reading, ReadingSpec, Receipt, SlateEnd, Transport,
    };
    use kleroterion_core::source::Sizes;

    /// Not a test: what a stream of records of ten members costs, and who takes them takes no time
    /// (`cargo test --release --lib -- --ignored --nocapture what_a_stream_costs`).
    #[test]
    fn what_a_stream_costs() {
        // A measurement: of the long form.
        if std::env::var_os("KLERO_LONG").is_none() {
            return;
        }
        let line = |id| {
            format!(
                "{{\"id\":\"2019HU{id:07}\",\"SEX\":2,\"AGEP\":41,\"EDU\":3,\"mark\":1.5,\"street\":\"High Street 17\",\"town\":\"Xanten\",\"PINCP\":23000,\"RAC1P\":1,\"COW\":\"3\"}}\n"
            )
        };
        let persons = 1_000_000;
        let text: String = (0..persons).map(line).collect();
        let numeric = ["SEX", "AGEP", "EDU"].map(str::to_owned).to_vec();
        let reading = Reading::new(ReadingSpec {
            numeric,
            score: Some("mark".into()),
            ..ReadingSpec::default()
        });
        let spec = FeedSpec {
            transport: Transport::Stdin,
            framing: Framing::default(),
            max_length: 100 << 10,
            on_error: OnError::Skip,
            reading: Arc::new(reading.unwrap()),
            outcomes: None,
            outcome_range: None,
            horizon: None,
            slates: SlateEnd::Size(Sizes::Constant(1)),
            each: 1,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        for _ in 0..3 {
            let reader = Box::new(Cursor::new(text.clone().into_bytes()));
            let feed = Box::new(Pipe::new(reader, &spec, Arc::default()));
            let start = Instant::now();
            let taken = runtime.as_ref().unwrap().block_on(async {
                let (deliveries, mut came) = mpsc::channel::<Delivery>(4);
                let (_stop, stopped) = watch::channel(false);
                let take = async {
                    let mut taken = 0;
                    while let Some(delivery) = came.recv().await {
                        taken += delivery.items.len();
                        let _ = delivery.receipt.unwrap().send(Receipt::default());
                    }
                    taken
                };
                tokio::join!(feed.run(deliveries, stopped), take).1
            });
            assert_eq!(taken, persons);
            let rate = persons as f64 / start.elapsed().as_secs_f64();
            println!("{rate:.0} records a second");
        }
    }
    /// Reads as it is written down, then nothing; counts its calls.
    struct Script(VecDeque<io::Result<String>>, Arc<AtomicU64>);

    impl Script {
        fn of(reads: impl Into<VecDeque<io::Result<String>>>) -> (Box<Self>, Arc<AtomicU64>) {
            let calls = Arc::new(AtomicU64::new(0));
            (Box::new(Self(reads.into(), Arc::clone(&calls))), calls)
        }
    }

    impl Read for Script {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1.fetch_add(1, Ordering::Relaxed);
            let text = self.0.pop_front().unwrap_or_else(|| Ok(String::new()))?;
            buffer[..text.len()].copy_from_slice(text.as_bytes());
            Ok(text.len())
        }
    }

    #[tokio::test]
    async fn a_read_that_was_interrupted_is_tried_again() {
        let interrupted = || Err(ErrorKind::Interrupted.into());
        let reads = [interrupted(), Ok(lines([1])), interrupted(), Ok(lines([2]))];
        let pipe = Pipe::new(Script::of(reads).0, &doubles::spec(), Arc::default());
        assert!(pipe.address().is_none() && pipe.link().is_none());
        let mut running = Running::start(pipe);
        let mut came = running.next().await;
        if came.len() < 2 {
            came.extend(running.next().await);
        }
        assert_eq!(came, people([1, 2]));
        assert_eq!(running.ended().await, Ok(Ended::Source));
    }

    #[tokio::test]
    async fn a_pipe_that_breaks_ends_the_feed_with_an_error() {
        let reads = [Ok(lines([1])), Err(io::Error::other("torn"))];
        let pipe = Pipe::new(Script::of(reads).0, &doubles::spec(), Arc::default());
        let mut running = Running::start(pipe);
        assert_eq!(running.next().await, people([1]));
        let why = "the feed can't be read on: torn".to_owned();
        assert_eq!(running.ended().await, Err(FeedError(why)));
    }

    /// Not even whether there is more can be known.
    #[tokio::test]
    async fn a_pipe_whose_records_can_not_be_found_ends_the_feed_with_an_error() {
        let csv = Codec::Csv {
            delimiter: b',',
            columns: None,
        };
        let reading = ReadingSpec {
            numeric: vec!["x".into()],
            ..ReadingSpec::default()
        };
        let rows = FeedSpec {
            reading: Arc::new(Reading::new(reading).unwrap().coded(csv)),
            ..doubles::spec()
        };
        let counted = FeedSpec {
            framing: Framing::Counted,
            ..doubles::spec()
        };
        for (spec, text, words) in [
            (rows, "id,id\n1,2\n", "line 1 can't name the columns"),
            (counted, "x 12\n", "message 1 can't be found"),
        ] {
            let pipe = Pipe::new(Script::of([Ok(text.into())]).0, &spec, Arc::default());
            let mut running = Running::start(pipe);
            let came = running.next().await;
            let (_, why) = came[0].split_once(": ").unwrap();
            assert_eq!(came.len(), 1, "{came:?}");
            let why = format!("{words}, and nothing after it is read: {why}");
            assert_eq!(running.ended().await, Err(FeedError(why)));
        }
    }

    /// Whoever reads on from a broken pipe, or for a feed that is over, takes what others need.
    #[test]
    fn nothing_is_read_after_an_error_or_once_no_one_takes_it() {
        let text = || Ok("x".to_owned());
        let (reader, calls) = Script::of([text(), Err(io::Error::other("torn")), text()]);
        let (sender, mut read) = mpsc::channel(9);
        pass_on(reader, &sender);
        assert_eq!(calls.load(Ordering::Relaxed), 2);
        assert_eq!(read.blocking_recv().unwrap().unwrap(), b"x");
        assert!(read.blocking_recv().unwrap().is_err());

        let (reader, calls) = Script::of([text(), text()]);
        drop(read);
        pass_on(reader, &sender);
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }
}
