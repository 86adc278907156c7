//! Fair-Greedy on all rounds: ours, after Grazzi et al. 2022, Algorithm 1.
//!
//! The paper estimates mu on the first half of the rounds and the ranks on the second, which makes
//! the two independent: Lemma 4.1 (every group is chosen as often) and the bound on the regret need
//! that. Here both learn from everything: mu^ is the ridge estimate of all outcomes that have
//! arrived, the rank of a candidate is the empirical CDF of mu^.x over all earlier contexts of its
//! group, and the highest rank is chosen. mu^ has no noise: all candidates of a group that has no
//! outcome yet may tie at the top, and `p` is exact. No theorem covers the policy; docs/merit.md
//! has what was measured.
//!
//! Until the first outcome arrives no rank is known, and any choice gives away as much. The policy
//! then chooses whoever teaches most *within its own group*: the highest rank of (x - m)'V^-1 (x -
//! m), m the mean of the group's contexts and V the ridge's matrix of those chosen so far. Ranks
//! within groups keep the groups' shares equal there.
//!
//! What the issue compares lost to this in our trials: Thompson's noise on mu^, optimism (upper
//! bounds in place of mu^.x, for the candidate or within the ranks), intercepts of the groups,
//! either half alone.

use super::choice::{take_best, taken};
use super::latest::Latest;
use super::{BadParameters, Contexts, Ranks, Ridge};
use crate::Policy;
use kleroterion_core::protocol::{Move, Outcome, View};

/// Chooses the highest relative rank, estimated from all rounds.
#[derive(Clone, Debug)]
pub struct FairGreedyAll {
    contexts: Contexts,
    ridge: Ridge,
    /// The estimate mu^ from the outcomes so far. `None` if outcomes came since it was computed.
    mu: Option<Vec<f64>>,
    /// The ranks among the contexts of all earlier rounds.
    seen: Ranks,
    /// The state until the first outcome has arrived.
    blind: Option<Blind>,
    ranks: Vec<f64>,
    /// The slots of those whose rank was drawn.
    random: Vec<u32>,
}

/// Knowledge that serves while no outcome has arrived.
#[derive(Clone, Debug)]
struct Blind {
    /// V of those chosen.
    design: Ridge,
    latest: Latest,
}

impl FairGreedyAll {
    /// Makes the policy with regularisation lambda.
    ///
    /// # Errors
    /// Returns an error if lambda is not a finite number above 0.
    pub fn new(contexts: Contexts, lambda: f64) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        wrong.demand_lambda(lambda);
        let (dimension, groups) = (contexts.dimension(), contexts.groups());
        let ridge = Ridge::new(dimension, lambda);
        wrong.or(Self {
            contexts,
            mu: None,
            seen: Ranks::new(dimension, groups),
            blind: Some(Blind {
                design: ridge.clone(),
                latest: Latest::new(dimension, groups),
            }),
            ridge,
            ranks: Vec::new(),
            random: Vec::new(),
        })
    }

    /// The contexts of all rounds, with the ranks computed from them.
    #[must_use]
    pub fn seen(&self) -> &Ranks {
        &self.seen
    }

    /// The ranks of the slate's candidates; a group without earlier contexts gives each of its own
    /// an independent U(0,1) rank.
    fn rank(&mut self, view: &mut View<'_>) {
        let mu = self.mu.get_or_insert_with(|| self.ridge.estimate());
        self.ranks.clear();
        self.random.clear();
        for (slot, person) in (0..).zip(view.slate().candidates()) {
            let group = self.contexts.group(person);
            let rank = self.contexts.context(person).map(|context| {
                let rank = match &mut self.blind {
                    Some(blind) => blind.latest.rank(&blind.design, group, context),
                    None => self.seen.rank(mu, group, context),
                };
                rank.unwrap_or_else(|| {
                    self.random.push(slot);
                    view.draw().uniform()
                })
            });
            self.ranks.push(rank.unwrap_or(f64::NAN));
        }
    }
}

impl Policy for FairGreedyAll {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        self.rank(view);
        let (round, slate) = (view.round(), view.slate());
        for person in slate.candidates() {
            if let Some(context) = self.contexts.context(person) {
                let group = self.contexts.group(person);
                self.seen.insert(round, group, context);
                if let Some(blind) = &mut self.blind {
                    blind.latest.insert(group, context);
                }
            }
        }
        let Some(blind) = &mut self.blind else {
            return take_best("relative_rank", &self.ranks, &self.random, view);
        };
        let answer = take_best("spread_rank", &self.ranks, &self.random, view);
        if let Some(slot) = taken(&answer)
            && let Some(context) = self.contexts.context(slate.candidate(slot))
        {
            blind.design.observe(context, 0.0);
        }
        answer
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        if self
            .ridge
            .observe(outcome.person().features(), outcome.value())
        {
            (self.mu, self.blind) = (None, None);
        }
    }

    fn corrects(&self) -> bool {
        true
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.ridge.correct(outcome, before);
        self.mu = None;
    }
}
