//! The folders of a config's files, and what a program hands in with it: tables and a feed from
//! memory, and policies of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kleroterion_core::arena::Prototype;
use kleroterion_io::feed::MemoryFeed;
use kleroterion_io::record::file::MemoryTable;
use kleroterion_io::secrets::Secrets;

/// What the readers of a config refer to outside its text, apart from the kinds that it may name.
#[derive(Clone, Default)]
pub(super) struct HandedIn {
    pub(super) folder: PathBuf,
    pub(super) data: Option<PathBuf>,
    pub(super) tables: BTreeMap<String, MemoryTable>,
    pub(super) feed: Option<MemoryFeed>,
    pub(super) policies: Vec<(String, Arc<dyn Prototype>)>,
    pub(super) secrets: Secrets,
    /// True if the policies do not play, so that those that are objects need not be there.
    pub(super) is_unplayed: bool,
}

impl HandedIn {
    /// Hands in the policy of a label, in place of one that was handed in under it.
    pub(super) fn with_policy(mut self, label: &str, policy: Arc<dyn Prototype>) -> Self {
        self.policies.retain(|(known, _)| known != label);
        self.policies.push((label.to_owned(), policy));
        self
    }

    /// The folder in which files are looked up first.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder in which files are looked for that are not in the folder of the config.
    pub(super) fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// Returns the table of a name, if the program handed it in.
    pub(super) fn table(&self, name: &str) -> Option<&MemoryTable> {
        self.tables.get(name)
    }

    /// Returns the names of the tables that the program handed in.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Returns the feed, if the program handed one in.
    pub(super) fn feed(&self) -> Option<&MemoryFeed> {
        self.feed.as_ref()
    }

    /// Returns the policy of a label, if the program handed it in.
    pub(super) fn policy(&self, label: &str) -> Option<&Arc<dyn Prototype>> {
        let found = self.policies.iter().find(|(known, _)| known == label);
        found.map(|(_, policy)| policy)
    }

    /// Returns the labels of the policies that the program handed in.
    pub(super) fn labels(&self) -> impl Iterator<Item = &str> {
        self.policies.iter().map(|(label, _)| label.as_str())
    }
}
