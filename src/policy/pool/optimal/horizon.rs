//! A finite horizon without discount: the most that R can sum up to over some rounds, by going back
//! from the last one, and what other policies make of them. The state is theta.

use super::reward::Rewards;
use super::solve::{Chain, Unsolved};
use super::theta::ThetaChain;
use super::{AheadState, LookAhead};
use crate::policy::BadParameters;

/// The expected sums of R over some rounds, from each theta of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct HorizonSums(Vec<f64>);

impl HorizonSums {
    /// The sum from a theta, interpolated linearly.
    #[must_use]
    pub fn from(&self, theta: f64) -> f64 {
        let last = self.0.len() - 1;
        let place = theta.clamp(0.0, 1.0) * last as f64;
        let below = (place as usize).min(last - 1);
        let value = self.0[below];
        value + (place - below as f64) * (self.0[below + 1] - value)
    }
}

impl LookAhead {
    /// The most that R can sum up to over `rounds` rounds; gamma does not count.
    ///
    /// # Errors
    /// As [`LookAhead::check`], and where the state is not theta.
    pub fn best_sums(&self, rounds: u32) -> Result<HorizonSums, Unsolved> {
        let mut chain = self.chain()?;
        Ok(HorizonSums(back(rounds, chain.states(), |values, next| {
            chain.improve(1.0, values, next);
        })))
    }

    /// The sum of R over `rounds` rounds where `share` says which share to admit of the first
    /// group, at a theta and at its share of the applicants; rounded to places, and to what is
    /// possible.
    ///
    /// # Errors
    /// As [`LookAhead::best_sums`].
    pub fn sums_of(
        &self,
        rounds: u32,
        share: impl Fn(f64, f64) -> f64,
    ) -> Result<HorizonSums, Unsolved> {
        let mut chain = self.chain()?;
        chain.choose(share);
        Ok(HorizonSums(back(rounds, chain.states(), |values, next| {
            chain.evaluate(1.0, values, next);
        })))
    }

    fn chain(&self) -> Result<ThetaChain, Unsolved> {
        self.check().map_err(Unsolved::Wrong)?;
        let AheadState::Theta { applicants, cells } = self.state else {
            let mut wrong = BadParameters::default();
            wrong.demand_word("the state", false, "theta over a finite horizon");
            return Err(Unsolved::Wrong(wrong));
        };
        let rewards = Rewards::new(self, applicants, self.places());
        Ok(ThetaChain::new(rewards, self.eta, cells))
    }
}

/// Steps back from nothing.
fn back(rounds: u32, states: usize, mut step: impl FnMut(&[f64], &mut [f64])) -> Vec<f64> {
    let mut values = vec![0.0; states];
    let mut next = values.clone();
    for _ in 0..rounds {
        step(&values, &mut next);
        std::mem::swap(&mut values, &mut next);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::pool::{GreedyTerm, HeadCountLaw, Infeasible, ScoreLaw, Weighing};

    fn ahead(applicants: u32, cells: u32) -> LookAhead {
        let law = ScoreLaw { mean: 5.0, sd: 1.0 };
        LookAhead {
            laws: [law, law],
            admitted: 0.5,
            target: 0.4,
            lambda: 1.5,
            eta: 0.2,
            gamma: 0.99,
            greedy_term: GreedyTerm::Blom,
            infeasible: Infeasible::Feasible,
            state: AheadState::Theta { applicants, cells },
            tolerance: 1e-6,
        }
    }

    /// By all choices at every head-count, without a grid.
    fn by_force(ahead: &LookAhead, rewards: &Rewards, theta: f64, rounds: u32) -> f64 {
        if rounds == 0 {
            return 0.0;
        }
        let size = f64::from(rewards.applicants);
        let law = HeadCountLaw::new(theta * size, rewards.applicants);
        let worth = law.iter().map(|(n, p)| {
            let (low, row) = rewards.at(n);
            let each = (low..).zip(row).map(|(k, reward)| {
                let excess = f64::from(k) / f64::from(rewards.places) - f64::from(n) / size;
                let next = (theta + ahead.eta * excess).clamp(0.0, 1.0);
                reward + by_force(ahead, rewards, next, rounds - 1)
            });
            p * each.fold(f64::NEG_INFINITY, f64::max)
        });
        worth.sum()
    }

    #[test]
    fn going_back_finds_what_trying_all_finds() {
        let ahead = ahead(6, 4000);
        let rewards = Rewards::new(&ahead, 6, ahead.places());
        for rounds in [1, 2, 3] {
            let best = ahead.best_sums(rounds).unwrap();
            for theta in [0.1, 0.35, 0.8] {
                let forced = by_force(&ahead, &rewards, theta, rounds);
                let found = best.from(theta);
                assert!(
                    (found - forced).abs() < 1e-4,
                    "{rounds} {theta} {found} {forced}"
                );
            }
        }
    }

    #[test]
    fn over_one_round_fair_greedy_is_best_and_over_more_nothing_is_better() {
        let ahead = ahead(20, 500);
        let weighing = Weighing {
            target: vec![0.4, 0.6],
            lambda: 1.5,
            greedy_term: GreedyTerm::Blom,
            laws: ahead.laws.into(),
            infeasible: Infeasible::Feasible,
        };
        let greedy = |_: f64, s: f64| {
            let n = (s * 20.0).round() as u32;
            weighing.share(10, [n, 20 - n])
        };
        let plan = ahead.solve().unwrap();
        for rounds in [1, 2, 50] {
            let best = ahead.best_sums(rounds).unwrap();
            let fair = ahead.sums_of(rounds, greedy).unwrap();
            let discounted = ahead.sums_of(rounds, |t, s| plan.share(t, s)).unwrap();
            for theta in [0.05, 0.4, 0.9] {
                let by = best.from(theta) - fair.from(theta);
                assert!(by > -1e-9 && best.from(theta) > discounted.from(theta) - 1e-9);
                // In the last round Fair-Greedy is the optimum; from afar it is not.
                assert!((rounds > 1 || by < 1e-9) && (rounds < 50 || theta == 0.4 || by > 1e-6));
            }
        }
        let share = LookAhead {
            state: AheadState::Share { applicants: 20 },
            ..ahead
        };
        assert!(matches!(share.best_sums(3), Err(Unsolved::Wrong(_))));
    }

    #[test]
    fn sums_between_two_thetas_lie_on_a_line() {
        let sums = HorizonSums(vec![1.0, 3.0, 2.0]);
        let cases = [
            (-1.0, 1.0),
            (0.0, 1.0),
            (0.25, 2.0),
            (0.5, 3.0),
            (0.75, 2.5),
            (1.0, 2.0),
            (9.0, 2.0),
        ];
        for (theta, sum) in cases {
            assert_eq!(sums.from(theta), sum, "{theta}");
        }
    }
}
