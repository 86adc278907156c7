//! Columns that become numbers: those of a person's context, its reward or its utility, and what
//! reviewers said of it.

use std::collections::BTreeMap;

use super::decimals::Decimals;
use super::outcome_cells::{OutcomeCell, OutcomeCells};
use super::row::TableRow;
use super::rows::TableRows;
use super::tally::{At, CellRole, ProblemKind, ProblemTally};
use super::wanted::WantedColumns;
use crate::record::cell::{number, quoted, refusal, shown, spelt};
use crate::record::coder::{CellRefusal, Coder};
use crate::record::decimal::{either, marked, pointed};
use crate::record::fold;
use crate::record::{Levels, Span, Spans};

/// The columns of a table that become numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberColumns {
    /// Columns of numbers.
    pub numeric: Vec<String>,
    /// The ranges of the numeric columns, where they are declared.
    pub spans: Spans,
    /// Columns of which each distinct cell of the kept rows is a number of its own, 0 or 1.
    pub one_hot: Vec<String>,
    /// Whether case, blanks and Unicode form of cells make a number of their own.
    pub is_exact: bool,
    /// The number that a cell of a numeric column counts as where it is empty, not there or no
    /// finite number; without this it is an error.
    pub missing: Option<f64>,
    /// The column of rewards.
    pub reward: Option<String>,
    /// The column of what people are worth.
    pub utility: Option<String>,
    /// The column of scores, which policies see.
    pub score: Option<String>,
    /// Columns of what reviewers said of a person, in their order; a blank cell, or none, is no
    /// review.
    pub reviews: Vec<String>,
    /// The column of what became of people; a blank cell, or none, is an outcome that never comes.
    pub outcome: Option<String>,
    /// The cells of that column that are words or codes.
    pub outcome_cells: OutcomeCells,
}

/// The most numbers that are made of the columns of a table; a distinct cell of a one-hot column
/// makes one.
pub const MOST_NUMBERS: usize = 4096;

/// The numbers of the kept rows as the file has them: a number for each numeric cell, a code for
/// each one-hot cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableNumbers {
    numeric: Vec<f64>,
    widths: (usize, usize),
    codes: Vec<u16>,
    levels: Vec<Vec<String>>,
    rewards: Vec<f64>,
    filled: Vec<u64>,
    utilities: Vec<f64>,
    scores: Vec<f64>,
    records: Vec<Vec<f64>>,
    outcomes: Vec<Option<f64>>,
}

impl TableNumbers {
    /// A row's numeric cells, in the order of the spec.
    #[must_use]
    pub fn numeric(&self, row: usize) -> &[f64] {
        let width = self.widths.0;
        &self.numeric[row * width..(row + 1) * width]
    }

    /// A row's one-hot cells, in the order of the spec, each as an index into the levels of its
    /// column.
    #[must_use]
    pub fn codes(&self, row: usize) -> &[u16] {
        let width = self.widths.1;
        &self.codes[row * width..(row + 1) * width]
    }

    /// Of each one-hot column its distinct cells, by size where all are numbers, else by text.
    #[must_use]
    pub fn levels(&self) -> &[Vec<String>] {
        &self.levels
    }

    /// The rows' rewards; none where no column holds them.
    #[must_use]
    pub fn rewards(&self) -> &[f64] {
        &self.rewards
    }

    /// What the rows are worth; none where no column says so.
    #[must_use]
    pub fn utilities(&self) -> &[f64] {
        &self.utilities
    }

    /// The rows' scores; none where no column holds them.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Of each row the scores that reviewers gave, in the order of the columns; no row where no
    /// column holds any.
    #[must_use]
    pub fn records(&self) -> &[Vec<f64>] {
        &self.records
    }

    /// The rows' outcomes; no row where no column holds them.
    #[must_use]
    pub fn outcomes(&self) -> &[Option<f64>] {
        &self.outcomes
    }

    /// Of each numeric column, in how many rows `missing` replaces the cell.
    #[must_use]
    pub fn filled(&self) -> &[u64] {
        &self.filled
    }
}

/// Reads the columns of a spec row by row.
pub(super) struct NumberReader<'a> {
    spec: &'a NumberColumns,
    numeric: Vec<usize>,
    one_hot: Vec<(usize, Coder<'a>)>,
    reward: Option<NumberColumn<'a>>,
    utility: Option<NumberColumn<'a>>,
    score: Option<NumberColumn<'a>>,
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
    fn take(
        &mut self,
        row: &TableRow,
        rows: &TableRows,
        decimals: &mut Decimals,
        tally: &mut ProblemTally,
    ) {
        let cell = NumberCell(row, rows, self.slot, self.column);
        match cell.number(self.span, decimals) {
            Some(number) => self.numbers.push(number),
            None => cell.refuse(self.role, self.span, tally, str::to_owned),
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
            reward: single(&spec.reward, "the reward", CellRole::Reward),
            utility: single(&spec.utility, "`utility`", CellRole::Utility),
            score: single(&spec.score, "`score`", CellRole::Score),
            reviews: slots(&spec.reviews, "`reviews`"),
            outcome: slots(spec.outcome.as_slice(), "the outcome").pop(),
            numbers: TableNumbers {
                widths: (spec.numeric.len(), spec.one_hot.len()),
                filled: vec![0; spec.numeric.len()],
                ..TableNumbers::default()
            },
        }
    }

    /// Takes a kept row. What is refused leaves the columns uneven, which does not matter: there is
    /// no table then.
    pub(super) fn take(
        &mut self,
        row: &TableRow,
        rows: &TableRows,
        decimals: &mut Decimals,
        tally: &mut ProblemTally,
    ) {
        self.take_numeric(row, rows, decimals, tally);
        self.take_levels(row, rows, tally);
        let single = [&mut self.reward, &mut self.utility, &mut self.score];
        for column in single.into_iter().flatten() {
            column.take(row, rows, decimals, tally);
        }
        self.take_reviews(row, rows, decimals, tally);
        self.take_outcome(row, rows, decimals, tally);
    }

    fn take_numeric(
        &mut self,
        row: &TableRow,
        rows: &TableRows,
        decimals: &mut Decimals,
        tally: &mut ProblemTally,
    ) {
        let spec = self.spec;
        for (i, (slot, column)) in self.numeric.iter().zip(&spec.numeric).enumerate() {
            let cell = NumberCell(row, rows, *slot, column);
            let span = spec.spans.of(column);
            // What states a number out of its range is wrong, and not missing.
            let stated = cell.is_stated(decimals);
            let missing = spec.missing.filter(|_| !stated);
            let found = cell.number(span, decimals);
            self.numbers.filled[i] += u64::from(!stated);
            match found.or(missing) {
                Some(x) => self.numbers.numeric.push(x),
                None => cell.refuse(CellRole::Number(i), span, tally, |leave_out| {
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

    fn take_levels(&mut self, row: &TableRow, rows: &TableRows, tally: &mut ProblemTally) {
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
                    let at = At::cell(row.line, rows.field(*slot));
                    tally.refuse(kind, at, text, || {
                        let what = format!("the cell in `{column}` is empty, which is no level");
                        (what, format!("fill it, or {}", leave_out(column, text)))
                    });
                }
            }
        }
    }

    fn take_reviews(
        &mut self,
        row: &TableRow,
        rows: &TableRows,
        decimals: &mut Decimals,
        tally: &mut ProblemTally,
    ) {
        if self.reviews.is_empty() {
            return;
        }
        let mut record = Vec::new();
        for (i, (slot, column)) in self.reviews.iter().zip(&self.spec.reviews).enumerate() {
            if row.cell(*slot).is_none_or(str::is_empty) {
                continue;
            }
            let cell = NumberCell(row, rows, *slot, column);
            match cell.number(Span::SAFE, decimals) {
                Some(score) => record.push(score),
                None => cell.refuse(CellRole::Review(i), Span::SAFE, tally, |leave_out| {
                    format!("leave the cell blank where there is no review, or {leave_out}")
                }),
            }
        }
        self.numbers.records.push(record);
    }

    fn take_outcome(
        &mut self,
        row: &TableRow,
        rows: &TableRows,
        decimals: &mut Decimals,
        tally: &mut ProblemTally,
    ) {
        let Some((slot, column)) = self.outcome.zip(self.spec.outcome.as_ref()) else {
            return;
        };
        let text = row.cell(slot).unwrap_or_default();
        let said = self.spec.outcome_cells.read(text);
        let cell = NumberCell(row, rows, slot, column);
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
                tally.refuse(kind, At::cell(row.line, rows.field(slot)), text, || {
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
                cell.refuse(CellRole::Outcome, span, tally, |leave_out| match stated {
                    true => {
                        format!("correct it, widen `range` in [feedback.outcome], or {leave_out}")
                    }
                    false => {
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
        let width = numbers.widths.1;
        let coded: Vec<_> = self.one_hot.into_iter().map(|(_, c)| c.finish()).collect();
        let levels: usize = coded.iter().map(|coded| coded.levels.len()).sum();
        if numbers.widths.0 + levels > MOST_NUMBERS && !blind {
            tally.note(ProblemKind::Whole, At::FILE, || {
                let sizes = self.spec.one_hot.iter().zip(&coded);
                let sizes: BTreeMap<_, _> = sizes.map(|(c, l)| (l.levels.len(), c)).collect();
                let most = sizes.last_key_value();
                let most = most.map(|(n, c)| format!("; `{c}` alone has {n} distinct cells"));
                let what = format!(
                    "the features would be more than {MOST_NUMBERS} numbers{}",
                    most.unwrap_or_default()
                );
                let help = "take the column as `numeric`, or leave it out of `one_hot`";
                (what, help.into())
            });
        }
        if tally.is_empty() {
            for (i, coded) in coded.iter().enumerate() {
                let Some(renumbered) = &coded.renumbered else {
                    continue;
                };
                for code in numbers.codes.iter_mut().skip(i).step_by(width) {
                    *code = renumbered[usize::from(*code)];
                }
            }
        }
        let of = |column: Option<NumberColumn<'_>>| column.map_or_else(Vec::new, |c| c.numbers);
        numbers.rewards = of(self.reward);
        numbers.utilities = of(self.utility);
        numbers.scores = of(self.score);
        numbers.levels = coded.into_iter().map(|coded| coded.levels).collect();
        numbers
    }
}

/// A cell that should be a number: its row, its slot and its column's name.
struct NumberCell<'r>(&'r TableRow, &'r TableRows, usize, &'r str);

impl NumberCell<'_> {
    /// The number that it states, where that is one of the range.
    fn number(&self, span: Span, decimals: &mut Decimals) -> Option<f64> {
        let found = decimals.number(self.0.cell(self.2)?, self.2, self.0.line);
        found.filter(|number| span.holds(*number))
    }

    /// Whether it states a number, or one of two.
    fn is_stated(&self, decimals: &mut Decimals) -> bool {
        let is_number = |cell| decimals.number(cell, self.2, self.0.line).is_some();
        let cell = self.0.cell(self.2);
        cell.is_some_and(is_number) || self.both().is_some()
    }

    /// The two numbers of which a cell states one.
    fn both(&self) -> Option<[String; 2]> {
        pointed(self.0.cell(self.2)?, self.1.delimiter()?).err()
    }

    /// Notes that it states none; `help` makes the advice of how to leave the row out.
    fn refuse(
        &self,
        role: CellRole,
        span: Span,
        tally: &mut ProblemTally,
        help: impl FnOnce(&str) -> String,
    ) {
        let Self(row, rows, slot, column) = *self;
        let kind = ProblemKind::Cell(slot, role);
        let at = At::cell(row.line, rows.field(slot));
        let cell = row.cell(slot);
        if let (Some(cell), Some(both)) = (cell, self.both()) {
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
                    let stated = stated.filter(|_| rows.delimiter().is_some());
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

/// Whether a cell says that the number is not known.
fn is_unknown(cell: &str) -> bool {
    const WORDS: [&str; 14] = [
        "", "na", "n/a", "n.a.", "nan", "null", "none", "-", "--", ".", "?", "k.a.", "k. a.", "nd",
    ];
    WORDS.contains(&&*fold(cell))
}

fn leave_out(column: &str, cell: &str) -> String {
    let filter = format!("{} != {}", spelt(column), quoted(cell));
    format!("leave those rows out with where = [{filter:?}]")
}
