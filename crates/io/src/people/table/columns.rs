//! The reader of columns that become numbers, row by row.

use std::collections::BTreeMap;

use super::decimals::Decimals;
use super::numbers::{NumberColumns, OutcomeCell, TableNumbers};
use super::row::TableRow;
use super::tally::{CellRole, ProblemKind, ProblemTally};
use super::wanted::WantedColumns;
use crate::limits::MOST_NUMBERS;
use crate::record::cell::{number, refusal, shown, without};
use crate::record::coder::{CellRefusal, Coded, Coder};
use crate::record::decimal::{either, marked, pointed};
use crate::record::words::Words;
use crate::record::{Levels, Span, fold};

/// Reads the columns of a spec row by row.
pub(super) struct NumberReader<'a> {
    spec: &'a NumberColumns,
    numeric: Vec<usize>,
    one_hot: Vec<(usize, Coder<'a>)>,
    /// The columns of rewards, utilities and scores.
    single: [Option<NumberColumn<'a>>; 3],
    reviews: Vec<usize>,
    outcome: Option<usize>,
    numbers: TableNumbers,
}

/// A column of which each cell must be a number.
struct NumberColumn<'a> {
    slot: usize,
    column: &'a str,
    role: CellRole,
    span: Span,
    numbers: Vec<f64>,
}

impl NumberColumn<'_> {
    fn take(&mut self, row: &TableRow, decimals: &mut Decimals, tally: &mut ProblemTally) {
        let cell = NumberCell(row, self.slot, self.column);
        match cell.number(self.span, decimals) {
            Some(number) => self.numbers.push(number),
            None => cell.refuse(self.role, self.span, decimals, tally, str::to_owned),
        }
    }
}

impl<'a> NumberReader<'a> {
    pub(super) fn new(spec: &'a NumberColumns, wanted: &mut WantedColumns) -> Self {
        let mut slot = |column: &String, user: &str| wanted.slot(column, user.into());
        let mut slots = |columns: &[String], user: &str| -> Vec<usize> {
            columns.iter().map(|column| slot(column, user)).collect()
        };
        let numeric = slots(&spec.numeric, "`numeric`");
        let one_hot = slots(&spec.one_hot, "`one_hot`").into_iter();
        let mut single = |column: &'a Option<String>, user: &str, role| {
            let column = column.as_ref()?;
            Some(NumberColumn {
                slot: slots(std::slice::from_ref(column), user)[0],
                column,
                role,
                span: Span::SAFE,
                numbers: Vec::new(),
            })
        };
        Self {
            spec,
            numeric,
            one_hot: one_hot
                .map(|slot| {
                    let levels = match spec.is_exact {
                        true => &Levels::Spelt,
                        false => &Levels::Distinct,
                    };
                    (slot, Coder::new(levels))
                })
                .collect(),
            single: [
                single(&spec.reward, "the reward", CellRole::Reward),
                single(&spec.utility, "`utility`", CellRole::Utility),
                single(&spec.score, "`score`", CellRole::Score),
            ],
            reviews: slots(&spec.reviews, "`reviews`"),
            outcome: slots(spec.outcome.as_slice(), "the outcome").pop(),
            numbers: TableNumbers {
                widths: (spec.numeric.len(), spec.one_hot.len()),
                filled: vec![0; spec.numeric.len()],
                ..TableNumbers::default()
            },
        }
    }

    /// The slots that are read.
    pub(super) fn slots(&self) -> Vec<usize> {
        let single = self.single.iter().flatten().map(|column| column.slot);
        let hot = self.one_hot.iter().map(|(slot, _)| *slot);
        let several = self.numeric.iter().chain(&self.reviews);
        let several = several.chain(&self.outcome).copied();
        several.chain(hot).chain(single).collect()
    }

    /// Takes a kept row. What is refused leaves the columns uneven, which does not matter: there is
    /// no table then.
    pub(super) fn take(
        &mut self,
        row: &TableRow,
        decimals: &mut Decimals,
        tally: &mut ProblemTally,
    ) {
        self.take_numeric(row, decimals, tally);
        self.take_levels(row, tally);
        for column in self.single.iter_mut().flatten() {
            column.take(row, decimals, tally);
        }
        self.take_reviews(row, decimals, tally);
        self.take_outcome(row, decimals, tally);
    }

    fn take_numeric(&mut self, row: &TableRow, decimals: &mut Decimals, tally: &mut ProblemTally) {
        let spec = self.spec;
        for (i, (slot, column)) in self.numeric.iter().zip(&spec.numeric).enumerate() {
            let cell = NumberCell(row, *slot, column);
            let span = spec.spans.of(column);
            // What states a number out of its range is wrong, and not missing.
            let stated = cell.is_stated(decimals);
            let missing = spec.missing.filter(|_| !stated);
            let found = cell.number(span, decimals);
            self.numbers.filled[i] += u64::from(!stated);
            match found.or(missing) {
                Some(x) => self.numbers.numeric.push(x),
                None => cell.refuse(CellRole::Number(i), span, decimals, tally, |leave_out| {
                    if stated {
                        return format!("widen `range` in [source.features], or {leave_out}");
                    }
                    let cell = row.cell(*slot).unwrap_or_default();
                    match is_unknown(cell) {
                        true => format!(
                            "set missing = 0 in [source.features] to count these cells as 0, or \
                             {leave_out}"
                        ),
                        false if cell.parse::<f64>().is_ok() => {
                            format!("write a finite number, or {leave_out}")
                        }
                        false => {
                            format!("write a number, take the column as one_hot, or {leave_out}")
                        }
                    }
                }),
            }
        }
    }

    fn take_levels(&mut self, row: &TableRow, tally: &mut ProblemTally) {
        for (i, (slot, coder)) in self.one_hot.iter_mut().enumerate() {
            let column = &self.spec.one_hot[i];
            let kind = ProblemKind::Cell(*slot, CellRole::Level(i));
            let Some(text) = row.required(*slot, column, kind, tally) else {
                continue;
            };
            match coder.code(text) {
                Ok(code) => self.numbers.codes.push(code),
                // Noted once for the column, when all levels are counted.
                Err(CellRefusal::TooMany) => {}
                Err(_) => {
                    let at = row.at(*slot);
                    tally.refuse(kind, at, text, || {
                        let what = format!("the cell in `{column}` is empty, which is no level");
                        (what, format!("fill it, or {}", leave_out(column, text)))
                    });
                }
            }
        }
    }

    fn take_reviews(&mut self, row: &TableRow, decimals: &mut Decimals, tally: &mut ProblemTally) {
        if self.reviews.is_empty() {
            return;
        }
        let mut record = Vec::new();
        for (i, (slot, column)) in self.reviews.iter().zip(&self.spec.reviews).enumerate() {
            if row.cell(*slot).is_none_or(str::is_empty) {
                continue;
            }
            let cell = NumberCell(row, *slot, column);
            match cell.number(Span::SAFE, decimals) {
                Some(score) => record.push(score),
                None => {
                    let role = CellRole::Review(i);
                    cell.refuse(role, Span::SAFE, decimals, tally, |leave_out| {
                        format!("leave the cell blank where there is no review, or {leave_out}")
                    });
                }
            }
        }
        self.numbers.records.push(record);
    }

    fn take_outcome(&mut self, row: &TableRow, decimals: &mut Decimals, tally: &mut ProblemTally) {
        let Some((slot, column)) = self.outcome.zip(self.spec.outcome.as_ref()) else {
            return;
        };
        let text = row.cell(slot).unwrap_or_default();
        let said = self.spec.outcome_cells.read(text);
        let cell = NumberCell(row, slot, column);
        let span = self.spec.spans.of(column);
        let number = match said {
            OutcomeCell::Missing => {
                self.numbers.outcomes.push(None);
                return;
            }
            OutcomeCell::Number(number) => Some(number),
            OutcomeCell::Itself => cell.number(span, decimals),
            OutcomeCell::Unlisted => {
                let kind = ProblemKind::Cell(slot, CellRole::Outcome);
                tally.refuse(kind, row.at(slot), text, || {
                    let what = format!(
                        "{} in `{column}` is not among `values` of [feedback.outcome]",
                        shown(text)
                    );
                    let leave_out = leave_out(column, text);
                    let help =
                        "add it there with its number, or to `missing` where it says nothing";
                    (what, format!("{help}, or {leave_out}"))
                });
                return;
            }
        };
        match number {
            Some(outcome) => self.numbers.outcomes.push(Some(outcome)),
            None => {
                let stated = cell.is_stated(decimals);
                cell.refuse(CellRole::Outcome, span, decimals, tally, |leave_out| {
                    if stated {
                        format!("correct it, widen `range` in [feedback.outcome], or {leave_out}")
                    } else {
                        format!("leave the cell blank where no outcome is known, or {leave_out}")
                    }
                });
            }
        }
    }

    /// The numbers, which are whole only where nothing was noted; `blind`: no one knows which rows
    /// are kept.
    pub(super) fn finish(self, blind: bool, tally: &mut ProblemTally) -> TableNumbers {
        let mut numbers = self.numbers;
        let coded: Vec<_> = self.one_hot.into_iter().map(|(_, c)| c.finish()).collect();
        let levels: usize = coded.iter().map(|coded| coded.levels.len()).sum();
        if numbers.widths.0 + levels > MOST_NUMBERS && !blind {
            let sizes = self.spec.one_hot.iter().zip(&coded);
            let sizes: BTreeMap<_, _> = sizes.map(|(c, l)| (l.levels.len(), c)).collect();
            let most = sizes.last_key_value();
            let most = most.map(|(n, c)| format!("; `{c}` alone has {n} distinct cells"));
            let what = format!(
                "the features would be more than {MOST_NUMBERS} numbers{}",
                most.unwrap_or_default()
            );
            let help = "take the column as `numeric`, or leave it out of `one_hot`";
            tally.note_whole(what, help);
        }
        if tally.is_empty() {
            Coded::renumber(&coded, &mut numbers.codes);
        }
        let of = |column: Option<NumberColumn<'_>>| column.map_or_else(Vec::new, |c| c.numbers);
        [numbers.rewards, numbers.utilities, numbers.scores] = self.single.map(of);
        numbers.levels = coded.into_iter().map(|coded| coded.levels).collect();
        numbers
    }
}

/// A cell that should be a number: its row, its slot and its column's name.
struct NumberCell<'r>(&'r TableRow, usize, &'r str);

impl NumberCell<'_> {
    /// The number that it states, where that is one of the range.
    fn number(&self, span: Span, decimals: &mut Decimals) -> Option<f64> {
        let found = decimals.number(self.0.cell(self.1)?, self.1, self.0.line);
        found.filter(|number| span.holds(*number))
    }

    /// Returns true if the cell states a number, or one of two numbers.
    fn is_stated(&self, decimals: &mut Decimals) -> bool {
        let is_number = |cell| decimals.number(cell, self.1, self.0.line).is_some();
        let cell = self.0.cell(self.1);
        cell.is_some_and(is_number) || self.both(decimals).is_some()
    }

    /// The two numbers of which a cell states one.
    fn both(&self, decimals: &Decimals) -> Option<[String; 2]> {
        pointed(self.0.cell(self.1)?, decimals.delimiter?).err()
    }

    /// Notes that it states none; `help` makes the advice of how to leave the row out.
    fn refuse(
        &self,
        role: CellRole,
        span: Span,
        decimals: &Decimals,
        tally: &mut ProblemTally,
        help: impl FnOnce(&str) -> String,
    ) {
        let Self(row, slot, column) = *self;
        let kind = ProblemKind::Cell(slot, role);
        let at = row.at(slot);
        let cell = row.cell(slot);
        if let (Some(cell), Some(both)) = (cell, self.both(decimals)) {
            let what = || (either(cell, column, &both), "write one of these".into());
            tally.refuse(kind, at, cell, what);
            return;
        }
        let note = || {
            let what = match cell {
                None => format!("the record has no `{column}`, which has to be a number"),
                Some("") => format!("the cell in `{column}` is empty, which is no number"),
                Some(cell) => {
                    let stated = marked(cell).map(|(number, _)| number);
                    let stated = stated.filter(|_| decimals.delimiter.is_some());
                    refusal(cell, stated.or(number(cell)), column, span)
                }
            };
            let leave_out = leave_out(column, cell.unwrap_or_default());
            (what, help(&leave_out))
        };
        match cell {
            Some(text) => tally.refuse(kind, at, text, note),
            None => tally.note(kind, at, note),
        }
    }
}

/// Returns true if a cell says that the number is unknown.
fn is_unknown(cell: &str) -> bool {
    Words(", na, n/a, n.a., nan, null, none, -, --, ., ?, k.a., k. a., nd").has(&fold(cell))
}

/// The advice to leave out the rows of a cell.
fn leave_out(column: &str, cell: &str) -> String {
    format!(
        "leave those rows out with where = [{:?}]",
        without(column, cell)
    )
}
