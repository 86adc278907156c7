//! The settings of a feed, as a config describes it.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::memory::MemoryFeed;
use super::reading::Reading;
use crate::secrets::NatsSecrets;
use kleroterion_core::problem::Problem;
use kleroterion_core::source::Sizes;

/// The treatment of a record that can't be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The record is counted, noted and left out.
    #[default]
    Skip,
    /// The whole request that brought the record is refused. Without requests, the same as `Skip`.
    Reject,
    /// The stream ends at the record.
    Halt,
}

/// The first message of a durable consumer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NatsDeliver {
    /// The first message that the stream still holds.
    #[default]
    All,
    /// The first message that comes from now on.
    New,
}

/// The monitoring address of a NATS server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsMonitor {
    /// The host and port.
    pub authority: Box<str>,
    /// The path before the names of its pages: empty, or starting with a slash.
    pub path: Box<str>,
}

impl fmt::Display for NatsMonitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.authority, self.path)
    }
}

/// The moment by which a feed's servers must have synced the messages that they acknowledge to
/// senders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NatsSync {
    /// Before the acknowledgement.
    #[default]
    Always,
    /// At any time.
    Any,
}

/// A durable consumer of a stream of NATS JetStream, as a config describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsConsumer {
    /// The servers, separated by commas.
    pub url: Box<str>,
    /// The secrets that they demand.
    pub secrets: NatsSecrets,
    /// The stream's name.
    pub stream: Box<str>,
    /// The subject of the records; `None` for all subjects of the stream.
    pub subject: Option<Box<str>>,
    /// The name of the consumer. Under it, the server remembers the acknowledged messages.
    pub durable: Box<str>,
    /// The first message of a consumer that is new.
    pub deliver: NatsDeliver,
    /// The time after which the server sends an unacknowledged message again.
    pub ack_wait: Duration,
    /// The most messages that may be under way unacknowledged.
    pub max_ack_pending: u32,
    /// The monitoring addresses at which servers are asked how they sync; empty to ask none.
    pub monitors: Box<[NatsMonitor]>,
    /// The moment by which the servers must have synced acknowledged messages.
    pub sync: NatsSync,
}

/// The way in which records arrive.
#[derive(Clone, Debug, PartialEq)]
pub enum Transport {
    /// On the standard input.
    Stdin,
    /// Over connections to a listening socket.
    Tcp(SocketAddr),
    /// By HTTP requests.
    Http(SocketAddr),
    /// From a file that grows.
    Tail(PathBuf),
    /// From a recorded stream, at this multiple of its recorded speed; `None` for all at once.
    Tape(PathBuf, Option<f64>),
    /// From a stream of NATS JetStream.
    Nats(NatsConsumer),
    /// From the memory of a program, which is `None` if the program handed in no feed.
    Memory(Option<MemoryFeed>),
}

/// The way in which a stream of bytes becomes records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// One record per line; a row of separated text may span several lines.
    #[default]
    Lines,
    /// Each record after its length in bytes and a blank (RFC 6587, octet counting).
    Counted,
}

/// The condition that ends a slate of a feed.
#[derive(Clone, Debug, PartialEq)]
pub enum SlateEnd {
    /// A number of people.
    Size(Sizes),
    /// The closing of the slate, by the organiser, by time, or by the end of the feed.
    Closing,
}

impl SlateEnd {
    /// Returns true if each slate has exactly one person.
    #[must_use]
    pub fn is_one(&self) -> bool {
        *self == Self::Size(Sizes::Constant(1))
    }
}

/// The time for which an outcome is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeHorizon {
    /// Until this many people have come after the person.
    People(u64),
    /// Until this long after the person came, by the clock.
    Time(Duration),
}

/// The settings of a feed: everything that is needed to open it.
#[derive(Clone)]
pub struct FeedSpec {
    /// The way in which records arrive.
    pub transport: Transport,
    /// The way in which bytes become records.
    pub framing: Framing,
    /// The longest line, in bytes.
    pub max_length: usize,
    /// The treatment of a record that can't be read.
    pub on_error: OnError,
    /// The demands on each record, and the format of lines.
    pub reading: Arc<Reading>,
    /// The labels of the policies if the feed also brings outcomes (records with `candidate_id` and
    /// `outcome`); otherwise `None`.
    pub outcomes: Option<Arc<[Arc<str>]>>,
    /// The least and the greatest outcome, if the config declares them.
    pub outcome_range: Option<(f64, f64)>,
    /// The limit on the wait for an outcome; `None` if there is no limit.
    pub horizon: Option<OutcomeHorizon>,
    /// The condition that ends a slate.
    pub slates: SlateEnd,
    /// The number of people that come for each unit of the roster's size: the number of groups
    /// where a pool chooses, else 1.
    pub each: usize,
}

impl FeedSpec {
    /// Returns true if people come by HTTP requests.
    #[must_use]
    pub fn is_http(&self) -> bool {
        matches!(self.transport, Transport::Http(_))
    }

    /// Returns true if senders receive an account of the records that were taken.
    #[must_use]
    pub fn acknowledges(&self) -> bool {
        matches!(
            self.transport,
            Transport::Http(_) | Transport::Tcp(_) | Transport::Memory(_)
        )
    }

    /// Returns true if the stream ends at a record that can't be read.
    #[must_use]
    pub fn halts(&self) -> bool {
        self.on_error == OnError::Halt
    }
}

/// The findings about a server's promise not to lose the records that it acknowledged to senders.
#[derive(Debug, Default)]
pub struct ServerPromise {
    /// The reasons why the server breaks the promise that the config demands.
    pub broken: Vec<Problem>,
    /// The servers that do not answer.
    pub silent: Vec<Problem>,
    /// The reasons why the promise can't be checked, even if all servers answer.
    pub unknown: Vec<Problem>,
    /// The losses that remain possible, each with its cause.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::transport::tests::doubles::spec;

    #[test]
    fn senders_by_http_tcp_and_memory_alone_receive_an_account() {
        let address = "127.0.0.1:7".parse().unwrap();
        for (transport, acknowledges, is_http) in [
            (Transport::Http(address), true, true),
            (Transport::Tcp(address), true, false),
            (Transport::Memory(None), true, false),
            (Transport::Stdin, false, false),
            (Transport::Tail("people".into()), false, false),
            (Transport::Tape("people".into(), None), false, false),
        ] {
            let spec = FeedSpec {
                transport,
                ..spec()
            };
            let found = (spec.acknowledges(), spec.is_http());
            assert_eq!(found, (acknowledges, is_http), "{:?}", spec.transport);
        }
    }

    #[test]
    fn a_slate_is_one_person_where_its_size_is_always_one() {
        assert!(SlateEnd::Size(Sizes::Constant(1)).is_one());
        assert!(!SlateEnd::Size(Sizes::Constant(2)).is_one());
        assert!(!SlateEnd::Closing.is_one());
    }
}
