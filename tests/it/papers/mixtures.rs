//! Settings that mix, of no paper: what docs/committees.md, docs/pools.md and docs/merit.md say of
//! them.

use kleroterion::compare::{RunResult, Stats};

use crate::support::{config, many, near, plan, play, project, stats, values};

fn of(name: &str, runs: u64) -> RunResult {
    play(&plan(
        &config(name),
        &project().join("configs"),
        &[&many(runs)],
    ))
}

/// The mean difference of two lanes in a metric, in standard errors of it.
fn gap(result: &RunResult, [a, b]: [&str; 2], metric: &str) -> f64 {
    let pairs = values(result, a, metric, None).into_iter();
    let gaps = pairs
        .zip(values(result, b, metric, None))
        .map(|(a, b)| a - b);
    let gaps = Stats::of(&gaps.collect::<Vec<_>>()).unwrap();
    println!("{a} - {b}, {metric}: {gaps:?}");
    gaps.mean / gaps.se.unwrap()
}

/// The best stationary rule is worth what its closed form says, and keeps target and rate in
/// expectation.
#[test]
fn the_best_stationary_rule_is_worth_what_it_is_said_to_be() {
    let result = of("committee-merit.toml", 60);
    let label = "best stationary";
    let merit = stats(&result, label, "mean_merit", None);
    let plan = plan(
        &config("committee-merit.toml"),
        &project().join("configs"),
        &[],
    );
    let said = plan.notes.iter().find_map(|note| {
        let (_, rest) = note.split_once("best stationary: its members are worth ")?;
        rest.split_once(" each")?.0.parse::<f64>().ok()
    });
    near("mean merit", &merit, said.unwrap(), 0.0);
    near(
        "screened",
        &stats(&result, label, "screened", None),
        1500.0,
        0.0,
    );
    for group in ["a", "b", "c"] {
        let share = stats(&result, label, &format!("share.{group}"), None);
        near(group, &share, 1.0 / 3.0, 0.0);
    }
}

/// It learns merits, and keeps to target and rate: it is nearly as good as the rule that knows all.
#[test]
fn a_queue_with_a_merit_term_is_nearly_as_good_as_the_best_stationary_rule() {
    let result = of("committee-merit.toml", 60);
    let mean = |label: &str, metric: &str| stats(&result, label, metric, None).mean;
    let [both, alone, best] = ["quotas and merits", "quotas alone", "best stationary"];
    let [won, most] =
        [both, best].map(|label| mean(label, "mean_merit") - mean(alone, "mean_merit"));
    assert!(won > 0.9 * most, "{won} of {most}");
    assert!(mean(both, "representation_loss") < 0.06);
    assert!((mean(both, "screened") - 1500.0).abs() < 50.0);
    assert!(gap(&result, ["quotas first", alone], "mean_merit") > 4.0);
    assert!(gap(&result, ["quotas first", both], "representation_loss") < -4.0);
}

/// A bandit that is fair within groups keeps the pool as it is; one that is not empties it of a
/// group.
#[test]
fn a_bandit_on_a_pool_that_answers() {
    let result = of("pool-bandit.toml", 10);
    let share = |label: &str| stats(&result, label, "pool_share.u", None).mean;
    assert!(share("ridge greedy") < 0.1, "{}", share("ridge greedy"));
    for label in ["fair greedy", "all rounds", "fair oracle", "uniform"] {
        assert!(share(label) > 0.3, "{label}: {}", share(label));
    }
    assert!(gap(&result, ["all rounds", "fair greedy"], "fair_regret") < -2.0);
    let lost = values(&result, "fair oracle", "fair_regret", None);
    assert!(lost.iter().all(|lost| *lost == 0.0), "{lost:?}");
}

/// Pool policies by the true worth of whom they admit.
#[test]
fn cohort_value_of_pool_policies() {
    let result = of("pool-cohorts.toml", 40);
    assert!(gap(&result, ["as they apply", "by score"], "cohort_value") > 3.0);
    assert!(gap(&result, ["as they apply", "by score"], "pool_share.u") > 4.0);
    for metric in [
        "optimal",
        "cohort_value.diverse",
        "optimal.diverse",
        "mean_merit",
    ] {
        assert!(
            stats(&result, "by score", metric, None).mean.is_finite(),
            "{metric}"
        );
    }
}
