//! What a server holds at most, and for how long.

use std::time::Duration;

/// What a server holds at most, and for how long it waits. [`Limits::default`] is what a live run
/// uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at once; further ones wait to be taken. 320: 64 more than `waiting`, `followers`
    /// and the board's own can hold, so that the run can always be asked how it is.
    pub connections: usize,
    /// How long a connection may ask nothing where others wait for its place. 1 s.
    pub idle: Duration,
    /// Followers of the decisions at once; others get 503. 64.
    pub followers: usize,
    /// How long the head of a request may take, or the next request of a connection: then it is
    /// closed. 10 s.
    pub head: Duration,
    /// How long a body may stand still, 408 after it. 10 s.
    pub pause: Duration,
    /// How long a whole body may take, 408 after it. 60 s.
    pub body: Duration,
    /// How long a client may take nothing of its answer: then it is cut off. 10 s.
    pub stalled: Duration,
    /// The longest body, in bytes, 413 beyond it. 8 MiB.
    pub body_bytes: usize,
    /// The most records of one body, 413 beyond it. 100,000.
    pub records: usize,
    /// All bodies under way and the records read from them, in bytes: 429 where there is no room.
    /// 64 MiB.
    pub under_way: usize,
    /// Requests with records at once, those that wait for the recorder or a decision among them:
    /// others get 429 at once, and there are connections left for who only asks. 128.
    pub waiting: usize,
    /// How long a request waits for the recorder, 429 after it. 10 s.
    pub receipt: Duration,
    /// How long a candidate waits for its decision, 202 after it. 30 s.
    pub decision: Duration,
    /// How long a stream of decisions is silent at most. 15 s.
    pub heartbeat: Duration,
    /// How long requests under way may take to end when the server stops. 2 s.
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
