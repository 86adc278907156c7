//! The use that a run makes of a column of separated text.

/// The use that a run makes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnUse {
    /// No use: the column is not read.
    None,
    /// Its cells are texts.
    Text,
    /// Its cells must state numbers, which may have a decimal comma.
    Number,
}
