//! The two streams of a run: the journal's committed entries, and the turns of lanes elsewhere.

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::context::{Context, DeleteStreamErrorKind};
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{Config, DirectGetErrorKind, LastRawMessageErrorKind, Stream};

use kleroterion_io::limits::NATS_PATIENCE;

/// The streams of a run.
#[derive(Clone)]
pub(super) struct RunStreams {
    pub(super) context: Context,
    run: Box<str>,
}

/// A fence: the message that a new one must follow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fence {
    /// It must follow this last message of its stream.
    Stream(u64),
    /// It must follow this last message of its subject.
    Subject(u64),
}

/// The reason why a message was not published.
#[derive(Clone, Debug)]
pub(super) enum Unpublished {
    /// Another message came first.
    Fenced,
    /// The server does not take it now, for this reason.
    Passing(String),
}

impl RunStreams {
    pub(super) fn new(client: kleroterion_io::nats::Client, run: &str) -> Self {
        let mut context = async_nats::jetstream::new(client);
        context.set_timeout(NATS_PATIENCE);
        Self {
            context,
            run: run.into(),
        }
    }

    pub(super) fn journal_name(&self) -> String {
        format!("KLERO_{}", self.run)
    }

    fn moves_name(&self) -> String {
        format!("KLERO-MOVES_{}", self.run)
    }

    pub(super) fn journal_subject(&self) -> String {
        format!("klero.{}.journal", self.run)
    }

    /// The subject of the lane in this place of the config.
    pub(super) fn lane_subject(&self, lane: usize) -> String {
        format!("klero.{}.moves.{lane}", self.run)
    }

    /// Makes both streams if they do not exist.
    pub(super) async fn make(&self, replicas: usize) -> Result<(), String> {
        for (name, subjects) in [
            (self.journal_name(), self.journal_subject()),
            (self.moves_name(), format!("klero.{}.moves.*", self.run)),
        ] {
            let config = Config {
                name,
                subjects: vec![subjects],
                num_replicas: replicas,
                allow_direct: true,
                ..Config::default()
            };
            let made = self.context.get_or_create_stream(config).await;
            made.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Removes both streams if they exist.
    pub(super) async fn remove(&self) -> Result<(), String> {
        for name in [self.journal_name(), self.moves_name()] {
            match self.context.delete_stream(name).await {
                Ok(_) => {}
                Err(error) => match error.kind() {
                    DeleteStreamErrorKind::JetStream(known)
                        if known.error_code() == ErrorCode::STREAM_NOT_FOUND => {}
                    _ => return Err(error.to_string()),
                },
            }
        }
        Ok(())
    }

    pub(super) async fn journal(&self) -> Result<Stream, String> {
        let stream = self.context.get_stream(self.journal_name()).await;
        stream.map_err(|error| error.to_string())
    }

    pub(super) async fn moves(&self) -> Result<Stream, String> {
        let stream = self.context.get_stream(self.moves_name()).await;
        stream.map_err(|error| error.to_string())
    }

    /// Publishes a message and waits until it is stored. Returns its number in the stream.
    pub(super) async fn publish(
        &self,
        subject: String,
        bytes: Vec<u8>,
        fence: Fence,
        id: Option<String>,
    ) -> Result<u64, Unpublished> {
        use async_nats::jetstream::context::PublishErrorKind::WrongLastSequence;
        let message = PublishMessage::build().payload(bytes.into());
        let message = match fence {
            Fence::Stream(last) => message.expected_last_sequence(last),
            Fence::Subject(last) => message.expected_last_subject_sequence(last),
        };
        let message = match id {
            Some(id) => message.message_id(id),
            None => message,
        };
        let passing = |error: String| Err(Unpublished::Passing(error));
        let sent = match self.context.send_publish(subject, message).await {
            Ok(sent) => sent,
            Err(error) => return passing(error.to_string()),
        };
        match sent.await {
            Ok(kept) if kept.duplicate => Err(Unpublished::Fenced),
            Ok(kept) => Ok(kept.sequence),
            Err(error) if error.kind() == WrongLastSequence => Err(Unpublished::Fenced),
            Err(error) => passing(error.to_string()),
        }
    }
}

/// The message of this number, or the first of a subject from it on; `None` if there is none yet.
pub(super) async fn message(
    stream: &Stream,
    subject: Option<&str>,
    number: u64,
) -> Result<Option<StreamMessage>, String> {
    let found = match subject {
        None => stream.direct_get(number).await,
        Some(subject) => {
            let next = stream.direct_get_next_for_subject(subject, Some(number));
            next.await
        }
    };
    match found {
        Ok(message) => Ok(Some(message)),
        Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The last message of a subject, as the stream's leader has it.
pub(super) async fn last(stream: &Stream, subject: &str) -> Result<Option<StreamMessage>, String> {
    match stream.get_last_raw_message_by_subject(subject).await {
        Ok(message) => Ok(Some(message)),
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
