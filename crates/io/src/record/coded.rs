//! The values that the cells of a column give, and why a cell gives none.

/// The values of an attribute, and where `Distinct` numbered them as it met them, each number's
/// final one.
pub(crate) struct Coded {
    pub(crate) levels: Vec<String>,
    pub(crate) renumbered: Option<Vec<u16>>,
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
