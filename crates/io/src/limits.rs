//! The bounds of what comes in and of what is kept: bytes, rows, messages, connections and waits.

use std::time::Duration;

// Records and files

/// The most characters of a candidate's id in a feed, counted as Unicode code points, as
/// `maxLength` of a JSON Schema counts them.
pub const LONGEST_ID: usize = 256;

/// The largest number in a column: beyond it a number cannot be squared and summed safely.
pub const LARGEST_NUMBER: f64 = 1e100;

/// The deepest nesting that a JSON text may have, so that no reader of it runs out of stack.
pub const DEEPEST_JSON: usize = 32;

/// The largest file that is read whole, in bytes. Tables and the files of draws have limits of
/// their own.
pub const MOST_WHOLE: u64 = 1 << 30;

/// The largest table, in bytes, that is read as a whole. A larger one is read piece by piece, and
/// must be in UTF-8.
pub const MOST_TABLE_BYTES: u64 = 1 << 28;

/// The most cells that are read of a workbook's sheet, so that a small file cannot fill the
/// memory.
pub const MOST_SHEET_CELLS: usize = 20_000_000;

/// The most bytes that the parts of a workbook may have once they are unpacked, since a small file
/// may unpack to any size.
pub const MOST_WORKBOOK_BYTES: u64 = 1 << 30;

/// The most bytes that are kept of a frame or message that is too long: enough to recognise it in
/// a message.
pub const MOST_HEAD_BYTES: usize = 200;

// Files of people

/// The most bytes that are read at once from a file, a sender or a program.
pub const READ_BYTES: usize = 1 << 16;

/// The most numbers that are made of the columns of a table; a distinct cell of a one-hot column
/// makes one.
pub const MOST_NUMBERS: usize = 4096;

/// The most rows of a file in which rows without ids are compared, since the keys of their cells
/// are kept.
pub const MOST_COMPARED_ROWS: usize = 1 << 17;

/// The most names of members that are remembered for messages: records may have names without end.
pub const MOST_REMEMBERED_NAMES: usize = 1_000;

/// The most problems of one kind that are listed.
pub const MOST_LISTED_PROBLEMS: usize = 20;

/// The most distinct refused values of one kind that are counted one by one.
pub const MOST_COUNTED_VALUES: usize = 40;

// Feeds

/// The most items of a delivery, and the most messages of a request to NATS.
pub const MOST_DELIVERY_ITEMS: usize = 1024;

/// The most bytes of a delivery, but for its last item, which may be larger.
pub const MOST_DELIVERY_BYTES: usize = 1 << 20;

/// The most deliveries of a sender that wait for their receipts. Above it nothing more is read.
pub const MOST_DELIVERIES_IN_FLIGHT: usize = 4;

/// The most refused records that a sender's account lists.
pub const MOST_LISTED_REFUSALS: usize = 100;

/// The most deliveries that wait to be taken.
pub const MOST_DELIVERIES_WAITING: usize = 16;

/// The most characters that are kept of a refused record.
pub const MOST_REFUSED_CHARACTERS: usize = 1000;

/// The most characters of an interviewer's name.
pub const LONGEST_INTERVIEWER: usize = 200;

/// The most bytes of a column's name. The limit exists because each row's record repeats the name.
pub const LONGEST_COLUMN_NAME: usize = 1000;

/// The fewest characters of a token, so that it can't be guessed.
pub const SHORTEST_TOKEN: usize = 16;

/// The most `s` in a row that are looked at as sharp ones: the patterns grow by half with each.
pub const MOST_SHARP: usize = 6;

/// The most chunks of standard input that are read ahead.
pub const MOST_CHUNKS_AHEAD: usize = 2;

/// The most followed files that are remembered, so that rotated ones are found again.
pub const MOST_KNOWN_FILES: usize = 4096;

/// The most replaced files that are still read for late lines.
pub const MOST_REPLACED_FILES: usize = 8;

/// The time between two looks at a growing file.
pub const TAIL_POLL: Duration = Duration::from_millis(250);

/// The longest wait for a record or batch that comes at a pace, in seconds: as good as for ever.
pub const LONGEST_WAIT: f64 = 1e9;

// Feeds of a program

/// The number of records of a program's feed from which no more are added to a delivery.
pub const MOST_MEMORY_RECORDS: usize = 1024;

/// The most deliveries of a program's feed that wait for their receipts. Above it nothing more is
/// read.
pub const MOST_MEMORY_DELIVERIES: usize = 16;

/// The number of bytes of a program's feed from which no more are added to a delivery.
pub const MOST_MEMORY_BYTES: usize = 1 << 20;

// TCP

/// The most TCP senders at once; others wait to be accepted.
pub const TCP_CONNECTIONS: usize = 64;

/// The longest silence of a TCP sender while all connections are taken. After it the place goes to
/// another.
pub const TCP_IDLE: Duration = Duration::from_secs(30);

/// The time in which a new TCP connection must send its token, and a sender must read the answer.
pub const TCP_PATIENCE: Duration = Duration::from_secs(30);

/// The pause after a TCP connection could not be accepted: files may be short for a while.
pub const TCP_PAUSE: Duration = Duration::from_millis(100);

/// The most bytes of the line that carries the token.
pub const LONGEST_TOKEN: usize = 1024;

/// The time for which bytes after the answer are still read and discarded, so that the sender can
/// read it.
pub const TCP_LINGER: Duration = Duration::from_secs(1);

// NATS

/// The longest wait for the first answer of a NATS server, and for the answer to a request.
pub const NATS_PATIENCE: Duration = Duration::from_secs(5);

/// The pause before a consumer is read again after a failure.
pub const NATS_PAUSE: Duration = Duration::from_millis(500);

/// The time for the last acknowledgements to leave before the program ends.
pub const NATS_FLUSH: Duration = Duration::from_secs(2);

/// The time between two signs of life that the server sends while there are no messages.
pub const NATS_HEARTBEAT: Duration = Duration::from_secs(5);

/// The time for which a request for messages is valid.
pub const NATS_EXPIRES: Duration = Duration::from_secs(30);

/// The most refused messages that are remembered, so that a message that comes again is not
/// counted twice.
pub const MOST_REFUSED_MESSAGES: usize = 1 << 16;

/// The longest wait for an answer of a NATS server's monitoring port.
pub const MONITOR_PATIENCE: Duration = Duration::from_secs(3);

/// The most bytes of such an answer; servers send a few thousand.
pub const MOST_MONITOR_BYTES: u64 = 1 << 20;

// Programs at seats

/// The longest silence of a program where no deadline applies; after it the program counts as
/// having left. This keeps a run from hanging for ever.
pub const PROGRAM_PATIENCE: Duration = Duration::from_secs(60);

/// The silence after which, without a deadline, a message says which program klero waits for.
pub const PROGRAM_SILENCE: Duration = Duration::from_secs(5);

/// The deadline of a program's answer in a live run, where the config gives none.
pub const PROGRAM_DEADLINE: Duration = Duration::from_millis(250);

/// The rounds in a row without an answer in time after which a lane ends as `left`.
pub const MOST_FORFEITS: u32 = 20;

/// The time that a program has to end after its output has ended or `bye` was sent. Then it is
/// killed.
pub const PROGRAM_GRACE: Duration = Duration::from_secs(2);

/// The longest line that a program may write, in bytes, without its newline.
pub const MOST_LINE: usize = 1 << 20;

/// The most answers that are kept for lanes that have not asked yet. Answers about the earliest
/// people are dropped first, and asked for again.
pub const MOST_KEPT_ANSWERS: usize = 1 << 20;

/// The most names of measures that a program may use in a run, and the most terms of a reason.
pub const MOST_NAMES: usize = 256;

/// The most bytes that the names of one message may have together. The limit exists because kept
/// decisions hold all these names.
pub const MOST_NAMES_BYTES: usize = 8 << 10;

/// The most bytes that are read at once of a program's error output.
pub const ERRORS_READ_BYTES: usize = 1 << 14;

/// The most bytes that are kept of a line of a program's error output: more than are repeated.
pub const MOST_ERROR_BYTES: usize = 1 << 11;

/// The most lines of a program's error output that are handed on at once: as many as a long
/// traceback has.
pub const MOST_ERROR_LINES: u32 = 200;

/// The most lines that are handed on after that in each [`ERROR_LINES_PERIOD`].
pub const MOST_ERROR_LINES_LATER: u32 = 20;

/// The time after which further lines of a program's error output are handed on.
pub const ERROR_LINES_PERIOD: Duration = Duration::from_secs(1);

// Journal and traces

/// The most memory that the candidates of a temporary journal take, in bytes, roughly, before they
/// move to a file.
pub const MOST_RECENT_BYTES: usize = 256 << 20;

/// The memory that such a candidate takes besides the id and the record, in bytes, roughly.
pub const RECENT_BYTES: usize = 100;

/// The longest wait for another user's lock on the journal's database.
pub const JOURNAL_PATIENCE: Duration = Duration::from_secs(5);

/// The most looks after which a journal counts as in use: a killed run may have just started a
/// program, which holds it until it has begun.
pub const MOST_HOLDER_LOOKS: u32 = 20;

/// The pause between two of these looks.
pub const HOLDER_PAUSE: Duration = Duration::from_millis(25);

/// The most entries of a journal that are read at once.
pub const MOST_ENTRIES_READ: usize = 1024;

/// The most bytes that a log holds in memory before it moves to a temporary file.
pub const MOST_LOG_MEMORY: usize = 1 << 20;

/// The most ids and terms of a row group in memory, not counting those of its last decision.
pub const MOST_ROW_GROUP_CELLS: usize = 1 << 20;

/// The most bytes of a line of `decisions.ndjson` that are read.
pub const LONGEST_DECISION: u64 = 1 << 28;

/// The most broken lines that are listed.
pub const MOST_BROKEN_LINES: usize = 40;

/// The number of bytes at the end of a file that are searched for the last line. Almost every line
/// is shorter.
pub const MOST_LAST_BYTES: u64 = 1 << 20;
