//! The settings of a live run in a plan.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use kleroterion_io::secrets::Secrets;
use kleroterion_stats::sequence::Range;

/// The NATS connection between the run and the lanes that play elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsPlan {
    /// The servers, separated by commas.
    pub url: Box<str>,
    /// The name of the run at the servers.
    pub run: Box<str>,
    /// The number of servers that hold a copy of its streams.
    pub replicas: usize,
    /// The time to wait for a lane after the last person came.
    pub patience: Duration,
}

/// The deadline of a slate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlateTime {
    /// This long after the first person of each slate.
    After(Duration),
    /// An instant that closes the first slate, in milliseconds since 1970.
    At(u64),
}

/// The people who answer interviews.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterviewerSpec {
    /// The least and the greatest answer, if the config declares them.
    pub range: Option<Range>,
}

/// The settings of a live run, beyond those of a simulated one.
#[derive(Clone, Debug, PartialEq)]
pub struct LivePlan {
    /// The place of the acting policy, if there is one.
    pub acting: Option<usize>,
    /// The place of the fallback policy, if there is one. It decides once the acting one has ended
    /// early.
    pub fallback: Option<usize>,
    /// The address of its board.
    pub board: SocketAddr,
    /// The origins of web pages that may call its servers, in lower case.
    pub origins: Arc<[Box<str>]>,
    /// The interviewers, if people answer interviews.
    pub interviewers: Option<InterviewerSpec>,
    /// True if the people chosen are asked whether they take their places.
    pub offers: bool,
    /// The deadline of a slate, if slates are closed by time.
    pub close: Option<SlateTime>,
    /// The time that interviewers have for an interview, if limited.
    pub look_deadline: Option<Duration>,
    /// True if outcomes are reported from outside.
    pub reported: bool,
    /// The least and greatest outcome that may be reported, if the config declares them.
    pub outcome_range: Option<Range>,
    /// The NATS connection to lanes that play elsewhere.
    pub nats: NatsPlan,
    /// The secrets of the servers and of the connection.
    pub secrets: Secrets,
}

impl LivePlan {
    /// Returns true if people answer interviews or offers during the run.
    #[must_use]
    pub fn asks_people(&self) -> bool {
        self.interviewers.is_some() || self.offers
    }
}
