//! A feed as a config describes it.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::reading::Reading;
use kleroterion_core::source::Sizes;

/// The treatment of a record that can't be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// It is counted, noted and left out.
    #[default]
    Skip,
    /// The request that it came with is refused whole; where there are no requests, as `Skip`.
    Reject,
    /// The stream ends.
    Halt,
}

/// The messages with which a durable consumer begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NatsDeliver {
    /// The first that the stream still holds.
    #[default]
    All,
    /// Those that come from now on.
    New,
}

/// The address at which a NATS server says how it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsMonitor {
    /// Host and port.
    pub authority: Box<str>,
    /// What comes before the names of its pages: empty, or from a slash on.
    pub path: Box<str>,
}

impl fmt::Display for NatsMonitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.authority, self.path)
    }
}

/// When the servers of a feed must have synced what they acknowledge to senders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NatsSync {
    /// Before they acknowledge it.
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
    /// The stream's name.
    pub stream: Box<str>,
    /// The subject of the records; all of the stream where `None`.
    pub subject: Option<Box<str>>,
    /// The consumer's name, by which the server knows what was acknowledged.
    pub durable: Box<str>,
    /// Where it begins, where it is new.
    pub deliver: NatsDeliver,
    /// After this time the server sends a message again that was not acknowledged.
    pub ack_wait: Duration,
    /// The most messages that may be under way unacknowledged.
    pub max_ack_pending: u32,
    /// Where its servers are asked how they sync; nowhere where there are none.
    pub monitors: Box<[NatsMonitor]>,
    /// When they must have synced.
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
    /// From a recorded stream, at this multiple of its recorded speed; at once where `None`.
    Tape(PathBuf, Option<f64>),
    /// From a stream of NATS JetStream.
    Nats(NatsConsumer),
}

/// The way in which a stream of bytes becomes records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// A line each; rows of separated text may run over several.
    #[default]
    Lines,
    /// Each after its length in bytes and a blank (RFC 6587, octet counting).
    Counted,
}

/// The end of a slate of a feed.
#[derive(Clone, Debug, PartialEq)]
pub enum SlateEnd {
    /// The number of its people.
    Size(Sizes),
    /// Its closing, by the organiser, its time, or the end of the feed.
    Closing,
}

impl SlateEnd {
    /// Whether a slate is one person.
    #[must_use]
    pub fn is_one(&self) -> bool {
        *self == Self::Size(Sizes::Constant(1))
    }
}

/// How long an outcome is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeHorizon {
    /// Until this many people have come after the person.
    People(u64),
    /// Until this long after the person came, by the clock.
    Time(Duration),
}

/// A feed, ready to be opened.
#[derive(Clone)]
pub struct FeedSpec {
    /// How records come.
    pub transport: Transport,
    /// How its bytes become records.
    pub framing: Framing,
    /// The longest line, in bytes.
    pub max_length: usize,
    /// What happens to a record that can't be read.
    pub on_error: OnError,
    /// What a record must be, and how lines become records.
    pub reading: Arc<Reading>,
    /// The labels of the policies, where the feed brings outcomes too: records with `candidate_id`
    /// and `outcome`.
    pub outcomes: Option<Arc<[Arc<str>]>>,
    /// The least and the greatest outcome, where they are declared.
    pub outcome_range: Option<(f64, f64)>,
    /// How long an outcome is waited for, where that is bounded.
    pub horizon: Option<OutcomeHorizon>,
    /// What ends a slate.
    pub slates: SlateEnd,
    /// How many persons of a roster come for one of its size: as many as there are groups where a
    /// pool chooses.
    pub each: usize,
}

impl FeedSpec {
    /// Whether people come by HTTP requests.
    #[must_use]
    pub fn is_http(&self) -> bool {
        matches!(self.transport, Transport::Http(_))
    }

    /// Whether senders receive an account of what was taken.
    #[must_use]
    pub fn acknowledges(&self) -> bool {
        matches!(self.transport, Transport::Http(_) | Transport::Tcp(_))
    }

    /// Whether the stream ends at a record that can't be read.
    #[must_use]
    pub fn halts(&self) -> bool {
        self.on_error == OnError::Halt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::transport::doubles::spec;

    #[test]
    fn senders_by_http_and_tcp_alone_receive_an_account() {
        let address = "127.0.0.1:7".parse().unwrap();
        for (transport, acknowledges, is_http) in [
            (Transport::Http(address), true, true),
            (Transport::Tcp(address), true, false),
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
