//! The things that columns are for.

/// Names of ranges of numbers, from and below.
pub type Bands = Vec<(String, f64, f64)>;

/// What is wrong with a role for a column, and what to do.
pub(super) type Misfit = (String, String);

/// The thing that a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It names people.
    Id,
    /// People are grouped by it.
    Attribute,
    /// A number that says something of a person.
    Number,
    /// What became of people.
    Outcome,
    /// A score of each.
    Score,
    /// Those who live together have the same cells.
    Household,
    /// By it people are reached or known.
    Contact,
    /// It counts rows.
    Counter,
    /// It is not read.
    Out,
}

impl Role {
    /// All of them, with the words by which they are named.
    pub const WORDS: [(&'static str, Self); 9] = [
        ("id", Self::Id),
        ("attribute", Self::Attribute),
        ("number", Self::Number),
        ("outcome", Self::Outcome),
        ("score", Self::Score),
        ("household", Self::Household),
        ("contact", Self::Contact),
        ("counter", Self::Counter),
        ("out", Self::Out),
    ];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, role)| *role == self);
        found.map_or("out", |(word, _)| word)
    }
}

/// A role that the user names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRole {
    /// The column.
    pub column: usize,
    /// Its role.
    pub role: Role,
    /// The option that says so.
    pub option: String,
    /// The values of an outcome that are good.
    pub good: Vec<String>,
}

/// An attribute of people, from a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The column.
    pub column: usize,
    /// Names of ranges of its numbers, from and below; none where its values are names.
    pub bands: Bands,
}

/// The role of a column and its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnRole {
    /// The role.
    pub role: Role,
    /// The reason.
    pub why: String,
    /// The bands of an attribute of numbers.
    pub bands: Bands,
    /// `true` where the user or the quotas say it.
    pub is_said: bool,
}

impl ColumnRole {
    pub(super) fn new(role: Role, why: impl Into<String>) -> Self {
        Self {
            role,
            why: why.into(),
            bands: Vec::new(),
            is_said: false,
        }
    }

    /// The role that the user or the quotas say.
    pub(super) fn said(role: Role, why: impl Into<String>) -> Self {
        Self {
            is_said: true,
            ..Self::new(role, why)
        }
    }
}
