//! Hiring seasons, from the config: a pool that answers, interviews at two costs, quotas, late
//! outcomes that are learnt from, in the one round loop.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::same::same_bytes;
use crate::support::terminal::Terminal;
use crate::support::{config, plan, play, stats, values};

const LEARNERS: [&str; 2] = ["learns", "learns and asks all"];

#[test]
fn seasons_give_the_same_bytes_in_every_way() {
    let short = [
        "--replications",
        "2",
        "--set",
        "rules.until.rounds=5",
        "--set",
        "report.at=[1, 5]",
    ];
    same_bytes(&Terminal::new(), &config("hiring-seasons.toml"), &short);
}

/// Who was chosen, by policy and round.
fn chosen(noise: f64) -> BTreeMap<(String, u64), Vec<String>> {
    let terminal = Terminal::new();
    terminal.put("my.toml", config("hiring-seasons.toml"));
    let noise = format!("feedback.outcome.noise={noise:?}");
    let set = [
        "--set",
        "rules.until.rounds=8",
        "--set",
        "report.at=[8]",
        "--set",
        &noise,
    ];
    let run = [
        "run",
        "my.toml",
        "-q",
        "--replications",
        "1",
        "--out",
        "out",
    ];
    terminal.done(&[&run[..], &set[..]].concat());
    let mut all = BTreeMap::<_, Vec<String>>::new();
    let text = terminal.read("out/selected.csv");
    for row in csv::Reader::from_reader(text.as_bytes()).records() {
        let row = row.expect("a row");
        let round = row[2].parse().expect("a round");
        all.entry((row[1].to_owned(), round))
            .or_default()
            .push(row[3].to_owned());
    }
    all
}

/// What became of those hired in season 1 is heard after season 2.
#[test]
fn outcomes_are_heard_a_season_late_and_by_those_who_learn() {
    let (one, other) = (chosen(0.5), chosen(3.0));
    assert_eq!(one.len(), 4 * 8);
    let differ = |label: &str| -> Vec<u64> {
        let differs =
            |round: &u64| one[&(label.to_owned(), *round)] != other[&(label.to_owned(), *round)];
        (1..=8).filter(differs).collect()
    };
    for label in LEARNERS {
        let rounds = differ(label);
        assert!(rounds.first() > Some(&2), "{label}: {rounds:?}");
    }
    for label in ["interviews alone", "trusts the score"] {
        assert!(differ(label).is_empty(), "{label}");
    }
}

/// That the first of each pair is greater, by four standard errors of the mean difference.
#[track_caller]
fn surely(ones: &[f64], others: &[f64]) {
    let gaps: Vec<f64> = ones
        .iter()
        .zip(others)
        .map(|(one, other)| one - other)
        .collect();
    let n = gaps.len() as f64;
    let mean = gaps.iter().sum::<f64>() / n;
    let square = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>();
    let se = (square / (n - 1.0) / n).sqrt();
    assert!(mean > 4.0 * se, "{mean} +- {se}");
}

#[test]
fn who_learns_pays_for_it_at_first_and_keeps_the_pool() {
    let plan = plan(&config("hiring-seasons.toml"), Path::new("."), &[]);
    let result = play(&plan);
    let value = |label: &str, metric: &str, at| values(&result, label, metric, at);
    let surely_above = |metric: &str, at: Option<u64>, one: &str, other: &str| {
        surely(&value(one, metric, at), &value(other, metric, at));
    };
    // At first there is nothing to learn from, and the score is better than a doubted line.
    surely_above("cohort_value", Some(1), "trusts the score", "learns");
    // Seasons after the first are better by more than luck has it.
    for label in LEARNERS {
        let [first, all] = [Some(1), None].map(|at| value(label, "cohort_value", at));
        surely(&all, &first);
    }
    surely_above("cohort_value", None, "learns", "learns and asks all");
    surely_above("cohort_value", None, "trusts the score", "interviews alone");
    // Who goes by the score hires too few of u, and they stay away.
    for label in ["learns", "learns and asks all", "interviews alone"] {
        surely_above("pool_share.u", None, label, "trusts the score");
    }
    let start = stats(&result, "trusts the score", "pool_share.u", Some(1)).mean;
    assert_eq!(start, 0.3);
    // Everybody keeps the quota, and spends what there is.
    for policy in &result.policies {
        for violation in values(&result, &policy.label, "quota_violation", None) {
            assert_eq!(violation, 0.0);
        }
        let cost = stats(&result, &policy.label, "cost", None).mean;
        assert!(
            cost > 3_000.0 && cost <= 3_600.0,
            "{}: {cost}",
            policy.label
        );
    }
}
