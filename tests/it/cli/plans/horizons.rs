//! Plans with a horizon.

use super::*;

/// The pool with a lane that looks ahead to an end, and one that does not look ahead.
fn ending(horizon: &str) -> String {
    let lane = "label = \"ends\"\nkind = \"optimal\"\ntarget = { u = 0.4 }\nlambda = 1.5\n\
        gamma = 1.0\nstate = \"theta\"\ngreedy_term = \"blom\"";
    let fair = "label = \"fair\"\nkind = \"fair_greedy_pool\"\ntarget = { u = 0.4 }\n\
        lambda = 1.5\ngreedy_term = \"blom\"";
    let pool = crate::support::configs::with(POOL, &[("slate = 100", "slate = 20")]);
    let report = "[report]\ntarget = { u = 0.4 }\nlambda = 1.5\njudge = [\"utility\"]";
    format!("{pool}\n[[policy]]\n{lane}\n{horizon}\n\n[[policy]]\n{fair}\n\n{report}\n")
}

/// Who is selected by a label in the first replication, by round.
fn selected(terminal: &Terminal, label: &str) -> Vec<String> {
    let text = terminal.read("a/selected.csv");
    let cell = format!(",{label},");
    let rows = text.lines().filter(|row| row.contains(&cell));
    rows.map(|row| row.replace(&cell, ",")).collect()
}

#[test]
fn over_one_round_looking_ahead_selects_whom_fair_greedy_selects() {
    let terminal = Terminal::new();
    terminal.put("my.toml", ending("horizon = 1"));
    let said = run(&terminal, &["--out", "a"]);
    said.stderr
        .says("ends: looks ahead 1 round with gamma = 1: values are right to");
    said.stderr
        .says("horizon = 1, and the run may have more rounds");
    let [ends, fair] = ["ends", "fair"].map(|label| selected(&terminal, label));
    assert!(
        ends.len() == 300 && ends == fair,
        "{} {}",
        ends.len(),
        fair.len()
    );
}

#[test]
fn the_horizon_of_the_run_is_its_rounds() {
    let terminal = Terminal::new();
    terminal.put("my.toml", ending("horizon = \"run\""));
    let said = run(&terminal, &["--out", "a"]);
    said.stderr
        .says("ends: looks ahead 50 rounds with gamma = 1: values are right to");
    said.stderr.says(", worked out in 50 sweeps");
    said.stderr.never_says("the run may have more rounds");
    let of_run = selected(&terminal, "ends");
    assert_ne!(of_run, selected(&terminal, "fair"));
    let file = kept(&terminal, "a");
    // A number is the same question, whose plan is kept.
    terminal.put("my.toml", ending("horizon = 50"));
    let said = run(&terminal, &["--out", "a", "--force"]);
    said.stderr.says(&format!("by the plan kept in {file}"));
    assert_eq!(selected(&terminal, "ends"), of_run);
    // Another number is another one.
    terminal.put("my.toml", ending("horizon = 49"));
    run(&terminal, &["--out", "a", "--force"]);
    assert_eq!(terminal.names("a/plans").len(), 2);

    let said = terminal.done(&["explain", "my.toml"]);
    said.says("ends: looks ahead 49 rounds over 1001 states of theta: values are right to");
    said.says("admits in the first round 0.");
    said.never_says("ends: theory says");
    let text = terminal.done(&["explain", "my.toml", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(found["policies"]["ends"]["plan"]["horizon"], 49);
}

#[test]
fn horizons_that_are_none() {
    let terminal = Terminal::new();
    let open = "rules.until={ accepted = 1000000000 }";
    for (horizon, set, words, help) in [
        (
            "",
            "",
            "gamma = 1 counts every round alike",
            "set horizon = \"run\", or a gamma below 1",
        ),
        ("horizon = 0", "", "a whole number from 1 to 100", ""),
        ("horizon = 2.5", "", "a whole number from 1 to 100", ""),
        (
            "horizon = \"runs\"",
            "",
            "unknown word `runs`",
            "did you mean `run`",
        ),
        (
            "horizon = \"run\"",
            open,
            "the run may have more than 100",
            "horizon = 300",
        ),
        (
            "horizon = 100000",
            "rules.slate=100",
            "the number of products of all rounds is 300000000000",
            "take a shorter horizon, or fewer applicants",
        ),
        (
            "horizon = 5",
            "policy.ends.gamma=1.5",
            "a number from 0 to 1",
            "",
        ),
    ] {
        terminal.put("my.toml", ending(horizon));
        let set: Vec<_> = [set].into_iter().filter(|set| !set.is_empty()).collect();
        let set: Vec<_> = set.iter().flat_map(|set| ["--set", set]).collect();
        let said = terminal.exits(2, &with(&["check", "my.toml"], &set)).stderr;
        said.says(words);
        said.says(help);
    }
    // What is wrong with the horizon is no problem of gamma.
    terminal.put("my.toml", ending("horizon = 0"));
    let said = terminal.exits(2, &["check", "my.toml"]).stderr;
    said.says("1 problem");
}
