//! What `klero explain` says of pools (Puranik et al. 2022), against the closed forms written out
//! and plain sums.

use std::f64::consts::{PI, SQRT_2};

use serde_json::Value;

use super::pools::reference::{GERMAN, LANE, LAW, SELECTIVE};
use crate::support::terminal::Terminal;
use crate::support::worlds::POOL;

/// A setting as its config has it: means, variances, abar, sbar, lambda, eta; and what was printed
/// of it: s*, and where it was, the drift zero and the spread at N = 100.
struct Case {
    set: Vec<&'static str>,
    mean: [f64; 2],
    variance: [f64; 2],
    admitted: f64,
    target: f64,
    lambda: f64,
    eta: f64,
    printed: f64,
    finite: [Option<f64>; 2],
}

const N: u32 = 100;

fn cases() -> Vec<Case> {
    let equals = |lambda, set: &[&'static str]| Case {
        set: set.to_vec(),
        mean: [5.0, 5.0],
        variance: [1.0, 1.0],
        admitted: 0.3,
        target: 0.4,
        lambda,
        eta: 0.05,
        printed: 0.4,
        finite: [None; 2],
    };
    let selective = |lambda, printed, finite| Case {
        mean: [4.9, 5.0],
        variance: [1.5, 1.0],
        admitted: 0.1,
        printed,
        finite,
        ..equals(lambda, &SELECTIVE)
    };
    let law = |lambda, printed| Case {
        mean: [-1.46, 0.79],
        variance: [2.73, 3.16],
        target: 0.5,
        eta: 0.025,
        printed,
        ..equals(lambda, &LAW)
    };
    let german = |lambda, printed, finite| Case {
        mean: [0.32, 0.85],
        variance: [1.93, 2.06],
        target: 0.5,
        eta: 0.025,
        printed,
        finite,
        ..equals(lambda, &GERMAN)
    };
    vec![
        equals(2.0, &[]),
        selective(1.0, 0.4940, [None, Some(0.0101)]),
        selective(2.0, 0.4470, [None, Some(0.0100)]),
        law(4.0, 0.2105),
        law(10.0, 0.3842),
        law(100.0, 0.4884),
        german(1.0, 0.2229, [Some(0.2192), None]),
        german(10.0, 0.4723, [None; 2]),
    ]
}

/// The z beyond which a share q of a standard normal lies, by bisection.
fn upper(q: f64) -> f64 {
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..70 {
        let z = 0.5 * (low + high);
        if 0.5 * libm::erfc(z / SQRT_2) > q {
            low = z;
        } else {
            high = z;
        }
    }
    low
}

impl Case {
    /// s*, kappa, 1 / (eta kappa) and the spread for large N.
    fn large(&self) -> [f64; 4] {
        let z = upper(self.admitted);
        let [u, v] = self.variance.map(f64::sqrt);
        let pull = 2.0 * self.lambda;
        let s = self.target + (self.mean[0] - self.mean[1] + (u - v) * z) / pull;
        let density = libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt();
        let kappa = pull / (self.admitted / density * (u / s + v / (1.0 - s)) + pull);
        let step = self.eta * kappa;
        let sd = (step * s / (f64::from(N) * (2.0 - step))).sqrt();
        [s, kappa, 1.0 / step, sd]
    }

    /// a*(n) - n / N for each n: the best k of a full search, by Blom's scores.
    fn excess(&self) -> Vec<f64> {
        let places = (self.admitted * f64::from(N) + 1e-9) as u32;
        // What the best k of n score, by n and k.
        let sums = |group: usize| -> Vec<Vec<f64>> {
            let score = |r: u32, n: u32| {
                let z = upper((f64::from(r) - 0.375) / (f64::from(n) + 0.25));
                self.mean[group] + self.variance[group].sqrt() * z
            };
            let best = |n: u32| {
                let mut sum = 0.0;
                let mut all = vec![0.0];
                for r in 1..=n.min(places) {
                    sum += score(r, n);
                    all.push(sum);
                }
                all
            };
            (0..=N).map(best).collect()
        };
        let (u, v) = (sums(0), sums(1));
        let excess = |n: usize| {
            let (other, places) = (N as usize - n, places as usize);
            let mut most = f64::NEG_INFINITY;
            let mut best = 0.0;
            // Those that both groups can fill.
            (places.saturating_sub(other)..=places.min(n)).for_each(|k| {
                let a = k as f64 / places as f64;
                let loss = self.lambda * (a - self.target) * (a - self.target);
                let utility = (u[n][k] + v[other][places - k]) / places as f64 - loss;
                if utility > most {
                    (most, best) = (utility, a);
                }
            });
            best - n as f64 / f64::from(N)
        };
        (0..=N as usize).map(excess).collect()
    }

    /// The drift zero at N, and theta's spread about it.
    fn finite(&self) -> [f64; 2] {
        let excess = self.excess();
        let mean = |theta: f64, f: &dyn Fn(f64) -> f64| {
            let m = theta * f64::from(N);
            let (mut sum, mut mass) = (0.0, 0.0);
            for (n, x) in excess.iter().enumerate() {
                let n = n as f64;
                let p = libm::exp(n * libm::log(m) - m - libm::lgamma(n + 1.0));
                // All beyond N are N.
                let p = if n < f64::from(N) { p } else { 1.0 - mass };
                mass += p;
                sum += p * f(*x);
            }
            sum
        };
        let drift = |theta: f64| mean(theta, &|x| x);
        let s = self.large()[0];
        let (mut low, mut high) = (s - 0.05, s + 0.05);
        assert!(drift(low) > 0.0 && drift(high) < 0.0);
        for _ in 0..60 {
            let theta = 0.5 * (low + high);
            if drift(theta) > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
        }
        let h = 1e-5;
        let k = (drift(low - h) - drift(low + h)) / (2.0 * h);
        let v = mean(low, &|x| x * x);
        [low, (self.eta * v / (k * (2.0 - self.eta * k))).sqrt()]
    }
}

/// What `klero explain` says of lane `fair` of a case, for people and for machines.
fn explained(case: &Case) -> (String, Value) {
    let terminal = Terminal::new();
    let lane = LANE.replace("authors", "feasible");
    terminal.put("my.toml", format!("{POOL}{lane}"));
    let lambda = format!("policy.fair.lambda={}", case.lambda);
    let mut args = vec!["explain", "my.toml", "--set", &lambda];
    args.extend(case.set.iter().flat_map(|key| ["--set", *key]));
    let text = terminal.done(&args);
    args.extend(["--format", "json"]);
    let found: Value = serde_json::from_str(&terminal.done(&args)).expect("it is JSON");
    (text, found["policies"]["fair"].clone())
}

#[test]
fn pools_are_explained_by_the_closed_forms_and_by_the_exact_drift() {
    for case in cases() {
        let (text, found) = explained(&case);
        let number = |key: &str| {
            found[key]
                .as_f64()
                .unwrap_or_else(|| panic!("{key}: {found}"))
        };
        let [s, kappa, rounds, sd] = case.large();
        let [zero, finite_sd] = case.finite();
        assert!(
            (s - case.printed).abs() <= 0.5e-4,
            "{s} for {}",
            case.printed
        );
        for (ours, printed) in [zero, finite_sd].into_iter().zip(case.finite) {
            let off = printed.map_or(0.0, |printed| (ours - printed).abs());
            assert!(off <= 0.5e-4, "{ours} for {printed:?}");
        }
        for (key, value, off) in [
            ("s_star", s, 1e-9),
            ("kappa", kappa, 1e-9),
            ("time_constant", rounds, 1e-6),
            ("stationary_sd", sd, 1e-9),
            ("drift_zero", zero, 1e-6),
            ("stationary_sd_finite", finite_sd, 1e-6),
        ] {
            let ours = number(key);
            assert!((ours - value).abs() < off, "{key}: {ours} for {value}");
        }
        assert_eq!(found["group"], "u");
        let said = format!(
            "  fair: theory says: for many applicants the pool's share of u goes to s* = {s:.4}, \
             kappa = {kappa:.4}, time constant \
             {rounds:.1} rounds, sd {sd:.4}, at this many applicants to {zero:.4}, \
             sd {finite_sd:.4}"
        );
        // The lines are as wide as the terminal is.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&text).contains(&words(&said)), "{said} in {text}");
    }
}

#[test]
fn what_there_is_no_theory_of_is_left_out() {
    let terminal = Terminal::new();
    let others = "[[policy]]\nlabel = \"target\"\nkind = \"target_share\"\ntarget = { u = 0.4 }\n\
        [[policy]]\nlabel = \"as they come\"\nkind = \"proportional_pool\"\n";
    terminal.put("my.toml", format!("{POOL}{LANE}{others}"));
    let explained = |set: &[&str]| {
        let mut args = vec!["explain", "my.toml", "--format", "json"];
        args.extend(set.iter().flat_map(|key| ["--set", *key]));
        let found: Value = serde_json::from_str(&terminal.done(&args)).expect("it is JSON");
        found["policies"].clone()
    };
    let keys = |found: &Value| -> Vec<String> {
        let found = found.as_object().expect("an object");
        found.keys().cloned().collect()
    };
    let found = explained(&[]);
    assert_eq!(keys(&found), ["fair", "target"]);
    let target = &found["target"];
    let number = |key: &str| target[key].as_f64().expect("a number");
    assert_eq!(["s_star", "kappa"].map(number), [0.4, 1.0]);
    assert!((number("time_constant") - 20.0).abs() < 1e-12);
    // Steps that decay have no time constant; s* and the drift zero know nothing of steps.
    for decay in ["\"harmonic\"", "1", "0.75"] {
        let found = explained(&[&format!("pool.eta={{ start = 0.5, decay = {decay} }}")]);
        assert_eq!(
            keys(&found["fair"]),
            ["drift_zero", "group", "kappa", "s_star"],
            "{decay}"
        );
    }
    // Rounds of many sizes have no drift zero.
    let found = explained(&["rules.slate={ poisson = 100 }"]);
    let large = ["group", "kappa", "s_star", "time_constant"];
    assert_eq!(keys(&found["fair"]), large);
    assert_eq!(
        explained(&["pool.type=\"order\"", "pool.beta=2.0"]),
        Value::Null
    );
}
