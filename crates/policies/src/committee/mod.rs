//! Committees selected online (Do, Atif, Lang, Usunier: Online Selection of Diverse Committees,
//! IJCAI 2021).
//!
//! Every policy here judges candidates one by one, so it plays any slate; `decide` is their common
//! `act`.

mod best_stationary;
mod cmdp;
#[cfg(test)]
mod declines;
mod greedy;
mod keep_feasible;
mod known_pool;
mod learner;
pub mod learning;
mod legacy;
mod merit_queue;
pub mod outlook;
mod panel_lottery;
pub mod pilot;
pub mod program;
mod proportional;
mod quota_lookahead;
mod seats;
mod virtual_queue;

pub use best_stationary::{BestStationary, TooFew};
pub use cmdp::Cmdp;
pub use greedy::Greedy;
pub use keep_feasible::KeepFeasible;
pub use known_pool::KnownPool;
pub use learner::Learning;
pub use legacy::Legacy;
pub use merit_queue::{MeritQueue, MeritQueueParameters};
pub use panel_lottery::ByLottery;
pub use proportional::{AcceptAll, Proportional};
pub use quota_lookahead::QuotaLookahead;
pub use virtual_queue::VirtualQueue;

use super::{Policy, no_place};
use kleroterion_core::protocol::{Chosen, Move, Quota, Schema, Selection, Shown, Target, View};

/// A policy that judges one candidate at a time. [`decide`] is its `act`, and [`KeepFeasible`] wraps
/// it.
///
/// ```
/// use kleroterion_core::protocol::{Move, Shown, View};
/// use kleroterion_policies::Policy;
/// use kleroterion_policies::committee::{OneByOne, decide};
///
/// /// Accepts each candidate with the same probability.
/// #[derive(Clone)]
/// struct Coin(f64);
///
/// impl OneByOne for Coin {
///     fn judge(&mut self, _: Shown<'_>) -> f64 {
///         self.0
///     }
///
///     fn why(&self, _: Shown<'_>) -> Vec<(&'static str, f64)> {
///         vec![("acceptance", self.0)]
///     }
/// }
///
/// impl Policy for Coin {
///     fn act(&mut self, view: &mut View<'_>) -> Move {
///         decide(self, view)
///     }
/// }
/// ```
pub trait OneByOne: Policy {
    /// Returns the probability of accepting the candidate, 0 to 1.
    fn judge(&mut self, person: Shown<'_>) -> f64;

    /// Returns the reason for the candidate just judged, in named terms. It is asked only for a
    /// trace.
    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)>;

    /// Learns that the candidate it has just judged is accepted.
    fn accept(&mut self, person: Shown<'_>) {
        let _ = person;
    }

    /// Meets the slate of a round, once more where it acts again in it.
    fn meet(&mut self, round: u64) {
        let _ = round;
    }

    /// Learns that a candidate is passed over, judged or not.
    fn pass(&mut self, person: Shown<'_>) {
        let _ = person;
    }

    /// Reports the measures of its own, once a slate is decided.
    fn report(&mut self, view: &mut View<'_>) {
        let _ = view;
    }
}

/// Judges the slate in slot order until no place is left. The choice's propensity is given where it
/// was random; the reason is that of the first who is accepted, or of the first on the slate where
/// no one is.
#[inline]
pub fn decide(policy: &mut impl OneByOne, view: &mut View<'_>) -> Move {
    let slate = view.slate();
    let most = view.places().max;
    policy.meet(view.round());
    if most == 0 {
        slate.candidates().for_each(|person| policy.pass(person));
        return no_place(view);
    }
    let mut chosen = Chosen::None;
    let (mut taken, mut p, mut random) = (0, 1.0, false);
    for slot in 0..slate.len() {
        let person = slate.candidate(slot);
        if taken == most {
            policy.pass(person);
            continue;
        }
        let likely = policy.judge(person);
        let accepts = if likely >= 1.0 {
            true
        } else if likely <= 0.0 {
            false
        } else {
            let accepts = view.draw().uniform() < likely;
            random = true;
            p *= if accepts { likely } else { 1.0 - likely };
            accepts
        };
        if slot == 0 || (accepts && taken == 0) {
            let judge = &*policy;
            // By value: a person whose address is taken can't stay in registers.
            view.reason_instead(move || judge.why(person));
        }
        if accepts {
            policy.accept(person);
            taken += 1;
            chosen = match chosen {
                Chosen::None => Chosen::One(slot),
                Chosen::One(first) => Chosen::Many(vec![first, slot]),
                Chosen::Many(mut slots) => {
                    slots.push(slot);
                    Chosen::Many(slots)
                }
            };
        } else {
            policy.pass(person);
        }
    }
    policy.report(view);
    Move::Select(Selection {
        chosen,
        p: random.then_some(p),
        declared: None,
    })
}

/// Returns the quotas [around](Quota::around) a target for a committee of `members`: a row per
/// attribute of the schema. An empty row sets none.
pub fn quotas_around(schema: &Schema, target: &Target, members: u32) -> Vec<Vec<Quota>> {
    let mut quotas = vec![Vec::new(); schema.attributes().len()];
    for (attribute, shares) in target.rows() {
        let around = shares.iter().map(|share| Quota::around(*share, members));
        quotas[*attribute] = around.collect();
    }
    quotas
}

/// The attributes that have a target, and one number of each value of them, in one row.
#[derive(Clone, Debug)]
struct ByValue<T> {
    /// (attribute, where its values start).
    attributes: Vec<(usize, usize)>,
    numbers: Vec<T>,
}

impl<T: Copy> ByValue<T> {
    /// A number for each value of each attribute that has a target.
    fn new(target: &Target, mut number: impl FnMut(usize, &[f64]) -> Vec<T>) -> Self {
        let rows = target.rows().iter();
        Self::of_rows(rows.map(|(attribute, shares)| (*attribute, number(*attribute, shares))))
    }

    /// The numbers of the values of some attributes.
    fn of_rows(rows: impl Iterator<Item = (usize, Vec<T>)>) -> Self {
        let mut attributes = Vec::new();
        let mut numbers = Vec::new();
        for (attribute, row) in rows {
            attributes.push((attribute, numbers.len()));
            numbers.extend(row);
        }
        Self {
            attributes,
            numbers,
        }
    }

    /// The places of a candidate's values in the numbers.
    #[inline]
    fn places(&self, values: &[u16]) -> impl Iterator<Item = usize> {
        self.attributes
            .iter()
            .map(move |&(attribute, start)| start + usize::from(values[attribute]))
    }

    /// The numbers of a candidate's values.
    #[inline]
    fn of(&self, values: &[u16]) -> impl Iterator<Item = T> {
        self.places(values).map(|place| self.numbers[place])
    }

    /// The numbers of each attribute.
    fn rows(&self) -> impl Iterator<Item = &[T]> {
        let ends = self.attributes.iter().skip(1).map(|(_, start)| *start);
        let ends = ends.chain([self.numbers.len()]);
        self.attributes
            .iter()
            .zip(ends)
            .map(|(&(_, start), end)| &self.numbers[start..end])
    }
}
