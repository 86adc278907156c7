//! The distinct cells of a column, numbered as they are met.

use std::collections::BTreeMap;

use super::cell::number;
use super::fold::{fold, tidy};

/// The values of an attribute, and where `Distinct` numbered them as it met them, each number's
/// final one.
pub(crate) struct Coded {
    pub(crate) levels: Vec<String>,
    pub(crate) renumbered: Option<Vec<u16>>,
}

impl Coded {
    /// Gives numbers as they were met, row by row with one for each attribute, their final values.
    pub(crate) fn renumber(attributes: &[Self], codes: &mut [u16]) {
        for (i, coded) in attributes.iter().enumerate() {
            let Some(renumbered) = &coded.renumbered else {
                continue;
            };
            for code in codes.iter_mut().skip(i).step_by(attributes.len()) {
                *code = renumbered[usize::from(*code)];
            }
        }
    }
}

/// The reason why a cell has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellRefusal {
    Unlisted,
    NotANumber,
    OutsideBands,
    Empty,
    TooMany,
}

/// The spellings found in a column, and the values that they give.
pub(crate) struct Met {
    /// The value's number and the count of cells, by spelling.
    spellings: BTreeMap<String, Spelling>,
    /// The value's number by folded spelling; `None` where each spelling is a value of its own.
    folded: Option<BTreeMap<String, u16>>,
    values: usize,
}

struct Spelling {
    code: u16,
    cells: u64,
    /// The number of spellings found before it.
    nth: usize,
}

impl Met {
    /// Cells that differ by case, blanks or Unicode form alone give one value.
    pub(super) fn folding() -> Self {
        Self {
            folded: Some(BTreeMap::new()),
            ..Self::spelt()
        }
    }

    /// Each spelling gives a value of its own.
    pub(super) fn spelt() -> Self {
        Self {
            spellings: BTreeMap::new(),
            folded: None,
            values: 0,
        }
    }

    /// The number of the cell's value.
    pub(super) fn code(&mut self, cell: &str) -> Result<u16, CellRefusal> {
        if let Some(spelling) = self.spellings.get_mut(cell) {
            spelling.cells += 1;
            return Ok(spelling.code);
        }
        let folded = self.folded.as_ref().map(|_| fold(cell));
        if folded.as_deref().unwrap_or(cell).is_empty() {
            return Err(CellRefusal::Empty);
        }
        let known = self.folded.as_ref().zip(folded.as_ref());
        let known = known.and_then(|(met, folded)| met.get(folded).copied());
        let code = match known {
            Some(code) => code,
            None => u16::try_from(self.values).map_err(|_| CellRefusal::TooMany)?,
        };
        if known.is_none() {
            self.values += 1;
            if let (Some(met), Some(folded)) = (&mut self.folded, folded) {
                met.insert(folded, code);
            }
        }
        let spelling = Spelling {
            code,
            cells: 1,
            nth: self.spellings.len(),
        };
        self.spellings.insert(cell.to_owned(), spelling);
        Ok(code)
    }

    /// The values, by size where all are numbers, else by text.
    pub(super) fn finish(self) -> Coded {
        let names = self.names();
        let sizes: Option<Vec<f64>> = names.keys().map(|name| number(name)).collect();
        let mut order: Vec<(usize, (String, u16))> = names.into_iter().enumerate().collect();
        if let Some(sizes) = sizes {
            // Stable, so that `1` and `1.0` keep the order of their texts.
            order.sort_by(|(a, _), (b, _)| sizes[*a].total_cmp(&sizes[*b]));
        }
        let mut renumbered = vec![0; order.len()];
        let levels = (0..=u16::MAX).zip(order).map(|(code, (_, (name, met)))| {
            renumbered[usize::from(met)] = code;
            name
        });
        Coded {
            levels: levels.collect(),
            renumbered: Some(renumbered),
        }
    }

    /// The name of each value, with its number: its spelling in most cells, of those in as many the
    /// first.
    fn names(self) -> BTreeMap<String, u16> {
        let is_folding = self.folded.is_some();
        if !is_folding {
            let names = self.spellings.into_iter();
            return names
                .map(|(cell, spelling)| (cell, spelling.code))
                .collect();
        }
        let mut tidied: BTreeMap<String, Spelling> = BTreeMap::new();
        for (cell, met) in self.spellings {
            let name = tidy(&cell).into_owned();
            match tidied.get_mut(&name) {
                Some(known) => {
                    known.cells += met.cells;
                    known.nth = known.nth.min(met.nth);
                }
                None => _ = tidied.insert(name, met),
            }
        }
        let mut best: Vec<Option<(String, Spelling)>> = (0..self.values).map(|_| None).collect();
        for (name, met) in tidied {
            let known = &mut best[usize::from(met.code)];
            let is_better = known
                .as_ref()
                .is_none_or(|(_, known)| (met.cells, known.nth) > (known.cells, met.nth));
            if is_better {
                *known = Some((name, met));
            }
        }
        let best = best.into_iter().flatten();
        best.map(|(name, met)| (name, met.code)).collect()
    }
}
