//! The recorder's knowledge of a run that has lanes elsewhere.

use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Runtime as Tokio;

use crate::live::notes::LiveNotes;
use crate::live::stream::StreamEnd;
use crate::watch::Watched;
use kleroterion_run::config::Plan;

/// A run with lanes elsewhere.
#[cfg_attr(not(feature = "nats"), allow(dead_code))]
pub(in crate::live) struct Hosted<'a> {
    pub(in crate::live) plan: &'a Plan,
    /// The config, as resolved.
    pub(in crate::live) config: &'a str,
    /// The folder of the journal.
    pub(in crate::live) folder: &'a Path,
    pub(in crate::live) watched: &'a Arc<Watched>,
    pub(in crate::live) notes: &'a Arc<LiveNotes>,
    pub(in crate::live) end: &'a Arc<StreamEnd>,
    pub(in crate::live) outside: &'a Tokio,
}
