//! Value iteration against value iteration as printed.

use super::{Case, EQUALS, SELECTIVE};
use crate::pool::optimal::{AheadState, LookAhead};
use crate::pool::{GreedyTerm, Infeasible, ScoreLaw};

pub(super) fn ahead(
    case: Case,
    lambda: f64,
    greedy_term: GreedyTerm,
    state: AheadState,
) -> LookAhead {
    LookAhead {
        laws: case.laws(),
        admitted: case.admitted,
        target: case.target,
        lambda,
        eta: 0.05,
        gamma: 0.99,
        horizon: None,
        greedy_term,
        infeasible: Infeasible::Feasible,
        state,
        tolerance: 1e-7,
    }
}

pub(super) fn mean_field(case: Case, lambda: f64, cells: u32) -> LookAhead {
    ahead(
        case,
        lambda,
        GreedyTerm::MeanField,
        AheadState::MeanField { cells },
    )
}

/// R(s, a) in the large-N form; `None` where a is not possible.
pub(super) fn utility(ahead: &LookAhead, s: f64, a: f64) -> Option<f64> {
    let part = |law: ScoreLaw, a: f64, s: f64| {
        let q = if a == 0.0 {
            0.0
        } else {
            ahead.admitted * a / s
        };
        (q <= 1.0 + 1e-12).then(|| {
            let z = kleroterion_core::draw::inverse_normal_cdf(1.0 - q.min(1.0));
            let density = libm::exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt();
            a * law.mean + s / ahead.admitted * law.sd * density
        })
    };
    let scores = part(ahead.laws[0], a, s)? + part(ahead.laws[1], 1.0 - a, 1.0 - s)?;
    Some(scores - ahead.lambda * (a - ahead.target) * (a - ahead.target))
}

/// Value iteration as printed (Eq. 8) with linear interpolation: sweeps from V = 0, as many as
/// there are rounds or until no value changes by `change`.
pub(super) fn swept(ahead: &LookAhead, cells: u32, change: f64) -> Vec<f64> {
    let m = f64::from(cells);
    let at = |i: u32| f64::from(i) / m;
    let row = |i: u32| {
        let choice = |j: u32| Some((at(j), utility(ahead, at(i), at(j))?));
        (0..=cells).filter_map(choice).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<(f64, f64)>> = (0..=cells).map(row).collect();
    let mut values = vec![0.0; rows.len()];
    for _ in 0..ahead.horizon.unwrap_or(u32::MAX) {
        let mut most = 0.0f64;
        let mut next = values.clone();
        for (i, row) in rows.iter().enumerate() {
            let mut highest = f64::NEG_INFINITY;
            for &(a, reward) in row {
                let place = (i as f64 + ahead.eta * (a * m - i as f64)).clamp(0.0, m);
                let below = (place as usize).min(cells as usize - 1);
                let beyond = place - below as f64;
                let after = (1.0 - beyond) * values[below] + beyond * values[below + 1];
                highest = highest.max(reward + ahead.gamma * after);
            }
            most = most.max((highest - values[i]).abs());
            next[i] = highest;
        }
        values = next;
        if most < change {
            break;
        }
    }
    values
}

#[test]
fn without_chance_the_values_are_those_of_plain_sweeps() {
    for (case, lambda, eta, gamma) in [
        (EQUALS, 1.5, 0.05, 0.9),
        (SELECTIVE, 2.0, 0.3, 0.95),
        (SELECTIVE, 0.0, 1.5, 0.8),
        (EQUALS, 1.0, 0.05, 0.0),
    ] {
        let ahead = LookAhead {
            eta,
            gamma,
            tolerance: 1e-10,
            ..mean_field(case, lambda, 40)
        };
        let plan = ahead.solve().unwrap();
        let plain = swept(&ahead, 40, 1e-13);
        for (value, plain) in plan.values.iter().zip(&plain) {
            assert!((value - plain).abs() < 1e-9, "{value} {plain}");
        }
    }
}

/// P(min(N, Poisson(mean)) = n) by the printed formula.
pub(super) fn probability(n: u32, mean: f64, most: u32) -> f64 {
    let pmf = |n: u32| match mean {
        0.0 => f64::from(u8::from(n == 0)),
        _ => {
            let x = f64::from(n);
            libm::exp(x * libm::log(mean) - mean - libm::lgamma(x + 1.0))
        }
    };
    if n < most {
        pmf(n)
    } else {
        1.0 - (0..most).map(pmf).sum::<f64>()
    }
}

/// R(n, k) written out, and the k that are admissible.
pub(super) fn counted(ahead: &LookAhead, applicants: u32, places: u32, n: u32) -> Vec<(u32, f64)> {
    let others = applicants - n;
    let all = ahead.infeasible == Infeasible::Authors;
    let admissible = |k: &u32| all || (*k <= n && places - k <= others);
    let reward = |k: u32| {
        let mut first = k.min(n);
        if places - first > others {
            first = places - others;
        }
        let best = |g: usize, size: u32, count: u32| -> f64 {
            let score = |rank| ahead.greedy_term.score(ahead.laws[g], rank, size).unwrap();
            (1..=count).map(score).sum()
        };
        let scores = best(0, n, first) + best(1, others, places - first);
        let off = f64::from(k) / f64::from(places) - ahead.target;
        (k, scores / f64::from(places) - ahead.lambda * off * off)
    };
    (0..=places).filter(admissible).map(reward).collect()
}

#[test]
fn of_shares_with_chance_the_values_are_those_of_plain_sweeps() {
    for (infeasible, term) in [
        (Infeasible::Feasible, GreedyTerm::Blom),
        (Infeasible::Authors, GreedyTerm::Exact),
        (Infeasible::Feasible, GreedyTerm::MeanField),
    ] {
        let n = 14;
        let ahead = LookAhead {
            infeasible,
            gamma: 0.9,
            eta: 0.4,
            tolerance: 1e-10,
            ..ahead(EQUALS, 1.5, term, AheadState::Share { applicants: n })
        };
        let plan = ahead.solve().unwrap();
        let places = 4;
        let mut values = vec![0.0; n as usize + 1];
        let mut choices = vec![0; n as usize + 1];
        for _ in 0..300 {
            let mut next = values.clone();
            for k in 0..=n {
                let s = f64::from(k) / f64::from(n);
                let mut highest = f64::MIN;
                for (choice, reward) in counted(&ahead, n, places, k) {
                    let a = f64::from(choice) / f64::from(places);
                    let mean = f64::from(n) * (s + ahead.eta * (a - s)).clamp(0.0, 1.0);
                    let after: f64 = (0..=n)
                        .map(|to| probability(to, mean, n) * values[to as usize])
                        .sum();
                    let worth = reward + ahead.gamma * after;
                    if worth > highest {
                        (highest, choices[k as usize]) = (worth, choice);
                    }
                }
                next[k as usize] = highest;
            }
            values = next;
        }
        for k in 0..=n {
            let (ours, plain) = (plan.values[k as usize], values[k as usize]);
            assert!((ours - plain).abs() < 1e-8, "{k}: {ours} {plain}");
            let share = f64::from(choices[k as usize]) / f64::from(places);
            assert_eq!(plan.share(0.0, f64::from(k) / f64::from(n)), share);
        }
    }
}

#[test]
fn of_theta_the_values_are_those_of_plain_sweeps() {
    for infeasible in [Infeasible::Feasible, Infeasible::Authors] {
        let (n, cells, places) = (10, 12, 3);
        let state = AheadState::Theta {
            applicants: n,
            cells,
        };
        let ahead = LookAhead {
            infeasible,
            gamma: 0.9,
            eta: 0.4,
            tolerance: 1e-10,
            ..ahead(SELECTIVE, 1.5, GreedyTerm::Blom, state)
        };
        let ahead = LookAhead {
            admitted: 0.3,
            ..ahead
        };
        let plan = ahead.solve().unwrap();
        let m = f64::from(cells);
        let mut values = vec![0.0; cells as usize + 1];
        let mut choices = vec![0; (cells as usize + 1) * (n as usize + 1)];
        for _ in 0..300 {
            let mut next = values.clone();
            for i in 0..=cells {
                let theta = f64::from(i) / m;
                let mut worth = 0.0;
                for k in 0..=n {
                    let s = f64::from(k) / f64::from(n);
                    let mut highest = f64::MIN;
                    for (choice, reward) in counted(&ahead, n, places, k) {
                        let a = f64::from(choice) / f64::from(places);
                        let place = (theta + ahead.eta * (a - s)).clamp(0.0, 1.0) * m;
                        let below = (place as usize).min(cells as usize - 1);
                        let beyond = place - below as f64;
                        let after = (1.0 - beyond) * values[below] + beyond * values[below + 1];
                        if reward + ahead.gamma * after > highest + 1e-12 {
                            highest = reward + ahead.gamma * after;
                            choices[(i * (n + 1) + k) as usize] = choice;
                        }
                    }
                    worth += probability(k, theta * f64::from(n), n) * highest;
                }
                next[i as usize] = worth;
            }
            values = next;
        }
        for i in 0..=cells {
            let (ours, plain) = (plan.values[i as usize], values[i as usize]);
            assert!((ours - plain).abs() < 1e-8, "{i}: {ours} {plain}");
            for k in 0..=n {
                let share = f64::from(choices[(i * (n + 1) + k) as usize]) / f64::from(places);
                let ours = plan.share(f64::from(i) / m, f64::from(k) / f64::from(n));
                assert!((ours - share).abs() < 1e-12, "{i} {k}: {ours} {share}");
            }
        }
    }
}
