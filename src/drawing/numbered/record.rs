//! The record of a list of numbered panels: `numbered.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::groups::GroupChances;
use crate::drawing::commitment::Commitment;

/// The file of the record of a list.
pub const NUMBERED: &str = "numbered.json";

/// The record of a list of numbered panels, for the public.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberedRecord {
    /// The version of this format.
    pub schema: u32,
    /// The name of the config.
    pub name: String,
    /// The hash of the commitment.
    pub commitment: String,
    /// All that was committed to.
    pub committed: Commitment,
    /// How many panels there are.
    pub panels: u32,
    /// How many of them are different.
    pub different: usize,
    /// How many members each has.
    pub members: u32,
    /// How many respondents there are.
    pub respondents: usize,
    /// How many of them can be on no panel.
    pub impossible: usize,
    /// The lottery that the chances are to be near to.
    pub lottery: LotteryFacts,
    /// How near the chances are to it.
    pub difference: DifferenceFacts,
    /// The chances by group.
    pub groups: Vec<GroupChances>,
    /// What every output is to say of the people.
    pub disclosures: Vec<String>,
    /// The SHA-256 of the list and of the chances.
    pub files: BTreeMap<String, String>,
    /// The config.
    pub config: String,
}

/// A lottery in the record of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LotteryFacts {
    /// How many panels it has.
    pub panels: usize,
    /// The least chance of a respondent who can be on a panel.
    pub least: f64,
    /// By how much a fairer lottery could be better, at most.
    pub gap: f64,
    /// Whether the search for a fairer one ended with a proof.
    pub is_proved: bool,
}

/// How near the chances by numbered panels are to those of a lottery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifferenceFacts {
    /// The largest difference of a respondent's chances.
    pub largest: f64,
    /// No list of so many panels has a smaller one.
    pub bound: f64,
    /// `largest - bound`.
    pub gap: f64,
    /// What keeps it from being smaller than the bound: `nothing`, `multiples` of one panel's chance,
    /// the `seats` of all panels, a `quota`, a `household` or the `fairness` of the lottery.
    pub because: String,
}

impl NumberedRecord {
    /// The text of its file.
    #[must_use]
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a record is plain data");
        text + "\n"
    }
}
