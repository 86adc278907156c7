//! Witnesses that keep the decisions of a lane.

use std::io::{self, BufWriter, Write};

use super::decision::{Decision, Event};
use super::post::Post;
use super::spool::Spool;
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry};
use kleroterion_core::score::Witness;

/// The bytes that a log holds in memory before it moves to a temporary file.
pub(super) const IN_MEMORY: usize = 1 << 20;

/// The decisions of one lane, in the order of the rounds, kept until all lanes are done; see
/// [`merge_decisions`].
pub struct DecisionLog {
    post: Post,
    decisions: Spool<Decision>,
}

impl DecisionLog {
    /// Creates an empty log.
    #[must_use]
    pub fn new(post: Post) -> Self {
        Self::within(post, IN_MEMORY)
    }

    /// Creates an empty log that keeps about `most` bytes in memory.
    fn within(post: Post, most: usize) -> Self {
        let decisions = Spool::new(most);
        Self { post, decisions }
    }
}

impl Witness for DecisionLog {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        for at in 0..ledger.rounds() {
            let decision = self.post.decision(&RoundEntry::new(batch, at, ledger, at));
            let bytes = decision.bytes();
            self.decisions.push(decision, bytes);
        }
    }
}

/// The decisions of one lane that are not merged yet.
struct Rest<I> {
    decisions: I,
    next: Option<Decision>,
}

impl<I: Iterator<Item = io::Result<Decision>>> Rest<I> {
    fn new(mut decisions: I) -> io::Result<Self> {
        let next = decisions.next().transpose()?;
        Ok(Self { decisions, next })
    }

    /// Takes the next decision if it is of this round.
    fn take(&mut self, round: u64) -> io::Result<Option<Decision>> {
        let taken = self.next.take_if(|decision| decision.round == round);
        if taken.is_some() {
            self.next = self.decisions.next().transpose()?;
        }
        Ok(taken)
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
    let lanes = logs.into_iter().map(|log| Rest::new(log.decisions.read()?));
    let mut lanes: Vec<_> = lanes.collect::<io::Result<_>>()?;
    let mut out = BufWriter::new(out);
    while let Some(round) = lanes
        .iter()
        .filter_map(|lane| lane.next.as_ref().map(|decision| decision.round))
        .min()
    {
        for lane in &mut lanes {
            if let Some(decision) = lane.take(round)? {
                serde_json::to_writer(&mut out, &Event::new(seq, decision))?;
                out.write_all(b"\n")?;
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
        let mut log = DecisionLog::within(post, most);
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
            let bytes = decision.bytes();
            log.decisions.push(decision, bytes);
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
        let whole = merged([IN_MEMORY; 2]);
        assert!(
            whole.starts_with(r#"{"version":2,"seq":5,"replication":2,"round":1,"policy":"b","#)
        );
        for most in [[0, 0], [IN_MEMORY, 0], [1000, 3000]] {
            assert_eq!(merged(most), whole, "{most:?}");
        }
        let read = |line: &str| line.parse::<Event>().unwrap().to_json();
        assert!(whole.lines().all(|line| read(line) == line));
    }
}
