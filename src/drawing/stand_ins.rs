//! The alternates of a draw: by sampled drop-outs where the config says who leaves, else the next of
//! each member's kind.

use super::alternates::alternates as next_of_kind;
use crate::draw::{Key, Purpose};
use crate::panel::PanelQuestion;
use crate::panel::alternates::{AlternateRule, AlternateSettings, Alternates, alternates};
use crate::protocol::Respondents;

/// Who steps in for members who leave.
#[derive(Clone, Debug, PartialEq)]
pub struct StandIns {
    /// Who, as respondents of the whole.
    pub who: Vec<u32>,
    /// How they do where members drop out as the config says, where it does.
    pub expected: Option<Expected>,
}

/// Seats off in the mean over sampled drop-outs, each with the best replacement.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Expected {
    /// Members who leave, in the mean.
    pub leavers: f64,
    /// Seats off with these alternates.
    pub chosen: f64,
    /// Seats off with the next of the members' kind.
    pub next_of_kind: f64,
    /// Seats off without alternates.
    pub none: f64,
    /// The share of drop-outs after which these alternates keep all quotas.
    pub kept: f64,
}

impl StandIns {
    /// At most `how_many` alternates of a panel, of `people`, those who still take part. `chances`:
    /// of each respondent of the whole, that they leave.
    #[must_use]
    pub fn of(
        whole: &PanelQuestion,
        (people, panel): (&[u32], &[u32]),
        chances: Option<&[f64]>,
        how_many: u32,
        seed: u64,
    ) -> Self {
        let question = among(whole, people);
        let place = |member: &u32| people.binary_search(member).ok();
        let panel = panel.iter().filter_map(place).map(|at| at as u32);
        let panel: Vec<u32> = panel.collect();
        let (who, expected) = match chances {
            None => {
                let mut draw = Key::new(seed, 0).draw(Purpose::Alternates, 0, 0);
                (next_of_kind(&question, &panel, how_many, &mut draw), None)
            }
            Some(chances) => {
                let chances: Vec<f64> = people.iter().map(|one| chances[*one as usize]).collect();
                let settings = AlternateSettings::new(seed);
                let found = alternates(&question, &panel, &chances, how_many, settings);
                let expected = Expected::of(&found);
                (found.who, Some(expected))
            }
        };
        let who = who.into_iter().map(|one| people[one as usize]).collect();
        Self { who, expected }
    }
}

impl Expected {
    fn of(found: &Alternates) -> Self {
        let of = |rule: AlternateRule| {
            let mut all = found.expected_off.iter();
            all.find(|off| off.rule == rule)
        };
        let mean = |rule| of(rule).map_or(0.0, |off| off.mean);
        Self {
            leavers: found.leavers,
            chosen: mean(AlternateRule::Chosen),
            next_of_kind: mean(AlternateRule::NextOfKind),
            none: mean(AlternateRule::None),
            kept: of(AlternateRule::Chosen).map_or(0.0, |off| off.kept),
        }
    }
}

/// The same question to some of its respondents.
fn among(whole: &PanelQuestion, people: &[u32]) -> PanelQuestion {
    let all = &*whole.respondents;
    let homes = all.households();
    let values = people.iter().flat_map(|one| all.values(*one).to_vec());
    let names = people.iter().map(|one| all.names()[*one as usize].clone());
    let respondents = Respondents::new(
        whole.quotas.len(),
        values.collect(),
        homes.map(|homes| people.iter().map(|one| homes[*one as usize]).collect()),
        names.collect(),
    );
    PanelQuestion {
        respondents: respondents.into(),
        ..whole.clone()
    }
}
