//! Commit and reveal.

use super::{CONFIG, QUOTAS, all, column, people, record, sha256, town};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

const COMMIT: [&str; 9] = [
    "draw",
    "commit",
    "my.toml",
    "--policy",
    "first",
    "--randomness",
    "the lottery of 3 May",
    "--out",
    "panel",
];

/// The draw that names the config once more.
const DRAW: [&str; 8] = [
    "draw",
    "my.toml",
    "--policy",
    "first",
    "--seed-from",
    "4 8 15",
    "--out",
    "panel",
];

#[test]
fn what_was_committed_is_drawn_once_the_randomness_is_known() {
    let terminal = town();
    let line = terminal.done(&COMMIT);
    let hash = sha256(terminal.read("panel/commitment.json"));
    line.says(&hash);
    line.says("the lottery of 3 May");
    assert!(line.contains("12 of 60 respondents") && line.lines().count() == 1);
    let said = terminal.exits(0, &["draw", "panel", "--seed-from", "4 8 15"]);
    said.stderr.never_says("no commitment");
    let found = record(&terminal, "panel");
    assert_eq!(found["commitment"], *hash);
    assert_eq!(found["is_committed"], true);
    assert_eq!(found["randomness"]["name"], "the lottery of 3 May");
    assert!(
        terminal
            .read("panel/index.html")
            .contains("the lottery of 3 May")
    );
    terminal.done(&[
        "draw",
        "verify",
        "panel",
        "--commitment",
        &hash,
        "--seed-from",
        "4 8 15",
    ]);

    // The same by the config, and a panel of its own where nothing was committed to.
    let other = town();
    assert_eq!(
        other.done(&COMMIT),
        line,
        "the place of the files does not matter"
    );
    other.done(&DRAW);
    assert!(all(&other, "panel") == all(&terminal, "panel"));
    let alone = town();
    alone.done(&DRAW);
    let panel = |place: &Terminal| column(place, "panel/panel.csv", "id");
    assert_ne!(panel(&alone), panel(&terminal));
    assert_eq!(record(&alone, "panel")["is_committed"], false);
}

#[test]
fn what_changed_since_is_named_and_nothing_is_drawn() {
    type Change = (&'static str, fn(&Terminal) -> Vec<String>);
    let same = || DRAW.map(str::to_owned).to_vec();
    let changes: [Change; 6] = [
        ("people.csv has changed", |place| {
            place.put(
                "town.csv",
                people().replace("secret street 7\r", "secret street 8\r"),
            );
            DRAW.map(str::to_owned).to_vec()
        }),
        ("categories.csv has changed", |place| {
            place.put("quotas.csv", QUOTAS.replace("sex,F,5,7", "sex,F,6,7"));
            DRAW.map(str::to_owned).to_vec()
        }),
        ("config.toml has changed", |place| {
            place.put("my.toml", CONFIG.replace("at = [4, 12]", "at = [6, 12]"));
            DRAW.map(str::to_owned).to_vec()
        }),
        ("config.toml has changed", |_| {
            [&DRAW[..], &["--set", "name=other"]]
                .concat()
                .into_iter()
                .map(str::to_owned)
                .collect()
        }),
        (
            "the policy: first was committed, this is all, really",
            |_| {
                DRAW.map(|word| word.replace("first", "all, really"))
                    .to_vec()
            },
        ),
        ("the number of alternates: not said was committed", |_| {
            [&DRAW[..], &["--alternates", "2"]]
                .concat()
                .into_iter()
                .map(str::to_owned)
                .collect()
        }),
    ];
    for (due, change) in changes {
        let terminal = town();
        terminal.done(&COMMIT);
        let before = all(&terminal, "panel");
        let args = change(&terminal);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let said = terminal.klero(&args);
        assert_eq!(said.code, Some(2), "{due}: {}", said.stdout);
        assert!(said.stderr.contains(due), "{due}: {}", said.stderr);
        said.stderr.never_says("secret street");
        assert!(
            all(&terminal, "panel") == before,
            "{due}: the folder is as it was"
        );
    }
    let terminal = town();
    terminal.done(&COMMIT);
    let args = same();
    terminal.done(&args.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn another_version_of_klero_is_refused() {
    let terminal = town();
    terminal.done(&COMMIT);
    let commitment = terminal.read("panel/commitment.json");
    let version = env!("CARGO_PKG_VERSION");
    terminal.put(
        "panel/commitment.json",
        commitment.replace(version, "0.0.9"),
    );
    let said = terminal.exits(2, &["draw", "panel", "--seed-from", "4 8 15"]);
    let due = format!("the version of klero: 0.0.9 was committed, this is {version}");
    said.stderr.says(&due);
}

#[test]
fn a_commitment_takes_one_value() {
    let terminal = town();
    terminal.done(&COMMIT);
    let again = terminal.exits(2, &COMMIT);
    again.stderr.says("already holds a commitment");
    // A draw that broke off after its value was noted goes on with that value alone.
    terminal.put("panel/randomness", "4 8 15");
    let other = terminal.exits(2, &["draw", "panel", "--seed-from", "16 23 42"]);
    other.stderr.says("begun with other randomness");
    terminal.done(&["draw", "panel", "--seed-from", "4 8 15"]);
    let before = all(&terminal, "panel");
    let twice = terminal.exits(2, &["draw", "panel", "--seed-from", "16 23 42"]);
    twice.stderr.says("already holds a draw");
    assert!(all(&terminal, "panel") == before);
}
