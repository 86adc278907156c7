//! The numbers in the cells of a table. Separated text may have decimal commas, but a column has
//! only one kind of decimal mark.

use std::collections::BTreeMap;

use super::tally::{At, CellRole, ProblemKind, ProblemTally};
use crate::record::cell::{number, shown};
use crate::record::decimal::{DecimalMark, Thousands, marked};

/// Reads numbers, and remembers by which mark they have decimals.
#[derive(Default)]
pub(super) struct Decimals {
    /// The mark between fields; none of records, whose numbers have points alone.
    pub(super) delimiter: Option<u8>,
    /// The first cell with a point and the first with a comma, each with its line, by slot.
    met: BTreeMap<usize, [Option<(u64, String)>; 2]>,
    /// The evidence that the marks of a slot may separate thousands, by slot. Only for text whose
    /// fields are not separated by commas.
    thousands: BTreeMap<usize, Thousands>,
}

impl Decimals {
    /// A reader of separated text.
    pub(super) fn of_separated(delimiter: u8) -> Self {
        Self {
            delimiter: Some(delimiter),
            ..Self::default()
        }
    }

    /// The finite number that a cell states; none where it may be either of two.
    pub(super) fn number(&mut self, cell: &str, slot: usize, line: u64) -> Option<f64> {
        let Some(delimiter) = self.delimiter else {
            return number(cell);
        };
        if delimiter != b',' {
            self.thousands.entry(slot).or_default().meet(cell);
        }
        if let Some(plain) = number(cell) {
            if cell.contains('.') {
                self.meet(slot, 0, line, cell);
            }
            return Some(plain);
        }
        let (number, mark) = marked(cell)?;
        match mark {
            DecimalMark::Either if delimiter == b',' => return None,
            DecimalMark::None => {}
            DecimalMark::Point => self.meet(slot, 0, line, cell),
            DecimalMark::Comma | DecimalMark::Either => self.meet(slot, 1, line, cell),
        }
        Some(number)
    }

    fn meet(&mut self, slot: usize, mark: usize, line: u64, cell: &str) {
        let met = self.met.entry(slot).or_default();
        if met[mark].is_none() {
            met[mark] = Some((line, cell.to_owned()));
        }
    }

    /// Sentences on columns whose marks no cell tells apart from those between thousands; `names`:
    /// of the slots.
    pub(super) fn unsure(&self, names: &[&str]) -> Vec<String> {
        let said = self.thousands.iter().filter_map(|(slot, thousands)| {
            let said = thousands.said()?;
            Some(format!("`{}`: {said}", names[*slot]))
        });
        said.collect()
    }

    /// Notes columns that have both marks; `column`: the name of a slot and the number of its
    /// field.
    pub(super) fn note<'n>(
        &self,
        column: impl Fn(usize) -> (&'n str, Option<u64>),
        tally: &mut ProblemTally,
    ) {
        for (slot, met) in &self.met {
            let [Some((line, point)), Some((other, comma))] = met else {
                continue;
            };
            let (name, field) = column(*slot);
            let at = At::cell(*line.max(other), field);
            tally.note(ProblemKind::Cell(*slot, CellRole::Marks), at, || {
                let what = format!(
                    "`{name}` has decimal points ({} on line {line}) and decimal commas ({} on \
                     line {other})",
                    shown(point),
                    shown(comma)
                );
                (what, "write all of the column with one of them".into())
            });
        }
    }
}
