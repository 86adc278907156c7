//! People who are in a file twice, as far as its cells show it.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::limits::MOST_COMPARED_ROWS;
use crate::record::compared;
use kleroterion_core::nearest::joined;

/// The most groups of lines that a sentence names.
const NAMED: usize = 20;

/// The key of a row. Rows with equal cells have equal keys, and the parts of single columns can be
/// subtracted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowKey {
    /// True if cells that differ only in case, blanks or Unicode form are different.
    is_exact: bool,
    all: u64,
    /// The key of each cell and the whole number in it, where rows have columns.
    cells: Vec<(u64, Option<u64>)>,
}

impl RowKey {
    /// Returns the key of a row without cells. If `is_exact`, cells that differ only in case,
    /// blanks or Unicode form are different.
    pub fn new(is_exact: bool) -> Self {
        Self {
            is_exact,
            ..Self::default()
        }
    }

    /// Makes it the key of a row without cells.
    pub(crate) fn clear(&mut self) {
        self.all = 0;
        self.cells.clear();
    }

    /// Adds the next cell of a row with columns.
    pub fn push(&mut self, cell: &str) {
        let key = self.of_column(self.cells.len(), cell);
        self.cells.push((key, cell.trim().parse().ok()));
        self.all = self.all.wrapping_add(key);
    }

    /// Adds the member of a record.
    pub(crate) fn add(&mut self, name: &str, value: &str) {
        self.all = self.all.wrapping_add(self.of_member(name, value));
    }

    /// The key of all cells together.
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    /// The key of a cell in a column, as it is part of that of its row.
    pub(crate) fn of_column(&self, at: usize, cell: &str) -> u64 {
        let text = compared(cell, self.is_exact);
        let is_short = text.len() <= SHORT && text.replace(',', ".").parse::<f64>().is_ok();
        key(&(at, text)) & !SHORT_NUMBER | u64::from(is_short)
    }

    /// The key of a member of a record, as it is part of that of its record.
    pub(crate) fn of_member(&self, name: &str, value: &str) -> u64 {
        key(&(name, compared(value, self.is_exact)))
    }

    /// The columns in which two rows differ.
    pub(crate) fn differing(&self, other: &Self) -> Vec<usize> {
        let cells = self.cells.iter().zip(&other.cells).enumerate();
        cells
            .filter(|(_, (one, other))| one.0 != other.0)
            .map(|(at, _)| at)
            .collect()
    }
}

fn key(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The repeated rows of a file, by the lines on which they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubles {
    /// Groups of rows with one id and equal cells; each group counts as one person.
    pub once: Vec<Vec<u64>>,
    /// True if some of these rows differ in a column that counts the rows.
    pub once_counted: bool,
    /// Groups of rows without ids and with equal cells; each row counts as a person.
    pub same: Vec<Vec<u64>>,
    /// Groups of rows that are equal in every cell but the id or the row's number, if there are
    /// few.
    pub alike: Vec<Vec<u64>>,
}

impl Doubles {
    /// Returns only the groups that count once, which change who the people are.
    #[must_use]
    pub fn counted_once(&self) -> Self {
        Self {
            once: self.once.clone(),
            once_counted: self.once_counted,
            ..Self::default()
        }
    }

    /// Returns notes on the repeated rows, in sentences about `file`.
    #[must_use]
    pub fn sentences(&self, file: &str) -> Vec<String> {
        let but = match self.once_counted {
            true => " but one that counts the rows",
            false => "",
        };
        let people = self.same.iter().map(Vec::len).sum::<usize>();
        let sentences = [
            (
                &self.once,
                format!("{but}, the id too: rows of one id count once"),
            ),
            (
                &self.same,
                format!(
                    ", and count as {people} people: name a column of ids by `id` in [source], or \
                     remove the doubles"
                ),
            ),
            (
                &self.alike,
                " but the one that numbers people: look whether they are one person".into(),
            ),
        ];
        let sentences = sentences.iter().filter(|(groups, _)| !groups.is_empty());
        let sentence = |(groups, rest): &(&Vec<_>, String)| {
            let lines = lines_of(groups);
            format!("{file}: {lines} are the same in every column{rest}")
        };
        sentences.map(sentence).collect()
    }
}

/// Groups of lines in words: "lines 3 and 7; 4, 9 and 12".
fn lines_of(groups: &[Vec<u64>]) -> String {
    let group = |lines: &Vec<u64>| {
        let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
        joined(&lines)
    };
    let named: Vec<String> = groups.iter().take(NAMED).map(group).collect();
    let more = match groups.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    format!("lines {}{more}", named.join("; "))
}

/// The use of the columns of a file of people.
#[derive(Clone, Debug, Default)]
pub struct KnownAs {
    /// The column of ids.
    pub id: Option<usize>,
    /// The columns that describe people; none of them only counts rows.
    pub read: BTreeSet<usize>,
    /// The columns that identify a person; `None` where that is unknown.
    pub evidence: Option<Vec<usize>>,
}

/// The rows of a file as they are read, to find doubles among them.
#[derive(Debug, Default)]
pub(crate) struct DoubleFinder {
    /// The line and the key of each row, without the id's part of the key.
    rows: Vec<(u64, u64)>,
    /// The keys of the rows' cells, the same number for each row.
    cells: Vec<u64>,
    /// The number of rows, including those beyond [`MOST_COMPARED_ROWS`].
    count: usize,
    counters: Counters,
    has_ids: bool,
    /// The lines of each group of rows that count once, by the line of the group's first row.
    once: BTreeMap<u64, Vec<u64>>,
    once_counted: bool,
}

impl DoubleFinder {
    /// Takes a row; `id`: the key of the cell by which it is named, where it is.
    pub(crate) fn take(&mut self, line: u64, row: &RowKey, id: Option<u64>) {
        self.count += 1;
        self.has_ids |= id.is_some();
        self.counters.take(line, row);
        if self.rows.len() < MOST_COMPARED_ROWS {
            let rest = row.all.wrapping_sub(id.unwrap_or(0));
            self.rows.push((line, rest));
            self.cells.extend(row.cells.iter().map(|(key, _)| key));
        }
    }

    /// Notes that a row is another's in every cell, so that it counts once with it; `counted`: but
    /// for a column that counts the rows.
    pub(crate) fn once(&mut self, first: u64, again: u64, counted: bool) {
        self.once_counted |= counted;
        let group = self.once.entry(first).or_insert_with(|| vec![first]);
        group.push(again);
    }

    /// The columns that only count the rows.
    pub(crate) fn counters(&self, known: &KnownAs) -> BTreeSet<usize> {
        self.counters.columns(known)
    }

    /// The doubles.
    pub(crate) fn finish(self, known: &KnownAs) -> Doubles {
        let counters = self.counters(known);
        let groups = groups(self.keys(&counters));
        let is_numbered = self.has_ids || !counters.is_empty();
        let again: usize = groups.iter().map(|lines| lines.len() - 1).sum();
        // Where little is known of people, some are like another and are others.
        let are_few = again <= (self.count / 10).max(1);
        let (same, alike) = match is_numbered {
            true if are_few && self.tells_apart(&groups, &counters, known) => (Vec::new(), groups),
            true => (Vec::new(), Vec::new()),
            false => (groups, Vec::new()),
        };
        Doubles {
            once: self.once.into_values().collect(),
            once_counted: self.once_counted,
            same,
            alike,
        }
    }

    /// The number of columns; 0 of records.
    fn width(&self) -> usize {
        let width = self.cells.len() / self.rows.len().max(1);
        if self.cells.len() == width * self.rows.len() {
            width
        } else {
            0
        }
    }

    /// Returns the key of each row's columns that describe a person, and its line.
    fn keys(&self, counters: &BTreeSet<usize>) -> Vec<(u64, u64)> {
        let width = self.width();
        let key = |(at, (line, key)): (usize, &(u64, u64))| {
            let cell = |column: &usize| self.cells[at * width + column];
            let counted = counters.iter().map(cell).fold(0, u64::wrapping_add);
            (key.wrapping_sub(counted), *line)
        };
        self.rows.iter().enumerate().map(key).collect()
    }

    /// Returns true if one column, or several together, nearly identify people, apart from columns
    /// that number them. Returns false for records without columns.
    fn tells_apart(
        &self,
        groups: &[Vec<u64>],
        counters: &BTreeSet<usize>,
        known: &KnownAs,
    ) -> bool {
        let width = self.width();
        if width == 0 {
            return false;
        }
        let again = groups.iter().flat_map(|lines| &lines[1..]);
        let again: BTreeSet<u64> = again.copied().collect();
        let rows = self.rows.iter().zip(self.cells.chunks(width));
        let rows = rows.filter(|((line, _), _)| !again.contains(line));
        let rows: Vec<&[u64]> = rows.map(|(_, cells)| cells).collect();
        let is_open = |at: &usize| !counters.contains(at) && known.id != Some(*at);
        let columns: Vec<usize> = match &known.evidence {
            Some(columns) => columns.iter().copied().filter(is_open).collect(),
            None => (0..width).filter(is_open).collect(),
        };
        let words: Vec<(usize, usize)> = columns
            .iter()
            .map(|at| (*at, different_words(&rows, *at)))
            .collect();
        // Of ten different rows nine have a cell of their own.
        let are_nearly_all = |different: usize| 10 * different >= 9 * rows.len();
        let many = words
            .iter()
            .filter(|(_, n)| *n > 0 && (known.evidence.is_some() || *n > FEW));
        let many: Vec<usize> = many.map(|(at, _)| *at).collect();
        let together = rows.iter().map(|row| many.iter().map(|at| row[*at]));
        let together: BTreeSet<Vec<u64>> = together.map(Iterator::collect).collect();
        words.iter().any(|(_, n)| are_nearly_all(*n))
            || (many.len() > 1 && are_nearly_all(together.len()))
    }
}

/// Returns the number of distinct cells in a column. Returns 0 if most are short numbers, which
/// measure people rather than identify them.
fn different_words(rows: &[&[u64]], at: usize) -> usize {
    let cells: BTreeSet<u64> = rows.iter().map(|row| row[at]).collect();
    let is_short = |cell: &&u64| **cell & SHORT_NUMBER != 0;
    let short = cells.iter().filter(is_short).count();
    if 2 * short <= cells.len() {
        cells.len()
    } else {
        0
    }
}

/// Finds columns whose cells count the rows, with gaps where rows were taken out.
#[derive(Debug, Default)]
pub struct Counters {
    rows: usize,
    columns: Option<Vec<Counter>>,
}

/// A column whose whole numbers rise from row to row.
#[derive(Debug)]
struct Counter {
    at: usize,
    number: u64,
    line: u64,
    /// The number of times that the number rose by more than the line did.
    gaps: usize,
}

impl Counters {
    /// Adds the next row.
    pub fn take(&mut self, line: u64, row: &RowKey) {
        self.rows += 1;
        let number = |at: usize| row.cells.get(at).and_then(|(_, number)| *number);
        let Some(columns) = &mut self.columns else {
            let counter = |at| {
                Some(Counter {
                    at,
                    number: number(at)?,
                    line,
                    gaps: 0,
                })
            };
            self.columns = Some((0..row.cells.len()).filter_map(counter).collect());
            return;
        };
        columns.retain_mut(|counter| {
            let next = number(counter.at).filter(|next| *next > counter.number);
            let Some(next) = next else {
                return false;
            };
            counter.gaps += usize::from(next - counter.number > line.saturating_sub(counter.line));
            (counter.number, counter.line) = (next, line);
            true
        });
    }

    /// Returns the columns that count the rows, except those that describe people. A tenth of the
    /// rows may follow a gap.
    pub fn columns(&self, known: &KnownAs) -> BTreeSet<usize> {
        let most = (self.rows / 10).max(1);
        let columns = self.columns.iter().flatten();
        let columns = columns.filter(|counter| self.rows > 2 && counter.gaps <= most);
        let columns = columns.map(|counter| counter.at);
        columns
            .filter(|at| known.id != Some(*at) && !known.read.contains(at))
            .collect()
    }
}

/// The lines of each key that several have, by the first.
fn groups(mut rows: Vec<(u64, u64)>) -> Vec<Vec<u64>> {
    rows.sort_unstable();
    let same = rows.chunk_by(|one, other| one.0 == other.0);
    let several = same.filter(|rows| rows.len() > 1);
    let mut groups: Vec<Vec<u64>> = several
        .map(|rows| rows.iter().map(|(_, line)| *line).collect())
        .collect();
    groups.sort_unstable();
    groups
}

/// The bit of a cell's key that says whether it is a short number.
const SHORT_NUMBER: u64 = 1;

/// The letters of the longest number that is short: a probability or an age, and no telephone
/// number.
const SHORT: usize = 6;

/// Different cells that a column of groups has at most.
const FEW: usize = 16;

#[cfg(test)]
mod tests;
