//! A pair of attributes that has quotas, as an attribute of its own.

use crate::source::organisers::FlexibleQuota;
use crate::source::table::PeopleTable;

/// Between the two names of a pair.
const BETWEEN: &str = " x ";

/// Two attributes and the pairs of their values that have quotas.
///
/// A person has one value of a pair: the pair of values that is theirs, or [`Pair::OTHER`] where
/// that one is not listed. Where all are listed and no one has another, there is no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The names of the two, as spelt in the categories file.
    pub of: [String; 2],
    /// The pairs of values that are listed, in the order of the file.
    pub values: Vec<PairValue>,
    /// Whether every pair of values of the categories is listed.
    pub lists_all: bool,
}

/// A pair of values that has a quota.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairValue {
    /// The names of the two, as spelt in the categories file.
    pub of: [String; 2],
    /// The line of the file, from 1.
    pub line: u64,
    /// How many members may have both, and how far that may be relaxed.
    pub quota: FlexibleQuota,
}

impl Pair {
    /// The value of people whose pair of values is not listed.
    pub const OTHER: &'static str = "other";

    /// The name of the attribute that the pair makes.
    #[must_use]
    pub fn name(&self) -> String {
        joined(&self.of)
    }

    /// Whether a name is that of a pair of which an attribute is one.
    #[must_use]
    pub fn is_named_of(name: &str, attribute: &str) -> bool {
        let sides = name.match_indices(BETWEEN);
        let mut sides = sides.map(|(at, mark)| [&name[..at], &name[at + mark.len()..]]);
        sides.any(|sides| sides.contains(&attribute))
    }

    /// The pair that has a name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&PairValue> {
        self.values.iter().find(|value| value.name() == name)
    }

    /// The people with the attribute of this pair; none where they lack one of the two.
    pub(crate) fn added_to(&self, people: &mut PeopleTable) -> Option<()> {
        let find = |name: &String| {
            let mut attributes = people.attributes().iter();
            attributes.position(|(known, _)| known == name)
        };
        let [Some(one), Some(other)] = [&self.of[0], &self.of[1]].map(find) else {
            return None;
        };
        let listed = |row: usize| {
            let of = people.values(row);
            let value = |at: usize| &people.attributes()[at].1[usize::from(of[at])];
            let pair = [value(one), value(other)];
            let found = self
                .values
                .iter()
                .position(|known| known.of.each_ref() == pair);
            found.unwrap_or(self.values.len()) as u16
        };
        let values: Vec<u16> = (0..people.len()).map(listed).collect();
        let mut names: Vec<String> = self.values.iter().map(PairValue::name).collect();
        if values
            .iter()
            .any(|value| usize::from(*value) == names.len())
        {
            names.push(Self::OTHER.to_owned());
        }
        people.push_attribute(self.name(), names, &values);
        Some(())
    }
}

impl PairValue {
    /// The name of the value: "female x 18-29".
    #[must_use]
    pub fn name(&self) -> String {
        joined(&self.of)
    }
}

fn joined([first, second]: &[String; 2]) -> String {
    format!("{first}{BETWEEN}{second}")
}
