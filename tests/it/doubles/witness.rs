//! A witness that writes everything down.

use std::sync::{Arc, Mutex};

use kleroterion::protocol::{Batch, Id, Ledger, RoundEntry, Shown};
use kleroterion::score::Witness;

/// A round that has passed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passed {
    pub round: u64,
    pub roster: u32,
    /// Those who applied.
    pub came: Vec<u64>,
    /// Those of them who were on the slate.
    pub shown: Vec<u64>,
    pub chosen: Vec<u64>,
    pub declined: Vec<u64>,
    pub outcomes: Vec<Option<f64>>,
    pub spent: f64,
    pub looks: u64,
    pub strong: u64,
    pub p: Option<f64>,
    pub declared: Option<Vec<f64>>,
    pub state: Vec<f64>,
    pub measures: Vec<(String, f64)>,
    pub reasons: Vec<(String, f64)>,
}

/// Writes down every round.
#[derive(Default)]
pub struct Recorder(Vec<Passed>);

/// A recorder that a test holds as well.
pub type Recording = Arc<Mutex<Recorder>>;

/// Takes the rounds that were recorded.
pub fn taken(recording: &Recording) -> Vec<Passed> {
    std::mem::take(&mut recording.lock().expect("it is whole").0)
}

/// A person's number in the stream.
pub fn number(shown: Shown<'_>) -> u64 {
    match shown.id() {
        Id::Number(number) => number,
        Id::Name(name) => panic!("{name} has no number"),
    }
}

fn owned<'a>(notes: impl Iterator<Item = (&'a str, f64)>) -> Vec<(String, f64)> {
    notes
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

impl Witness for Recorder {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            self.0.push(Passed {
                round: entry.round(),
                roster: entry.roster_len(),
                came: entry.applicants().candidates().map(number).collect(),
                shown: entry.slate().candidates().map(number).collect(),
                chosen: entry.chosen().map(number).collect(),
                declined: entry.declined().map(number).collect(),
                outcomes: entry.outcomes().to_vec(),
                spent: entry.spent(),
                looks: entry.looks(),
                strong: entry.strong_looks(),
                p: entry.p(),
                declared: entry.declared().map(<[f64]>::to_vec),
                state: entry.pool_state().to_vec(),
                measures: owned(ledger.measures_in(at..at + 1)),
                reasons: owned(entry.reasons()),
            });
        }
    }
}
