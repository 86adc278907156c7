//! The endings of lanes.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The reason why a lane played no further round. The order here is the order in every report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum Ending {
    /// The source had no more people.
    SourceEnded,
    /// All places were taken.
    Filled,
    /// The last round of the setting was played.
    Horizon,
    /// The interview cap or the budget took effect.
    Capped,
    /// `max_rounds` passed, or no one could ever be accepted again.
    Stalled,
    /// The policy broke a rule.
    Disqualified,
    /// The policy panicked.
    Panicked,
    /// The policy went away (for example an outside seat that closed).
    Left,
    /// The source failed.
    SourceFailed,
    /// The user stopped the run.
    Interrupted,
}

impl Ending {
    /// Every ending, in order.
    pub const ALL: [Self; 10] = [
        Self::SourceEnded,
        Self::Filled,
        Self::Horizon,
        Self::Capped,
        Self::Stalled,
        Self::Disqualified,
        Self::Panicked,
        Self::Left,
        Self::SourceFailed,
        Self::Interrupted,
    ];

    /// The word for the ending in files and reports (`source_ended`).
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SourceEnded => "source_ended",
            Self::Filled => "filled",
            Self::Horizon => "horizon",
            Self::Capped => "capped",
            Self::Stalled => "stalled",
            Self::Disqualified => "disqualified",
            Self::Panicked => "panicked",
            Self::Left => "left",
            Self::SourceFailed => "source_failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// Returns true if the figures of a lane with this ending can be compared with another's. A
    /// stalled lane is comparable, because the places it left empty are a result.
    ///
    /// `source_end_is_short`: the run was to end after a number of rounds, so that a source which
    /// ends first cuts it short.
    pub const fn is_comparable(self, source_end_is_short: bool) -> bool {
        match self {
            Self::Filled | Self::Horizon | Self::Capped | Self::Stalled => true,
            Self::SourceEnded => !source_end_is_short,
            Self::Disqualified
            | Self::Panicked
            | Self::Left
            | Self::SourceFailed
            | Self::Interrupted => false,
        }
    }
}

impl Ending {
    /// Returns true if the lane ended early for a reason of its own, before it completed its task.
    pub const fn breaks_off(self) -> bool {
        matches!(
            self,
            Self::Stalled | Self::Disqualified | Self::Panicked | Self::Left
        )
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Ending {
    type Err = UnknownEnding;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|ending| ending.word() == word)
            .ok_or_else(|| UnknownEnding(word.to_owned()))
    }
}

impl Serialize for Ending {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Ending {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
        word.parse().map_err(D::Error::custom)
    }
}

/// The error of a word that names no ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEnding(pub String);

impl fmt::Display for UnknownEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = Ending::ALL.map(Ending::word).join(", ");
        write!(f, "`{}` is no ending; endings are {words}", self.0)
    }
}

impl std::error::Error for UnknownEnding {}

/// The ending of a lane, with a detail if the word does not say enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The ending.
    pub ending: Ending,
    /// The detail of the ending, for example the rule broken or the panic's message.
    pub detail: Option<String>,
}

impl From<Ending> for Stop {
    fn from(ending: Ending) -> Self {
        Self {
            ending,
            detail: None,
        }
    }
}

impl Stop {
    /// Makes an ending with a detail.
    #[must_use]
    pub fn because(ending: Ending, detail: impl Into<String>) -> Self {
        Self {
            ending,
            detail: Some(detail.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_contract_and_parse_back() {
        let words = Ending::ALL.map(|ending| ending.to_string()).join(", ");
        assert_eq!(
            words,
            "source_ended, filled, horizon, capped, stalled, disqualified, panicked, left, source_failed, interrupted"
        );
        for ending in Ending::ALL {
            assert_eq!(ending.word().parse(), Ok(ending));
        }
        assert_eq!(
            "Filled".parse::<Ending>(),
            Err(UnknownEnding("Filled".into()))
        );
    }

    #[test]
    fn all_is_in_order() {
        assert!(Ending::ALL.is_sorted());
    }

    #[test]
    fn a_source_that_ends_is_short_only_where_the_run_was_to_end_otherwise() {
        let comparable = |short| {
            Ending::ALL
                .into_iter()
                .filter(|ending| ending.is_comparable(short))
                .collect::<Vec<_>>()
        };
        let whole = [
            Ending::Filled,
            Ending::Horizon,
            Ending::Capped,
            Ending::Stalled,
        ];
        assert_eq!(comparable(true), whole);
        assert_eq!(comparable(false)[0], Ending::SourceEnded);
        assert_eq!(comparable(false)[1..], whole);
    }

    #[test]
    fn a_lane_breaks_off_for_a_reason_of_its_own_alone() {
        let breaks = Ending::ALL.into_iter().filter(|ending| ending.breaks_off());
        assert_eq!(
            breaks.collect::<Vec<_>>(),
            [
                Ending::Stalled,
                Ending::Disqualified,
                Ending::Panicked,
                Ending::Left
            ]
        );
    }

    #[test]
    fn an_unknown_word_is_named_with_those_that_are_known() {
        let said = "done".parse::<Ending>().unwrap_err().to_string();
        assert!(
            said.starts_with("`done` is no ending; endings are "),
            "{said}"
        );
        assert!(
            Ending::ALL
                .iter()
                .all(|ending| said.contains(ending.word()))
        );
    }
}
