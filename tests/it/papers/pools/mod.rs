//! Pools that answer, from configs: lanes stay coupled, real people are thinned, and what is
//! extreme is right.

pub mod reference;
mod steps;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::support::configs::with;
use crate::support::same::same_bytes;
use crate::support::terminal::Terminal;
use crate::support::worlds::POOL;
use crate::support::{plan, play, stats, values};

const LANES: &str = r#"[[policy]]
label = "mild"
kind = "fair_greedy_pool"
target = { u = 0.4 }
lambda = 0.5

[[policy]]
label = "strict"
kind = "fair_greedy_pool"
target = { u = 0.4 }
lambda = 10.0

[[policy]]
label = "as they come"
kind = "proportional_pool"

[[policy]]
label = "the target"
kind = "target_share"
target = { u = 0.4 }
lambda = 2.0

[report]
target = { u = 0.4 }
judge = ["accepted"]
"#;

/// Four lanes of rounds of 40.
pub fn config() -> String {
    let sizes = [
        ("slate = 100", "slate = 40"),
        ("rounds = 50", "rounds = 60"),
    ];
    with(POOL, &sizes) + LANES
}

#[test]
fn pools_give_the_same_bytes_in_every_way() {
    same_bytes(&Terminal::new(), &config(), &[]);
    let varied = config().replace("slate = 40", "slate = { poisson = 12 }");
    let varied = varied.replace("positive_reinforcement\"", "role_model\"\nrho = 0.5");
    same_bytes(&Terminal::new(), &varied, &[]);
}

/// In a roster the groups come in turns.
fn is_of_u(id: &str) -> bool {
    let number: u64 = id.trim_matches('"').parse().expect("a number");
    number.is_multiple_of(2)
}

/// By round and lane who applied, in slot order, and who of them was chosen; of the last
/// replication.
pub fn decisions(text: &str) -> BTreeMap<(u64, String), [Vec<String>; 2]> {
    traced(&Terminal::new(), text)
}

/// The same, in a folder that may hold files of people.
pub fn traced(terminal: &Terminal, text: &str) -> BTreeMap<(u64, String), [Vec<String>; 2]> {
    terminal.put("my.toml", text);
    terminal.done(&[
        "run",
        "my.toml",
        "-q",
        "--trace",
        "decisions",
        "--out",
        "out",
    ]);
    let decision = |line: &str| {
        let event: Value = serde_json::from_str(line).expect("it is JSON");
        let round = event["round"].as_u64().expect("a round");
        let lane = event["policy"].as_str().expect("a label").to_owned();
        let ids = ["shown", "chosen"].map(|key| {
            let ids = event[key].as_array().expect("a list");
            ids.iter().map(ToString::to_string).collect()
        });
        ((round, lane), ids)
    };
    terminal
        .read("out/decisions.ndjson")
        .lines()
        .map(decision)
        .collect()
}

/// By round and lane who applied, in slot order.
fn slates(text: &str) -> BTreeMap<(u64, String), Vec<String>> {
    let shown = |(key, [shown, _]): (_, [Vec<String>; 2])| (key, shown);
    decisions(text).into_iter().map(shown).collect()
}

/// By round and lane who applied, and how many of them are of group u.
fn applicants(text: &str) -> BTreeMap<(u64, String), (BTreeSet<String>, usize)> {
    let counted = |(key, shown): (_, Vec<String>)| {
        let of_u = shown.iter().filter(|id| is_of_u(id)).count();
        (key, (shown.into_iter().collect(), of_u))
    };
    slates(text).into_iter().map(counted).collect()
}

/// Policies break ties by the slot: if those of u came first they would have the better of them.
#[test]
fn the_slots_of_a_slate_say_nothing_of_groups() {
    let mut places = [Vec::new(), Vec::new()];
    for shown in slates(&config()).values() {
        for (slot, id) in shown.iter().enumerate() {
            places[usize::from(!is_of_u(id))].push(slot as f64);
        }
    }
    let [of_u, of_v] = places.map(|slots| slots.iter().sum::<f64>() / slots.len() as f64);
    assert!((of_u - of_v).abs() < 1.5, "{of_u} and {of_v} of 0 to 39");
}

/// Person 17 of round 9 is the same in every lane: two slates differ by as many as their pools'
/// counts differ.
#[test]
fn applicants_of_two_lanes_differ_only_where_their_pools_do() {
    let all = applicants(&config());
    let mut differ = 0;
    for round in 1..=60 {
        let (mild, mild_u) = &all[&(round, "mild".to_owned())];
        let (strict, strict_u) = &all[&(round, "strict".to_owned())];
        assert_eq!((mild.len(), strict.len()), (40, 40));
        let off = mild.symmetric_difference(strict).count();
        assert_eq!(off, 2 * mild_u.abs_diff(*strict_u), "round {round}");
        differ += usize::from(off > 0);
        if round == 1 {
            assert_eq!(off, 0, "the pools are the same at first");
        }
    }
    assert!((20..60).contains(&differ), "{differ}");
}

/// Theta of u after the run, of every replication of every lane.
fn ends(set: &[&str]) -> Vec<(String, f64)> {
    let result = play(&plan(&config(), Path::new("."), set));
    let mut all = Vec::new();
    for policy in &result.policies {
        let shares = values(&result, &policy.label, "pool_share.u", None);
        assert_eq!(shares.len(), 2);
        all.extend(
            shares
                .into_iter()
                .map(|share| (policy.label.clone(), share)),
        );
    }
    all
}

/// What nothing moves stays to the last bit, and is said to.
#[test]
fn where_a_pool_stays_it_is_said_to() {
    for (key, start) in [
        // None is admitted, or all are: the pool has nothing to answer to.
        ("rules.choose={ share = 0.0 }", 0.1),
        ("rules.choose={ share = 1.0 }", 0.1),
        ("pool.eta=0.0", 0.1),
        // A group that is gone does not come back.
        ("pool.start={ u = 0.0 }", 0.0),
    ] {
        for (label, share) in ends(&[key]) {
            assert_eq!(share, start, "{key}, {label}");
        }
        let plan = plan(&config(), Path::new("."), &[key]);
        let said = plan
            .lanes
            .iter()
            .filter_map(|lane| lane.policy.prospect.as_ref());
        let said: Vec<_> = said.map(|prospect| prospect.stays).collect();
        assert_eq!(said.len(), 3, "{key}");
        for still in said {
            assert_eq!(still.expect("it stays").at, start, "{key}");
        }
    }
    let plan = plan(&config(), Path::new("."), &[]);
    let mut said = plan
        .lanes
        .iter()
        .filter_map(|lane| lane.policy.prospect.as_ref());
    assert!(said.all(|prospect| prospect.stays.is_none()));
}

#[test]
fn a_full_pool_has_gaps() {
    // Poisson(N) is below N half of the time.
    for (label, share) in ends(&["pool.start={ u = 1.0 }"]) {
        let proportional = label == "as they come";
        assert!(
            (0.35..1.0).contains(&share) || proportional,
            "{label}: {share}"
        );
    }
}

/// Where a step is more than twice the way to s*, theta does not settle; once it is 0 it stays
/// there.
#[test]
fn a_pool_that_is_said_not_to_settle_dies_out() {
    let set = ["pool.eta=3.0", "policy.mild.lambda=5.0"];
    let plan = plan(&config(), Path::new("."), &set);
    for lane in &plan.lanes {
        let Some(prospect) = &lane.policy.prospect else {
            continue;
        };
        assert!(prospect.step.expect("it overshoots") > 2.0);
        let said = prospect.sentence().expect("something is said");
        assert!(said.contains("does not settle"), "{said}");
    }
    for (label, share) in ends(&set) {
        assert!(share == 0.0 || label == "as they come", "{label}: {share}");
    }
}

/// The same lanes with a third group, which is not wanted.
pub fn three_groups() -> String {
    config()
        .replace(
            "v = { mean = 5.0, variance = 1.0 } }",
            "v = { mean = 5.0, variance = 1.0 }, w = { mean = 5.0, variance = 1.0 } }",
        )
        .replace("start = { u = 0.1 }", "start = { u = 0.1, v = 0.3 }")
        .replace("target = { u = 0.4 }", "target = { u = 0.4, w = 0.0 }")
}

#[test]
fn three_groups_of_which_one_is_not_wanted() {
    let text = three_groups().replace("rounds = 60", "rounds = 400");
    let result = play(&plan(&text, Path::new("."), &["replications=4"]));
    let share =
        |label: &str, group: &str| stats(&result, label, &format!("pool_share.{group}"), None).mean;
    for label in ["strict", "the target"] {
        assert!(
            (share(label, "u") - 0.4).abs() < 0.06,
            "{label}: {}",
            share(label, "u")
        );
        assert!(share(label, "w") < 0.06, "{label}: {}", share(label, "w"));
    }
}

/// The config with the people of a file, a third of them of group u; the file lies in the folder.
fn with_people(people: usize) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let people: String = (0..people)
        .map(|k| format!("p{k},{},{}\n", ["u", "v", "v"][k % 3], k * 7919 % 100))
        .collect();
    let people = format!("id,side,points\n{people}");
    std::fs::write(folder.path().join("people.csv"), people).expect("it can be written");
    let source = "[source]\ntype = \"file\"\npath = \"people.csv\"\nid = \"id\"\n\
        score = \"points\"\n\
        attributes = { side = { column = \"side\" } }\n";
    let text = config();
    let start = text.find("[source]").expect("a source");
    let end = text.find("[rules]").expect("rules");
    let text = format!("{}{source}{}", &text[..start], &text[end..]);
    (folder, text)
}

/// A file's people, in its own order or drawn: the pool thins them.
#[test]
fn real_people_are_thinned() {
    let (folder, text) = with_people(4000);
    for order in ["shuffled", "resampled"] {
        let set = [
            &format!("source.order={order:?}"),
            "rules.until={ rounds = 45 }",
            "pool.start={ u = 0.3 }",
        ];
        let result = play(&plan(&text, folder.path(), &set));
        for policy in &result.policies {
            let screened = values(&result, &policy.label, "screened", None);
            // Of the file's own order there may be fewer of a group than would come.
            let most = 45.0 * 40.0;
            let least = if order == "resampled" {
                most
            } else {
                0.8 * most
            };
            assert!(
                screened.iter().all(|n| (least..=most).contains(n)),
                "{order}: {screened:?}"
            );
        }
        let strict = stats(&result, "strict", "pool_share.u", None).mean;
        assert!(strict > 0.33, "{order}: {strict}");
        // The admitted are the best-scored.
        let score = stats(&result, "strict", "greedy_reward", None).mean;
        assert!(score > 75.0, "{order}: {score}");
    }
}

/// One round is offered all the people of a file: half of them apply, since there are two groups.
#[test]
fn all_of_a_file_are_one_roster() {
    let (folder, text) = with_people(4001);
    for order in ["file", "shuffled"] {
        let set = [
            &format!("source.order={order:?}"),
            "replications=1",
            "rules.slate=\"all\"",
            "rules.until=\"source_ends\"",
            "pool.start={ u = 0.25 }",
        ];
        let result = play(&plan(&text, folder.path(), &set));
        for policy in &result.policies {
            let end = |metric| values(&result, &policy.label, metric, None);
            assert_eq!(end("screened"), [2000.0], "{order}");
            let share = end("applicant_share.u")[0];
            assert!((share - 0.25).abs() < 0.06, "{order}: {share}");
        }
    }
}

#[test]
fn what_is_judged_where_nothing_is_said() {
    let judged = |text: &str| {
        let plan = plan(
            &with(text, &[("judge = [\"accepted\"]\n", "")]),
            Path::new("."),
            &[],
        );
        let said = format!("judge = {:?} (the config names none)", plan.judge.metrics);
        assert!(plan.notes.contains(&said), "{said} in {:?}", plan.notes);
        plan.judge.metrics.clone()
    };
    assert_eq!(judged(&config()), ["fairness_loss", "greedy_reward"]);
    // No target is given: there is no loss.
    let end = LANES.find("[report]").expect("a report");
    let aimless = "[[policy]]\nlabel = \"as they come\"\nkind = \"proportional_pool\"\n";
    let report = with(&LANES[end..], &[("target = { u = 0.4 }\n", "")]);
    let aimless = format!("{POOL}{aimless}{report}");
    assert_eq!(judged(&aimless), ["selection_rate"]);
}

/// A score is the worth, a bias and noise: so are the laws that policies get.
#[test]
fn what_is_known_of_scores_counts_their_bias_and_noise() {
    let set = ["source.groups.u.score_bias=-0.8", "source.score_noise=0.75"];
    let plan = plan(&config(), Path::new("."), &set);
    let scores = plan.world.known.scores.exact().expect("they are given");
    let laws: Vec<[f64; 2]> = scores.iter().map(|law| [law.mean, law.sd]).collect();
    assert_eq!(laws, [[5.0 - 0.8, 1.25], [5.0, 1.25]]);
}

const INSTITUTIONS: &str = r#"[[policy]]
label = "one"
kind = "fair_greedy_institutions"
parts = [1.0]
target = { u = 0.4 }
lambda = 2.0

[[policy]]
label = "fair-greedy"
kind = "fair_greedy_pool"
target = { u = 0.4 }
lambda = 2.0
greedy_term = "realised"

[[policy]]
label = "in turn"
kind = "fair_greedy_institutions"
parts = [0.5, 0.3, 0.2]
target = { u = 0.4 }
lambda = [2.0, 0.0, 5.0]

[[policy]]
label = "together"
kind = "fair_greedy_institutions"
parts = [0.5, 0.3, 0.2]
target = { u = 0.4 }
lambda = [2.0, 0.0, 5.0]
together = true

[report]
target = { u = 0.4 }
judge = ["accepted"]
"#;

/// One institution is Fair-Greedy by the scores as they are; of three each has its own share.
#[test]
fn institutions_choose_from_one_pool() {
    let run = play(&plan(
        &format!("{POOL}{INSTITUTIONS}"),
        Path::new("."),
        &["replications=10"],
    ));
    for metric in ["pool_share.u", "greedy_reward", "fairness_loss"] {
        let [one, fair] = ["one", "fair-greedy"].map(|label| values(&run, label, metric, None));
        assert_eq!(one, fair, "{metric}");
    }
    let mean = |label, metric| stats(&run, label, metric, None).mean;
    for label in ["in turn", "together"] {
        // The last weighs fairness, by which u, of whom few apply, gets more than by scores alone.
        assert!(
            mean(label, "last_share") > mean(label, "admitted_share.u"),
            "{label}"
        );
    }
    assert_ne!(
        mean("in turn", "pool_share.u"),
        mean("together", "pool_share.u")
    );
    let terminal = Terminal::new();
    same_bytes(&terminal, &format!("{POOL}{INSTITUTIONS}"), &[]);
}
