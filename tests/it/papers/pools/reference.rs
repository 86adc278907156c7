//! Pools that answer to admissions (Puranik et al. 2022), from configs: theta at round 500 within
//! four combined standard errors of the reference table (means and standard deviations of 400
//! runs).

use std::path::Path;

use kleroterion::compare::Stats;

use crate::support::worlds::POOL;
use crate::support::{many, near, plan, play, stats};

pub const LANE: &str = r#"[[policy]]
label = "fair"
kind = "fair_greedy_pool"
target = { u = 0.4 }
lambda = 2.0
greedy_term = "blom"
infeasible = "authors"
"#;

/// A row of the table: what it is, what is set, s*, the printed means and standard deviations at N
/// = 100 and 1,000.
struct Row {
    name: &'static str,
    set: &'static [&'static str],
    small: (f64, f64),
    large: (f64, f64),
}

pub const SELECTIVE: [&str; 3] = [
    "source.groups={ u = { mean = 4.9, variance = 1.5 }, v = { mean = 5.0, variance = 1.0 } }",
    "rules.choose={ share = 0.1 }",
    "pool.start={ u = 0.1 }",
];

pub const LAW: [&str; 5] = [
    "source.groups={ u = { mean = -1.46, variance = 2.73 }, v = { mean = 0.79, variance = 3.16 } }",
    "rules.choose={ share = 0.3 }",
    "pool.start={ u = 0.25 }",
    "pool.eta=0.025",
    "policy.fair.target={ u = 0.5 }",
];

pub const GERMAN: [&str; 5] = [
    "source.groups={ u = { mean = 0.32, variance = 1.93 }, v = { mean = 0.85, variance = 2.06 } }",
    "rules.choose={ share = 0.3 }",
    "pool.start={ u = 0.31 }",
    "pool.eta=0.025",
    "policy.fair.target={ u = 0.5 }",
];

fn rows() -> Vec<(Row, String)> {
    let row = |name, set, lambda: &str, small, large| {
        let row = Row {
            name,
            set,
            small,
            large,
        };
        (row, format!("policy.fair.lambda={lambda}"))
    };
    vec![
        row("1a from .1", &[], "2.0", (0.3987, 0.0076), (0.3999, 0.0025)),
        row(
            "1a from .9",
            &["pool.start={ u = 0.9 }"],
            "2.0",
            (0.3987, 0.0077),
            (0.3999, 0.0023),
        ),
        row("1d", &SELECTIVE, "1.0", (0.4962, 0.0101), (0.4938, 0.0025)),
        row("1c", &SELECTIVE, "2.0", (0.4400, 0.0096), (0.4466, 0.0026)),
        row("law 4", &LAW, "4.0", (0.2047, 0.0040), (0.2101, 0.0011)),
        row("law 10", &LAW, "10.0", (0.3825, 0.0060), (0.3841, 0.0020)),
        row("law 100", &LAW, "100.0", (0.4997, 0.0080), (0.4884, 0.0023)),
        row(
            "German 1",
            &GERMAN,
            "1.0",
            (0.2247, 0.0034),
            (0.2266, 0.0009),
        ),
        row(
            "German 10",
            &GERMAN,
            "10.0",
            (0.4721, 0.0067),
            (0.4721, 0.0021),
        ),
    ]
}

fn check(large: bool, runs: u64) {
    let text = format!("{POOL}{LANE}");
    for (row, lambda) in rows() {
        let replications = many(runs);
        let mut set: Vec<&str> = vec![&replications, &lambda, "rules.until.rounds=501"];
        set.extend(row.set);
        if large {
            set.extend(["rules.slate=1000", "policy.fair.infeasible=\"feasible\""]);
        }
        let result = play(&plan(&text, Path::new("."), &set));
        // The applicants of round 501 are drawn from theta after 500 rounds.
        let theta = stats(&result, "fair", "pool_share.u", None);
        let (mean, sd) = if large { row.large } else { row.small };
        println!(
            "{}, N = {}: {:.4} +- {:.5}, to be {mean} +- {:.5}",
            row.name,
            if large { 1000 } else { 100 },
            theta.mean,
            theta.se.unwrap(),
            sd / 20.0
        );
        near(row.name, &theta, mean, sd / 20.0);
    }
}

#[test]
fn theta_of_small_rounds_as_the_authors_have_them() {
    check(false, 100);
}

#[test]
fn theta_of_large_rounds() {
    check(true, 20);
}

const AHEAD: &str = r#"[[policy]]
label = "share"
kind = "optimal"
target = { u = 0.4 }
lambda = 1.5
gamma = 0.99
state = "share"
greedy_term = "blom"
[[policy]]
label = "theta"
kind = "optimal"
target = { u = 0.4 }
lambda = 1.5
gamma = 0.99
state = "theta"
greedy_term = "blom"
[[policy]]
label = "fair"
kind = "fair_greedy_pool"
target = { u = 0.4 }
lambda = 1.5
greedy_term = "blom"
[report]
at = [101, 1001]
"#;

/// Theta after 100 and after 1,000 rounds: means and standard deviations of 200 runs.
#[test]
fn looking_ahead_leads_theta_where_the_table_has_it() {
    let text = format!("{POOL}{AHEAD}");
    let set = [&*many(200), "rules.until.rounds=1001"];
    let result = play(&plan(&text, Path::new("."), &set));
    for (label, early, late, sd) in [
        ("share", 0.396, 0.4034, Some(0.0089)),
        ("theta", 0.383, 0.3959, Some(0.0059)),
        ("fair", 0.354, 0.3938, None),
    ] {
        let at = |round| stats(&result, label, "pool_share.u", Some(round));
        // What has no printed spread is taken to have ours; a printed digit is rounded.
        let se = |ours: &Stats, sd: Option<f64>| sd.or(ours.sd).unwrap() / 200f64.sqrt();
        let (first, last) = (at(101), at(1001));
        println!("{label}: {first:?}, {last:?}");
        near(
            label,
            &first,
            early,
            se(&first, None).hypot(0.5e-3 / 3f64.sqrt()),
        );
        near(
            label,
            &last,
            late,
            se(&last, sd).hypot(0.5e-4 / 3f64.sqrt()),
        );
        if let Some(sd) = sd {
            // That of n runs is known to sd / sqrt(2 n).
            let (ours, n) = (last.sd.unwrap(), last.n as f64);
            let error = (ours * ours / n + sd * sd / 200.0).sqrt() / 2f64.sqrt();
            assert!((ours - sd).abs() < 4.0 * error, "{label}: {ours} for {sd}");
        }
    }
}
