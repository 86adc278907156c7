//! The origin of the candidates in a plan.

use std::path::PathBuf;
use std::sync::Arc;

use kleroterion_core::protocol::{GroupTruth, Known, Schema};
use kleroterion_core::score::{GoodOutcome, Utilities, Volunteering};
use kleroterion_core::source::SourceMaker;
use kleroterion_core::source::admissions::Admissions;
use kleroterion_io::feed::FeedSpec;
use kleroterion_io::people::table::Doubles;
use kleroterion_io::record::file::How;

/// The origin of the candidates, and the facts about them.
pub struct World {
    /// The schema of the candidates' columns.
    pub schema: Arc<Schema>,
    /// The facts about the candidates that policies may know.
    pub known: Known,
    /// The maker of a replication's stream.
    pub source: SourceMaker,
    /// True if the stream is the same in every replication.
    pub fixed: bool,
    /// The number of people, if each comes once.
    pub people: Option<u64>,
    /// The number of rows of the people's file, kept or not, if they come from one.
    pub rows_read: Option<u64>,
    /// The file of separated text that the people come from, if there is one.
    pub file: Option<PeopleFile>,
    /// Sentences about the people that every output states, since a reader would assume otherwise.
    pub disclosures: Vec<String>,
    /// The model of which contacted people volunteer, if the config sets one.
    pub volunteering: Option<Volunteering>,
    /// The merits of the candidates. Interviews and outcomes are drawn around them.
    pub merits: Merits,
    /// True if the candidates' scores by reviewers are recorded. Interviews can then replay them.
    pub records: bool,
    /// The distribution of merits in each group, if candidates have merits. Oracles and scorers use
    /// it.
    pub truth: Option<GroupTruth>,
    /// The season of admissions, if the source is one. Studies use it to compare a chair's
    /// decisions with those of policies.
    pub season: Option<Arc<Admissions>>,
    /// The summary of the recorded outcomes, if a column of the people's file holds them.
    pub outcomes: Option<RecordedOutcomes>,
    /// The least and the greatest score of all possible candidates, if known.
    pub score_range: Option<(f64, f64)>,
    /// The feed, if candidates come from outside. In that case `source` only reports that the feed
    /// has not been opened.
    pub feed: Option<FeedSpec>,
    /// The pace at which people come, if the config sets one. It never affects decisions.
    pub pace: Option<Pace>,
    /// The mean number of arrivals per second, if people arrive independently at a constant rate.
    pub arrivals: Option<f64>,
}

/// A file of people, and the rows of the people who come from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The way to open the file.
    pub how: How,
    /// The names of the columns, if the file has no header.
    pub columns: Option<Vec<String>>,
    /// The row number of each person, from 1. The header and blank lines are not counted.
    pub rows: Vec<u64>,
    /// True if a column names the people. Otherwise their row numbers do.
    pub is_named: bool,
    /// The rows that occur twice.
    pub doubles: Doubles,
}

/// A summary of people's recorded outcomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedOutcomes {
    /// The least and the greatest recorded outcome.
    pub range: (f64, f64),
    /// True if every outcome is 0 or 1.
    pub is_binary: bool,
    /// The number of people with an outcome.
    pub people: u64,
}

impl RecordedOutcomes {
    /// Returns the outcomes that count as good by default: those of 1 if all are 0 or 1, else
    /// `None`.
    #[must_use]
    pub fn good(&self) -> Option<GoodOutcome> {
        self.is_binary.then_some(GoodOutcome::AtLeast(1.0))
    }
}

/// The pace at which people come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// A constant number of people per second.
    Persons(f64),
    /// The recorded arrival times.
    Arrivals {
        /// The factor by which time runs faster.
        speed: f64,
    },
}

/// The merits of candidates.
#[derive(Clone, Debug, PartialEq)]
pub enum Merits {
    /// No merits.
    None,
    /// Merits drawn for each candidate.
    Drawn,
    /// Merits drawn for each candidate between these ends, both included.
    Within(f64, f64),
    /// Known merits, one of these for each candidate.
    Known(Utilities),
}

impl Merits {
    /// Returns the merits of people with these utilities, or [`Merits::Drawn`] if there are none.
    #[must_use]
    pub fn known(utilities: Option<Utilities>) -> Self {
        utilities.map_or(Self::Drawn, Self::Known)
    }

    /// Returns true if candidates have merits.
    #[must_use]
    pub fn exist(&self) -> bool {
        *self != Self::None
    }
}

impl World {
    /// A world of people without merits or recorded data, drawn anew in each replication.
    #[must_use]
    pub fn new(schema: Arc<Schema>, known: Known, source: SourceMaker) -> Self {
        Self {
            schema,
            known,
            source,
            fixed: false,
            people: None,
            rows_read: None,
            file: None,
            disclosures: Vec::new(),
            volunteering: None,
            merits: Merits::None,
            records: false,
            truth: None,
            season: None,
            outcomes: None,
            score_range: None,
            feed: None,
            pace: None,
            arrivals: None,
        }
    }
}
