//! Fair-Greedy (Grazzi et al. 2022, Algorithm 1 and, for candidates of any groups, Section 7): one
//! implementation.
//!
//! In round t, with t~ = floor((t-1)/2): mu~ is the ridge estimate of rounds 1..t~ plus a little
//! noise, the rank of a candidate is the empirical CDF of mu~.x over all contexts of its group in
//! rounds t~+1..t-1, and the highest rank is chosen.
//!
//! Where groups are drawn, a group with n contexts in the window has ranks that are multiples of
//! 1/n: a candidate of a rare group is at the very top with probability 1/(n+1), and so is chosen
//! more often than parity has it in the first rounds.
//!
//! What the print leaves open: gamma is drawn once per ridge update, which keeps Lemma 4.1, so mu~
//! changes in every second round only; a group without context in the window gives each of its
//! candidates an independent U(0,1) rank, which makes t = 1 uniform; and where outcomes are late,
//! the ridge is of the rounds up to t~ whose outcome has arrived. Ties are broken uniformly at
//! random as printed (the released code takes the first).

use std::collections::BTreeMap;

use super::choice::take_best;
use super::{BadParameters, Contexts, Ranks, Ridge};
use crate::Policy;
use kleroterion_core::draw::Draw;
use kleroterion_core::protocol::{Move, Outcome, View};

/// The parameters of Fair-Greedy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FairGreedyParameters {
    /// The regularisation, above 0.
    pub lambda: f64,
    /// The magnitude of the noise on mu~, in (0, 1].
    pub rho: f64,
    /// The growth of t after which t~ and mu~ move, a factor above 1. *Another algorithm*, not the
    /// paper's: the window grows meanwhile. It is faster, and the regret may be up to sqrt(factor)
    /// worse. `None`: as printed.
    pub refresh: Option<f64>,
}

impl Default for FairGreedyParameters {
    /// Section 6: lambda = .1, as printed; rho = 1e-8.
    fn default() -> Self {
        Self {
            lambda: 0.1,
            rho: 1e-8,
            refresh: None,
        }
    }
}

/// A context and its reward.
#[derive(Clone, Debug)]
struct Told {
    context: Box<[f64]>,
    reward: f64,
}

/// Chooses the highest estimated relative rank. Its propensity is that under the noise drawn for
/// its estimate.
#[derive(Clone, Debug)]
pub struct FairGreedy {
    contexts: Contexts,
    parameters: FairGreedyParameters,
    ridge: Ridge,
    /// Outcomes of rounds after t~, by (round, order of arrival).
    awaiting: BTreeMap<(u64, u64), Told>,
    heard: u64,
    /// True if a reward in the estimate was corrected after the estimate was made.
    corrected: bool,
    /// The split t~.
    split: u64,
    /// The round in which t~ moved last.
    moved: u64,
    /// The estimate mu~.
    mu: Vec<f64>,
    window: Ranks,
    ranks: Vec<f64>,
    /// The slots of those whose rank was drawn.
    random: Vec<u32>,
}

impl FairGreedy {
    /// Makes the policy before the first round.
    ///
    /// # Errors
    /// Returns all parameters that are out of range.
    pub fn new(
        contexts: Contexts,
        parameters: FairGreedyParameters,
    ) -> Result<Self, BadParameters> {
        let FairGreedyParameters {
            lambda,
            rho,
            refresh,
        } = parameters;
        let mut wrong = BadParameters::default();
        wrong.demand_lambda(lambda);
        wrong.demand("rho", rho, rho > 0.0 && rho <= 1.0, "above 0, at most 1");
        let factor = refresh.unwrap_or(2.0);
        let grows = factor.is_finite() && factor > 1.0;
        wrong.demand("refresh", factor, grows, "a finite number above 1");
        wrong.or(Self {
            contexts,
            parameters,
            ridge: Ridge::new(contexts.dimension(), lambda),
            awaiting: BTreeMap::new(),
            heard: 0,
            corrected: false,
            split: 0,
            moved: 0,
            mu: vec![0.0; contexts.dimension()],
            window: Ranks::new(contexts.dimension(), contexts.groups()),
            ranks: Vec::new(),
            random: Vec::new(),
        })
    }

    /// The contexts in the window, with the ranks computed from them.
    #[must_use]
    pub fn window(&self) -> &Ranks {
        &self.window
    }

    /// mu~ of the last round, including the noise.
    #[must_use]
    pub fn estimate(&self) -> &[f64] {
        &self.mu
    }

    /// Lines 4 and 5: moves t~ and takes in what has arrived of the rounds up to it. gamma is drawn
    /// anew where either has changed anything.
    fn update(&mut self, round: u64, draw: &mut Draw) {
        let split = (round - 1) / 2;
        if let Some(factor) = self.parameters.refresh
            && (round as f64) < factor * self.moved as f64
        {
            return;
        }
        let moves = split > self.split;
        if moves {
            (self.split, self.moved) = (split, round);
            self.window.forget(split);
        }
        let mut learns = std::mem::take(&mut self.corrected);
        while let Some(first) = self.awaiting.first_entry()
            && first.key().0 <= self.split
        {
            let told = first.remove();
            learns |= self.ridge.observe(&told.context, told.reward);
        }
        if moves || learns {
            self.mu = self.ridge.estimate();
            let scale = (self.contexts.dimension() as f64 * round as f64).sqrt();
            for mu in &mut self.mu {
                *mu += self.parameters.rho / scale * draw.normal();
            }
        }
    }
}

impl Policy for FairGreedy {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let round = view.round();
        self.update(round, view.draw());
        let slate = view.slate();
        self.ranks.clear();
        self.random.clear();
        for (slot, person) in (0..).zip(slate.candidates()) {
            let group = self.contexts.group(person);
            let rank = self.contexts.context(person).map(|context| {
                let rank = self.window.rank(&self.mu, group, context);
                rank.unwrap_or_else(|| {
                    self.random.push(slot);
                    view.draw().uniform()
                })
            });
            self.ranks.push(rank.unwrap_or(f64::NAN));
        }
        for person in slate.candidates() {
            if let Some(context) = self.contexts.context(person) {
                let group = self.contexts.group(person);
                self.window.insert(round, group, context);
            }
        }
        take_best("relative_rank", &self.ranks, &self.random, view)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        let place = (outcome.decided(), self.heard);
        let told = Told {
            context: outcome.person().features().into(),
            reward: outcome.value(),
        };
        self.awaiting.insert(place, told);
        self.heard += 1;
    }

    fn corrects(&self) -> bool {
        true
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        let (round, context) = (outcome.decided(), outcome.person().features());
        let mut waiting = self.awaiting.range_mut((round, 0)..=(round, u64::MAX));
        let is_it = |told: &Told| told.reward == before && *told.context == *context;
        match waiting.find(|(_, told)| is_it(told)) {
            Some((_, told)) => told.reward = outcome.value(),
            None => {
                self.ridge.replace(context, before, outcome.value());
                self.corrected = true;
            }
        }
    }
}
