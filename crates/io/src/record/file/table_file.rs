//! The open file of a table: its rows as UTF-8 text, whatever its format.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use super::encoding::{Encoding, Letters};
use super::how::{Form, How, ReadAs};
use super::load_error::LoadError;
use super::rows::records;
use super::{array, lines, separator, workbook};
use crate::limits::MOST_TABLE_BYTES;
use kleroterion_core::nearest::nearest;

/// The bytes that are looked at to recognise the mark between fields.
pub(super) const HEAD: usize = 1 << 16;

/// An open file of a table, as rows of UTF-8 text.
pub struct TableFile {
    /// The format recognised in the file.
    pub read_as: ReadAs,
    /// The number of the text's first line, from 1.
    pub first_line: u64,
    /// The separator recognised from the rows, if the user named another one.
    pub recognised: Option<u8>,
    pub(super) text: Text,
}

/// The text of a table.
pub(super) enum Text {
    File(File),
    Held(Cursor<Vec<u8>>),
    Shared(Cursor<Arc<[u8]>>),
}

impl TableFile {
    /// Opens a file, or the table in memory that is to be read in its place.
    ///
    /// # Errors
    /// Where there is no file, it can't be read, is no text and no workbook, or lacks the sheet.
    pub fn open(path: &Path, how: &How) -> Result<Self, LoadError> {
        if let Some(table) = &how.held {
            return table.open(path, how);
        }
        let mut file = open(path)?;
        let is_file = file.metadata().is_ok_and(|data| data.is_file());
        let mut head = Vec::new();
        let read = Read::by_ref(&mut file)
            .take(HEAD as u64)
            .read_to_end(&mut head);
        read.map_err(|error| unread(path, &error))?;
        if workbook::is_workbook(&head) {
            return Self::workbook(path, hold(path, file, head)?, how);
        }
        no_sheet(path, how)?;
        let is_whole = Encoding::of(&head) == Encoding::Utf16
            || array::is_array(&head)
            || lines::end_with_returns(&head);
        if !is_file || is_whole {
            return Self::held(path, hold(path, file, head)?, how);
        }
        if all_utf8(path, &mut file, &head)? {
            Ok(Self::streamed(file, &head, how))
        } else {
            file.rewind().map_err(|error| unread(path, &error))?;
            Self::held(path, hold(path, file, Vec::new())?, how)
        }
    }

    /// Opens the bytes of a file; `path` is its place in problems.
    ///
    /// # Errors
    /// Where they are no text and no workbook, or lack the sheet.
    pub fn of(path: &Path, bytes: Vec<u8>, how: &How) -> Result<Self, LoadError> {
        if workbook::is_workbook(&bytes) {
            return Self::workbook(path, bytes, how);
        }
        no_sheet(path, how)?;
        Self::held(path, bytes, how)
    }

    /// A sheet of a workbook.
    fn workbook(path: &Path, bytes: Vec<u8>, how: &How) -> Result<Self, LoadError> {
        let sheet = workbook::read(bytes, how.sheet.as_deref()).map_err(|(what, help)| {
            LoadError::unopened(path, io::ErrorKind::InvalidData, &what, &help)
        })?;
        let delimiter = workbook::DELIMITER;
        Ok(Self {
            read_as: ReadAs {
                form: Form::Separated { delimiter },
                encoding: Encoding::Utf8,
                sheet: Some((sheet.name, sheet.others)),
            },
            first_line: 1,
            recognised: None,
            text: Text::Held(Cursor::new(sheet.text)),
        })
    }

    /// Text that is held in memory: what is not UTF-8, an array, or can't be read twice.
    fn held(path: &Path, bytes: Vec<u8>, how: &How) -> Result<Self, LoadError> {
        let encoding = Encoding::of(&bytes);
        let bytes = encoding.to_utf8(bytes);
        if bytes.contains(&0) {
            return Err(no_text(path));
        }
        let mut bytes = match array::is_array(&bytes) {
            true => array::lines(path, &bytes)?,
            false => bytes,
        };
        if lines::end_with_returns(&bytes) {
            lines::feed(&mut bytes);
        }
        let head = &bytes[..bytes.len().min(HEAD)];
        let layout = Layout::of(head, head.len() == bytes.len(), how);
        let mut text = Cursor::new(bytes);
        text.set_position(layout.skipped);
        Ok(layout.opened(encoding, Text::Held(text)))
    }

    /// Text in UTF-8 that is read from the file as it goes.
    fn streamed(mut file: File, head: &[u8], how: &How) -> Self {
        let layout = Layout::of(head, head.len() < HEAD, how);
        // A file that was read through can be read anew.
        let _ = file.seek(io::SeekFrom::Start(layout.skipped));
        layout.opened(Encoding::Utf8, Text::File(file))
    }

    /// Returns the same table as separated text. Records become rows under a header, each on its
    /// own line.
    ///
    /// # Errors
    /// Where the text can't be read, or a line is no record.
    pub fn separated(mut self, path: &Path) -> Result<Self, LoadError> {
        if self.read_as.form != Form::Records {
            return Ok(self);
        }
        let mut text = Vec::new();
        let read = Read::by_ref(&mut self)
            .take(MOST_TABLE_BYTES)
            .read_to_end(&mut text);
        read.map_err(|error| unread(path, &error))?;
        let mut rows = Vec::with_capacity(text.len());
        let mut line = 0;
        for row in records(path, &text, &mut Vec::new())? {
            rows.resize(rows.len() + row.line.saturating_sub(line) as usize, b'\n');
            workbook::write(&row.cells, &mut rows);
            line = row.line + 1;
        }
        let delimiter = workbook::DELIMITER;
        self.read_as.form = Form::Separated { delimiter };
        self.first_line = 0;
        self.text = Text::Held(Cursor::new(rows));
        Ok(self)
    }

    /// Returns the byte between fields, or `None` if the rows are records.
    #[must_use]
    pub fn delimiter(&self) -> Option<u8> {
        match self.read_as.form {
            Form::Separated { delimiter } => Some(delimiter),
            Form::Records => None,
        }
    }
}

impl Read for TableFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.text {
            Text::File(file) => file.read(buffer),
            Text::Held(text) => text.read(buffer),
            Text::Shared(text) => text.read(buffer),
        }
    }
}

/// The layout of rows, as the first bytes of a text show it.
struct Layout {
    form: Form,
    recognised: Option<u8>,
    /// Bytes of a first line that only declares the mark.
    skipped: u64,
}

impl Layout {
    fn of(head: &[u8], is_whole: bool, how: &How) -> Self {
        let bare = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let begins = bare.trim_ascii_start().starts_with(b"{");
        if how.records || how.delimiter.is_none() && begins {
            return Self {
                form: Form::Records,
                recognised: None,
                skipped: 0,
            };
        }
        let declared = separator::declared(head);
        let skipped = declared.map_or(0, |(_, length)| length);
        let recognised = match declared {
            Some((mark, _)) => Some(mark),
            None => separator::separator(head, is_whole),
        };
        let delimiter = how.delimiter.or(recognised).unwrap_or(b',');
        Self {
            form: Form::Separated { delimiter },
            recognised: recognised.filter(|mark| *mark != delimiter),
            skipped: skipped as u64,
        }
    }

    fn opened(self, encoding: Encoding, text: Text) -> TableFile {
        TableFile {
            read_as: ReadAs {
                form: self.form,
                encoding,
                sheet: None,
            },
            first_line: 1 + u64::from(self.skipped > 0),
            recognised: self.recognised,
            text,
        }
    }
}

/// Refuses a sheet of a file that is no workbook.
fn no_sheet(path: &Path, how: &How) -> Result<(), LoadError> {
    let Some(sheet) = &how.sheet else {
        return Ok(());
    };
    let what = format!("the file is no workbook, and has no sheet `{sheet}`");
    let kind = io::ErrorKind::InvalidInput;
    let help = "leave out the sheet";
    Err(LoadError::unopened(path, kind, &what, help))
}

/// Opens a file to read.
fn open(path: &Path) -> Result<File, LoadError> {
    if path.is_dir() {
        let kind = io::ErrorKind::IsADirectory;
        let what = "this is a folder and not a file";
        return Err(LoadError::unopened(path, kind, what, "name a file in it"));
    }
    File::open(path).map_err(|error| match error.kind() {
        kind @ io::ErrorKind::NotFound => {
            LoadError::unopened(path, kind, "the file cannot be found", &missing(path))
        }
        kind => {
            let help = match kind {
                io::ErrorKind::PermissionDenied => "make the file readable for this user",
                _ => "check that it is a file, and the medium it is on",
            };
            let what = format!("the file cannot be opened: {error}");
            LoadError::unopened(path, kind, &what, help)
        }
    })
}

/// The advice for a file that is not there: one in the same folder whose name is near, else where a
/// path starts.
fn missing(path: &Path) -> String {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let files = folder.unwrap_or(Path::new(".")).read_dir();
    let names = files.into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let name = path.file_name().and_then(|name| name.to_str());
    let near = name.and_then(|name| nearest(name, names.iter().map(String::as_str)));
    match near {
        Some(near) => format!("did you mean {}?", path.with_file_name(near).display()),
        None => "correct the path; it starts at the folder in which klero runs".to_owned(),
    }
}

/// All bytes of a file, of which some were read.
fn hold(path: &Path, file: File, mut bytes: Vec<u8>) -> Result<Vec<u8>, LoadError> {
    let mut rest = file.take((MOST_TABLE_BYTES + 1).saturating_sub(bytes.len() as u64));
    rest.read_to_end(&mut bytes)
        .map_err(|error| unread(path, &error))?;
    if bytes.len() as u64 <= MOST_TABLE_BYTES {
        return Ok(bytes);
    }
    let what = format!(
        "the file is larger than {} MiB, and no CSV or JSON lines in UTF-8",
        MOST_TABLE_BYTES >> 20
    );
    let help = "save it as CSV UTF-8, which is read piece by piece";
    Err(LoadError::unopened(
        path,
        io::ErrorKind::FileTooLarge,
        &what,
        help,
    ))
}

/// Returns true if a file is UTF-8 to its end, except for single damaged cells. `head` is the part
/// that was read already.
fn all_utf8(path: &Path, file: &mut File, head: &[u8]) -> Result<bool, LoadError> {
    let mut letters = Letters::default();
    letters.count(head);
    if head.contains(&0) {
        return Err(no_text(path));
    }
    let mut piece = vec![0; HEAD];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(letters.are_utf8()),
            Ok(read) => letters.count(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // The reader of the rows says where.
            Err(_) => return Ok(true),
        }
    }
}

pub(super) fn unread(path: &Path, error: &io::Error) -> LoadError {
    let what = format!("the file cannot be read: {error}");
    LoadError::unopened(
        path,
        error.kind(),
        &what,
        "name a file that this user may read",
    )
}

fn no_text(path: &Path) -> LoadError {
    let help = "name a file of separated text, of JSON records or a workbook";
    let what = "this is no text";
    LoadError::unopened(path, io::ErrorKind::InvalidData, what, help)
}
