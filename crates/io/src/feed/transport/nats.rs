//! Records from a stream of NATS JetStream, by a durable consumer. Each message is a record, and is
//! acknowledged once the journal has it.

mod consumer;
mod messages;
mod promise;
mod refused;
mod together;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::sleep;
use tracing::warn;

use self::messages::{Messages, Received};
pub(super) use self::promise::promised;
use self::refused::RefusedMessages;
use super::carry::{Ended, Feed, stopped};
use crate::feed::decoder::Decoder;
use crate::feed::link::FeedLink;
use crate::feed::{Delivery, FeedSpec, Item, NatsConsumer, Receipt, Taken};
use crate::limits::{MOST_DELIVERIES_IN_FLIGHT, NATS_FLUSH, NATS_PAUSE};
use crate::nats::{Change, Client, connect};
use kleroterion_core::problem::Problem;
use kleroterion_core::source::FeedError;

/// A feed from a durable consumer.
pub(super) struct Nats {
    client: Client,
    consumer: PullConsumer,
    most: usize,
    spec: FeedSpec,
    link: Arc<FeedLink>,
}

impl Nats {
    /// Connects, and finds or creates the consumer.
    pub(super) async fn open(wanted: &NatsConsumer, spec: &FeedSpec) -> Result<Self, Problem> {
        let link = Arc::new(FeedLink::default());
        let seen = Arc::clone(&link);
        let url = wanted.url.clone();
        let client = connect(
            &wanted.url,
            &wanted.secrets,
            "klero feed",
            move |change| match change {
                Change::Made => seen.is_made(),
                Change::Lost => {
                    seen.is_lost();
                    warn!(%url, "the connection to NATS is lost; klero connects again");
                }
                Change::Closed => seen.is_closed(),
            },
        )
        .await?;
        let consumer = consumer::open(&client, wanted).await?;
        link.is_made();
        Ok(Self {
            client,
            consumer,
            most: wanted.max_ack_pending as usize,
            spec: spec.clone(),
            link,
        })
    }
}

#[async_trait]
impl Feed for Nats {
    fn link(&self) -> Option<Arc<FeedLink>> {
        Some(Arc::clone(&self.link))
    }

    async fn run(
        self: Box<Self>,
        deliveries: mpsc::Sender<Delivery>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Ended, FeedError> {
        let Self {
            client,
            consumer,
            most,
            spec,
            link,
        } = *self;
        let mut carrier = Carrier {
            decoder: Decoder::new(&spec, Arc::new(AtomicU64::new(0)), 1),
            spec,
            deliveries,
            link,
            waiting: VecDeque::new(),
            refused: RefusedMessages::default(),
        };
        let ended = loop {
            let lost = match Messages::of(&consumer, most).await {
                Ok(messages) => match carrier.follow(messages, &mut stop).await {
                    Why::Ended(ended) => break ended,
                    Why::Lost(why) => why,
                },
                Err(why) => why,
            };
            warn!(why = lost, "the stream can't be read; klero tries again");
            tokio::select! {
                biased;
                () = stopped(&mut stop) => break Ended::Stopped,
                () = carrier.deliveries.closed() => break Ended::Untaken,
                () = sleep(NATS_PAUSE) => {}
            }
        };
        let settled = carrier.settle().await;
        // What is acknowledged leaves before the program ends.
        drop(tokio::time::timeout(NATS_FLUSH, client.flush()).await);
        Ok(match (ended, settled) {
            (Ended::Stopped, Err(Untaken)) => Ended::Untaken,
            (ended, _) => ended,
        })
    }
}

/// The reason why reading from a stream of messages stopped.
enum Why {
    /// The feed is over.
    Ended(Ended),
    /// The stream broke off.
    Lost(String),
}

/// The recorder is gone.
struct Untaken;

/// A message that was handed over.
struct Handed {
    acker: Acker,
    /// The number of the message in the stream.
    sequence: u64,
    /// True if the message gave an item; false if `where` left it out.
    is_item: bool,
    /// True if the message could not be read.
    is_refused: bool,
}

/// Hands messages over, and acknowledges them.
struct Carrier {
    decoder: Decoder,
    spec: FeedSpec,
    deliveries: mpsc::Sender<Delivery>,
    link: Arc<FeedLink>,
    waiting: Waiting,
    refused: RefusedMessages,
}

/// The deliveries that were handed over and are not acknowledged yet.
type Waiting = VecDeque<(oneshot::Receiver<Receipt>, Vec<Handed>)>;

impl Carrier {
    /// Reads messages until the feed is over or they break off.
    async fn follow(&mut self, mut messages: Messages, stop: &mut watch::Receiver<bool>) -> Why {
        loop {
            let has_room = self.waiting.len() < MOST_DELIVERIES_IN_FLIGHT;
            let waits = !self.waiting.is_empty();
            tokio::select! {
                biased;
                () = stopped(stop) => {
                    messages.give_back().await;
                    return Why::Ended(Ended::Stopped);
                }
                () = self.deliveries.closed() => return Why::Ended(Ended::Untaken),
                settled = receive(&mut self.waiting, &mut self.refused), if waits => {
                    if settled.is_err() {
                        return Why::Ended(Ended::Untaken);
                    }
                }
                got = messages.next(), if has_room => {
                    let got = match got {
                        Ok(got) => got,
                        Err(why) => return Why::Lost(why),
                    };
                    match self.hand(got).await {
                        Ok(None) => {}
                        Ok(Some(halted)) => return Why::Ended(Ended::Halted(halted)),
                        Err(Untaken) => return Why::Ended(Ended::Untaken),
                    }
                }
            }
        }
    }

    /// Hands messages over in one delivery. Returns the reason for the feed's end, if it is to end
    /// there.
    async fn hand(&mut self, got: Vec<Received>) -> Result<Option<String>, Untaken> {
        let mut delivery = Delivery::default();
        let (mut handed, mut halted) = (Vec::with_capacity(got.len()), None);
        for received in got {
            self.link.note(received.is_again, received.waiting);
            // A server that was killed may not know that it sent it before.
            if self.refused.has(received.sequence) {
                drop(received.acker.ack().await);
                continue;
            }
            let item = received.read(&mut self.decoder, self.spec.max_length);
            handed.push(Handed {
                acker: received.acker,
                sequence: received.sequence,
                is_item: item.is_some(),
                is_refused: matches!(item, Some(Item::Refused(_))),
            });
            halted = item.as_ref().and_then(|item| self.halting(item));
            match item {
                Some(item) => delivery.items.push(item),
                None => delivery.left_out += 1,
            }
            if halted.is_some() {
                break;
            }
        }
        self.decoder.take_left_out();
        if handed.is_empty() {
            return Ok(None);
        }
        let (receipt, answer) = oneshot::channel();
        delivery.receipt = Some(receipt);
        let sent = self.deliveries.send(delivery).await;
        sent.map_err(|_| Untaken)?;
        self.waiting.push_back((answer, handed));
        Ok(halted)
    }

    /// Returns the reason for the feed's end if this item is an unreadable record that ends it.
    fn halting(&self, item: &Item) -> Option<String> {
        match item {
            Item::Refused(refused) if self.spec.halts() => {
                Some(format!("message {}: {}", refused.line, refused.error))
            }
            _ => None,
        }
    }

    /// Waits until all messages handed over are committed, and acknowledges them.
    async fn settle(&mut self) -> Result<(), Untaken> {
        while !self.waiting.is_empty() {
            receive(&mut self.waiting, &mut self.refused).await?;
        }
        Ok(())
    }
}

/// Waits for the first receipt, and acknowledges the messages that the journal has.
async fn receive(waiting: &mut Waiting, refused: &mut RefusedMessages) -> Result<(), Untaken> {
    // Looked at, not taken: a wait that is given up loses no receipt.
    let Some((answer, _)) = waiting.front_mut() else {
        return Ok(());
    };
    let receipt = answer.await;
    let (_, handed) = waiting.pop_front().ok_or(Untaken)?;
    let receipt = receipt.map_err(|_| Untaken)?;
    let mut taken = receipt.taken.into_iter();
    for message in handed {
        let is_kept = match message.is_item {
            true => !matches!(taken.next(), None | Some(Taken::Over)),
            false => true,
        };
        if message.is_refused {
            refused.note(message.sequence);
        }
        // One whose acknowledgement is lost comes again, and is known then.
        if is_kept && let Err(error) = message.acker.ack().await {
            warn!(%error, "a message can't be acknowledged; it will come again");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
