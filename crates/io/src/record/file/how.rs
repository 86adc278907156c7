//! The way in which a table is opened, and the format that was recognised in it.

use super::encoding::Encoding;
use super::held::MemoryTable;

/// The options for opening a table. They override the format that is recognised in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// The separator of fields; if `None`, it is recognised from the rows.
    pub delimiter: Option<u8>,
    /// The sheet of a workbook; if `None`, the first visible one.
    pub sheet: Option<String>,
    /// True if the rows are JSON records, whatever the text begins with.
    pub records: bool,
    /// The table to read in place of a file, if a program handed it in.
    pub held: Option<MemoryTable>,
}

impl How {
    /// Returns the options with this separator, or with none given.
    #[must_use]
    pub fn separated(delimiter: Option<u8>) -> Self {
        Self {
            delimiter,
            ..Self::default()
        }
    }
}

/// The layout of a table's rows; separated by commas by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Separated text.
    Separated {
        /// The byte between fields.
        delimiter: u8,
    },
    /// One JSON record per line.
    Records,
}

impl Default for Form {
    fn default() -> Self {
        Self::Separated { delimiter: b',' }
    }
}

/// The format recognised in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadAs {
    /// The layout of its rows.
    pub form: Form,
    /// The encoding of its text.
    pub encoding: Encoding,
    /// The sheet that was read of a workbook, and the names of the other sheets.
    pub sheet: Option<(String, Vec<String>)>,
}

impl ReadAs {
    /// Returns notes on the format that a user may not expect: another encoding than UTF-8, or one
    /// sheet of several.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.encoding != Encoding::Utf8 {
            notes.push(format!("it is read as {}", self.encoding.name()));
        }
        if let Some((sheet, others)) = &self.sheet
            && !others.is_empty()
        {
            let others = others.join(", ");
            notes.push(format!(
                "its sheet `{sheet}` is read; `sheet` names another of {others}"
            ));
        }
        notes
    }
}
