//! A run at a moment, read once for the whole page.

use std::sync::Arc;
use std::time::Instant;

use crate::watch::cut::Cut;
use crate::watch::decisions::LaneDecision;
use crate::watch::rates::{History, Rates};
use crate::watch::remote::RemoteLane;
use crate::watch::{Acts, Stage, Watched};
use kleroterion_core::protocol::Stop;
use kleroterion_core::score::Direction;
use kleroterion_report::report::account::{MeasureSoFar, SoFar};
use kleroterion_report::report::figure::PolicyLooks;
use kleroterion_report::report::page::PagePart;
use kleroterion_report::report::streams;
use kleroterion_stats::Composition;

/// The number of latest rounds on the strip.
pub(super) const COLUMNS: usize = 52;

/// A run at a moment.
pub(super) struct Moment<'a> {
    pub(super) at: Instant,
    pub(super) watched: &'a Watched,
    pub(super) stage: Stage,
    /// The results of all lanes after the same round.
    pub(super) cut: Arc<Cut>,
    /// The comparisons of pairs, as if the run ended now.
    pub(super) so_far: SoFar,
    /// The most rounds over which a pair was compared; `None` if no pair is compared.
    pub(super) compared: Option<u64>,
    /// The people whom each policy has selected, with the selection rates.
    pub(super) streams: Vec<PagePart>,
    /// The composition of each lane's selection, in label order; empty if the groups are unknown.
    pub(super) composed: Vec<(usize, Composition)>,
    /// The lanes in the order of the labels.
    pub(super) order: Vec<usize>,
    /// The latest decisions: at least [`COLUMNS`] rounds, if there were that many.
    pub(super) events: Vec<Arc<LaneDecision>>,
    /// The number of decisions made.
    pub(super) decisions: u64,
    pub(super) rates: Option<Rates>,
    /// The lanes that play elsewhere.
    pub(super) remote: Vec<RemoteLane>,
}

impl<'a> Moment<'a> {
    /// Reads the run as it is now.
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

    /// The ending of a lane, if it had ended by then.
    pub(super) fn end(&self, lane: usize) -> Option<&Stop> {
        self.cut.lane(lane)?.stop.as_ref()
    }

    /// The tag of the policy that acts, or that acted until its lane ended; empty for the others.
    pub(super) fn acting_tag(&self, lane: usize) -> &'static str {
        match (self.watched.acts(), self.end(lane)) {
            (Acts::Plays(acts) | Acts::TakenOver { lane: acts, .. }, None) if acts == lane => {
                "acting"
            }
            (_, Some(_)) if self.watched.acting == Some(lane) => "acted",
            _ => "",
        }
    }

    /// The word for what the board counts: "person" if people come one by one, or else "round".
    pub(super) fn unit(&self) -> &'static str {
        if self.watched.one_by_one {
            "person"
        } else {
            "round"
        }
    }

    /// The place of a label in the order of the labels.
    pub(super) fn place(&self, label: &str) -> Option<usize> {
        self.order
            .iter()
            .position(|lane| self.label(*lane) == label)
    }

    /// The measure by which policies are best first: the first that has a better side.
    pub(super) fn first_sided(&self) -> Option<&MeasureSoFar> {
        let mut measures = self.so_far.measures.iter();
        measures.find(|measure| measure.direction != Direction::None)
    }

    /// The lanes, best first.
    pub(super) fn best_first(&self) -> Vec<usize> {
        let best = self.first_sided();
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

/// The lanes in the order that figures use: numbers in labels sort as numbers.
pub(super) fn order(watched: &Watched) -> Vec<usize> {
    let looks = PolicyLooks::of(watched.labels.iter().map(|label| &**label));
    let mut lanes: Vec<usize> = (0..watched.labels.len()).collect();
    lanes.sort_by_key(|lane| {
        looks
            .labels()
            .position(|label| *label == *watched.labels[*lane])
    });
    lanes
}

/// The decisions from number `from` on that the board may show. Decisions that count are shown once
/// they are committed.
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
