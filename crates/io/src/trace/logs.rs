//! Witnesses that keep the decisions of a lane.

use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};

use tempfile::SpooledTempFile;

use super::decision::{Decision, Event};
use super::post::Post;
use crate::limits::MOST_LOG_MEMORY;
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry};
use kleroterion_core::score::Witness;

/// Text that moves from memory to a temporary file beyond a bound.
pub(super) struct Spool {
    text: SpooledTempFile,
    /// The first error of the file; the text can then not be read.
    failed: io::Result<()>,
}

impl Spool {
    /// Creates an empty text of which up to `most` bytes are kept in memory.
    pub(super) fn new(most: usize) -> Self {
        Self {
            text: SpooledTempFile::new(most),
            failed: Ok(()),
        }
    }

    /// Adds to the end of the text.
    pub(super) fn push(&mut self, text: &[u8]) {
        if self.failed.is_ok() {
            self.failed = self.text.write_all(text);
        }
    }

    /// Returns the text, from its start.
    ///
    /// # Errors
    /// Where the temporary file could not be written or read.
    pub(super) fn read(mut self) -> io::Result<SpooledTempFile> {
        self.failed?;
        self.text.rewind()?;
        Ok(self.text)
    }
}

/// The decisions of one lane, in the order of the rounds, kept until all lanes are done; see
/// [`merge_decisions`].
pub struct DecisionLog {
    post: Post,
    /// The decisions, each on a [`line`].
    decisions: Spool,
}

impl DecisionLog {
    /// Creates an empty log.
    #[must_use]
    pub fn new(post: Post) -> Self {
        let decisions = Spool::new(MOST_LOG_MEMORY);
        Self { post, decisions }
    }
}

/// A decision on a line: its round, a blank and its JSON.
fn line(decision: &Decision) -> String {
    let json = serde_json::to_string(decision).expect("a decision is plain data");
    format!("{} {json}\n", decision.round)
}

impl Witness for DecisionLog {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let entries = (0..ledger.rounds()).map(|at| RoundEntry::new(batch, at, ledger, at));
        let lines: String = entries
            .map(|entry| line(&self.post.decision(&entry)))
            .collect();
        self.decisions.push(lines.as_bytes());
    }
}

/// The decisions of one lane that are not merged yet: rounds, and decisions as JSON.
struct Rest {
    lines: io::Lines<BufReader<SpooledTempFile>>,
    next: Option<(u64, String)>,
}

impl Rest {
    fn new(log: DecisionLog) -> io::Result<Self> {
        let lines = BufReader::new(log.decisions.read()?).lines();
        let mut rest = Self { lines, next: None };
        rest.step()?;
        Ok(rest)
    }

    fn step(&mut self) -> io::Result<()> {
        let parts = |line: &str| {
            let (round, json) = line.split_once(' ')?;
            Some((round.parse().ok()?, json.to_owned()))
        };
        let line = self.lines.next().transpose()?;
        let next = line.map(|line| parts(&line).ok_or(io::ErrorKind::InvalidData));
        self.next = next.transpose()?;
        Ok(())
    }

    /// Takes the next decision if it is of this round.
    fn take(&mut self, round: u64) -> io::Result<Option<String>> {
        let taken = self.next.take_if(|(next, _)| *next == round);
        if taken.is_some() {
            self.step()?;
        }
        Ok(taken.map(|(_, decision)| decision))
    }
}
/// Merges the logs of one replication's lanes into lines of `decisions.ndjson`, ordered by round
/// and label. Numbers them from `seq` and returns the next free number.
///
/// # Errors
/// Where a log or `out` fails.
pub fn merge_decisions(
    mut logs: Vec<DecisionLog>,
    mut seq: u64,
    out: &mut dyn Write,
) -> io::Result<u64> {
    logs.sort_by(|a, b| a.post.label.cmp(&b.post.label));
    let mut lanes: Vec<_> = logs.into_iter().map(Rest::new).collect::<io::Result<_>>()?;
    let mut out = BufWriter::new(out);
    while let Some(round) = lanes
        .iter()
        .filter_map(|lane| Some(lane.next.as_ref()?.0))
        .min()
    {
        for lane in &mut lanes {
            if let Some(decision) = lane.take(round)? {
                writeln!(out, "{}", Event::line(seq, &decision))?;
                seq += 1;
            }
        }
    }
    out.flush()?;
    Ok(seq)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log of `label` that decided in these rounds and keeps `most` bytes in memory.
    fn log(label: &str, rounds: impl Iterator<Item = u64>, most: usize) -> DecisionLog {
        let post = Post {
            replication: 2,
            label: label.to_owned(),
            ..Post::default()
        };
        let decisions = Spool::new(most);
        let mut log = DecisionLog { post, decisions };
        for round in rounds {
            let decision = Decision {
                replication: 2,
                round,
                policy: label.to_owned(),
                shown: vec!["ann".into(), format!("\u{e9}\n{round}")],
                chosen: vec!["ann".into()],
                declined: Vec::new(),
                groups: Vec::new(),
                forfeit: round == 3,
                p: (round > 1).then(|| 1.0 / round as f64),
                reason: vec![("z".into(), Some(0.1)), ("a".into(), None)],
                cost: round as f64 / 3.0,
                at: vec![0.1, 7.0 / round as f64][..usize::from(round > 1) * 2].to_vec(),
                ..Decision::default()
            };
            log.decisions.push(line(&decision).as_bytes());
        }
        log
    }

    #[test]
    fn a_log_that_spilled_merges_to_the_same_bytes() {
        let merged = |most: [usize; 2]| {
            let logs = vec![log("b", 1..=40, most[0]), log("a", 2..=30, most[1])];
            let mut out = Vec::new();
            assert_eq!(merge_decisions(logs, 5, &mut out).unwrap(), 5 + 40 + 29);
            String::from_utf8(out).unwrap()
        };
        let whole = merged([MOST_LOG_MEMORY; 2]);
        assert!(
            whole.starts_with(r#"{"version":2,"seq":5,"replication":2,"round":1,"policy":"b","#)
        );
        for most in [[0, 0], [MOST_LOG_MEMORY, 0], [1000, 3000]] {
            assert_eq!(merged(most), whole, "{most:?}");
        }
        let read = |line: &str| line.parse::<Event>().unwrap().to_json();
        assert!(whole.lines().all(|line| read(line) == line));
    }
}
