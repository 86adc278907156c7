//! A goal's bounds on the rates of one stream: tested by sequences over its rounds and its people.

use serde_json::Value;

use crate::support::terminal::Terminal;

/// 2,000 rounds of three people; `uniform_choice` selects one of them.
const CONFIG: &str = r#"name = "bounds on one stream"
seed = 4
[source]
type = "categorical"
shares = { gender = { M = 0.5, F = 0.5 } }
[target]
gender = { M = 0.5, F = 0.5 }
[rules]
slate = 3
choose = { at_most = 3 }
until = { rounds = 2000 }
[[policy]]
label = "everybody"
kind = "accept_all"
role = "policy"
[[policy]]
label = "a third"
kind = "uniform_choice"
role = "policy"
[report]
judge = ["selection_rate"]
goal = { best = "selection_rate", where = { selection_rate = "<= 0.5", impact_ratio = ">= 0.5" } }
"#;

fn goal(terminal: &Terminal, set: &[&str]) -> Value {
    let mut args = vec!["run", "my.toml", "-q", "--format", "json"];
    args.extend(set.iter().flat_map(|set| ["--set", set]));
    let summary: Value = serde_json::from_str(&terminal.done(&args)).expect("it is JSON");
    summary["answer"]["goal"].clone()
}

fn meets(goal: &Value, label: &str, metric: &str) -> String {
    let tests = goal["tests"].as_array().expect("a list");
    let is_it = |test: &&Value| test["label"] == label && test["metric"] == metric;
    let test = tests.iter().find(is_it).expect("it is tested");
    test["meets"].as_str().expect("a word").to_owned()
}

#[test]
fn bounds_on_rates_of_one_stream_are_settled() {
    let terminal = Terminal::new();
    terminal.put("my.toml", CONFIG);
    let long = goal(&terminal, &[]);
    for (label, metric, word) in [
        ("everybody", "selection_rate", "surely not"),
        ("everybody", "impact_ratio", "surely"),
        ("a third", "selection_rate", "surely"),
        ("a third", "impact_ratio", "surely"),
    ] {
        assert_eq!(
            meets(&long, label, metric),
            word,
            "{label} {metric}: {long}"
        );
    }
    assert_eq!(long["answer"], serde_json::json!(["a third"]));
    assert_eq!(long["meets"]["everybody"], "surely not");
    // Of few people nothing is sure, and how many more are needed is in rounds.
    let short = goal(&terminal, &["rules.until.rounds=20"]);
    assert_eq!(meets(&short, "a third", "selection_rate"), "open");
    assert_eq!(meets(&short, "a third", "impact_ratio"), "open");
    let said = terminal.done(&["run", "my.toml", "--set", "rules.until.rounds=20", "-q"]);
    assert!(!said.contains("replications may settle"), "{said}");
}

#[test]
fn the_bounds_of_one_stream_do_not_depend_on_batches_or_threads() {
    let terminal = Terminal::new();
    terminal.put("my.toml", CONFIG);
    let first = terminal.done(&["run", "my.toml", "-q", "--format", "json"]);
    for way in [&["--batch", "1"][..], &["--batch", "7", "--threads", "3"]] {
        let args = [&["run", "my.toml", "-q", "--format", "json"], way].concat();
        assert_eq!(terminal.done(&args), first, "{way:?}");
    }
}
