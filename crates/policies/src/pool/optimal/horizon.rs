//! A finite horizon: the most that R can sum up to over some rounds and how, by going back from the
//! last one; and, of the state theta without discount, what other policies make of them.

use super::plan::{FewerLeft, interpolated};
use super::reward::Rewards;
use super::solve::{Chain, PlanProgress, Solved, Task, Unsolved, rounding};
use super::theta::ThetaChain;
use super::{AheadState, LookAhead};
use crate::BadParameters;

/// The values and choices with all of `rounds` rounds left, and where choices differ with fewer
/// left.
pub(super) fn go_back(
    chain: &mut impl Chain,
    rounds: u32,
    task: &Task<'_>,
) -> Result<(Solved, Vec<u32>, Vec<FewerLeft>), Unsolved> {
    let mut values = vec![0.0; chain.states()];
    let mut next = values.clone();
    let (mut choices, mut fewer) = (Vec::new(), Vec::new());
    // A sweep adds its rounding to what is left of the sweeps' before.
    let mut bound = 0.0;
    for gone in 0..rounds {
        task.watch.go_on()?;
        chain.improve(task.gamma, &values, &mut next, &task.watch)?;
        let table = chain.table(task.gamma, &values, &task.watch)?;
        for ((at, earlier), later) in (0..).zip(&table).zip(&choices) {
            if earlier != later {
                fewer.push((at, gone, *later));
            }
        }
        choices = table;
        std::mem::swap(&mut values, &mut next);
        bound = rounding(&values) + task.gamma * bound;
        if bound > task.tolerance {
            return Err(Unsolved::Bound(bound));
        }
        if fewer.len() > task.most_changes {
            return Err(Unsolved::Changes);
        }
        let (done, of) = (gone + 1, rounds);
        task.watch.see(PlanProgress::Rounds { done, of });
    }
    fewer.sort_unstable();
    let solved = Solved {
        values,
        bound,
        sweeps: rounds,
    };
    Ok((solved, choices, fewer))
}

/// The expected sums of R over some rounds, from each theta of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct HorizonSums(Vec<f64>);

impl HorizonSums {
    /// Returns the sum from a theta, interpolated linearly.
    #[must_use]
    pub fn from(&self, theta: f64) -> f64 {
        interpolated(&self.0, theta)
    }
}

impl LookAhead {
    /// Returns the sum of R over `rounds` rounds for a given rule. `share` gives the share of the
    /// first group to admit, from theta and the group's share of the applicants. It is rounded to
    /// places, and to possible shares. Neither gamma nor the horizon counts.
    ///
    /// # Errors
    /// The errors of [`LookAhead::check`]. Also an error if the state is not theta.
    pub fn sums_of(
        &self,
        rounds: u32,
        share: impl Fn(f64, f64) -> f64,
    ) -> Result<HorizonSums, Unsolved> {
        self.check().map_err(Unsolved::Wrong)?;
        let AheadState::Theta { applicants, cells } = self.state else {
            let mut wrong = BadParameters::default();
            wrong.demand_word("the state", false, "theta over a finite horizon");
            return Err(Unsolved::Wrong(wrong));
        };
        let rewards = Rewards::new(self, applicants, self.places());
        let mut chain = ThetaChain::new(rewards, self.eta, cells);
        chain.choose(share);
        let mut values = vec![0.0; chain.states()];
        let mut next = values.clone();
        for _ in 0..rounds {
            chain.evaluate(1.0, &values, &mut next);
            std::mem::swap(&mut values, &mut next);
        }
        Ok(HorizonSums(values))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::pool::optimal::{LookAheadPlan, PlanWatch};
    use crate::pool::{GreedyTerm, HeadCountLaw, Infeasible, ScoreLaw, Weighing};
    use kleroterion_core::watch::Interrupted;

    fn ahead(applicants: u32, cells: u32) -> LookAhead {
        let law = ScoreLaw { mean: 5.0, sd: 1.0 };
        LookAhead {
            laws: [law, law],
            admitted: 0.5,
            target: 0.4,
            lambda: 1.5,
            eta: 0.2,
            gamma: 0.99,
            horizon: None,
            greedy_term: GreedyTerm::Blom,
            infeasible: Infeasible::Feasible,
            state: AheadState::Theta { applicants, cells },
            tolerance: 1e-6,
        }
    }

    /// A horizon without discount.
    fn over(ahead: LookAhead, rounds: u32) -> LookAheadPlan {
        let ahead = LookAhead {
            gamma: 1.0,
            horizon: Some(rounds),
            ..ahead
        };
        ahead.solve().unwrap()
    }

    /// Computes a value by all choices at every head-count, or by those of a plan, without a grid
    /// of values.
    fn by_force(ahead: &LookAhead, plan: Option<&LookAheadPlan>, theta: f64, left: u32) -> f64 {
        let AheadState::Theta { applicants, .. } = ahead.state else {
            panic!("theta");
        };
        if left == 0 {
            return 0.0;
        }
        let rewards = Rewards::new(ahead, applicants, ahead.places());
        let (size, places) = (f64::from(applicants), f64::from(rewards.places));
        let law = HeadCountLaw::new(theta * size, applicants);
        let worth = law.iter().map(|(n, p)| {
            let s = f64::from(n) / size;
            let (low, row) = rewards.at(n);
            let planned =
                plan.map(|plan| (plan.share_with(left, theta, s) * places).round() as u32);
            let each = (low..)
                .zip(row)
                .filter(|(k, _)| planned.is_none_or(|only| only == *k));
            let each = each.map(|(k, reward)| {
                let excess = f64::from(k) / places - s;
                let next = (theta + ahead.eta * excess).clamp(0.0, 1.0);
                reward + ahead.gamma * by_force(ahead, plan, next, left - 1)
            });
            p * each.fold(f64::NEG_INFINITY, f64::max)
        });
        worth.sum()
    }

    #[test]
    fn going_back_finds_what_trying_all_finds_and_its_choices_are_worth_it() {
        for (rounds, gamma, eta) in [(1, 1.0, 0.2), (2, 1.0, 0.7), (3, 1.0, 0.2), (3, 0.8, 0.7)] {
            let ahead = LookAhead {
                gamma,
                eta,
                horizon: Some(rounds),
                ..ahead(6, 4000)
            };
            let plan = ahead.solve().unwrap();
            assert!(plan.is_for(&ahead) && plan.sweeps == rounds && plan.bound < 1e-12);
            for theta in [0.1, 0.35, 0.8] {
                let forced = by_force(&ahead, None, theta, rounds);
                let played = by_force(&ahead, Some(&plan), theta, rounds);
                for found in [plan.value(theta), played] {
                    let off = (found - forced).abs();
                    assert!(off < 1e-4, "{rounds} {theta} {found} {forced}");
                }
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
            let best = over(ahead, rounds);
            let fair = ahead.sums_of(rounds, greedy).unwrap();
            let discounted = ahead.sums_of(rounds, |t, s| plan.share(t, s)).unwrap();
            for theta in [0.05, 0.4, 0.9] {
                let by = best.value(theta) - fair.from(theta);
                assert!(by > -1e-9 && best.value(theta) > discounted.from(theta) - 1e-9);
                // In the last round Fair-Greedy is the optimum; from afar it is not.
                assert!((rounds > 1 || by < 1e-9) && (rounds < 50 || theta == 0.4 || by > 1e-6));
                for n in 0..=20 {
                    let s = f64::from(n) / 20.0;
                    assert_eq!(
                        best.share_with(1, theta, s),
                        greedy(theta, s),
                        "{rounds} {n}"
                    );
                }
            }
        }
        let share = LookAhead {
            state: AheadState::Share { applicants: 20 },
            ..ahead
        };
        assert!(matches!(share.sums_of(3, greedy), Err(Unsolved::Wrong(_))));
    }

    /// Whatever it is worth, three states change their choice in every round.
    struct Restless(u32);

    impl Chain for Restless {
        fn states(&self) -> usize {
            3
        }

        fn products(&self) -> (f64, f64) {
            (3.0, 3.0)
        }

        fn improve(
            &mut self,
            gamma: f64,
            values: &[f64],
            next: &mut [f64],
            _: &PlanWatch<'_>,
        ) -> Result<(), Interrupted> {
            self.0 += 1;
            self.evaluate(gamma, values, next);
            Ok(())
        }

        fn table(&self, _: f64, _: &[f64], _: &PlanWatch<'_>) -> Result<Vec<u32>, Interrupted> {
            Ok(vec![self.0; 3])
        }

        fn evaluate(&self, gamma: f64, values: &[f64], next: &mut [f64]) {
            let worths = values.iter().map(|value| 1.0 + gamma * value);
            next.iter_mut()
                .zip(worths)
                .for_each(|(next, worth)| *next = worth);
        }
    }

    #[test]
    fn what_is_kept_of_choices_is_bounded_and_so_is_what_rounding_may_do() {
        let tried = |rounds, most_changes, tolerance, interrupt| {
            let interrupt = Arc::new(AtomicBool::new(interrupt));
            let task = Task {
                gamma: 0.5,
                tolerance,
                watch: PlanWatch::interrupted_by(&interrupt),
                most_changes,
            };
            let gone = go_back(&mut Restless(0), rounds, &task);
            gone.map(|(solved, choices, fewer)| (solved.values, choices, fewer))
        };
        let fewer = vec![
            (0, 1, 1),
            (0, 2, 2),
            (1, 1, 1),
            (1, 2, 2),
            (2, 1, 1),
            (2, 2, 2),
        ];
        assert_eq!(
            tried(3, 6, 1e-9, false),
            Ok((vec![1.75; 3], vec![3; 3], fewer))
        );
        assert_eq!(tried(3, 5, 1e-9, false), Err(Unsolved::Changes));
        assert!(matches!(tried(3, 6, 1e-15, false), Err(Unsolved::Bound(_))));
        assert_eq!(tried(3, 6, 1e-9, true), Err(Unsolved::Interrupted));
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
