//! The extended program against the paper's form as it is written, and against closed forms.

use super::extended::{self, Optimum, ProgramForm};
use super::literal::Literal;
use super::*;

const FORMS: [ProgramForm; 2] = [ProgramForm::Full, ProgramForm::Small];

/// That an optimum is what it says, by the definitions.
fn check(instance: &Instance, p_hat: &[f64], beta: f64, optimum: &Optimum) {
    let grid = instance.grid();
    let distance: f64 = optimum
        .law
        .iter()
        .zip(p_hat)
        .map(|(q, p)| (q - p).abs())
        .sum();
    assert!(distance <= beta + 1e-8, "{distance} {beta}");
    assert!((distance - 2.0 * optimum.moved).abs() < 1e-8);
    assert!((optimum.law.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!((optimum.accepted.iter().sum::<f64>() - optimum.gain).abs() < 1e-9);
    assert!(grid.violation(&optimum.accepted) < 1e-9);
    for (x, pi) in optimum.acceptance.iter().enumerate() {
        let (m, q) = (optimum.accepted[x], optimum.law[x]);
        match *pi {
            Some(pi) => {
                assert!((0.0..=1.0).contains(&pi), "{pi}");
                assert!((pi * q - m).abs() < 1e-12);
            }
            None => assert!(q == 0.0 && grid.open()[x]),
        }
    }
}

/// A random law on a few cells, empty ones among them, and random targets, zeros among them.
fn random(luck: &mut Luck) -> (Instance, Vec<f64>) {
    let attributes = 1 + (luck.uniform() * 3.0) as usize;
    let levels: Vec<usize> = (0..attributes)
        .map(|_| 2 + (luck.uniform() * 3.0) as usize)
        .collect();
    let mut shares = |n: usize, empty: f64| -> Vec<f64> {
        let mut row: Vec<f64> = (0..n)
            .map(|_| {
                if luck.uniform() < empty {
                    0.0
                } else {
                    luck.uniform()
                }
            })
            .collect();
        row[n / 2] += 0.1;
        let sum: f64 = row.iter().sum();
        row.iter().map(|x| x / sum).collect()
    };
    let rho = levels.iter().map(|&n| shares(n, 0.1)).collect();
    let p = shares(levels.iter().product(), 0.3);
    let p_hat = p.clone();
    (Instance { levels, p, rho }, p_hat)
}

#[test]
fn syn6_has_the_gains_of_the_brief() {
    let instance = Instance::syn6_48();
    assert_eq!(instance.p.len(), 48);
    let grid = instance.grid();
    let gains = [
        (0.0, 0.7943565),
        (0.05, 0.8693565),
        (0.1, 0.9341608),
        (0.2, 1.0),
        (f64::INFINITY, 1.0),
    ];
    for (beta, gain) in gains {
        for form in FORMS {
            let optimum = extended::solve(form, &grid, &instance.p, beta).unwrap();
            assert!(
                (optimum.gain - gain).abs() < 1e-6,
                "{form:?} {beta} {}",
                optimum.gain
            );
            check(&instance, &instance.p, beta, &optimum);
        }
        let literal = Literal::solve(&instance, &instance.p, beta).unwrap();
        let found = literal.gain();
        assert!((found - gain).abs() < 1e-6, "as written {beta} {found}");
    }
}

#[test]
fn both_forms_have_the_gain_of_the_program_as_written() {
    let mut luck = Luck(5);
    for trial in 0..300 {
        let (instance, p_hat) = random(&mut luck);
        let beta = [0.0, 0.02, 0.3, 2.0][trial % 4] * luck.uniform();
        let literal = Literal::solve(&instance, &p_hat, beta);
        let expected = literal.unwrap().gain();
        for form in FORMS {
            let optimum = extended::solve(form, &instance.grid(), &p_hat, beta).unwrap();
            assert!(
                (optimum.gain - expected).abs() < 1e-7,
                "{form:?} {trial}: {} {expected}",
                optimum.gain
            );
            check(&instance, &p_hat, beta, &optimum);
        }
    }
}

#[test]
fn one_attribute_has_a_closed_form() {
    // The gain is the g at which sum_j (g rho_j - p_j)+ = beta/2, at most 1.
    let (rho, p) = ([0.5, 0.3, 0.2], [0.2, 0.2, 0.6]);
    let grid = CellGrid::new(&[3], &[rho.to_vec()]).unwrap();
    for step in 0..60 {
        let beta = 0.02 * f64::from(step);
        let needed = |g: f64| -> f64 { rho.iter().zip(p).map(|(r, p)| (g * r - p).max(0.0)).sum() };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if needed(middle) <= 0.5 * beta {
                &mut low
            } else {
                &mut high
            }) = middle;
        }
        for form in FORMS {
            let optimum = extended::solve(form, &grid, &p, beta).unwrap();
            assert!((optimum.gain - low).abs() < 1e-9, "{form:?} {beta}");
        }
    }
}

#[test]
fn of_the_optima_one_nearest_to_the_estimate_is_taken() {
    let mut luck = Luck(6);
    for trial in 0..60 {
        let (instance, p_hat) = random(&mut luck);
        for form in FORMS {
            let grid = instance.grid();
            let widest = extended::solve(form, &grid, &p_hat, f64::INFINITY).unwrap();
            assert!((widest.gain - 1.0).abs() < 1e-9, "{trial} {form:?}");
            // With less room than it took there is no gain of 1.
            let beta = 2.0 * widest.moved - 0.01;
            if beta > 0.0 {
                let less = extended::solve(form, &grid, &p_hat, beta).unwrap();
                assert!(less.gain < 0.999, "{trial} {form:?} {}", less.gain);
                assert!((2.0 * less.moved - beta).abs() < 1e-8);
            }
        }
    }
}

#[test]
fn beyond_any_doubt_everybody_of_a_possible_type_is_accepted() {
    let instance = Instance::bxs_48();
    let grid = instance.grid();
    for form in FORMS {
        let optimum = extended::solve(form, &grid, &instance.p, f64::INFINITY).unwrap();
        let possible = optimum.acceptance.iter().flatten();
        assert!(possible.clone().count() > 24);
        assert!(
            possible.copied().all(|pi| (pi - 1.0).abs() < 1e-12),
            "{form:?}"
        );
    }
}

#[test]
fn a_value_with_target_zero_is_never_accepted() {
    let rho = [vec![0.5, 0.5], vec![0.6, 0.0, 0.4]];
    let grid = CellGrid::new(&[2, 3], &rho).unwrap();
    for form in FORMS {
        for beta in [0.0, 0.4, f64::INFINITY] {
            for p in [[1.0 / 6.0; 6], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]] {
                let optimum = extended::solve(form, &grid, &p, beta).unwrap();
                assert_eq!(optimum.acceptance[1], Some(0.0));
                assert_eq!(optimum.acceptance[4], Some(0.0));
                assert_eq!(optimum.filled(|_| 0.5)[1], 0.0);
            }
        }
    }
}

#[test]
fn a_program_too_large_is_refused_with_advice() {
    assert_eq!(
        ProgramForm::Full.too_large(ProgramForm::Full.most_cells()),
        None
    );
    let told = ProgramForm::Full
        .too_large(ProgramForm::Full.most_cells() + 1)
        .unwrap();
    assert!(told.contains("set program = \"small\""), "{told}");
    let told = ProgramForm::Small
        .too_large(ProgramForm::Small.most_cells() + 1)
        .unwrap();
    assert!(told.contains("merge values"), "{told}");
}
