//! The bounds of a sweep's queue: bytes, units and waits.

use std::time::Duration;

// Bytes

/// The most bytes that are read of the reason why a unit failed.
pub const MOST_FAILURE_BYTES: u64 = 1 << 20;

/// The most bytes of that reason that a queue hands on.
pub const MOST_REASON_BYTES: usize = 4096;

// Units

/// The most units that are offered before the first of them must be stored.
pub const MOST_UNITS_OFFERED: usize = 256;

/// The number of looks after which missing units count as lost, if the queue has nothing left.
pub const MOST_QUIET_LOOKS: u32 = 2;

/// The time after which a unit is handed out again if its worker sends no sign of life.
pub const UNIT_SILENCE: Duration = Duration::from_secs(15);

/// The time between two signs of life that a worker sends about its unit: well within
/// [`UNIT_SILENCE`].
pub const UNIT_HEARTBEAT: Duration = Duration::from_secs(5);

/// The longest time for which a worker tries to send a unit.
pub const UNIT_SENDING: Duration = Duration::from_secs(60);

/// The time for which a unit that failed and was given back is kept from workers.
pub const UNIT_PAUSE: Duration = Duration::from_millis(500);

// Waits

/// The longest wait for an object of a bucket. It is longer than for a request because another
/// worker may just be replacing the object.
pub const OBJECT_PATIENCE: Duration = Duration::from_secs(30);

/// The time between two looks at the queue.
pub const QUEUE_LOOK: Duration = Duration::from_millis(500);

/// The pause before servers that did not answer are asked again.
pub const SERVER_PAUSE: Duration = Duration::from_secs(1);

/// The time without a worker after which the user gets a message.
pub const HOST_LONELY: Duration = Duration::from_secs(10);
