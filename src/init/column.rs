//! One column of a file of people: its cells counted, and the kind that they make of it.

use std::collections::{BTreeMap, BTreeSet};

/// Values that an attribute has at most.
pub(super) const MOST_VALUES: usize = 16;

/// Numbers with more different values than this are measured and not counted.
const MOST_CODES: usize = 6;

/// A column with its cells, trimmed.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in the header.
    pub name: String,
    /// Rows whose cell is blank.
    pub blank: usize,
    /// What it is.
    pub kind: ColumnKind,
    /// Its cells, in the order of the rows.
    pub(super) cells: Vec<String>,
}

/// What the cells of a column are.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    /// No cell holds anything.
    Empty,
    /// A name of its own in each row.
    Unique,
    /// A few values and how many rows have each, in the order of the values.
    Categories(Vec<(String, usize)>),
    /// Numbers, in order of size.
    Numbers(Vec<f64>),
    /// Dates.
    Dates,
    /// Anything else, or without a name.
    Text,
}

impl Column {
    /// The column of some cells, in the order of the rows.
    pub(super) fn new(name: String, cells: Vec<String>) -> Self {
        let mut counted = Counted::default();
        let filled = cells.iter().filter(|cell| !cell.is_empty());
        filled.for_each(|cell| counted.count(cell));
        Self {
            blank: cells.len() - counted.cells,
            kind: match name.is_empty() {
                true => ColumnKind::Text,
                false => counted.kind(),
            },
            name,
            cells,
        }
    }

    /// The values of an attribute and their counts; none where it is something else.
    #[must_use]
    pub fn categories(&self) -> Option<&[(String, usize)]> {
        match &self.kind {
            ColumnKind::Categories(values) => Some(values),
            _ => None,
        }
    }

    /// Its numbers in order of size; none where it is something else.
    #[must_use]
    pub fn numbers(&self) -> Option<&[f64]> {
        match &self.kind {
            ColumnKind::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// Whether its values are two codes, 0 and 1.
    #[must_use]
    pub fn is_zero_or_one(&self) -> bool {
        let values = self.categories().unwrap_or_default();
        values.iter().map(|(value, _)| &**value).eq(["0", "1"])
    }
}

/// The cells of a column that are not blank, counted.
#[derive(Default)]
struct Counted<'c> {
    cells: usize,
    /// How many rows have each value, while there are few values.
    values: BTreeMap<&'c str, usize>,
    different: BTreeSet<&'c str>,
    numbers: Vec<f64>,
    dates: usize,
}

impl<'c> Counted<'c> {
    fn count(&mut self, cell: &'c str) {
        self.cells += 1;
        self.different.insert(cell);
        if self.values.len() <= MOST_VALUES || self.values.contains_key(cell) {
            *self.values.entry(cell).or_default() += 1;
        }
        self.numbers.extend(number(cell));
        self.dates += usize::from(is_date(cell));
    }

    fn kind(mut self) -> ColumnKind {
        let different = self.different.len();
        let all_numbers = self.numbers.len() == self.cells;
        let few = different <= MOST_VALUES && different * 2 <= self.cells.max(2);
        match self.cells {
            0 => ColumnKind::Empty,
            n if self.dates == n => ColumnKind::Dates,
            _ if few && (!all_numbers || different <= MOST_CODES) => {
                let values = self.values.into_iter();
                ColumnKind::Categories(values.map(|(value, n)| (value.to_owned(), n)).collect())
            }
            n if different == n && (!all_numbers || self.are_in_a_row()) => ColumnKind::Unique,
            _ if all_numbers => {
                self.numbers.sort_by(f64::total_cmp);
                ColumnKind::Numbers(self.numbers)
            }
            _ => ColumnKind::Text,
        }
    }

    /// Whether numbers that all differ count rows: whole, without a gap, from 0, 1 or a thousand.
    fn are_in_a_row(&self) -> bool {
        let least = self.numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = self
            .numbers
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        greatest - least == (self.cells - 1) as f64
            && (least <= 1.0 || least >= 1_000.0)
            && self.numbers.iter().all(|number| number.fract() == 0.0)
    }
}

/// The finite number that a cell is.
fn number(cell: &str) -> Option<f64> {
    let number: f64 = cell.parse().ok()?;
    (number.is_finite() && !cell.ends_with(|c: char| c.is_alphabetic())).then_some(number)
}

/// Whether a cell is a date: three groups of digits with dashes, dots or slashes between, perhaps
/// with a time.
fn is_date(cell: &str) -> bool {
    let day = cell.split(['T', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['-', '.', '/']).collect();
    let digits = |part: &&str| {
        matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    parts.len() == 3 && parts.iter().all(digits) && parts.iter().any(|part| part.len() == 4)
}
