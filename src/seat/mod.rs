#![doc = include_str!("protocol.md")]

mod exec;
mod groups;
mod process;
mod said;
mod spec;
mod talk;
mod told;
pub mod wire;

pub use exec::Exec;
pub(crate) use exec::overstayed;
pub use groups::end_programs;
pub use process::{GRACE, MOST_LINE};
pub(crate) use said::shown;
pub use spec::{DEADLINE, Forfeits, MOST_FORFEITS, OnTimeout, PATIENCE, Spec, Timing};

pub(crate) use talk::{Exchange, Talk};
pub(crate) use told::hello;

/// The protocol's page, as Markdown.
pub const PAGE: &str = include_str!("protocol.md");
