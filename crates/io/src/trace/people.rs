//! Lists of people, interviews and offers: the rows of `selected.csv`, `people.csv`, `cohort.csv`,
//! `interviews.csv` and `offers.csv`.

use std::io::{self, Read};

use super::logs::Spool;
use super::names::Names;
use super::post::Post;
use crate::limits::MOST_LOG_MEMORY;
use crate::record::{SheetWriter, shortest};
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry, Schema, Shown};
use kleroterion_core::score::Witness;

/// The lists that a run can write, by their content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedPeople {
    /// The people whom a policy selected: `selected.csv`.
    Selected,
    /// The people shown to a policy, with a column for those selected: `people.csv`.
    Shown,
    /// The people shown to a policy that buys interviews or makes offers, with its findings and
    /// their fate: `cohort.csv`.
    Cohort,
    /// The interviews that were bought: `interviews.csv`.
    Interviews,
    /// The offers that were made, and the replies: `offers.csv`.
    Offers,
}

impl ListedPeople {
    /// Returns the name of the list's file in the folder of a run.
    #[must_use]
    pub fn file(self) -> &'static str {
        match self {
            Self::Selected => "selected.csv",
            Self::Shown => "people.csv",
            Self::Cohort => "cohort.csv",
            Self::Interviews => "interviews.csv",
            Self::Offers => "offers.csv",
        }
    }

    /// Returns true for lists made from the items that a lane keeps of its rounds: cohort accounts,
    /// interviews and offers. A lane keeps items only where a list asks for them.
    #[must_use]
    pub fn is_of_items(self) -> bool {
        matches!(self, Self::Cohort | Self::Interviews | Self::Offers)
    }

    /// Returns the names of the columns. The attributes come last; lists of all people shown add
    /// the score, the features and the arrival after them.
    #[must_use]
    pub fn columns(self, schema: &Schema, names: &Names) -> Vec<String> {
        let mut columns = ["replication", "policy", "round", "id"]
            .map(str::to_owned)
            .to_vec();
        columns.extend(self.own_columns().iter().map(|&name| name.to_owned()));
        if matches!(self, Self::Interviews | Self::Offers) {
            return columns;
        }
        let attributes = schema.attributes().iter().map(|a| &a.name);
        columns.extend(attributes.filter(|name| names.shows(name)).cloned());
        if self.shows_numbers(names) {
            columns.extend(schema.scored().then(|| "score".to_owned()));
            // An attribute and a feature may be of one column and have its name.
            columns.extend(
                schema
                    .features()
                    .iter()
                    .map(|name| format!("feature.{name}")),
            );
            columns.extend(schema.is_timed().then(|| "at".to_owned()));
        }
        columns
    }

    /// Returns the list's own columns, after those that all lists have.
    fn own_columns(self) -> &'static [&'static str] {
        match self {
            Self::Selected => &[],
            Self::Shown => &["selected"],
            Self::Cohort => &["interviews", "mark", "spent", "chosen", "reply"],
            Self::Interviews => &["kind", "nth", "value", "cost", "by", "asked"],
            Self::Offers => &["turn", "reply", "by", "asked"],
        }
    }

    fn shows_numbers(self, names: &Names) -> bool {
        matches!(self, Self::Shown | Self::Cohort) && names.shows_numbers()
    }
}

/// The list of one lane, as rows of CSV text.
pub struct PeopleLog {
    listed: ListedPeople,
    pub(super) post: Post,
    rows: Spool,
}

impl PeopleLog {
    /// Creates an empty list.
    #[must_use]
    pub fn new(listed: ListedPeople, post: Post) -> Self {
        Self {
            listed,
            post,
            rows: Spool::new(MOST_LOG_MEMORY),
        }
    }

    /// Returns the content of the list.
    #[must_use]
    pub fn listed(&self) -> ListedPeople {
        self.listed
    }

    /// Returns the rows, from the first on.
    ///
    /// # Errors
    /// Where they could not be written or read.
    pub fn read(self) -> io::Result<impl Read> {
        self.rows.read()
    }

    /// Returns the rows of a round, in the order of [`ListedPeople::columns`].
    fn rows(&self, entry: &RoundEntry<'_>) -> Vec<Vec<String>> {
        let row = |person: Shown<'_>, is_selected: bool| {
            let mut row = self.lead(entry.round(), person);
            if self.listed == ListedPeople::Shown {
                row.push(u8::from(is_selected).to_string());
            }
            row.extend(self.values(person));
            row
        };
        match self.listed {
            ListedPeople::Selected => entry.chosen().map(|person| row(person, true)).collect(),
            ListedPeople::Shown => entry
                .decided()
                .map(|(person, is)| row(person, is))
                .collect(),
            ListedPeople::Cohort => self.cohort(entry),
            ListedPeople::Interviews => self.interviews(entry),
            ListedPeople::Offers => self.offers(entry),
        }
    }

    /// The cells by which every row begins.
    pub(super) fn lead(&self, round: u64, person: Shown<'_>) -> Vec<String> {
        let post = &self.post;
        vec![
            post.replication.to_string(),
            post.label.clone(),
            round.to_string(),
            post.names.of(person.id()),
        ]
    }

    /// Returns what is shown of a person: the values of attributes, score, features, arrival.
    pub(super) fn values(&self, person: Shown<'_>) -> Vec<String> {
        let (names, attributes) = (&self.post.names, person.schema().attributes());
        let values = attributes.iter().zip(person.values());
        let values = values.filter(|(a, _)| names.shows(&a.name));
        let values = values.map(|(a, &value)| a.values[usize::from(value)].clone());
        let numbers = person.score().into_iter();
        let numbers = numbers.chain(person.features().iter().copied());
        let numbers = numbers.chain(person.arrival()).map(shortest);
        let numbers = numbers.filter(|_| self.listed.shows_numbers(names));
        values.chain(numbers).collect()
    }
}

impl Witness for PeopleLog {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut rows = SheetWriter::to(Vec::new());
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            for row in self.rows(&entry) {
                rows.row(row).expect("memory takes every row");
            }
        }
        let rows = rows.into_inner().expect("memory takes every row");
        self.rows.push(&rows);
    }
}
