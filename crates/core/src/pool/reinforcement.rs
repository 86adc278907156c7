//! Pools that react to admissions (Puranik, Madhow, Pedarsani 2022, and the authors' follow-up,
//! arXiv 2407.07350).

use super::order::in_order;
use super::response::{PoolGaps, Response};
use super::{Mustered, Pool, PoolRound};
use crate::draw::{Draw, poisson};
use crate::protocol::RoundEntry;

/// The size of the pool's step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Eta {
    /// The same step in every round.
    Constant(f64),
    /// `start` over a power of the round's number. For a power above 1/2 and up to 1, the sum of
    /// the steps is unbounded and the sum of their squares is bounded (Theorem 2.2).
    Power {
        /// The step after the first round.
        start: f64,
        /// The power a of t^-a, above 0.
        power: f64,
    },
}

impl Eta {
    /// The step after round `round`, from 1.
    #[must_use]
    pub fn at(self, round: u64) -> f64 {
        match self {
            Self::Constant(eta) => eta,
            // No more rounding than a quotient has.
            Self::Power { start, power: 1.0 } => start / round as f64,
            Self::Power { start, power } => start * libm::pow(round as f64, -power),
        }
    }
}

/// The dynamics of the groups' shares in a pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamics {
    /// The attribute whose values are the groups.
    pub attribute: usize,
    /// theta_0: the share of each group at the start; their sum is 1.
    pub start: Vec<f64>,
    /// The steps.
    pub eta: Eta,
    /// The response, that is, the quantity that moves the pool.
    pub response: Response,
}

/// A pool whose groups' shares theta move with a policy's admissions. theta <- theta + eta x, each
/// clipped to \[0, 1\], then divided by their sum (Section 2, Eq. 3, for two groups). If a policy
/// declares nominal shares, they are the a of that round.
///
/// Of N = roster / groups who could apply, N^g = min(the rest, Poisson(theta_g N)) of each group
/// do, with one word a group. The last group takes the rest. With more than two groups it is the
/// last that is not gone, and its mean is a little above theta N. If a roster has fewer of a group,
/// all of them come.
///
/// The applicants of a group and their slots are drawn again each round. Given the counts, all
/// orders are equally likely, so the slots of a slate, by which policies break ties, say nothing
/// about groups. Pools that share a stream differ only by the difference of their counts.
#[derive(Clone, Debug)]
pub struct Reinforcement {
    dynamics: Dynamics,
    shares: Vec<f64>,
}

impl Reinforcement {
    /// Makes a pool at its start.
    #[must_use]
    pub fn new(dynamics: Dynamics) -> Self {
        let shares = dynamics.start.clone();
        Self { dynamics, shares }
    }

    /// theta: the current share of each group.
    #[must_use]
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Moves theta by the shares of the applicants and of the admitted, after round `round` (from
    /// 1).
    pub fn step(&mut self, round: u64, applicants: &[f64], admitted: &[f64]) {
        let eta = self.dynamics.eta.at(round);
        let moves = self.dynamics.response.to(&PoolGaps {
            round,
            shares: &self.shares,
            applicants,
            admitted,
        });
        let moved = moves.into_iter().zip(&self.shares);
        let moved = moved.map(|(x, theta)| (theta + eta * x).clamp(0.0, 1.0));
        let moved: Vec<f64> = moved.collect();
        let sum: f64 = moved.iter().sum();
        // Every group gone at once is no pool: then it stays as it was.
        if sum > 0.0 {
            self.shares = moved.into_iter().map(|theta| theta / sum).collect();
        }
    }

    /// The group that is the rest of the applicants: of two the second (Section 2), of more the
    /// last that is not gone.
    fn rest(&self) -> usize {
        let last = self.shares.len() - 1;
        match self.shares.iter().rposition(|theta| *theta > 0.0) {
            Some(living) if last > 1 => living,
            _ => last,
        }
    }

    /// Draws the number of applicants of each group, `most` in all.
    #[must_use]
    pub fn head_counts(&self, most: u32, draw: &mut Draw) -> Vec<u32> {
        let mut left = most;
        let last = self.rest();
        let count = |(group, theta): (usize, &f64)| {
            if group == last {
                return left;
            }
            let count = poisson(draw.word(), theta * f64::from(most));
            let count = count.min(u64::from(left)) as u32;
            left -= count;
            count
        };
        self.shares.iter().enumerate().map(count).collect()
    }

    /// The groups of the admitted to whom the pool looks up.
    fn looked_up_to(&self, entry: &RoundEntry<'_>) -> Vec<usize> {
        let group = |values: &[u16]| usize::from(values[self.dynamics.attribute]);
        let Response::RoleModel { rho } = self.dynamics.response else {
            return entry.chosen().map(|one| group(one.values())).collect();
        };
        let chosen = entry.chosen();
        let many = ((rho * chosen.len() as f64 + 1e-9) as usize).max(1);
        let mut chosen: Vec<_> = chosen
            .enumerate()
            .map(|(at, one)| (one.score().unwrap_or(0.0), at, group(one.values())))
            .collect();
        let best = |a: &(f64, usize, usize), b: &(f64, usize, usize)| {
            b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
        };
        if many < chosen.len() {
            chosen.select_nth_unstable_by(many, best);
            chosen.truncate(many);
        }
        chosen.into_iter().map(|(_, _, group)| group).collect()
    }
}

/// The share of each of `groups`; empty where there are no people.
fn shares_of(persons: impl Iterator<Item = usize>, groups: usize) -> Option<Vec<f64>> {
    let mut counts = vec![0u64; groups];
    persons.for_each(|group| counts[group] += 1);
    let all: u64 = counts.iter().sum();
    let share = |count: u64| count as f64 / all as f64;
    (all > 0).then(|| counts.into_iter().map(share).collect())
}

impl Pool for Reinforcement {
    fn muster(&mut self, round: &PoolRound<'_>, draw: &mut Draw) -> Mustered {
        let many = round.len() / self.shares.len() as u32;
        if let Some(who) = self.dynamics.response.muster(&self.shares, round, draw) {
            assert_eq!(who.len(), many as usize, "one person for each place");
            let mustered = Mustered::new(who, self.shares.clone(), round.len());
            return mustered.unwrap_or_else(|wrong| panic!("{wrong}"));
        }
        let wanted = self.head_counts(many, draw);
        let attribute = self.dynamics.attribute;
        let mut rosters = vec![Vec::new(); wanted.len()];
        for position in 0..round.len() {
            let group = usize::from(round.person(position).values()[attribute]);
            rosters[group].push(position);
        }
        let who = in_order(rosters, &wanted, round.number(), draw);
        Mustered::new(who, self.shares.clone(), round.len()).expect("positions of the roster")
    }

    fn state(&self) -> Vec<f64> {
        self.shares.clone()
    }

    fn react(&mut self, entry: &RoundEntry<'_>) {
        if self.dynamics.response == Response::None {
            return;
        }
        let groups = self.shares.len();
        let group = |values: &[u16]| usize::from(values[self.dynamics.attribute]);
        let applicants = entry
            .applicants()
            .candidates()
            .map(|one| group(one.values()));
        let applicants = shares_of(applicants, groups);
        let admitted = match entry.declared() {
            Some(declared) => Some(declared.to_vec()),
            None => shares_of(self.looked_up_to(entry).into_iter(), groups),
        };
        // Without applicants or admissions there is no response.
        if let (Some(applicants), Some(admitted)) = (applicants, admitted) {
            self.step(entry.round(), &applicants, &admitted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Key, Purpose};

    fn pool(start: &[f64], eta: Eta, response: Response) -> Reinforcement {
        Reinforcement::new(Dynamics {
            attribute: 0,
            start: start.to_vec(),
            eta,
            response,
        })
    }

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn two_groups_move_as_equation_3_has_it_and_stay_within_0_and_1() {
        let mut two = pool(&[0.1, 0.9], Eta::Constant(0.5), Response::Share);
        two.step(1, &[0.2, 0.8], &[0.6, 0.4]);
        assert!(close(two.shares(), &[0.3, 0.7]));
        two.step(2, &[1.0, 0.0], &[0.0, 1.0]);
        assert!(close(two.shares(), &[0.0, 1.0]));
        // A step of more than 1 is projected too.
        let mut far = pool(&[0.5, 0.5], Eta::Constant(3.0), Response::Share);
        far.step(1, &[0.5, 0.5], &[1.0, 0.0]);
        assert!(close(far.shares(), &[1.0, 0.0]));
    }

    fn decaying(start: f64, power: f64) -> Eta {
        Eta::Power { start, power }
    }

    #[test]
    fn steps_decay_by_a_power_of_the_round() {
        for (power, round, step) in [
            (1.0, 1, 0.4),
            (1.0, 4, 0.1),
            (0.5, 1, 0.4),
            (0.5, 4, 0.2),
            (0.5, 100, 0.04),
            (0.75, 16, 0.05),
            (2.0, 10, 0.004),
        ] {
            let at = decaying(0.4, power).at(round);
            assert!((at - step).abs() < 1e-15, "{round}^-{power}: {at}");
        }
        assert_eq!(Eta::Constant(0.4).at(9), 0.4);
    }

    #[test]
    fn steps_decay_and_responses_differ() {
        let mut harmonic = pool(&[0.5, 0.5], decaying(0.4, 1.0), Response::Share);
        harmonic.step(4, &[0.5, 0.5], &[0.6, 0.4]);
        assert!(close(harmonic.shares(), &[0.51, 0.49]));
        let mut order = pool(
            &[0.5, 0.5],
            Eta::Constant(1.0),
            Response::Order { beta: 2.0 },
        );
        order.step(1, &[0.5, 0.5], &[0.2, 0.8]);
        assert!(close(order.shares(), &[0.41, 0.59]));
        let weights = Response::Weighted(vec![2.0, 1.0]);
        let mut weighted = pool(&[0.5, 0.5], Eta::Constant(1.0), weights);
        weighted.step(1, &[0.5, 0.5], &[0.6, 0.4]);
        assert!(close(weighted.shares(), &[0.7 / 1.1, 0.4 / 1.1]));
        let mut fixed = pool(&[0.5, 0.5], Eta::Constant(1.0), Response::None);
        fixed.step(1, &[0.5, 0.5], &[1.0, 0.0]);
        assert!(close(fixed.shares(), &[0.5, 0.5]));
    }

    #[test]
    fn three_groups_are_clipped_and_divided_by_their_sum() {
        let mut three = pool(&[0.1, 0.2, 0.7], Eta::Constant(1.0), Response::Share);
        three.step(1, &[0.3, 0.2, 0.5], &[0.1, 0.4, 0.5]);
        // -0.1, 0.4, 0.7
        assert!(close(three.shares(), &[0.0, 0.4 / 1.1, 0.7 / 1.1]));
    }

    #[test]
    fn a_group_that_is_gone_does_not_apply_wherever_it_stands() {
        let key = Key::new(3, 0);
        for shares in [
            [0.0, 0.5, 0.5],
            [0.5, 0.0, 0.5],
            [0.5, 0.5, 0.0],
            [0.0, 1.0, 0.0],
        ] {
            let three = pool(&shares, Eta::Constant(0.1), Response::Share);
            for round in 0..200 {
                let mut draw = key.draw(Purpose::Muster, round, 0);
                let counts = three.head_counts(60, &mut draw);
                assert_eq!(counts.iter().sum::<u32>(), 60);
                for (count, share) in counts.iter().zip(shares) {
                    assert!(share > 0.0 || *count == 0, "{shares:?}: {counts:?}");
                }
            }
        }
    }

    #[test]
    fn head_counts_fill_the_round_and_the_coupling_is_monotone() {
        let key = Key::new(3, 0);
        let count = |theta: f64, round| {
            let mut draw = key.draw(Purpose::Muster, round, 0);
            let pool = pool(&[theta, 1.0 - theta], Eta::Constant(0.1), Response::Share);
            let counts = pool.head_counts(100, &mut draw);
            assert_eq!(counts[0] + counts[1], 100);
            counts[0]
        };
        for round in 0..500 {
            let counts: Vec<u32> = (0..=20)
                .map(|k| count(f64::from(k) / 20.0, round))
                .collect();
            assert!(counts.windows(2).all(|pair| pair[0] <= pair[1]));
            assert_eq!(counts[0], 0);
        }
        let mean = (0..4000)
            .map(|round| f64::from(count(0.3, round)))
            .sum::<f64>()
            / 4000.0;
        assert!(
            (mean - 30.0).abs() < 4.0 * (30.0_f64 / 4000.0).sqrt(),
            "{mean}"
        );
    }
}
