//! The quantity that a comparison is about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The quantity that the interval of a pair covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Estimand {
    /// The mean of D over replications, which are i.i.d.
    #[default]
    #[serde(rename = "mean of a - b over replications")]
    Replications,
    /// The mean of D over the cases of a table, which are i.i.d.
    #[serde(rename = "mean of a - b over cases")]
    Cases,
    /// The average of the conditional means of D over the rounds played, on one stream.
    #[serde(rename = "running average of a - b over rounds")]
    Rounds,
    /// The average of the conditional means of D over the people of a group whom both policies were
    /// shown.
    #[serde(rename = "running average of a - b over the people of the group")]
    People,
    /// The difference of the ratios of groups' selection rates, which are running averages over the
    /// people shown.
    #[serde(rename = "difference of the ratios of running averages")]
    Ratios,
    /// The difference of the mean outcomes of the selected, each a running average over those whose
    /// outcome has come.
    #[serde(rename = "difference of the running averages of outcomes")]
    Outcomes,
    /// The difference of the least chances of respondents, each exact or between limits.
    #[serde(rename = "difference of the least chances of respondents")]
    LeastChances,
    /// Nothing is estimated: the facts about whom each policy selected from this stream.
    #[serde(rename = "difference on this stream as played")]
    Facts,
}

impl Estimand {
    /// The name of one unit of the comparison: `replication`, `round`, `person`.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Replications | Self::LeastChances => "replication",
            Self::Cases => "case",
            Self::Rounds => "round",
            Self::People | Self::Ratios | Self::Outcomes => "person",
            Self::Facts => "stream",
        }
    }

    /// The name of the units in the plural.
    #[must_use]
    pub const fn units(self) -> &'static str {
        match self {
            Self::Replications | Self::LeastChances => "replications",
            Self::Cases => "cases",
            Self::Rounds => "rounds",
            Self::People | Self::Ratios | Self::Outcomes => "people",
            Self::Facts => "streams",
        }
    }

    /// The names of the unit in the singular and the plural. A round of one person is counted as a
    /// person if `one_by_one`.
    #[must_use]
    pub const fn counted(self, one_by_one: bool) -> (&'static str, &'static str) {
        match self {
            Self::Rounds if one_by_one => ("person", "people"),
            other => (other.unit(), other.units()),
        }
    }

    /// Returns true if it is about one stream, played once.
    #[must_use]
    pub const fn is_stream(self) -> bool {
        !matches!(self, Self::Replications | Self::Cases | Self::LeastChances)
    }

    /// Returns true if it is a fact that was seen, and no estimate.
    #[must_use]
    pub const fn is_fact(self) -> bool {
        matches!(self, Self::Facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimand_names_its_unit_and_whether_it_is_of_one_stream() {
        use Estimand::{
            Cases, Facts, LeastChances, Outcomes, People, Ratios, Replications, Rounds,
        };
        for (estimand, unit, units, is_stream) in [
            (Replications, "replication", "replications", false),
            (Cases, "case", "cases", false),
            (LeastChances, "replication", "replications", false),
            (Rounds, "round", "rounds", true),
            (People, "person", "people", true),
            (Ratios, "person", "people", true),
            (Outcomes, "person", "people", true),
            (Facts, "stream", "streams", true),
        ] {
            assert_eq!((estimand.unit(), estimand.units()), (unit, units));
            assert_eq!(estimand.is_stream(), is_stream, "{estimand:?}");
            assert_eq!(estimand.is_fact(), estimand == Facts);
        }
    }
}
