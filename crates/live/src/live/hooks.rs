//! The hooks of a live run in its one replication: the stream that it plays and its observers.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::answerer::Interviewing;
use super::notes::{LaneForfeits, LiveNotes};
use crate::acting::ActingWitness;
use crate::limits::{MOST_PERSONS_BEHIND, MOST_PERSONS_FAR_BEHIND};
use crate::watch::Watched;
use crate::watch::gauges::LaneGauges;
use crate::watch::{CourseWitness, DecisionWitness};
use kleroterion_core::arena::{Ahead, Elsewhere, OutsideMaker, Watcher};
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::Batch;
use kleroterion_core::score::Witness;
use kleroterion_core::source::Source;
use kleroterion_io::seat::SeatTiming;
use kleroterion_io::trace::Names;
use kleroterion_run::config::{Plan, Slow};
use kleroterion_run::run::{self, AnswerersOf, Hooks, TimingOf};

/// The policies of a resumed run that its journal does not bind.
pub(super) struct Joining {
    /// The maker of each policy's seat; `None` for policies that do not play elsewhere.
    pub(super) elsewhere: Vec<Option<OutsideMaker>>,
    /// The number of policies that are new to the journal: the last ones of the plan.
    pub(super) joined: usize,
    /// The labels of policies whose lanes may end in rounds that they had played.
    pub(super) without: Vec<String>,
    /// The last replayed round without deadlines. With `None`, deadlines hold in all rounds that a
    /// lane is not known to have decided.
    pub(super) before: Option<u64>,
    /// The parts for interviews by people, if people hold interviews.
    pub(super) interviewing: Option<Interviewing>,
}

/// How far the stream runs ahead of each lane. The acting policy waits for no shadow that is slow,
/// hangs or never gets ready, until that is far behind. People who interview serve lanes that are
/// near each other.
fn ahead(plan: &Plan, joining: &Joining) -> Vec<Ahead> {
    let by_people = joining.interviewing.is_some();
    let near = |lane| by_people || plan.live.acting.is_none_or(|acting| acting == lane);
    let lanes = 0..plan.lanes.len();
    let slow = |lane: usize| {
        let elsewhere = joining.elsewhere.get(lane)?.as_ref();
        elsewhere.and(plan.lanes[lane].elsewhere)
    };
    let ahead = |lane| match slow(lane) {
        Some(Slow::Lag) => Ahead::Persons(MOST_PERSONS_FAR_BEHIND),
        Some(Slow::Block) => Ahead::Persons(MOST_PERSONS_BEHIND),
        None if near(lane) => Ahead::Batches,
        None => Ahead::Persons(MOST_PERSONS_BEHIND),
    };
    lanes.map(ahead).collect()
}

/// Creates the stream that a live run plays, its observers, and the deadlines of its seats.
pub(super) fn hooks(
    plan: &Plan,
    watched: &Arc<Watched>,
    notes: &Arc<LiveNotes>,
    names: Names,
    source: Box<dyn Source>,
    mut joining: Joining,
) -> Hooks {
    let reported = plan.live.reported;
    let seen = Arc::clone(watched);
    let rounds = Arc::clone(watched);
    let rates = Arc::clone(watched);
    let interviewing = joining.interviewing.clone();
    let interviewed = interviewing.clone();
    let any = run::post(plan, 0, "", names, None);
    let ahead = ahead(plan, &joining);
    let acting = Arc::clone(&notes.acting);
    let makers = std::mem::take(&mut joining.elsewhere);
    let elsewhere = makers.into_iter().zip(&plan.lanes).map(|(maker, lane)| {
        // A program says itself which corrections it did not learn.
        let policy = &lane.policy;
        let corrects = policy.prototype.corrects() || policy.outside.is_some();
        maker.map(|maker| (Elsewhere::new(corrects), maker))
    });
    Hooks {
        elsewhere: elsewhere.collect(),
        answerers: interviewing
            .map(|people| Box::new(move |lane| people.maker(lane)) as AnswerersOf),
        runtime: None,
        source: Some(source),
        witnesses: Some(Box::new(move |lane, scorers| {
            let mut post = any.clone();
            post.label = seen.labels[lane].to_string();
            let mut witnesses: Vec<Box<dyn Witness>> = vec![
                Box::new(ActingWitness::new(Arc::clone(&acting), lane)),
                Box::new(DecisionWitness::new(&seen, lane, post)),
                Box::new(CourseWitness::new(&seen, lane, scorers)),
            ];
            if reported {
                witnesses.push(acting.outcomes().witness(lane));
            }
            witnesses.extend(interviewed.as_ref().map(|people| people.witness(lane)));
            witnesses
        })),
        reasons: true,
        interviewers: joining
            .interviewing
            .as_ref()
            .map(Interviewing::interviewers),
        layouts: Vec::new(),
        timing: Some(timing(plan, watched, notes, joining)),
        watcher: Some(Arc::new(Flow {
            watched: Arc::clone(watched),
            held: Mutex::default(),
        })),
        ahead,
        rounds: Some(Box::new(move |shared| {
            let _ = rounds.rounds.set(Arc::clone(shared));
        })),
        rates: Some(Box::new(move |shared| {
            let _ = rates.rates.set(shared.clone());
        })),
    }
}

/// Sets the deadlines of each lane's seat, with its notes of late answers and endings.
fn timing(
    plan: &Plan,
    watched: &Arc<Watched>,
    notes: &Arc<LiveNotes>,
    joining: Joining,
) -> TimingOf {
    let known = plan.lanes.len().saturating_sub(joining.joined);
    let joined = plan.lanes[known..].iter().map(|lane| lane.label.clone());
    let joined: Vec<_> = joined.collect();
    let acting = plan.live.acting.map(|lane| plan.lanes[lane].label.clone());
    let labels = watched.labels.clone();
    let (watched, notes) = (Arc::clone(watched), Arc::clone(notes));
    Box::new(move |label| {
        let lane = labels.iter().position(|known| **known == *label);
        SeatTiming::Live(Some(Arc::new(LaneForfeits {
            lane: lane.unwrap_or_default(),
            watched: Arc::clone(&watched),
            policy: label.into(),
            notes: Arc::clone(&notes),
            before: joining
                .before
                .unwrap_or_else(|| notes.past.known(label, acting.as_deref() == Some(label))),
            joins: joined.iter().any(|joined| &**joined == label),
            may_end: joining.without.iter().any(|without| without == label),
            acts: acting.as_deref() == Some(label),
        })))
    })
}

/// A watcher that notes which lane holds the stream back.
struct Flow {
    watched: Arc<Watched>,
    held: Mutex<Option<(usize, Instant)>>,
}

impl Flow {
    fn lane(&self, lane: usize) -> &LaneGauges {
        &self.watched.gauges.lanes[lane]
    }
}

impl Watcher for Flow {
    fn sent(&self, batch: &Batch) {
        let gauges = &self.watched.gauges;
        gauges.handed.add(batch.persons().len() as u64);
        gauges.rounds.add(batch.rounds() as u64);
        self.watched.handed.from_round(batch.round_number(0));
    }

    fn waits(&self, lane: usize) {
        self.lane(lane).waiting.add(1);
    }

    fn taken(&self, lane: usize) {
        self.lane(lane).waiting.sub(1);
    }

    fn held(&self, lane: Option<usize>) {
        let mut held = locked(&self.held);
        if let Some((lane, since)) = held.take() {
            let micros = since.elapsed().as_micros() as u64;
            self.lane(lane).held_back.add(micros);
            let (policy, seconds) = (&*self.watched.labels[lane], micros as f64 / 1e6);
            tracing::debug!(policy, seconds, "a lane held the stream back");
        }
        *held = lane.map(|lane| (lane, Instant::now()));
    }
}
