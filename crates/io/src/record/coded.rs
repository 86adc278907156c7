//! The values that the cells of a column give, and why a cell gives none.

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
