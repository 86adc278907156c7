#![doc = include_str!("protocol.md")]

mod answering;
mod decode;
mod encode;
mod errors;
mod exec;
mod groups;
#[cfg(any(test, fuzzing))]
pub(crate) mod hostile;
mod orphans;
mod process;
mod spec;
mod talk;
pub mod wire;

pub use answering::{AnsweringSpec, AnsweringSpecs};
pub(crate) use decode::shown;
pub use errors::{LastError, hand_errors_to};
pub use exec::Exec;
pub(crate) use exec::overstayed;
pub use groups::end_programs;
pub use process::{GRACE, MOST_LINE};
pub use spec::{DEADLINE, Forfeits, MOST_FORFEITS, OnTimeout, PATIENCE, SeatTiming, Spec};

pub(crate) use encode::hello;
pub(crate) use talk::{Exchange, Talk};

/// The protocol's page, as Markdown.
pub const PAGE: &str = include_str!("protocol.md");
