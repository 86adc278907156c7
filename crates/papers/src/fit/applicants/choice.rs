//! Values of a column, and how cells equal them.

use std::str::FromStr;

use kleroterion_io::record::decimal::bounded;

/// Cells of a column that count: `race7=0`, `c9=A92,A95`. Cells equal a value as texts or as
/// numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellChoice {
    /// The column.
    pub column: String,
    /// The values; empty where only a column is named.
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
