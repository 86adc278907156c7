//! One column of a file of people, with counts of its cells.

use std::collections::{BTreeMap, BTreeSet};

use super::names::{NO, UNKNOWN, YES, plain};
use kleroterion_io::record::cell as record;
use kleroterion_io::record::decimal::{DecimalMark, marked};
use kleroterion_io::record::fold;
use kleroterion_io::record::words::Words;

/// Values that an attribute has at most.
pub(super) const VALUES: usize = 16;

/// Letters that a value has at most.
const LETTERS: usize = 100;

/// A column with its cells.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name in the header.
    pub name: String,
    /// The number of rows with a blank cell.
    pub blank: usize,
    /// The number of different cells. Case and blanks make no difference.
    pub different: usize,
    /// The cells, in the order of the rows.
    pub(super) cells: Vec<String>,
    /// The values, each in its most frequent spelling, with the number of rows. Empty if there are
    /// too many.
    values: Vec<(String, usize)>,
    /// All cells as numbers, in increasing order. Empty if a cell is not a number.
    numbers: Vec<f64>,
    /// The cells that mean an unknown number, for example "NA".
    pub(super) unknown: BTreeSet<String>,
    /// The number of cells that are numbers.
    figures: usize,
    /// True if all cells are dates.
    dates: bool,
}

impl Column {
    /// The rows whose cells are so.
    pub(super) fn rows(&self, is_so: impl Fn(&str) -> bool) -> Vec<usize> {
        let cells = self.cells.iter().enumerate();
        cells
            .filter(|(_, cell)| is_so(cell))
            .map(|(row, _)| row)
            .collect()
    }

    /// Rows by their cells, compared as values are.
    pub(super) fn by_cell(&self, rows: Vec<usize>) -> Vec<Vec<usize>> {
        let mut parts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for row in rows {
            parts.entry(fold(&self.cells[row])).or_default().push(row);
        }
        parts.into_values().collect()
    }

    /// The column of some cells, in the order of the rows. `mark`: the byte between fields, of
    /// separated text.
    pub(super) fn new(name: String, cells: Vec<String>, mark: Option<u8>) -> Self {
        let filled: Vec<&str> = filled(&cells).collect();
        let mut spelt: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
        for cell in &filled {
            *spelt
                .entry(fold(cell))
                .or_default()
                .entry(cell)
                .or_default() += 1;
        }
        let counts: Vec<usize> = spelt
            .values()
            .map(|spelling| spelling.values().sum())
            .collect();
        let is_few = are_few(&counts, filled.len());
        let is_short = filled.iter().all(|cell| cell.chars().count() <= LETTERS);
        let values = match is_few && is_short {
            true => spelt.values().map(most_spelt).collect(),
            false => Vec::new(),
        };
        let is_figure = |cell: &&&str| number(cell, mark).is_some();
        let figures = filled.iter().filter(is_figure).count();
        let (numbers, unknown) = numbers(&filled, mark);
        Self {
            blank: cells.len() - filled.len(),
            different: spelt.len(),
            dates: !filled.is_empty() && filled.iter().all(|cell| is_date(cell)),
            figures,
            values,
            numbers,
            unknown,
            name,
            cells,
        }
    }

    /// The number of rows with a cell that is not blank.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.cells.len() - self.blank
    }

    /// Returns the values with their counts, if they are few and most are in several rows.
    #[must_use]
    pub fn categories(&self) -> Option<&[(String, usize)]> {
        (!self.values.is_empty() && !self.dates).then_some(&self.values)
    }

    /// The numbers in increasing order. `None` if a cell is not a number.
    #[must_use]
    pub fn numbers(&self) -> Option<&[f64]> {
        (!self.numbers.is_empty()).then_some(&self.numbers)
    }

    /// Returns true if most cells are numbers.
    pub(super) fn is_mostly_of_numbers(&self) -> bool {
        self.figures * 2 > self.filled()
    }

    /// The different numbers in order of size. Empty if a cell is none.
    pub(super) fn steps(&self) -> Vec<f64> {
        let mut steps = self.numbers.clone();
        steps.dedup();
        steps
    }

    /// Returns true if all cells are dates.
    pub(super) fn is_of_dates(&self) -> bool {
        self.dates
    }

    /// Returns true if its numbers are 0 and 1.
    #[must_use]
    pub fn is_zero_or_one(&self) -> bool {
        self.steps() == [0.0, 1.0]
    }

    /// The value that says yes and the one that says no, of two.
    pub(super) fn yes_and_no(&self) -> Option<(&str, &str)> {
        let [(one, _), (other, _)] = &self.values[..] else {
            return None;
        };
        let says = |value: &str, list: Words| list.has(&plain(value));
        match (
            says(one, YES) && says(other, NO),
            says(one, NO) && says(other, YES),
        ) {
            (true, _) => Some((one, other)),
            (_, true) => Some((other, one)),
            _ => None,
        }
    }

    /// Returns true if the numbers form a scale: whole, without a gap, and at least `fewest`
    /// different ones.
    pub(super) fn is_scale(&self, fewest: usize) -> bool {
        let steps = self.steps();
        let is_next = |pair: &[f64]| pair[1] - pair[0] == 1.0;
        steps.len() >= fewest && steps[0].fract() == 0.0 && steps.windows(2).all(is_next)
    }

    /// Returns true if most cells are e-mail addresses.
    pub(super) fn is_of_mail(&self) -> bool {
        let is_mail = |cell: &&str| {
            let parts = cell.split_once('@');
            parts.is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
                && !cell.contains(' ')
        };
        let mail = filled(&self.cells).filter(is_mail).count();
        mail > 0 && mail * 2 > self.filled()
    }

    /// Returns true if most cells hold a digit and a letter, as streets with numbers of houses do.
    pub(super) fn has_house_numbers(&self) -> bool {
        let holds = |cell: &&str| {
            cell.contains(|c: char| c.is_ascii_digit()) && cell.contains(char::is_alphabetic)
        };
        filled(&self.cells).filter(holds).count() * 2 > self.filled()
    }

    /// Returns true if the cells are names: short, and without sentences.
    pub(super) fn is_of_names(&self) -> bool {
        let is_name = |cell: &&str| cell.chars().count() <= 40 && cell.split(' ').count() <= 3;
        filled(&self.cells).all(|cell| is_name(&cell))
    }
}

/// Returns true if values with these counts are few: up to sixteen, most of them in several rows. A
/// long list may hold some more values once or twice, since slips occur.
fn are_few(counts: &[usize], cells: usize) -> bool {
    let often = counts.iter().filter(|count| **count > 2);
    let (values, rows) = (often.clone().count(), often.sum::<usize>());
    let with_slips = cells >= 30 && (1..=VALUES).contains(&values) && rows * 10 >= cells * 9;
    with_slips || (counts.len() <= VALUES && counts.len() * 2 <= cells.max(2))
}

/// The cells that are not blank.
fn filled(cells: &[String]) -> impl Iterator<Item = &str> {
    cells
        .iter()
        .map(String::as_str)
        .filter(|cell| !cell.is_empty())
}

/// The spelling that most cells have, the first of equals, and how many cells there are.
fn most_spelt(spellings: &BTreeMap<&str, usize>) -> (String, usize) {
    let most = spellings.iter().rev().max_by_key(|(_, n)| **n);
    let spelling = most.map_or("", |(spelling, _)| spelling);
    (spelling.to_owned(), spellings.values().sum())
}

/// The numbers that cells are, in order of size, and the cells that stand for one that is not
/// known; no numbers where a cell is anything else.
fn numbers(filled: &[&str], mark: Option<u8>) -> (Vec<f64>, BTreeSet<String>) {
    let (mut numbers, mut unknown) = (Vec::new(), BTreeSet::new());
    for cell in filled {
        match number(cell, mark) {
            Some(number) => numbers.push(number),
            None if UNKNOWN.has(&plain(cell)) => {
                unknown.insert((*cell).to_owned());
            }
            None => return (Vec::new(), BTreeSet::new()),
        }
    }
    if numbers.is_empty() {
        unknown.clear();
    }
    numbers.sort_by(f64::total_cmp);
    (numbers, unknown)
}

/// The finite number that a cell is, as runs read it. `mark`: the byte between fields, of separated
/// text; there a comma may stand before decimals, unless it may as well be between thousands.
pub(super) fn number(cell: &str, mark: Option<u8>) -> Option<f64> {
    if cell.ends_with(|c: char| c.is_alphabetic()) {
        return None;
    }
    match (mark, marked(cell)?) {
        (None, _) => record::number(cell),
        (Some(b','), (_, DecimalMark::Either)) => None,
        (Some(_), (number, _)) => Some(number),
    }
}

/// Returns true if a cell is a date: three groups of digits with dashes, dots or slashes between,
/// perhaps with a time.
pub(super) fn is_date(cell: &str) -> bool {
    let day = cell.split(['T', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['-', '.', '/']).collect();
    let digits = |part: &&str| {
        matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    parts.len() == 3 && parts.iter().all(digits) && parts.iter().any(|part| part.len() == 4)
}
