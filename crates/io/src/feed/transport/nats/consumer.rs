//! The durable consumer of a feed, which is found or created.

use async_nats::jetstream::consumer::{self, AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::{self, context::GetStreamErrorKind, stream::Stream};

use crate::feed::{NatsConsumer, NatsDeliver};
use crate::nats::Client;
use kleroterion_core::problem::Problem;

/// Returns the consumer that a config asks for.
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

/// Creates the consumer, or changes the existing one.
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

/// Returns true if some subject matches both patterns.
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

/// Refuses an existing consumer with other settings.
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
    use std::time::Duration;

    use super::super::tests::doubles::{ABSENT, Broker};
    use super::*;
    use crate::feed::NatsSync;
    use crate::secrets::NatsSecrets;

    fn wanted(subject: Option<&str>) -> NatsConsumer {
        NatsConsumer {
            url: "nats://x".into(),
            secrets: NatsSecrets::default(),
            stream: "PEOPLE".into(),
            subject: subject.map(Into::into),
            durable: "klero".into(),
            deliver: NatsDeliver::New,
            ack_wait: Duration::from_secs(7),
            max_ack_pending: 9,
            monitors: Box::default(),
            sync: NatsSync::default(),
        }
    }

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

    #[test]
    fn a_subject_that_no_message_of_the_stream_has_is_refused() {
        let said = |subject, own: &[&str]| {
            let own: Vec<String> = own.iter().map(|own| (*own).to_owned()).collect();
            meets(&wanted(subject), &own).map_err(|problem| (problem.what, problem.help))
        };
        assert_eq!(said(None, &["animals"]), Ok(()));
        assert_eq!(said(Some("people.a"), &[]), Ok(()));
        assert_eq!(said(Some("people.a"), &["animals", "people.*"]), Ok(()));
        let what = "no message of the stream \"PEOPLE\" has the subject people.a";
        let help = "its subjects are animals, people: set `subject` to one of them";
        assert_eq!(
            said(Some("people.a"), &["animals", "people"]),
            Err((what.into(), Some(help.into())))
        );
    }

    /// A consumer that is there goes on from where it is; a new one begins as the config says.
    #[test]
    fn a_consumer_is_as_the_config_wants_it() {
        let own = config(&wanted(Some("people.a")), None);
        assert_eq!(own.durable_name.as_deref(), Some("klero"));
        let description = own.description.as_deref();
        assert_eq!(description, Some("people of a live run of klero"));
        assert_eq!(own.deliver_policy, DeliverPolicy::New);
        assert_eq!(own.ack_policy, AckPolicy::Explicit);
        assert_eq!(
            (own.ack_wait, own.max_ack_pending),
            (Duration::from_secs(7), 9)
        );
        assert_eq!(own.filter_subject, "people.a");
        let own = config(&wanted(None), Some(DeliverPolicy::Last));
        assert_eq!(own.deliver_policy, DeliverPolicy::Last);
        assert_eq!(own.filter_subject, "");
    }

    #[test]
    fn a_consumer_that_is_another_is_refused() {
        let own = consumer::Config {
            ack_policy: AckPolicy::Explicit,
            filter_subject: "people.a".into(),
            ..consumer::Config::default()
        };
        let wanted = wanted(Some("people.a"));
        assert!(check(&own, &wanted).is_ok());
        type Change = fn(&mut consumer::Config);
        let changes: [(Change, &str); 5] = [
            (
                |own| own.deliver_subject = Some("x".into()),
                "pushes its messages",
            ),
            (
                |own| own.ack_policy = AckPolicy::All,
                "does not acknowledge each message by itself",
            ),
            (
                |own| own.filter_subject = "people.b".into(),
                "takes people.b",
            ),
            (|own| own.filter_subject.clear(), "takes all subjects"),
            (
                |own| own.filter_subjects = vec!["people.c".into()],
                "takes people.a",
            ),
        ];
        for (change, words) in changes {
            let mut own = own.clone();
            change(&mut own);
            let problem = check(&own, &wanted).unwrap_err();
            let known = format!("the consumer \"klero\" of the stream \"PEOPLE\" {words}");
            assert_eq!(problem.what, known);
            let help = problem.help.expect("help");
            assert!(help.ends_with("nats consumer rm PEOPLE klero"), "{help}");
        }
    }
    /// Returns the error and the advice for a stream or consumer that can't be used.
    async fn refused(answer: &str, stream: &str, subject: Option<&str>) -> (String, String) {
        let broker = Broker::of(answer).await;
        let client =
            crate::nats::connect(&broker.url, &NatsSecrets::default(), "test", |_| {}).await;
        let wanted = NatsConsumer {
            url: "nats://x".into(),
            stream: stream.into(),
            ..wanted(subject)
        };
        let problem = open(&client.unwrap(), &wanted).await.unwrap_err();
        (problem.what, problem.help.unwrap())
    }

    #[tokio::test]
    async fn a_stream_that_is_not_to_be_had_is_refused_with_a_remedy() {
        let begin = "the stream \"PEOPLE\" can't be had from nats://x: ";
        let failed = ABSENT.replace("404", "503");
        for (answer, subject, remedy) in [
            (
                ABSENT,
                None,
                "make it first, for example: nats stream add PEOPLE --subjects 'people.>'",
            ),
            (
                ABSENT,
                Some("a.b"),
                "make it first, for example: nats stream add PEOPLE --subjects 'a.b'",
            ),
            (
                &failed,
                None,
                "does that server have JetStream (`nats-server -js`)?",
            ),
        ] {
            let (what, help) = refused(answer, "PEOPLE", subject).await;
            assert!(what.starts_with(begin), "{what}");
            assert_eq!(help, remedy);
        }
        let (what, help) = refused(ABSENT, "a.b", None).await;
        let begin = begin.replace("PEOPLE", "a.b");
        assert!(what.starts_with(&begin), "{what}");
        assert_eq!(help, "a stream's name has no blanks, dots, slashes, * or >");
    }
}
