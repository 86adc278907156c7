//! Opening of a live run's journal, and of the run's visible state.

use std::sync::Arc;
use std::time::Instant;

use tracing::info;

use super::notes::Past;
use super::options::{LiveError, Origin};
use crate::acting::{Acting, Actors};
use crate::looks::{Asked, Audience, DeskView, LookDesk, LookKey, OfferedKind};
use crate::watch::Watched;
use crate::watch::served::ServedReport;
use kleroterion_core::problem::Problems;
use kleroterion_core::protocol::OFFER;
use kleroterion_io::journal::{Journal, JournalEntry, JournalLook, JournalReader};
use kleroterion_run::config::Plan;
use kleroterion_stats::RunResult;

/// Opens the journal to write, if one is written. Returns it with the past that it imposes.
pub(super) fn open(
    origin: Origin<'_>,
    mut past: Past,
    facts: &[(&str, String)],
    joins: Option<&str>,
    prepare: Box<dyn FnOnce() -> Result<(), Problems> + '_>,
) -> Result<(Option<Journal>, Past), LiveError> {
    let mut prepare = Some(prepare);
    let mut ready = || prepare.take().map_or(Ok(()), |prepare| prepare());
    if !matches!(origin, Origin::Resumed(_)) {
        ready()?;
    }
    let mut journal = match origin {
        Origin::New(folder) => Some(Journal::create(folder, facts)?),
        Origin::Resumed(folder) => {
            let started = Instant::now();
            let journal = Journal::resume(folder, |entry| past.add(entry))?;
            info!(
                entries = journal.last_seq(),
                persons = past.persons,
                seconds = started.elapsed().as_secs_f64(),
                "the journal is whole and goes on"
            );
            Some(journal)
        }
        Origin::Again(folder) => {
            let mut reader = JournalReader::open(folder)?;
            // Corrections find their people by an index.
            reader.examine()?;
            reader.read_all(|entry| past.add(entry))?;
            None
        }
        Origin::Unkept => Some(Journal::temporary()?),
    };
    // The folder of a run that goes on stays untouched until its journal is known to be whole.
    ready()?;
    if let (Some(journal), Some(joins)) = (&mut journal, joins) {
        journal.add(&JournalEntry::Join(joins.into()))?;
        journal.commit()?;
    }
    Ok((journal, past))
}

/// Creates the visible state of a run of this plan.
pub(super) fn watched(
    plan: &Plan,
    desk: Option<DeskView>,
    report: Arc<ServedReport>,
) -> Arc<Watched> {
    let labels = plan.lanes.iter().map(|lane| Arc::from(&*lane.label));
    let mut watched = Watched::new(
        plan.name.clone(),
        Arc::clone(&plan.world.schema),
        labels.collect(),
        plan.live.acting,
        plan.judge.clone(),
    );
    if plan.live.reported {
        let feed = plan.world.feed.as_ref();
        let has_horizon = feed.is_some_and(|feed| feed.horizon.is_some());
        watched
            .outcomes
            .expect(plan.live.outcome_range, has_horizon);
    }
    for (lane, plan) in plan.lanes.iter().enumerate() {
        if plan.policy.prototype.corrects() {
            watched.outcomes.note_corrects(lane);
        }
    }
    let programs = plan.lanes.iter().map(|lane| lane.policy.outside.as_ref());
    let errors = programs.map(|spec| Some(Arc::clone(spec?.last_error())));
    watched.errors = errors.collect();
    watched.kinds = plan.lanes.iter().map(|lane| lane.kind).collect();
    watched.until = Some(plan.rules.until);
    watched.decisions.fallback = plan.live.fallback;
    watched.one_by_one = plan.judge.one_by_one;
    watched.report = report;
    watched.desk = desk;
    Arc::new(watched)
}

/// Whose decisions count in a run of this plan; `noted`: the last round that the journal says all
/// lanes have decided.
pub(super) fn acting(plan: &Plan, watched: &Arc<Watched>, noted: u64) -> Arc<Acting> {
    let mut programs = plan.lanes.iter().map(|lane| &lane.policy.outside);
    let actors = Actors {
        labels: watched.labels.clone(),
        acting: plan.live.acting,
        fallback: plan.live.fallback,
        are_noted: programs.any(Option::is_some),
    };
    let outcomes = Arc::clone(&watched.outcomes);
    Arc::new(Acting::new(actors, Arc::clone(watched), outcomes, noted))
}

/// The desk where lanes wait for interviewers, where people answer. `people`: whether there are
/// any; where a journal is played again there are none.
pub(super) fn desk(plan: &Plan, people: bool) -> Option<Arc<LookDesk>> {
    if !plan.live.asks_people() {
        return None;
    }
    let interviews = match plan.live.interviewers {
        Some(_) => &*plan.rules.interviews,
        None => &[],
    };
    let interviews = interviews.iter().map(|kind| OfferedKind {
        name: kind.name.as_str().into(),
        cost: kind.cost,
    });
    let offer = plan.live.offers.then(|| OfferedKind {
        name: OFFER.into(),
        cost: 0.0,
    });
    let kinds = interviews.chain(offer);
    let audience = match (people, plan.live.acting) {
        (false, _) => Audience::None,
        (true, None) => Audience::All,
        (true, Some(lane)) => Audience::Acting {
            lane,
            fallback: plan.live.fallback,
        },
    };
    Some(Arc::new(LookDesk::new(
        kinds.collect(),
        plan.lanes.len(),
        audience,
    )))
}

/// Puts the journal's interviews on the desk. Kinds that the config no longer has are left out.
pub(super) fn remember(desk: &LookDesk, past: &Past) {
    let key = |candidate: &str, look: &JournalLook| {
        let kinds = desk.kinds();
        let kind = kinds.iter().position(|kind| *kind.name == *look.kind)?;
        Some(LookKey {
            candidate: candidate.into(),
            kind,
            nth: look.nth,
        })
    };
    desk.change(|book| {
        for entry in &past.looks {
            match entry {
                JournalEntry::Asked(id, asked) => {
                    let look = key(id, &asked.look);
                    if let Some(look) = look {
                        book.note_asked(Asked { look, at: asked.at });
                    }
                }
                JournalEntry::Answer(id, answered) => {
                    if let Some(look) = key(id, &answered.look) {
                        let by = answered.by.as_deref();
                        book.note_answer(look.clone(), answered.value);
                        by.into_iter()
                            .for_each(|by| book.note_interviewer(&look, by));
                    }
                }
                JournalEntry::Miss(id, look) => {
                    if let Some(look) = key(id, look) {
                        book.miss(&look);
                    }
                }
                JournalEntry::Withdrawal(id, _) => {
                    book.withdraw(id);
                }
                _ => {}
            }
        }
        book.commit();
    });
}

/// Writes to the result what was reported of outcomes, and which policy's decisions counted.
pub(super) fn write_reported(plan: &Plan, acting: &Acting, result: &mut RunResult) {
    if plan.live.reported {
        acting.outcomes().write(result);
    }
    acting.write(result);
}
