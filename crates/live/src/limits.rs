//! The bounds of a live run: messages that wait, bytes that are kept, connections, and waits.

use std::time::Duration;

// The recorder and the stream

/// The most deliveries that wait for the recorder, of feeds and of interviewers each.
pub const MOST_DELIVERIES_WAITING: usize = 256;

/// The most deliveries in one commit.
pub const MOST_GROUP: usize = 256;

/// The most chunks of committed records that wait for the source.
pub const MOST_CHUNKS_WAITING: usize = 4;

/// The interval at which the progress of a generated stream is noted.
pub const PROGRESS_PERIOD: Duration = Duration::from_secs(1);

/// The interval after which the time is checked again, since the wall clock may be set and the
/// machine may sleep.
pub const CLOCK_LOOK: Duration = Duration::from_secs(30);

/// The most persons that a shadow may be behind before the stream waits for it.
pub const MOST_PERSONS_BEHIND: u32 = 8192;

/// The most persons that a lane elsewhere may be behind if the stream is to go on without it.
pub const MOST_PERSONS_FAR_BEHIND: u32 = 1 << 20;

/// The bytes of refused records that are kept in any case, including their errors.
pub const REFUSED_FREE_BYTES: u64 = 4 << 20;

/// Beyond [`REFUSED_FREE_BYTES`], the bytes of refused records that are kept for each byte that
/// came.
pub const MOST_REFUSED_TIMES: u64 = 4;

/// The most bytes of refused records that are kept, so that a sender of rubbish fills no disk.
pub const MOST_REFUSED_BYTES: u64 = 16 << 20;

/// The number of threads for the transports and servers.
pub const OUTSIDE_THREADS: usize = 2;

/// The interval at which the user's wish to stop is checked.
pub const STOP_LOOK: Duration = Duration::from_millis(50);

/// The interval at which the end of all lanes is checked.
pub const SETTLED_LOOK: Duration = Duration::from_millis(1);

/// The time for which a session waits for the tasks of its servers before it ends.
pub const LAST_TASKS: Duration = Duration::from_secs(3);

/// The most ports after the board's own that are tried if it is in use.
pub const MOST_NEXT_PORTS: u16 = 9;

// Lanes elsewhere

/// The most turns of a lane that wait for it.
pub const MOST_TURNS_WAITING: usize = 4096;

/// The number of unpublished turns above which the lane waits.
pub const MOST_TURNS_UNPUBLISHED: usize = 1 << 14;

/// The most entries or turns in a message.
pub const MOST_MESSAGE_ITEMS: usize = 1024;

/// The most bytes in a message, roughly, unless one entry is larger.
pub const MOST_MESSAGE_BYTES: usize = 256 << 10;

/// The interval at which a waiting lane checks whether it waits in vain.
pub const LANE_LOOK: Duration = Duration::from_millis(250);

/// The time for the last messages to a lane elsewhere.
pub const LAST_MESSAGES: Duration = Duration::from_secs(5);

/// The interval at which an empty stream is polled, at first.
pub const STREAM_SOON: Duration = Duration::from_millis(5);

/// The interval at which an empty stream is polled after a while.
pub const STREAM_LATER: Duration = Duration::from_millis(40);

/// The interval at which a stream is checked while nothing comes.
pub const STREAM_CHECK: Duration = Duration::from_secs(1);

/// The interval at which the journal is polled for new entries.
pub const JOURNAL_LOOK: Duration = Duration::from_millis(10);

/// The time for which a server is left alone after it did not answer or took nothing.
pub const SERVER_PAUSE: Duration = Duration::from_millis(250);

/// The time for which a worker waits for a run that does not exist yet.
pub const RUN_PATIENCE: Duration = Duration::from_secs(30);

/// The time for which a worker looks for a lane that the run lacks, since the run may be resumed
/// with it.
pub const LANE_GRACE: Duration = Duration::from_secs(3);

// Who watches

/// The most decisions kept.
pub const MOST_KEPT_DECISIONS: usize = 4096;

/// The memory of a kept decision, in bytes, roughly, and that of each person shown.
pub const DECISION_BYTES: usize = 1000;

/// See [`DECISION_BYTES`].
pub const SHOWN_BYTES: usize = 200;

/// The most memory that the kept decisions take, in bytes, roughly. The latest decision is kept in
/// any case.
pub const MOST_KEPT_BYTES: usize = 64 << 20;

/// The most points that are kept of a line.
pub const MOST_LINE_POINTS: usize = 256;

/// The most stretches of rounds whose begin is remembered: more than can be under way.
pub const MOST_STRETCHES: usize = 4096;

/// The most reasons that are kept of refused records.
pub const MOST_REASONS: usize = 3;

/// The time for which a reader waits for a lane before the others are shown without it.
pub const READER_PATIENCE: Duration = Duration::from_secs(3);

/// The same for a lane that was late for the last mark.
pub const LATE_LANE_PATIENCE: Duration = Duration::from_millis(500);

/// The time for which a reader waits for lanes that are on their way.
pub const READER_SHORTLY: Duration = Duration::from_millis(40);

/// The time between two checks of the lanes.
pub const READER_STEP: Duration = Duration::from_millis(2);

/// The time over which rates are measured.
pub const RATE_SPAN: Duration = Duration::from_secs(5);

/// The shortest time over which a rate is shown.
pub const RATE_SHORTEST: Duration = Duration::from_millis(900);

/// The least time between renewals of a line's last point, if no new point is due.
pub const POINT_PERIOD: Duration = Duration::from_millis(250);

/// The least time between two headlines, so that a reader has time to read each.
pub const HEADLINE_PERIOD: Duration = Duration::from_secs(5);

// The web server

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

/// The read buffer of each connection, in bytes: a head, and some of a body.
pub const READ_BUFFER: usize = 64 << 10;

/// The number of connections that may wait to be accepted.
pub const MOST_UNACCEPTED: i32 = 4096;

/// The pause after a connection could not be taken: files may be short for a while.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The time, as a multiple of the idle time, after which a body must have come at
/// [`LEAST_BODY_RATE`]. A slower connection gives its place to others.
pub const BODY_GRACE: u32 = 5;

/// The bytes a second at which a body must come after that.
pub const LEAST_BODY_RATE: f64 = 1024.0;

/// The most bytes of a refused body that are still read and dropped, so that its sender can read
/// the answer.
pub const MOST_DROPPED_BYTES: usize = 64 << 20;

/// The time for which the rest of a refused body is dropped.
pub const DROPPING_PATIENCE: Duration = Duration::from_secs(2);

/// The number of bytes unpacked between checks of the room.
pub const UNPACKED_BYTES: usize = 64 << 10;

/// The number of bytes read between checks of the records' memory, since each record repeats the
/// column names.
pub const ROWS_BYTES: usize = 4 << 10;

/// The most memory for the records of a body, as a multiple of the longest body.
pub const MOST_ROWS_TIMES: usize = 3;

/// The length in bytes above which a body is read on a thread of its own, so that other requests
/// need not wait.
pub const LARGE_BODY: usize = 16 << 10;

/// The most rejected records that an answer lists.
pub const MOST_LISTED_REJECTS: usize = 1000;

/// The most bytes of an unreadable record that are noted.
pub const MOST_NOTED_BYTES: usize = 1000;

/// The least time between two events about open interviews.
pub const LOOKS_PERIOD: Duration = Duration::from_millis(100);

/// The most claims kept; the run keeps the decisions themselves.
pub const MOST_CLAIMS: usize = 1 << 16;

/// The most events sent at once.
pub const MOST_EVENTS_AT_ONCE: usize = 64;

// The board

/// The most viewers at once. Each keeps a connection.
pub const MOST_VIEWERS: usize = 64;

/// The most applicants listed.
pub const MOST_APPLICANTS: usize = 200;

/// The most latest points of a chart that are kept for viewers who missed some.
pub const MOST_RECENT_POINTS: usize = 40;

/// The least time between two boards.
pub const BOARD_PERIOD: Duration = Duration::from_millis(500);

/// The least time for which a comparison is followed, so that a reader has time to read it.
pub const COMPARISON_PERIOD: Duration = Duration::from_secs(5);

/// The time between pulses, which show a viewer that the connection is alive.
pub const PULSE_PERIOD: Duration = Duration::from_secs(5);

/// The time after which a viewer whose connection broke connects again.
pub const BOARD_RETRY: Duration = Duration::from_secs(1);
