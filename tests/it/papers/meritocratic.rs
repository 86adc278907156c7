//! The numbers of Grazzi et al. 2022's setting: the reference table's rows (none is printed in the
//! paper), closed forms, and what must hold whoever is compared. Mean and sd of the reference over
//! its own runs; ours within four combined standard errors.

use std::path::Path;

use kleroterion::compare::RunResult;
use kleroterion::compare::{Judge, Stats, Summary};

use crate::support::{config, many, near, plan, play, stats, values};

/// Fair regret at these rounds.
const ROUNDS: [u64; 6] = [50, 100, 200, 500, 1000, 2500];

fn of(name: &str, set: &[&str]) -> RunResult {
    play(&plan(&config(name), Path::new("."), set))
}

/// Holds a metric against mean and sd of `runs` runs of the reference, at some rounds.
fn row(result: &RunResult, label: &str, metric: &str, runs: f64, figures: &[(u64, f64, f64)]) {
    for &(at, mean, sd) in figures {
        let ours = stats(result, label, metric, Some(at));
        println!(
            "{label}, {metric} at {at}: {:.2} +- {:.2}, to be {mean} +- {sd}",
            ours.mean,
            ours.sd.unwrap()
        );
        near(
            &format!("{label}, {metric} at {at}"),
            &ours,
            mean,
            sd / runs.sqrt(),
        );
    }
}

fn fair(result: &RunResult, label: &str, figures: [(f64, f64); 6]) {
    let figures = ROUNDS.iter().zip(figures);
    let figures: Vec<_> = figures.map(|(&at, (mean, sd))| (at, mean, sd)).collect();
    row(result, label, "fair_regret", 100.0, &figures);
}

#[test]
fn section_6() {
    let result = of("grazzi2022-fig1.toml", &[&many(100)]);
    fair(
        &result,
        "fair greedy",
        [
            (9.22, 2.05),
            (13.66, 3.42),
            (18.18, 5.13),
            (23.89, 6.62),
            (27.98, 7.48),
            (33.61, 8.52),
        ],
    );
    fair(
        &result,
        "OFUL",
        [
            (10.37, 1.39),
            (17.87, 2.12),
            (30.98, 2.69),
            (65.07, 4.44),
            (118.3, 7.8),
            (275.7, 12.2),
        ],
    );
    fair(
        &result,
        "ridge greedy",
        [
            (14.65, 2.11),
            (28.65, 3.70),
            (56.87, 6.59),
            (142.4, 16.7),
            (283.8, 36.3),
            (709.3, 93.5),
        ],
    );
    fair(
        &result,
        "uniform",
        [
            (14.66, 1.78),
            (29.51, 2.55),
            (59.01, 3.13),
            (149.1, 5.2),
            (298.8, 8.0),
            (749.8, 12.8),
        ],
    );
    fair(
        &result,
        "oracle of mu",
        [
            (1.27, 0.53),
            (1.46, 0.58),
            (1.65, 0.62),
            (1.93, 0.66),
            (2.15, 0.68),
            (2.43, 0.71),
        ],
    );
    for (label, at_500, at_2500) in [
        ("fair greedy", (983.0, 61.0), (4428.0, 107.0)),
        ("OFUL", (578.0, 27.0), (1576.0, 52.0)),
        ("ridge greedy", (123.0, 35.0), (580.0, 210.0)),
        ("uniform", (1877.0, 76.0), (9420.0, 183.0)),
        ("fair oracle", (842.0, 40.0), (4221.0, 93.0)),
    ] {
        let figures = [(500, at_500.0, at_500.1), (2500, at_2500.0, at_2500.1)];
        row(&result, label, "reward_regret", 100.0, &figures);
    }
    for group in ["g1", "g2", "g3", "g4"] {
        let share = stats(&result, "fair greedy", &format!("share.{group}"), None);
        near(group, &share, 0.25, 0.006 / 10.0);
    }
    assert!(
        values(&result, "fair oracle", "fair_regret", None)
            .iter()
            .all(|regret| *regret == 0.0)
    );
    // A closed form: the best of K independent uniforms less any of them.
    let uniform = stats(&result, "uniform", "fair_regret", None);
    near("uniform", &uniform, 2500.0 * (4.0 / 5.0 - 0.5), 0.0);
    growth(&result);
    // Parity by design, and by none.
    let summary = Summary::of(&result, &Judge::default());
    let p = |label: &str| summary.policies[label].parity.as_ref().unwrap().p.unwrap();
    for label in ["fair greedy", "uniform", "fair oracle", "oracle of mu"] {
        println!("{label}: parity p = {}", p(label));
        assert!(p(label) > 0.001, "{label}: {}", p(label));
    }
    for label in ["OFUL", "ridge greedy"] {
        assert!(p(label) < 1e-6, "{label}: {}", p(label));
    }
}

/// Between 500 and 2,500 rounds Fair-Greedy's fair regret grows far more slowly than the root of T;
/// that of those who read no groups grows as T does. The one who knows the CDFs alone locks in: no
/// better.
fn growth(result: &RunResult) {
    let exponent = |label: &str| {
        let at = |round| stats(result, label, "fair_regret", Some(round)).mean;
        libm::log(at(2500) / at(500)) / libm::log(5.0)
    };
    for (label, low, high) in [
        ("fair greedy", 0.0, 0.35),
        ("OFUL", 0.8, 1.1),
        ("ridge greedy", 0.9, 1.1),
        ("uniform", 0.97, 1.03),
        ("oracle of the CDFs", 0.7, 1.1),
    ] {
        let exponent = exponent(label);
        println!("{label}: T^{exponent:.3}");
        assert!((low..high).contains(&exponent), "{label}: {exponent}");
    }
}

/// The bound's own form of the bonus: R = 2, delta = .01, S = |mu|.
#[test]
fn oful_of_abbasi_yadkori() {
    let mu = [
        4., 3., 7., 0., 8., 0., 0., 0., 5., 5., 0., 0., 2., 2., 2., 2., 1.,
    ];
    let norm = mu.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
    let text = config("grazzi2022-fig1.toml").replace(
        "form = \"authors\"\nec = 1.0",
        &format!("form = \"abbasi_yadkori\"\nR = 2.0\nS = {norm}\ndelta = 0.01"),
    );
    assert!(text.contains("abbasi_yadkori"));
    let plan = plan(
        &text,
        Path::new("."),
        &[&many(100), "rules.until.rounds=500", "report.at=[500]"],
    );
    row(
        &play(&plan),
        "OFUL",
        "fair_regret",
        100.0,
        &[(500, 62.69, 5.03)],
    );
}

#[test]
fn candidates_of_drawn_groups() {
    let result = of("grazzi2022-groups.toml", &[&many(40)]);
    for (label, at_500, at_2500) in [
        ("fair greedy", (6.40, 2.31), (7.96, 2.57)),
        ("ridge greedy", (76.05, 6.60), (381.8, 18.9)),
        ("uniform", (205.3, 6.6), (1026.0, 14.0)),
    ] {
        let figures = [(500, at_500.0, at_500.1), (2500, at_2500.0, at_2500.1)];
        row(&result, label, "fair_regret", 40.0, &figures);
    }
    let uniform = stats(&result, "uniform", "fair_regret", None);
    near("uniform", &uniform, 2500.0 * (10.0 / 11.0 - 0.5), 0.0);
}

/// By Definitions 3.1 and 3.2, and Remark 3.1.
#[test]
fn a_yardstick_loses_nothing_of_its_own_kind() {
    let yardsticks = "[[policy]]\nlabel = \"fairest\"\nkind = \"gmf_oracle\"\n\n[[policy]]\n\
        label = \"best\"\nkind = \"best_reward\"\n\n[report]";
    let text = config("grazzi2022-groups.toml").replacen("[report]", yardsticks, 1);
    let result = play(&plan(&text, Path::new("."), &["replications=4"]));
    let lost = |label: &str, metric: &str| values(&result, label, metric, None);
    assert_eq!(lost("fairest", "fair_regret"), [0.0; 4]);
    assert_eq!(lost("best", "reward_regret"), [0.0; 4]);
    assert!(
        lost("fairest", "reward_regret")
            .iter()
            .all(|lost| *lost > 100.0)
    );
    assert!(lost("best", "fair_regret").iter().all(|lost| *lost > 100.0));
}

/// Ours, the paper has no delays: to hear later is never better, and 100 rounds late costs much
/// more than 10.
#[test]
fn late_outcomes_cost() {
    let policies = ["fair greedy", "OFUL"];
    let runs = [0, 1, 10, 100].map(|delay: u64| {
        let set = format!("feedback.outcome.delay={delay}");
        let text = config("grazzi2022-delay.toml");
        let sweep = text.find("[sweep]").unwrap();
        let result = play(&plan(&text[..sweep], Path::new("."), &[&many(100), &set]));
        for label in policies {
            println!(
                "delay {delay}: {label} {:?}",
                stats(&result, label, "fair_regret", None)
            );
            // Those chosen in the last `delay` rounds are never heard of.
            assert_eq!(stats(&result, label, "pending", None).mean, delay as f64);
        }
        result
    });
    let lost = |run: usize, label: &str| values(&runs[run], label, "fair_regret", None);
    for label in policies {
        for sooner in [0, 1, 2] {
            let gaps = lost(3, label).into_iter().zip(lost(sooner, label));
            let gaps: Vec<f64> = gaps.map(|(later, sooner)| later - sooner).collect();
            let gap = Stats::of(&gaps).unwrap();
            assert!(
                gap.mean > 10.0 && gap.mean > 4.0 * gap.se.unwrap(),
                "{label}: {gap:?}"
            );
        }
    }
    // One round late is not late for Fair-Greedy, whose ridge is of rounds up to (t - 1)/2.
    assert_eq!(lost(0, "fair greedy"), lost(1, "fair greedy"));
}
