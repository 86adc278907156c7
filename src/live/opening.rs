//! The journal of a live run, opened, and what can be seen of the run.

use std::sync::Arc;
use std::time::Instant;

use tracing::info;

use super::notes::Past;
use super::options::{LiveError, Origin};
use crate::config::Plan;
use crate::journal::{Journal, JournalEntry, JournalReader};
use crate::problem::Problems;
use crate::watch::Watched;

/// The journal to write, where one is written, and what it imposes.
pub(super) fn open(
    origin: Origin<'_>,
    facts: &[(&str, String)],
    joins: Option<&str>,
    prepare: Box<dyn FnOnce() -> Result<(), Problems> + '_>,
) -> Result<(Option<Journal>, Past), LiveError> {
    let mut past = Past::default();
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
                persons = past.persons(),
                seconds = started.elapsed().as_secs_f64(),
                "the journal is whole and goes on"
            );
            Some(journal)
        }
        Origin::Again(folder) => {
            JournalReader::open(folder)?.read_all(|entry| past.add(entry))?;
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

/// What can be seen of a run of this plan.
pub(super) fn watched(plan: &Plan) -> Arc<Watched> {
    let labels = plan.lanes.iter().map(|lane| Arc::from(&*lane.label));
    let watched = Watched::new(
        plan.name.clone(),
        Arc::clone(&plan.world.schema),
        labels.collect(),
        plan.live.acting,
        plan.judge.clone(),
    );
    if plan.live.reported {
        watched.outcomes.expect(plan.live.outcome_range);
    }
    for (lane, plan) in plan.lanes.iter().enumerate() {
        if plan.policy.prototype.corrects() {
            watched.outcomes.note_corrects(lane);
        }
    }
    Arc::new(watched.falling_back(plan.live.fallback))
}
