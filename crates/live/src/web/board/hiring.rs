//! A hiring round at a moment: the applicants with their marks, whom the policy proposes, and the
//! interviews that wait.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::looks::{
    Candidate, DeskView, HiringTerms, LaneSlate, ListedLook, LookState, SlateMember,
};
use crate::watch::decisions::LaneDecision;
use crate::watch::{Acts, Watched};
use kleroterion_core::protocol::{LookStats, OFFER};

/// The width of an interval of 95 % around a mean, in standard errors to each side.
const SIDES: f64 = 1.959_963_984_540_054;

/// The standing of an applicant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// The policy proposes them.
    Proposed,
    /// The policy would propose them if it heard no more.
    In,
    /// Nothing is known of the choice.
    #[default]
    Open,
    /// The policy would not propose them if it heard no more.
    Out,
    /// The policy does not propose them.
    Refused,
}

impl Place {
    pub(super) fn is_in(self) -> bool {
        matches!(self, Self::Proposed | Self::In)
    }
}

/// A person who applies, with what is known of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Applying {
    pub(super) id: Candidate,
    pub(super) values: Vec<u16>,
    pub(super) place: Place,
    /// The interviews that were asked for, offers included, in the order of the kinds.
    pub(super) looks: Vec<ListedLook>,
    /// The marks so far; `None` if marks are not shown.
    pub(super) file: Option<LookStats>,
    pub(super) has_withdrawn: bool,
}

impl Applying {
    /// The mean of the marks, weighted by gain.
    pub(super) fn mean(&self) -> Option<f64> {
        self.file
            .filter(|file| file.looks > 0)
            .map(|file| file.mean)
    }

    /// Half the width of the mean's interval of 95 %, if the noise of an interview is known.
    pub(super) fn half(&self, sd: Option<f64>) -> Option<f64> {
        let file = self.file.filter(|file| file.weight > 0.0)?;
        Some(SIDES * sd? / file.weight.sqrt())
    }

    /// The interviews in a state.
    pub(super) fn in_state(&self, state: LookState) -> impl Iterator<Item = &ListedLook> {
        self.looks.iter().filter(move |one| one.state == state)
    }
}

/// The round of the policy that acts, or else of the first.
pub(super) struct HiringRound<'a> {
    pub(super) desk: &'a DeskView,
    pub(super) lane: usize,
    /// Those whom the policy proposes or would propose first, then by mark.
    pub(super) people: Vec<Applying>,
    /// The money that the policy has spent on interviews in the round.
    pub(super) spent: f64,
    /// The policy's decision, once it may be shown.
    pub(super) decision: Option<Arc<LaneDecision>>,
    /// True if the policy says whom it would propose now.
    pub(super) says: bool,
}

/// The lane whose round is shown.
fn lane(watched: &Watched) -> usize {
    match watched.acts() {
        Acts::NotAsked => 0,
        Acts::Plays(lane)
        | Acts::TakenOver { lane, .. }
        | Acts::Done(lane, _)
        | Acts::Broken { lane, .. } => lane,
    }
}

/// The decision of a lane in a round, if it may be shown.
pub(super) fn decision(watched: &Watched, lane: usize, round: u64) -> Option<Arc<LaneDecision>> {
    let decided = watched.decisions.so_far(round)?.into_iter();
    let of_lane = |one: &Arc<LaneDecision>| one.lane == lane && watched.may_tell(one);
    decided.filter(of_lane).last()
}

impl<'a> HiringRound<'a> {
    /// The round as it is now; `None` if no person holds interviews or replies to offers.
    pub(super) fn of(watched: &'a Watched) -> Option<Self> {
        let desk = watched.desk.as_ref()?;
        let lane = lane(watched);
        let slate = desk.slate(lane);
        let mut round = Self {
            desk,
            lane,
            people: applying(desk, &slate),
            spent: 0.0,
            decision: decision(watched, lane, slate.round),
            says: !slate.best.is_empty(),
        };
        round.place(&slate);
        round.spend();
        round.sort();
        Some(round)
    }

    pub(super) fn terms(&self) -> &HiringTerms {
        self.desk.terms()
    }

    /// Returns true if a look is an offer of a place.
    pub(super) fn is_offer(&self, look: &ListedLook) -> bool {
        *self.desk.kinds()[look.look.kind].name == *OFFER
    }

    /// Notes for each person whether the policy proposes them.
    fn place(&mut self, slate: &LaneSlate) {
        let chosen = self.decision.as_ref().map(|one| &one.event.decision.chosen);
        for one in &mut self.people {
            let called = self.desk.called(&one.id);
            one.place = match (chosen, slate.best.is_empty()) {
                (Some(chosen), _) if chosen.contains(&called) => Place::Proposed,
                (Some(_), _) => Place::Refused,
                (None, true) => Place::Open,
                (None, false) if slate.best.contains(&one.id) => Place::In,
                (None, false) => Place::Out,
            };
        }
    }

    fn spend(&mut self) {
        let held = self
            .people
            .iter()
            .flat_map(|one| one.in_state(LookState::Answered));
        let mine = held.filter(|one| one.wanted_by.contains(&self.lane));
        let costs = mine.map(|one| self.desk.kinds()[one.look.kind].cost);
        // The sum of no numbers is -0.
        self.spent = costs.fold(0.0, |sum, cost| sum + cost);
    }

    fn sort(&mut self) {
        let rank = |one: &Applying| (one.has_withdrawn && !one.place.is_in(), one.place);
        let mean = |one: &Applying| one.mean().unwrap_or(f64::NEG_INFINITY);
        self.people
            .sort_by(|a, b| rank(a).cmp(&rank(b)).then(mean(b).total_cmp(&mean(a))));
    }
}

/// The people of a slate with their interviews, in the order in which they applied.
fn applying(desk: &DeskView, slate: &LaneSlate) -> Vec<Applying> {
    let mut looks: BTreeMap<Candidate, Vec<ListedLook>> = BTreeMap::new();
    for look in desk.listed(LookState::Open..=LookState::Withdrawn) {
        looks
            .entry(look.look.candidate.clone())
            .or_default()
            .push(look);
    }
    let shows = desk.names().shows_numbers();
    let person = |SlateMember { id, values }: &SlateMember| {
        let mut looks = looks.remove(id).unwrap_or_default();
        looks.sort_by(|a, b| a.look.cmp(&b.look));
        let mut file = LookStats::default();
        for look in &looks {
            let gain = desk.terms().gain(look.look.kind, values);
            if let (Some(value), Some(gain)) = (look.value, gain) {
                file.add(value, gain);
            }
        }
        Applying {
            id: id.clone(),
            values: values.clone(),
            file: shows.then_some(file),
            has_withdrawn: desk.has_withdrawn(id),
            looks,
            ..Applying::default()
        }
    };
    slate.people.iter().map(person).collect()
}
