//! Decisions as typed events, and who was selected: witnesses that stand beside a lane's scorers. [`read`] reads decisions back.

#[cfg(feature = "parquet")]
pub mod parquet;
pub mod read;

mod names;

use names::Name;
pub use names::Names;

use std::any::Any;
use std::fmt::{Display, Write as _};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use tempfile::SpooledTempFile;

use crate::protocol::{Batch, Ledger, Shown, Verdict};
use crate::score::Witness;

/// The file of decisions in the folder of a run.
pub const DECISIONS: &str = "decisions.ndjson";

/// A log grows in memory up to so many bytes, and then in a temporary file.
const IN_MEMORY: usize = 1 << 20;

/// One decision: a line of `decisions.ndjson` without its `seq`.
#[derive(Serialize)]
struct Decision<'a> {
    replication: u64,
    round: u64,
    policy: &'a str,
    shown: Vec<Name<'a>>,
    chosen: Vec<Name<'a>>,
    /// The policy did not answer in time; absent where it did.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forfeit: bool,
    p: Option<f64>,
    #[serde(serialize_with = "as_map")]
    reason: Vec<(&'a str, f64)>,
    cost: f64,
}

fn as_map<S: Serializer>(terms: &[(&str, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(terms.len()))?;
    for (name, value) in terms {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// What a witness writes down; an error is kept until the log is read.
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
    fn write(&mut self, write: impl FnOnce(&mut SpooledTempFile) -> io::Result<()>) {
        if self.failed.is_ok() {
            self.failed = write(&mut self.spool);
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

/// Which lane of which replication a witness stands beside.
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
    /// A decision as JSON: a line of `decisions.ndjson` but for its `seq`, which comes before all else.
    pub(crate) fn write_decision(&self, verdict: &Verdict<'_>, line: &mut Vec<u8>) {
        let decision = Decision {
            replication: self.replication,
            round: verdict.round(),
            policy: &self.label,
            shown: self.ids(verdict.slate().candidates()),
            chosen: self.ids(verdict.chosen()),
            forfeit: verdict.is_forfeit(),
            p: verdict.p(),
            reason: verdict.reasons().collect(),
            cost: verdict.spent(),
        };
        serde_json::to_writer(line, &decision).expect("an event is plain data");
    }

    fn ids<'a>(&'a self, persons: impl Iterator<Item = Shown<'a>>) -> Vec<Name<'a>> {
        persons.map(|person| self.names.of(person.id())).collect()
    }
}

/// A decision with its number: `event` is an object, `{...}`, and `seq` goes first.
pub(crate) fn numbered(seq: u64, event: &str) -> String {
    let mut line = String::with_capacity(event.len() + 28);
    // A string takes all that is written.
    let _ = write!(line, "{{\"seq\":{seq},");
    line + &event[1..]
}

/// Writes down every decision: lines of `round`, a tab and the event, in the order of the rounds.
pub struct DecisionLog {
    post: Post,
    log: Log,
}

impl DecisionLog {
    /// An empty log.
    #[must_use]
    pub fn new(post: Post) -> Self {
        Self {
            post,
            log: Log::default(),
        }
    }
}

impl Witness for DecisionLog {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut lines = Vec::new();
        for at in 0..ledger.rounds() {
            let verdict = Verdict::new(batch, at, ledger, at);
            lines.extend_from_slice(verdict.round().to_string().as_bytes());
            lines.push(b'\t');
            self.post.write_decision(&verdict, &mut lines);
            lines.push(b'\n');
        }
        self.log.write(|spool| spool.write_all(&lines));
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
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
        Self {
            post,
            log: Log::default(),
        }
    }

    /// The log, to be read.
    #[must_use]
    pub fn into_log(self) -> Log {
        self.log
    }
}

/// The first fields of `selected.csv`; the attributes follow.
pub const SELECTED: [&str; 4] = ["replication", "policy", "round", "id"];

impl Witness for SelectedLog {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut rows = csv::Writer::from_writer(Vec::new());
        let schema = batch.schema();
        for at in 0..ledger.rounds() {
            let verdict = Verdict::new(batch, at, ledger, at);
            for person in verdict.chosen() {
                let post: [&dyn Display; 4] = [
                    &self.post.replication,
                    &self.post.label,
                    &verdict.round(),
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
        self.log.write(|spool| spool.write_all(&rows));
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}

/// Merges the decision logs of the lanes of one replication, in label order, into events ordered by (round, label),
/// numbered from `seq`; returns the next number.
///
/// # Errors
/// Where a log or `out` fails.
pub fn merge_decisions(
    mut logs: Vec<DecisionLog>,
    mut seq: u64,
    out: &mut dyn Write,
) -> io::Result<u64> {
    logs.sort_by(|a, b| a.post.label.cmp(&b.post.label));
    let mut lanes = Vec::new();
    for log in logs {
        let mut lines = BufReader::new(log.log.read()?);
        lanes.push((next_line(&mut lines)?, lines));
    }
    while let Some(round) = lanes
        .iter()
        .filter_map(|(line, _)| line.as_ref().map(|(round, _)| *round))
        .min()
    {
        for (line, lines) in &mut lanes {
            if let Some((_, event)) = line.take_if(|(at, _)| *at == round) {
                writeln!(out, "{}", numbered(seq, &event))?;
                seq += 1;
                *line = next_line(lines)?;
            }
        }
    }
    Ok(seq)
}

/// The next line of a decision log: its round and its event.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<(u64, String)>> {
    let mut line = String::new();
    if lines.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let broken = || io::Error::new(io::ErrorKind::InvalidData, "a decision log is broken");
    let (round, event) = line.trim_end().split_once('\t').ok_or_else(broken)?;
    let round = round.parse().map_err(|_| broken())?;
    Ok(Some((round, event.to_owned())))
}
