//! The constraints of a panel, as rows of a program.

use crate::{AlikeHomes, PanelKinds};

/// A row of a program: the sum of some variables times coefficients lies between two bounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProgramRow {
    /// The variables and their coefficients.
    pub terms: Vec<(usize, f64)>,
    /// The lower bound of the sum.
    pub min: f64,
    /// The upper bound of the sum.
    pub max: f64,
}

impl ProgramRow {
    fn of_ones(variables: impl Iterator<Item = usize>, [min, max]: [u32; 2]) -> Self {
        Self {
            terms: variables.map(|variable| (variable, 1.0)).collect(),
            min: f64::from(min),
            max: f64::from(max),
        }
    }
}

/// The rows of a panel: its size and the bounds of each value.
pub(crate) fn value_rows(kinds: &PanelKinds) -> Vec<ProgramRow> {
    let all = kinds.kinds();
    let members = kinds.members();
    let mut rows = vec![ProgramRow::of_ones(0..all.len(), [members, members])];
    rows.extend(kinds.bounds().iter().enumerate().map(|(row, bound)| {
        let counted = (0..all.len()).filter(|&kind| all[kind].bounds.contains(&row));
        ProgramRow::of_ones(counted, [bound.min, bound.max])
    }));
    rows
}

/// The row of households that are alike.
pub(crate) fn home_row(homes: &AlikeHomes) -> ProgramRow {
    ProgramRow::of_ones(homes.kinds.clone(), [0, homes.count])
}
