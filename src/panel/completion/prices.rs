//! Prices of values: proof that no completion seats someone.
//!
//! Each value has a whole number as its price, and a person's price is the sum over their values.
//! The bounds on values bound what a completion can cost in all. Someone who costs more than that
//! together with the cheapest others can't be of any. These are multipliers of Lagrange; they are
//! sought by subgradient steps in whole numbers, so the proof is exact.

use super::need::Need;
use super::pool::Pool;

/// About the largest price to begin with.
const LARGEST: i64 = 1 << 24;

/// Prices of values, by place.
#[derive(Clone, Debug)]
pub(super) struct Prices(Vec<i64>);

impl Prices {
    pub(super) fn new(places: usize) -> Self {
        Self(vec![0; places])
    }

    /// The price of someone of these values.
    #[inline]
    pub(super) fn of(&self, places: &[u32]) -> i64 {
        places.iter().map(|&place| self.0[place as usize]).sum()
    }

    /// The most that someone of a completion can cost, from prices that prove that `one` costs
    /// more; none where none are found in `steps` steps. `open`: who may be of a completion that
    /// fills the `need`.
    pub(super) fn bar(
        &mut self,
        pool: &Pool,
        need: &Need,
        open: &[u32],
        one: u32,
        steps: u32,
    ) -> Option<i64> {
        let others = need.seats as usize - 1;
        let mut order = Vec::with_capacity(open.len());
        let mut walk = self.scaled();
        // The prices of a walk go round the best ones; their sum comes nearer.
        let mut sum = walk.clone();
        for step in 0..=steps {
            for prices in [(step % 16 == 15).then_some(&sum), Some(&walk)] {
                let Some(prices) = prices else { continue };
                let most = prices.most(pool, need, open, others, &mut order);
                if prices.of(pool.places(one)) > most {
                    *self = prices.clone();
                    return Some(most);
                }
            }
            let cheapest = order[..others].iter().map(|(_, other)| *other);
            walk.step(pool, need, cheapest.chain([one]));
            let pairs = sum.0.iter_mut().zip(&walk.0);
            pairs.for_each(|(sum, price)| *sum += price);
        }
        None
    }

    /// The same in proportion, of a size that a few steps can change.
    fn scaled(&self) -> Self {
        let largest = self.0.iter().map(|price| price.abs()).max().unwrap_or(0);
        let divisor = (largest / LARGEST).max(1);
        Self(self.0.iter().map(|price| price / divisor).collect())
    }

    /// The most that someone of a completion can cost; `order` is left with the `others` cheapest
    /// first.
    fn most(
        &self,
        pool: &Pool,
        need: &Need,
        open: &[u32],
        others: usize,
        order: &mut Vec<(i64, u32)>,
    ) -> i64 {
        order.clear();
        order.extend(open.iter().map(|&one| (self.of(pool.places(one)), one)));
        if (1..order.len()).contains(&others) {
            order.select_nth_unstable(others - 1);
        }
        let cheapest: i64 = order[..others].iter().map(|(price, _)| price).sum();
        let bounds = need.least.iter().zip(&need.most);
        let dearest = self.0.iter().zip(bounds).map(|(&price, (&least, &most))| {
            price * i64::from(if price > 0 { most } else { least })
        });
        dearest.sum::<i64>() - cheapest
    }

    /// Raises the prices of what some people have too much of, and lowers those of what they lack.
    fn step(&mut self, pool: &Pool, need: &Need, people: impl Iterator<Item = u32>) {
        let mut counts = vec![0_i64; self.0.len()];
        for one in people {
            for &place in pool.places(one) {
                counts[place as usize] += 1;
            }
        }
        let bounds = need.least.iter().zip(&need.most);
        for ((price, count), (&least, &most)) in self.0.iter_mut().zip(counts).zip(bounds) {
            let over = (count - i64::from(most)).max(0);
            let under = (i64::from(least) - count).max(0);
            let back = match *price {
                0 => 0,
                dear if dear > 0 => (count - i64::from(most)).clamp(-dear, 0),
                cheap => (count - i64::from(least)).clamp(0, -cheap),
            };
            *price += over - under + back;
        }
    }
}
