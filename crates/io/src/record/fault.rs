//! The faults of rows and records, without their places in a file.

/// A kind of fault. Problems are counted by kind, so that many of one kind do not hide another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The bytes can't be read.
    Reading,
    /// The header is wrong.
    Columns,
    /// A row has too few or too many fields.
    Fields,
    /// A quote is not closed, or is in the middle of a cell.
    Quotes,
    /// The text is in another encoding.
    Encoding,
    /// A record is not a JSON object.
    Record,
    /// A member of a record is wrong.
    Member,
}

/// A fault of a JSON record.
#[derive(Clone, Debug)]
pub struct Fault {
    pub(crate) kind: FaultKind,
    /// The character, from 1, where one is known.
    pub(crate) column: Option<u64>,
    pub(crate) what: String,
    pub(crate) help: &'static str,
}

impl Fault {
    /// A fault of one member.
    pub(crate) fn of_member(what: impl Into<String>, help: &'static str) -> Self {
        Self {
            kind: FaultKind::Member,
            column: None,
            what: what.into(),
            help,
        }
    }

    /// The place, the fault and the advice in one line.
    pub(crate) fn line(&self) -> String {
        let Self { what, help, .. } = self;
        match self.column {
            Some(column) => format!("character {column}: {what}; {help}"),
            None => format!("{what}; {help}"),
        }
    }
}
