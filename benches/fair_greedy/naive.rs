//! The naive kernel: Algorithm 1 with every mu~.x of the window computed anew in each round, which
//! is what the index saves. Contiguous rows by group, one pass; the same ridge, inner product and
//! draws as the library's.

use std::collections::VecDeque;
use std::sync::Arc;

use kleroterion::policy::Policy;
use kleroterion::policy::meritocratic::{FairGreedyParameters, Ridge, dot};
use kleroterion::protocol::{Move, Outcome, View};

use crate::world::{Sample, World};

/// The contexts of a group.
#[derive(Clone, Default)]
struct Group {
    /// One row after the other, of all rounds.
    rows: Vec<f64>,
    /// The number of numbers before each round, from round 1 on.
    before: Vec<usize>,
}

/// Fair-Greedy, naively.
pub struct Naive {
    rho: f64,
    ridge: Ridge,
    mu: Vec<f64>,
    /// (round, context, reward) of the rounds after t~.
    told: VecDeque<(u64, Box<[f64]>, f64)>,
    groups: Vec<Group>,
    sample: Sample,
    /// The slots chosen in rounds outside the sample, in which it stores and learns but does not
    /// rank.
    known: Arc<[u32]>,
}

impl Naive {
    pub fn new(world: &World, sample: Sample, known: Arc<[u32]>) -> Self {
        let FairGreedyParameters { lambda, rho, .. } = FairGreedyParameters::default();
        Self {
            rho,
            ridge: Ridge::new(world.mu.len(), lambda),
            mu: vec![0.0; world.mu.len()],
            told: VecDeque::new(),
            groups: vec![Group::default(); world.groups.len()],
            sample,
            known,
        }
    }

    /// The slot of the highest rank.
    fn best(&self, view: &mut View<'_>, split: u64) -> u32 {
        let d = self.mu.len();
        let slate = view.slate();
        let mut ranks = vec![0.0; slate.len() as usize];
        for (number, group) in self.groups.iter().enumerate() {
            let candidates = slate.candidates().enumerate();
            let own = candidates.filter(|(_, person)| usize::from(person.values()[0]) == number);
            let mut counts: Vec<(usize, f64, u64)> = own
                .map(|(slot, person)| (slot, dot(&self.mu, person.features()), 0))
                .collect();
            let window = &group.rows[group.before[split as usize]..];
            for x in window.chunks_exact(d) {
                let reward = dot(&self.mu, x);
                for (_, value, count) in &mut counts {
                    *count += u64::from(reward <= *value);
                }
            }
            for (slot, _, count) in counts {
                // NaN where nobody is there to compare with.
                ranks[slot] = count as f64 / (window.len() / d) as f64;
            }
        }
        for rank in &mut ranks {
            if rank.is_nan() {
                *rank = view.draw().uniform();
            }
        }
        let top = ranks.iter().copied().fold(0.0, f64::max);
        let mut tied = (0..).zip(&ranks).filter(|(_, rank)| **rank == top);
        let ties = tied.clone().count();
        let nth = if ties > 1 {
            view.draw().below(ties as u64) as usize
        } else {
            0
        };
        tied.nth(nth).expect("the highest is one of them").0
    }
}

impl Policy for Naive {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let round = view.round();
        let split = (round - 1) / 2;
        for group in &mut self.groups {
            group.before.push(group.rows.len());
        }
        if let Some((_, x, reward)) = self.told.pop_front_if(|(told, ..)| *told <= split) {
            self.ridge.observe(&x, reward);
            self.mu = self.ridge.estimate();
            let scale = (self.mu.len() as f64 * round as f64).sqrt();
            for mu in &mut self.mu {
                *mu += self.rho / scale * view.draw().normal();
            }
        }
        let slot = if self.sample.has(round) {
            self.best(view, split)
        } else {
            self.known[round as usize - 1]
        };
        for person in view.slate().candidates() {
            let group = &mut self.groups[usize::from(person.values()[0])];
            group.rows.extend_from_slice(person.features());
        }
        Move::take(slot)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        let context = outcome.person().features().into();
        self.told
            .push_back((outcome.decided(), context, outcome.value()));
    }
}
