//! The bounds of what the command line holds and waits for.

use std::time::Duration;

// Texts and tables

/// The most texts held while the screen is shown. Earlier ones are dropped.
pub const MOST_HELD_TEXTS: usize = 2000;

// Tries

/// The most tries of a shard if the user gives none.
pub const MOST_TRIES: u64 = 3;

/// The most times that a unit is handed out to workers if the user gives none.
#[cfg(feature = "nats")]
pub const MOST_UNIT_TRIES: u64 = 5;

// Waits

/// The time within which two signals count as one, since `timeout` signals the program and then its
/// whole group.
pub const SAME_INTERRUPT: Duration = Duration::from_millis(200);

/// The interval at which the processes of a sweep are checked.
pub const PROCESS_LOOK: Duration = Duration::from_millis(20);

/// The least time between two drawings of the screen.
pub const SCREEN_PERIOD: Duration = Duration::from_millis(250);

/// The time between two drawings of a progress bar.
pub const BAR_PERIOD: Duration = Duration::from_millis(250);

/// The shortest time without a new unit after which `sweep status` says that a sweep may rest.
pub const SWEEP_REST: Duration = Duration::from_secs(60);

/// The pause after a terminal could not be read: without it the thread would never rest.
#[cfg(unix)]
pub const TERMINAL_PAUSE: Duration = Duration::from_millis(100);

/// The interval at which the user's wish to stop is checked.
#[cfg(feature = "nats")]
pub const STOP_LOOK: Duration = Duration::from_millis(50);

/// The time to wait if no queue has a unit.
#[cfg(feature = "nats")]
pub const QUEUE_PAUSE: Duration = Duration::from_millis(250);

// Spans to a collector

/// The time that a connection to a collector may take.
#[cfg(feature = "otel")]
pub const OTEL_CONNECT: Duration = Duration::from_secs(2);

/// The time that its answer may take unless OTEL_EXPORTER_OTLP_TIMEOUT (in milliseconds) is set.
#[cfg(feature = "otel")]
pub const OTEL_ANSWER: Duration = Duration::from_secs(10);

/// The longest wait for the last spans at the end of the program.
#[cfg(feature = "otel")]
pub const OTEL_LAST: Duration = Duration::from_secs(5);

/// The longest wait for the last spans if no collector took the first ones.
#[cfg(feature = "otel")]
pub const OTEL_LAST_AFTER_FAILURE: Duration = Duration::from_millis(100);
