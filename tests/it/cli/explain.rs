//! `klero explain`.

use serde_json::Value;

use super::terminal::Terminal;
use crate::config_errors::{SOUND, refusal, with};

#[test]
fn what_to_expect_of_the_main_job() {
    let terminal = Terminal::new();
    insta::assert_snapshot!(terminal.done(&["explain", "committee-brexit-like"]));
}

#[test]
fn for_machines() {
    let terminal = Terminal::new();
    let rated = (
        "type = \"categorical\"",
        "type = \"categorical\"\nvolunteering_rate = 0.02",
    );
    terminal.put("my.toml", with(SOUND, &[rated]));
    let text = terminal.done(&["explain", "my.toml", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).unwrap();
    let number = |key: &str| found[key].as_f64().unwrap();
    // F is wanted in 6 of 10 and comes in 5: g* = 5/6, 12 screened for 10.
    assert!((number("gain") - 5.0 / 6.0).abs() < 1e-9);
    assert!((number("expected_screened") - 12.0).abs() < 1e-6);
    assert!((number("expected_contacts") - 600.0).abs() < 1e-4);
    assert!((number("sd_screened") - (10.0_f64 / 6.0).sqrt() * 1.2).abs() < 1e-6);
    assert_eq!(found["bottleneck"]["value"], "F");
    assert_eq!(found["bottleneck"]["attained"], true);
    // One seat of ten: .5 in place of .6, and everybody can be accepted.
    let best = &found["loosenings"][0];
    assert_eq!(best["value"], "F");
    assert!((best["saved"].as_f64().unwrap() - 2.0).abs() < 1e-6);
}

#[test]
fn a_sweep_is_explained_run_by_run() {
    let terminal = Terminal::new();
    let text =
        SOUND.replace("at = [5, 10]\n", "") + "[sweep]\n\"rules.until.accepted\" = [10, 20]\n";
    terminal.put("my.toml", text);
    let text = terminal.done(&["explain", "my.toml", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).unwrap();
    let screened: Vec<f64> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["expected_screened"].as_f64().unwrap())
        .collect();
    assert!((screened[0] - 12.0).abs() < 1e-6 && (screened[1] - 24.0).abs() < 1e-6);
    assert_eq!(found[1]["set"]["rules.until.accepted"], "20");
    let words = terminal.done(&["explain", "my.toml"]);
    assert!(
        words.contains("rules.until.accepted = 20\n") && words.contains("for 20 members"),
        "{words}"
    );
}

#[test]
fn where_nothing_can_be_said_that_is_said() {
    let terminal = Terminal::new();
    let greedy = "[[policy]]\nlabel = \"greedy .05\"\nkind = \"greedy\"\ntolerance = 0.05\n";
    let edits = [
        ("[target]\ngender = { M = 0.4, F = 0.6 }\n", ""),
        (greedy, ""),
        ("\"representation_loss\"]", "\"screened\"]"),
        ("margin = { representation_loss = 0.01 }\n", ""),
    ];
    terminal.put("my.toml", with(SOUND, &edits));
    let said = terminal.done(&["explain", "my.toml"]);
    assert!(
        said.contains("nothing can be said before they come"),
        "{said}"
    );
    let json = terminal.done(&["explain", "my.toml", "--format", "json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&json).unwrap()["name"],
        "small"
    );
}

#[test]
fn targets_that_nobody_can_meet_are_refused() {
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        with(SOUND, &[("M = 0.5, F = 0.5", "M = 1.0, F = 0.0")]),
    );
    let text = refusal(&terminal, &["explain", "my.toml"]);
    assert!(
        text.contains("gender = F has a positive target, but no candidate has this value"),
        "{text}"
    );
}
