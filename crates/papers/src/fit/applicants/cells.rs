//! Reading the cells of applicants: labels, groups, numbers and categories.

use std::collections::BTreeSet;

use super::choice::{CellChoice, holds};
use kleroterion_io::people::table::sheet::{Sheet, SheetRow};
use kleroterion_io::people::table::tally::{At, CellRole, ProblemKind};
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::decimal::{bounded, marked};
use kleroterion_io::record::fault::FaultKind;

/// A column of more texts is no category but a name or a comment.
const LEVELS: usize = 200;
/// The most weights that can be fitted.
const FEATURES: usize = 1000;
/// The most values of a column that an error lists.
const LISTED: usize = 20;

/// The way in which a feature column is read.
pub(super) enum ColumnReading {
    Number,
    /// One of these levels.
    Level(Vec<String>),
}

impl ColumnReading {
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Number => 1,
            Self::Level(levels) => levels.len().saturating_sub(1),
        }
    }

    /// Adds a person's features; all cells were checked before.
    pub(super) fn push(&self, cell: &str, delimiter: u8, features: &mut Vec<f64>) {
        match self {
            Self::Number => features.push(bounded(cell, delimiter).unwrap_or_default()),
            Self::Level(levels) => {
                let others = levels.iter().skip(1);
                features.extend(others.map(|level| f64::from(u8::from(level == cell))));
            }
        }
    }
}

/// Reads columns, and notes the faults of their cells.
pub(super) struct CellReader<'a> {
    pub(super) sheet: Sheet,
    pub(super) names: &'a [String],
    /// The column of groups, whose blank cells are noted only once, not again as a feature's.
    pub(super) grouped: Option<usize>,
    /// As in [`FitApplicants::unmet`](super::FitApplicants::unmet).
    pub(super) unmet: Vec<String>,
}

impl CellReader<'_> {
    fn note(&mut self, row: &SheetRow, at: usize, role: CellRole, what: &str, help: &str) {
        let place = At::cell(row.line, Some(at as u64 + 1));
        let (cell, name) = (row.cells[at].as_str(), &self.names[at]);
        if cell.is_empty() && self.grouped == Some(at) && role != CellRole::Attribute(at) {
            return;
        }
        self.sheet
            .tally
            .note(ProblemKind::Cell(at, role), place, || {
                let what = match cell {
                    "" => format!("the cell of `{name}` is blank"),
                    _ => format!("{} in `{name}` {what}", shown(cell)),
                };
                (what, help.to_owned())
            });
    }

    /// Returns the labels, or `None` if a cell is no label or no row has the requested values.
    pub(super) fn labels(
        &mut self,
        rows: &[SheetRow],
        at: usize,
        label: &CellChoice,
    ) -> Option<Vec<bool>> {
        if !label.values.is_empty() {
            let labels = self.members(rows, at, label);
            return labels.contains(&true).then_some(labels);
        }
        let delimiter = self.sheet.delimiter();
        let mut sound = true;
        let mut labels = Vec::new();
        for row in rows {
            let cell = bounded(&row.cells[at], delimiter);
            if !cell.as_ref().is_ok_and(|cell| [0.0, 1.0].contains(cell)) {
                let help = "write 0 or 1, or say which values stand for 1, as in --label hired=yes";
                self.note(row, at, CellRole::Reward, "is neither 0 nor 1", help);
                sound = false;
            }
            labels.push(cell == Ok(1.0));
        }
        sound.then_some(labels)
    }

    /// Returns true for each row whose cell has one of the values. Notes values that no row has.
    pub(super) fn members(
        &mut self,
        rows: &[SheetRow],
        at: usize,
        choice: &CellChoice,
    ) -> Vec<bool> {
        let delimiter = self.sheet.delimiter();
        let mut met: BTreeSet<&str> = BTreeSet::new();
        for row in rows {
            let cell = row.cells[at].as_str();
            if cell.is_empty() {
                let help = "write the value, or leave the row out";
                self.note(row, at, CellRole::Attribute(at), "", help);
            }
            met.insert(cell);
        }
        let members: Vec<bool> = rows
            .iter()
            .map(|row| choice.holds(&row.cells[at], delimiter))
            .collect();
        let unmet = choice.values.iter().filter(|value| {
            let value = std::slice::from_ref(*value);
            !met.iter().any(|cell| holds(value, cell, delimiter))
        });
        let unmet =
            unmet.map(|value| format!("no row has {} in `{}`", shown(value), choice.column));
        if members.contains(&true) {
            self.unmet.extend(unmet);
        } else if !rows.is_empty() {
            let mut known: Vec<String> = met.iter().take(LISTED).map(|v| shown(v)).collect();
            known.extend((met.len() > LISTED).then(|| format!("{} more", met.len() - LISTED)));
            let help = format!("the values are {}", known.join(", "));
            for what in unmet {
                self.whole(at, what, help.clone());
            }
        }
        members
    }

    /// Decides the reading of a column: categories if `coded`, or if most cells are no numbers;
    /// otherwise numbers. Notes cells that differ from most.
    pub(super) fn reading(&mut self, rows: &[SheetRow], at: usize, coded: bool) -> ColumnReading {
        let cells = || rows.iter().map(|row| row.cells[at].as_str());
        let numbers = cells().filter(|cell| is_number(cell)).count();
        let texts = cells().filter(|cell| !cell.is_empty()).count() - numbers;
        if !coded && numbers >= texts {
            self.sheet.note_marks(rows, at, at);
            let delimiter = self.sheet.delimiter();
            for row in rows {
                if let Err(what) = bounded(&row.cells[at], delimiter) {
                    let help = "write a number, or name the column in --exclude or --categories";
                    self.note(row, at, CellRole::Number(at), &what, help);
                }
            }
            return ColumnReading::Number;
        }
        for row in rows {
            let cell = row.cells[at].as_str();
            if cell.is_empty() {
                let help = "name what is not known, as in `none`, or leave the row out";
                self.note(row, at, CellRole::Level(at), "", help);
            } else if !coded && is_number(cell) {
                let help = "correct the cell, or name the column in --categories";
                self.note(
                    row,
                    at,
                    CellRole::Level(at),
                    "is a number among texts",
                    help,
                );
            }
        }
        let levels: BTreeSet<&str> = cells().collect();
        let name = &self.names[at];
        if levels.len() > LEVELS {
            let what = format!("`{name}` has {} different values", levels.len());
            let help = format!("a category has at most {LEVELS}: leave it out by --exclude {name}");
            self.whole(at, what, help);
        }
        ColumnReading::Level(levels.into_iter().map(str::to_owned).collect())
    }

    /// Notes the faults of the whole file: labels that are all equal, no features or too many, a
    /// group of everybody, or one person alone on a side.
    pub(super) fn judge(
        &mut self,
        rows: &[SheetRow],
        width: usize,
        labels: Option<&[bool]>,
        inside: Option<&[bool]>,
        group: &CellChoice,
    ) {
        let mut said = Vec::new();
        let one = |all: Option<&[bool]>, value| {
            all.is_some_and(|all| !all.is_empty() && all.iter().all(|found| *found == value))
        };
        for value in [false, true] {
            if one(labels, value) {
                let what = format!("the label of every row is {}", u8::from(value));
                said.push((what, "a regression tells two labels apart: see --label"));
            }
        }
        if one(inside, true) {
            let what = format!("every row is in the group {group}");
            said.push((
                what,
                "scores are compared with those of the others: see --group",
            ));
        }
        if width == 0 {
            let what = "there is no feature besides the label".to_owned();
            said.push((what, "add columns, or leave fewer out by --exclude"));
        }
        if width > FEATURES {
            let what = format!("there are {width} features");
            said.push((
                what,
                "at most 1000 are fitted: leave columns out by --exclude",
            ));
        }
        for (side, whose) in [
            (true, "is the only one in"),
            (false, "is the only one outside"),
        ] {
            let all = rows.iter().zip(inside.unwrap_or_default());
            let mut of = all.filter(|(_, found)| **found == side);
            if let (Some((row, _)), None) = (of.next(), of.next()) {
                let what = format!("this row {whose} the group {group}");
                let help = "a law of scores takes two people of each: see --group";
                let note = || (what, help.to_owned());
                self.sheet
                    .tally
                    .note(ProblemKind::Whole, At::line(row.line), note);
            }
        }
        for (what, help) in said {
            let note = || (what, help.to_owned());
            self.sheet.tally.note(ProblemKind::Whole, At::FILE, note);
        }
    }

    /// Notes the fault of a column, or of the values requested from it.
    fn whole(&mut self, at: usize, what: String, help: String) {
        let line = self.sheet.header_line();
        let column = line.map(|_| at as u64 + 1);
        let kind = ProblemKind::Shape(FaultKind::Columns);
        self.sheet
            .tally
            .note(kind, At { line, column }, || (what, help));
    }
}

/// Returns true if a cell is a number, even one that is too large.
fn is_number(cell: &str) -> bool {
    marked(cell).is_some()
}
