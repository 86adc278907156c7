//! Requests that can't be drawn.

use super::{CONFIG, all, draw, drawn, town};
use crate::support::says::Says as _;
use crate::support::terminal::typed;

/// A wrong request: what is changed in the config, its arguments, what is said.
type Case = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
);

#[test]
fn wrong_requests_are_refused_with_a_remedy_and_leave_nothing() {
    const DRAW: &[&str] = &["draw", "my.toml"];
    const POLICY: &[&str] = &["--policy", "first"];
    const SEED: &[&str] = &["--seed-from", "a value"];
    const OUT: &[&str] = &["--out", "panel"];
    let usual = [DRAW, POLICY, SEED, OUT].concat();
    let without = |option: &[&str]| -> Vec<&str> {
        let parts = [DRAW, POLICY, SEED, OUT].into_iter();
        parts
            .filter(|part| *part != option)
            .flatten()
            .copied()
            .collect()
    };
    let terminal = town();
    let check = |args: &[&str], due: &str| {
        let said = terminal.klero(args);
        assert_eq!(
            said.code,
            Some(2),
            "{args:?}: {}{}",
            said.stdout,
            said.stderr
        );
        assert!(said.stderr.contains(due), "{args:?}: {}", said.stderr);
        assert!(said.stderr.contains("help:"), "{args:?}: {}", said.stderr);
        assert!(
            said.stderr.contains("nothing was"),
            "{args:?}: {}",
            said.stderr
        );
        said.stderr.never_says("secret street");
        assert!(!terminal.path("panel").exists(), "{args:?}");
    };
    check(&without(POLICY), "which policy draws");
    check(&without(OUT), "none is named");
    check(&without(SEED), "a draw needs public randomness");
    check(&["draw", "--policy", "first"], "none is named");
    check(
        &["draw", "--policy", "first", "--out", "panel"],
        "which config",
    );
    let other = |option: &str, value: &'static str| -> Vec<&str> {
        let at = usual
            .iter()
            .position(|word| *word == option)
            .expect("an option");
        let mut args = usual.clone();
        args[at + 1] = value;
        args
    };
    check(&other("--policy", "frist"), "did you mean \"first\"?");
    check(
        &other("--policy", "first,all, really"),
        "--policy first,all, really",
    );
    check(&other("--seed-from", "lotto.txt"), "seems to be the name");
    check(&other("--seed-from", "file:lotto"), "cannot be read");
    check(&other("--seed-from", "  "), "the randomness is empty");
    let nowhere = [
        "draw",
        "nowhere.toml",
        "--policy",
        "first",
        "--seed-from",
        "a b",
        "--out",
        "panel",
    ];
    check(&nowhere, "there is no config");
    let commit = [
        "draw",
        "commit",
        "my.toml",
        "--policy",
        "first",
        "--out",
        "panel",
        "--randomness",
        " ",
    ];
    check(&commit, "the randomness has no name");

    let cases: [Case; 8] = [
        (
            "type = \"respondents\"",
            "type = \"respondents\"\norder = \"resampled\"",
            &[],
            "known beforehand",
        ),
        (
            "until = { accepted = 12 }",
            "until = { rounds = 12 }",
            &[],
            "the committee's size",
        ),
        (
            "seed = 5",
            "seed = 5\nyield = { rate = 0.5 }",
            &[],
            "who of it declines is not drawn",
        ),
        (
            "kind = \"quota_lookahead\"",
            "kind = \"exec\"\ncommand = [\"true\"]",
            &[],
            "a program of its own",
        ),
        (
            "seed = 5",
            "seed = 5\nfeedback.outcome = { type = \"exec\", command = [\"touch\", \"ran\"] }",
            &[],
            "a program of its own answers in [feedback]",
        ),
        (
            "path = \"town.csv\"",
            "path = \"twon.csv\"",
            &[],
            "there is no file twon.csv",
        ),
        (
            "kind = \"quota_lookahead\"",
            "kind = \"quota_lookahed\"",
            &[],
            "quota_lookahead",
        ),
        (
            "seed = 5",
            "seed = 5\nsweep.\"rules.until.accepted\" = [5, 6]",
            &[],
            "a sweep asks for many runs",
        ),
    ];
    for (old, new, more, due) in cases {
        terminal.put("my.toml", CONFIG.replace(old, new));
        check(&[&usual[..], more].concat(), due);
    }
    let endless = CONFIG.replace("until = { accepted = 12 }", "until = { rounds = 12 }");
    let endless = endless.replace("kind = \"quota_lookahead\"", "kind = \"accept_all\"");
    terminal.put(
        "my.toml",
        endless.split("[report]").next().expect("a config"),
    );
    check(&usual, "a number of members");
    let stream = [
        "draw",
        "committee-syn6",
        "--policy",
        "cmdp",
        "--seed-from",
        "a value",
        "--out",
        "panel",
    ];
    check(&stream, "people who are known beforehand");
}

#[test]
fn a_folder_in_use_is_refused_and_left_as_it_is() {
    let terminal = town();
    drawn(&terminal, "a value", "panel");
    let before = all(&terminal, "panel");
    for seed in ["a value", "another value"] {
        let said = terminal.exits(2, &draw(seed, "panel"));
        said.stderr.says("already holds a draw");
    }
    assert!(all(&terminal, "panel") == before);
    terminal.put("other/notes.txt", "mine");
    let said = terminal.exits(2, &draw("a value", "other"));
    said.stderr.says("is not empty");
    let said = terminal.klero(&draw("a value", "my.toml"));
    assert!(said.code == Some(2) && said.stderr.contains("is a file, not a folder"));
    let said = terminal.exits(2, &["draw", "other", "--seed-from", "a value"]);
    said.stderr.says("holds no commitment");
    let said = terminal.exits(2, &["draw", "verify", "other"]);
    said.stderr.says("holds no draw");
    let said = terminal.klero(&typed("draw panel --policy first --seed-from 'a value'"));
    said.stderr
        .says("the commitment in the folder says it already");
    // A config may have the name of a subcommand.
    terminal.put("commit", CONFIG);
    let mut args = draw("a value", "third");
    args[1] = "./commit";
    terminal.done(&args);
}
