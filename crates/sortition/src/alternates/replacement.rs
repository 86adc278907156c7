//! The best replacement: which alternates take the seats of those who left.
//!
//! By how many seats a panel is off is a sum of convex functions of its head-counts. So what one
//! person more gains only shrinks as others are added, and the largest gains of the moment bound
//! what any replacement can still gain. Branch and bound by that.

use std::collections::BTreeMap;

use super::seats::{SeatPlan, gain, off};
use kleroterion_core::protocol::Quota;

/// People of one kind who may be taken.
#[derive(Clone, Copy)]
pub(super) struct Stock<'a> {
    pub(super) places: &'a [usize],
    pub(super) people: u32,
}

impl<'a> Stock<'a> {
    /// All people of some kinds.
    pub(super) fn of(kinds: &'a BTreeMap<Vec<usize>, Vec<u32>>) -> Vec<Self> {
        let stock = kinds.iter().map(|(places, people)| Self {
            places,
            people: people.len() as u32,
        });
        stock.collect()
    }
}

/// The seats off with the best replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    /// The seats off with the best replacement found.
    pub(super) off: u32,
    /// A number that no replacement is below; the same where the search came to its end.
    pub(super) least: u32,
}

/// The best replacement of at most `free` people of `stock` for a panel of which `counts` are left;
/// `nodes`: after how many the search is given up.
pub(super) fn replaced(
    plan: &SeatPlan,
    counts: &[u32],
    stock: &[Stock<'_>],
    free: u32,
    nodes: u64,
) -> Replaced {
    let mut search = Search {
        quotas: plan.quotas(),
        counts: counts.to_vec(),
        best: off(plan.quotas(), counts),
        least: plan.least_off(counts, free),
        nodes,
    };
    let start = search.best;
    search.visit(start, stock, free);
    let least = match search.nodes {
        0 => search.least,
        _ => search.best,
    };
    Replaced {
        off: search.best,
        least,
    }
}

struct Search<'a> {
    quotas: &'a [Quota],
    /// The members with each value, among those who stay and those added so far.
    counts: Vec<u32>,
    best: u32,
    /// The lower bound: no replacement has fewer seats off.
    least: u32,
    /// The number of nodes that may still be visited.
    nodes: u64,
}

impl Search<'_> {
    /// Tries all additions to a panel that is `now` seats off.
    fn visit(&mut self, now: u32, stock: &[Stock<'_>], free: u32) {
        self.best = self.best.min(now);
        if free == 0 || self.is_over() {
            return;
        }
        self.nodes -= 1;
        let gains = stock.iter().filter_map(|kind| {
            let gain = gain(self.quotas, &self.counts, kind.places);
            // A gain only shrinks, so who gains nothing now never does.
            (gain > 0).then_some((gain as u32, *kind))
        });
        let mut gains: Vec<(u32, Stock<'_>)> = gains.collect();
        gains.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
        let kinds: Vec<Stock<'_>> = gains.iter().map(|(_, kind)| *kind).collect();
        for (at, (gain, kind)) in gains.iter().enumerate() {
            if self.is_over() || now.saturating_sub(most(&gains[at..], free)) >= self.best {
                return;
            }
            let mut rest = kinds[at..].to_vec();
            rest[0].people -= 1;
            if rest[0].people == 0 {
                rest.remove(0);
            }
            kind.places
                .iter()
                .for_each(|&place| self.counts[place] += 1);
            self.visit(now - gain, &rest, free - 1);
            kind.places
                .iter()
                .for_each(|&place| self.counts[place] -= 1);
        }
    }

    fn is_over(&self) -> bool {
        self.best <= self.least || self.nodes == 0
    }
}

/// The most that `free` people can gain.
fn most(gains: &[(u32, Stock<'_>)], mut free: u32) -> u32 {
    let mut sum = 0;
    for (gain, kind) in gains {
        let taken = kind.people.min(free);
        sum += gain * taken;
        free -= taken;
        if free == 0 {
            break;
        }
    }
    sum
}
