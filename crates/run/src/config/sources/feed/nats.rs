//! The source `type = "nats"`: a durable consumer of a stream of NATS JetStream.

use super::monitor::monitors_of;
use crate::catalog::param::{Param, Shape};
use crate::config::nats::{URL, url_of};
use crate::config::seconds::time;
use crate::document::{Field, Reader};
use crate::limits::{MOST_UNACKNOWLEDGED, NATS_ACK_WAIT};
use kleroterion_io::feed::{NatsConsumer, NatsDeliver, NatsSync};

/// The keys of a source of this type.
pub(super) const KEYS: &[Param] = &[
    Param::new("url", Shape::Text, "the servers, separated by commas").or(URL),
    Param::new("stream", Shape::Text, "the stream that holds the records")
        .needed()
        .like("stream = \"PEOPLE\""),
    Param::new(
        "subject",
        Shape::Text,
        "the subject of the records; all of the stream where there is none",
    ),
    Param::new(
        "durable",
        Shape::Text,
        "the name of this run's consumer, by which the server knows what was acknowledged",
    )
    .needed()
    .like("durable = \"run1\""),
    Param::new(
        "deliver",
        Shape::Word(&["all", "new"]),
        "where a new consumer begins: with what the stream holds, or with what comes",
    )
    .or("all"),
    Param::new(
        "ack_wait",
        Shape::Text,
        "after which time a message comes again that was not acknowledged",
    )
    .or("30s"),
    Param::new(
        "max_ack_pending",
        Shape::Whole(1, 1 << 16),
        "how many messages may be unacknowledged at once",
    )
    .or("4096"),
    Param::new(
        "monitor",
        Shape::Text,
        "the monitoring address of each server, separated by commas: how it syncs is asked there",
    )
    .like("monitor = \"http://127.0.0.1:8222\""),
    Param::new(
        "sync",
        Shape::Word(&["always", "any"]),
        "when a server must have synced what it acknowledges to senders: before, or at any time",
    )
    .or("always"),
];

/// The consumer that the table describes.
pub(super) fn consumer(table: &mut Reader<'_>) -> Option<NatsConsumer> {
    let kind = table.get("type");
    let url = table.get("url").optional(url_of);
    let stream = table.need("stream", "stream = \"PEOPLE\"");
    let stream = name(&stream, "a stream");
    let subject = table.get("subject").optional(subject_of);
    let durable = table.need("durable", "durable = \"run1\"");
    let durable = name(&durable, "a consumer");
    let words = [("all", NatsDeliver::All), ("new", NatsDeliver::New)];
    let deliver = table.get("deliver").optional(|word| word.choice(&words));
    let ack_wait = table.get("ack_wait").optional(time);
    let most = table.get("max_ack_pending");
    let most = most.optional(|field| field.whole_in(1..=1 << 16));
    let monitors = table.get("monitor").optional(monitors_of);
    let words = [("always", NatsSync::Always), ("any", NatsSync::Any)];
    let sync = table.get("sync").optional(|word| word.choice(&words));
    if cfg!(not(feature = "nats")) {
        return kind.refused(
            "this klero was built without NATS",
            "install it with: cargo install kleroterion --features nats",
        );
    }
    Some(NatsConsumer {
        url: url.or(URL.into())?,
        stream: stream?,
        subject: subject.unless_bad()?,
        durable: durable?,
        deliver: deliver.or(NatsDeliver::default())?,
        ack_wait: ack_wait.or(NATS_ACK_WAIT)?,
        max_ack_pending: most.or(MOST_UNACKNOWLEDGED)? as u32,
        monitors: monitors.or(Box::default())?,
        sync: sync.or(NatsSync::default())?,
    })
}

/// A name as the server takes it.
fn name(field: &Field<'_>, of: &str) -> Option<Box<str>> {
    let text = field.text()?;
    let is_plain = |c: char| !(c.is_whitespace() || c.is_control() || ".*>/\\".contains(c));
    if text.is_empty() || !text.chars().all(is_plain) {
        return field.refused(
            format!("{text:?} is no name of {of}"),
            "a name has no blanks, dots, slashes, * or >",
        );
    }
    Some(text.into())
}

/// A subject, which may have wildcards.
fn subject_of(field: &Field<'_>) -> Option<Box<str>> {
    let text = field.text()?;
    let tokens: Vec<&str> = text.split('.').collect();
    let is_sound = |(at, token): (usize, &&str)| match *token {
        "" => false,
        ">" => at + 1 == tokens.len(),
        "*" => true,
        token => !token.contains(|c: char| c.is_whitespace() || c == '*' || c == '>'),
    };
    if !tokens.iter().enumerate().all(is_sound) {
        return field.refused(
            format!("{text:?} is no subject"),
            "words with dots between them, where * is any word and a last > any further ones: \
             subject = \"people.berlin\"",
        );
    }
    Some(text.into())
}
