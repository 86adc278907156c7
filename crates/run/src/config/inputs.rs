//! All that a program hands in with a config.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::handed::HandedIn;
use crate::registry::Registry;
use kleroterion_core::arena::Prototype;
use kleroterion_io::feed::MemoryFeed;
use kleroterion_io::record::file::MemoryTable;
use kleroterion_io::secrets::{NatsSecrets, Secrets};

/// All that a config refers to outside its text: the folders of its files, the kinds that it may name,
/// and what the program hands in. A path alone is a folder.
#[derive(Clone, Default)]
pub struct ConfigInputs {
    pub(super) handed: HandedIn,
    /// `None` means the built-in kinds.
    registry: Option<Arc<Registry>>,
}

impl ConfigInputs {
    /// The inputs of a config whose files are in a folder.
    #[must_use]
    pub fn of_folder(folder: impl Into<PathBuf>) -> Self {
        Self::default().in_folder(folder)
    }

    /// Sets the folder in which files are looked for that are not in the folder of the config.
    #[must_use]
    pub fn with_data(mut self, data: Option<PathBuf>) -> Self {
        self.handed.data = data;
        self
    }

    /// The same inputs of a config whose files are in another folder.
    #[must_use]
    pub fn in_folder(&self, folder: impl Into<PathBuf>) -> Self {
        let mut inputs = self.clone();
        inputs.handed.folder = folder.into();
        inputs
    }

    /// Sets the kinds and metrics that the config may name.
    #[must_use]
    pub fn with_registry(mut self, registry: impl Into<Arc<Registry>>) -> Self {
        self.registry = Some(registry.into());
        self
    }

    /// The kinds and metrics that the config may name: by default the built-in ones.
    #[must_use]
    pub fn registry(&self) -> Arc<Registry> {
        self.registry.clone().unwrap_or_default()
    }

    /// Hands in a table. The config has it as `path = { memory = "NAME" }` in place of a file's path.
    #[must_use]
    pub fn with_table(mut self, name: &str, table: MemoryTable) -> Self {
        self.handed.tables.insert(name.to_owned(), table);
        self
    }

    /// Hands in the feed of a source of type `memory`.
    #[must_use]
    pub fn with_feed(mut self, feed: MemoryFeed) -> Self {
        self.handed.feed = Some(feed);
        self
    }

    /// Hands in the policy of a label. The config has it as `kind = "custom"`. Of two policies
    /// under one label, the later counts.
    #[must_use]
    pub fn with_policy(self, label: &str, policy: Box<dyn Prototype>) -> Self {
        let handed = self.handed.with_policy(label, policy.into());
        Self { handed, ..self }
    }

    /// Hands in the policies of other inputs too.
    pub(super) fn with_policies_of(self, other: &Self) -> Self {
        let policies = other.handed.policies.iter();
        let handed = policies.fold(self.handed, |handed, (label, policy)| {
            handed.with_policy(label, Arc::clone(policy))
        });
        Self { handed, ..self }
    }

    /// The same inputs for a config whose policies do not play, as for the report of a run: those
    /// that are objects need not be handed in.
    #[must_use]
    pub fn unplayed(mut self) -> Self {
        self.handed.is_unplayed = true;
        self
    }

    /// Hands in the secrets of servers and connections. Without them there are none.
    #[must_use]
    pub fn with_secrets(mut self, secrets: Secrets) -> Self {
        self.handed.secrets = secrets;
        self
    }

    /// The secrets of servers and connections.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.handed.secrets
    }

    /// The secrets that NATS servers demand.
    #[must_use]
    pub fn nats_secrets(&self) -> &NatsSecrets {
        &self.handed.secrets.nats
    }

    /// Returns the folder in which files are looked up first.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.handed.folder()
    }

    /// The folder in which files are looked for that are not in the folder of the config.
    #[must_use]
    pub fn data(&self) -> Option<&Path> {
        self.handed.data()
    }
}

impl fmt::Debug for ConfigInputs {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("ConfigInputs")
            .field("folder", &self.handed.folder)
            .field("data", &self.handed.data)
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
