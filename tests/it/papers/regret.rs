//! The regrets of RL-CMDP (Do et al. 2021, Theorem 1), and that it does not depend on the size of
//! the committee.
//!
//! Theorem 1 bounds R(T) and R^c(T) by a multiple of sqrt(|X| T log(|X| T / delta)). Two things
//! make a log-log plot steeper than 1/2 at any finite T: the logarithm, and the beginning, when
//! gain 1 is within reach of the confidence set, everybody is accepted and the regrets grow like T.
//! Both are in the sum of what the plans promise too much, [`optimism`], in which nothing is
//! fitted: its slope and [`ESTIMATE`] is the most we allow, 1/2 the least. The learner accepts too
//! many, so R(T) is negative here, and |R(T)| is fitted.

use kleroterion::compare::RunResult;
use kleroterion::policy::committee::learning::extended::{ProgramForm, solve};
use kleroterion::policy::committee::learning::{CellGrid, radius};

use super::learning::{five, learn, three};
use crate::support::values;

/// Allowed besides: errors of the estimate p^, which the promises leave out; at a tenth of the
/// radius they are of the radius's size.
const ESTIMATE: f64 = 0.03;

/// Configuration (1): its cells and targets, and the law p by cell.
fn instance() -> (CellGrid, Vec<f64>) {
    let rho = [[0.86, 0.14], [0.55, 0.45], [0.49, 0.51]].map(Vec::from);
    let weights = [[1.0, 0.37], [1.0, 0.65], [1.0, 0.75]];
    let mut p = vec![1.0];
    for (rho, weights) in rho.iter().zip(weights) {
        let masses = [rho[0] * weights[0], rho[1] * weights[1]];
        let sum = masses[0] + masses[1];
        let next = p.iter().flat_map(|p| masses.map(|mass| p * mass / sum));
        p = next.collect();
    }
    (
        CellGrid::new(&[2, 2, 2], &rho).expect("these are targets"),
        p,
    )
}

/// `sum_{t <= T} (g(beta) - g*)` at each of the moments T: g(beta) is the gain of program (5)
/// within beta of p, and beta that of t/2, as an episode ends before t has doubled. Blocks of 1 %
/// of t are taken at once.
fn optimism(scale: f64, moments: &[u64]) -> Vec<f64> {
    let (grid, p) = instance();
    let gain = |beta| {
        let optimum = solve(ProgramForm::Small, &grid, &p, beta);
        optimum.expect("it is solved").gain
    };
    let (best, mut sum, mut t) = (gain(0.0), 0.0, 0);
    let mut sums = Vec::new();
    for &moment in moments {
        while t < moment {
            let step = (t / 100).max(1).min(moment - t);
            sum += step as f64 * (gain(radius(8, t.div_ceil(2), 0.05, scale)) - best);
            t += step;
        }
        sums.push(sum);
    }
    sums
}

/// Least squares: how log y grows with log T.
fn slope(moments: &[u64], y: &[f64]) -> f64 {
    let n = y.len() as f64;
    let log = |values: Vec<f64>| -> Vec<f64> { values.into_iter().map(libm::log).collect() };
    let (x, y) = (
        log(moments.iter().map(|&t| t as f64).collect()),
        log(y.to_vec()),
    );
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let both = x.iter().zip(&y).map(|(x, y)| (x - mean_x) * (y - mean_y));
    let squares = x.iter().map(|x| (x - mean_x) * (x - mean_x));
    both.sum::<f64>() / squares.sum::<f64>()
}

/// The slope of the mean of a regret's absolute values, and its s.e. (leaving out one replication
/// after another).
fn fitted(run: &RunResult, metric: &str, moments: &[u64]) -> (f64, f64) {
    let at = |&at| values(run, "learner", metric, Some(at));
    let columns: Vec<Vec<f64>> = moments.iter().map(at).collect();
    let n = columns[0].len();
    let mean_without = |left: Option<usize>| -> f64 {
        let kept = |column: &Vec<f64>| -> f64 {
            let kept = (0..n).filter(|&r| Some(r) != left);
            kept.map(|r| column[r].abs()).sum::<f64>()
        };
        slope(moments, &columns.iter().map(kept).collect::<Vec<f64>>())
    };
    let without: Vec<f64> = (0..n).map(|r| mean_without(Some(r))).collect();
    let mean = without.iter().sum::<f64>() / n as f64;
    let squares: f64 = without.iter().map(|x| (x - mean) * (x - mean)).sum();
    (
        mean_without(None),
        (squares * (n - 1) as f64 / n as f64).sqrt(),
    )
}

/// Plays both programs to the last of these moments and checks the slopes of both regrets. Gives
/// the slope of the optimism.
#[track_caller]
fn slopes(scale: f64, moments: &[u64], replications: u64) -> f64 {
    let (first, last) = (moments[0], moments[moments.len() - 1]);
    let optimism = slope(moments, &optimism(scale, moments));
    for program in ["full", "small"] {
        let policy = format!(
            "[[policy]]\nlabel = 'learner'\nkind = 'rl_cmdp'\nconfidence_scale = {scale:?}\n\
             program = '{program}'\n"
        );
        let at = format!("{{ rounds = {moments:?} }}");
        let until = format!("rules.until={{rounds={last}}}");
        let run = learn(&three(), &policy, &at, replications, &[&until]);
        for metric in ["gain_regret", "constraint_violation"] {
            let (slope, se) = fitted(&run, metric, moments);
            let what = format!(
                "scale {scale}, T = {first}..{last}, {program}, {metric}: {slope:.3} +- {se:.3}, \
                 optimism {optimism:.3}"
            );
            println!("{what}");
            assert!(
                slope >= 0.5 - 4.0 * se && slope <= optimism + ESTIMATE + 4.0 * se,
                "{what}"
            );
        }
    }
    optimism
}

#[test]
fn the_regrets_at_a_tenth_of_the_radius_grow_like_the_root_of_t() {
    let early = slopes(0.1, &[500, 1000, 2000, 5000, 10_000, 20_000], 100);
    assert!(early < 0.63, "{early}");
    let later = [20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];
    let late = slopes(0.1, &later, 10);
    assert!(late < 0.55, "{late}");
}

/// As printed, gain 1 is within reach until some 20,000 candidates were screened: until then the
/// regrets grow like T.
#[test]
fn the_regrets_at_the_radius_as_printed_grow_like_the_root_of_t_in_the_end() {
    let early = slopes(1.0, &[500, 1000, 2000, 5000, 10_000, 20_000], 20);
    assert!(early > 0.99, "{early}");
    let later = [200_000, 300_000, 500_000, 800_000, 1_200_000, 2_000_000];
    let late = slopes(1.0, &later, 5);
    assert!(late < 0.6, "{late}");
}

/// One pass gives every size of the committee: what is read at K is what a run with that end gives,
/// bit for bit.
#[test]
fn one_pass_gives_every_size() {
    let learners = super::learning::LEARNERS;
    let metrics = [
        "screened",
        "representation_loss",
        "gain_regret",
        "constraint_violation",
    ];
    for (world, sizes) in [(three(), [50, 250, 1000]), (five(), [50, 250, 600])] {
        let pass = learn(&world, learners, &format!("{sizes:?}"), 4, &[]);
        for size in sizes {
            let until = format!("rules.until={{accepted={size}}}");
            let alone = learn(&world, learners, &format!("[{size}]"), 4, &[&until]);
            for label in ["full", "small", "plug-in"] {
                for metric in metrics {
                    let bits = |run: &RunResult, at| -> Vec<u64> {
                        let values = values(run, label, metric, at);
                        values.into_iter().map(f64::to_bits).collect()
                    };
                    let of_pass = bits(&pass, Some(size));
                    assert!(of_pass.len() >= 4);
                    assert_eq!(of_pass, bits(&alone, Some(size)), "{label} {metric} {size}");
                    assert_eq!(of_pass, bits(&alone, None), "{label} {metric} {size}");
                }
            }
        }
    }
}
