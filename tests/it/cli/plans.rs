//! Plans of policies that look ahead, kept with their run.

mod horizons;

use serde_json::Value;

use super::with;
use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal};
use crate::support::worlds::POOL;

/// The pool with few applicants and a lane that looks ahead.
pub(super) fn ahead() -> String {
    crate::support::configs::with(POOL, &[("slate = 100", "slate = 20")])
        + r#"
[[policy]]
label = "by s"
kind = "optimal"
target = { u = 0.4 }
lambda = 1.5
gamma = 0.99
state = "share"
greedy_term = "blom"

[report]
target = { u = 0.4 }
judge = ["fairness_loss"]
"#
}

/// What a run with `--out a` leaves that must not depend on where its plan came from.
const RESULTS: [&str; 5] = [
    "config.toml",
    "replications.csv",
    "selected.csv",
    "series.csv",
    "summary.json",
];

fn results(terminal: &Terminal, folder: &str) -> Vec<String> {
    let read = |name| terminal.read(&format!("{folder}/{name}"));
    RESULTS.into_iter().map(read).collect()
}

fn prepared() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", ahead());
    terminal
}

fn run(terminal: &Terminal, more: &[&str]) -> Said {
    terminal.exits(0, &with(&["run", "my.toml"], more))
}

/// The one plan that is kept.
fn kept(terminal: &Terminal, folder: &str) -> String {
    let names = terminal.names(&format!("{folder}/plans"));
    let [name] = &names[..] else {
        panic!("one plan: {names:?}");
    };
    let (key, end) = name.split_once('.').expect("a name and its end");
    let hex = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    assert!(key.len() == 16 && key.chars().all(hex), "{name}");
    assert_eq!(end, "json");
    format!("{folder}/plans/{name}")
}

#[test]
fn a_plan_is_kept_with_its_run_and_changes_nothing() {
    let terminal = prepared();
    let first = run(&terminal, &["--out", "a"]);
    assert!(
        first
            .stderr
            .contains("by s: looks ahead with gamma = 0.99: values are right to")
    );
    first.stderr.says(" sweeps, ");
    let file = kept(&terminal, "a");
    let (before, written) = (results(&terminal, "a"), terminal.read(&file));
    let again = run(&terminal, &["--out", "a", "--force"]);
    assert!(
        again
            .stderr
            .contains(&format!("by the plan kept in {file}")),
        "{}",
        again.stderr
    );
    again.stderr.never_says("warning");
    assert_eq!(results(&terminal, "a"), before);
    assert_eq!(terminal.read(&file), written);
    // Without a folder nothing is written, and the result is the same.
    let listed = terminal.names(".");
    assert_eq!(run(&terminal, &[]).stdout, first.stdout);
    assert_eq!(terminal.names("."), listed);
    // Another question has another plan.
    run(
        &terminal,
        &[
            "--out",
            "a",
            "--force",
            "--set",
            "policy.\"by s\".gamma=0.9",
        ],
    );
    assert_eq!(terminal.names("a/plans").len(), 2);
}

#[test]
fn a_plan_that_cant_be_trusted_is_made_anew() {
    let terminal = prepared();
    run(&terminal, &["--out", "a"]);
    let file = kept(&terminal, "a");
    let (before, whole) = (results(&terminal, "a"), terminal.read(&file));
    let plan: Value = serde_json::from_str(&whole).expect("JSON");
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut plan = plan.clone();
        change(&mut plan);
        plan.to_string()
    };
    let choice = plan["plan"]["choices"][10].as_u64().expect("a number");
    let other = (choice + 1) % 7;
    let bad = [
        ("not whole", whole[..whole.len() / 2].to_owned()),
        ("not whole", String::new()),
        ("not a plan", "{}".to_owned()),
        (
            "not a plan",
            whole.replacen("\"values\":[", "\"values\":[1e999,", 1),
        ),
        (
            "other parameters",
            changed(&|plan| plan["parameters"]["lambda"] = 2.5.into()),
        ),
        ("the form", changed(&|plan| plan["plan"]["key"] = 1.into())),
        (
            "the form",
            changed(&|plan| plan["plan"]["choices"][10] = 7.into()),
        ),
        (
            "the form",
            changed(&|plan| {
                plan["plan"]["values"].as_array_mut().map(Vec::pop);
            }),
        ),
        (
            "other numbers",
            changed(&|plan| plan["plan"]["choices"][10] = other.into()),
        ),
        (
            "other numbers",
            changed(&|plan| plan["plan"]["values"][3] = 1.5.into()),
        ),
        (
            "other numbers",
            changed(&|plan| plan["sum"] = "0123456789abcdef".into()),
        ),
    ];
    for (why, text) in bad {
        terminal.put(&file, &text);
        let said = run(&terminal, &["--out", "a", "--force", "--quiet"]);
        let warned = format!("warning: {file}: this plan ");
        assert!(said.stderr.starts_with(&warned), "{why}: {}", said.stderr);
        assert!(said.stderr.contains(why), "{why}: {}", said.stderr);
        said.stderr.says("worked out anew");
        assert_eq!(results(&terminal, "a"), before, "{why}");
        assert_eq!(terminal.read(&file), whole, "{why}");
        assert_eq!(terminal.names("a/plans").len(), 1, "{why}");
    }
    // What can't be replaced is no silent matter, and no reason not to run.
    std::fs::remove_file(terminal.path(&file)).expect("it is there");
    terminal.put(&format!("{file}/in the way"), "");
    let said = terminal.exits(0, &["run", "my.toml", "--out", "a", "--force"]);
    let warned = format!("warning: the plan is not kept: {file}: cannot be written");
    said.stderr.says(&warned);
    assert_eq!(results(&terminal, "a"), before);
}

#[test]
fn a_plan_that_cant_be_kept_costs_no_run() {
    let terminal = prepared();
    run(&terminal, &["--out", "a"]);
    let before = results(&terminal, "a");
    std::fs::remove_dir_all(terminal.path("a/plans")).expect("it is there");
    terminal.put("a/plans", "in the way");
    let said = run(&terminal, &["--out", "a", "--force", "--quiet"]);
    assert!(
        said.stderr
            .starts_with("warning: the plan is not kept: option --out a/plans: this is a file"),
        "{}",
        said.stderr
    );
    assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
    assert_eq!(results(&terminal, "a"), before);
    assert_eq!(terminal.read("a/plans"), "in the way");
}

/// theta_0 is no part of the question: a sweep over it has one plan.
#[test]
fn the_runs_of_a_sweep_share_their_plans() {
    let terminal = prepared();
    terminal.put(
        "my.toml",
        format!("{}\n[sweep]\n\"pool.start.u\" = [0.1, 0.9]\n", ahead()),
    );
    let said = run(&terminal, &["--out", "a"]);
    assert_eq!(
        said.stderr.matches("worked out in").count(),
        1,
        "{}",
        said.stderr
    );
    kept(&terminal, "a");
    let folders = ["a/point-001", "a/point-002"];
    let before = folders.map(|folder| results(&terminal, folder));
    assert!(!terminal.names(folders[0]).contains(&"plans".to_owned()));
    let said = run(&terminal, &["--out", "a", "--force"]);
    said.stderr.never_says("worked out");
    assert_eq!(folders.map(|folder| results(&terminal, folder)), before);
}

#[test]
fn what_to_expect_of_looking_ahead_is_explained_and_not_checked() {
    let terminal = prepared();
    let said = terminal.done(&["explain", "my.toml"]);
    said.says("by s: theory says: for many applicants the pool's share of u goes to s* = 0.4000");
    said.says("by s: looks ahead over 21 states of share: values are right to");
    let text = terminal.done(&["explain", "my.toml", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).expect("JSON");
    let plan = &found["policies"]["by s"]["plan"];
    assert!(
        plan["bound"]
            .as_f64()
            .is_some_and(|bound| bound > 0.0 && bound <= 1e-6),
        "{text}"
    );
    assert!(plan["value"].as_f64().is_some_and(f64::is_finite), "{text}");
    assert_eq!(plan["start"], 0.1);
    assert_eq!(plan["shares"].as_array().map(Vec::len), Some(9));
    assert!(
        !terminal
            .done(&["check", "my.toml"])
            .contains("values are right")
    );
    assert_eq!(terminal.names("."), ["my.toml"]);
}

#[test]
fn where_no_plan_can_be_made_nothing_is_run() {
    let terminal = prepared();
    let name = |key: &str, value: &str| format!("policy.\"by s\".{key}={value}");
    let set = [
        name("gamma", "0.9999999"),
        name("transitions", "mean_field"),
        name("greedy_term", "mean_field"),
    ];
    let mut args = vec!["run", "my.toml", "--out", "a"];
    args.extend(set.iter().flat_map(|set| ["--set", set]));
    let said = terminal.exits(2, &args);
    said.stderr
        .says("by s: no plan could be made: rounding keeps the values");
    assert_eq!(terminal.names("."), ["my.toml"]);
}
