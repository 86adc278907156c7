//! One replication: its lanes, scorers and witnesses are built, played and read.

use std::sync::{Arc, Mutex, PoisonError};

use super::curve::{CURVED, CurveWitness, LaneCurve};
use super::error::RunError;
use super::rates::{RateWitness, SharedRates};
use super::rounds::{RoundWitness, SharedRounds};
use super::seats::{self, SharedPanel};
use super::settings::Settings;
use crate::config::{LanePlan, Plan, scorers};
use crate::limits::{MOST_BATCH_BYTES, MOST_BATCH_PERSONS};
use kleroterion_core::arena::{
    Ahead, AnswererMaker, Arena, ArenaError, Elsewhere, LaneSpec, OutsideMaker, Prototype, Stepper,
    Watcher,
};
use kleroterion_core::draw::Key;
use kleroterion_core::feedback::AnsweredBy;
use kleroterion_core::lock::locked;
use kleroterion_core::pool::{Dynamics, PoolMaker, Reinforcement};
use kleroterion_core::protocol::{Ending, Persons};
use kleroterion_core::score::{LaneResult, Layouts, Scoreboard, Scorer, Witness};
use kleroterion_core::source::Source;
use kleroterion_io::seat::{ProgramWords, SeatTiming, hushed};
use kleroterion_io::trace::{
    DecisionLog, Interviewers, ListedPeople, Names, PeopleLog, Post, PostSetting,
};
use kleroterion_stats::{LaneStream, RoundEvidence, Rounds};

/// A replication that has been played.
pub struct Replication {
    /// The number of the replication, from 0.
    pub number: u64,
    /// One result for each lane, in the plan's order.
    pub lanes: Vec<LaneResult>,
    /// The requested lists of people, in label order.
    pub people: Vec<PeopleLog>,
    /// The decisions, if requested.
    pub decisions: Vec<DecisionLog>,
    /// The number of people who did not fill a last slate.
    pub left_over: u64,
    /// The evidence on pairs of policies from its rounds. Only the first replication has it.
    pub rounds: RoundEvidence,
    /// The evidence on each policy by itself. Only the first replication has it.
    pub streams: Vec<Option<LaneStream>>,
    /// The curves of each lane's measures over the run, if requested.
    pub curves: Vec<LaneCurve>,
    /// The respondents chosen by each lane, if chances are counted.
    pub panels: Vec<Vec<u32>>,
}

/// A function that makes witnesses of a lane from its place in the plan and its scorers.
pub type WitnessMaker =
    Box<dyn Fn(usize, &[Box<dyn Scorer>]) -> Vec<Box<dyn Witness>> + Send + Sync>;

/// A function that returns the timing of a lane's seat, by the lane's label.
pub type TimingOf = Box<dyn Fn(&str) -> SeatTiming + Send + Sync>;

/// A function that makes the answerer of a lane, by its place in the plan, if interviews are
/// answered outside.
pub type AnswerersOf = Box<dyn Fn(usize) -> AnswererMaker + Send + Sync>;

/// A function that receives the comparison of a replication, round by round.
pub type RoundsTaker = Box<dyn FnOnce(&SharedRounds) + Send>;

/// A function that receives the selections of a replication's lanes.
pub type RatesTaker = Box<dyn FnOnce(&SharedRates) + Send>;

/// Overrides and observers of one replication. Observers do not change results.
#[derive(Default)]
pub struct Hooks {
    /// The runtime to play on. If `None`, the replication has its own.
    pub runtime: Option<tokio::runtime::Handle>,
    /// The stream that replaces the plan's own.
    pub source: Option<Box<dyn Source>>,
    /// The maker of additional witnesses of a lane.
    pub witnesses: Option<WitnessMaker>,
    /// True if policies give reasons to these witnesses.
    pub reasons: bool,
    /// The timing of each lane's seat. If `None`, the clock does not count.
    pub timing: Option<TimingOf>,
    /// The answerers of interviews from outside, by lane.
    pub answerers: Option<AnswerersOf>,
    /// For each lane, the seat and the outside policy if the lane plays elsewhere, else `None`.
    pub elsewhere: Vec<Option<(Elsewhere, OutsideMaker)>>,
    /// The record of which person answered which interview or offer.
    pub interviewers: Option<Interviewers>,
    /// The observer of the flow.
    pub watcher: Option<Arc<dyn Watcher>>,
    /// The distance that the stream may run ahead of each lane. Without an entry it is a few
    /// batches.
    pub ahead: Vec<Ahead>,
    /// The receiver of the comparison of policies, round by round.
    pub rounds: Option<RoundsTaker>,
    /// The receiver of the lanes' selections.
    pub rates: Option<RatesTaker>,
    /// The layouts that each lane's values had in earlier replications. A lane without an entry
    /// makes its own.
    pub layouts: Vec<Arc<Layouts>>,
}

/// The persons of a batch, about, where the user does not set them.
fn default_batch(plan: &Plan) -> usize {
    MOST_BATCH_PERSONS
        .min(MOST_BATCH_BYTES / Persons::bytes_each(&plan.world.schema))
        .max(1)
}

/// The records that the witnesses of a replication write, shared with them until it has been
/// played.
struct Records<'a> {
    plan: &'a Plan,
    settings: &'a Settings,
    number: u64,
    rounds: Option<SharedRounds>,
    rates: Option<SharedRates>,
    people: Vec<(&'a str, Arc<Mutex<PeopleLog>>)>,
    decisions: Vec<Arc<Mutex<DecisionLog>>>,
    curves: Vec<Arc<Mutex<CurveWitness>>>,
    panels: Vec<SharedPanel>,
    /// The record of which person answered what, if people answer.
    interviewers: Option<Interviewers>,
}

impl<'a> Records<'a> {
    fn new(plan: &'a Plan, settings: &'a Settings, number: u64) -> Self {
        let labels: Vec<&str> = plan.lanes.iter().map(|lane| &*lane.label).collect();
        // An interrupted run may keep its first replication alone, judged as one stream.
        let is_first = number == 0;
        let rounds = is_first.then(|| Rounds::new(&labels, &plan.judge));
        let rounds = rounds.flatten().map(|rounds| Arc::new(Mutex::new(rounds)));
        Self {
            plan,
            settings,
            number,
            rounds,
            rates: is_first.then(|| SharedRates::new(plan)),
            people: Vec::new(),
            decisions: Vec::new(),
            curves: Vec::new(),
            panels: Vec::new(),
            interviewers: None,
        }
    }

    /// Returns true if the traces of this replication are written.
    fn is_traced(&self) -> bool {
        self.number == 0 || self.settings.traces.all_replications
    }

    /// Adds the witnesses that write these records to a lane's scoreboard.
    fn watch(&mut self, place: usize, scoreboard: &mut Scoreboard) {
        if let Some(rounds) = &self.rounds {
            let witness = RoundWitness::new(place, scoreboard.scorers(), rounds);
            scoreboard.add_witness(Box::new(witness));
        }
        if let Some(rates) = &self.rates {
            let witness = RateWitness::new(place, rates, self.plan);
            scoreboard.add_witness(Box::new(witness));
        }
        if seats::counted(self.plan).is_some() {
            let panel = SharedPanel::default();
            scoreboard.add_witness(Box::new(panel.clone()));
            self.panels.push(panel);
        }
        if self.settings.traces.curves && self.number < CURVED {
            let curve = Arc::new(Mutex::new(CurveWitness::new(self.plan)));
            scoreboard.add_witness(Box::new(Arc::clone(&curve)));
            self.curves.push(curve);
        }
        let label = &self.plan.lanes[place].label;
        let names = self.settings.names.clone();
        let interviewers = || self.interviewers.clone();
        let post = || post(self.plan, self.number, label, names.clone(), interviewers());
        let traces = self.settings.traces;
        if !self.is_traced() {
            return;
        }
        for listed in traces.lists(self.plan) {
            let log = Arc::new(Mutex::new(PeopleLog::new(listed, post())));
            scoreboard.add_witness(Box::new(Arc::clone(&log)));
            self.people.push((label, log));
        }
        if traces.decisions {
            let log = Arc::new(Mutex::new(DecisionLog::new(post())));
            scoreboard.add_witness(Box::new(Arc::clone(&log)));
            self.decisions.push(log);
        }
    }

    /// The replication, once its lanes have ended and dropped their witnesses.
    fn into_replication(mut self, lanes: Vec<LaneResult>, left_over: u64) -> Replication {
        self.people.sort_by_key(|(label, _)| *label);
        let people = self.people.into_iter();
        let people = people.filter_map(|(_, log)| sole(log));
        let rounds = self
            .rounds
            .map_or_else(RoundEvidence::default, |rounds| locked(&rounds).read());
        let curves = self.curves.into_iter().filter_map(sole);
        Replication {
            number: self.number,
            curves: curves.map(CurveWitness::into_curve).collect(),
            lanes,
            people: people.collect(),
            decisions: self.decisions.into_iter().filter_map(sole).collect(),
            left_over,
            rounds,
            streams: self.rates.map_or_else(Vec::new, |rates| rates.streams()),
            panels: self.panels.iter().map(SharedPanel::take).collect(),
        }
    }
}

/// A log that no witness holds any more.
fn sole<L>(log: Arc<Mutex<L>>) -> Option<L> {
    let log = Arc::into_inner(log)?;
    Some(log.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Plays one replication on the current runtime.
pub(super) async fn play(
    plan: &Plan,
    settings: &Settings,
    number: u64,
    mut hooks: Hooks,
) -> Result<Replication, RunError> {
    let key = Key::new(plan.seed, number);
    let mut records = Records::new(plan, settings, number);
    records.interviewers = hooks.interviewers.take();
    if let (Some(take), Some(rounds)) = (hooks.rounds.take(), &records.rounds) {
        take(rounds);
    }
    if let (Some(take), Some(rates)) = (hooks.rates.take(), &records.rates) {
        take(rates);
    }
    let (source, watcher) = (hooks.source.take(), hooks.watcher.take());
    let lanes = plan.lanes.iter().enumerate();
    let lanes = lanes.map(|(place, lane)| lane_spec(place, lane, &mut records, &hooks));
    let arena = arena(plan, settings, key, lanes.collect(), source);
    let played = arena.play_watched(watcher, &hooks.ahead).await?;
    let lanes = played.lanes.into_iter().map(|(scoreboard, stop)| {
        let mut result = scoreboard.finish(stop);
        keep_names(&mut result);
        result
    });
    let lanes = lanes.collect();
    Ok(records.into_replication(lanes, played.left_over))
}

/// The arena of these lanes of a plan.
fn arena<'a>(
    plan: &Plan,
    settings: &Settings,
    key: Key,
    mut lanes: Vec<LaneSpec<'a>>,
    source: Option<Box<dyn Source>>,
) -> Arena<'a> {
    let answerer = plan.answering.of(key, lanes.len(), settings.words());
    for lane in &mut lanes {
        lane.answerer = lane.answerer.take().or_else(|| answerer.clone());
    }
    Arena {
        key,
        source: source.unwrap_or_else(|| (plan.world.source)(key)),
        feedback: plan.feedback.clone(),
        carrier: settings.carrier,
        lanes,
        persons: settings.batch.unwrap_or_else(|| default_batch(plan)),
        interrupt: Arc::clone(&settings.interrupt),
    }
}

/// Begins a lane of a plan's replication, by its place, that is stepped by hand in place of its
/// policy. The same moves give the same scores as in a run.
///
/// # Errors
/// As [`Stepper::begin`].
///
/// # Panics
/// Panics if the plan has no lane at this place, and as [`Stepper::begin`] does.
///
/// ```
/// use std::path::Path;
///
/// use kleroterion_core::arena::Step;
/// use kleroterion_core::protocol::{Ending, Move};
/// use kleroterion_run::config::{Document, check};
/// use kleroterion_run::presets::PRESETS;
/// use kleroterion_run::run::{Settings, stepper};
///
/// let plan = check(&Document::parse(PRESETS[0].text)?, Path::new("."))?;
/// let mut stepper = stepper(&plan, &Settings::default(), 0, 0)?;
/// while let Step::Acts(view) = stepper.step() {
///     let accepts = view.places_left() > Some(0);
///     stepper.answer(Move::decide(accepts))?;
/// }
/// let (scores, stop) = stepper.finish()?.lanes.remove(0);
/// assert_eq!(stop.ending, Ending::Filled);
/// assert!(scores.finish(stop).rows().any(|row| &*row.metric == "screened"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stepper(
    plan: &Plan,
    settings: &Settings,
    replication: u64,
    lane: usize,
) -> Result<Stepper, ArenaError> {
    let key = Key::new(plan.seed, replication);
    let mut records = Records::new(plan, settings, replication);
    let hooks = Hooks::default();
    let spec = lane_spec(lane, &plan.lanes[lane], &mut records, &hooks);
    Stepper::begin(arena(plan, settings, key, vec![spec], None), 0)
}

/// Disqualifies a lane whose policy reported a measure under a name that the run keeps: one
/// that a scorer measures, whose value would stand aside for the policy's own. The scorers' rows
/// come first and stay.
///
/// This is detected only when the lane ends, because only the rows show which names the
/// scorers of a run have.
fn keep_names(result: &mut LaneResult) {
    if let Some(name) = result.leave_out_doubles()
        && result.ending.is_comparable(false)
    {
        let detail = format!("reported a measure called `{name}`, a name that the run keeps");
        result.ending = Ending::Disqualified;
        result.detail = Some(detail);
    }
}

/// Builds a lane with its scorers and all its witnesses.
fn lane_spec<'a>(
    place: usize,
    lane: &'a LanePlan,
    records: &mut Records<'a>,
    hooks: &'a Hooks,
) -> LaneSpec<'a> {
    let plan = records.plan;
    let layouts = hooks.layouts.get(place).cloned().unwrap_or_default();
    let mut scoreboard = Scoreboard::sharing(layouts, scorers(plan, lane), plan.moments.clone())
        .knowing(&plan.judge.catalogue);
    let watching = hooks.witnesses.as_ref();
    let watching = watching.map(|make| make(place, scoreboard.scorers()));
    records.watch(place, &mut scoreboard);
    for witness in watching.into_iter().flatten() {
        scoreboard.add_witness(witness);
    }
    let timing = hooks.timing.as_ref();
    let timing = timing.map_or(SeatTiming::Simulated, |timing| timing(&lane.label));
    let words = records.settings.words();
    let elsewhere = hooks.elsewhere.get(place).and_then(Option::as_ref);
    let here = || {
        let outside = lane.policy.outside.as_ref();
        let outside = outside.map(|spec| spec.maker(timing, words));
        (&*lane.policy.prototype, outside)
    };
    let there = |(policy, outside): &'a (Elsewhere, OutsideMaker)| {
        let outside = match words {
            ProgramWords::Shown => Arc::clone(outside),
            ProgramWords::Hidden => hushed(Arc::clone(outside)),
        };
        (policy as &dyn Prototype, Some(outside))
    };
    let (prototype, outside) = elsewhere.map_or_else(here, there);
    LaneSpec {
        label: &lane.label,
        rules: Arc::clone(&plan.rules),
        prototype,
        pool: plan.pool.clone().map(pool_maker),
        outside,
        answerer: hooks.answerers.as_ref().map(|maker| maker(place)),
        scoreboard,
        traced: hooks.reasons || records.is_traced() && records.settings.traces.decisions,
        itemised: records.is_traced()
            && records
                .settings
                .traces
                .lists(plan)
                .any(ListedPeople::is_of_items),
    }
}

/// Plays the first replication on the current runtime, whatever its clock.
pub async fn play_one(
    plan: &Plan,
    settings: &Settings,
    hooks: Hooks,
) -> Result<Replication, RunError> {
    play(plan, settings, 0, hooks).await
}

/// Returns the maker of a lane's own pool.
pub fn pool_maker(dynamics: Dynamics) -> PoolMaker {
    Arc::new(move |_| Box::new(Reinforcement::new(dynamics.clone())))
}

/// Makes the post of a lane of a replication.
pub fn post(
    plan: &Plan,
    replication: u64,
    label: &str,
    names: Names,
    interviewers: Option<Interviewers>,
) -> Post {
    let kinds = plan.rules.interviews.iter();
    Post {
        replication,
        label: label.to_owned(),
        names,
        setting: Arc::new(PostSetting {
            kinds: kinds.map(|kind| kind.name.to_string()).collect(),
            pool: plan.pool.as_ref().map(|pool| pool.attribute),
            looks_by: by(plan.feedback.looks.as_ref()),
            offers_by: by(plan.feedback.offers.as_ref()),
            interviewers,
        }),
    }
}

/// Returns the source of answers, in a word.
fn by(who: Option<&AnsweredBy>) -> String {
    match who {
        Some(AnsweredBy::Drawn(_)) => "generated".into(),
        Some(AnsweredBy::Outside) => "program".into(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::score::MetricRow;

    #[test]
    fn an_ending_that_says_more_stays() {
        let row = |metric: &str| MetricRow {
            metric: metric.into(),
            at: None,
            value: 1.0,
        };
        for ending in [Ending::Interrupted, Ending::Panicked] {
            let mut result = LaneResult::new(ending, None, vec![row("screened"), row("screened")]);
            keep_names(&mut result);
            assert_eq!((result.ending, result.rows().count()), (ending, 1));
        }
    }
}
