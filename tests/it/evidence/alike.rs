//! One algorithm under two labels: the same to the last bit where it has no luck of its own, and
//! not where it has: a policy's own draws are addressed by its label.

use std::path::Path;

use kleroterion::compare::RunResult;
use kleroterion::compare::{Judge, Verdict, Versus, compare};

use crate::support::{config, plan, play};

/// A setting and the table of a policy without its label; by whether it has luck of its own.
struct Setting {
    config: &'static str,
    set: &'static [&'static str],
    steady: &'static [&'static str],
    lucky: &'static [&'static str],
}

const SETTINGS: [Setting; 6] = [
    Setting {
        config: "committee-brexit-like.toml",
        set: &["rules.until.accepted=40", "report.at=[20]"],
        steady: &[
            "kind = \"accept_all\"",
            "kind = \"greedy\"\ntolerance = 0.05",
            "kind = \"quota_lookahead\"",
            "kind = \"virtual_queue\"\nv = 2.0",
        ],
        lucky: &["kind = \"cmdp\"", "kind = \"proportional\""],
    },
    Setting {
        config: "do2021-fig2.toml",
        set: &["rules.until.accepted=100", "report.at=[50]"],
        steady: &[],
        lucky: &[
            "kind = \"rl_cmdp\"\nconfidence_scale = 0.1",
            "kind = \"plugin_cmdp\"",
        ],
    },
    Setting {
        config: "schumann2019-t2.toml",
        set: &["rules.budget=60"],
        steady: &[
            "kind = \"swap\"\nstop = \"budget\"\nstrong = \"always\"",
            "kind = \"swap\"\nstop = \"budget\"\nstrong = \"never\"",
            "kind = \"uniform_interviews\"",
        ],
        lucky: &[
            "kind = \"swap\"\nstop = \"budget\"",
            "kind = \"random_interviews\"",
        ],
    },
    Setting {
        config: "grazzi2022-groups.toml",
        set: &["rules.until.rounds=60", "report.at=[30]"],
        steady: &[
            "kind = \"oful\"\nform = \"abbasi_yadkori\"\nR = 0.5\nS = 2",
            "kind = \"best_reward\"",
            "kind = \"gmf_oracle\"",
        ],
        // Of those who learn, whoever sets out with a tie draws its first choice.
        lucky: &[
            "kind = \"oful\"",
            "kind = \"fair_greedy\"",
            "kind = \"ridge_greedy\"",
            "kind = \"uniform_choice\"",
            "kind = \"oracle_mu\"",
            "kind = \"oracle_cdf\"",
        ],
    },
    Setting {
        config: "puranik2022-fig1b.toml",
        set: &["rules.until.rounds=20", "report.at=[10]"],
        steady: &[
            "kind = \"fair_greedy_pool\"\ntarget = { u = 0.4 }\nlambda = 2",
            "kind = \"score_greedy\"\ntarget = { u = 0.4 }\nlambda = 2",
            "kind = \"proportional_pool\"\ntarget = { u = 0.4 }\nlambda = 2",
            "kind = \"target_share\"\ntarget = { u = 0.4 }\nlambda = 2",
        ],
        // No policy of this setting has any.
        lucky: &[],
    },
    Setting {
        config: "hiring-seasons.toml",
        set: &["rules.until.rounds=3", "report.at=[3]"],
        steady: &["kind = \"uniform_interviews\"\nobjective = \"quota\"\n\
             forecast = { spread = 0.62, doubt = 1, by = \"group\" }"],
        lucky: &[
            "kind = \"swap\"\nstop = \"budget\"\nobjective = \"quota\"\n\
             forecast = { spread = 0.62, doubt = 1, by = \"group\" }",
        ],
    },
];

/// The policy under these labels alone, in the config's world, ten times.
fn played(setting: &Setting, policy: &str, labels: &[&str]) -> RunResult {
    let table = |label: &&str| format!("[[policy]]\nlabel = \"{label}\"\n{policy}\n");
    let tables: String = labels.iter().map(table).collect();
    let set = [&["replications=10"], setting.set].concat();
    let text = config(setting.config) + &tables;
    let mut plan = plan(&text, Path::new("configs"), &set);
    plan.keep_lanes(|lane| labels.contains(&&*lane.label));
    play(&plan)
}

/// The verdicts on all that is measured at the end.
fn verdicts(setting: &Setting, policy: &str) -> Vec<(String, Verdict)> {
    let run = played(setting, policy, &["one", "the other"]);
    let rows = run.policies[0].row(0);
    let metrics = rows.filter(|(place, _)| place.at.is_none());
    let judge = Judge {
        metrics: metrics.map(|(place, _)| place.metric.to_string()).collect(),
        versus: Versus::Baseline("one".into()),
        alpha: 0.05,
        ..Judge::default()
    };
    let pairs = compare(&run, &judge);
    let pairs = pairs.into_iter().filter(|pair| pair.n > 0);
    pairs.map(|pair| (pair.metric, pair.verdict)).collect()
}

#[test]
fn without_luck_of_its_own_a_policy_is_identical_to_itself() {
    for setting in &SETTINGS {
        for policy in setting.steady {
            let verdicts = verdicts(setting, policy);
            assert!(verdicts.len() > 3, "{policy}");
            for (metric, verdict) in verdicts {
                assert_eq!(
                    verdict,
                    Verdict::Identical,
                    "{} {policy}: {metric}",
                    setting.config
                );
            }
        }
    }
}

#[test]
fn with_luck_of_its_own_a_policy_differs_from_itself_under_another_label() {
    for setting in &SETTINGS {
        for policy in setting.lucky {
            let verdicts = verdicts(setting, policy);
            let differs = |(_, verdict): &(String, Verdict)| *verdict != Verdict::Identical;
            assert!(verdicts.iter().any(differs), "{} {policy}", setting.config);
        }
    }
}

/// Luck is the label's, not the company's: alone in a run a policy has the same.
#[test]
fn luck_follows_the_label() {
    for setting in &SETTINGS {
        for policy in setting.lucky {
            let both = played(setting, policy, &["one", "the other"]);
            let alone = played(setting, policy, &["the other"]);
            let lanes = |run: &RunResult| {
                let found = run
                    .policies
                    .iter()
                    .find(|policy| policy.label == "the other");
                found.expect("it played").lanes()
            };
            assert_eq!(lanes(&alone), lanes(&both), "{policy}");
        }
    }
}
