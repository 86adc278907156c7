//! The file of decisions of a run that goes on: a line as soon as a round is decided by all.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use super::decision::Event;
use crate::record::own_file_as_it_is;

/// Writes decisions as they come, each once.
///
/// A run that is taken up again decides from its first round on what it had decided: as long as
/// its lines are those that are there, they stay. From the first that differs on (another policy
/// has joined, the last line was cut off) the file is written anew.
#[derive(Debug)]
pub struct DecisionsFile {
    /// The lines of before, as far as they were not met again.
    before: Option<BufReader<File>>,
    file: File,
    /// The end of what is known to be right.
    right: u64,
    /// Lines that are not in the file yet.
    lines: Vec<u8>,
}

impl DecisionsFile {
    /// The file at a path, its user's alone; what is in it stays where it is decided again.
    ///
    /// # Errors
    /// Where it can't be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = own_file_as_it_is(path)?;
        let before = Some(BufReader::new(File::open(path)?));
        Ok(Self {
            before,
            file,
            right: 0,
            lines: Vec::new(),
        })
    }

    /// Takes in decisions, in order, and has the file hold them.
    ///
    /// # Errors
    /// Where the file can't be read or written.
    pub fn take<'a>(&mut self, events: impl IntoIterator<Item = &'a Event>) -> io::Result<()> {
        for event in events {
            let start = self.lines.len();
            serde_json::to_writer(&mut self.lines, event)?;
            self.lines.push(b'\n');
            if self.is_there(start)? {
                self.lines.truncate(start);
            }
        }
        // Whole lines at once, so that who reads meets a part of one hardly ever.
        self.file.write_all(&self.lines)?;
        self.lines.clear();
        Ok(())
    }

    /// Whether the line from `start` on is the next of those of before; where it is not, the file
    /// ends before it.
    fn is_there(&mut self, start: usize) -> io::Result<bool> {
        let Some(before) = &mut self.before else {
            return Ok(false);
        };
        let mut line = Vec::new();
        before.read_until(b'\n', &mut line)?;
        if line == self.lines[start..] {
            self.right += line.len() as u64;
            return Ok(true);
        }
        self.before = None;
        self.file.set_len(self.right)?;
        self.file.seek(SeekFrom::Start(self.right))?;
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Decision;
    use super::*;

    fn event(seq: u64, policy: &str) -> Event {
        let decision = Decision {
            round: seq + 1,
            policy: policy.into(),
            ..Decision::default()
        };
        Event::new(seq, decision)
    }

    fn lines(events: &[Event]) -> String {
        events.iter().map(|event| event.to_json() + "\n").collect()
    }

    /// Whatever a run before left behind, its file is that of a run which was never stopped, at
    /// every moment without doubles.
    #[test]
    fn a_file_goes_on_where_it_was_left_and_has_every_line_once() {
        let all: Vec<Event> = (0..5).map(|seq| event(seq, "a")).collect();
        let other: Vec<Event> = (0..5).map(|seq| event(seq, "b")).collect();
        let whole = lines(&all);
        let mid = |events: &[Event]| lines(events).len() - 7;
        let befores = [
            String::new(),
            lines(&all[..2]),
            whole.clone(),
            // Cut off within a line; a line of another run; lines of another run after its own.
            whole[..mid(&all[..3])].to_owned(),
            lines(&other),
            lines(&all[..3]) + &lines(&other[3..]),
            // As a disk without power may leave it; a line of an older version.
            lines(&all[..1]) + &"\0".repeat(700),
            lines(&all[..1]) + &all[1].to_json().replace("\"version\":2,", "") + "\n",
            "\n".to_owned(),
        ];
        for before in befores {
            for step in [1, 2, 5] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("decisions.ndjson");
                std::fs::write(&path, &before).unwrap();
                let mut file = DecisionsFile::open(&path).unwrap();
                for chunk in all.chunks(step) {
                    file.take(chunk).unwrap();
                    let now = std::fs::read_to_string(&path).unwrap();
                    let last = chunk.last().unwrap().seq as usize;
                    assert!(now.starts_with(&lines(&all[..=last])), "{before:?} {step}");
                }
                assert_eq!(
                    std::fs::read_to_string(&path).unwrap(),
                    whole,
                    "{before:?} {step}"
                );
            }
        }
    }
}
