//! The closed forms, without chance.

use super::{CREDIT, Case, EQUALS, LAW_SCHOOL, SELECTIVE};
use crate::pool::ScoreLaw;
use crate::pool::theory::LargeN;
use kleroterion_core::protocol::density_at;

/// The fixed point by another route: a theta at which a*(theta) = theta, by bisection on what a*
/// says.
fn searched(setting: &LargeN) -> f64 {
    let (mut low, mut high) = (1e-6, 1.0 - 1e-6);
    while high - low > 1e-13 {
        let s = 0.5 * (low + high);
        if setting.best_response(s) > s {
            low = s;
        } else {
            high = s;
        }
    }
    low
}

#[test]
fn fixed_points_are_those_of_the_table_and_of_a_search() {
    let table: [(Case, f64, f64); 8] = [
        (EQUALS, 2.0, 0.4),
        (SELECTIVE, 1.0, 0.4940),
        (SELECTIVE, 2.0, 0.4470),
        (LAW_SCHOOL, 4.0, 0.2105),
        (LAW_SCHOOL, 10.0, 0.3842),
        (LAW_SCHOOL, 100.0, 0.4884),
        (CREDIT, 1.0, 0.2229),
        (CREDIT, 10.0, 0.4723),
    ];
    for (case, lambda, printed) in table {
        let setting = case.large(lambda);
        let s = setting.fixed_point().unwrap();
        assert!((s - printed).abs() <= 0.5e-4, "{s} for {printed}");
        assert!((s - searched(&setting)).abs() < 1e-9, "{s} by search");
        assert!((setting.best_response(s) - s).abs() < 1e-9);
    }
}

#[test]
fn a_far_fixed_point_is_an_end() {
    // The first group scores far lower: it dies out.
    let mut setting = LAW_SCHOOL.large(0.5);
    assert_eq!(setting.fixed_point(), Some(0.0));
    assert_eq!(setting.kappa(), None);
    let end = *setting.path(0.25, 20_000, |_| 0.05).last().unwrap();
    assert!(end < 1e-3, "{end}");
    std::mem::swap(&mut setting.u, &mut setting.v);
    assert_eq!(setting.fixed_point(), Some(1.0));
}

#[test]
fn nobody_everybody_and_no_weight_have_no_fixed_point_of_their_own() {
    for admitted in [0.0, 1.0] {
        let setting = LargeN {
            admitted,
            ..SELECTIVE.large(1.0)
        };
        assert_eq!(setting.fixed_point(), None);
        assert_eq!(setting.kappa(), None);
        assert_eq!(setting.best_response(0.3), 0.3);
    }
    assert_eq!(EQUALS.large(0.0).fixed_point(), None);
    assert_eq!(SELECTIVE.large(0.0).fixed_point(), Some(1.0));
    assert_eq!(EQUALS.large(0.0).optimal_fixed_point(0.99, 0.05), None);
    // Groups without spread: the higher mean, as far as the weight lets it.
    let flat = |mean| ScoreLaw { mean, sd: 0.0 };
    let setting = LargeN {
        u: flat(1.0),
        v: flat(0.0),
        ..EQUALS.large(2.0)
    };
    assert_eq!(setting.fixed_point(), Some(0.65));
    assert!((setting.best_response(0.65) - 0.65).abs() < 1e-12);
    assert!((setting.best_response(0.1) - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn kappa_is_the_slope_of_the_best_response() {
    for (case, lambda) in [
        (EQUALS, 0.5),
        (SELECTIVE, 2.0),
        (LAW_SCHOOL, 10.0),
        (CREDIT, 1.0),
    ] {
        let setting = case.large(lambda);
        let (s, kappa) = (setting.fixed_point().unwrap(), setting.kappa().unwrap());
        let h = 1e-5;
        let slope = (setting.best_response(s + h) - setting.best_response(s - h)) / (2.0 * h);
        assert!((1.0 - slope - kappa).abs() < 1e-6, "{kappa} {slope}");
        assert_eq!(setting.time_constant(0.05), Some(1.0 / (0.05 * kappa)));
        let sd = setting.stationary_sd(1000, 0.05).unwrap();
        let step = 0.05 * kappa;
        assert!((sd * sd - step * s / (1000.0 * (2.0 - step))).abs() < 1e-15);
        // The path shrinks at that rate.
        let path = setting.path(s + 1e-4, 50, |_| 0.05);
        let shrunk = libm::pow((path[50] - s) / 1e-4, 1.0 / 50.0);
        assert!((shrunk - (1.0 - step)).abs() < 1e-5, "{shrunk} {step}");
    }
}

#[test]
fn the_best_response_is_the_best_of_a_fine_grid() {
    for (case, lambda) in [(EQUALS, 1.5), (SELECTIVE, 2.0), (LAW_SCHOOL, 4.0)] {
        let setting = case.large(lambda);
        for s in [0.0, 0.02, 0.1, 0.4, 0.75, 0.97, 1.0] {
            let ours = setting.best_response(s);
            let (low, high) = setting.feasible(s);
            assert!(low <= ours && ours <= high);
            let utility = |a: f64| {
                let share = |law: ScoreLaw, part: f64, of: f64| {
                    if of == 0.0 {
                        0.0
                    } else {
                        of * law.best((case.admitted * part / of).min(1.0))
                    }
                };
                let scores = share(setting.u, a, s) + share(setting.v, 1.0 - a, 1.0 - s);
                scores / case.admitted - lambda * (a - case.target) * (a - case.target)
            };
            let best = (0..=20_000)
                .map(|i| low + (high - low) * f64::from(i) / 20_000.0)
                .map(utility)
                .fold(f64::MIN, f64::max);
            assert!(utility(ours) >= best - 1e-12, "{s}: {ours}");
        }
    }
}

#[test]
fn theorem_2_1_without_weight_on_fairness_equals_admit_as_they_apply() {
    let setting = EQUALS.large(0.0);
    for i in 1..100 {
        let s = f64::from(i) / 100.0;
        assert!((setting.best_response(s) - s).abs() < 1e-9);
    }
}

#[test]
fn theorem_2_2_equals_are_drawn_to_the_target() {
    for lambda in [0.01, 0.5, 2.0, 100.0] {
        let setting = EQUALS.large(lambda);
        for i in 1..100 {
            let s = f64::from(i) / 100.0;
            let a = setting.best_response(s);
            match i {
                40 => assert!((a - 0.4).abs() < 1e-9),
                0..40 => assert!(s < a && a < 0.4, "{s} {a}"),
                _ => assert!(0.4 < a && a < s, "{s} {a}"),
            }
        }
    }
    // Any step sizes that add up to infinity and whose squares do not.
    let harmonic = |round: usize| 1.0 / (round + 2) as f64;
    let slow = |round: usize| libm::pow((round + 1) as f64, -0.6);
    let setting = EQUALS.large(2.0);
    for start in [0.1, 0.9] {
        let distances: Vec<f64> = [200, 20_000]
            .map(|rounds| (setting.path(start, rounds, harmonic)[rounds] - 0.4).abs())
            .to_vec();
        // (1 - kappa / t) multiplied up is t^-kappa.
        let kappa = setting.kappa().unwrap();
        let rate = libm::log(distances[0] / distances[1]) / libm::log(100.0);
        assert!((rate - kappa).abs() < 0.02, "{rate} {kappa}");
        let end = setting.path(start, 5_000, slow)[5_000];
        assert!((end - 0.4).abs() < 1e-6, "{end}");
        let monotone = setting.path(start, 500, harmonic);
        let closer = |pair: &[f64]| (pair[1] - 0.4).abs() < (pair[0] - 0.4).abs();
        assert!(monotone.windows(2).all(closer));
    }
}

#[test]
fn figure_1b_takes_its_rounds() {
    let rounds = [0.5, 1.0, 2.0, 5.0, 10.0].map(|lambda| {
        let path = EQUALS.large(lambda).path(0.1, 500, |_| 0.05);
        path.iter()
            .position(|theta| (theta - 0.4).abs() <= 0.01)
            .unwrap()
    });
    assert_eq!(rounds, [356, 211, 138, 95, 81]);
}

#[test]
fn a_step_beyond_one_stays_a_share() {
    for eta in [1.0, 1.5, 5.0] {
        let path = EQUALS.large(10.0).path(0.1, 200, |_| eta);
        assert!(path.iter().all(|theta| (0.0..=1.0).contains(theta)));
    }
    // Where it does not settle there is no standard deviation.
    let setting = EQUALS.large(10.0);
    let eta = 2.1 / setting.kappa().unwrap();
    assert_eq!(setting.stationary_sd(100, eta), None);
}

#[test]
fn the_optimal_policy_aims_beyond_where_its_future_gains() {
    let setting = SELECTIVE.large(2.0);
    let (now, later) = (
        setting.fixed_point().unwrap(),
        setting.optimal_fixed_point(0.99, 0.05).unwrap(),
    );
    assert!(later > now);
    // gamma = 0 does not look ahead; equal groups have nothing to gain.
    assert_eq!(setting.optimal_fixed_point(0.0, 0.05), Some(now));
    assert_eq!(EQUALS.large(2.0).optimal_fixed_point(0.99, 0.05), Some(0.4));
}

/// At a = s = theta, the optimal policy's rest has dR_G/da + w dR_G/ds = 2 lambda (theta - sbar).
/// R_G(s, a) is the worth of the admitted: q = abar a / s of the first group, whose mean score is
/// mu + sigma phi(z(q)) / q, and the same of the second.
#[test]
fn at_the_optimal_rest_the_gains_of_a_and_of_s_balance_the_loss() {
    let (gamma, eta) = (0.9, 0.2);
    let weight = gamma * eta / (1.0 - gamma * (1.0 - eta));
    for case in [SELECTIVE, LAW_SCHOOL, CREDIT] {
        for lambda in [40.0, 400.0] {
            let setting = case.large(lambda);
            let part = |law: ScoreLaw, q: f64| law.mean + law.sd * density_at(q) / q;
            let gain = |s: f64, a: f64| {
                let (upper, lower) = (a / s, (1.0 - a) / (1.0 - s));
                a * part(setting.u, case.admitted * upper)
                    + (1.0 - a) * part(setting.v, case.admitted * lower)
            };
            let at = setting.optimal_fixed_point(gamma, eta).unwrap();
            let h = 1e-5;
            let by_a = (gain(at, at + h) - gain(at, at - h)) / (2.0 * h);
            let by_s = (gain(at + h, at) - gain(at - h, at)) / (2.0 * h);
            let loss = 2.0 * lambda * (at - case.target);
            assert!(at > 0.0 && at < 1.0 && by_s.abs() > 0.01);
            assert!(
                (by_a + weight * by_s - loss).abs() < 1e-6,
                "lambda {lambda}: {by_a}, {by_s}, {loss}"
            );
        }
    }
}
