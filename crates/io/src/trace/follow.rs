//! The file of decisions of a live run. It gets a line once all lanes have decided a round.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::SpooledTempFile;

use super::decision::Event;
use crate::limits::{MOST_LAST_BYTES, MOST_LOG_MEMORY};
use crate::record::own_file_as_it_is;

/// Writes decisions as they come, each exactly once.
///
/// A run that is taken up again decides from its first round on what it had decided: as long as
/// its lines are those that are there, they stay. From the first that differs on (another policy
/// has joined, the last line was cut off) the file is written anew, once all of its rounds are
/// decided and confirmed, or a further one is: a run that is not taken up in the end leaves it as
/// it was.
#[derive(Debug)]
pub struct DecisionsFile {
    /// The earlier run's lines that have not been compared yet; `None` after the first difference.
    before: Option<BufReader<File>>,
    /// The last round in the earlier run's file.
    last: u64,
    /// The last round of which a decision was taken.
    round: u64,
    /// The new lines that will replace those of the earlier run.
    held: Option<SpooledTempFile>,
    file: File,
    /// The position up to which the file is known to be right.
    right: u64,
    /// The lines that are not written to the file yet.
    lines: Vec<u8>,
}

/// Returns the round of the last whole line of a file, or 0 if there is none.
fn last_round(file: &mut File) -> io::Result<u64> {
    let end = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(end.saturating_sub(MOST_LAST_BYTES)))?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    file.rewind()?;
    let lines = text.split(|byte| *byte == b'\n').rev();
    let mut events = lines.filter_map(|line| str::from_utf8(line).ok()?.parse::<Event>().ok());
    Ok(events.next().map_or(0, |event| event.decision.round))
}

impl DecisionsFile {
    /// Opens the file at a path, readable by its user only. Lines that are decided again in the
    /// same way stay.
    ///
    /// # Errors
    /// Where it can't be opened or read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = own_file_as_it_is(path)?;
        let mut before = File::open(path)?;
        Ok(Self {
            last: last_round(&mut before)?,
            before: Some(BufReader::new(before)),
            round: 0,
            held: None,
            file,
            right: 0,
            lines: Vec::new(),
        })
    }

    /// Adds decisions, in order, and writes them to the file. `confirmed` is the last round up to
    /// which the journal confirms the replayed decisions.
    ///
    /// # Errors
    /// Where the file can't be read or written.
    pub fn take<'a>(
        &mut self,
        events: impl IntoIterator<Item = &'a Event>,
        confirmed: u64,
    ) -> io::Result<()> {
        for event in events {
            self.round = event.decision.round;
            let start = self.lines.len();
            serde_json::to_writer(&mut self.lines, event)?;
            self.lines.push(b'\n');
            if self.is_there(start)? {
                self.lines.truncate(start);
            }
        }
        // Whole lines at once, so that who reads meets a part of one hardly ever.
        match &mut self.held {
            Some(held) => held.write_all(&self.lines)?,
            None => self.file.write_all(&self.lines)?,
        }
        self.lines.clear();
        let is_whole = self.round.min(confirmed) >= self.last;
        if (is_whole || self.round > self.last)
            && let Some(mut held) = self.held.take()
        {
            self.file.set_len(self.right)?;
            self.file.seek(SeekFrom::Start(self.right))?;
            held.rewind()?;
            io::copy(&mut held, &mut self.file)?;
        }
        Ok(())
    }

    /// Returns true if the line from `start` on equals the next line of the file of the earlier
    /// run. From the first line that differs, lines are held back.
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
        match line.is_empty() {
            true => _ = self.file.seek(SeekFrom::Start(self.right))?,
            false => self.held = Some(SpooledTempFile::new(MOST_LOG_MEMORY)),
        }
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
                let known = last_round(&mut File::open(&path).unwrap()).unwrap() as usize;
                for chunk in all.chunks(step) {
                    file.take(chunk, 0).unwrap();
                    let now = std::fs::read_to_string(&path).unwrap();
                    let last = chunk.last().unwrap().seq as usize;
                    let is_new = last >= known || now.starts_with(&lines(&all[..=last]));
                    let due = if is_new {
                        &lines(&all[..=last])
                    } else {
                        &before
                    };
                    assert!(now.starts_with(due), "{before:?} {step}");
                }
                file.take([], 5).unwrap();
                let now = std::fs::read_to_string(&path).unwrap();
                assert_eq!(now, whole, "{before:?} {step}");
                file.take([&event(5, "a")], 5).unwrap();
                let now = std::fs::read_to_string(&path).unwrap();
                let due = whole.clone() + &lines(&[event(5, "a")]);
                assert_eq!(now, due, "{before:?} {step}");
            }
        }
    }
}
