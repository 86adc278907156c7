//! The record of a draw: `draw.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::commitment::Commitment;
use super::draw::FinishedDraw;
use super::earlier::Earlier;
use super::hash::json_text;
use super::inputs::Inputs;
use super::lottery::LotteryRecord;
use super::question::DrawQuestion;
use super::stand_ins::StandInForecast;
use kleroterion_core::protocol::Side;
use kleroterion_sortition::PanelBreach;
use kleroterion_sortition::alternates::ExpectedOff;
use kleroterion_stats::ChanceSummary;

/// The record of a draw, for the public. It names respondents by codes, unless ids are published.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// The version of this format.
    pub schema: u32,
    /// The name of the config.
    pub name: String,
    /// The organiser's title, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The hash of the commitment.
    pub commitment: String,
    /// True if a commitment was made before the randomness was given.
    pub is_committed: bool,
    /// The commitment.
    pub committed: Commitment,
    /// The public randomness.
    pub randomness: RandomnessRecord,
    /// The seed.
    pub seed: SeedRecord,
    /// The number of respondents.
    pub respondents: usize,
    /// True if the randomness decided the order in which people came. Otherwise it was the order of
    /// the file.
    pub is_shuffled: bool,
    /// The number of members asked for.
    pub places: u32,
    /// The members who stay from an earlier draw, if there was one.
    pub again: Option<AgainRecord>,
    /// The reason why the draw ended, as runs name it.
    pub ending: &'static str,
    /// True if the panel is filled and keeps every quota.
    pub quotas_kept: bool,
    /// The conditions that it misses, a sentence each.
    pub misses: Vec<String>,
    /// Each value with its quota and its members.
    pub quotas: Vec<QuotaRow>,
    /// True if the tables of people are written for spreadsheets.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub for_spreadsheet: bool,
    /// True if the record names people by their ids.
    pub has_ids: bool,
    /// The members, in order.
    pub panel: Vec<String>,
    /// The alternates, in order.
    pub alternates: Vec<String>,
    /// The forecast for the alternates, if the config sets the probabilities of drop-out.
    pub drop_outs: Option<DropOutRecord>,
    /// The spread of the respondents' chances, if requested.
    pub chances: Option<ChanceSummary>,
    /// The lottery over panels, if the rule is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lottery: Option<LotteryRecord>,
    /// Sentences about the people that every output states.
    pub disclosures: Vec<String>,
    /// The hashes of the tables of people that the draw wrote, keyed by the file of people.
    pub files: BTreeMap<String, String>,
    /// The text of the config.
    pub config: String,
}

/// The forecast for the alternates: the seats off after members have left and the best replacement
/// is made. Each is a mean with its standard error over sampled drop-outs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DropOutRecord {
    /// The mean number of members who leave.
    pub leavers: f64,
    /// The seats off with these alternates.
    pub seats_off: SeatsOffRecord,
    /// The seats off with the next of the members' kind in their place.
    pub seats_off_next_of_kind: SeatsOffRecord,
    /// The seats off without alternates.
    pub seats_off_without: SeatsOffRecord,
}

/// A mean number of seats off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeatsOffRecord {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub se: f64,
}

impl DropOutRecord {
    pub(super) fn of(forecast: &StandInForecast) -> Self {
        let [chosen, next_of_kind, none] = forecast.expected_off;
        let off = |of: ExpectedOff| SeatsOffRecord {
            mean: of.mean,
            se: of.se,
        };
        Self {
            leavers: forecast.leavers,
            seats_off: off(chosen),
            seats_off_next_of_kind: off(next_of_kind),
            seats_off_without: off(none),
        }
    }
}

/// The public randomness in a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RandomnessRecord {
    /// The name of the randomness, if it was named beforehand.
    pub name: Option<String>,
    /// The way in which it was given: `text` or `file`.
    pub from: &'static str,
    /// The text, if it was given as one.
    pub text: Option<String>,
    /// The number of bytes.
    pub bytes: usize,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// The seed in a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeedRecord {
    /// The hash that gives the seed.
    pub sha256: String,
    /// The seed.
    pub number: u64,
}

/// A second draw in a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainRecord {
    /// The number of members who stay. They are the first of the panel.
    pub kept: usize,
    /// The number of them who stepped in as alternates of the draw before.
    #[serde(skip_serializing_if = "none")]
    pub stepped_in: usize,
    /// The number of respondents who no longer take part.
    pub out: usize,
    /// The SHA-256 of the randomness of each earlier draw.
    pub earlier: Vec<String>,
}

/// Returns true if the count is 0.
fn none(count: &usize) -> bool {
    *count == 0
}

/// A value of an attribute with its quota.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuotaRow {
    /// The attribute.
    pub attribute: String,
    /// The value.
    pub value: String,
    /// The number of respondents who have it.
    pub respondents: usize,
    /// The minimum number of members, if there is a quota.
    pub min: Option<u32>,
    /// The maximum number of members, if there is a quota.
    pub max: Option<u32>,
    /// The target share, if there is a target.
    pub target: Option<f64>,
    /// The number of members with the value.
    pub members: usize,
}

/// Choices for publishing a draw that do not affect it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Publish {
    /// True if people are named by their ids.
    pub ids: bool,
    /// The title of the draw, if the commitment has none.
    pub title: Option<String>,
    /// True if the tables of people are written for spreadsheets.
    pub for_spreadsheet: bool,
}

impl QuotaRow {
    /// Each value of the attributes that are wanted in some way, or of all where none is.
    pub(super) fn all(whole: &DrawQuestion, members: &[u32]) -> Vec<Self> {
        let plan = &whole.plan;
        let shares = |attribute: usize| {
            let mut rows = plan.target.iter().flat_map(|target| target.rows());
            let row = rows.find(|(at, _)| *at == attribute);
            row.map_or(&[][..], |(_, shares)| shares)
        };
        let mut rows = Vec::new();
        for (at, attribute) in plan.world.schema.attributes().iter().enumerate() {
            for value in whole.public_values(at) {
                let has = |one: u32| {
                    let own = usize::from(whole.panel.respondents.values(one)[at]);
                    value.values.contains(&own)
                };
                // All that one name stands for are wanted alike.
                let first = value.values[0];
                let quota = whole.panel.quotas[at].get(first);
                let everyone = 0..whole.panel.respondents.len() as u32;
                rows.push(Self {
                    attribute: attribute.name.clone(),
                    respondents: everyone.filter(|one| has(*one)).count(),
                    min: quota.map(|quota| quota.min),
                    max: quota.map(|quota| quota.max).filter(|max| *max < u32::MAX),
                    // The share of a quota is its midpoint, which says nothing more.
                    target: shares(at).get(first).copied().filter(|_| quota.is_none()),
                    members: members.iter().filter(|one| has(**one)).count(),
                    value: value.name,
                });
            }
        }
        rows
    }

    /// Returns a sentence on the violation, if the quota is broken.
    #[must_use]
    pub fn broken(&self) -> Option<String> {
        let (attribute, value, members) = (&self.attribute, &self.value, self.members);
        let n = members as u64;
        let few = self.min.filter(|min| n < u64::from(*min));
        let many = self.max.filter(|max| n > u64::from(*max));
        let wanted = match (few, many) {
            (Some(min), _) => format!("at least {min}"),
            (None, Some(max)) => format!("at most {max}"),
            (None, None) => return None,
        };
        Some(format!(
            "{attribute} = {value}: {members} members, {wanted} are wanted"
        ))
    }

    /// Returns `Some(true)` if the quota is kept, and `None` if there is no quota.
    #[must_use]
    pub fn is_kept(&self) -> Option<bool> {
        let members = self.members as u64;
        let is_most = self.max.is_none_or(|max| members <= u64::from(max));
        self.min.map(|min| members >= u64::from(min) && is_most)
    }
}

impl Record {
    /// Returns true if the panel had quotas to keep.
    #[must_use]
    pub fn has_quotas(&self) -> bool {
        self.quotas.iter().any(|row| row.min.is_some())
    }

    /// Returns true if the draw commits to whole files of people, so that its own files keep their
    /// first layout.
    pub(super) fn is_first_layout(&self) -> bool {
        self.committed.is_of_whole_files()
    }

    /// Makes the record of a draw. `files` holds the hashes of the tables of people that it wrote,
    /// by name.
    #[must_use]
    pub fn of(
        drawn: &FinishedDraw,
        inputs: &Inputs,
        publish: &Publish,
        files: BTreeMap<String, String>,
    ) -> Self {
        let whole = drawn.stage.whole();
        let called = |one: &u32| match publish.ids {
            true => whole.panel.respondents.names()[*one as usize].to_string(),
            false => drawn.stage.codes.code(*one).to_owned(),
        };
        let randomness = &drawn.randomness;
        let again = drawn.stage.again.as_ref().map(|again| AgainRecord {
            kept: again.kept.len(),
            stepped_in: again.stepped_in,
            out: again.out.len(),
            // It was read when the inputs were checked.
            earlier: Earlier::of(inputs)
                .ok()
                .flatten()
                .unwrap_or_default()
                .randomness,
        });
        Self {
            schema: 1,
            name: whole.plan.name.clone(),
            title: drawn.commitment.title.clone().or(publish.title.clone()),
            for_spreadsheet: publish.for_spreadsheet,
            commitment: drawn.commitment.sha256(),
            is_committed: drawn.commitment.is_ahead(),
            committed: drawn.commitment.clone(),
            randomness: RandomnessRecord {
                name: drawn.commitment.randomness.clone(),
                from: randomness.origin.word(),
                text: randomness.text().map(str::to_owned),
                bytes: randomness.bytes.len(),
                sha256: randomness.sha256(),
            },
            seed: SeedRecord {
                sha256: drawn.seed.sha256.clone(),
                number: drawn.seed.number,
            },
            respondents: whole.panel.respondents.len(),
            is_shuffled: !whole.plan.world.fixed,
            places: whole.panel.members,
            again,
            ending: drawn.ending.word(),
            quotas_kept: drawn.is_kept(),
            misses: drawn
                .breaches
                .iter()
                .map(|breach| miss(drawn, breach))
                .collect(),
            quotas: QuotaRow::all(whole, &drawn.members),
            has_ids: publish.ids,
            panel: drawn.members.iter().map(called).collect(),
            alternates: drawn.alternates.who.iter().map(called).collect(),
            drop_outs: drawn.alternates.forecast.as_ref().map(DropOutRecord::of),
            chances: drawn.chances.as_ref().map(|chances| {
                let question = &drawn.stage.question;
                question.public_chances(chances.summary.clone())
            }),
            lottery: match drawn.commitment.is_of_whole_files() {
                true => None,
                false => LotteryRecord::of(drawn, called),
            },
            disclosures: drawn.stage.question.plan.world.disclosures.clone(),
            files,
            config: inputs.config(),
        }
    }

    /// Returns the text of the record's file.
    #[must_use]
    pub fn text(&self) -> String {
        json_text(self)
    }
}

/// Returns a sentence on a breach of a panel that names no one.
fn miss(drawn: &FinishedDraw, breach: &PanelBreach) -> String {
    let whole = drawn.stage.whole();
    let place = |one: &u32| drawn.members.iter().position(|member| member == one);
    match breach {
        PanelBreach::Size { members } => {
            format!("{members} of {} places are taken", whole.panel.members)
        }
        PanelBreach::Stranger { .. } => "a member is no respondent".to_owned(),
        PanelBreach::Twice { .. } => "a respondent sits twice".to_owned(),
        PanelBreach::Household { members } => {
            let [one, other] = members
                .each_ref()
                .map(|one| place(one).map_or(0, |at| at + 1));
            format!("members {one} and {other} live in one household")
        }
        PanelBreach::Quota {
            attribute,
            value,
            side,
            members,
        } => {
            let named = &whole.plan.world.schema.attributes()[*attribute];
            let quota = whole.panel.quotas[*attribute][*value];
            let (name, value) = (&named.name, whole.public_value(*attribute, *value));
            match side {
                Side::Min => format!(
                    "{name} = {value}: {members} members, at least {} are wanted",
                    quota.min
                ),
                Side::Max => format!(
                    "{name} = {value}: {members} members, at most {} are wanted",
                    quota.max
                ),
            }
        }
    }
}
