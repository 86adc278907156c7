//! Values of a column, and the comparison of cells with them.

use std::str::FromStr;

use kleroterion_io::record::decimal::bounded;

/// A choice of cells in a column: `race7=0`, `c9=A92,A95`. A cell equals a value as a text or as a
/// number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellChoice {
    /// The column.
    pub column: String,
    /// The values; empty if only a column is named.
    pub values: Vec<String>,
}

impl FromStr for CellChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (column, values) = match text.split_once('=') {
            Some((column, values)) => (column, values.split(',').map(str::trim).collect()),
            None => (text, Vec::new()),
        };
        if column.trim().is_empty() || values.contains(&"") {
            return Err("expected COLUMN, COLUMN=VALUE or COLUMN=VALUE,VALUE".into());
        }
        Ok(Self {
            column: column.trim().to_owned(),
            values: values.into_iter().map(str::to_owned).collect(),
        })
    }
}

impl std::fmt::Display for CellChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.values.as_slice() {
            [] => f.write_str(&self.column),
            values => write!(f, "{}={}", self.column, values.join(",")),
        }
    }
}

impl CellChoice {
    pub(super) fn holds(&self, cell: &str, delimiter: u8) -> bool {
        holds(&self.values, cell, delimiter)
    }
}

/// Returns true if a cell of separated text equals one of these values, as a text or as a number.
pub(super) fn holds(values: &[String], cell: &str, delimiter: u8) -> bool {
    let number = |text: &str| bounded(text, delimiter).ok();
    let known = number(cell);
    values
        .iter()
        .any(|value| value == cell || known.is_some() && number(value) == known)
}
