//! Requests for numbered panels that are refused, and panels that were changed.

use super::super::{all, record};
use super::{made, panels, place};
use crate::support::says::Says as _;
use crate::support::terminal::{on_one_line, typed};

#[test]
fn wrong_requests_are_refused_with_a_remedy_and_leave_nothing() {
    let terminal = place();
    let usual = ["draw", "numbered", "my.toml"];
    let cases: [(&[&str], &str); 7] = [
        (
            &["--policy", "first", "--randomness", "x"],
            "gives no lottery",
        ),
        (&["--randomness", "x"], "which policy draws"),
        (
            &["--policy", "lexmin", "--randomness", "x"],
            "did you mean \"leximin\"?",
        ),
        (&["--policy", "leximin", "--randomness", " "], "has no name"),
        (
            &["--policy", "leximin", "--randomness", "x", "--panels", "0"],
            "from 1 to 10000",
        ),
        (
            &[
                "--policy",
                "leximin",
                "--randomness",
                "x",
                "--panels",
                "10001",
            ],
            "from 1 to 10000",
        ),
        (&["--policy", "leximin"], "--randomness"),
    ];
    for (args, due) in cases {
        let said = terminal.exits(2, &[&usual[..], args, &["--out", "panels"]].concat());
        assert!(
            on_one_line(&said.stderr).contains(due),
            "{args:?}: {}",
            said.stderr
        );
        assert!(!terminal.path("panels").exists(), "{args:?}");
    }
    // Quotas that no panel keeps.
    terminal.exits(2, &typed("draw numbered my.toml --policy leximin --randomness x --out panels --set rules.until.accepted=50"));
    assert!(!terminal.path("panels").exists());
    made(&terminal, "20", "panels");
    let before = all(&terminal, "panels");
    let cases: [(&[&str], &str); 5] = [
        (&["draw", "panels"], "what decides the number"),
        (
            &["draw", "panels", "--seed-from", "a", "--number", "1"],
            "cannot be used with",
        ),
        (
            &["draw", "panels", "--number", "1", "--chances", "100"],
            "exact chances",
        ),
        (
            &["draw", "panels", "--number", "1", "--policy", "leximin"],
            "says it already",
        ),
        (
            &[
                "draw",
                "numbered",
                "my.toml",
                "--policy",
                "leximin",
                "--randomness",
                "x",
                "--out",
                "panels",
            ],
            "already holds a commitment",
        ),
    ];
    for (args, due) in cases {
        let said = terminal.exits(2, args);
        assert!(
            on_one_line(&said.stderr).contains(due),
            "{args:?}: {}",
            said.stderr
        );
    }
    assert_eq!(all(&terminal, "panels"), before);
    let said = terminal.exits(
        2,
        &[
            "draw", "my.toml", "--policy", "first", "--number", "1", "--out", "one",
        ],
    );
    said.stderr.says("numbered panels");
}

#[test]
fn what_was_changed_is_found() {
    let terminal = place();
    made(&terminal, "40", "panels");
    terminal.done(&["draw", "panels", "--seed-from", "7 13 21"]);
    let list = panels(&terminal, "panels");
    let record = record(&terminal, "panels");
    // A member of panel 1 for one of panel 2 who is not on it.
    let other = list[1]
        .iter()
        .find(|code| !list[0].contains(code))
        .expect("another");
    let number = record["number"]["value"].as_u64().expect("a number");
    let next = format!("\"value\": {}", number % 40 + 1);
    let cases = [
        (
            "panels.csv",
            list[0][0].clone(),
            other.clone(),
            "panels.csv: SHA-256",
        ),
        (
            "numbered.json",
            "\"largest\": 0.".into(),
            "\"largest\": 0.0".into(),
            "numbered.json",
        ),
        (
            "panel_chances.csv",
            "0.".into(),
            "1.".into(),
            "panel_chances.csv",
        ),
        ("codes.csv", "p11".into(), "p12".into(), "codes.csv"),
        (
            "draw.json",
            format!("\"value\": {number}"),
            next,
            "draw.json",
        ),
        ("panel.csv", "1".into(), "2".into(), "panel.csv"),
        ("index.html", "Panel".into(), "Penal".into(), "index.html"),
        ("randomness", "13".into(), "14".into(), "draw.json"),
    ];
    for (name, from, to, due) in cases {
        let path = format!("panels/{name}");
        let text = terminal.read(&path);
        assert!(text.contains(&from), "{name}");
        terminal.put(&path, text.replacen(&from, &to, 1));
        let said = terminal.klero(&["draw", "verify", "panels"]);
        assert_eq!(said.code, Some(1), "{name}: {}{}", said.stdout, said.stderr);
        let mut wrong = said.stdout.lines().filter(|line| line.starts_with("NO"));
        assert!(
            wrong.any(|line| line.contains(due)),
            "{name}: {}",
            said.stdout
        );
        terminal.put(&path, text);
    }
    // A list of other panels that keeps its form is held against the quotas all the same.
    let text = terminal.read("panels/panels.csv");
    terminal.put("panels/panels.csv", text.replacen(&list[0][0], other, 1));
    let said = terminal.klero(&["draw", "verify", "panels"]);
    said.stdout.says("the chances by the list");
    terminal.put("panels/panels.csv", text);
    terminal.done(&["draw", "verify", "panels"]);
    // Before the draw a list that was changed is refused.
    made(&terminal, "40", "other");
    let text = terminal.read("other/panels.csv");
    terminal.put("other/panels.csv", text.replacen(&list[0][0], other, 1));
    let said = terminal.exits(2, &["draw", "other", "--number", "3"]);
    said.stderr.says("the list has changed");
    assert!(!terminal.path("other/draw.json").exists());
}
