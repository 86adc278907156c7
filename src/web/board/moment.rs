//! A run at a moment, read once for all sections.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use maud::{Markup, html};

use crate::compare::{Composition, RunResult};
use crate::protocol::Ending;
use crate::protocol::Stop;
use crate::report::account::{LaneEnd, SoFar};
use crate::report::figure::PolicyLooks;
use crate::report::finished::Finished;
use crate::report::page::PagePart;
use crate::report::streams;
use crate::score::{LaneResult, PolicyRun};
use crate::watch::courses::Course;
use crate::watch::decisions::LaneDecision;
use crate::watch::gauges::{Gauge, LaneGauges};
use crate::watch::remote::RemoteLane;
use crate::watch::{Acts, Stage, Watched};

/// Rates are those of this long.
const SPAN: Duration = Duration::from_secs(5);
/// Nothing is said of a rate before this long.
const LEAST: Duration = Duration::from_millis(900);
/// The number of latest rounds: two rows of the strip.
pub(super) const COLUMNS: usize = 120;

/// A run at a moment.
pub(super) struct Moment<'a> {
    pub(super) at: Instant,
    pub(super) watched: &'a Watched,
    pub(super) stage: Stage,
    pub(super) ends: Vec<Option<Stop>>,
    pub(super) courses: Vec<Course>,
    /// What pairs say, as if the run ended now.
    pub(super) so_far: SoFar,
    /// How many rounds at most a pair was compared over; none where nothing is compared.
    pub(super) compared: Option<u64>,
    /// Whom each policy has selected, and at what rates.
    pub(super) streams: Vec<PagePart>,
    /// Whom each lane has selected, in label order; empty where nothing is known of groups.
    pub(super) composed: Vec<(usize, Composition)>,
    /// The lanes that have ended.
    pub(super) ended: Vec<LaneEnd>,
    /// The lanes in the order of the labels.
    pub(super) order: Vec<usize>,
    /// The latest decisions: at least [`COLUMNS`] rounds where there are as many.
    pub(super) events: Vec<Arc<LaneDecision>>,
    /// How many decisions there were.
    pub(super) decisions: u64,
    pub(super) rates: Option<Rates>,
    /// The lanes that play elsewhere.
    pub(super) remote: Vec<RemoteLane>,
}

/// What went on lately.
pub(super) struct Rates {
    /// Persons a second.
    pub(super) accepted: f64,
    /// Decisions a second.
    pub(super) decisions: f64,
    /// For which share of the time the stream stood still for each lane.
    pub(super) held_back: Vec<f64>,
    /// Rounds a second of each lane, and people chosen a second.
    pub(super) played: Vec<f64>,
    pub(super) chosen: Vec<f64>,
}

/// What was seen lately, for rates.
#[derive(Default)]
pub(super) struct History(VecDeque<Sample>);

struct Sample {
    at: Instant,
    accepted: u64,
    decisions: u64,
    held_back: Vec<u64>,
    played: Vec<u64>,
    chosen: Vec<u64>,
}

impl<'a> Moment<'a> {
    /// The run as it is now.
    pub(super) fn of(watched: &'a Watched, history: &mut History, now: Instant) -> Self {
        let lanes = watched.labels.len();
        let decisions = *watched.decisions.watch().borrow();
        let rates = history.see(watched, decisions, now);
        let most = (COLUMNS + 1) * lanes;
        let events = shown(watched, decisions.saturating_sub(most as u64));
        let ends = watched
            .ends
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let courses: Vec<Course> = (0..lanes).map(|lane| watched.courses.of(lane)).collect();
        let order = order(watched);
        // Pairs take their time: the lanes are not held up by it.
        let shared = watched.rounds.get();
        let rounds = shared.map(|r| r.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let rounds = rounds.map(|rounds| rounds.read());
        let policy =
            |lane: usize| so_far_of(&watched.labels[lane], ends[lane].as_ref(), &courses[lane]);
        let run = RunResult {
            name: watched.name.clone(),
            seed: 0,
            replications: 1,
            policies: (0..lanes).map(policy).collect(),
            rounds: rounds.unwrap_or_default(),
            streams: watched.streams(),
            ..RunResult::default()
        };
        let stage = *watched.stage.borrow();
        let run = Finished {
            one_by_one: watched.one_by_one,
            ..Finished::so_far(run, &watched.judge)
        };
        let ended = ended(watched, &ends);
        let so_far = SoFar::of(&run, &ended);
        let composition = |lane: &usize| {
            let stream = run.policies.get(&*watched.labels[*lane])?.stream.as_ref()?;
            let has_groups = !stream.composition.attributes.is_empty();
            has_groups.then(|| (*lane, stream.composition.clone()))
        };
        Self {
            at: now,
            watched,
            stage,
            ends,
            courses,
            so_far,
            compared: run.pairs.iter().map(|pair| pair.n).max(),
            streams: streams::folded(&run.policies),
            composed: order.iter().filter_map(composition).collect(),
            ended,
            order,
            events,
            decisions,
            rates,
            remote: watched.remote_lanes(),
        }
    }

    /// The tag of the policy that acts, or that did until its lane ended; empty for the others.
    pub(super) fn acting_tag(&self, lane: usize) -> Markup {
        let tag = match (self.watched.acts(), &self.ends[lane]) {
            (Acts::Plays(acts) | Acts::TakenOver { lane: acts, .. }, None) if acts == lane => {
                Some("acting")
            }
            (_, Some(_)) if self.watched.acting == Some(lane) => Some("acted"),
            _ => None,
        };
        html! { @if let Some(tag) = tag { " " b.tag { (tag) } } }
    }

    /// A lane's label.
    pub(super) fn label(&self, lane: usize) -> &str {
        &self.watched.labels[lane]
    }
}

/// The lanes in the order that figures have them: numbers in labels sort as numbers.
fn order(watched: &Watched) -> Vec<usize> {
    let looks = PolicyLooks::of(watched.labels.iter().map(|label| &**label));
    let mut lanes: Vec<usize> = (0..watched.labels.len()).collect();
    lanes.sort_by_key(|lane| {
        looks
            .labels()
            .position(|label| *label == *watched.labels[*lane])
    });
    lanes
}

/// The lanes that have ended.
fn ended(watched: &Watched, ends: &[Option<Stop>]) -> Vec<LaneEnd> {
    let ended = ends.iter().enumerate().filter_map(|(lane, stop)| {
        Some(LaneEnd {
            label: watched.labels[lane].to_string(),
            round: watched.gauges.lanes[lane].rounds.get(),
            ending: stop.as_ref()?.ending,
        })
    });
    ended.collect()
}

fn at_end(row: &crate::score::MetricRow) -> crate::score::MetricRow {
    crate::score::MetricRow {
        at: None,
        ..row.clone()
    }
}

/// The decisions from a number on that the board may show. It shows those of the acting policy
/// once they are committed; rounds after its end have none.
fn shown(watched: &Watched, from: u64) -> Vec<Arc<LaneDecision>> {
    let events = watched.decisions.since(from, usize::MAX);
    let acted = *watched.acted.borrow();
    let is_held = |event: &&Arc<LaneDecision>| event.acts && event.round() > acted;
    let held = events.iter().find(is_held).map(|event| event.round());
    let events = events.into_iter();
    events
        .filter(|event| held.is_none_or(|held| event.round() < held))
        .collect()
}

/// A lane's result as if the run were cut off now.
fn so_far_of(label: &str, end: Option<&Stop>, course: &Course) -> PolicyRun {
    let ending = end.map_or(Ending::Interrupted, |stop| stop.ending);
    let lane = LaneResult::new(ending, None, course.now.iter().map(at_end));
    PolicyRun::new(label, "").with([lane])
}

impl History {
    /// Takes in what is now; the rates since the oldest that is remembered, where that is long
    /// enough ago.
    fn see(&mut self, watched: &Watched, decisions: u64, now: Instant) -> Option<Rates> {
        let gauges = &watched.gauges;
        let each = |of: fn(&LaneGauges) -> &Gauge| -> Vec<u64> {
            gauges.lanes.iter().map(|lane| of(lane).get()).collect()
        };
        let sample = Sample {
            at: now,
            accepted: gauges.accepted.get(),
            decisions,
            held_back: each(|lane| &lane.held_back),
            played: each(|lane| &lane.rounds),
            chosen: each(|lane| &lane.accepted),
        };
        while self.0.get(1).is_some_and(|second| now - second.at >= SPAN) {
            self.0.pop_front();
        }
        let rates = self.0.front().and_then(|first| sample.since(first));
        self.0.push_back(sample);
        rates
    }
}

impl Sample {
    fn since(&self, before: &Self) -> Option<Rates> {
        let span = self.at - before.at;
        if span < LEAST {
            return None;
        }
        let seconds = span.as_secs_f64();
        let rate = |now: u64, then: u64| now.saturating_sub(then) as f64 / seconds;
        let each = |now: &[u64], then: &[u64]| -> Vec<f64> {
            now.iter()
                .zip(then)
                .map(|(now, then)| rate(*now, *then))
                .collect()
        };
        let held = each(&self.held_back, &before.held_back);
        Some(Rates {
            accepted: rate(self.accepted, before.accepted),
            decisions: rate(self.decisions, before.decisions),
            held_back: held.into_iter().map(|micros| micros / 1e6).collect(),
            played: each(&self.played, &before.played),
            chosen: each(&self.chosen, &before.chosen),
        })
    }
}
