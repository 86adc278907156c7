//! A run at a moment, read once for all of the page.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::watch::cut::Cut;
use crate::watch::decisions::LaneDecision;
use crate::watch::gauges::{Gauge, LaneGauges};
use crate::watch::remote::RemoteLane;
use crate::watch::{Acts, Stage, Watched};
use kleroterion_core::protocol::Stop;
use kleroterion_report::report::account::SoFar;
use kleroterion_report::report::figure::PolicyLooks;
use kleroterion_report::report::page::PagePart;
use kleroterion_report::report::streams;
use kleroterion_stats::Composition;

/// Rates are those of this long.
const SPAN: Duration = Duration::from_secs(5);
/// Nothing is said of a rate before this long.
const LEAST: Duration = Duration::from_millis(900);
/// The number of latest rounds that the strip shows.
pub(super) const COLUMNS: usize = 52;

/// A run at a moment.
pub(super) struct Moment<'a> {
    pub(super) at: Instant,
    pub(super) watched: &'a Watched,
    pub(super) stage: Stage,
    /// What all lanes have after the same round.
    pub(super) cut: Arc<Cut>,
    /// What pairs say, as if the run ended now.
    pub(super) so_far: SoFar,
    /// How many rounds at most a pair was compared over; none where nothing is compared.
    pub(super) compared: Option<u64>,
    /// Whom each policy has selected, and at what rates.
    pub(super) streams: Vec<PagePart>,
    /// Whom each lane has selected, in label order; empty where nothing is known of groups.
    pub(super) composed: Vec<(usize, Composition)>,
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
    held_back: Vec<u64>,
    played: Vec<u64>,
    chosen: Vec<u64>,
}

impl<'a> Moment<'a> {
    /// The run as it is now.
    pub(super) fn of(watched: &'a Watched, history: &mut History, now: Instant) -> Self {
        let cut = watched.cut();
        let decisions = *watched.decisions.watch().borrow();
        let rates = history.see(watched, now);
        let most = (COLUMNS + 1) * watched.labels.len();
        let mut events = shown(watched, decisions.saturating_sub(most as u64));
        events.retain(|event| event.round() <= cut.round);
        let order = order(watched);
        let run = watched.so_far(&cut);
        let composition = |lane: &usize| {
            let stream = run.policies.get(&*watched.labels[*lane])?.stream.as_ref()?;
            let has_groups = !stream.composition.attributes.is_empty();
            has_groups.then(|| (*lane, stream.composition.clone()))
        };
        Self {
            at: now,
            watched,
            stage: *watched.stage.borrow(),
            so_far: SoFar::of(&run),
            compared: run.pairs.iter().map(|pair| pair.n).max(),
            streams: streams::parts(&run.policies),
            composed: order.iter().filter_map(composition).collect(),
            cut,
            order,
            events,
            decisions,
            rates,
            remote: watched.remote_lanes(),
        }
    }

    /// How a lane has ended, where it had by then.
    pub(super) fn end(&self, lane: usize) -> Option<&Stop> {
        self.cut.lane(lane)?.stop.as_ref()
    }

    /// The tag of the policy that acts, or that did until its lane ended; empty for the others.
    pub(super) fn acting_tag(&self, lane: usize) -> &'static str {
        match (self.watched.acts(), self.end(lane)) {
            (Acts::Plays(acts) | Acts::TakenOver { lane: acts, .. }, None) if acts == lane => {
                "acting"
            }
            (_, Some(_)) if self.watched.acting == Some(lane) => "acted",
            _ => "",
        }
    }

    /// The person that all is as of where people come one by one, else the round.
    pub(super) fn n(&self) -> u64 {
        self.cut.round
    }

    /// The word for what is counted: a person, or a round.
    pub(super) fn unit(&self) -> &'static str {
        if self.watched.one_by_one {
            "person"
        } else {
            "round"
        }
    }

    /// The place of a lane among the labels in their order.
    pub(super) fn place(&self, label: &str) -> Option<usize> {
        self.order
            .iter()
            .position(|lane| self.label(*lane) == label)
    }

    /// The lanes, best first on the first measure that has a better side.
    pub(super) fn best_first(&self) -> Vec<usize> {
        use kleroterion_core::score::Direction;
        let mut sided = self.so_far.measures.iter();
        let best = sided.find(|measure| measure.direction != Direction::None);
        let rank = |lane: &usize| {
            let label = self.label(*lane);
            let place = best.and_then(|best| best.order.iter().position(|one| one == label));
            let is_yardstick = !self.watched.judge.is_contender(label);
            (
                is_yardstick,
                self.cut.lane(*lane).is_none(),
                place.unwrap_or(usize::MAX),
            )
        };
        let mut lanes = self.order.clone();
        lanes.sort_by_key(rank);
        lanes
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

/// The decisions from a number on that the board may show. It shows those of the acting policy
/// once they are committed; rounds after its end have none.
pub(super) fn shown(watched: &Watched, from: u64) -> Vec<Arc<LaneDecision>> {
    let events = watched.decisions.since(from, usize::MAX);
    let acted = *watched.watch_acted().borrow();
    let is_held = |event: &&Arc<LaneDecision>| event.acts && event.round() > acted;
    let held = events.iter().find(is_held).map(|event| event.round());
    let events = events.into_iter();
    events
        .filter(|event| held.is_none_or(|held| event.round() < held))
        .collect()
}

impl History {
    /// Takes in what is now; the rates since the oldest that is remembered, where that is long
    /// enough ago.
    fn see(&mut self, watched: &Watched, now: Instant) -> Option<Rates> {
        let gauges = &watched.gauges;
        let each = |of: fn(&LaneGauges) -> &Gauge| -> Vec<u64> {
            gauges.lanes.iter().map(|lane| of(lane).get()).collect()
        };
        let sample = Sample {
            at: now,
            accepted: gauges.accepted.get(),
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
            held_back: held.into_iter().map(|micros| micros / 1e6).collect(),
            played: each(&self.played, &before.played),
            chosen: each(&self.chosen, &before.chosen),
        })
    }
}
