//! Everything that can be seen of a live run while it goes on.
//!
//! The run's tasks report here and the web's read; nothing leads back into a run. The acting
//! room reports whose decisions count.

mod acts;
mod awaited;
pub mod courses;
pub mod cut;
pub mod decisions;
mod follower;
pub mod gauges;
pub mod late;
pub mod latency;
mod one_moment;
pub(crate) mod rates;
pub mod refused;
pub mod remote;
pub mod served;
pub mod times;
mod witness;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

pub use acts::Acts;
pub use awaited::{DecidedRound, WaitFor};
pub use follower::{BlockingDecisions, DecisionFollower};
pub use witness::{ALPHA, CourseWitness, DecisionWitness};

use tokio::sync::watch;

use self::courses::Courses;
use self::cut::Cuts;
use self::decisions::{Decisions, LaneDecision};
use self::gauges::Gauges;
use self::latency::Handed;
use self::refused::FirstRefused;
use self::served::ServedReport;
use self::times::Times;
use crate::looks::DeskView;
use crate::outcomes::ReportedOutcomes;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Schema, Stop, Until};
use kleroterion_io::feed::{FeedLink, Reading, RefusedRecord};
use kleroterion_io::seat::LastError;
use kleroterion_run::run::SharedRates;
use kleroterion_stats::{Judge, Rounds};

/// The stage of a live run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The journal's entries are played again.
    Replaying,
    /// The run follows the stream.
    Following,
    /// All lanes have ended.
    Over,
}

/// The progress of the slates, in a run where a person closes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlateStatus {
    /// The number of closed slates.
    pub closed: u64,
    /// The number of slates in all.
    pub last: u64,
    /// The number of people on the open slate.
    pub people: u64,
}

/// The visible state of a live run.
pub struct Watched {
    /// The run's name.
    pub name: String,
    /// The policies' labels, in the run's order.
    pub labels: Vec<Arc<str>>,
    /// The kinds of the policies, in the same order; empty if unknown.
    pub kinds: Vec<&'static str>,
    /// The last error line of each policy's program; `None` for a policy without a program.
    pub errors: Vec<Option<Arc<LastError>>>,
    /// The condition on which lanes end, if known.
    pub until: Option<Until>,
    /// True if people come one by one, so that a round is a person.
    pub one_by_one: bool,
    /// The command that sends a first person, for runs that take people over HTTP.
    pub first_step: OnceLock<String>,
    /// The times at which people came.
    pub times: Times,
    /// The report, once it is written.
    pub report: Arc<ServedReport>,
    /// The place of the acting policy, if there is one.
    pub acting: Option<usize>,
    /// The judged measures and the strictness of the verdicts.
    pub judge: Judge,
    /// Whether the recorder has failed, so that nothing more is taken.
    has_failed: AtomicBool,
    /// The latest decisions.
    pub decisions: Decisions,
    /// The courses of the measures.
    pub courses: Courses,
    /// The policy whose decisions count, by the acting room's latest report.
    acts: Mutex<Acts>,
    /// What the lanes leave for who looks.
    cuts: Cuts,
    /// The comparison by rounds, if there is one.
    pub rounds: OnceLock<Arc<Mutex<Rounds>>>,
    /// The selection rates of each lane, by group.
    pub rates: OnceLock<SharedRates>,
    /// The connection of the feed, if it reads from a server elsewhere.
    pub link: OnceLock<Arc<FeedLink>>,
    /// Counts and queue depths.
    pub gauges: Gauges,
    /// The first records that were refused.
    refused: Mutex<FirstRefused>,
    /// The reported outcomes of the chosen.
    pub outcomes: Arc<ReportedOutcomes>,
    /// The round up to which the decisions of the policy that counts are committed: they are shown
    /// from then on.
    acted: watch::Sender<u64>,
    /// The round up to which the journal says that all lanes have decided: what programs decide is
    /// shown from then on.
    noted: watch::Sender<u64>,
    /// When rounds were handed out.
    pub handed: Handed,
    /// How each lane ended, where it has.
    ends: Mutex<Vec<Option<Stop>>>,
    /// The state of the slates; `None` where no one closes them.
    pub slate: watch::Sender<Option<SlateStatus>>,
    /// The desk where lanes wait for interviewers, if people answer interviews.
    pub desk: Option<DeskView>,
    /// The stage of the run.
    pub stage: watch::Sender<Stage>,
    /// True once the run has ended, so that no decision comes or is committed any more.
    closed: watch::Sender<bool>,
}

impl Watched {
    /// Creates the state of a run of which nothing has been seen yet. It replays.
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
            acts: Mutex::new(acting.map_or(Acts::NotAsked, Acts::Plays)),
            cuts: Cuts::new(lanes),
            rounds: OnceLock::new(),
            rates: OnceLock::new(),
            link: OnceLock::new(),
            gauges: Gauges::new(lanes),
            handed: Handed::default(),
            refused: Mutex::default(),
            outcomes: ReportedOutcomes::new(&labels, acting, &schema, judge.alpha_of_rates()),
            acted: watch::Sender::new(0),
            noted: watch::Sender::new(u64::MAX),
            ends: Mutex::new(vec![None; lanes]),
            slate: watch::Sender::new(None),
            desk: None,
            stage: watch::Sender::new(Stage::Replaying),
            closed: watch::Sender::new(false),
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
            judge,
        }
    }

    /// Returns true if a program plays in a lane.
    fn is_program(&self, lane: usize) -> bool {
        self.errors[lane].is_some()
    }

    /// Returns true if a decision may be shown, because it would be the same after a restart.
    ///
    /// A decision that counts must be committed. For a program's decision the journal must say that
    /// it was made.
    #[must_use]
    pub fn may_tell(&self, told: &LaneDecision) -> bool {
        let round = told.round();
        let is_committed = !told.acts || round <= *self.acted.borrow();
        is_committed && (!self.is_program(told.lane) || round <= *self.noted.borrow())
    }

    /// The last line that the program of a lane that broke off wrote to its standard error.
    #[must_use]
    pub fn last_error(&self, lane: usize) -> Option<String> {
        let stop = self.ending_of(lane)?;
        let last = self.errors[lane].as_ref()?;
        last.line().filter(|_| stop.ending.breaks_off())
    }

    /// Notes that `people` persons have come now.
    pub fn came(&self, people: u64) {
        if people > 0 {
            self.gauges.accepted.add(people);
            self.times.come();
        }
    }

    /// Sets rates as if every lane had selected the same people.
    #[cfg(test)]
    pub(crate) fn all_select(&self, rates: &kleroterion_stats::GroupRates) {
        drop(
            self.rates
                .set(SharedRates::of_lanes(rates, self.labels.len())),
        );
    }

    /// Notes that the decisions that count are committed up to this round.
    pub fn note_acted(&self, round: u64) {
        self.acted.send_replace(round);
        self.decisions.confirm(round);
    }

    /// The round up to which the decisions that count are committed, as it changes.
    #[must_use]
    pub fn watch_acted(&self) -> watch::Receiver<u64> {
        self.acted.subscribe()
    }

    /// Notes that the journal says that all lanes have decided up to this round.
    pub fn note_shown(&self, round: u64) {
        self.noted.send_replace(round);
    }

    /// The round up to which the journal says that all lanes have decided, as it changes.
    #[must_use]
    pub fn watch_shown(&self) -> watch::Receiver<u64> {
        self.noted.subscribe()
    }

    /// Notes that the run has ended: no decision comes or is committed any more.
    pub fn close(&self) {
        self.closed.send_replace(true);
    }

    /// Notes that the recorder has failed.
    pub fn fail(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }

    /// True once the recorder has failed, so that nothing more is taken.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Notes how far the slates are.
    pub fn note_slate(&self, slate: SlateStatus) {
        self.slate.send_replace(Some(slate));
    }

    /// Notes that a record was refused.
    pub fn note_refused(&self, refused: &RefusedRecord, reading: Option<&Reading>) {
        self.gauges.refused.add(1);
        let mut first = locked(&self.refused);
        first.note(refused, reading);
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

    /// A copy of the first refused records.
    #[must_use]
    pub fn first_refused(&self) -> FirstRefused {
        locked(&self.refused).clone()
    }

    /// The number of persons taken and not yet handed to the lanes; 0 once all lanes have ended.
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

    /// The ending of a lane, once it has ended.
    #[must_use]
    pub fn ending_of(&self, lane: usize) -> Option<Stop> {
        let ends = locked(&self.ends);
        ends[lane].clone()
    }

    /// Notes the end of a lane. If it acted, the acting room has reported its successor before.
    pub fn end(&self, lane: usize, stop: Stop) {
        let (policy, ending, detail) = (&*self.labels[lane], stop.ending, stop.detail.as_deref());
        tracing::info!(policy, %ending, detail, "a lane has ended");
        let broke_off = stop.ending.breaks_off();
        let is_shadow = ![self.acting, self.decisions.fallback].contains(&Some(lane));
        if broke_off && is_shadow {
            // The results, which have it too, may be months away.
            let why = detail.unwrap_or("it says nothing more");
            tracing::warn!("the policy {policy} plays no more, {ending}: {why}");
        }
        let mut ends = locked(&self.ends);
        ends[lane] = Some(stop);
        drop(ends);
        if broke_off && !is_shadow {
            self.announce();
        }
    }

    /// Logs a warning if the acting policy no longer decides.
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
