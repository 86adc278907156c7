//! Lists of people: rows of `selected.csv` and `people.csv`.

use std::io::{self, Read, Seek, Write};

use tempfile::SpooledTempFile;

use super::logs::{IN_MEMORY, Post};
use super::names::Names;
use crate::protocol::{Batch, Ledger, RoundEntry, Schema, Shown};
use crate::record::{SheetWriter, shortest};
use crate::score::Witness;

/// Whom a list of people has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Those whom a policy selected: `selected.csv`.
    Selected,
    /// All who were shown to a policy, and whether it selected them: `people.csv`.
    Shown,
}

impl Listed {
    /// The list's file in the folder of a run.
    #[must_use]
    pub fn file(self) -> &'static str {
        match self {
            Self::Selected => "selected.csv",
            Self::Shown => "people.csv",
        }
    }

    /// The columns: the attributes come last, and where all who were shown are listed the score, the
    /// features and the arrival after them.
    #[must_use]
    pub fn columns(self, schema: &Schema, names: &Names) -> Vec<String> {
        let mut columns = ["replication", "policy", "round", "id"]
            .map(str::to_owned)
            .to_vec();
        if self == Self::Shown {
            columns.push("selected".to_owned());
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

    fn shows_numbers(self, names: &Names) -> bool {
        self == Self::Shown && names.shows_numbers()
    }
}

/// The list of one lane.
pub struct PeopleLog {
    listed: Listed,
    post: Post,
    rows: SpooledTempFile,
    /// The first error of the file; the log can then not be read.
    failed: io::Result<()>,
}

impl PeopleLog {
    /// An empty list.
    #[must_use]
    pub fn new(listed: Listed, post: Post) -> Self {
        Self {
            listed,
            post,
            rows: SpooledTempFile::new(IN_MEMORY),
            failed: Ok(()),
        }
    }

    /// Whom it lists.
    #[must_use]
    pub fn listed(&self) -> Listed {
        self.listed
    }

    /// The rows from their start.
    ///
    /// # Errors
    /// Where they could not be written or read.
    pub fn read(mut self) -> io::Result<impl Read> {
        self.failed?;
        self.rows.rewind()?;
        Ok(self.rows)
    }

    /// The row of a person who was shown in a round, in the order of [`Listed::columns`].
    fn row(&self, round: u64, person: Shown<'_>, is_selected: bool) -> Vec<String> {
        let (post, schema) = (&self.post, person.schema());
        let mut row = vec![
            post.replication.to_string(),
            post.label.clone(),
            round.to_string(),
            post.names.of(person.id()),
        ];
        if self.listed == Listed::Shown {
            row.push(u8::from(is_selected).to_string());
        }
        let values = schema.attributes().iter().zip(person.values());
        let values = values.filter(|(a, _)| post.names.shows(&a.name));
        row.extend(values.map(|(a, &value)| a.values[usize::from(value)].clone()));
        if self.listed.shows_numbers(&post.names) {
            let numbers = person.score().into_iter();
            let numbers = numbers.chain(person.features().iter().copied());
            let numbers = numbers.chain(person.arrival());
            row.extend(numbers.map(shortest));
        }
        row
    }
}

impl Witness for PeopleLog {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut rows = SheetWriter::to(Vec::new());
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            let round = entry.round();
            let mut write = |person, is_selected| {
                let row = self.row(round, person, is_selected);
                rows.row(row).expect("memory takes every row");
            };
            match self.listed {
                Listed::Selected => entry.chosen().for_each(|person| write(person, true)),
                Listed::Shown => entry.decided().for_each(|(person, is)| write(person, is)),
            }
        }
        let rows = rows.into_inner().expect("memory takes every row");
        if self.failed.is_ok() {
            self.failed = self.rows.write_all(&rows);
        }
    }
}
