//! A policy that reads no group leaves the expected share of the pool where it is, at any slate and
//! budget.

use std::collections::BTreeSet;
use std::path::Path;

use kleroterion::catalog::kinds;

use crate::support::{many, near, plan, play, stats};

/// Two groups of equals; lanes of interviews and of scores.
const COHORTS: &str = r#"
name = "two groups of equals"
seed = 1
[source]
type = "gaussian_groups"
groups = { u = { mean = 0.0, variance = 1.0 }, v = { mean = 0.0, variance = 1.0 } }
[rules]
slate = 40
choose = { exactly = 4 }
until = { rounds = 60 }
interviews = [{ name = "phone", cost = 1, gain = 1 }, { name = "visit", cost = 2, gain = 5 }]
budget = 10
interview_cap = 1000
[pool]
type = "positive_reinforcement"
start = { u = 0.2 }
eta = 0.05
[feedback.interview]
type = "gaussian_looks"
sd = 0.5
[report]
judge = ["pool_share.u"]
"#;

/// The kinds that read no group, with what makes them so.
const BLIND: [(&str, &str, &str); 11] = [
    ("first come", "accept_all", ""),
    ("uniform", "uniform_interviews", ""),
    ("random", "random_interviews", ""),
    ("boundary", "boundary_reviews", ""),
    ("swap", "swap", ""),
    ("budget", "swap", "stop = \"budget\""),
    ("clucb", "swap", "strong = \"never\""),
    ("strong", "swap", "strong = \"always\"\nstop = \"budget\""),
    ("batch", "swap", "batch = 3\nscope = \"hybrid\""),
    (
        "forecast",
        "swap",
        "stop = \"budget\"\nforecast = { spread = 0.5, doubt = 0.5 }",
    ),
    ("scores", "score_greedy", "greedy_term = \"realised\""),
];

/// The same of the meritocratic setting.
const ONE: [(&str, &str, &str); 5] = [
    ("first come", "accept_all", ""),
    ("ridge", "ridge_greedy", ""),
    ("oful", "oful", ""),
    ("anybody", "uniform_choice", ""),
    ("oracle", "best_reward", ""),
];

fn lanes(of: &[(&str, &str, &str)]) -> String {
    let lane = |(label, kind, keys): &(&str, &str, &str)| {
        format!("[[policy]]\nlabel = \"{label}\"\nkind = \"{kind}\"\n{keys}\n")
    };
    of.iter().map(lane).collect()
}

/// Holds the share of u after the last round against what it was at first.
#[track_caller]
fn stays(text: &str, folder: &Path, of: &[(&str, &str, &str)], set: &[&str], start: f64) {
    let text = text.replace("[report]", &format!("{}[report]", lanes(of)));
    let result = play(&plan(&text, folder, set));
    for (label, ..) in of {
        let share = stats(&result, label, "pool_share.u", None);
        println!(
            "{set:?} {label}: {:.4} +- {:.4}",
            share.mean,
            share.se.unwrap()
        );
        assert!(share.sd.unwrap() > 0.01, "{label} never moves the pool");
        near(&format!("{label}, {set:?}"), &share, start, 0.0);
    }
}

#[test]
fn the_kinds_that_are_held_exist() {
    let held = BLIND.iter().chain(&ONE).map(|(_, kind, _)| *kind);
    let known: BTreeSet<&str> = kinds().map(|kind| kind.name).collect();
    assert!(held.collect::<BTreeSet<_>>().is_subset(&known));
}

#[test]
fn of_gaussian_groups_at_small_budgets() {
    for (slate, chosen, budget) in [
        (10, 1, 3),
        (10, 3, 10),
        (40, 4, 10),
        (40, 4, 40),
        (200, 20, 20),
    ] {
        let replications = many(if slate > 40 { 30 } else { 100 });
        let set = [
            &*replications,
            &format!("rules.slate={slate}"),
            &format!("rules.choose={{ exactly = {chosen} }}"),
            &format!("rules.budget={budget}"),
        ];
        stays(COHORTS, Path::new("."), &BLIND, &set, 0.2);
    }
}

/// People whose worth, features and order of rows have nothing to do with their side, but that
/// those of u come first in every stretch of 40.
fn people() -> String {
    let mut text = String::from("id,side,x,y,pay,points\n");
    for k in 0..4000_u32 {
        let side = if k % 40 < 20 { "u" } else { "v" };
        // The same numbers for one of u and one of v.
        let j = k / 40 * 20 + k % 20;
        let (x, y) = (j * 7919 % 101, j * 104_729 % 97);
        let pay = 3 * x + 2 * y;
        text += &format!("p{k},{side},{x},{y},{pay},{}\n", x % 5);
    }
    text
}

const FILE: &str = r#"
name = "a file of two groups of equals"
seed = 1
[source]
type = "file"
path = "people.csv"
id = "id"
order = "resampled"
score = "points"
attributes = { side = { column = "side" } }
features = { numeric = ["x", "y"] }
reward = { column = "pay" }
[rules]
slate = 40
choose = "exactly_one"
until = { rounds = 50 }
[pool]
type = "positive_reinforcement"
start = { u = 0.3 }
eta = 0.04
[feedback.outcome]
type = "linear"
noise = 0.5
[report]
judge = ["pool_share.u"]
"#;

#[test]
fn of_files() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("people.csv"), people()).expect("it can be written");
    for slate in [10, 40, 200] {
        let set = [&*many(60), &format!("rules.slate={slate}")];
        stays(FILE, folder.path(), &ONE, &set, 0.3);
    }
}
