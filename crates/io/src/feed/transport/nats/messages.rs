//! The messages of a consumer, taken together as they come.

use async_nats::jetstream::AckKind;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::message::Acker;
use tokio_stream::StreamExt;

use super::together::{at_once, together};
use crate::feed::decoder::Decoder;
use crate::feed::{EventAttributes, EventFault, Item, RefusedRecord};
use crate::limits::{MOST_DELIVERY_ITEMS, MOST_HEAD_BYTES, NATS_EXPIRES, NATS_HEARTBEAT};
use crate::record::framing::FrameFault;
use crate::record::outside;

/// The messages of a consumer.
pub(super) struct Messages(pull::Stream);

/// A message, once its answer is known to be of JetStream.
pub(super) struct Received {
    pub(super) acker: Acker,
    /// The number of the message in the stream.
    pub(super) sequence: u64,
    /// True if the server sent the message before.
    pub(super) is_again: bool,
    /// The number of messages that wait behind it in the stream.
    pub(super) waiting: u64,
    message: async_nats::Message,
}

impl Messages {
    /// Asks for messages, at most `most` at once.
    pub(super) async fn of(consumer: &PullConsumer, most: usize) -> Result<Self, String> {
        let stream = consumer.stream();
        let stream = stream.max_messages_per_batch(most.min(MOST_DELIVERY_ITEMS));
        let stream = stream.heartbeat(NATS_HEARTBEAT).expires(NATS_EXPIRES);
        let stream = stream.messages().await;
        stream.map(Self).map_err(|error| error.to_string())
    }

    /// Returns the messages that have come, at least one. A call that is dropped loses none.
    pub(super) async fn next(&mut self) -> Result<Vec<Received>, String> {
        let mut received = (&mut self.0).map(|message| {
            let message = message.map_err(|error| error.to_string())?;
            received(message)
        });
        together(&mut received, |received| received.message.payload.len()).await
    }

    /// Gives back the messages that have come and were not handed over, so that they can be sent
    /// again at once.
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
    /// Reads the message into an item, or returns `None` if `where` leaves it out.
    pub(super) fn read(&self, decoder: &mut Decoder, max_length: usize) -> Option<Item> {
        let bytes = &*self.message.payload;
        if bytes.len() > max_length {
            let head = &bytes[..bytes.len().min(MOST_HEAD_BYTES)];
            return decoder.message(head, self.sequence, Some(FrameFault::TooLong));
        }
        match self.enveloped(bytes) {
            Ok(None) => decoder.message(bytes, self.sequence, None),
            Ok(Some(envelope)) => decoder.message(envelope.as_bytes(), self.sequence, None),
            Err(error) => Some(Item::Refused(RefusedRecord {
                line: self.sequence,
                error,
                record: String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_HEAD_BYTES)]).into(),
            })),
        }
    }

    /// Returns the envelope of a CloudEvent in binary mode, which has its attributes in headers.
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
                let data = outside::value(bytes)
                    .map_err(|error| format!("the data of the event is no JSON: {error}"))?;
                Ok(Some(event.envelope(data)))
            }
            Err(EventFault(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::consumer;
    use super::super::tests::doubles::{Broker, context, message, plain, wanted};
    use super::*;
    use crate::feed::transport::tests::doubles::spec;
    use crate::nats::connect;
    use crate::secrets::NatsSecrets;

    #[tokio::test]
    async fn a_message_says_its_number_and_whether_it_was_sent_before() {
        let context = context().await;
        for (sent, is_again) in [(1, false), (2, true), (3, true)] {
            let received = received(message(&context, (17, sent, "x"), &[])).unwrap();
            let found = (received.sequence, received.is_again, received.waiting);
            assert_eq!(found, (17, is_again, 9));
        }
        let mut other = message(&context, (17, 1, "x"), &[]);
        other.message.reply = Some("_INBOX.x".into());
        assert!(received(other).is_err());
    }

    /// Reads a message with this payload and these headers: its id, or the error and the kept part.
    async fn read(payload: &str, headers: &[(&str, &str)]) -> Result<String, (String, String)> {
        let context = context().await;
        let received = received(message(&context, (17, 1, payload), headers)).unwrap();
        let mut decoder = Decoder::new(&spec(), Arc::default(), 1);
        match received.read(&mut decoder, 300) {
            Some(Item::Candidate(person)) => Ok(person.id.into()),
            Some(Item::Refused(refused)) => {
                assert_eq!(refused.line, 17);
                Err((refused.error, refused.record.into()))
            }
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_message_may_have_a_length() {
        let of = |length: usize| {
            let text = "{\"id\":\"a\",\"x\":1}";
            text.replace('}', &(" ".repeat(length - text.len()) + "}"))
        };
        for length in [20, 300] {
            let id = read(&of(length), &[]).await;
            assert_eq!(id.as_deref(), Ok("a"), "{length}");
        }
        for length in [301, 900] {
            let text = of(length);
            let (error, kept) = read(&text, &[]).await.unwrap_err();
            assert!(error.starts_with("the line is longer than one may be"));
            assert_eq!(kept, format!("{}…", &text[..MOST_HEAD_BYTES]));
        }
    }

    /// Without an `id` of its own a person is called by the event's, or by the message's number.
    #[tokio::test]
    async fn an_event_in_binary_mode_names_its_person() {
        let event = [
            ("Ce-SpecVersion", "1.0"),
            ("ce-source", "/s"),
            ("CE-ID", "8"),
        ];
        let other = [("content-type", "application/json")];
        let text = "{\"x\":1}";
        assert_eq!(read(text, &[]).await.as_deref(), Ok("17"));
        assert_eq!(read(text, &other).await.as_deref(), Ok("17"));
        assert_eq!(read(text, &event).await.as_deref(), Ok("/s 8"));
        let (error, kept) = read("{\"x\":", &event).await.unwrap_err();
        assert!(error.starts_with("the data of the event is no JSON: "));
        assert_eq!(kept, "{\"x\":");
        let long = "x".repeat(250);
        let (error, kept) = read(&long, &event[1..]).await.unwrap_err();
        assert!(error.ends_with("`ce-specversion` is missing"), "{error}");
        assert_eq!(kept, long[..MOST_HEAD_BYTES]);
    }

    /// Sends messages of these lengths together; how many are taken at once, and then.
    async fn taken(lengths: &[usize]) -> (usize, usize) {
        let mut broker = Broker::of(&plain()).await;
        let client = connect(&broker.url, &NatsSecrets::default(), "test", |_| {})
            .await
            .unwrap();
        let wanted = wanted(&broker.url);
        let consumer = consumer::open(&client, &wanted).await.unwrap();
        let mut messages = Messages::of(&consumer, 4096).await.unwrap();
        // The first look asks the server for messages.
        assert!(at_once(&mut messages.0).await.is_none());
        broker.asked().await;
        let texts: Vec<String> = lengths.iter().map(|n| "x".repeat(*n)).collect();
        let all = (1..).zip(&texts).map(|(number, text)| (number, 1, &**text));
        broker.send(&all.collect::<Vec<_>>());
        broker.settled().await;
        let first = messages.next().await.unwrap();
        let second = messages.next().await.unwrap();
        let numbers = first.iter().chain(&second).map(|one| one.sequence);
        assert!(numbers.eq(1..=(first.len() + second.len()) as u64));
        (first.len(), second.len())
    }

    #[tokio::test]
    async fn what_has_come_is_taken_together_up_to_a_number_and_bytes() {
        let (third, half) = (300 << 10, 512 << 10);
        assert_eq!(
            taken(&[1; MOST_DELIVERY_ITEMS + 2]).await,
            (MOST_DELIVERY_ITEMS, 2)
        );
        assert_eq!(taken(&[10, third, third, third, third, 1]).await, (5, 1));
        assert_eq!(taken(&[half, half, 1, 1]).await, (2, 2));
        assert_eq!(taken(&[half, half - 1, 1, 1]).await, (3, 1));
        // One that is longer is taken by itself.
        assert_eq!(taken(&[2 * half + 1, 9]).await, (1, 1));
    }
}
