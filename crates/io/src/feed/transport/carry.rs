//! Carrying a stream of bytes: its records are handed over until it ends.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use async_trait::async_trait;
use tokio::sync::{mpsc, watch};

use crate::feed::courier::{Courier, Over};
use crate::feed::decoder::Decoder;
use crate::feed::delivery::Delivery;
use crate::feed::items::Item;
use crate::feed::link::FeedLink;
use crate::feed::spec::FeedSpec;
use crate::limits::READ_BYTES;
use kleroterion_core::source::FeedError;

/// The reason why a feed ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The source has no more records.
    Source,
    /// `stop` became true.
    Stopped,
    /// The receiver is gone.
    Untaken,
    /// A record could not be read, and `on_error = "halt"`; the record and the reason.
    Halted(String),
}

/// A source of records from outside, delivered as they come.
#[async_trait]
pub trait Feed: Send {
    /// Returns the address at which the feed listens, or `None` if it does not listen. The port is
    /// the real one, even if the config asks for any port (0).
    fn address(&self) -> Option<SocketAddr> {
        None
    }

    /// Returns the state of the connection to a server elsewhere, or `None` if there is none.
    fn link(&self) -> Option<Arc<FeedLink>> {
        None
    }

    /// Hands over all records until no more come, `stop` is true, or the receiver is gone. Records
    /// that came together form one delivery. The feed waits for receipts in their order, with few
    /// deliveries in flight. A caller that stops the feed must still answer receipts, or drop the
    /// receiver.
    ///
    /// # Errors
    /// What it reads from can't be read on.
    async fn run(
        self: Box<Self>,
        deliveries: mpsc::Sender<Delivery>,
        stop: watch::Receiver<bool>,
    ) -> Result<Ended, FeedError>;
}

/// A source of bytes.
pub(super) trait Chunks: Send {
    /// Puts the bytes that have come into the empty buffer; none at the end. A call that is dropped
    /// loses nothing.
    fn next(&mut self, buffer: &mut Vec<u8>) -> impl Future<Output = io::Result<()>> + Send;
}

/// The reason why a stream of bytes is read no further.
pub(super) enum Why {
    End,
    Stopped,
    Over(Over),
}

/// Hands over the records of a stream of bytes until it ends. A last line without a line end stays
/// in the decoder.
pub(super) async fn carry(
    chunks: &mut impl Chunks,
    decoder: &mut Decoder,
    courier: &mut Courier,
    stop: &mut watch::Receiver<bool>,
) -> io::Result<Why> {
    let mut buffer = Vec::with_capacity(READ_BYTES);
    let mut items = Vec::new();
    loop {
        buffer.clear();
        tokio::select! {
            biased;
            () = stopped(stop) => return Ok(Why::Stopped),
            () = courier.untaken() => return Ok(Why::Over(Over::Untaken)),
            read = chunks.next(&mut buffer) => read?,
        }
        if buffer.is_empty() {
            return Ok(Why::End);
        }
        decoder.push(&buffer, |_, item| items.push(item));
        let lost = decoder
            .is_lost()
            .then(|| lost(items.last(), decoder.is_unnamed()));
        if let Err(over) = courier.hand(&mut items, decoder.take_left_out()).await {
            return Ok(Why::Over(over));
        }
        if let Some(lost) = lost {
            let settled = courier.settle().await;
            return Ok(Why::Over(settled.err().unwrap_or(Over::Lost(lost))));
        }
    }
}

/// Returns the error of the row of column names, or of the length, that could not be read.
fn lost(last: Option<&Item>, is_unnamed: bool) -> String {
    let (line, why) = match last {
        Some(Item::Refused(refused)) => (refused.line, &*refused.error),
        _ => (1, "it can't be read"),
    };
    let what = match is_unnamed {
        true => format!("line {line} can't name the columns"),
        false => format!("message {line} can't be found"),
    };
    format!("{what}, and nothing after it is read: {why}")
}

/// Hands over the last line, and waits until all records are accounted for.
pub(super) async fn end(decoder: &mut Decoder, courier: &mut Courier) -> Result<(), Over> {
    let mut items = Vec::new();
    decoder.finish(|_, item| items.push(item));
    courier.hand(&mut items, decoder.take_left_out()).await?;
    courier.settle().await
}

/// Carries a whole stream, to its end.
pub(super) async fn whole(
    mut chunks: impl Chunks,
    spec: &FeedSpec,
    numbers: Arc<AtomicU64>,
    deliveries: mpsc::Sender<Delivery>,
    mut stop: watch::Receiver<bool>,
) -> Result<Ended, FeedError> {
    let mut decoder = Decoder::new(spec, numbers, 1);
    let mut courier = Courier::new(deliveries, spec.on_error);
    let why = carry(&mut chunks, &mut decoder, &mut courier, &mut stop).await;
    match why.map_err(unread)? {
        Why::End => ended(end(&mut decoder, &mut courier).await, Ended::Source),
        Why::Stopped => ended(courier.settle().await, Ended::Stopped),
        Why::Over(over) => ended(Err(over), Ended::Source),
    }
}

pub(super) fn ended(over: Result<(), Over>, else_: Ended) -> Result<Ended, FeedError> {
    Ok(match over {
        Ok(()) => else_,
        Err(Over::Untaken) => Ended::Untaken,
        Err(Over::Halted(error)) => Ended::Halted(error),
        Err(Over::Lost(error)) => return Err(FeedError(error)),
    })
}

pub(super) fn unread(error: io::Error) -> FeedError {
    FeedError(format!("the feed can't be read on: {error}"))
}

/// Waits until `stop` is true.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        // Whoever could say so is gone.
        std::future::pending::<()>().await;
    }
}
