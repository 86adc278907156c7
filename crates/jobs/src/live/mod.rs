//! Live runs and replays of their journals, with their folders.

mod begun;
mod files;
mod options;
mod play;
mod said;

pub use options::LiveOptions;
pub use play::{FinishedLive, LiveChanges, LiveHooks, LiveJob};
pub(crate) use said::{kept_in, left_out, refusals};
