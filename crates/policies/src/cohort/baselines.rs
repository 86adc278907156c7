//! The baselines of Section 6.3: interviews that do not ask whom the choice hangs on. They end with
//! the money or the interviews.

use super::round::{Looks, estimates, shape};
use super::{Objective, Tiers};
use crate::{Policy, margin, no_place};
use kleroterion_core::protocol::{Move, Pull, Pulls, View};

/// Returns true if neither money nor interviews can run out.
fn is_endless(view: &View<'_>) -> bool {
    view.money_left() == f64::INFINITY && view.looks_left() == u64::MAX
}

/// Chooses the best cohort at the estimates.
pub(super) fn choose(objective: &impl Objective, looks: Looks, view: &mut View<'_>) -> Move {
    let shape = shape(objective, view);
    let estimates = estimates(view.files());
    let slots = objective.best_slots(&shape, &estimates);
    view.reason(|| {
        [("cost", looks.cost)]
            .into_iter()
            .chain(margin(&estimates, &slots))
    });
    Move::take_all(slots)
}

/// A baseline without choice: a weak interview of each in the order shown, then a strong one of
/// each, and so on in turns. It ends when the money or the interviews run out. If they can't run
/// out, it makes one such pass, at a cost of n (1 + j).
#[derive(Clone, Debug)]
pub struct UniformInterviews<O> {
    objective: O,
    tiers: Tiers,
    round: u64,
    /// The number of interviews of each candidate.
    turns: u64,
    looks: Looks,
    endless: bool,
}

impl<O: Objective> UniformInterviews<O> {
    /// Makes the policy before the first round.
    #[must_use]
    pub fn new(objective: O, tiers: Tiers) -> Self {
        Self {
            objective,
            tiers,
            round: 0,
            turns: 0,
            looks: Looks::default(),
            endless: false,
        }
    }
}

impl<O: Objective> Policy for UniformInterviews<O> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        if view.places().max == 0 {
            return no_place(view);
        }
        if view.round() != self.round {
            self.round = view.round();
            self.turns = 0;
            self.looks = Looks::default();
            self.endless = is_endless(view);
        }
        self.looks.count(&self.tiers, view);
        if view.looks_left() == 0 || (self.endless && self.turns == 2) {
            return choose(&self.objective, self.looks, view);
        }
        let kinds = [self.tiers.weak(), self.tiers.strong()];
        let kind = kinds[(self.turns % 2) as usize];
        self.turns += 1;
        let everybody = 0..view.slate().len();
        Move::Interview(Pulls::Many(
            everybody.map(|slot| Pull { slot, kind }).collect(),
        ))
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

/// A random baseline: a weak interview of each, then interviews of random candidates, weak or
/// strong by a fair coin. It ends when the money or the interviews run out. If they can't run out,
/// it makes n such interviews. Each takes two words of the round's own draw: for the candidate,
/// then for the kind.
#[derive(Clone, Debug)]
pub struct RandomInterviews<O> {
    objective: O,
    tiers: Tiers,
    round: u64,
    looks: Looks,
    /// The interviews after which it chooses, where neither money nor interviews can run out.
    enough: Option<u64>,
}

impl<O: Objective> RandomInterviews<O> {
    /// Makes the policy before the first round.
    #[must_use]
    pub fn new(objective: O, tiers: Tiers) -> Self {
        Self {
            objective,
            tiers,
            round: 0,
            looks: Looks::default(),
            enough: None,
        }
    }
}

impl<O: Objective> Policy for RandomInterviews<O> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        if view.places().max == 0 {
            return no_place(view);
        }
        let n = view.slate().len();
        let is_new = view.round() != self.round;
        if is_new {
            self.round = view.round();
            self.looks = Looks::default();
            self.enough = is_endless(view).then_some(2 * u64::from(n));
        }
        self.looks.count(&self.tiers, view);
        if view.looks_left() == 0 || self.enough == Some(self.looks.all) {
            return choose(&self.objective, self.looks, view);
        }
        if is_new {
            let kind = self.tiers.weak();
            let pulls = (0..n).map(|slot| Pull { slot, kind });
            return Move::Interview(Pulls::Many(pulls.collect()));
        }
        let slot = view.draw().below(u64::from(n)) as u32;
        let kinds = [self.tiers.weak(), self.tiers.strong()];
        let kind = kinds[view.draw().below(2) as usize];
        Move::Interview(Pulls::One(Pull { slot, kind }))
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
