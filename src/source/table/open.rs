//! Opening a file of people, and why it gave no table.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use crate::problem::{Place, Problem, Problems};

/// The reason why a file gave no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// Where the file could not be opened at all, why: for a caller who knows where the file comes
    /// from.
    pub unopened: Option<io::ErrorKind>,
    /// All that is wrong.
    pub problems: Problems,
    /// Attributes whose `values` are written the wrong way round, and the problem among
    /// [`LoadError::problems`] that says so: a caller who knows where they are written can say it
    /// there.
    pub reversed: Vec<(String, Problem)>,
}

/// Opens a file to read.
pub(super) fn open(path: &Path) -> Result<File, LoadError> {
    let refuse = |kind, what: String, help: Option<&str>| {
        let place = Place::File {
            path: path.to_owned(),
            line: None,
            column: None,
        };
        let mut problem = Problem::new(place, what);
        problem.help = help.map(str::to_owned);
        LoadError {
            unopened: Some(kind),
            problems: problem.into(),
            reversed: Vec::new(),
        }
    };
    if path.is_dir() {
        let kind = io::ErrorKind::IsADirectory;
        return Err(refuse(
            kind,
            "this is a folder and not a file".into(),
            Some("name a file in it"),
        ));
    }
    let file = File::open(path).map_err(|error| match error.kind() {
        kind @ io::ErrorKind::NotFound => refuse(kind, "the file cannot be found".into(), None),
        kind => {
            let help = match kind {
                io::ErrorKind::PermissionDenied => "make the file readable for this user",
                _ => "check that it is a file, and the medium it is on",
            };
            refuse(
                kind,
                format!("the file cannot be opened: {error}"),
                Some(help),
            )
        }
    })?;
    if is_workbook(&file) {
        return Err(refuse(
            io::ErrorKind::InvalidData,
            "the file is in a spreadsheet's own format (Excel, OpenDocument), not text".into(),
            Some("open it in the spreadsheet, save the sheet as CSV UTF-8, and name that file"),
        ));
    }
    Ok(file)
}

/// Whether a file begins as workbooks do: as a zip archive, or as the older format of Excel. What
/// can't be read twice is none.
fn is_workbook(mut file: &File) -> bool {
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return false;
    }
    let mut first = [0; 4];
    let read = file.read_exact(&mut first).is_ok();
    file.rewind().is_ok() && read && matches!(&first, b"PK\x03\x04" | b"\xd0\xcf\x11\xe0")
}

impl From<Problems> for LoadError {
    fn from(problems: Problems) -> Self {
        Self {
            unopened: None,
            problems,
            reversed: Vec::new(),
        }
    }
}

impl From<LoadError> for Problems {
    fn from(error: LoadError) -> Self {
        error.problems
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems.fmt(f)
    }
}

impl std::error::Error for LoadError {}
