//! One kind of policy: its name, its keys and the reader of its table.

use super::ready::Ready;
use crate::document::Reader;
use crate::document::param::Param;
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::{GroupTruth, Role};

/// The setting of a kind that can play every setting.
pub const ANY: &str = "any";

/// Reads the table of a policy and sets it up; what is wrong is noted with the reader.
type ReadPolicy = fn(&mut Reader<'_>, &Brief<'_>) -> Option<Ready>;

/// A function that reads the table of an oracle, which also needs the truth.
type ReadOracle = fn(&mut Reader<'_>, &Brief<'_>, Option<&GroupTruth>) -> Option<Ready>;

/// The function that builds a policy from its table in the config.
pub(super) enum Build {
    /// Builds it from the facts that a policy may know.
    Blind(ReadPolicy),
    /// Builds an oracle, which also needs the truth.
    Sighted(ReadOracle),
}

/// One kind of policy.
pub struct Kind {
    /// The name in configs.
    pub name: &'static str,
    /// The setting that it belongs to, for example `committee`.
    pub setting: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Its keys, except those that every policy has.
    pub params: &'static [Param],
    /// The names of the measures that the policy reports itself, besides those scored for all
    /// policies.
    pub measures: &'static [&'static str],
    /// Its role, unless the config sets another.
    pub role: Role,
    /// True if the policy can choose again in a round to fill places that were declined.
    pub refills: bool,
    pub(super) build: Build,
}

impl Kind {
    /// A kind of policy without keys and measures of its own.
    pub(super) const fn new(
        setting: &'static str,
        name: &'static str,
        about: &'static str,
        read: ReadPolicy,
    ) -> Self {
        Self {
            name,
            setting,
            about,
            params: &[],
            measures: &[],
            role: Role::Policy,
            refills: true,
            build: Build::Blind(read),
        }
    }

    /// A kind of oracle: it knows the truth, so it is a yardstick.
    pub(super) const fn oracle(
        setting: &'static str,
        name: &'static str,
        about: &'static str,
        read: ReadOracle,
    ) -> Self {
        Self {
            name,
            setting,
            about,
            params: &[],
            measures: &[],
            role: Role::Yardstick,
            refills: true,
            build: Build::Sighted(read),
        }
    }

    /// Sets its keys.
    pub(super) const fn with(self, params: &'static [Param]) -> Self {
        Self { params, ..self }
    }

    /// Sets its own measures.
    pub(super) const fn measuring(self, measures: &'static [&'static str]) -> Self {
        Self { measures, ..self }
    }

    /// Limits the policy to one choice in a round. Choosing again would count the slate twice, or
    /// the policy shares its places among groups as a whole.
    pub(super) const fn once_a_round(self) -> Self {
        Self {
            refills: false,
            ..self
        }
    }

    /// Makes the policy a yardstick.
    pub(super) const fn yardstick(self) -> Self {
        Self {
            role: Role::Yardstick,
            ..self
        }
    }

    /// Returns the required keys, as lines of TOML.
    #[must_use]
    pub fn minimal(&self) -> String {
        let needed = self.params.iter().filter(|param| param.is_needed);
        let lines: Vec<&str> = needed.map(|param| param.example).collect();
        lines.join("\n")
    }
}
