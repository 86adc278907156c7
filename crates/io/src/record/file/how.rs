//! The way in which a table is opened, and the format that was recognised in it.

use super::encoding::Encoding;

/// The largest file that is read whole, in bytes. Larger ones are read piece by piece, and have to
/// be in UTF-8.
pub const LARGEST: u64 = 1 << 28;

/// The options by which a table is opened, as far as a user says more than the file does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// The mark between fields; else the one by which the rows are alike.
    pub delimiter: Option<u8>,
    /// The sheet of a workbook; else the first that people see.
    pub sheet: Option<String>,
    /// `true` where the rows are JSON records, whatever the text begins with.
    pub records: bool,
}

impl How {
    /// The options of a user who names the mark between fields, or nothing.
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
    /// A JSON record a line.
    Records,
}

impl Default for Form {
    fn default() -> Self {
        Self::Separated { delimiter: b',' }
    }
}

/// The facts recognised of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadAs {
    /// The layout of its rows.
    pub form: Form,
    /// The encoding of its text.
    pub encoding: Encoding,
    /// The sheet that was read of a workbook, and the names of those that were not.
    pub sheet: Option<(String, Vec<String>)>,
}

impl ReadAs {
    /// Sentences on what a user may not expect: another encoding than UTF-8, one sheet of several.
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
