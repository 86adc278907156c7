//! Witnesses that write down what a lane decides and whom it selects.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};

use tempfile::SpooledTempFile;

use super::decision::{Decision, Event};
use super::names::Names;
use crate::protocol::{Batch, Ledger, RoundEntry, Shown};
use crate::score::Witness;

/// Bytes that a log holds in memory before it moves to a temporary file.
const IN_MEMORY: usize = 1 << 20;

/// The first columns of `selected.csv`; the attributes follow.
pub const SELECTED: [&str; 4] = ["replication", "policy", "round", "id"];

/// The text that a witness writes; it keeps an error until the log is read.
pub struct Log {
    spool: SpooledTempFile,
    failed: io::Result<()>,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            spool: SpooledTempFile::new(IN_MEMORY),
            failed: Ok(()),
        }
    }
}

impl Log {
    fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_ok() {
            self.failed = self.spool.write_all(bytes);
        }
    }

    /// The log from its start.
    ///
    /// # Errors
    /// Where it could not be written or read.
    pub fn read(mut self) -> io::Result<impl Read> {
        self.failed?;
        self.spool.rewind()?;
        Ok(self.spool)
    }
}

/// The lane and the replication that a witness watches.
#[derive(Clone, Debug)]
pub struct Post {
    /// The replication, from 0.
    pub replication: u64,
    /// The lane's label.
    pub label: String,
    /// What it calls people.
    pub names: Names,
}

impl Post {
    /// The decision of a round.
    pub(crate) fn decision(&self, entry: &RoundEntry<'_>) -> Decision {
        let finite = |(name, value): (&str, f64)| {
            (
                name.to_owned(),
                Some(value).filter(|value| value.is_finite()),
            )
        };
        Decision {
            replication: self.replication,
            round: entry.round(),
            policy: self.label.clone(),
            shown: self.ids(entry.slate().candidates()),
            chosen: self.ids(entry.chosen()),
            forfeit: entry.is_forfeit(),
            p: entry.p(),
            reason: entry.reasons().map(finite).collect(),
            cost: entry.spent(),
        }
    }

    fn ids<'a>(&self, persons: impl Iterator<Item = Shown<'a>>) -> Vec<String> {
        persons.map(|person| self.names.of(person.id())).collect()
    }
}

/// Writes down every decision, in the order of the rounds, until all lanes have theirs: see
/// [`merge_decisions`].
pub struct DecisionLog {
    post: Post,
    log: Log,
}

impl DecisionLog {
    /// An empty log.
    #[must_use]
    pub fn new(post: Post) -> Self {
        let log = Log::default();
        Self { post, log }
    }
}

impl Witness for DecisionLog {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut lines = Vec::new();
        for at in 0..ledger.rounds() {
            let decision = self.post.decision(&RoundEntry::new(batch, at, ledger, at));
            serde_json::to_writer(&mut lines, &decision).expect("a decision is plain data");
            lines.push(b'\n');
        }
        self.log.write(&lines);
    }
}

/// Writes down everybody who was selected: rows of `selected.csv`.
pub struct SelectedLog {
    post: Post,
    log: Log,
}

impl SelectedLog {
    /// An empty log.
    #[must_use]
    pub fn new(post: Post) -> Self {
        let log = Log::default();
        Self { post, log }
    }

    /// The log, to be read.
    #[must_use]
    pub fn into_log(self) -> Log {
        self.log
    }
}

impl Witness for SelectedLog {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut rows = csv::Writer::from_writer(Vec::new());
        let schema = batch.schema();
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            for person in entry.chosen() {
                let post: [&dyn Display; 4] = [
                    &self.post.replication,
                    &self.post.label,
                    &entry.round(),
                    &self.post.names.of(person.id()),
                ];
                let values = schema.attributes().iter().zip(person.values());
                let values = values.filter(|(a, _)| self.post.names.tells(&a.name));
                let values = values.map(|(a, &value)| a.values[usize::from(value)].clone());
                let fields = post.iter().map(ToString::to_string).chain(values);
                rows.write_record(fields).expect("memory takes every row");
            }
        }
        let rows = rows.into_inner().expect("memory takes every row");
        self.log.write(&rows);
    }
}

/// The decisions of one lane, read from its log.
struct Lane<R> {
    lines: BufReader<R>,
    next: Option<Decision>,
}

impl<R: Read> Lane<R> {
    fn new(log: R) -> io::Result<Self> {
        let (lines, next) = (BufReader::new(log), None);
        let mut lane = Self { lines, next };
        lane.advance()?;
        Ok(lane)
    }

    /// The next decision where it is of this round.
    fn take(&mut self, round: u64) -> io::Result<Option<Decision>> {
        let taken = self.next.take_if(|decision| decision.round == round);
        if taken.is_some() {
            self.advance()?;
        }
        Ok(taken)
    }

    fn advance(&mut self) -> io::Result<()> {
        let mut line = String::new();
        self.next = match self.lines.read_line(&mut line)? {
            0 => None,
            _ => Some(serde_json::from_str(&line)?),
        };
        Ok(())
    }
}

/// Merges the logs of the lanes of one replication into lines of `decisions.ndjson`, ordered by
/// round and label; numbers them from `seq` and returns the next number.
///
/// # Errors
/// Where a log or `out` fails.
pub fn merge_decisions(
    mut logs: Vec<DecisionLog>,
    mut seq: u64,
    out: &mut dyn Write,
) -> io::Result<u64> {
    logs.sort_by(|a, b| a.post.label.cmp(&b.post.label));
    let lanes = logs.into_iter().map(|log| Lane::new(log.log.read()?));
    let mut lanes: Vec<_> = lanes.collect::<io::Result<_>>()?;
    while let Some(round) = lanes
        .iter()
        .filter_map(|lane| lane.next.as_ref().map(|decision| decision.round))
        .min()
    {
        for lane in &mut lanes {
            if let Some(decision) = lane.take(round)? {
                writeln!(out, "{}", Event { seq, decision }.to_json())?;
                seq += 1;
            }
        }
    }
    Ok(seq)
}
