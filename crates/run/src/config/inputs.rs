//! The inputs that a program hands in with a config: the folder of its files, tables and a feed
//! from memory, and policies of its own.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kleroterion_core::arena::Prototype;
use kleroterion_io::feed::MemoryFeed;
use kleroterion_io::record::file::MemoryTable;
use kleroterion_io::secrets::{NatsSecrets, Secrets};

/// All that a config refers to outside its text: the folders of its files, the kinds that it may name,
/// and what the program hands in. A path alone is a folder.
#[derive(Clone, Default)]
pub struct ConfigInputs {
    folder: PathBuf,
    data: Option<PathBuf>,
    /// The registry, which knows this file.
    pub(crate) kinds: Option<Arc<dyn Any + Send + Sync>>,
    tables: BTreeMap<String, MemoryTable>,
    feed: Option<MemoryFeed>,
    policies: Vec<(String, Arc<dyn Prototype>)>,
    secrets: Secrets,
    is_unplayed: bool,
}

impl ConfigInputs {
    /// The inputs of a config whose files are in a folder.
    #[must_use]
    pub fn of_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            ..Self::default()
        }
    }

    /// Sets the folder in which files are looked for that are not in the folder of the config.
    #[must_use]
    pub fn with_data(mut self, data: Option<PathBuf>) -> Self {
        self.data = data;
        self
    }

    /// The same inputs of a config whose files are in another folder.
    #[must_use]
    pub fn in_folder(&self, folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            ..self.clone()
        }
    }

    /// Hands in a table. The config has it as `path = { memory = "NAME" }` in place of a file's path.
    #[must_use]
    pub fn with_table(mut self, name: &str, table: MemoryTable) -> Self {
        self.tables.insert(name.to_owned(), table);
        self
    }

    /// Hands in the feed of a source of type `memory`.
    #[must_use]
    pub fn with_feed(mut self, feed: MemoryFeed) -> Self {
        self.feed = Some(feed);
        self
    }

    /// Hands in the policy of a label. The config has it as `kind = "custom"`. Of two policies
    /// under one label, the later counts.
    #[must_use]
    pub fn with_policy(self, label: &str, policy: Box<dyn Prototype>) -> Self {
        self.with_shared(label, policy.into())
    }

    fn with_shared(mut self, label: &str, policy: Arc<dyn Prototype>) -> Self {
        self.policies.retain(|(known, _)| known != label);
        self.policies.push((label.to_owned(), policy));
        self
    }

    /// Hands in the policies of other inputs too.
    pub(super) fn with_policies_of(self, other: &Self) -> Self {
        let policies = other.policies.iter();
        policies.fold(self, |inputs, (label, policy)| {
            inputs.with_shared(label, Arc::clone(policy))
        })
    }

    /// The same inputs for a config whose policies do not play, as for the report of a run: those
    /// that are objects need not be handed in.
    #[must_use]
    pub fn unplayed(mut self) -> Self {
        self.is_unplayed = true;
        self
    }

    /// Returns true if the config's policies do not play.
    pub(super) fn is_unplayed(&self) -> bool {
        self.is_unplayed
    }

    /// Hands in the secrets of servers and connections. Without them there are none.
    #[must_use]
    pub fn with_secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// The secrets of servers and connections.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The secrets that NATS servers demand.
    #[must_use]
    pub fn nats_secrets(&self) -> &NatsSecrets {
        &self.secrets.nats
    }

    /// Returns the folder in which files are looked up first.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder in which files are looked for that are not in the folder of the config.
    #[must_use]
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// Returns true if the program handed in tables.
    #[must_use]
    pub fn holds_tables(&self) -> bool {
        !self.tables.is_empty()
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

impl fmt::Debug for ConfigInputs {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("ConfigInputs")
            .field("folder", &self.folder)
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

impl From<&Path> for ConfigInputs {
    fn from(folder: &Path) -> Self {
        Self::of_folder(folder)
    }
}

impl From<&PathBuf> for ConfigInputs {
    fn from(folder: &PathBuf) -> Self {
        Self::of_folder(folder)
    }
}

impl From<&Self> for ConfigInputs {
    fn from(inputs: &Self) -> Self {
        inputs.clone()
    }
}
