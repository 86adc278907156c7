//! The record of a number that was drawn: `draw.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::commitment::Commitment;
use crate::hash::json_text;
use crate::record::{DropOutRecord, QuotaRow, RandomnessRecord};

/// The record of a number that was drawn, for the public: `draw.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberRecord {
    /// The version of this format.
    pub schema: u32,
    /// The name of the config.
    pub name: String,
    /// The hash of the commitment.
    pub commitment: String,
    /// True if a commitment was made before the number was drawn, as it always is.
    pub is_committed: bool,
    /// The commitment.
    pub committed: Commitment,
    /// The public randomness, or a number drawn by hand as text.
    pub randomness: RandomnessRecord,
    /// The number.
    pub number: NumberFacts,
    /// The number of respondents.
    pub respondents: usize,
    /// The number of members of a panel.
    pub places: u32,
    /// True if the panel is filled and keeps every quota.
    pub quotas_kept: bool,
    /// Each value with its quota and its members.
    pub quotas: Vec<QuotaRow>,
    /// True if the record names people by their ids.
    pub has_ids: bool,
    /// The members by code, in order of their codes.
    pub panel: Vec<String>,
    /// The alternates by code, in order.
    pub alternates: Vec<String>,
    /// The forecast for the alternates, if the config sets the probabilities of drop-out.
    pub drop_outs: Option<DropOutRecord>,
    /// The SHA-256 of the list of panels.
    pub files: BTreeMap<String, String>,
}

/// A number in the record of a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NumberFacts {
    /// The number.
    pub value: u32,
    /// The number of panels.
    pub of: u32,
    /// The way of drawing: `randomness`, or `hand` for a number drawn by other means, for example
    /// from an urn.
    pub by: &'static str,
    /// The hash that gives the number, if it was from randomness.
    pub sha256: Option<String>,
    /// The number of the try that gave the hash.
    pub tries: Option<u32>,
}

impl NumberRecord {
    /// Returns the text of the record's file.
    #[must_use]
    pub fn text(&self) -> String {
        json_text(self)
    }
}
