#![doc = include_str!("protocol.md")]

pub(crate) mod build;
mod examine;
mod exec;
mod groups;
mod process;
mod said;
mod spec;
mod talk;
mod told;
pub mod wire;

pub use examine::{Examined, Finding, SETTINGS, Setting, examine, quantile};
pub use exec::Exec;
pub use groups::end_programs;
pub use process::{GRACE, MOST_LINE};
pub use spec::{DEADLINE, Forfeits, MOST_FORFEITS, OnTimeout, PATIENCE, Spec, Timing};

/// The protocol's page, as Markdown.
pub const PAGE: &str = include_str!("protocol.md");
