//! The ids of the people of a file: the cells of the column that names them, or of `id`.

use std::collections::BTreeMap;

use super::row::TableRow;
use super::rows::TableRows;
use super::tally::{CellRole, ProblemKind, ProblemTally};
use super::wanted::WantedColumns;
use crate::record::cell::shown;

/// Reads ids row by row.
///
/// Where a spec names the column, each kept row must have an id of its own. Else a record's `id`
/// names its person, as in a feed; a file is read whole, so one row without an id of its own has
/// all people named by the numbers of their rows.
pub(super) struct Ids<'a> {
    column: &'a str,
    slot: usize,
    required: bool,
    /// True if equal rows with the same id count once.
    count_once: bool,
    /// True if some rows counted once.
    counted: bool,
    ids: Vec<String>,
    /// True if some kept row has an id; below, the line of the first row without one.
    met: bool,
    lacking: Option<u64>,
    /// The reason why ids in the file can't name people; `None` if they can.
    unnamed: Option<String>,
    /// The line and the row key of each id's first row, by the key of the id.
    first: BTreeMap<u64, (u64, u64)>,
    /// The lines of two rows that share an id and differ.
    twice: Vec<[u64; 2]>,
}

/// The person of a row, by its id.
pub(super) enum Named {
    /// A new person; the key of the id, where the row has one.
    Person(Option<u64>),
    /// The same row as on this line, in every cell.
    Again(u64),
    /// A row with the id of an earlier row, from which it differs.
    Unlike,
}

impl<'a> Ids<'a> {
    /// `count_once`: whether rows of one id that are the same count once.
    pub(super) fn new(
        column: Option<&'a str>,
        count_once: bool,
        wanted: &mut WantedColumns,
    ) -> Self {
        Self {
            column: column.unwrap_or("id"),
            slot: match column {
                Some(column) => wanted.slot(column, "`id`".into()),
                None => wanted.optional("id"),
            },
            required: column.is_some(),
            count_once,
            counted: false,
            ids: Vec::new(),
            met: false,
            lacking: None,
            unnamed: None,
            first: BTreeMap::new(),
            twice: Vec::new(),
        }
    }

    /// The person of a kept row, who may be that of a row before.
    pub(super) fn named(&mut self, row: &TableRow, rows: &TableRows) -> Named {
        let id = row.cell(self.slot).unwrap_or_default();
        if id.is_empty() {
            return Named::Person(None);
        }
        let key = rows.key(row, self.slot, id);
        match self.first.get(&key) {
            Some((line, first)) if *first == row.key.all() => {
                self.counted |= self.count_once;
                return match self.count_once {
                    true => Named::Again(*line),
                    false => Named::Person(None),
                };
            }
            Some((line, _)) => {
                self.twice.push([*line, row.line]);
                if self.required {
                    return Named::Unlike;
                }
            }
            None => {
                self.first.insert(key, (row.line, row.key.all()));
            }
        }
        Named::Person(Some(key).filter(|_| self.count_once))
    }

    /// Returns true if rows counted once by ids that turned out to name no one.
    pub(super) fn counted_in_vain(&self) -> bool {
        self.counted && self.unnamed.is_some()
    }

    /// Takes a kept row that is a person's first.
    pub(super) fn take(&mut self, row: &TableRow, tally: &mut ProblemTally) {
        let id = row.cell(self.slot).unwrap_or_default();
        if self.required {
            self.require(row, tally);
        } else {
            self.met |= !id.is_empty();
            if id.is_empty() {
                self.lacking.get_or_insert(row.line);
                self.ids = Vec::new();
            }
        }
        // Pushed though it is empty where it is required, so that ids and lines stay even.
        if self.lacking.is_none() {
            self.ids.push(id.to_owned());
        }
    }

    fn require(&self, row: &TableRow, tally: &mut ProblemTally) {
        let (slot, column) = (self.slot, self.column);
        let kind = ProblemKind::Cell(slot, CellRole::Id);
        if row.required(slot, column, kind, tally) == Some("") {
            tally.note(kind, row.at(slot), || {
                let what = format!("the id in `{column}` is empty");
                let help =
                    "give each person an id, or leave out `id`: the row's number then names them";
                (what, help.into())
            });
        }
    }

    /// The slot of the ids.
    pub(super) fn slot(&self) -> usize {
        self.slot
    }

    /// The lines of rows that have one id and differ, where each is to have its own.
    pub(super) fn twice(&self) -> &[[u64; 2]] {
        if self.required { &self.twice } else { &[] }
    }

    /// Notes why ids that are there name no one, where no column was asked to.
    pub(super) fn check(&mut self) {
        if let (true, Some(line)) = (self.met, self.lacking) {
            self.unnamed = Some(format!("line {line} has no `id`"));
        } else if let (false, Some([line, again])) = (self.required, self.twice.first()) {
            self.unnamed = Some(format!("lines {line} and {again} have one `id`"));
        }
    }

    /// Notes that two rows have one id; `differ`: the columns in which they do.
    pub(super) fn note_twice(
        &self,
        pair: [&TableRow; 2],
        differ: &[String],
        tally: &mut ProblemTally,
    ) {
        let ids = pair.map(|row| row.cell(self.slot).unwrap_or_default());
        let [first, again] = pair;
        let at = again.at(self.slot);
        tally.note(ProblemKind::Cell(self.slot, CellRole::Id), at, || {
            double(ids, self.column, first.line, differ)
        });
    }

    /// The ids of the kept rows where they name people, and else why not where some row has one.
    pub(super) fn finish(self) -> (Option<Vec<String>>, Option<String>) {
        let named = self.lacking.is_none() && self.unnamed.is_none();
        (named.then_some(self.ids), self.unnamed)
    }
}

/// Returns the fault of two rows with one id, and the advice. `first` and `again` are the spellings
/// of the id, and `differ` names the columns that differ.
pub(crate) fn double(
    [first, again]: [&str; 2],
    column: &str,
    line: u64,
    differ: &[String],
) -> (String, String) {
    let names: Vec<String> = differ.iter().map(|name| format!("`{name}`")).collect();
    let differ = match names.is_empty() {
        true => String::new(),
        false => format!("; the rows differ in {}", names.join(", ")),
    };
    let (spelt, exact) = match first == again {
        true => (String::new(), ""),
        false => (
            format!(", as {}", shown(first)),
            "; ids that differ by case or blanks alone are one, unless `exact = true`",
        ),
    };
    let what = format!(
        "the id {} in `{column}` is that of line {line} too{spelt}{differ}",
        shown(again)
    );
    let help = "keep one row a person, or choose a column that differs for each person";
    (what, format!("{help}{exact}"))
}
