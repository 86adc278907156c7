//! Committees of respondents who are known beforehand: their setup, and the key `keep_feasible`.

use super::ready::Ready;
use crate::document::{ConfigKey, Field, Reader};
use kleroterion_core::arena::{Blind, Prototype};
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::{Choose, Quota, Respondents, Rules, Until};
use kleroterion_policies::committee::{KeepFeasible, KnownPool, quotas_around};
use kleroterion_sortition::PanelQuestion;
use kleroterion_sortition::completion::{Completion, NoCompletion};
use std::sync::Arc;

pub(super) const KEEP_FEASIBLE: ConfigKey<bool> = ConfigKey::flag("keep_feasible")
    .about(
        "overrule a decision after which no committee keeps all quotas; needs respondents who are \
         known beforehand",
    )
    .or(false);

/// The measure that counts programs which were not decided within their nodes.
pub(super) const UNDECIDED: &str = "undecided_programs";

/// The known pool that keeps a policy's committee feasible, if any, with notes for the reader of
/// the run.
pub(super) struct Keeps {
    known: Option<KnownPool>,
    notes: Vec<String>,
}

impl Keeps {
    /// Reads the key and sets up what it asks for. `None` if something is wrong, which is noted.
    pub(super) fn read(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Self> {
        let field = KEEP_FEASIBLE.field(table);
        match KEEP_FEASIBLE.value_of(&field)? {
            true => Self::set_up(&field, brief),
            false => Some(Self {
                known: None,
                notes: Vec::new(),
            }),
        }
    }

    fn set_up(field: &Field<'_>, brief: &Brief<'_>) -> Option<Self> {
        let (people, rules) = (respondents(field, brief), brief.rules);
        let members = rules.and_then(|rules| members(field, rules));
        if brief.kept.is_none() && brief.target.is_absent() {
            field.refuse(
                "`keep_feasible` needs quotas to keep, and the config has neither a [target] nor \
                 quotas of a run",
                "for example: [target] with categories = \"categories.csv\"",
            );
        }
        let (people, rules, members) = (people?, rules?, members?);
        let quotas = quotas(brief.kept, brief, members)?;
        match completion(people, quotas, members) {
            Ok(completion) => Some(Self {
                known: Some(KnownPool::new(completion, brief.slate != Some(1))),
                notes: short_notes(rules, brief, people).collect(),
            }),
            // The check of the quotas says which of them clash.
            Err(why @ NoCompletion::Impossible)
                if brief.quotas.is_some() && brief.kept == brief.quotas =>
            {
                Some(Self {
                    known: None,
                    notes: vec![format!("{why}, so nothing is overruled")],
                })
            }
            Err(why) => {
                let (of, help) = match brief.kept {
                    Some(_) => ("", "widen the quotas"),
                    None => (
                        " (the target's seats rounded down and up)",
                        "name a file of wider quotas as `categories` in [target]",
                    ),
                };
                field.refused(
                    format!("{why}{of}"),
                    format!("{help}, make the committee smaller, or leave out `keep_feasible`"),
                )
            }
        }
    }

    /// A policy that is kept feasible where that was asked for.
    pub(super) fn ready<P>(self, policy: P) -> Ready
    where
        Blind<P>: Prototype + 'static,
        Blind<KeepFeasible<P>>: Prototype + 'static,
    {
        let ready = match self.known {
            Some(known) => Ready::blind(KeepFeasible::new(policy, known)),
            None => Ready::blind(policy),
        };
        ready.noted(self.notes)
    }
}

/// The quotas and respondents that `quota_lookahead` plans with.
pub(super) struct Ahead {
    /// The quotas that it keeps.
    pub(super) quotas: Vec<Vec<Quota>>,
    /// The respondents, if they are known and a committee of them exists.
    pub(super) known: KnownPool,
    /// Notes for the reader of the run.
    pub(super) notes: Vec<String>,
}

impl Ahead {
    /// Collects the quotas for a committee of `members`. With known respondents these are all
    /// quotas of the committee, otherwise those of the file. Without quotas they are bounds around
    /// the target.
    pub(super) fn new(brief: &Brief<'_>, members: u32) -> Option<Self> {
        let people = brief.known.and_then(|known| known.respondents.as_ref());
        let Some(people) = people else {
            return Some(Self {
                quotas: quotas(brief.quotas, brief, members)?,
                known: KnownPool::default(),
                notes: Vec::new(),
            });
        };
        let quotas = quotas(brief.kept, brief, members)?;
        let (known, notes) = match completion(people, quotas.clone(), members) {
            Ok(completion) => (
                KnownPool::new(completion, brief.slate != Some(1)),
                short_notes(brief.rules?, brief, people).collect(),
            ),
            Err(why) => {
                let note = format!("{why}, so each attribute is looked at by itself");
                (KnownPool::default(), vec![note])
            }
        };
        Some(Self {
            quotas,
            known,
            notes,
        })
    }
}

fn completion(
    people: &Arc<Respondents>,
    quotas: Vec<Vec<Quota>>,
    members: u32,
) -> Result<Completion, NoCompletion> {
    let respondents = Arc::clone(people);
    let question = PanelQuestion {
        respondents,
        quotas,
        members,
    };
    Completion::new(&question)
}

/// Quotas that the config gives, else those around the target.
fn quotas(
    given: Option<&[Vec<Quota>]>,
    brief: &Brief<'_>,
    members: u32,
) -> Option<Vec<Vec<Quota>>> {
    match given {
        Some(quotas) => Some(quotas.to_vec()),
        None => Some(quotas_around(brief.schema?, brief.target.is()?, members)),
    }
}

/// The respondents; that they are not known beforehand is noted.
fn respondents<'a>(field: &Field<'_>, brief: &Brief<'a>) -> Option<&'a Arc<Respondents>> {
    let people = brief.known?.respondents.as_ref();
    people.or_else(|| {
        field.refused(
            "`keep_feasible` needs respondents who are known beforehand, each of whom comes once",
            "take a source of type \"respondents\" or \"file\" with order = \"shuffled\" and no \
             [pool], or leave out `keep_feasible`",
        )
    })
}

/// The committee's size; that the rules set none, or fix how many of a slate are chosen, is noted.
fn members(field: &Field<'_>, rules: &Rules) -> Option<u32> {
    let is_fixed = matches!(rules.choose, Choose::Exactly(_) | Choose::Share(_));
    if is_fixed {
        field.refuse(
            "`keep_feasible` overrules whom to choose, and the rules fix how many of a slate",
            "set choose = \"at_most_one\", \"any\" or { at_most = 2 } in [rules]",
        );
    }
    let members = match rules.until {
        Until::Accepted(members) => u32::try_from(members).ok(),
        Until::Rounds(_) | Until::SourceEnds => None,
    };
    if members.is_none() {
        field.refuse(
            "`keep_feasible` needs the committee's size, at most 4,294,967,295",
            "end the run with until = { accepted = 150 } in [rules]",
        );
    }
    members.filter(|_| !is_fixed)
}

/// Returns a note if a run ends before all respondents have come.
fn short_notes(
    rules: &Rules,
    brief: &Brief<'_>,
    people: &Respondents,
) -> impl Iterator<Item = String> {
    let slate = u64::from(brief.slate.unwrap_or(1));
    let come = rules
        .max_rounds
        .saturating_mul(slate)
        .min(people.len() as u64 / slate * slate);
    let missing = people.len() as u64 - come;
    let note = format!(
        "{missing} of the {} respondents never come, and which is not known beforehand, so quotas \
         may be missed",
        people.len()
    );
    (missing > 0).then_some(note).into_iter()
}
