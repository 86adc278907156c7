//! Yardsticks of Grazzi et al. 2022 that know what no policy can: the merits of the slate, or the
//! CDF of each group.

use std::sync::Arc;

use super::choice::take_best;
use super::ranks::dot;
use super::{BadParameters, Contexts, Ridge};
use crate::Oracle;
use kleroterion_core::protocol::{GroupCdf, Move, Outcome, Truth, View};

/// The group-meritocratic fair policy itself (Definition 3.1): chooses the highest F_a(mu*.x). Its
/// fair regret is 0.
#[derive(Clone)]
pub struct GmfOracle {
    contexts: Contexts,
    cdf: Arc<dyn GroupCdf>,
}

impl GmfOracle {
    /// Makes the oracle from the CDFs; it is shown the merits.
    #[must_use]
    pub fn new(contexts: Contexts, cdf: Arc<dyn GroupCdf>) -> Self {
        Self { contexts, cdf }
    }
}

impl Oracle for GmfOracle {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move {
        let persons = (0..).zip(view.slate().candidates());
        let rank = |merit, person| self.cdf.rank(self.contexts.group(person), merit);
        let ranks: Vec<f64> = persons
            .map(|(slot, person)| {
                truth
                    .merit(slot)
                    .map_or(f64::NAN, |merit| rank(merit, person))
            })
            .collect();
        take_best("relative_rank", &ranks, &[], view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

/// An oracle that knows mu* but not the CDFs (Appendix E.1). It chooses the highest rank in the
/// empirical CDF of the merits of all past rounds' candidates of the group. A group not yet seen
/// gives each of its candidates an independent U(0,1) rank.
#[derive(Clone, Debug)]
pub struct OracleMu {
    contexts: Contexts,
    past: Vec<Merits>,
}

impl OracleMu {
    /// Makes the oracle before the first round.
    #[must_use]
    pub fn new(contexts: Contexts) -> Self {
        Self {
            contexts,
            past: vec![Merits::default(); contexts.groups()],
        }
    }
}

impl Oracle for OracleMu {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move {
        let slate = view.slate();
        let mut ranks = Vec::with_capacity(slate.len() as usize);
        let mut random = Vec::new();
        for (slot, person) in (0..).zip(slate.candidates()) {
            let merit = truth.merit(slot).filter(|merit| merit.is_finite());
            let rank = merit.map(|merit| {
                let rank = self.past[self.contexts.group(person)].rank(merit);
                rank.unwrap_or_else(|| {
                    random.push(slot);
                    view.draw().uniform()
                })
            });
            ranks.push(rank.unwrap_or(f64::NAN));
        }
        for (slot, person) in (0..).zip(slate.candidates()) {
            if let Some(merit) = truth.merit(slot).filter(|merit| merit.is_finite()) {
                self.past[self.contexts.group(person)].insert(merit);
            }
        }
        take_best("relative_rank", &ranks, &random, view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

/// Merits of the past: most of them sorted once and for all, the latest in a list that is short
/// enough to insert into.
#[derive(Clone, Debug, Default)]
struct Merits {
    settled: Vec<f64>,
    fresh: Vec<f64>,
}

impl Merits {
    fn insert(&mut self, merit: f64) {
        let at = self.fresh.partition_point(|other| *other <= merit);
        self.fresh.insert(at, merit);
        if self.fresh.len() > 4096 {
            self.settled.append(&mut self.fresh);
            // Two sorted runs: a stable sort merges them.
            self.settled.sort_by(f64::total_cmp);
        }
    }

    /// The share that is no higher than `merit`; `None` of none.
    fn rank(&self, merit: f64) -> Option<f64> {
        let lists = [&self.settled, &self.fresh];
        let all: usize = lists.iter().map(|list| list.len()).sum();
        let below = lists.map(|list| list.partition_point(|other| *other <= merit));
        (all > 0).then(|| below.iter().sum::<usize>() as f64 / all as f64)
    }
}

/// An oracle that knows the CDFs but not mu* (Appendix E.1). It chooses the highest F_a(mu^.x),
/// with mu^ the ridge estimate of its own rounds whose outcome has arrived. In Section 6 its fair
/// regret is linear: the groups use disjoint coordinates, so it locks in.
#[derive(Clone)]
pub struct OracleCdf {
    contexts: Contexts,
    cdf: Arc<dyn GroupCdf>,
    ridge: Ridge,
}

impl OracleCdf {
    /// Makes the oracle with regularisation lambda.
    ///
    /// # Errors
    /// Returns an error if lambda is not a finite number above 0.
    pub fn new(
        contexts: Contexts,
        lambda: f64,
        cdf: Arc<dyn GroupCdf>,
    ) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        wrong.demand_lambda(lambda);
        wrong.or(Self {
            contexts,
            cdf,
            ridge: Ridge::new(contexts.dimension(), lambda),
        })
    }
}

impl Oracle for OracleCdf {
    fn act(&mut self, view: &mut View<'_>, _: &Truth<'_>) -> Move {
        let mu = self.ridge.estimate();
        let persons = view.slate().candidates();
        let ranks: Vec<f64> = persons
            .map(|person| {
                let context = self.contexts.context(person);
                context.map_or(f64::NAN, |x| {
                    self.cdf.rank(self.contexts.group(person), dot(&mu, x))
                })
            })
            .collect();
        take_best("relative_rank", &ranks, &[], view)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.ridge.learn(outcome);
    }

    fn corrects(&self) -> bool {
        true
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.ridge.correct(outcome, before);
    }
}

/// Chooses the highest merit, whatever the group: a^opt of the standard pseudo-regret (Remark 3.1),
/// which is 0 for it.
#[derive(Clone, Copy, Debug)]
pub struct BestReward;

impl Oracle for BestReward {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move {
        let slots = 0..view.slate().len();
        let merits: Vec<f64> = slots
            .map(|slot| truth.merit(slot).unwrap_or(f64::NAN))
            .collect();
        take_best("merit", &merits, &[], view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::{Key, Purpose};

    /// Ranks among more merits than the list of the latest holds, some of them equal.
    #[test]
    fn merits_of_the_past_are_counted() {
        let mut draw = Key::new(3, 1).draw(Purpose::Person, 0, 0);
        let (mut merits, mut past) = (Merits::default(), Vec::new());
        assert_eq!(merits.rank(0.5), None);
        for n in 1..=5000 {
            let merit = (draw.uniform() * 500.0).floor();
            merits.insert(merit);
            past.push(merit);
            if n < 10 || n % 499 == 0 {
                for asked in [-1.0, 0.0, 250.0, 250.5, merit, 499.0] {
                    let below = past.iter().filter(|merit| **merit <= asked).count();
                    let due = below as f64 / past.len() as f64;
                    assert_eq!(merits.rank(asked), Some(due), "{asked} after {n}");
                }
            }
        }
    }
}
