//! Plans that end: against sweeps as printed, one round, and no end.

use std::sync::Arc;

use super::ahead::{ahead, counted, mean_field, probability, swept};
use super::slates::People;
use super::{EQUALS, SELECTIVE};
use crate::pool::optimal::{AheadState, Foresight, LookAhead, LookAheadPlan, Optimal};
use crate::pool::{GreedyTerm, Infeasible};
use kleroterion_core::protocol::Move;

/// R and all moves of the state share, swept back as printed: V, and the share by rounds left.
fn swept_back(ahead: &LookAhead, n: u32, places: u32, rounds: u32) -> (Vec<f64>, Vec<Vec<f64>>) {
    let part = |k: u32, of: u32| f64::from(k) / f64::from(of);
    let mut values = vec![0.0; n as usize + 1];
    let mut shares = Vec::new();
    for _ in 0..rounds {
        let best = |k: u32| {
            let choices = counted(ahead, n, places, k).into_iter();
            let worths = choices.map(|(choice, reward)| {
                let (s, a) = (part(k, n), part(choice, places));
                let mean = f64::from(n) * (s + ahead.eta * (a - s)).clamp(0.0, 1.0);
                let after = (0..=n).map(|to| probability(to, mean, n) * values[to as usize]);
                (reward + ahead.gamma * after.sum::<f64>(), a)
            });
            // Of equals the first.
            worths.fold((f64::MIN, 0.0), |best, one| {
                if one.0 > best.0 + 1e-12 { one } else { best }
            })
        };
        let (next, chosen) = (0..=n).map(best).unzip();
        values = next;
        shares.push(chosen);
    }
    (values, shares)
}

fn share_of(n: u32, infeasible: Infeasible, term: GreedyTerm) -> LookAhead {
    LookAhead {
        infeasible,
        eta: 0.4,
        ..ahead(EQUALS, 1.5, term, AheadState::Share { applicants: n })
    }
}

#[test]
fn of_every_number_of_rounds_left_the_choices_are_those_of_sweeps_as_printed() {
    for (infeasible, term, gamma) in [
        (Infeasible::Feasible, GreedyTerm::Blom, 1.0),
        (Infeasible::Authors, GreedyTerm::Exact, 1.0),
        (Infeasible::Feasible, GreedyTerm::MeanField, 0.9),
    ] {
        let (n, places, rounds) = (14, 4, 25);
        let ahead = LookAhead {
            gamma,
            horizon: Some(rounds),
            ..share_of(n, infeasible, term)
        };
        let plan = ahead.solve().unwrap();
        let (values, shares) = swept_back(&ahead, n, places, rounds);
        let mut apart = 0;
        for k in 0..=n {
            let off = plan.values[k as usize] - values[k as usize];
            assert!(off.abs() < 1e-9, "{k}: {off}");
            let s = f64::from(k) / f64::from(n);
            assert_eq!(plan.share(0.0, s), shares[rounds as usize - 1][k as usize]);
            for (left, row) in (1..).zip(&shares) {
                assert_eq!(plan.share_with(left, 0.0, s), row[k as usize], "{left} {k}");
                apart += u32::from(row[k as usize] != plan.share(0.0, s));
            }
        }
        assert!(apart > 0, "the rounds left make no difference");
    }
}

#[test]
fn without_chance_the_values_are_those_of_as_many_sweeps() {
    for (case, lambda, gamma, rounds) in [
        (EQUALS, 1.5, 1.0, 7),
        (SELECTIVE, 2.0, 0.95, 40),
        (SELECTIVE, 0.0, 1.0, 1),
    ] {
        let ahead = LookAhead {
            gamma,
            horizon: Some(rounds),
            eta: 0.3,
            ..mean_field(case, lambda, 40)
        };
        let plan = ahead.solve().unwrap();
        for (value, plain) in plan.values.iter().zip(swept(&ahead, 40, 0.0)) {
            assert!((value - plain).abs() < 1e-9, "{value} {plain}");
        }
    }
}

#[test]
fn a_far_end_changes_nothing_and_every_further_round_adds() {
    let theta = AheadState::Theta {
        applicants: 20,
        cells: 100,
    };
    let states = [
        LookAhead {
            greedy_term: GreedyTerm::MeanField,
            ..mean_field(EQUALS, 1.5, 50)
        },
        share_of(20, Infeasible::Feasible, GreedyTerm::Blom),
        LookAhead {
            state: theta,
            ..share_of(20, Infeasible::Feasible, GreedyTerm::Blom)
        },
    ];
    for state in states {
        let endless = LookAhead {
            gamma: 0.9,
            ..state
        };
        let plan = endless.solve().unwrap();
        let of = |rounds| -> LookAheadPlan {
            let ends = LookAhead {
                horizon: Some(rounds),
                ..endless
            };
            ends.solve().unwrap()
        };
        // What is beyond 300 rounds is worth .9^300 of 60.
        let far = of(300);
        for (ends, value) in far.values.iter().zip(&plan.values) {
            assert!((ends - value).abs() < 2e-7, "{ends} {value}");
        }
        for i in 0..=20 {
            for j in 0..=20 {
                let [theta, s] = [i, j].map(|part| f64::from(part) / 20.0);
                let [ends, share] = [&far, &plan].map(|plan| plan.share(theta, s));
                assert_eq!(ends, share, "{:?} {theta} {s}", state.state);
            }
        }
        // Scores are about 5 and the loss is at most 1.5, so R is above 0.
        let values = [1, 2, 3, 10, 50, 300].map(|rounds| of(rounds).values);
        for pair in values.windows(2) {
            assert!(pair[0].iter().zip(&pair[1]).all(|(less, more)| less < more));
        }
    }
}

#[test]
fn a_plan_that_ends_is_kept_whole_and_played_by_the_rounds_left() {
    let slate = People::ten();
    let state = AheadState::Theta {
        applicants: 10,
        cells: 100,
    };
    let parameters = LookAhead {
        eta: 0.5,
        gamma: 1.0,
        horizon: Some(12),
        ..ahead(EQUALS, 3.0, GreedyTerm::Blom, state)
    };
    let plan = parameters.solve().unwrap();
    let kept = serde_json::to_value(&plan).unwrap();
    let read: LookAheadPlan = serde_json::from_value(kept.clone()).unwrap();
    assert!(read == plan && read.is_for(&parameters));
    let fewer = kept["fewer"].as_array().expect("choices change");
    let [at, left] = [0, 1].map(|part| fewer[0][part].as_u64().unwrap());
    for wrong in [
        [at, left, 4],
        [at, 12, 0],
        [101 * 11, left, 0],
        [at, left + 20, 0],
    ] {
        let mut kept = kept.clone();
        kept["fewer"][0] = wrong.into_iter().collect();
        let read: LookAheadPlan = serde_json::from_value(kept).unwrap();
        assert!(!read.is_for(&parameters), "{wrong:?}");
    }
    let mut twice = kept.clone();
    twice["fewer"] = [fewer[0].clone(), fewer[0].clone()].into_iter().collect();
    let read: LookAheadPlan = serde_json::from_value(twice).unwrap();
    assert!(!read.is_for(&parameters));

    let foresight = Arc::new(Foresight::new(parameters).unwrap());
    let mut policy = Optimal::new(1, foresight, 0.2).unwrap();
    let mut theta: f64 = 0.2;
    let mut differs = false;
    for round in 1..=15 {
        let (Move::Select(selection), _) = slate.answered_in(round, &mut policy, 0.3) else {
            panic!("a selection");
        };
        let chosen = selection.chosen.as_slice();
        let share = chosen.iter().filter(|&&slot| slot < 4).count() as f64 / 3.0;
        // Beyond the horizon each round is the last.
        let left = 13_u64.saturating_sub(round).max(1) as u32;
        assert_eq!(share, plan.share_with(left, theta, 0.4), "{round}");
        differs |= share != plan.share(theta, 0.4);
        theta = (theta + 0.5 * (share - 0.4)).clamp(0.0, 1.0);
    }
    assert!(differs, "the rounds left make no difference");
}
