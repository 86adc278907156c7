//! The formats in which people are written as text.

/// The format of records: the same for files and for feeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Codec {
    /// One JSON object per line: a candidate record or a flat one, alone or as `data` of a
    /// CloudEvents envelope. A column is looked up among the object's members, then in its
    /// `groups`, then in its `features`. Numbers keep their letters; texts are not trimmed; `null`
    /// counts as no member; blank lines are skipped.
    #[default]
    Json,
    /// Separated text (RFC 4180, UTF-8 with or without a byte order mark). Cells are trimmed of
    /// blanks, in quotes or not; quotes count only right after the delimiter, and text after a
    /// closing one is refused; blank lines are skipped.
    Csv {
        /// The byte between fields, in ASCII.
        delimiter: u8,
        /// The names of the columns. If `None`, the first row of each file, connection or request
        /// names them.
        columns: Option<Vec<String>>,
    },
}
