//! Records from the standard input, or from whatever else is read as it is: with calls that block.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;

use async_trait::async_trait;
use tokio::sync::{mpsc, watch};

use super::carry::{CHUNK, Chunks, Ended, Feed, unread, whole};
use crate::feed::{Delivery, FeedSpec};
use crate::source::FeedError;

/// Chunks read ahead.
const AHEAD: usize = 2;

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
    /// The standard input; `numbers`: how many records have come before.
    #[must_use]
    pub fn stdin(spec: &FeedSpec, numbers: Arc<AtomicU64>) -> Self {
        Self::new(Box::new(io::stdin()), spec, numbers)
    }

    /// A feed from this reader.
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
        let (sender, read) = mpsc::channel(AHEAD);
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
        let mut chunk = vec![0; CHUNK];
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
    use std::io::Cursor;
    use std::time::Instant;

    use super::*;
    use crate::feed::{Framing, OnError, Reading, ReadingSpec, Receipt, SlateEnd, Transport};
    use crate::source::Sizes;

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
}
