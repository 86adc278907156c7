//! A pair of attributes with quotas, treated as an attribute of its own.

use crate::people::organisers::FlexibleQuota;
use crate::people::table::PeopleTable;
use crate::record::alike::{self, alike};

/// The text between the two names of a pair.
const BETWEEN: &str = " x ";

/// Two attributes and the pairs of their values that have quotas.
///
/// A person has one value of a pair: the pair of values that is theirs, or [`ValuePair::OTHER`] where
/// that one is not listed. Where all are listed and no one has another, there is no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePair {
    /// The names of the two attributes, as spelt in the categories file.
    pub of: [String; 2],
    /// The pairs of values that are listed, in the order of the file.
    pub values: Vec<PairValue>,
    /// True if every pair of values of the two attributes is listed.
    pub lists_all: bool,
}

/// A pair of values that has a quota.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairValue {
    /// The names of the two values, as spelt in the categories file.
    pub of: [String; 2],
    /// The line of the file, from 1.
    pub line: u64,
    /// The number of members who may have both values, and the bounds within which it may be
    /// relaxed.
    pub quota: FlexibleQuota,
}

impl ValuePair {
    /// The name of the value for people whose pair of values is not listed.
    pub const OTHER: &'static str = "other";

    /// Returns the name of the attribute that the pair makes, such as "gender x age".
    #[must_use]
    pub fn name(&self) -> String {
        joined(&self.of)
    }

    /// Returns true if a name is that of a pair which contains the attribute.
    #[must_use]
    pub fn is_named_of(name: &str, attribute: &str) -> bool {
        let sides = name.match_indices(BETWEEN);
        let mut sides = sides.map(|(at, mark)| [&name[..at], &name[at + mark.len()..]]);
        sides.any(|sides| sides.contains(&attribute))
    }

    /// Finds the pair of values with this name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&PairValue> {
        self.values.iter().find(|value| value.name() == name)
    }

    /// Finds the pair of two values, as spelt in the file, else alike.
    pub fn of_values(&self, values: [&String; 2]) -> Option<&PairValue> {
        Some(&self.values[self.place(values)?])
    }

    fn place(&self, values: [&String; 2]) -> Option<usize> {
        let spelt = |known: &PairValue| known.of.each_ref() == values;
        let alike = |known: &PairValue| known.of.iter().zip(values).all(|(a, b)| alike(a, b));
        let place = self.values.iter().position(spelt);
        place.or_else(|| self.values.iter().position(alike))
    }

    /// Adds the attribute of this pair to the people. Returns `None` if they lack one of the two
    /// attributes.
    pub fn added_to(&self, people: &mut PeopleTable) -> Option<()> {
        let find = |name: &String| {
            let names = people.attributes().iter().map(|(known, _)| known.as_str());
            alike::find(name, names).ok()?
        };
        let [Some(one), Some(other)] = [&self.of[0], &self.of[1]].map(find) else {
            return None;
        };
        let listed = |row: usize| {
            let of = people.values(row);
            let value = |at: usize| &people.attributes()[at].1[usize::from(of[at])];
            self.place([value(one), value(other)])
                .unwrap_or(self.values.len()) as u16
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
    /// Returns the name of the value, such as "female x 18-29".
    #[must_use]
    pub fn name(&self) -> String {
        joined(&self.of)
    }
}

fn joined([first, second]: &[String; 2]) -> String {
    format!("{first}{BETWEEN}{second}")
}
