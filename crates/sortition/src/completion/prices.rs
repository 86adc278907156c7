//! Prices of values: proof that no completion seats someone.
//!
//! Each value has a whole number as its price, and a person's price is the sum over their values.
//! The bounds on values bound what a completion can cost in all. Someone who costs more than that
//! together with the cheapest others can't be of any. These are multipliers of Lagrange; they are
//! sought by subgradient steps in whole numbers, so the proof is exact.

use super::need::Need;
use super::pool::Pool;

/// About the largest price to begin with.
const FIRST_PRICE: i64 = 1 << 24;

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
        let mut others = Others::new(pool, need, open);
        let mut walk = self.scaled();
        // The prices of a walk go round the best ones; their sum comes nearer.
        let mut sum = walk.clone();
        for step in 0..=steps {
            for prices in [(step % 16 == 15).then_some(&sum), Some(&walk)] {
                let Some(prices) = prices else { continue };
                let most = prices.dearest(need) - others.cheapest(pool, prices);
                if prices.of(pool.places(one)) > most {
                    *self = prices.clone();
                    return Some(most);
                }
            }
            walk.step(pool, need, others.chosen().chain([(one, 1)]));
            let pairs = sum.0.iter_mut().zip(&walk.0);
            pairs.for_each(|(sum, price)| *sum += price);
        }
        None
    }

    /// Returns the same prices in proportion, scaled to a size that a few steps can change.
    fn scaled(&self) -> Self {
        let largest = self.0.iter().map(|price| price.abs()).max().unwrap_or(0);
        let divisor = (largest / FIRST_PRICE).max(1);
        Self(self.0.iter().map(|price| price / divisor).collect())
    }

    /// The most that a completion can cost in all.
    fn dearest(&self, need: &Need) -> i64 {
        let bounds = need.least.iter().zip(&need.most);
        let costs = self.0.iter().zip(bounds).map(|(&price, (&least, &most))| {
            price * i64::from(if price > 0 { most } else { least })
        });
        costs.sum()
    }

    /// Raises the prices of what some people have too much of, and lowers those of what they lack.
    fn step(&mut self, pool: &Pool, need: &Need, people: impl Iterator<Item = (u32, u32)>) {
        let mut counts = vec![0_i64; self.0.len()];
        for (one, alike) in people {
            for &place in pool.places(one) {
                counts[place as usize] += i64::from(alike);
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

/// The possible members of a completion besides one person, by kind.
struct Others {
    /// The number of others.
    seats: u32,
    /// The price of each kind, one of the kind and how many there are of it.
    kinds: Vec<(i64, u32, u32)>,
    /// The number of kinds at the front that are the cheapest.
    chosen: usize,
}

impl Others {
    fn new(pool: &Pool, need: &Need, open: &[u32]) -> Self {
        let mut counts = vec![0_u32; pool.len()];
        for &one in open {
            counts[pool.kind(one)] += 1;
        }
        let first = |one: &u32| (0, *one, std::mem::take(&mut counts[pool.kind(*one)]));
        let kinds = open.iter().map(first).filter(|(_, _, alike)| *alike > 0);
        Self {
            seats: need.seats - 1,
            kinds: kinds.collect(),
            chosen: 0,
        }
    }

    /// Returns the joint price of the cheapest of them.
    fn cheapest(&mut self, pool: &Pool, prices: &Prices) -> i64 {
        for (price, one, _) in &mut self.kinds {
            *price = prices.of(pool.places(*one));
        }
        let seats = self.seats as usize;
        if seats < self.kinds.len() {
            self.kinds.select_nth_unstable(seats);
        }
        let front = seats.min(self.kinds.len());
        self.kinds[..front].sort_unstable();
        let (mut cost, mut left) = (0, self.seats);
        self.chosen = 0;
        for (price, _, alike) in &self.kinds[..front] {
            if left == 0 {
                break;
            }
            let taken = left.min(*alike);
            cost += price * i64::from(taken);
            left -= taken;
            self.chosen += 1;
        }
        cost
    }

    /// The cheapest people: one of each kind, with the number of that kind.
    fn chosen(&self) -> impl Iterator<Item = (u32, u32)> {
        let kinds = self.kinds[..self.chosen].iter();
        kinds.scan(self.seats, |left, (_, one, alike)| {
            let taken = (*alike).min(*left);
            *left -= taken;
            Some((*one, taken))
        })
    }
}
