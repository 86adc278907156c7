//! The head of a config: its name, its seed and its number of replications.

use std::path::Path;

use crate::config::keys::{ABOUT, NAME, POLICY_NOISE_ONLY, REPLICATIONS, SEED};
use crate::document::{Field, Reader};

/// The head. Parts that could not be read are `None`.
pub(super) struct Head<'a> {
    pub(super) name: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) replications: Option<u64>,
    /// The field with the number of replications.
    pub(super) place: Field<'a>,
    /// True if replications repeat only the policies' own randomness.
    pub(super) is_noise_only: bool,
    /// Notes on defaults.
    pub(super) notes: Vec<String>,
}

impl<'a> Head<'a> {
    /// Reads the head of the config in `file`, whose stem is the name where the config gives none.
    pub(super) fn read(top: &mut Reader<'a>, file: &str) -> Self {
        let mut notes = Vec::new();
        let name = NAME.read(top);
        // For `klero list presets` and for readers.
        ABOUT.read(top);
        let stem = || {
            let stem = Path::new(file).file_stem();
            stem.map(|stem| stem.to_string_lossy().into_owned())
        };
        let seed = SEED.or_note(top, &mut notes);
        let replications = REPLICATIONS.or_note(top, &mut notes);
        Self {
            name: name.or_else(stem),
            seed,
            replications,
            place: REPLICATIONS.field(top),
            is_noise_only: POLICY_NOISE_ONLY.value(top).unwrap_or(false),
            notes,
        }
    }

    /// Returns true if the config is played more than once.
    pub(super) fn is_repeated(&self) -> bool {
        self.replications.is_some_and(|many| many > 1)
    }
}
