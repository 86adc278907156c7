//! What several tests need, a file a subject.

pub mod configs;
#[cfg(target_os = "linux")]
pub mod process;
pub mod programs;
pub mod refusals;
mod runs;
pub mod same;
pub mod schema;
#[cfg(target_os = "linux")]
pub mod script;
pub mod terminal;
pub mod towns;
pub mod walk;
pub mod wants;
pub mod worlds;

use std::path::PathBuf;

pub use runs::{config, long, many, near, plan, play, stats, values};
pub use wants::data;

/// The folder of the project.
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
