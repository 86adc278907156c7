//! The reason why each respondent is not on the panel, in a sentence that needs no knowledge of the
//! rule.

use std::collections::BTreeMap;

use super::draw::FinishedDraw;
use super::lottery::lottery;
use super::play::{PassedOver, Why};
use super::story::GREEDY;
use kleroterion_io::record::shortest;
use kleroterion_io::trace::Decision;
use kleroterion_report::report::why::sentence;

/// The sentences of a draw on those who are not on the panel.
pub(super) struct Reasons<'a> {
    drawn: &'a FinishedDraw,
    /// The chances that a lottery over panels gave, by the respondents of the whole; none of another
    /// rule.
    chances: Option<BTreeMap<u32, f64>>,
}

impl<'a> Reasons<'a> {
    pub(super) fn of(drawn: &'a FinishedDraw) -> Self {
        let lottery = lottery(&drawn.stage);
        let chances = lottery.map(|lottery| {
            let chances = (0..).zip(lottery.chances.iter().copied());
            chances
                .map(|(one, chance)| (drawn.stage.in_whole(one), chance))
                .collect()
        });
        Self { drawn, chances }
    }

    /// Returns true if the rule drew or built the panel whole: it decided on no one alone.
    pub(super) fn is_of_whole_panels(&self) -> bool {
        let is_first = self.drawn.commitment.is_of_whole_files();
        let (_, kind) = self.drawn.stage.question.policy();
        !is_first && (self.chances.is_some() || kind == GREEDY)
    }

    /// The chance that a lottery over panels gave one who could be drawn.
    pub(super) fn chance(&self, respondent: u32) -> Option<f64> {
        self.chances.as_ref()?.get(&respondent).copied()
    }

    /// Returns the reason why a respondent is not on the panel.
    pub(super) fn why(&self, one: &PassedOver) -> String {
        match &one.why {
            Why::Out => "no longer takes part, as the organiser says".to_owned(),
            Why::Household {
                member: Some(member),
            } => {
                let mut members = self.drawn.members.iter();
                let order = members
                    .position(|other| other == member)
                    .map_or(0, |at| at + 1);
                format!("member {order} lives in the same household")
            }
            Why::Household { member: None } => "another of the household came first".to_owned(),
            Why::Refused { .. } | Why::Full | Why::Unmet if self.is_of_whole_panels() => {
                let chance = self.chance(one.respondent);
                let chance = chance.map(|chance| ("chance".to_owned(), chance));
                self.decided(one, chance.as_slice())
            }
            Why::Refused { reason, .. } => match self.decided(one, reason) {
                empty if empty.is_empty() => "the rule refused them".to_owned(),
                why => why,
            },
            Why::Full => "all places were taken before they came".to_owned(),
            Why::Unmet => "the draw ended before they came".to_owned(),
        }
    }

    /// The decision on one as the rule gives its reason.
    fn decided(&self, one: &PassedOver, reason: &[(String, f64)]) -> String {
        let whole = self.drawn.stage.whole();
        let (label, kind) = self.drawn.stage.question.policy();
        let values = whole.panel.respondents.values(one.respondent);
        let attributes = whole.plan.world.schema.attributes().iter();
        let groups = attributes.zip(values).map(|(attribute, value)| {
            let value = attribute.values[usize::from(*value)].clone();
            (attribute.name.clone(), vec![value])
        });
        let decision = Decision {
            replication: 0,
            round: one.round.unwrap_or(0),
            policy: label.to_owned(),
            shown: vec![String::new()],
            groups: groups.collect(),
            chosen: Vec::new(),
            declined: Vec::new(),
            forfeit: false,
            p: None,
            reason: reason
                .iter()
                .map(|(name, value)| (name.clone(), Some(*value)))
                .collect(),
            cost: 0.0,
            at: Vec::new(),
            ..Decision::default()
        };
        sentence(kind, &decision)
    }
}

/// Terms of a policy, as `name=value` with semicolons between them: as draws of whole files have
/// them.
pub(super) fn terms(why: &Why) -> String {
    let Why::Refused { reason, .. } = why else {
        return String::new();
    };
    let terms = reason.iter();
    let terms = terms.map(|(name, value)| format!("{name}={}", shortest(*value)));
    terms.collect::<Vec<_>>().join("; ")
}
