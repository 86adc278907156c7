//! The record of a list of numbered panels: `numbered.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::groups::ValueChances;
use crate::commitment::Commitment;
use crate::hash::json_text;

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
    /// The commitment.
    pub committed: Commitment,
    /// The number of panels.
    pub panels: u32,
    /// The number of different panels.
    pub different: usize,
    /// The number of members of each panel.
    pub members: u32,
    /// The number of respondents.
    pub respondents: usize,
    /// The number of respondents who can be on no panel.
    pub impossible: usize,
    /// The lottery whose chances the panels approximate.
    pub lottery: LotteryFacts,
    /// The distance of the panels' chances from the lottery's.
    pub difference: DifferenceFacts,
    /// The chances by group.
    pub groups: Vec<ValueChances>,
    /// Sentences about the people that every output states.
    pub disclosures: Vec<String>,
    /// The SHA-256 of the list and of the chances. The hash of the table of codes is keyed by the
    /// file of people.
    pub files: BTreeMap<String, String>,
    /// The text of the config.
    pub config: String,
}

/// A lottery in the record of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LotteryFacts {
    /// The number of panels of the lottery.
    pub panels: usize,
    /// The least chance of a respondent who can be on a panel.
    pub least: f64,
    /// The most by which another lottery could be fairer.
    pub gap: f64,
    /// True if the search for a fairer lottery ended with a proof.
    pub is_proved: bool,
}

/// The distance of the chances by numbered panels from those of a lottery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifferenceFacts {
    /// The largest difference between the chances of a respondent.
    pub largest: f64,
    /// A lower bound on the largest difference of any list with this number of panels.
    pub bound: f64,
    /// The difference `largest - bound`.
    pub gap: f64,
    /// The reason why the bound is not smaller: `nothing`, `multiples` of one panel's chance,
    /// the `seats` of all panels, a `quota`, a `household` or the `fairness` of the lottery.
    pub because: String,
}

impl NumberedRecord {
    /// Returns the text of the record's file.
    #[must_use]
    pub fn text(&self) -> String {
        json_text(self)
    }
}
