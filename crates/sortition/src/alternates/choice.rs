//! The choice of alternates, by sample-average approximation over drawn drop-outs.

use std::collections::BTreeMap;

use super::replacement::{Stock, replaced};
use super::seats::{SeatPlan, gain};

/// A drop-out that was drawn: what is left of the panel, and how often it came.
pub(super) struct Scenario {
    pub(super) counts: Vec<u32>,
    /// The seats that are free.
    pub(super) free: u32,
    pub(super) times: u32,
}

/// Drop-outs that leave the same are one scenario.
pub(super) fn scenarios(drawn: impl Iterator<Item = (Vec<u32>, u32)>) -> Vec<Scenario> {
    let mut all: BTreeMap<(Vec<u32>, u32), u32> = BTreeMap::new();
    for left in drawn {
        *all.entry(left).or_default() += 1;
    }
    let scenario = |((counts, free), times)| Scenario {
        counts,
        free,
        times,
    };
    all.into_iter().map(scenario).collect()
}

/// The search for the kinds of alternates that leave the fewest seats off in all scenarios.
pub(super) struct Choice<'a> {
    pub(super) plan: &'a SeatPlan,
    pub(super) scenarios: &'a [Scenario],
    /// The people who may become alternates.
    pub(super) stock: &'a [Stock<'a>],
    pub(super) nodes: u64,
}

/// The number of alternates of each kind, and their result in the sample.
pub(super) struct Chosen {
    pub(super) kinds: Vec<u32>,
    /// Seats off, summed over the sample.
    pub(super) off: u64,
    /// The lower bound on `off` for any choice of as many alternates.
    pub(super) least: u64,
}

impl Choice<'_> {
    /// Chooses one alternate after another, each leaving the fewest seats off, then exchanges them
    /// as long as fewer are off.
    pub(super) fn made(&self, how_many: u32) -> Chosen {
        let floors = self.floors(how_many);
        let least = self.sum(floors.iter().copied());
        let mut kinds = vec![0; self.stock.len()];
        let mut offs = self.offs(&kinds);
        for _ in 0..how_many {
            let Some((at, better)) = self.best_added(&mut kinds, &offs, &floors) else {
                break;
            };
            kinds[at] += 1;
            offs = better;
        }
        while self.sum(offs.iter().copied()) > least {
            match self.exchanged(&kinds, &offs, &floors) {
                Some((better, fewer)) => (kinds, offs) = (better, fewer),
                None => break,
            }
        }
        let off = self.sum(offs.into_iter());
        Chosen { kinds, off, least }
    }

    /// The kinds of some alternates, one after another, first whoever leaves the fewest seats off.
    pub(super) fn ordered(&self, kinds: &[u32]) -> Vec<usize> {
        let stock = self.taken(kinds);
        let places: Vec<usize> = (0..kinds.len()).filter(|&at| kinds[at] > 0).collect();
        let choice = Choice {
            stock: &stock,
            ..*self
        };
        let floors = vec![0; self.scenarios.len()];
        let mut taken = vec![0; stock.len()];
        let mut offs = choice.offs(&taken);
        let mut order = Vec::new();
        while let Some((at, fewer)) = choice.best_added(&mut taken, &offs, &floors) {
            taken[at] += 1;
            offs = fewer;
            order.push(places[at]);
        }
        order
    }

    /// Returns, for each scenario, the seats off with the best replacement among all who are left.
    /// No alternates do better.
    fn floors(&self, how_many: u32) -> Vec<u32> {
        let floor = |scenario: &Scenario| {
            let free = scenario.free.min(how_many);
            replaced(self.plan, &scenario.counts, self.stock, free, self.nodes).least
        };
        self.scenarios.iter().map(floor).collect()
    }

    /// The kind whose addition leaves the fewest seats off and, of those alike, gains most where it
    /// alone replaces; with what is then off.
    fn best_added(
        &self,
        kinds: &mut [u32],
        offs: &[u32],
        floors: &[u32],
    ) -> Option<(usize, Vec<u32>)> {
        let mut best: Option<(u64, u64, usize, Vec<u32>)> = None;
        for at in 0..kinds.len() {
            if kinds[at] >= self.stock[at].people {
                continue;
            }
            kinds[at] += 1;
            let after = self.offs_with(kinds, at, offs, floors);
            kinds[at] -= 1;
            let (sum, use_of) = (self.sum(after.iter().copied()), self.use_of(at));
            let is_better = best.as_ref().is_none_or(|(fewest, most, ..)| {
                (sum, std::cmp::Reverse(use_of)) < (*fewest, std::cmp::Reverse(*most))
            });
            if is_better {
                best = Some((sum, use_of, at, after));
            }
        }
        best.map(|(.., at, after)| (at, after))
    }

    /// The alternates with one exchanged for another, where that leaves fewer seats off.
    fn exchanged(
        &self,
        kinds: &[u32],
        offs: &[u32],
        floors: &[u32],
    ) -> Option<(Vec<u32>, Vec<u32>)> {
        let now = self.sum(offs.iter().copied());
        for out in (0..kinds.len()).filter(|&out| kinds[out] > 0) {
            let mut fewer = kinds.to_vec();
            fewer[out] -= 1;
            let without = self.offs(&fewer);
            let (at, after) = self.best_added(&mut fewer, &without, floors)?;
            if self.sum(after.iter().copied()) < now {
                fewer[at] += 1;
                return Some((fewer, after));
            }
        }
        None
    }

    /// Returns, for each scenario, the seats off with these alternates.
    fn offs(&self, kinds: &[u32]) -> Vec<u32> {
        let stock = self.taken(kinds);
        let all = self.scenarios.iter();
        all.map(|scenario| self.off(scenario, &stock)).collect()
    }

    /// Returns the seats off after alternate `at` is added to those with `offs` off.
    fn offs_with(&self, kinds: &[u32], at: usize, offs: &[u32], floors: &[u32]) -> Vec<u32> {
        let stock = self.taken(kinds);
        let places = self.stock[at].places;
        let all = self.scenarios.iter().zip(offs.iter().zip(floors));
        all.map(|(scenario, (&off, &floor))| {
            // Who gains nothing alone gains nothing next to others.
            let helps = || gain(self.plan.quotas(), &scenario.counts, places) > 0;
            match off > floor && helps() {
                true => self.off(scenario, &stock),
                false => off,
            }
        })
        .collect()
    }

    fn off(&self, scenario: &Scenario, stock: &[Stock<'_>]) -> u32 {
        replaced(
            self.plan,
            &scenario.counts,
            stock,
            scenario.free,
            self.nodes,
        )
        .off
    }

    /// The alternates as people who may be taken.
    fn taken(&self, kinds: &[u32]) -> Vec<Stock<'_>> {
        let taken = self.stock.iter().zip(kinds).filter(|(_, n)| **n > 0);
        taken
            .map(|(kind, &people)| Stock { people, ..*kind })
            .collect()
    }

    /// Returns the gain by a person of a kind alone, summed over the sample.
    fn use_of(&self, at: usize) -> u64 {
        let places = self.stock[at].places;
        let of = |scenario: &Scenario| {
            let gain = gain(self.plan.quotas(), &scenario.counts, places).max(0) as u64;
            gain * u64::from(scenario.times)
        };
        self.scenarios.iter().map(of).sum()
    }

    fn sum(&self, offs: impl Iterator<Item = u32>) -> u64 {
        let all = self.scenarios.iter().zip(offs);
        all.map(|(scenario, off)| u64::from(scenario.times) * u64::from(off))
            .sum()
    }
}
