//! Reading decisions back, one line at a time, since the file may be larger than the memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Event;
use crate::limits::{LONGEST_DECISION, MOST_BROKEN_LINES};
use kleroterion_core::nearest::nearest;

/// The members that are read of every line.
#[derive(Deserialize)]
struct Head<'a> {
    replication: u64,
    round: u64,
    #[serde(borrow)]
    policy: Cow<'a, str>,
    #[serde(borrow)]
    shown: &'a RawValue,
    #[serde(borrow, default)]
    heard: Option<&'a RawValue>,
}

/// The candidate of an outcome that a policy heard.
#[derive(Deserialize)]
struct HeardOf<'a> {
    #[serde(borrow)]
    candidate: Cow<'a, str>,
}

/// A filter of decisions; an empty list leaves all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    /// The labels of the wanted lanes.
    pub policies: Vec<String>,
    /// The ids of the wanted candidates: a decision passes if one of them was on its slate or the
    /// policy heard an outcome of one.
    pub candidates: Vec<String>,
    /// The wanted rounds.
    pub rounds: Vec<u64>,
    /// The wanted replications.
    pub replications: Vec<u64>,
}

impl DecisionFilter {
    /// Returns true if a line passes the filter. The candidates of a line are parsed only if the
    /// rest of the filter passes.
    fn wants(&self, head: &Head<'_>) -> serde_json::Result<bool> {
        fn has<T: PartialEq<U>, U>(wanted: &[T], one: U) -> bool {
            wanted.is_empty() || wanted.iter().any(|wanted| *wanted == one)
        }
        if !has(&self.rounds, head.round)
            || !has(&self.replications, head.replication)
            || !has(&self.policies, &*head.policy)
        {
            return Ok(false);
        }
        if self.candidates.is_empty() {
            return Ok(true);
        }
        let is_wanted = |id: &str| self.candidates.iter().any(|wanted| wanted == id);
        let shown: Vec<Cow<'_, str>> = serde_json::from_str(head.shown.get())?;
        if shown.iter().any(|id| is_wanted(id)) {
            return Ok(true);
        }
        let heard = head.heard.map(|heard| serde_json::from_str(heard.get()));
        let heard: Vec<HeardOf<'_>> = heard.transpose()?.unwrap_or_default();
        Ok(heard.iter().any(|heard| is_wanted(&heard.candidate)))
    }
}

/// A line that is no decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenLine {
    /// The number of the line, from 1.
    pub line: u64,
    /// The column of the error, from 1, where it is known.
    pub column: Option<u64>,
    /// The error, as text.
    pub what: String,
}

/// A summary of all decisions in a file, wanted or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The number of decisions, by lane label.
    pub policies: BTreeMap<String, u64>,
    /// The least and the greatest replication.
    pub replications: Option<RangeInclusive<u64>>,
    /// The least and the greatest round.
    pub rounds: Option<RangeInclusive<u64>>,
    /// The first lines that are no decisions.
    pub broken: Vec<BrokenLine>,
    /// The number of lines that are no decisions, including those not listed in `broken`.
    pub broken_lines: u64,
}

impl Seen {
    /// Returns the number of decisions.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.policies.values().sum()
    }

    fn note(&mut self, head: &Head<'_>) {
        match self.policies.get_mut(&*head.policy) {
            Some(count) => *count += 1,
            None => drop(self.policies.insert(head.policy.to_string(), 1)),
        }
        let widened = |range: &Option<RangeInclusive<u64>>, at: u64| match range {
            Some(range) => at.min(*range.start())..=at.max(*range.end()),
            None => at..=at,
        };
        self.replications = Some(widened(&self.replications, head.replication));
        self.rounds = Some(widened(&self.rounds, head.round));
    }

    fn note_broken(&mut self, line: u64, column: Option<u64>, what: &str) {
        self.broken_lines += 1;
        if self.broken.len() < MOST_BROKEN_LINES {
            let what = what.to_owned();
            self.broken.push(BrokenLine { line, column, what });
        }
    }
}

/// Calls `each` with every wanted line (without its line end) and its decision, in the order of the
/// file. Notes lines that are no decisions, and reads on. Holds one line at a time in memory.
///
/// # Errors
/// Where the file cannot be read on, or `each` fails.
pub fn read_decisions(
    mut input: impl BufRead,
    filter: &DecisionFilter,
    mut each: impl FnMut(&str, Event) -> io::Result<()>,
) -> io::Result<Seen> {
    let mut seen = Seen::default();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = input
            .by_ref()
            .take(LONGEST_DECISION)
            .read_until(b'\n', &mut bytes)?;
        if read == 0 {
            break;
        }
        if bytes.len() as u64 == LONGEST_DECISION && bytes.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            seen.note_broken(line, None, "the line is too long for a decision");
            continue;
        }
        let Ok(text) = std::str::from_utf8(&bytes) else {
            seen.note_broken(line, None, "the line is not UTF-8");
            continue;
        };
        let text = text.trim_end_matches(['\n', '\r']);
        if text.is_empty() {
            continue;
        }
        match wanted(text, filter, &mut seen) {
            Ok(Some(event)) => each(text, event)?,
            Ok(None) => {}
            // Of a run that goes on: the rest of the line is still to come.
            Err(error) if error.is_eof() && bytes.last() != Some(&b'\n') => {}
            Err(error) => {
                let before = text.get(..error.column().saturating_sub(1));
                let column = before.map(|before| before.chars().count() as u64 + 1);
                let what = error.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                seen.note_broken(line, column, &format!("the line is no decision: {what}"));
            }
        }
    }
    Ok(seen)
}

/// The occurrences of a candidate in a file of decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// The number of slates that show the candidate.
    pub shown: u64,
    /// The replication and the round of the first such slate.
    pub first: Option<(u64, u64)>,
    /// The most similar id in the file, if the candidate was never shown.
    pub nearest: Option<String>,
}

/// Looks for candidates in all decisions, and returns the occurrences of each, in the order of
/// `ids`.
///
/// # Errors
/// Where the file cannot be read on.
pub fn look_for(input: impl BufRead, ids: &[&str]) -> io::Result<Vec<Whereabouts>> {
    let mut found = vec![Whereabouts::default(); ids.len()];
    read_decisions(input, &DecisionFilter::default(), |_, event| {
        for (id, found) in ids.iter().zip(&mut found) {
            if event.decision.shown.iter().any(|shown| shown == id) {
                found.shown += 1;
                found
                    .first
                    .get_or_insert((event.decision.replication, event.decision.round));
                found.nearest = None;
            } else if found.shown == 0 {
                let before = found.nearest.iter();
                let near = nearest(id, before.chain(&event.decision.shown).map(String::as_str));
                let near = near.map(str::to_owned);
                found.nearest = near;
            }
        }
        Ok(())
    })?;
    Ok(found)
}

/// Returns the decision of a line, or `None` if the filter leaves it out.
fn wanted(
    text: &str,
    filter: &DecisionFilter,
    seen: &mut Seen,
) -> serde_json::Result<Option<Event>> {
    let head: Head<'_> = serde_json::from_str(text)?;
    let event = match filter.wants(&head) {
        Ok(false) => None,
        // What is wrong with those shown is found again, with its place in the line.
        Ok(true) | Err(_) => Some(text.parse()?),
    };
    seen.note(&head);
    Ok(event)
}
