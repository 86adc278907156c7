//! The steps of pools, held by hand: theta as it is scored against those who were shown and chosen.

use std::collections::BTreeMap;
use std::path::Path;

use super::{config, decisions, three_groups};
use crate::support::configs::with;
use crate::support::worlds::POOL;
use crate::support::{plan, play, values};

const ROUNDS: u64 = 8;

/// theta before each round, by lane and group, of one replication of `ROUNDS` rounds; each step is
/// held to be theta + eta (a - s), clipped to [0, 1] and divided by the sum, with the shares of
/// those shown and chosen.
fn held(text: &str, groups: &[&str], start: &[f64], eta: f64) -> BTreeMap<String, Vec<Vec<f64>>> {
    let rounds: Vec<u64> = (1..=ROUNDS).collect();
    let eta_line = format!("eta = {eta:?}");
    let series = format!("judge = [\"accepted\"]\nat = {rounds:?}");
    let edits = [
        ("replications = 2", "replications = 1"),
        ("rounds = 60", "rounds = 8"),
        ("eta = 0.05", eta_line.as_str()),
        ("judge = [\"accepted\"]", series.as_str()),
    ];
    let text = with(text, &edits);
    let result = play(&plan(&text, Path::new("."), &[]));
    let decisions = decisions(&text);
    // In a roster the groups come in turns.
    let group = |id: &String| {
        let number: usize = id.trim_matches('"').parse().expect("a number");
        number % groups.len()
    };
    let shares = |ids: &[String]| -> Vec<f64> {
        let of = |which| ids.iter().filter(|id| group(id) == which).count();
        let share = |which| of(which) as f64 / ids.len() as f64;
        (0..groups.len()).map(share).collect()
    };
    let mut paths = BTreeMap::new();
    for policy in &result.policies {
        let mut theta = start.to_vec();
        let mut path = Vec::new();
        for round in rounds.clone() {
            let read = |name| {
                let metric = format!("pool_share.{name}");
                values(&result, &policy.label, &metric, Some(round))[0]
            };
            let scored: Vec<f64> = groups.iter().map(read).collect();
            let close = scored
                .iter()
                .zip(&theta)
                .all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(close, "{} {round}: {scored:?} for {theta:?}", policy.label);
            path.push(scored);
            let [shown, chosen] = &decisions[&(round, policy.label.clone())];
            if chosen.is_empty() {
                continue;
            }
            let gaps = shares(chosen).into_iter().zip(shares(shown));
            let step =
                |(theta, (a, s)): (&f64, (f64, f64))| (theta + eta * (a - s)).clamp(0.0, 1.0);
            let moved: Vec<f64> = theta.iter().zip(gaps).map(step).collect();
            let sum: f64 = moved.iter().sum();
            theta = moved.iter().map(|theta| theta / sum).collect();
        }
        paths.insert(policy.label.clone(), path);
    }
    paths
}

#[test]
fn steps_beyond_one_are_taken_whole_and_projected() {
    let paths = held(&config(), &["u", "v"], &[0.1, 0.9], 3.0);
    let inside = |theta: &Vec<f64>| theta[0] > 0.0 && theta[0] < 1.0;
    let far = |pair: &[Vec<f64>]| inside(&pair[1]) && (pair[1][0] - pair[0][0]).abs() > 0.2;
    assert!(paths["strict"].windows(2).any(far), "{paths:?}");
    assert!(
        paths["strict"].iter().any(|theta| !inside(theta)),
        "{paths:?}"
    );
}

#[test]
fn three_groups_are_clipped_and_divided_by_their_sum() {
    let start = [0.1, 0.3, 1.0 - 0.1 - 0.3];
    for eta in [0.05, 2.5] {
        let paths = held(&three_groups(), &["u", "v", "w"], &start, eta);
        let clipped = paths
            .values()
            .flatten()
            .flatten()
            .any(|theta| *theta == 0.0);
        assert_eq!(clipped, eta > 1.0, "{paths:?}");
        assert!(paths["strict"][1][0] > 0.1);
    }
}

#[test]
fn an_empty_round_leaves_the_pool_as_it_was() {
    let sizes: [u32; 8] = [0, 40, 0, 0, 40, 0, 40, 40];
    let text = with(&config(), &[("slate = 40", &format!("slate = {sizes:?}"))]);
    let paths = held(&text, &["u", "v"], &[0.1, 0.9], 0.05);
    for label in ["mild", "strict", "the target"] {
        for (pair, size) in paths[label].windows(2).zip(sizes) {
            if size == 0 {
                assert_eq!(pair[0], pair[1], "{label}: {paths:?}");
            }
        }
    }
    for label in ["strict", "the target"] {
        assert!(paths[label][7][0] > 0.1, "{label}: {paths:?}");
    }
}

#[test]
fn without_weight_on_fairness_those_are_chosen_whom_score_greedy_chooses() {
    let base = with(
        POOL,
        &[
            (
                "u = { mean = 5.0, variance = 1.0 }",
                "u = { mean = 4.9, variance = 1.5 }",
            ),
            ("replications = 2", "replications = 1"),
            ("start = { u = 0.1 }", "start = { u = 0.5 }"),
        ],
    );
    for term in ["blom", "exact", "mean_field", "realised"] {
        let fair = |label: &str, lambda: f64| {
            format!(
                "[[policy]]\nlabel = \"{label}\"\nkind = \"fair_greedy_pool\"\n\
                 target = {{ u = 0.4 }}\nlambda = {lambda:?}\n\
                greedy_term = \"{term}\"\n"
            )
        };
        let greedy = format!(
            "[[policy]]\nlabel = \"greedy\"\nkind = \"score_greedy\"\ngreedy_term = \"{term}\"\n"
        );
        let report = "[report]\njudge = [\"accepted\"]\n";
        let text = format!(
            "{base}{}{}{greedy}{report}",
            fair("none", 0.0),
            fair("some", 2.0)
        );
        let all = decisions(&text);
        let lane = |label: &str| -> Vec<_> {
            (1..=50)
                .map(|round| &all[&(round, label.to_owned())])
                .collect()
        };
        assert!(lane("greedy").iter().all(|[_, chosen]| chosen.len() == 30));
        assert!(lane("none") == lane("greedy"), "{term}");
        assert!(lane("some") != lane("greedy"), "{term}");
    }
}
