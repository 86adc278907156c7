//! People who are in a file twice, as far as its cells say so.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::nearest::joined;

/// The most rows of a file in which rows without ids are compared.
const MOST: usize = 1 << 17;

/// The most groups of lines that a sentence names.
const NAMED: usize = 20;

/// The key of a row, from which those of its columns can be taken away: equal cells, equal keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowKey {
    all: u64,
    /// Of each cell, where rows have columns.
    cells: Vec<u64>,
}

impl RowKey {
    /// Makes it the key of a row without cells.
    pub(crate) fn clear(&mut self) {
        self.all = 0;
        self.cells.clear();
    }

    /// Adds the next cell of a row with columns.
    pub(crate) fn push(&mut self, cell: &str) {
        let key = key_of_column(self.cells.len(), cell);
        self.cells.push(key);
        self.all = self.all.wrapping_add(key);
    }

    /// Adds the member of a record.
    pub(crate) fn add(&mut self, name: &str, value: &str) {
        self.all = self.all.wrapping_add(key(&(name, value)));
    }

    /// The key of all cells together.
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    /// The columns in which two rows differ.
    pub(crate) fn differing(&self, other: &Self) -> Vec<usize> {
        let cells = self.cells.iter().zip(&other.cells).enumerate();
        cells
            .filter(|(_, (one, other))| one != other)
            .map(|(at, _)| at)
            .collect()
    }
}

fn key(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The rows of a file that are there more than once, by the lines on which they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubles {
    /// Rows of one id that are the same in every cell: each group counts as one person.
    pub once: Vec<Vec<u64>>,
    /// Rows without ids that are the same in every cell: each counts as a person.
    pub same: Vec<Vec<u64>>,
    /// Rows that are the same in every cell but the id or the number of the row, where few are.
    pub alike: Vec<Vec<u64>>,
}

impl Doubles {
    /// Those of them that changed who the people are.
    #[must_use]
    pub fn counted_once(&self) -> Self {
        Self {
            once: self.once.clone(),
            ..Self::default()
        }
    }

    /// Notes on them, in sentences about `file`.
    #[must_use]
    pub fn sentences(&self, file: &str) -> Vec<String> {
        let mut said = Vec::new();
        if !self.once.is_empty() {
            said.push(format!(
                "{file}: {} are the same in every column, the id too: rows of one id count once",
                lines_of(&self.once)
            ));
        }
        if !self.same.is_empty() {
            let people = self.same.iter().map(Vec::len).sum::<usize>();
            said.push(format!(
                "{file}: {} are the same in every column, and count as {people} people: name a \
                 column of ids by `id` in [source], or remove the doubles",
                lines_of(&self.same)
            ));
        }
        if !self.alike.is_empty() {
            said.push(format!(
                "{file}: {} are the same in every column but the one that numbers people: look \
                 whether they are one person",
                lines_of(&self.alike)
            ));
        }
        said
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

/// The rows of a file as they are read, to find doubles among them.
#[derive(Debug, Default)]
pub(crate) struct DoubleFinder {
    /// Line and number of each row, with its key less that of the id.
    rows: Vec<(u64, u64, u64)>,
    /// The keys of their cells, of each row as many.
    cells: Vec<u64>,
    /// The column of the id.
    id: Option<usize>,
    /// How many rows there were, also beyond [`MOST`].
    count: usize,
    /// Columns that so far count the rows, with how far they are ahead of their numbers.
    counters: Option<Vec<(usize, i64)>>,
    has_ids: bool,
    /// Of each row that counts once with others, its group.
    once: BTreeMap<u64, Vec<u64>>,
}

impl DoubleFinder {
    /// Takes a row; `id`: the column and the cell by which it is named, where it is.
    pub(crate) fn take(&mut self, number: u64, line: u64, row: &RowKey, id: Option<u64>) {
        self.count += 1;
        self.has_ids |= id.is_some();
        if self.rows.len() >= MOST {
            return;
        }
        let ahead = |cell: u64, at: usize, by: i64| {
            number
                .checked_add_signed(by)
                .is_some_and(|n| key_of_column(at, &n.to_string()) == cell)
        };
        let cells = || row.cells.iter().copied().enumerate();
        match &mut self.counters {
            None => {
                let all = cells().flat_map(|(at, cell)| [-1, 0, 1].map(|by| (at, cell, by)));
                let counters = all.filter(|(at, cell, by)| ahead(*cell, *at, *by));
                self.counters = Some(counters.map(|(at, _, by)| (at, by)).collect());
            }
            Some(counters) => counters.retain(|(at, by)| {
                let cell = row.cells.get(*at);
                cell.is_some_and(|cell| ahead(*cell, *at, *by))
            }),
        }
        self.rows
            .push((line, number, row.all.wrapping_sub(id.unwrap_or(0))));
        self.cells.extend_from_slice(&row.cells);
        let is_id = |cell: &u64| Some(*cell) == id;
        self.id = self.id.or(row.cells.iter().position(is_id));
    }

    /// Notes that a row is another's in every cell, so that it counts once with it.
    pub(crate) fn once(&mut self, first: u64, again: u64) {
        self.once
            .entry(first)
            .or_insert_with(|| vec![first])
            .push(again);
    }

    /// The doubles.
    pub(crate) fn finish(self) -> Doubles {
        let counters = self.counters.as_deref().unwrap_or_default();
        let counted = |number: u64| {
            let keys = counters.iter().map(|(at, by)| {
                let cell = number.saturating_add_signed(*by).to_string();
                key_of_column(*at, &cell)
            });
            keys.fold(0, u64::wrapping_add)
        };
        let rest = |(line, number, key): &(u64, u64, u64)| match self.has_ids {
            true => (*key, *line),
            false => (key.wrapping_sub(counted(*number)), *line),
        };
        let groups = groups(self.rows.iter().map(rest));
        let is_numbered = self.has_ids || !counters.is_empty();
        let again: usize = groups.iter().map(|lines| lines.len() - 1).sum();
        // Where little is known of people, some are like another and are others.
        let are_few = again <= (self.count / 10).max(1);
        let (same, alike) = match is_numbered {
            true if are_few && self.tells_apart(&groups) => (Vec::new(), groups),
            true => (Vec::new(), Vec::new()),
            false => (groups, Vec::new()),
        };
        Doubles {
            once: self.once.into_values().collect(),
            same,
            alike,
        }
    }
}

impl DoubleFinder {
    /// Whether a column nearly names people, next to the one that numbers them: of ten different
    /// rows nine have a cell of their own, and most of these are no short numbers, which measure
    /// people and do not name them. Of records it is unknown.
    fn tells_apart(&self, groups: &[Vec<u64>]) -> bool {
        let width = self.cells.len() / self.rows.len().max(1);
        if width == 0 || self.cells.len() != width * self.rows.len() {
            return false;
        }
        let again = groups.iter().flat_map(|lines| &lines[1..]);
        let again: BTreeSet<u64> = again.copied().collect();
        let rows = self.rows.iter().zip(self.cells.chunks(width));
        let rows = rows.filter(|((line, ..), _)| !again.contains(line));
        let rows: Vec<&[u64]> = rows.map(|(_, cells)| cells).collect();
        let counters = self.counters.iter().flatten().map(|(at, _)| *at);
        let numbering: BTreeSet<usize> = match self.has_ids {
            true => self.id.into_iter().collect(),
            false => counters.collect(),
        };
        let mut columns = (0..width).filter(|at| !numbering.contains(at));
        columns.any(|at| {
            let cells: BTreeSet<u64> = rows.iter().map(|row| row[at]).collect();
            let short = cells
                .iter()
                .filter(|cell| **cell & SHORT_NUMBER != 0)
                .count();
            10 * cells.len() >= 9 * rows.len() && 2 * short <= cells.len()
        })
    }
}

/// The lines of each key that several have, by the first.
fn groups(rows: impl Iterator<Item = (u64, u64)>) -> Vec<Vec<u64>> {
    let mut rows: Vec<(u64, u64)> = rows.collect();
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

/// The key of a cell in a column, as it is part of that of its row.
pub(crate) fn key_of_column(at: usize, cell: &str) -> u64 {
    let text = cell.trim();
    let is_short = text.len() <= SHORT && text.replace(',', ".").parse::<f64>().is_ok();
    key(&(at, cell)) & !SHORT_NUMBER | u64::from(is_short)
}

/// The key of a member of a record, as it is part of that of its record.
pub(crate) fn key_of_member(name: &str, value: &str) -> u64 {
    key(&(name, value))
}

#[cfg(test)]
mod tests;
