//! The lottery of a draw: its number of panels, and the exact chance that it gave each respondent.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::draw::{CheckedInputs, FinishedDraw};
use kleroterion_sortition::lottery::PanelLottery;

/// The lottery over panels by which a draw was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LotteryRecord {
    /// The number of panels of the lottery.
    pub panels: usize,
    /// True if each of these panels is filled and keeps every rule.
    pub all_kept: bool,
    /// The probability of the panel that was drawn.
    pub drawn: Option<f64>,
    /// The least chance of the respondents who can be on a panel.
    pub least: f64,
    /// The most by which another lottery could be fairer.
    pub gap: f64,
    /// True if the search ended with a proof.
    pub proved: bool,
    /// The number of respondents who are on no panel that keeps the rules.
    pub impossible: usize,
    /// The chances by value of each attribute.
    pub groups: Vec<GroupChance>,
    /// The chance of each respondent in the draw, by the name that the record uses.
    pub chances: BTreeMap<String, f64>,
}

/// The chances of respondents with one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupChance {
    /// The attribute.
    pub attribute: String,
    /// The value.
    pub value: String,
    /// The number of respondents with the value.
    pub respondents: usize,
    /// The mean of their chances.
    pub mean: f64,
    /// The least of their chances.
    pub least: f64,
    /// The largest of their chances.
    pub largest: f64,
}

/// Returns the lottery of the rule that is played, once it is known. `None` if the rule has none.
#[must_use]
pub fn lottery(stage: &CheckedInputs) -> Option<Arc<PanelLottery>> {
    let awaited = stage.question.plan.lanes[0].policy.lottery.as_ref();
    awaited.and_then(|awaited| awaited.lottery()).cloned()
}

impl LotteryRecord {
    /// The lottery of a draw; `called`: what the record calls a respondent of the whole.
    pub(super) fn of(drawn: &FinishedDraw, called: impl Fn(&u32) -> String) -> Option<Self> {
        let stage = &drawn.stage;
        let lottery = lottery(stage)?;
        let panel = &stage.question.panel;
        let mut members: Vec<u32> = (0..panel.respondents.len() as u32)
            .filter(|one| drawn.members[drawn.kept..].contains(&stage.in_whole(*one)))
            .collect();
        members.sort_unstable();
        let mut panels = lottery.panels.iter();
        let named = (0..).zip(&lottery.chances);
        let named = named.map(|(one, chance)| (called(&stage.in_whole(one)), *chance));
        Some(Self {
            panels: lottery.panels.len(),
            all_kept: panels
                .clone()
                .all(|p| panel.breaches(&p.members).is_empty()),
            drawn: panels
                .find(|panel| panel.members == members)
                .map(|panel| panel.probability),
            least: lottery.least(),
            gap: lottery.certificate.gap(),
            proved: !lottery.certificate.is_undecided(),
            impossible: lottery.impossible.len(),
            groups: groups(stage, &lottery),
            chances: named.collect(),
        })
    }
}

/// The chances by the values of attributes; values that no one has are left out.
fn groups(stage: &CheckedInputs, lottery: &PanelLottery) -> Vec<GroupChance> {
    let question = &stage.question;
    let respondents = &question.panel.respondents;
    let mut groups = Vec::new();
    for (at, attribute) in question.plan.world.schema.attributes().iter().enumerate() {
        for value in question.public_values(at) {
            let has = |one: u32| {
                value
                    .values
                    .contains(&usize::from(respondents.values(one)[at]))
            };
            let all = (0..).zip(&lottery.chances).filter(|(one, _)| has(*one));
            let chances: Vec<f64> = all.map(|(_, chance)| *chance).collect();
            if chances.is_empty() {
                continue;
            }
            groups.push(GroupChance {
                attribute: attribute.name.clone(),
                value: value.name,
                respondents: chances.len(),
                mean: chances.iter().sum::<f64>() / chances.len() as f64,
                least: chances.iter().copied().fold(f64::INFINITY, f64::min),
                largest: chances.iter().copied().fold(0.0, f64::max),
            });
        }
    }
    groups
}
