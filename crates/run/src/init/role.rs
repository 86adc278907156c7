//! The roles of columns in a file of people.

/// Named ranges of numbers: the name, the lower end (included) and the upper end (excluded).
pub type ColumnBands = Vec<(String, f64, f64)>;

/// The problem with a role for a column, and its remedy.
pub(super) type Misfit = (String, String);

/// The role of a column in a file of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuessedRole {
    /// An identifier of each person.
    Id,
    /// An attribute, by which people are grouped.
    AttributeColumn,
    /// A number that describes a person.
    Number,
    /// The outcome of each person.
    Outcome,
    /// A score of each person.
    Score,
    /// A household: people who live together have equal cells.
    Household,
    /// Contact data, by which a person can be reached or identified.
    Contact,
    /// A counter of rows.
    Counter,
    /// A column that is not read.
    Out,
}

impl GuessedRole {
    /// All roles, with the words that name them.
    pub const WORDS: [(&'static str, Self); 9] = [
        ("id", Self::Id),
        ("attribute", Self::AttributeColumn),
        ("number", Self::Number),
        ("outcome", Self::Outcome),
        ("score", Self::Score),
        ("household", Self::Household),
        ("contact", Self::Contact),
        ("counter", Self::Counter),
        ("out", Self::Out),
    ];

    /// The word that names the role.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, role)| *role == self);
        found.map_or("out", |(word, _)| word)
    }
}

/// A role that the user gives to a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRole {
    /// The column.
    pub column: usize,
    /// The role.
    pub role: GuessedRole,
    /// The option by which the user gave it.
    pub option: String,
    /// The good values of an outcome.
    pub good: Vec<String>,
}

/// An attribute of people, with its column.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeColumn {
    /// The column.
    pub column: usize,
    /// The named ranges of its numbers. Empty if its values are names.
    pub bands: ColumnBands,
}

/// The role of a column and its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnRole {
    /// The role.
    pub role: GuessedRole,
    /// The reason.
    pub why: String,
    /// The named ranges of an attribute of numbers.
    pub bands: ColumnBands,
    /// True if the user or the quotas set the role.
    pub is_said: bool,
}

impl ColumnRole {
    pub(super) fn new(role: GuessedRole, why: impl Into<String>) -> Self {
        Self {
            role,
            why: why.into(),
            bands: Vec::new(),
            is_said: false,
        }
    }

    /// The role that the user or the quotas say.
    pub(super) fn said(role: GuessedRole, why: impl Into<String>) -> Self {
        Self {
            is_said: true,
            ..Self::new(role, why)
        }
    }
}
