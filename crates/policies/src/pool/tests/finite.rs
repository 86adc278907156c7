//! N applicants a round: the drift's zero, and what a plain loop of the pool comes to.

use super::{CREDIT, Case, EQUALS, LAW_SCHOOL, SELECTIVE};
use crate::pool::theory::FiniteN;
use crate::pool::{GreedyTerm, Infeasible};
use kleroterion_core::draw::{Draw, Key, Purpose};

/// The numbers for theta at t = 500 over 400 runs: case, lambda, theta_0, eta, then mean and sd at
/// N = 100 (blom, authors) and at N = 1000 (blom, feasible).
type Row = (Case, f64, f64, f64, [(f64, f64); 2]);

const TABLE: [Row; 9] = [
    (EQUALS, 2.0, 0.1, 0.05, [(0.3987, 0.0076), (0.3999, 0.0025)]),
    (EQUALS, 2.0, 0.9, 0.05, [(0.3987, 0.0077), (0.3999, 0.0023)]),
    (
        SELECTIVE,
        1.0,
        0.1,
        0.05,
        [(0.4962, 0.0101), (0.4938, 0.0025)],
    ),
    (
        SELECTIVE,
        2.0,
        0.1,
        0.05,
        [(0.4400, 0.0096), (0.4466, 0.0026)],
    ),
    (
        LAW_SCHOOL,
        4.0,
        0.25,
        0.025,
        [(0.2047, 0.0040), (0.2101, 0.0011)],
    ),
    (
        LAW_SCHOOL,
        10.0,
        0.25,
        0.025,
        [(0.3825, 0.0060), (0.3841, 0.0020)],
    ),
    (
        LAW_SCHOOL,
        100.0,
        0.25,
        0.025,
        [(0.4997, 0.0080), (0.4884, 0.0023)],
    ),
    (
        CREDIT,
        1.0,
        0.31,
        0.025,
        [(0.2247, 0.0034), (0.2266, 0.0009)],
    ),
    (
        CREDIT,
        10.0,
        0.31,
        0.025,
        [(0.4721, 0.0067), (0.4721, 0.0021)],
    ),
];

const SIZES: [(u32, Infeasible); 2] = [(100, Infeasible::Authors), (1000, Infeasible::Feasible)];

fn finite(
    &(case, lambda, start, ..): &Row,
    (applicants, infeasible): (u32, Infeasible),
) -> FiniteN {
    let weighing = case.weighing(lambda, GreedyTerm::Blom, infeasible);
    FiniteN::fair_greedy(&weighing, applicants, case.admitted, start)
}

/// A setting of which no table says anything.
fn untold(case: Case, lambda: f64, start: f64, eta: f64) -> Row {
    (case, lambda, start, eta, [(f64::NAN, f64::NAN); 2])
}

/// A head-count by inverse CDF, term by term from far below.
fn poisson(mean: f64, most: u32, u: f64) -> u32 {
    if mean == 0.0 {
        return 0;
    }
    let mut n = (mean - 12.0 * mean.sqrt()).max(0.0) as u32;
    let x = f64::from(n);
    let mut p = libm::exp(x * libm::log(mean) - mean - libm::lgamma(x + 1.0));
    let mut below = p;
    while u >= below && n < most {
        n += 1;
        p *= mean / f64::from(n);
        below += p;
    }
    n.min(most)
}

/// Returns theta after a number of rounds, over runs: the pool as the paper prints it, with
/// Fair-Greedy's shares.
fn played(row: &Row, size: (u32, Infeasible), rounds: u32, runs: u64) -> Vec<f64> {
    let &(case, lambda, start, eta, _) = row;
    let weighing = case.weighing(lambda, GreedyTerm::Blom, size.1);
    let (n, places) = (size.0, (case.admitted * f64::from(size.0) + 1e-9) as u32);
    let shares: Vec<f64> = (0..=n)
        .map(|k| weighing.share(places, [k, n - k]))
        .collect();
    let run = |run: u64| {
        let mut draw: Draw = Key::new(60, run).draw(Purpose::World, 0, 0);
        let mut theta: f64 = start;
        for _ in 0..rounds {
            let k = poisson(theta * f64::from(n), n, draw.uniform());
            theta += eta * (shares[k as usize] - f64::from(k) / f64::from(n));
            theta = theta.clamp(0.0, 1.0);
        }
        theta
    };
    (0..runs).map(run).collect()
}

fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, (squares / (n - 1.0)).sqrt())
}

#[test]
fn a_plain_loop_comes_to_the_tables_shares() {
    for row in &TABLE {
        for (size, (mean, sd)) in SIZES.into_iter().zip(row.4) {
            let runs = if size.0 == 100 { 400 } else { 60 };
            let (ours, spread) = mean_and_sd(&played(row, size, 500, runs));
            let error = (sd * sd / 400.0 + spread * spread / runs as f64).sqrt();
            // The table's own digits are rounded.
            let off = (ours - mean).abs() - 0.5e-4;
            assert!(off < 4.0 * error, "{ours} {mean} {error} at {}", size.0);
        }
    }
}

/// Rows that are stationary at t = 500.
fn settled() -> impl Iterator<Item = &'static Row> {
    // At lambda = 1 German credit's theta is still on its way.
    TABLE
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != 7)
        .map(|(_, row)| row)
}

#[test]
fn the_drift_zero_is_where_the_tables_shares_are() {
    for row in settled() {
        for (size, (mean, sd)) in SIZES.into_iter().zip(row.4) {
            let zero = finite(row, size).drift_zero().unwrap();
            let off = (zero - mean).abs();
            assert!(
                off < 4.0 * sd / 20.0 + 0.5e-4,
                "{zero} {mean} at {}",
                size.0
            );
        }
    }
    let credit = finite(&TABLE[7], SIZES[0]).drift_zero().unwrap();
    assert!((credit - 0.2192).abs() <= 0.5e-4, "{credit}");
}

#[test]
fn the_drift_zero_is_one_to_the_last_bits() {
    for row in &TABLE {
        for size in SIZES {
            let finite = finite(row, size);
            let zero = finite.drift_zero().unwrap();
            assert!(finite.drift(zero).abs() < 1e-12);
            // Another route: false position on the plain sum.
            let shares = row.0.weighing(row.1, GreedyTerm::Blom, size.1);
            let places = (row.0.admitted * f64::from(size.0) + 1e-9) as u32;
            let n = size.0;
            let share: Vec<f64> = (0..=n).map(|k| shares.share(places, [k, n - k])).collect();
            let drift = |theta: f64| {
                let m = theta * f64::from(n);
                let (mut sum, mut mass) = (0.0, 0.0);
                for k in 0..=n {
                    let x = f64::from(k);
                    let mut p = libm::exp(x * libm::log(m) - m - libm::lgamma(x + 1.0));
                    if k == n {
                        p = 1.0 - mass;
                    }
                    mass += p;
                    sum += p * (share[k as usize] - x / f64::from(n));
                }
                sum
            };
            assert!(drift(zero - 1e-6) > 0.0 && drift(zero + 1e-6) < 0.0);
            let h = 1e-5;
            let slope = (drift(zero + h) - drift(zero - h)) / (2.0 * h);
            assert!((slope - finite.slope(zero)).abs() < 1e-4 * slope.abs());
        }
    }
}

#[test]
fn theta_spreads_as_the_finite_form_says() {
    for (row, printed) in [(&TABLE[2], 0.0101), (&TABLE[3], 0.0100)] {
        let sd = finite(row, SIZES[0]).stationary_sd(0.05).unwrap();
        assert!((sd - printed).abs() <= 0.5e-4, "{sd} for {printed}");
    }
    for row in settled() {
        // The sd of 2,000 runs is known to 1.6 %.
        let (_, measured) = mean_and_sd(&played(row, SIZES[0], 500, 2_000));
        let sd = finite(row, SIZES[0]).stationary_sd(row.3).unwrap();
        assert!((measured / sd - 1.0).abs() < 0.1, "{measured} {sd}");
    }
}

#[test]
fn the_large_form_is_the_limit() {
    let sd = |n: u32| {
        let finite = finite(&TABLE[8], (n, Infeasible::Feasible));
        finite.stationary_sd(0.025).unwrap() / CREDIT.large(10.0).stationary_sd(n, 0.025).unwrap()
    };
    assert!((sd(20_000) - 1.0).abs() < 0.01, "{}", sd(20_000));
    let finite = finite(&TABLE[8], (20_000, Infeasible::Feasible));
    let limit = CREDIT.large(10.0).fixed_point().unwrap();
    assert!((finite.drift_zero().unwrap() - limit).abs() < 1e-4);
}

/// Returns all zeros of the drift at which it falls, by a fine grid from end to end.
fn falls(finite: &FiniteN) -> Vec<f64> {
    let at = |i: u32| f64::from(i) / 5_000.0;
    let falls = |i: &u32| finite.drift(at(*i)) > 0.0 && finite.drift(at(i + 1)) <= 0.0;
    (1..5_000).filter(falls).map(at).collect()
}

#[test]
fn settings_of_the_paper_have_one_zero_each() {
    for row in &TABLE {
        for size in SIZES {
            let finite = finite(row, size);
            let (all, zero) = (falls(&finite), finite.drift_zero().unwrap());
            assert_eq!(all.len(), 1, "{all:?}");
            assert!(zero >= all[0] && zero <= all[0] + 0.0002, "{zero} {all:?}");
        }
    }
}

/// With little weight on fairness the grid of shares makes several zeros: where theta comes to
/// depends on where it starts.
#[test]
fn of_several_zeros_theta_comes_to_the_first_on_its_way() {
    let narrow = Case {
        admitted: 0.1,
        ..EQUALS
    };
    // Which of the two zeros, or which end.
    let (low, high) = (Ok(0), Ok(1));
    let (gone, all) = (Err(0.0), Err(1.0));
    let size = (100, Infeasible::Feasible);
    for (case, lambda, starts) in [
        (EQUALS, 0.02, [0.01, 0.02, 0.06, 0.3, 0.9, 0.95]),
        (narrow, 0.05, [0.02, 0.08, 0.15, 0.5, 0.8, 1.0]),
    ] {
        let zeros = falls(&finite(&untold(case, lambda, 0.5, 0.05), size));
        assert_eq!(zeros.len(), 2, "{zeros:?}");
        for (start, to) in starts.into_iter().zip([gone, low, low, high, high, all]) {
            let row = untold(case, lambda, start, 0.05);
            let finite = finite(&row, size);
            // As it is played, without chance.
            let step = |theta: f64| (theta + 0.05 * finite.drift(theta)).clamp(0.0, 1.0);
            let rest = (0..100_000).fold(start, |theta, _| step(theta));
            let which = match to {
                Ok(which) => which,
                Err(end) => {
                    let found = (finite.drift_zero(), finite.drift_end());
                    assert_eq!(found, (None, Some(end)), "from {start}");
                    assert!((rest - end).abs() < 1e-6, "{rest} {end}");
                    continue;
                }
            };
            let zero = finite.drift_zero().unwrap();
            assert!(
                zero >= zeros[which] && zero <= zeros[which] + 0.0002,
                "{zero} from {start}: {zeros:?}"
            );
            assert_eq!(finite.drift_end(), None);
            assert!((rest - zero).abs() < 1e-6, "{rest} {zero}");
            // And with chance, away from the unstable ones. Near other zeros the drift bends, so
            // that theta swings wider than the linear form has it: 1.6 times at lambda = .05.
            if to == high && start <= 0.5 {
                let sd = finite.stationary_sd(0.05).unwrap();
                let (mean, spread) = mean_and_sd(&played(&row, size, 4_000, 100));
                assert!((mean - zero).abs() < sd, "{mean} {zero} {sd}");
                assert!((0.5..2.0).contains(&(spread / sd)), "{spread} {sd}");
            }
        }
    }
}

#[test]
fn where_theta_drifts_to_an_end_there_is_no_zero() {
    // Without weight on fairness the lower-scored group dies out.
    let size = (100, Infeasible::Feasible);
    let dying = finite(&untold(LAW_SCHOOL, 0.0, 0.25, 0.025), size);
    assert_eq!((dying.drift_zero(), dying.drift_end()), (None, Some(0.0)));
    assert_eq!(dying.stationary_sd(0.025), None);
    // The higher-scored is all there is.
    let mut case = LAW_SCHOOL;
    std::mem::swap(&mut case.u, &mut case.v);
    let row = untold(case, 0.0, 0.25, 0.025);
    let growing = finite(&row, size);
    assert_eq!(growing.drift_zero(), None);
    assert_eq!(growing.drift_end(), Some(1.0));
    let (mean, _) = mean_and_sd(&played(&row, size, 2_000, 20));
    assert!(mean > 0.99, "{mean}");
    // Nobody is admitted: theta stays where it is.
    let weighing = EQUALS.weighing(2.0, GreedyTerm::Blom, Infeasible::Feasible);
    let still = FiniteN::fair_greedy(&weighing, 100, 0.001, 0.3);
    assert_eq!(still.drift(0.3), 0.0);
    assert_eq!((still.drift_zero(), still.drift_end()), (None, None));
    // A policy that admits the target's share: theta goes there, but for what min(N, .) cuts off.
    for start in [0.0, 0.1, 0.4005, 0.9, 1.0] {
        let target = FiniteN::of(1000, start, |_| 0.4);
        assert!((target.drift_zero().unwrap() - 0.4).abs() < 1e-12);
    }
    // Also where it lies nearer to the end than a stretch of the search.
    let near = FiniteN::of(100_000, 0.5, |n| if n == 0 { 0.0 } else { 0.001 });
    let zero = near.drift_zero().unwrap();
    assert!((zero - 0.001).abs() < 1e-6, "{zero}");
}
