//! The source `type = "nats"`: a durable consumer of a stream of NATS JetStream.

use std::time::Duration;

use super::monitor::monitors_of;
use crate::config::keys::people::TYPE;
use crate::config::nats::URL;
use crate::config::seconds::time;
use crate::document::param::{Param, Shape};
use crate::document::{ConfigKey, Field, Reader};
use crate::keys;
use crate::limits::{MOST_UNACKNOWLEDGED, NATS_ACK_WAIT};
use kleroterion_io::feed::{NatsConsumer, NatsDeliver, NatsMonitor, NatsSync};
use kleroterion_io::secrets::NatsSecrets;

const STREAM: ConfigKey<Box<str>> =
    ConfigKey::of("stream", Shape::Text, |field| name(field, "a stream"))
        .about("the stream that holds the records")
        .needed_like("stream = \"PEOPLE\"");

const SUBJECT: ConfigKey<Box<str>> = ConfigKey::of("subject", Shape::Text, subject_of)
    .about("the subject of the records; all of the stream where there is none");

const DURABLE: ConfigKey<Box<str>> =
    ConfigKey::of("durable", Shape::Text, |field| name(field, "a consumer"))
        .about("the name of this run's consumer, by which the server knows what was acknowledged")
        .needed_like("durable = \"run1\"");

const DELIVER: ConfigKey<NatsDeliver> = ConfigKey::word(
    "deliver",
    &[("all", NatsDeliver::All), ("new", NatsDeliver::New)],
)
.about("where a new consumer begins: with what the stream holds, or with what comes")
.or_word("all");

const ACK_WAIT: ConfigKey<Duration> = ConfigKey::of("ack_wait", Shape::Text, time)
    .about("after which time a message comes again that was not acknowledged")
    .or(NATS_ACK_WAIT);

const MAX_ACK_PENDING: ConfigKey<u64> = ConfigKey::whole("max_ack_pending", 1, 1 << 16)
    .about("how many messages may be unacknowledged at once")
    .or(MOST_UNACKNOWLEDGED);

const MONITOR: ConfigKey<Box<[NatsMonitor]>> = ConfigKey::of("monitor", Shape::Text, monitors_of)
    .about(
        "the monitoring address of each server, separated by commas: how it syncs is asked there",
    )
    .like("monitor = \"http://127.0.0.1:8222\"");

const SYNC: ConfigKey<NatsSync> = ConfigKey::word(
    "sync",
    &[("always", NatsSync::Always), ("any", NatsSync::Any)],
)
.about("when a server must have synced what it acknowledges to senders: before, or at any time")
.or_word("always");

/// The keys of a source of this type.
pub(super) const KEYS: &[Param] = keys! {
    URL, STREAM, SUBJECT, DURABLE, DELIVER, ACK_WAIT, MAX_ACK_PENDING, MONITOR, SYNC,
};

/// The consumer that the table describes.
pub(super) fn consumer(table: &mut Reader<'_>, secrets: &NatsSecrets) -> Option<NatsConsumer> {
    let kind = TYPE.param.again(table);
    let (url, stream) = (URL.value(table), STREAM.value(table));
    let (subject, durable) = (SUBJECT.read(table), DURABLE.value(table));
    let (deliver, ack_wait) = (DELIVER.value(table), ACK_WAIT.value(table));
    let most = MAX_ACK_PENDING.value(table);
    let (monitors, sync) = (MONITOR.read(table), SYNC.value(table));
    if cfg!(not(feature = "nats")) {
        return kind.refused(
            "this klero was built without NATS",
            "install it with: cargo install kleroterion --features nats",
        );
    }
    Some(NatsConsumer {
        url: url?,
        secrets: secrets.clone(),
        stream: stream?,
        subject: subject.unless_bad()?,
        durable: durable?,
        deliver: deliver?,
        ack_wait: ack_wait?,
        max_ack_pending: most? as u32,
        monitors: monitors.or(Box::default())?,
        sync: sync?,
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
