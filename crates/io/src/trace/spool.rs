//! A list of values that moves from memory to a temporary file beyond a bound.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A list of values whose memory is bounded.
///
/// The first values stay as they are. Those beyond the bound go to a temporary file as lines of
/// JSON, and are parsed again when the list is read.
pub(super) struct Spool<T> {
    kept: Vec<T>,
    /// Bytes that may still be kept in memory.
    left: usize,
    file: Option<BufWriter<File>>,
    /// The first error of the file; the list can then not be read.
    failed: io::Result<()>,
}

impl<T: Serialize + DeserializeOwned> Spool<T> {
    /// Creates an empty list that keeps about `most` bytes in memory.
    pub(super) fn new(most: usize) -> Self {
        Self {
            kept: Vec::new(),
            left: most,
            file: None,
            failed: Ok(()),
        }
    }

    /// Adds a value that takes about `bytes` of memory.
    pub(super) fn push(&mut self, value: T, bytes: usize) {
        if self.file.is_none() && bytes <= self.left {
            self.left -= bytes;
            self.kept.push(value);
        } else if self.failed.is_ok() {
            self.failed = self.spill(&value);
        }
    }

    fn spill(&mut self, value: &T) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        serde_json::to_writer(&mut *file, value)?;
        file.write_all(b"\n")
    }

    /// Returns the values in the order in which they were added.
    ///
    /// # Errors
    /// Where the temporary file could not be written.
    pub(super) fn read(self) -> io::Result<impl Iterator<Item = io::Result<T>>> {
        self.failed?;
        let spilled = self.file.map(|file| {
            let mut file = file.into_inner()?;
            file.rewind()?;
            Ok::<_, io::Error>(BufReader::new(file).lines())
        });
        let spilled = spilled.transpose()?.into_iter().flatten();
        let spilled = spilled.map(|line| Ok(serde_json::from_str(&line?)?));
        Ok(self.kept.into_iter().map(Ok).chain(spilled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_stays_whatever_the_bound() {
        let values = [3, 1, 2, 5, 4].map(|n| (n, f64::from(n) / 7.0));
        for most in [0, 1, 30, 1000] {
            let mut spool = Spool::new(most);
            values.iter().for_each(|value| spool.push(*value, 10));
            assert_eq!(spool.file.is_some(), most < 50);
            let read: io::Result<Vec<(i32, f64)>> = spool.read().unwrap().collect();
            assert_eq!(read.unwrap(), values);
        }
    }
}
