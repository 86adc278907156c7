//! `bad.ndjson`: the records that could not be read, as the journal has them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::error::RecorderError;
use kleroterion_io::journal::RefusalEntry;
use kleroterion_io::record::own_file;

/// The file of refused records. A resumed run writes it anew.
#[derive(Debug)]
pub struct BadFile {
    path: PathBuf,
    /// The open file; `None` until the first record is written.
    file: Option<BufWriter<File>>,
    /// True if the file omits the records' content, which may name people.
    pub hidden: bool,
}

impl BadFile {
    /// Creates the file of this path. An existing file is removed.
    ///
    /// # Errors
    /// Fails if the existing file can't be removed.
    pub fn new(path: PathBuf, hidden: bool) -> io::Result<Self> {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let told = format!("{}: {error}", path.display());
                Err(io::Error::new(error.kind(), told))
            }
            _ => Ok(Self {
                path,
                file: None,
                hidden,
            }),
        }
    }

    /// A file that is never written.
    #[must_use]
    pub fn none() -> Self {
        Self {
            path: PathBuf::new(),
            file: None,
            hidden: false,
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// Fails if the file can't be written.
    pub fn write(&mut self, refusal: &RefusalEntry) -> io::Result<()> {
        if self.path.as_os_str().is_empty() {
            return Ok(());
        }
        if self.file.is_none() {
            self.file = Some(BufWriter::new(own_file(&self.path)?));
        }
        if let Some(file) = &mut self.file {
            // One that counts others names nobody.
            if self.hidden && refusal.records == 0 {
                let line = refusal.line;
                let error = "it can't be read; its words are hidden";
                let told = serde_json::json!({ "line": line, "error": error, "record": null });
                serde_json::to_writer(&mut *file, &told)?;
            } else {
                serde_json::to_writer(&mut *file, refusal)?;
            }
            file.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Flushes the written records to the system.
    ///
    /// # Errors
    /// Fails if the file can't be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }

    pub(super) fn error(&self, error: io::Error) -> RecorderError {
        RecorderError::Bad(self.path.clone(), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal() -> RefusalEntry {
        RefusalEntry {
            line: 1,
            error: "it is no JSON".into(),
            record: "x".into(),
            records: 0,
        }
    }

    #[test]
    fn a_file_that_cannot_be_had_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.ndjson");
        std::fs::create_dir(&path).unwrap();
        let error = BadFile::new(path.clone(), false).unwrap_err();
        assert!(error.to_string().contains("bad.ndjson: "), "{error}");
        std::fs::remove_dir(&path).unwrap();
        let mut bad = BadFile::new(path, false).unwrap();
        drop(folder);
        let error = bad.write(&refusal()).unwrap_err();
        let error = bad.error(error).to_string();
        assert!(error.contains("bad.ndjson: "), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_told_with_the_file() {
        // Not by `new`, which would remove it.
        let mut bad = BadFile {
            path: "/dev/full".into(),
            file: None,
            hidden: false,
        };
        bad.write(&refusal()).unwrap();
        let error = bad.flush().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let error = bad.error(error).to_string();
        assert!(error.starts_with("/dev/full: "), "{error}");
        // What is still held would be tried once more.
        bad.file.take().map(BufWriter::into_parts);
    }
}
