//! Limits of a server's memory, connections and waits.

use std::time::Duration;

/// Limits of a server's memory, connections and waits. A live run uses [`Limits::default`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most connections at once. Further ones wait to be accepted.
    ///
    /// The default, 320, is 64 more than `waiting`, `followers` and the board can hold, so that the
    /// run's state can always be requested.
    pub connections: usize,
    /// The time for which a connection may be idle while others wait for its place. Default: 1 s.
    pub idle: Duration,
    /// The most followers of the decisions at once. Others get 503. Default: 64.
    pub followers: usize,
    /// The time for the head of a request, or until the next request of a connection. The
    /// connection is then closed. Default: 10 s.
    pub head: Duration,
    /// The longest pause within a body, followed by 408. Default: 10 s.
    pub pause: Duration,
    /// The time for a whole body, followed by 408. Default: 60 s.
    pub body: Duration,
    /// The time for which a client may take nothing of its answer before it is cut off. Default: 10
    /// s.
    pub stalled: Duration,
    /// The longest body, in bytes. A longer one gets 413. Default: 8 MiB.
    pub body_bytes: usize,
    /// The most records of one body. More get 413. Default: 100,000.
    pub records: usize,
    /// The most memory for all bodies in progress and the records read from them, in bytes. Beyond
    /// it requests get 429. Default: 64 MiB.
    pub under_way: usize,
    /// The most requests with records at once, including those that wait for the recorder or a
    /// decision.
    ///
    /// Others get 429 at once, so that connections are left for requests that only read. Default:
    /// 128.
    pub waiting: usize,
    /// The time for which a request waits for the recorder, followed by 429. Default: 10 s.
    pub receipt: Duration,
    /// The time for which a candidate's request waits for the decision, followed by 202. Default:
    /// 30 s.
    pub decision: Duration,
    /// The longest silence of a stream of decisions. Default: 15 s.
    pub heartbeat: Duration,
    /// The time for requests in progress to end when the server stops. Default: 2 s.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 320,
            idle: Duration::from_secs(1),
            followers: 64,
            head: Duration::from_secs(10),
            pause: Duration::from_secs(10),
            body: Duration::from_secs(60),
            stalled: Duration::from_secs(10),
            body_bytes: 8 << 20,
            records: 100_000,
            under_way: 64 << 20,
            waiting: 128,
            receipt: Duration::from_secs(10),
            decision: Duration::from_secs(30),
            heartbeat: Duration::from_secs(15),
            farewell: Duration::from_secs(2),
        }
    }
}
