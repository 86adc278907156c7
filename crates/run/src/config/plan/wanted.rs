//! The files of quotas in a plan, and the letters that recruit volunteers.

use kleroterion_io::people::organisers::{Categories, Intersections};
use kleroterion_sortition::letters::LettersQuestion;

/// An organiser's files of quotas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganiserFiles {
    /// The quotas of values.
    pub categories: Categories,
    /// The quotas of pairs of values, if there is a file of them.
    pub intersections: Option<Intersections>,
}

/// A recruitment of volunteers by letters.
#[derive(Clone, Debug, PartialEq)]
pub struct Recruitment {
    /// The people who get letters.
    pub population: LetterPopulation,
    /// The question to answer: the letters needed for the committee.
    pub question: LettersQuestion,
    /// The required probability that the pool contains a committee.
    pub sure: f64,
}

/// The people who get letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterPopulation {
    /// People with the target's shares, and independent attributes.
    Target,
    /// People whose repliers have the law of the source.
    Source,
    /// People of the types that the config lists.
    Types,
}
