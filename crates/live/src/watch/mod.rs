//! What may be seen of a live run while it goes on.
//!
//! The run's tasks write here and the web's read; nothing leads back into a run.

pub mod acting;
pub mod courses;
pub mod cut;
pub mod decisions;
pub mod gauges;
mod heard;
pub mod latency;
mod one_moment;
pub mod outcomes;
pub mod refused;
pub mod remote;
pub mod served;
pub mod times;
mod witness;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use acting::Acts;
pub use witness::{ALPHA, CourseWitness, DecisionWitness};

use tokio::sync::watch;

use self::courses::Courses;
use self::cut::Cuts;
use self::decisions::{Decisions, LaneDecision};
use self::gauges::Gauges;
use self::latency::Handed;
use self::outcomes::WatchedOutcomes;
use self::refused::FirstRefused;
use self::served::ServedReport;
use self::times::Times;
use crate::looks::DeskView;
use kleroterion_core::protocol::{Schema, Stop, Until};
use kleroterion_io::feed::FeedLink;
use kleroterion_io::seat::LastError;
use kleroterion_run::run::SharedRates;
use kleroterion_stats::{Judge, Rounds};

/// How far a live run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// What the journal holds is played again.
    Replaying,
    /// It follows the stream.
    Following,
    /// No lane plays any more.
    Over,
}

/// How far the slates are of a run where someone closes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlateStatus {
    /// Slates that are closed.
    pub closed: u64,
    /// How many there are to be.
    pub last: u64,
    /// How many people are on the slate that is open.
    pub people: u64,
}

/// What is to be seen of a live run.
pub struct Watched {
    /// The run's name.
    pub name: String,
    /// The policies' labels, in the run's order.
    pub labels: Vec<Arc<str>>,
    /// The kinds of the policies, in the same order; empty where they are not known.
    pub kinds: Vec<&'static str>,
    /// What the program of each policy wrote last to its standard error, where a program plays.
    pub errors: Vec<Option<Arc<LastError>>>,
    /// When lanes end, where that is known.
    pub until: Option<Until>,
    /// Whether people come one by one: then a round is a person.
    pub one_by_one: bool,
    /// How the first person can be sent, as a command; where people come by HTTP.
    pub first_step: OnceLock<String>,
    /// When people came.
    pub times: Times,
    /// The report, once the run is over and it is written.
    pub report: Arc<ServedReport>,
    /// The place of the policy that counts, where one does.
    pub acting: Option<usize>,
    /// The place of the policy that counts once the acting one has broken off, where one does.
    pub fallback: Option<usize>,
    /// What is judged, and how strictly.
    pub judge: Judge,
    /// Whether the recorder has failed, so that nothing more is taken.
    pub has_failed: AtomicBool,
    /// The latest decisions.
    pub decisions: Decisions,
    /// The measures' courses.
    pub courses: Courses,
    /// What the lanes leave for who looks.
    cuts: Cuts,
    /// The comparison round by round, where there is one.
    pub rounds: OnceLock<Arc<Mutex<Rounds>>>,
    /// What each lane selects, group by group.
    pub rates: OnceLock<SharedRates>,
    /// The connection of the feed, where it reads from a server elsewhere.
    pub link: OnceLock<Arc<FeedLink>>,
    /// Counts and queue depths.
    pub gauges: Gauges,
    /// The first records that were refused.
    pub refused: Mutex<FirstRefused>,
    /// What became of those chosen.
    pub outcomes: Arc<WatchedOutcomes>,
    /// The round up to which the decisions of the policy that counts are committed: they are shown
    /// from then on.
    pub acted: watch::Sender<u64>,
    /// The round up to which the journal says that all lanes have decided: what programs decide is
    /// shown from then on.
    pub noted: watch::Sender<u64>,
    /// When rounds were handed out.
    pub handed: Handed,
    /// How each lane ended, where it has.
    pub ends: Mutex<Vec<Option<Stop>>>,
    /// How far the slates are, where someone closes them.
    pub slate: watch::Sender<Option<SlateStatus>>,
    /// Where lanes wait for interviewers, where people answer.
    pub desk: Option<DeskView>,
    /// How far it is.
    pub stage: watch::Sender<Stage>,
}

impl Watched {
    /// Nothing seen of a run yet: it replays.
    #[must_use]
    pub fn new(
        name: String,
        schema: Arc<Schema>,
        labels: Vec<Arc<str>>,
        acting: Option<usize>,
        judge: Judge,
    ) -> Self {
        let lanes = labels.len();
        Self {
            has_failed: AtomicBool::new(false),
            decisions: Decisions::new(&labels, acting),
            courses: Courses::new(lanes, &judge),
            cuts: Cuts::new(lanes),
            rounds: OnceLock::new(),
            rates: OnceLock::new(),
            link: OnceLock::new(),
            gauges: Gauges::new(lanes),
            handed: Handed::default(),
            refused: Mutex::default(),
            outcomes: WatchedOutcomes::new(&labels, acting, &schema, judge.alpha_of_rates()),
            acted: watch::Sender::new(0),
            noted: watch::Sender::new(u64::MAX),
            ends: Mutex::new(vec![None; lanes]),
            slate: watch::Sender::new(None),
            desk: None,
            stage: watch::Sender::new(Stage::Replaying),
            kinds: vec![""; lanes],
            errors: vec![None; lanes],
            until: None,
            one_by_one: false,
            first_step: OnceLock::new(),
            times: Times::default(),
            report: Arc::default(),
            name,
            labels,
            acting,
            fallback: None,
            judge,
        }
    }

    /// The same, of a run whose interviewers are people.
    #[must_use]
    pub fn with_desk(mut self, desk: Option<DeskView>) -> Self {
        self.desk = desk;
        self
    }

    /// The same, of policies of these kinds that play until then.
    #[must_use]
    pub fn playing(mut self, kinds: Vec<&'static str>, until: Until) -> Self {
        self.kinds = kinds;
        self.until = Some(until);
        self
    }

    /// The same, of policies whose programs write these errors.
    #[must_use]
    pub fn with_errors(mut self, errors: Vec<Option<Arc<LastError>>>) -> Self {
        self.decisions.are_noted = errors.iter().any(Option::is_some);
        self.errors = errors;
        self
    }

    /// Whether a program plays in a lane.
    fn is_program(&self, lane: usize) -> bool {
        self.errors[lane].is_some()
    }

    /// Whether a decision may be told: it comes again as it is, whatever happens. That of the policy
    /// which counts is committed; of a program the journal says that it was made.
    #[must_use]
    pub fn may_tell(&self, told: &LaneDecision) -> bool {
        let round = told.round();
        let is_committed = !told.acts || round <= *self.acted.borrow();
        is_committed && (!self.is_program(told.lane) || round <= *self.noted.borrow())
    }

    /// The last round that all lanes have decided, where a program plays and the journal does not say
    /// so yet.
    #[must_use]
    pub fn newly_shown(&self) -> Option<u64> {
        let has_programs = (0..self.errors.len()).any(|lane| self.is_program(lane));
        let shown = has_programs.then(|| self.decisions.last_shown())?;
        (shown > *self.noted.borrow()).then_some(shown)
    }

    /// What the program of a lane that broke off wrote last to its standard error.
    #[must_use]
    pub fn last_error(&self, lane: usize) -> Option<String> {
        let stop = self.ending_of(lane)?;
        let last = self.errors[lane].as_ref()?;
        last.line().filter(|_| stop.ending.breaks_off())
    }

    /// The same, of people who come one by one.
    #[must_use]
    pub fn one_by_one(mut self, one_by_one: bool) -> Self {
        self.one_by_one = one_by_one;
        self
    }

    /// The same, with the place where its report will be.
    #[must_use]
    pub fn reporting(mut self, report: Arc<ServedReport>) -> Self {
        self.report = report;
        self
    }

    /// Notes that people have come, now.
    pub fn came(&self, people: u64) {
        self.gauges.accepted.add(people);
        self.times.come();
    }

    /// As if every lane had selected the same people.
    #[cfg(test)]
    pub(crate) fn all_select(&self, rates: &kleroterion_stats::GroupRates) {
        drop(
            self.rates
                .set(SharedRates::of_lanes(rates, self.labels.len())),
        );
    }

    /// Notes how far it is.
    pub fn enter(&self, stage: Stage) {
        // Lanes may end while the journal is still handed on: over is over.
        let entered =
            |now: &mut Stage| *now != Stage::Over && std::mem::replace(now, stage) != stage;
        if stage == Stage::Over {
            self.times.end();
        }
        if self.stage.send_if_modified(entered) {
            tracing::info!(?stage, "the run is at a further stage");
        }
    }

    /// What was wrong with the first records that were refused.
    #[must_use]
    pub fn first_refused(&self) -> FirstRefused {
        let first = self.refused.lock();
        first.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many persons were taken and not yet handed to the lanes; none once no lane plays any
    /// more.
    #[must_use]
    pub fn to_be_played(&self) -> u64 {
        let is_over = *self.stage.borrow() == Stage::Over;
        let waiting = || {
            // Read in this order: whoever is handed on was taken before.
            let handed = self.gauges.handed.get();
            self.gauges.accepted.get().saturating_sub(handed)
        };
        if is_over { 0 } else { waiting() }
    }

    /// How a lane ended, where it has.
    pub(crate) fn ending_of(&self, lane: usize) -> Option<Stop> {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends[lane].clone()
    }

    /// Notes that a lane has ended.
    pub fn end(&self, lane: usize, stop: Stop) {
        let (policy, ending, detail) = (&*self.labels[lane], stop.ending, stop.detail.as_deref());
        tracing::info!(policy, %ending, detail, "a lane has ended");
        let broke_off = stop.ending.breaks_off();
        let is_shadow = ![self.acting, self.fallback].contains(&Some(lane));
        if broke_off && is_shadow {
            // The results, which have it too, may be months away.
            let why = detail.unwrap_or("it says nothing more");
            tracing::warn!("the policy {policy} plays no more, {ending}: {why}");
        }
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends[lane] = Some(stop);
        drop(ends);
        if broke_off && self.acting == Some(lane) && self.fallback.is_some() {
            self.outcomes.succeed(self.fallback);
        }
        if broke_off && !is_shadow {
            self.announce();
        }
    }

    /// Warns where the acting policy decides no more.
    fn announce(&self) {
        let Some(news) = self.acting_news() else {
            return;
        };
        match self.acts() {
            Acts::Broken { .. } => tracing::warn!("{news}; {}", self.acting_remedy()),
            _ => tracing::warn!("{news}"),
        }
    }
}
