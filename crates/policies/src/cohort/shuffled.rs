//! A cohort policy to which the order of application says nothing.

use super::order::Order;
use crate::Policy;
use kleroterion_core::draw::SHARED;
use kleroterion_core::protocol::{LookAnswer, LookStats, Move, Outcome, Pull, Shown, View};

/// A policy that is shown each slate in a random order (*ours*). Policies break ties by slot, so
/// ties are broken by chance and not by who applied first.
///
/// The order belongs to the round and is the same for all policies, so ties make no difference
/// between them.
#[derive(Clone, Debug)]
pub struct Shuffled<P> {
    policy: P,
    round: u64,
    order: Order,
    /// The files, by place.
    files: Vec<LookStats>,
    answers: Vec<LookAnswer>,
}

impl<P> Shuffled<P> {
    /// Makes the policy before the first round.
    #[must_use]
    pub fn new(policy: P) -> Self {
        Self {
            policy,
            round: 0,
            order: Order::default(),
            files: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Draws an order for the slate.
    fn shuffle(&mut self, view: &mut View<'_>) {
        self.round = view.round();
        let mut draw = view.draw().clone();
        draw.readdress(SHARED, self.round);
        let mut slots: Vec<u32> = (0..view.slate().len()).collect();
        for last in (1..slots.len()).rev() {
            let other = draw.below(last as u64 + 1) as usize;
            slots.swap(last, other);
        }
        self.files.clear();
        self.files.extend(slots.iter().map(|slot| view.file(*slot)));
        self.order = Order::of(slots, view.slate());
    }
}

impl<P: Policy> Policy for Shuffled<P> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        // Where places were declined it acts again, on those of the slate who were not asked.
        let is_new =
            view.round() != self.round || view.slate().len() as usize != self.order.slots().len();
        if is_new {
            self.shuffle(view);
        }
        self.answers.clear();
        for answer in view.answers() {
            let Pull { slot, kind } = answer.pull;
            let place = self.order.place(slot);
            self.files[place as usize] = view.file(slot);
            let pull = Pull { slot: place, kind };
            self.answers.push(LookAnswer { pull, ..*answer });
        }
        let slate = view.slate().showing(self.order.who());
        let mut shown = view.showing(slate, &self.files, &self.answers);
        let by_places = self.policy.act(&mut shown);
        view.rename_looked_at(|place| self.order.slot(place));
        self.order.translated(by_places)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.policy.learn(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.policy.decline(round, person);
    }

    fn corrects(&self) -> bool {
        self.policy.corrects()
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.policy.correct(outcome, before);
    }
}
