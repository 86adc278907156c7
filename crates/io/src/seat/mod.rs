#![doc = include_str!("protocol.md")]

mod answering;
mod child;
mod decode;
mod encode;
mod errors;
mod exec;
mod groups;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod hushed;
mod orphans;
#[cfg(any(test, feature = "testing"))]
pub mod played;
mod process;
mod spec;
pub mod wire;
mod words;

pub use crate::limits::{
    MOST_FORFEITS, MOST_LINE, PROGRAM_DEADLINE, PROGRAM_GRACE, PROGRAM_PATIENCE,
};
pub use answering::{AnsweringSpec, AnsweringSpecs};
pub use errors::{LastError, hand_errors_to};
pub use exec::Exec;
pub use exec::overstayed;
pub use groups::end_programs;
pub use hushed::hushed;
pub use spec::{Exchange, Forfeits, OnTimeout, SeatTiming, Spec, Talk};
pub use words::ProgramWords;

pub use encode::hello;

/// The protocol's page, as Markdown.
pub const PAGE: &str = include_str!("protocol.md");
