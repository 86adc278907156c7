//! A file's lines or rows as frames, one after another.

use std::io::Read;

use super::tally::{At, ProblemKind, ProblemTally};
use crate::limits::READ_BYTES;
use crate::record::fault::FaultKind;
use crate::record::file::TableFile;
use crate::record::framing::{Frame, Frames};

/// Reads a file frame by frame, without holding it.
pub(super) struct FileFrames {
    file: TableFile,
    frames: Frames,
    buffer: Vec<u8>,
    /// The bytes of the buffer that are still to be passed.
    from: usize,
    to: usize,
    ended: bool,
}

impl FileFrames {
    /// The rows of a file.
    pub(super) fn new(file: TableFile) -> Self {
        let (delimiter, line) = (file.delimiter(), file.first_line);
        Self {
            file,
            frames: Frames::new(usize::MAX, delimiter, line),
            buffer: vec![0; READ_BYTES],
            from: 0,
            to: 0,
            ended: false,
        }
    }

    /// Moves on to the next frame; false at the end, or where the file cannot be read on, which
    /// is noted.
    pub(super) fn advance(&mut self, tally: &mut ProblemTally) -> bool {
        loop {
            while self.from < self.to {
                let bytes = &self.buffer[self.from..self.to];
                let (passed, given) = self.frames.pass(bytes);
                self.from += passed;
                if given {
                    return true;
                }
            }
            if self.ended {
                return false;
            }
            self.from = 0;
            self.to = self.read(tally);
            if self.to == 0 {
                self.ended = true;
                return self.frames.end();
            }
        }
    }

    /// The frame moved on to.
    pub(super) fn frame(&self) -> Frame<'_> {
        self.frames.frame()
    }

    fn read(&mut self, tally: &mut ProblemTally) -> usize {
        loop {
            match self.file.read(&mut self.buffer) {
                Ok(read) => return read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let at = At::line(self.frames.line());
                    tally.note(ProblemKind::Shape(FaultKind::Reading), at, || {
                        let what = format!("the file cannot be read on from here: {error}");
                        let help = "look to the disk or the connection, then try again";
                        (what, help.into())
                    });
                    return 0;
                }
            }
        }
    }
}
