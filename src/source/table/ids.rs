//! The ids of the people of a file: the cells of the column that names them, or of `id`.

use std::collections::BTreeMap;

use super::row::TableRow;
use super::rows::TableRows;
use super::tally::{At, CellRole, LISTED, ProblemKind, ProblemTally};
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
    ids: Vec<String>,
    /// Whether some kept row has an id, and the line of the first that has none or a blank one.
    met: bool,
    lacking: Option<u64>,
    /// Why ids that are there name no one.
    unnamed: Option<String>,
    /// Of each id by its key, the line of its first row and the key of that row.
    first: BTreeMap<u64, (u64, u64)>,
    /// The lines of two rows that have one id and differ, and the id.
    twice: Vec<(u64, u64, String)>,
}

/// What the id of a row says of it.
pub(super) enum Named {
    /// It is a person; the key of the id, where the row has one.
    Person(Option<u64>),
    /// It is the row of this line again, in every cell.
    Again(u64),
}

impl<'a> Ids<'a> {
    pub(super) fn new(column: Option<&'a str>, wanted: &mut WantedColumns) -> Self {
        Self {
            column: column.unwrap_or("id"),
            slot: match column {
                Some(column) => wanted.slot(column, "`id`".into()),
                None => wanted.optional("id"),
            },
            required: column.is_some(),
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
        let key = rows.key(self.slot, id);
        match self.first.get(&key) {
            Some((line, first)) if *first == row.key.all() => return Named::Again(*line),
            Some((line, _)) => self.twice.push((*line, row.line, id.to_owned())),
            None => {
                self.first.insert(key, (row.line, row.key.all()));
            }
        }
        Named::Person(Some(key))
    }

    /// Takes a kept row that is a person's first.
    pub(super) fn take(&mut self, row: &TableRow, rows: &TableRows, tally: &mut ProblemTally) {
        let id = row.cell(self.slot).unwrap_or_default();
        if self.required {
            self.require(row, rows, tally);
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

    fn require(&self, row: &TableRow, rows: &TableRows, tally: &mut ProblemTally) {
        let (slot, column) = (self.slot, self.column);
        let kind = ProblemKind::Cell(slot, CellRole::Id);
        if row.required(slot, column, kind, tally) == Some("") {
            let at = At::cell(row.line, rows.field(slot));
            tally.note(kind, at, || {
                let what = format!("the id in `{column}` is empty");
                let help =
                    "give each person an id, or leave out `id`: the row's number then names them";
                (what, help.into())
            });
        }
    }

    /// The lines of rows that have one id and differ, as far as they are listed.
    pub(super) fn twice(&self) -> impl Iterator<Item = [u64; 2]> {
        let listed = self.twice.iter().filter(|_| self.required).take(LISTED);
        listed.map(|(first, again, _)| [*first, *again])
    }

    /// Notes ids that two of the kept rows have; `differing`: the names of the columns in which the
    /// listed ones differ.
    pub(super) fn check(
        &mut self,
        differing: &[Vec<String>],
        rows: &TableRows,
        tally: &mut ProblemTally,
    ) {
        if let (true, Some(line)) = (self.met, self.lacking) {
            self.unnamed = Some(format!("line {line} has no `id`"));
        } else if let (false, Some((line, again, _))) = (self.required, self.twice.first()) {
            self.unnamed = Some(format!("lines {line} and {again} have one `id`"));
        }
        let mut differing = differing.iter();
        for (line, again, id) in self.twice.iter().filter(|_| self.required) {
            let (column, differ) = (self.column, differing.next());
            let at = At::cell(*again, rows.field(self.slot));
            tally.note(ProblemKind::Cell(self.slot, CellRole::Id), at, || {
                double(id, column, *line, differ.map_or(&[], Vec::as_slice))
            });
        }
    }

    /// The ids of the kept rows where they name people, and else why not where some row has one.
    pub(super) fn finish(self) -> (Option<Vec<String>>, Option<String>) {
        let named = self.lacking.is_none() && self.unnamed.is_none();
        (named.then_some(self.ids), self.unnamed)
    }
}

/// What is wrong where two rows have one id, and what to do; `differ`: the columns in which they do.
pub(crate) fn double(id: &str, column: &str, line: u64, differ: &[String]) -> (String, String) {
    let names: Vec<String> = differ.iter().map(|name| format!("`{name}`")).collect();
    let differ = match names.is_empty() {
        true => String::new(),
        false => format!("; the rows differ in {}", names.join(", ")),
    };
    let what = format!(
        "the id {} in `{column}` is that of line {line} too{differ}",
        shown(id)
    );
    let help = "keep one row a person, or choose a column that differs for each person";
    (what, help.into())
}
