//! A draw played: one replication of one policy, and the outcome for each respondent.

use std::sync::{Arc, Mutex};

use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Batch, Ending, Ledger, RoundEntry};
use kleroterion_core::score::Witness;
use kleroterion_run::config::Plan;
use kleroterion_run::run::{Hooks, RunError, Runtime, Settings, run_hooked};
use kleroterion_sortition::PanelQuestion;

/// A respondent who came before the draw ended.
#[derive(Clone, Debug, PartialEq)]
struct Met {
    respondent: u32,
    round: u64,
    is_chosen: bool,
    p: Option<f64>,
    reason: Vec<(String, f64)>,
}

/// Notes all who come.
#[derive(Default)]
struct Notes(Vec<Met>);

impl Witness for Notes {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            for (person, is_chosen) in entry.met() {
                let reason = entry.reasons();
                self.0.extend(person.respondent().map(|respondent| {
                    Met {
                        respondent,
                        round: entry.round(),
                        is_chosen,
                        p: entry.p(),
                        reason: reason
                            .map(|(name, value)| (name.to_owned(), value))
                            .collect(),
                    }
                }));
            }
        }
    }
}

/// The reason why a respondent is not on the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// The policy rejected them.
    Refused {
        /// The terms by which the policy decided.
        reason: Vec<(String, f64)>,
        /// The probability of the policy's choice, if it was random.
        p: Option<f64>,
    },
    /// Another person of the household came first.
    Household {
        /// The member of the panel from this household, if there is one.
        member: Option<u32>,
    },
    /// All places were taken before they came.
    Full,
    /// The draw ended with empty places before they came.
    Unmet,
    /// The organiser reported that they no longer take part.
    Out,
}

impl Why {
    /// The word for the reason in `passed-over.csv`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Refused { .. } => "refused",
            Self::Household { .. } => "household",
            Self::Full => "panel_full",
            Self::Unmet => "not_met",
            Self::Out => "out",
        }
    }
}

/// A respondent who is not on the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct PassedOver {
    /// The respondent, by their place in the file, from 0.
    pub respondent: u32,
    /// The round in which they came, if they did.
    pub round: Option<u64>,
    /// The reason.
    pub why: Why,
}

/// The course of a draw.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedDraw {
    /// The reason why the draw ended.
    pub ending: Ending,
    /// The members, in the order in which they were accepted.
    pub members: Vec<u32>,
    /// All others: those who came, in order of arrival, then the rest, in the order of the file.
    pub passed: Vec<PassedOver>,
}

/// Plays one replication of a plan of one policy. `threads` is their number, one by default.
///
/// # Errors
/// Where a task other than the policy fails.
pub fn play(
    plan: &Plan,
    question: &PanelQuestion,
    threads: Option<usize>,
) -> Result<PlayedDraw, RunError> {
    let notes = Arc::new(Mutex::new(Notes::default()));
    let witness = Arc::clone(&notes);
    let hooks = Hooks {
        witnesses: Some(Box::new(move |_, _| vec![Box::new(Arc::clone(&witness))])),
        reasons: true,
        ..Hooks::default()
    };
    let mut settings = Settings::default();
    if let Some(threads) = threads {
        (settings.runtime, settings.threads) = (Runtime::Multi, threads);
    }
    let mut ending = Ending::SourceFailed;
    run_hooked(plan, &settings, hooks, |replication| {
        ending = replication.lanes.first().map_or(ending, |lane| lane.ending);
        Ok(())
    })?;
    let met = std::mem::take(&mut locked(&notes).0);
    Ok(sorted(ending, met, question))
}

/// Members and others, of those who came and those who did not.
fn sorted(ending: Ending, met: Vec<Met>, question: &PanelQuestion) -> PlayedDraw {
    let households = question.respondents.households();
    let home = |respondent: u32| households.map(|homes| homes[respondent as usize]);
    let mut came = vec![false; question.respondents.len()];
    let mut members: Vec<u32> = Vec::new();
    let mut passed: Vec<PassedOver> = Vec::new();
    for (at, one) in met.iter().enumerate() {
        came[one.respondent as usize] = true;
        if one.is_chosen {
            members.push(one.respondent);
            continue;
        }
        let is_home =
            |other: &&u32| home(one.respondent).is_some() && home(**other) == home(one.respondent);
        let before = met[..at].iter().rev();
        let mut same_slate = before.take_while(|before| before.round == one.round);
        let why = match members.iter().find(is_home) {
            Some(member) => Why::Household {
                member: Some(*member),
            },
            None if same_slate.any(|before| is_home(&&before.respondent)) => {
                Why::Household { member: None }
            }
            None => Why::Refused {
                reason: one.reason.clone(),
                p: one.p,
            },
        };
        let (respondent, round) = (one.respondent, Some(one.round));
        passed.push(PassedOver {
            respondent,
            round,
            why,
        });
    }
    let late = match ending {
        Ending::Filled => Why::Full,
        _ => Why::Unmet,
    };
    let late = (0..came.len() as u32)
        .filter(|one| !came[*one as usize])
        .map(|respondent| PassedOver {
            respondent,
            round: None,
            why: late.clone(),
        });
    passed.extend(late);
    PlayedDraw {
        ending,
        members,
        passed,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use kleroterion_core::protocol::Respondents;

    /// Three came together in the first round, two in the second, and one never came.
    #[test]
    fn everybody_is_sorted_once_and_households_come_before_the_policy() {
        let names = (0..7).map(|n: u32| n.to_string().into()).collect();
        // 1 and 2 live with each other, and 3 with 0.
        let homes = vec![5, 6, 6, 5, 7, 8, 9];
        let question = PanelQuestion {
            respondents: Arc::new(Respondents::new(0, vec![], Some(homes), names)),
            quotas: vec![],
            members: 1,
        };
        let reason = vec![("score".to_owned(), 0.5)];
        let met = |respondent, round, is_chosen| Met {
            respondent,
            round,
            is_chosen,
            p: Some(0.25),
            reason: reason.clone(),
        };
        let met = [
            met(1, 1, false),
            met(2, 1, false),
            met(0, 1, true),
            met(3, 2, false),
            met(4, 2, false),
        ];
        let refused = || Why::Refused {
            reason: reason.clone(),
            p: Some(0.25),
        };
        for (ending, late) in [
            (Ending::Filled, Why::Full),
            (Ending::SourceEnded, Why::Unmet),
        ] {
            let played = sorted(ending, met.to_vec(), &question);
            assert_eq!(played.members, [0]);
            let due = [
                (1, Some(1), refused()),
                (2, Some(1), Why::Household { member: None }),
                (3, Some(2), Why::Household { member: Some(0) }),
                (4, Some(2), refused()),
                (5, None, late.clone()),
                (6, None, late),
            ];
            let due = due.map(|(respondent, round, why)| PassedOver {
                respondent,
                round,
                why,
            });
            assert_eq!(played.passed, due);
        }
    }
}
