//! A hiring round in words: the next step, the money and the applicants, for the terminal.

use std::time::Instant;

use super::interviews::interviews;
use super::model::{HELD, Model, Words};
use super::moment::Moment;
use crate::watch::Watched;
use crate::watch::rates::History;

/// The column of the table that the page's script draws.
const DRAWN: usize = 1;

/// A hiring round in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiringWords {
    /// The next step, or whom the policy proposes.
    pub headline: String,
    /// Sentences below it.
    pub lines: Vec<String>,
    /// The money, the interviews that wait, and the quotas.
    pub facts: Vec<String>,
    /// The table of the applicants, best first. The first row is its head.
    pub table: Vec<Vec<String>>,
}

impl HiringWords {
    /// The round as it is now. `None` if no person holds interviews or replies to offers.
    #[must_use]
    pub fn of(watched: &Watched, now: Instant) -> Option<Self> {
        watched.desk.as_ref()?;
        let mut model = Model::default();
        interviews(
            &mut model,
            &Moment::of(watched, &mut History::default(), now),
        );
        let rows = |id: &str| model.tables.get(id).cloned().unwrap_or_default();
        let text = |id: &str| model.texts.get(id).cloned().unwrap_or_default();
        let facts = ["money", "waits", "quota"].map(|id| joined(&text(id)));
        let lines = rows("answer-lines").into_iter().flatten();
        let row = |row: Vec<Words>| {
            let cells = row.iter().enumerate().filter(|(at, _)| *at != DRAWN);
            cells.map(|(_, words)| joined(words)).collect()
        };
        Some(Self {
            headline: text(HELD).text.trim_end_matches('.').to_owned(),
            lines: lines.map(|words| words.text).collect(),
            facts: facts.into_iter().filter(|fact| !fact.is_empty()).collect(),
            table: rows("applicants").into_iter().map(row).collect(),
        })
    }
}

/// A text with its second line in brackets.
fn joined(words: &Words) -> String {
    match (words.text.as_str(), words.below.as_str()) {
        (text, "") => text.to_owned(),
        (text, below) => format!("{text} ({below})"),
    }
}
