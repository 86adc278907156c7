//! Solutions are called optimal only if they are proven to be.

use super::*;
use kleroterion_testkit::programs::{Known, SIZES, Uniform};

/// Independent attributes, and targets by which the bound is attained.
fn attained(levels: &[usize]) -> (Law, Instance, f64) {
    let mut uniform = Uniform(2021);
    let marginals = uniform.marginals(levels, 0.5);
    let p = programs::product(&marginals);
    let Known { rho, gain } = uniform.attained(levels, &p);
    let instance = Instance {
        levels: levels.to_vec(),
        p,
        rho,
    };
    (Law::Product(marginals), instance, gain)
}

/// A joint law, and targets by which the bound is not attained.
fn beyond(levels: &[usize]) -> (Law, Instance, f64) {
    let mut uniform = Uniform(2021);
    let p = uniform.mixture(levels, 0.5);
    let Known { rho, gain } = uniform.beyond(levels, &p, 0.1);
    let instance = Instance {
        levels: levels.to_vec(),
        p,
        rho,
    };
    (Law::Cells(instance.cells()), instance, gain)
}

#[test]
fn gains_known_by_construction_are_certified_at_every_size() {
    for levels in SIZES {
        for (make, method) in [
            (attained as fn(&[usize]) -> _, Method::CappedFit),
            (beyond, Method::ClippedFit),
        ] {
            let (law, instance, gain): (Law, Instance, f64) = make(levels);
            let found = solve(levels, &law, &instance.rho).unwrap();
            assert_eq!(found.method, method, "{levels:?}");
            assert!((found.gain - gain).abs() <= found.gap + 1e-12 * gain);
            assert!(found.gap <= 1e-7 * gain, "{levels:?} {}", found.gap);
            instance.check(&found);
            let below = found.gain < instance.bound() - 1e-6;
            assert_eq!(below, method == Method::ClippedFit, "{levels:?}");
        }
    }
}

/// The optimal answer of a program whose bound is not attained, and its support.
fn optimal() -> (Support, MethodAnswer) {
    let levels = SIZES[0];
    let (law, instance, _) = beyond(levels);
    let support = Support::new(levels, &law, &instance.rho).unwrap();
    let answer = clipped(&support);
    (support, answer)
}

#[test]
fn a_wrong_proof_certifies_nothing() {
    let (support, answer) = optimal();
    let pi = support.probabilities(&answer.acceptance);
    let certified = |dual: &[f64]| Certificate::new(&support, &pi, dual).holds();
    assert!(certified(&answer.dual));
    for place in 0..answer.dual.len() {
        let mut wrong = answer.dual.clone();
        wrong[place] += 0.1;
        assert!(!certified(&wrong), "{place}");
        wrong[place] = f64::NAN;
        assert!(!certified(&wrong), "{place}");
    }
    assert!(!certified(&vec![0.0; pi.len()][..answer.dual.len()]));
    let (_, place) = support.bound();
    let mut bound = vec![0.0; answer.dual.len()];
    bound[place] = 1.0;
    assert!(!certified(&bound));
}

#[test]
fn a_wrong_answer_is_not_certified_by_the_right_proof() {
    let (support, answer) = optimal();
    let pi = support.probabilities(&answer.acceptance);
    let certified = |pi: &[f64]| Certificate::new(&support, pi, &answer.dual).holds();
    assert!(certified(&pi));
    // Keeps to the targets, but accepts a millionth less; accepts everybody; accepts some part of
    // each type that is no probability.
    let less: Vec<f64> = pi.iter().map(|pi| pi * (1.0 - 1e-6)).collect();
    let swapped: Vec<f64> = pi.iter().rev().copied().collect();
    for wrong in [less, vec![1.0; pi.len()], swapped, vec![f64::NAN; pi.len()]] {
        assert!(!certified(&wrong));
    }
}

#[test]
fn a_target_too_rare_to_show_in_the_violation_is_not_ignored() {
    // Of value 2 of attribute 0 no person is accepted: 1e-10 of those accepted are to have it, so the
    // violation is no more than that.
    let cells = [(0, 0.3), (1, 0.2), (2, 0.2), (3, 0.3 - 1e-12), (4, 1e-12)];
    let rho = [vec![0.5, 0.5 - 1e-10, 1e-10], vec![0.5, 0.5]];
    let support = Support::new(&[3, 2], &Law::Cells(cells.to_vec()), &rho).unwrap();
    let (bound, place) = support.bound();
    assert!((bound - 0.01).abs() < 1e-9 && place == 2);
    let mut dual = vec![1.0; 5];
    let found = Certificate::new(&support, &[0.01, 0.02, 0.02, 0.01, 0.0], &dual);
    assert!(found.violation < 1e-9 && !found.holds());
    // With the rare ones taken whole all is well, and the bound is the proof.
    dual.fill(0.0);
    dual[place] = 1.0;
    let solved = solve(&[3, 2], &Law::Cells(cells.to_vec()), &rho).unwrap();
    assert!((solved.gain - bound).abs() < 1e-7 * bound, "{solved:?}");
}

#[test]
fn what_is_not_certified_is_an_error_that_says_what_to_do() {
    let (support, mut answer) = optimal();
    answer.dual[0] += 1e-3;
    let error = judge(Method::ClippedFit, &support, answer).unwrap_err();
    assert!(matches!(error, ProgramError::Unsolved(_)), "{error}");
    let told = error.to_string();
    for part in ["clipped fit", "proven is only", "virtual_queue"] {
        assert!(told.contains(part), "{told}");
    }
}
