//! Problems of a file by the thousand: the first few of each kind are listed, the others counted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::limits::{MOST_COUNTED_VALUES, MOST_LISTED_PROBLEMS};
use crate::record::Filter;
use crate::record::cell::shown;
use crate::record::fault::FaultKind;
use kleroterion_core::problem::{Place, Problem, Problems};

/// The kind that the problems of a group share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The reading, the header, the shape of a row: independent of which rows are kept.
    Shape(FaultKind),
    /// A cell of a kept row: the slot of its column, and what it should have been.
    Cell(usize, CellRole),
    /// The table as a whole.
    Whole,
}

/// The role in which a cell is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellRole {
    /// A value of an attribute, by its number.
    Attribute(usize),
    /// The name of a person.
    Id,
    /// The weight of a row.
    Weight,
    /// A bound of a quota.
    Quota,
    /// A number of a context, by its place.
    Number(usize),
    /// A level of a context, by its place.
    Level(usize),
    /// The reward of a choice.
    Reward,
    /// The utility of a person.
    Utility,
    /// The score of a person.
    Score,
    /// The score of a review, by the kind's number.
    Review(usize),
    /// The outcome of a choice.
    Outcome,
    /// A cell that is compared with those of other rows.
    Compared,
    /// The marks of a person.
    Marks,
}

/// A place in the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct At {
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column, from 1.
    pub column: Option<u64>,
}

impl At {
    /// The file as a whole.
    pub const FILE: Self = Self {
        line: None,
        column: None,
    };

    /// A line.
    pub fn line(line: u64) -> Self {
        Self {
            line: Some(line),
            column: None,
        }
    }

    /// A cell.
    pub fn cell(line: u64, column: Option<u64>) -> Self {
        Self {
            line: Some(line),
            column,
        }
    }
}

/// The problems of one file, by kind.
pub struct ProblemTally {
    path: PathBuf,
    groups: Vec<Group>,
}

struct Group {
    kind: ProblemKind,
    listed: Vec<Problem>,
    more: u64,
    values: BTreeMap<String, u64>,
    other_values: u64,
}

impl ProblemTally {
    /// An empty tally of a file.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            groups: Vec::new(),
        }
    }

    /// Notes a problem; `explain` gives what is wrong and what to do, and is called only for a
    /// problem that is listed.
    pub fn note(&mut self, kind: ProblemKind, at: At, explain: impl FnOnce() -> (String, String)) {
        let Self { path, groups } = self;
        let group = Self::group(groups, kind);
        if group.listed.len() == MOST_LISTED_PROBLEMS {
            group.more += 1;
            return;
        }
        let (what, help) = explain();
        let place = Place::field(&path, at.line, at.column);
        group.listed.push(Problem::new(place, what).help(help));
    }

    /// Notes a cell of a kept row that is refused, and counts its value.
    pub(crate) fn refuse(
        &mut self,
        kind: ProblemKind,
        at: At,
        cell: &str,
        explain: impl FnOnce() -> (String, String),
    ) {
        self.note(kind, at, explain);
        let group = Self::group(&mut self.groups, kind);
        if let Some(count) = group.values.get_mut(cell) {
            *count += 1;
        } else if group.values.len() < MOST_COUNTED_VALUES {
            group.values.insert(cell.to_owned(), 1);
        } else {
            group.other_values += 1;
        }
    }

    /// Returns the number of refused cells of a kind, and the distinct cells among those counted
    /// one by one.
    pub(crate) fn refused(&self, kind: ProblemKind) -> (u64, impl Iterator<Item = &str>) {
        let group = self.groups.iter().find(|group| group.kind == kind);
        let count = group.map_or(0, |group| {
            group.values.values().sum::<u64>() + group.other_values
        });
        let cells = group.into_iter().flat_map(|group| group.values.keys());
        (count, cells.map(String::as_str))
    }

    /// The file as a whole.
    pub(crate) fn file(&self) -> Place {
        Place::file(&self.path)
    }

    /// Drops what follows from other problems only.
    pub(crate) fn retain(&mut self, keep: impl Fn(ProblemKind) -> bool) {
        self.groups.retain(|group| keep(group.kind));
    }

    /// Notes a problem of the file as a whole.
    pub(crate) fn note_whole(&mut self, what: impl Into<String>, help: impl Into<String>) {
        self.note(ProblemKind::Whole, At::FILE, || (what.into(), help.into()));
    }

    /// Notes that filters keep none of `all` rows; `removed`: the rows that each removes.
    pub(crate) fn note_none_kept(&mut self, all: u64, filters: &[Filter], removed: &[u64]) {
        let filters = filters.iter().zip(removed);
        let said = filters.map(|(filter, n)| format!("`{}` removes {n}", filter.text()));
        let said = said.collect::<Vec<_>>().join(", ");
        let what = format!("no row is kept of {all} that could be read");
        self.note_whole(what, format!("loosen `where`: {said}"));
    }

    /// Notes that attributes of these sizes have too many cells: people are numbered by the
    /// combination of their values, in 32 bits.
    pub(crate) fn check_cells(&mut self, sizes: impl Iterator<Item = usize> + Clone, help: &str) {
        let cells = sizes.clone();
        let cells = cells.fold(1_u64, |n, size| n.saturating_mul(size as u64));
        if cells > 1 << 32 {
            let sizes = sizes.map(|size| size.to_string());
            let sizes = sizes.collect::<Vec<_>>().join(" x ");
            let what = format!("the attributes have {sizes} cells, more than 2^32");
            self.note_whole(what, help);
        }
    }

    /// Returns true where nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// All that was noted: kinds in the order first met, each in the order of the file.
    pub fn finish(self) -> Problems {
        let mut problems = Problems::default();
        for group in self.groups {
            let more = group.more_line(&self.path);
            group.listed.into_iter().for_each(|p| problems.push(p));
            more.into_iter().for_each(|p| problems.push(p));
        }
        problems
    }

    /// Returns all problems, in the order of their lines.
    pub(crate) fn finish_by_line(self) -> Problems {
        let mut problems = self.finish();
        problems.0.sort_by_key(|problem| match problem.place {
            Place::File { line, column, .. } => (line.unwrap_or(u64::MAX), column),
            Place::Memory {
                line, row, column, ..
            } => (line.or(row).unwrap_or(u64::MAX), column),
            _ => (u64::MAX, None),
        });
        problems
    }

    fn group(groups: &mut Vec<Group>, kind: ProblemKind) -> &mut Group {
        let found = groups.iter().position(|group| group.kind == kind);
        let at = found.unwrap_or_else(|| {
            groups.push(Group {
                kind,
                listed: Vec::new(),
                more: 0,
                values: BTreeMap::new(),
                other_values: 0,
            });
            groups.len() - 1
        });
        &mut groups[at]
    }
}

impl Group {
    /// The one line for all problems that are not listed; a user who must list values wants them
    /// all, with counts.
    fn more_line(&self, path: &Path) -> Option<Problem> {
        let mut line = Problem::of_file(path, format!("and {} more like these", self.more));
        if !self.values.is_empty() {
            let counts = self.values.iter();
            let mut values: Vec<_> = counts
                .map(|(value, n)| format!("{} in {n}", shown(value)))
                .collect();
            if self.other_values > 0 {
                values.push(format!("others in {}", self.other_values));
            }
            line = line.help(format!("rows by value refused: {}", values.join(", ")));
        }
        (self.more > 0).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_twenty_of_a_kind_and_counts_the_others() {
        let mut tally = ProblemTally::new(Path::new("p.csv"));
        for line in 1..=25 {
            let value = if line % 2 == 0 { "N" } else { "?" };
            tally.refuse(
                ProblemKind::Cell(0, CellRole::Weight),
                At::cell(line, Some(3)),
                value,
                || ("wrong".into(), "correct it".into()),
            );
        }
        tally.note(ProblemKind::Shape(FaultKind::Fields), At::line(9), || {
            ("short".into(), "look".into())
        });
        let lines: Vec<_> = tally.finish().0.iter().map(ToString::to_string).collect();
        assert_eq!(lines.len(), 22);
        assert_eq!(lines[19], "p.csv:20:3: wrong (help: correct it)");
        assert_eq!(
            lines[20],
            "p.csv: and 5 more like these (help: rows by value refused: '?' in 13, 'N' in 12)"
        );
        assert_eq!(lines[21], "p.csv:9: short (help: look)");
    }

    #[test]
    fn twenty_need_no_more_line() {
        let mut tally = ProblemTally::new(Path::new("p.csv"));
        for line in 1..=20 {
            tally.note(ProblemKind::Whole, At::line(line), || {
                ("a".into(), "b".into())
            });
        }
        assert_eq!(tally.finish().0.len(), 20);
    }
}
