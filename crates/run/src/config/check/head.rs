//! The head of a config: its name, its seed and its number of replications.

use std::path::Path;

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
}

impl<'a> Head<'a> {
    /// Reads the head of the config in `file`, whose stem is the name where the config gives none.
    pub(super) fn read(top: &mut Reader<'a>, file: &str, notes: &mut Vec<String>) -> Self {
        let name = top.get("name");
        // For `klero list presets` and for readers.
        top.get("about").text();
        let stem = || {
            let stem = Path::new(file).file_stem();
            stem.map(|stem| stem.to_string_lossy().into_owned())
        };
        let named = name
            .optional(Field::text)
            .and_then(|name| Some(name.to_owned()));
        let seed = or_note(&top.get("seed"), Field::whole, 1, "seed", notes);
        let place = top.get("replications");
        let at_least_1 = |field: &Field<'a>| field.whole_in(1..);
        let replications = or_note(&place, at_least_1, 1, "replications", notes);
        Self {
            name: match named.is_absent() {
                true => stem(),
                false => named.is(),
            },
            seed,
            replications,
            place,
            is_noise_only: top.get("policy_noise_only").flag().unwrap_or(false),
        }
    }

    /// Returns true if the config is played more than once.
    pub(super) fn is_repeated(&self) -> bool {
        self.replications.is_some_and(|many| many > 1)
    }
}

/// An optional key's value, or a default that is noted as assumed.
fn or_note<'a>(
    field: &Field<'a>,
    read: impl Fn(&Field<'a>) -> Option<u64>,
    default: u64,
    key: &str,
    notes: &mut Vec<String>,
) -> Option<u64> {
    let given = field.optional(read);
    if given.is_absent() {
        notes.push(format!("{key} = {default} (the config gives none)"));
    }
    given.or(default)
}
