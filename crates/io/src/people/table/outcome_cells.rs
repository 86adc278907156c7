//! Cells of a column of outcomes that are words or codes: the numbers that they count as.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::fold;

/// The outcomes that a config gives to cells. Case, blanks and Unicode form make no difference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutcomeCells {
    values: BTreeMap<String, f64>,
    missing: BTreeSet<String>,
}

/// The outcome that a cell states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OutcomeCell {
    /// An outcome that never comes.
    Missing,
    /// The number that the config gives it.
    Number(f64),
    /// The number written in the cell, if it is one.
    Itself,
    /// None: the config lists the allowed cells, and this is not one of them.
    Unlisted,
}

impl OutcomeCells {
    /// Cells with the number that each counts as, and cells of outcomes that never come.
    #[must_use]
    pub fn new(
        values: impl IntoIterator<Item = (String, f64)>,
        missing: impl IntoIterator<Item = String>,
    ) -> Self {
        let folded = |(cell, number): (String, f64)| (fold(&cell), number);
        Self {
            values: values.into_iter().map(folded).collect(),
            missing: missing.into_iter().map(|cell| fold(&cell)).collect(),
        }
    }

    /// Returns the outcome that a cell states. A blank cell is an outcome that never comes.
    pub(super) fn read(&self, cell: &str) -> OutcomeCell {
        let folded = fold(cell);
        match self.values.get(&folded) {
            _ if folded.is_empty() || self.missing.contains(&folded) => OutcomeCell::Missing,
            Some(number) => OutcomeCell::Number(*number),
            None if self.values.is_empty() => OutcomeCell::Itself,
            None => OutcomeCell::Unlisted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_the_config_lists_them() {
        let listed = [("Ja".to_owned(), 1.0), ("nein".into(), 0.0)];
        let words = OutcomeCells::new(listed, ["k. A.".to_owned()]);
        for (cell, due) in [
            ("ja", OutcomeCell::Number(1.0)),
            ("NEIN ", OutcomeCell::Number(0.0)),
            ("K. a.", OutcomeCell::Missing),
            ("", OutcomeCell::Missing),
            ("vielleicht", OutcomeCell::Unlisted),
            ("1", OutcomeCell::Unlisted),
        ] {
            assert_eq!(words.read(cell), due, "{cell}");
        }
        let numbers = OutcomeCells::new([], ["NA".to_owned()]);
        assert_eq!(numbers.read("0.5"), OutcomeCell::Itself);
        assert_eq!(numbers.read("na"), OutcomeCell::Missing);
        assert_eq!(OutcomeCells::default().read("NA"), OutcomeCell::Itself);
    }
}
