//! Candidates as columns, and one candidate as a row of them.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::schema::{Schema, row};

/// The ids of the candidates in the outside world.
#[derive(Clone, Debug)]
enum Ids {
    /// The person's number in the stream.
    Number,
    /// A row of a table of names; the same row may come again.
    Row {
        names: Arc<[Box<str>]>,
        rows: Vec<u32>,
    },
    /// A name each.
    Name(Vec<Box<str>>),
}

/// Candidates, in columns. Row k is person `first + k` of the stream, unless some were skipped.
#[derive(Clone, Debug)]
pub struct Persons {
    schema: Arc<Schema>,
    cells: Vec<u32>,
    /// Empty where the schema knows the values of every cell.
    values: Vec<u16>,
    features: Vec<f64>,
    scores: Vec<f64>,
    /// Empty where households are not known.
    households: Vec<u32>,
    /// Empty where it is not known when people arrived.
    arrivals: Vec<f64>,
    ids: Ids,
    first: u64,
    /// The number of each row. Empty if no number was skipped.
    numbers: Vec<u64>,
    /// The count of skipped numbers.
    skipped: u64,
}

impl Persons {
    /// Makes an empty set; the first candidate pushed is person `first` of the stream.
    #[must_use]
    pub fn new(schema: Arc<Schema>, first: u64) -> Self {
        Self {
            schema,
            cells: Vec::new(),
            values: Vec::new(),
            features: Vec::new(),
            scores: Vec::new(),
            households: Vec::new(),
            arrivals: Vec::new(),
            ids: Ids::Number,
            first,
            numbers: Vec::new(),
            skipped: 0,
        }
    }

    /// Makes the next candidate that is added person `number` of the stream: those in between left
    /// the stream before anyone saw them.
    ///
    /// # Panics
    /// Panics if that number is less than the next one.
    pub fn skip_to(&mut self, number: u64) {
        let next = self.next();
        assert!(number >= next, "persons come in their order");
        if number > next {
            if self.skipped == 0 {
                self.numbers.extend(self.first..next);
            }
            self.skipped += number - next;
        }
    }

    /// The number in the stream of the candidate that is added next.
    #[inline]
    fn next(&self) -> u64 {
        self.first + self.skipped + self.len() as u64
    }

    /// Reserves room for more candidates.
    pub fn reserve(&mut self, persons: usize) {
        self.cells.reserve(persons);
        if !self.schema.is_tabulated() {
            self.values
                .reserve(persons * self.schema.attributes().len());
        }
        self.features
            .reserve(persons * self.schema.features().len());
    }

    /// Adds a candidate known by its number in the stream.
    ///
    /// # Panics
    /// Panics if the row does not have the schema's width, or the candidates so far have names.
    #[inline]
    pub fn push(&mut self, cell: u32, values: &[u16], features: &[f64], score: Option<f64>) {
        assert!(matches!(self.ids, Ids::Number), "one kind of id a batch");
        self.push_row(cell, values, features, score);
    }

    /// Adds candidates with attributes alone, known by their numbers in the stream: one per cell
    /// given.
    ///
    /// # Panics
    /// Panics if the schema has features or a score, or the candidates so far have names.
    pub fn extend_cells(&mut self, cells: &[u32]) {
        assert!(matches!(self.ids, Ids::Number), "one kind of id a batch");
        assert!(
            self.schema.features().is_empty() && !self.schema.scored(),
            "attributes alone"
        );
        if self.skipped > 0 {
            let next = self.next();
            self.numbers.extend(next..next + cells.len() as u64);
        }
        self.cells.extend_from_slice(cells);
        if !self.schema.is_tabulated() {
            let values = cells.iter().flat_map(|&cell| self.schema.values(cell));
            self.values.extend(values);
        }
    }

    /// Adds a candidate known by a row of a table of names.
    ///
    /// # Panics
    /// Panics as [`Persons::push`] does.
    pub fn push_named_row(
        &mut self,
        names: &Arc<[Box<str>]>,
        row: u32,
        cell: u32,
        values: &[u16],
        features: &[f64],
        score: Option<f64>,
    ) {
        if self.is_empty() {
            self.ids = Ids::Row {
                names: Arc::clone(names),
                rows: Vec::new(),
            };
        }
        let Ids::Row { rows, .. } = &mut self.ids else {
            panic!("one kind of id a batch");
        };
        rows.push(row);
        self.push_row(cell, values, features, score);
    }

    /// Adds a candidate known by a name.
    ///
    /// # Panics
    /// Panics as [`Persons::push`] does.
    pub fn push_named(
        &mut self,
        name: Box<str>,
        cell: u32,
        values: &[u16],
        features: &[f64],
        score: Option<f64>,
    ) {
        if self.is_empty() {
            self.ids = Ids::Name(Vec::new());
        }
        let Ids::Name(names) = &mut self.ids else {
            panic!("one kind of id a batch");
        };
        names.push(name);
        self.push_row(cell, values, features, score);
    }

    #[inline]
    fn push_row(&mut self, cell: u32, values: &[u16], features: &[f64], score: Option<f64>) {
        assert_eq!(
            values.len(),
            self.schema.attributes().len(),
            "a value an attribute"
        );
        assert_eq!(
            features.len(),
            self.schema.features().len(),
            "a number a feature"
        );
        assert_eq!(
            score.is_some(),
            self.schema.scored(),
            "a score where all have one"
        );
        if self.skipped > 0 {
            self.numbers.push(self.next());
        }
        self.cells.push(cell);
        if !self.schema.is_tabulated() {
            self.values.extend_from_slice(values);
        }
        self.features.extend_from_slice(features);
        self.scores.extend(score);
    }

    /// Sets the household of the candidate added last. If households are given for all, the referee
    /// seats at most one person of each. A policy knows of households only beforehand, from
    /// [`Respondents`](super::Respondents).
    ///
    /// # Panics
    /// Panics if it was not set for an earlier candidate.
    #[inline]
    pub fn push_household(&mut self, household: u32) {
        self.households.push(household);
        assert_eq!(self.households.len(), self.len(), "a household each");
    }

    /// The household of each; empty where households are not known.
    #[inline]
    pub(crate) fn households(&self) -> &[u32] {
        &self.households
    }

    /// Sets the arrival time of the candidate added last, in seconds.
    ///
    /// # Panics
    /// Panics if it was not set for an earlier candidate.
    #[inline]
    pub fn push_arrival(&mut self, at: f64) {
        self.arrivals.push(at);
        assert_eq!(self.arrivals.len(), self.len(), "an arrival each");
    }

    /// Copies one candidate, to be remembered when the batch is gone.
    #[must_use]
    pub fn keep(&self, index: u32) -> Self {
        let shown = self.shown(index);
        let mut kept = Self::new(Arc::clone(&self.schema), self.number(index));
        kept.push_row(
            shown.cell(),
            shown.values(),
            shown.features(),
            shown.score(),
        );
        kept.arrivals.extend(shown.arrival());
        kept.ids = match &self.ids {
            Ids::Number => Ids::Number,
            Ids::Row { names, rows } => Ids::Row {
                names: Arc::clone(names),
                rows: vec![rows[index as usize]],
            },
            Ids::Name(names) => Ids::Name(vec![names[index as usize].clone()]),
        };
        kept
    }

    /// The number of persons.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns true if there are no persons.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The schema of the columns.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The cell of each candidate (see [`Schema::cell`]).
    #[inline]
    #[must_use]
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// The features of all, row by row, in the schema's order.
    #[must_use]
    pub fn features(&self) -> &[f64] {
        &self.features
    }

    /// The values of all, row by row: for each attribute the index into its values. They are
    /// borrowed unless the schema keeps them by cell.
    #[must_use]
    pub fn values(&self) -> Cow<'_, [u16]> {
        if !self.schema.is_tabulated() {
            return Cow::Borrowed(&self.values);
        }
        let cells = self.cells.iter();
        let values = cells.flat_map(|&cell| self.schema.tabulated(cell));
        Cow::Owned(values.copied().collect())
    }

    /// The score of each; empty if the setting shows none.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The number in the stream of the person in a row.
    #[inline]
    #[must_use]
    pub fn number(&self, index: u32) -> u64 {
        match self.skipped {
            0 => self.first + u64::from(index),
            _ => self.numbers[index as usize],
        }
    }

    /// Returns the part of a row that policies may see.
    ///
    /// # Panics
    /// Panics if there is no row of this number.
    #[inline]
    #[must_use]
    pub fn shown(&self, index: u32) -> Shown<'_> {
        assert!((index as usize) < self.len(), "no row {index}");
        Shown {
            persons: self,
            index,
        }
    }

    /// The approximate number of bytes that a person of this schema takes in a batch.
    #[must_use]
    pub fn bytes_each(schema: &Schema) -> usize {
        let values = 2 * schema.attributes().len();
        12 + values * usize::from(!schema.is_tabulated())
            + 8 * schema.features().len()
            + 8 * usize::from(schema.scored())
    }
}

/// A candidate as a policy may see it.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    persons: &'a Persons,
    index: u32,
}

impl<'a> Shown<'a> {
    /// The value of each attribute, as an index into its values.
    #[inline]
    #[must_use]
    pub fn values(self) -> &'a [u16] {
        let schema = &*self.persons.schema;
        if schema.is_tabulated() {
            return schema.tabulated(self.cell());
        }
        let width = schema.attributes().len();
        row(&self.persons.values, width, self.index as usize)
    }

    /// The attributes' values as one number (see [`Schema::cell`]).
    #[inline]
    #[must_use]
    pub fn cell(self) -> u32 {
        self.persons.cells[self.index as usize]
    }

    /// The numeric features, in the schema's order and units.
    #[inline]
    #[must_use]
    pub fn features(self) -> &'a [f64] {
        let width = self.persons.schema.features().len();
        row(&self.persons.features, width, self.index as usize)
    }

    /// The score, if the setting shows one.
    #[inline]
    #[must_use]
    pub fn score(self) -> Option<f64> {
        self.persons.scores.get(self.index as usize).copied()
    }

    /// The arrival time, in seconds from the start of the stream. `None` if it is not known.
    #[inline]
    #[must_use]
    pub fn arrival(self) -> Option<f64> {
        self.persons.arrivals.get(self.index as usize).copied()
    }

    /// Copies the candidate, to be remembered when the batch is gone.
    #[must_use]
    pub fn keep(self) -> Persons {
        self.persons.keep(self.index)
    }

    /// The person's id in the outside world.
    #[must_use]
    pub fn id(self) -> Id<'a> {
        match &self.persons.ids {
            Ids::Number => Id::Number(self.persons.number(self.index)),
            Ids::Row { names, rows } => Id::Name(&names[rows[self.index as usize] as usize]),
            Ids::Name(names) => Id::Name(&names[self.index as usize]),
        }
    }

    /// The number of the [respondent](super::Respondents), if people are rows of a file.
    #[inline]
    #[must_use]
    pub fn respondent(self) -> Option<u32> {
        match &self.persons.ids {
            Ids::Row { rows, .. } => Some(rows[self.index as usize]),
            Ids::Number | Ids::Name(_) => None,
        }
    }

    /// The person's number in the stream.
    #[inline]
    #[must_use]
    pub fn number(self) -> u64 {
        self.persons.number(self.index)
    }

    /// The schema of the columns.
    #[must_use]
    pub fn schema(self) -> &'a Schema {
        &self.persons.schema
    }
}

/// A candidate's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Id<'a> {
    /// A generated person: the number in the stream, from 0.
    Number(u64),
    /// A person from a file or feed: the name given there.
    Name(&'a str),
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests;
