//! What the command line changes in a config, and the exit codes of lanes that break off.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{FEW, with};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

fn summary(terminal: &Terminal, more: &[&str]) -> Value {
    let json = terminal.done(&with(&with(FEW, &["--format", "json"]), more));
    serde_json::from_str(&json).expect("it is JSON")
}

fn labels(summary: &Value) -> Vec<String> {
    let policies = summary["policies"].as_object().expect("policies");
    policies.keys().cloned().collect()
}

#[test]
fn set_reaches_every_shape_of_key() {
    let terminal = Terminal::new();
    let plain = summary(&terminal, &[]);
    let set = summary(
        &terminal,
        &[
            "--set",
            "policy.\"greedy .05\".tolerance=0.5",
            "--set",
            "policy.queue.v=1000",
            "--set",
            "rules.until={ accepted = 40 }",
            "--set",
            "report.at=[10, 40]",
            "--set",
            "report.judge.0=screened",
            "--set",
            "name='another name'",
        ],
    );
    let metric = |summary: &Value, label: &str, name: &str| {
        summary["policies"][label]["metrics"][name]["mean"].as_f64()
    };
    assert_eq!(set["name"], "another name");
    for label in labels(&set) {
        assert_eq!(metric(&set, &label, "accepted"), Some(40.0), "{label}");
        let series = &set["policies"][&label]["series"]["screened"];
        assert_eq!(
            (&series[0]["at"], &series[1]["at"]),
            (&10.into(), &40.into())
        );
    }
    assert_eq!(
        metric(&set, "queue", "screened"),
        Some(40.0),
        "it takes everybody"
    );
    assert!(metric(&plain, "queue", "screened") > Some(150.0));
    assert!(
        metric(&set, "greedy .05", "representation_loss") > Some(0.1),
        "as lax as it may be"
    );
    assert!(metric(&plain, "greedy .05", "representation_loss") < Some(0.06));
    assert_eq!(set["pairs"][0]["metric"], "screened");
}

#[test]
fn seed_and_replications_are_those_of_the_config_set_otherwise() {
    let terminal = Terminal::new();
    let by_option = summary(&terminal, &["--seed", "7"]);
    let by_set = summary(&terminal, &["--set", "seed=7"]);
    assert_eq!(by_option, by_set);
    assert_ne!(by_option["policies"], summary(&terminal, &[])["policies"]);
    // Replications are numbered from 0: more of them leave those before as they are.
    let csv = |n: &str| terminal.done(&["run", "-q", "--format", "csv", "--replications", n]);
    let (two, three) = (csv("2"), csv("3"));
    assert!(three.starts_with(&two) && three.len() > two.len());
    // The option of its own says.
    assert_eq!(
        csv("3"),
        terminal.done(&[
            "run",
            "-q",
            "--format",
            "csv",
            "--replications",
            "3",
            "--set",
            "replications=9"
        ])
    );
}

#[test]
fn only_keeps_the_named_policies_and_their_results() {
    let terminal = Terminal::new();
    let all = summary(&terminal, &[]);
    for only in [
        &["--only", "queue,greedy .05"][..],
        &["--only", "queue", "--only", "greedy .05"],
        &["--only", " queue , greedy .05"],
    ] {
        let some = summary(&terminal, only);
        assert_eq!(labels(&some), ["greedy .05", "queue"], "{only:?}");
        for label in labels(&some) {
            assert_eq!(some["policies"][&label], all["policies"][&label], "{label}");
        }
        assert_eq!(
            some["pairs"],
            Value::Array(vec![]),
            "the baseline is not among them"
        );
    }
    let with_baseline = summary(&terminal, &["--only", "queue,cmdp"]);
    assert_eq!(with_baseline["pairs"].as_array().map(Vec::len), Some(2));
}

/// A label may hold what separates labels elsewhere.
#[test]
fn labels_of_all_kinds_can_be_named() {
    let terminal = Terminal::new();
    let config = "seed = 1\n[source]\ntype = \"categorical\"\n\
        shares = { a = { x = 0.5, y = 0.5 } }\n[target]\na = { x = 0.5, y = 0.5 }\n\
        [rules]\nchoose = \"at_most_one\"\nuntil = { accepted = 5 }\n\
        [[policy]]\nlabel = \"a, b\"\nkind = \"virtual_queue\"\n[[policy]]\n\
        label = 'say \"a.b\"=c'\nkind = \"virtual_queue\"\n";
    terminal.put("my.toml", config);
    let json = |args: &[&str]| -> Value {
        let text = terminal.done(&with(&["run", "my.toml", "-q", "--format", "json"], args));
        serde_json::from_str(&text).expect("it is JSON")
    };
    assert_eq!(labels(&json(&["--only", "a, b"])), ["a, b"]);
    assert_eq!(
        labels(&json(&["--only", "say \"a.b\"=c"])),
        ["say \"a.b\"=c"]
    );
    assert_eq!(
        labels(&json(&["--only", "a, b", "--only", "say \"a.b\"=c"])).len(),
        2
    );
    let wide = json(&[
        "--set",
        "policy.'say \"a.b\"=c'.v=100",
        "--set",
        "policy.\"a, b\".v=0",
    ]);
    let screened = |label: &str| wide["policies"][label]["metrics"]["screened"]["mean"].as_f64();
    assert_eq!(screened("say \"a.b\"=c"), Some(5.0), "it takes everybody");
    assert!(screened("a, b") > Some(5.0));
}

/// A lane that breaks a rule ends alone; the run is done, unless it is to be strict.
#[test]
fn a_lane_that_breaks_off_fails_a_strict_run_alone() {
    let terminal = Terminal::new();
    let exactly = ["--set", "rules.choose=exactly_one", "--out"];
    let done = terminal.klero(&with(&with(FEW, &exactly), &["a"]));
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    done.stdout
        .says("greedy .05, replication 0: disqualified: round ");
    let strict = terminal.exits(1, &with(&with(FEW, &exactly), &["b", "--strict"]));
    assert_eq!(
        strict.stderr,
        "error: --strict: cmdp disqualified, greedy .05 disqualified, proportional disqualified, \
         queue disqualified\n"
    );
    assert_eq!(strict.stdout, done.stdout);
    assert_eq!(
        terminal.read("a/summary.json"),
        terminal.read("b/summary.json")
    );
    let summary: Value =
        serde_json::from_str(&terminal.read("a/summary.json")).expect("it is JSON");
    assert_eq!(summary["policies"]["accept all"]["endings"]["filled"], 6);
    let verdicts: BTreeMap<_, _> = summary["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .map(|pair| (pair["a"].to_string(), &pair["verdict"]))
        .collect();
    assert!(
        verdicts
            .values()
            .all(|verdict| **verdict == "not_comparable"),
        "{verdicts:?}"
    );
    // A sound run is not failed by it.
    terminal.done(&with(FEW, &["--strict"]));
}

/// A committee that can't be filled ends as stalled: a result, not a failure.
#[test]
fn a_stalled_lane_is_a_result() {
    let terminal = Terminal::new();
    let json = terminal.done(&with(
        FEW,
        &[
            "--strict",
            "--format",
            "json",
            "--set",
            "rules.max_rounds=400",
        ],
    ));
    let summary: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(summary["policies"]["greedy .05"]["endings"]["stalled"], 6);
    assert_eq!(summary["policies"]["queue"]["endings"]["filled"], 6);
}
