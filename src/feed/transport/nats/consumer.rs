//! The durable consumer of a feed: found, or made.

use async_nats::jetstream::consumer::{self, AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::{self, context::GetStreamErrorKind, stream::Stream};

use crate::feed::{NatsConsumer, NatsDeliver};
use crate::nats::Client;
use crate::problem::Problem;

/// The consumer that a config wants.
pub(super) async fn open(client: &Client, wanted: &NatsConsumer) -> Result<PullConsumer, Problem> {
    let context = jetstream::new(client.clone());
    let stream = context.get_stream(&*wanted.stream).await.map_err(|error| {
        let NatsConsumer { stream, url, .. } = wanted;
        let what = format!("the stream {stream:?} can't be had from {url}: {error}");
        let help = match error.kind() {
            GetStreamErrorKind::JetStream(error) if error.code() == 404 => format!(
                "make it first, for example: nats stream add {stream} --subjects '{}'",
                wanted.subject.as_deref().unwrap_or("people.>")
            ),
            GetStreamErrorKind::InvalidStreamName => {
                "a stream's name has no blanks, dots, slashes, * or >".to_owned()
            }
            _ => "does that server have JetStream (`nats-server -js`)?".to_owned(),
        };
        Problem::of_request(what).help(help)
    })?;
    meets(wanted, &stream.cached_info().config.subjects)?;
    let begun = match stream.consumer_info(&*wanted.durable).await {
        Ok(found) => {
            check(&found.config, wanted)?;
            // It can't be changed.
            Some(found.config.deliver_policy)
        }
        Err(_) => None,
    };
    made(&stream, config(wanted, begun), wanted).await
}

/// Makes the consumer, or changes the one that is there.
async fn made(
    stream: &Stream,
    config: pull::Config,
    wanted: &NatsConsumer,
) -> Result<PullConsumer, Problem> {
    stream.create_consumer(config).await.map_err(|error| {
        let NatsConsumer {
            stream, durable, ..
        } = wanted;
        let what =
            format!("the consumer {durable:?} of the stream {stream:?} can't be had: {error}");
        let help = "does the server allow it? `nats stream info` shows what it says of the stream";
        Problem::of_request(what).help(help)
    })
}

fn config(wanted: &NatsConsumer, begun: Option<DeliverPolicy>) -> pull::Config {
    pull::Config {
        durable_name: Some(wanted.durable.to_string()),
        description: Some("people of a live run of klero".to_owned()),
        deliver_policy: begun.unwrap_or(match wanted.deliver {
            NatsDeliver::All => DeliverPolicy::All,
            NatsDeliver::New => DeliverPolicy::New,
        }),
        ack_policy: AckPolicy::Explicit,
        ack_wait: wanted.ack_wait,
        max_ack_pending: i64::from(wanted.max_ack_pending),
        filter_subject: wanted.subject.as_deref().unwrap_or_default().to_owned(),
        ..pull::Config::default()
    }
}

/// Refuses a subject that no message of the stream can have: its consumer would wait for ever.
fn meets(wanted: &NatsConsumer, subjects: &[String]) -> Result<(), Problem> {
    let Some(subject) = wanted.subject.as_deref() else {
        return Ok(());
    };
    // A stream that copies others has no subjects of its own.
    if subjects.is_empty() || subjects.iter().any(|own| may_be_one(own, subject)) {
        return Ok(());
    }
    let what = format!(
        "no message of the stream {:?} has the subject {subject}",
        wanted.stream
    );
    let help = format!(
        "its subjects are {}: set `subject` to one of them",
        subjects.join(", ")
    );
    Err(Problem::of_request(what).help(help))
}

/// Whether a subject can match both.
fn may_be_one(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(">"), Some(_)) | (Some(_), Some(">")) => return true,
            (Some(one), Some(other)) if one == other || one == "*" || other == "*" => {}
            _ => return false,
        }
    }
}

/// Refuses a consumer that is there and is another.
fn check(own: &consumer::Config, wanted: &NatsConsumer) -> Result<(), Problem> {
    let refused = |what: String| {
        let NatsConsumer {
            stream, durable, ..
        } = wanted;
        let what = format!("the consumer {durable:?} of the stream {stream:?} {what}");
        let help =
            format!("take another `durable`, or remove it: nats consumer rm {stream} {durable}");
        Err(Problem::of_request(what).help(help))
    };
    if own.deliver_subject.is_some() {
        return refused("pushes its messages".to_owned());
    }
    if own.ack_policy != AckPolicy::Explicit {
        return refused("does not acknowledge each message by itself".to_owned());
    }
    let subject = wanted.subject.as_deref().unwrap_or_default();
    if own.filter_subject != subject || !own.filter_subjects.is_empty() {
        let all = if own.filter_subject.is_empty() {
            "all subjects"
        } else {
            &own.filter_subject
        };
        return refused(format!("takes {all}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::may_be_one;

    #[test]
    fn subjects_meet_where_a_message_can_have_both() {
        for (a, b, meet) in [
            ("people.>", "people.berlin", true),
            ("people.>", "people", false),
            ("people.*", "people.a.b", false),
            ("people.*.b", "people.a.>", true),
            ("*.a", "people.*", true),
            (">", "x", true),
            ("people", "animals", false),
        ] {
            assert_eq!(
                (may_be_one(a, b), may_be_one(b, a)),
                (meet, meet),
                "{a} {b}"
            );
        }
    }
}
