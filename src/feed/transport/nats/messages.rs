//! Messages of a consumer, as many together as have come.

use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::message::Acker;
use serde_json::value::RawValue;
use tokio_stream::StreamExt;

use super::together::{TOGETHER, at_once, together};
use crate::feed::decoder::Decoder;
use crate::feed::{EventAttributes, EventFault, Item, RefusedRecord};
use crate::record::frame::FrameFault;

/// How often the server says that it is there where nothing comes.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How long a request for messages holds.
const EXPIRES: Duration = Duration::from_secs(30);
/// How many bytes are kept of a message that is too long.
const HEAD: usize = 200;

/// The messages of a consumer.
pub(super) struct Messages(pull::Stream);

/// A message, once its answer is known to be of JetStream.
pub(super) struct Received {
    pub(super) acker: Acker,
    /// Its number in the stream.
    pub(super) sequence: u64,
    /// Whether it was sent before.
    pub(super) is_again: bool,
    /// How many wait behind it.
    pub(super) waiting: u64,
    message: async_nats::Message,
}

impl Messages {
    /// Asks for messages, at most `most` at once.
    pub(super) async fn of(consumer: &PullConsumer, most: usize) -> Result<Self, String> {
        let stream = consumer.stream();
        let stream = stream.max_messages_per_batch(most.min(TOGETHER));
        let stream = stream.heartbeat(HEARTBEAT).expires(EXPIRES);
        let stream = stream.messages().await;
        stream.map(Self).map_err(|error| error.to_string())
    }

    /// The messages that have come, at least one. A call that is dropped loses none.
    pub(super) async fn next(&mut self) -> Result<Vec<Received>, String> {
        let mut received = (&mut self.0).map(|message| {
            let message = message.map_err(|error| error.to_string())?;
            received(message)
        });
        together(&mut received, |received| received.message.payload.len()).await
    }

    /// Gives back what has come and was not handed over: it can be sent again at once.
    pub(super) async fn give_back(&mut self) {
        while let Some(Ok(message)) = at_once(&mut self.0).await {
            drop(message.ack_with(AckKind::Nak(None)).await);
        }
    }
}

fn received(message: Message) -> Result<Received, String> {
    let info = message.info().map_err(|error| error.to_string())?;
    let (sequence, is_again, waiting) = (info.stream_sequence, info.delivered > 1, info.pending);
    let (message, acker) = message.split();
    Ok(Received {
        acker,
        sequence,
        is_again,
        waiting,
        message,
    })
}

impl Received {
    /// What the message brings; nothing where `where` leaves it out.
    pub(super) fn read(&self, decoder: &mut Decoder, max_length: usize) -> Option<Item> {
        let bytes = &*self.message.payload;
        if bytes.len() > max_length {
            let head = &bytes[..bytes.len().min(HEAD)];
            return decoder.message(head, self.sequence, Some(FrameFault::TooLong));
        }
        match self.enveloped(bytes) {
            Ok(None) => decoder.message(bytes, self.sequence, None),
            Ok(Some(envelope)) => decoder.message(envelope.as_bytes(), self.sequence, None),
            Err(error) => Some(Item::Refused(RefusedRecord {
                line: self.sequence,
                error,
                record: String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).into(),
            })),
        }
    }

    /// The envelope of a CloudEvent in binary mode, which has its attributes in headers.
    fn enveloped(&self, bytes: &[u8]) -> Result<Option<String>, String> {
        let Some(headers) = &self.message.headers else {
            return Ok(None);
        };
        let values = |name: &str| {
            let own = headers.iter();
            let named = own.filter(|(own, _)| AsRef::<str>::as_ref(own).eq_ignore_ascii_case(name));
            let values = named.flat_map(|(_, values)| values);
            values.map(|value| value.as_str().as_bytes()).collect()
        };
        match EventAttributes::of(values) {
            Ok(None) => Ok(None),
            Ok(Some(event)) => {
                let data: &RawValue = serde_json::from_slice(bytes)
                    .map_err(|error| format!("the data of the event is no JSON: {error}"))?;
                Ok(Some(event.envelope(data)))
            }
            Err(EventFault(error)) => Err(error),
        }
    }
}
