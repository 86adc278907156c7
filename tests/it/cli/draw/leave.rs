//! Who of the alternates steps in for members who leave.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{all, column, draw, drawn, rows, town};
use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal};

fn place() -> Terminal {
    let terminal = town();
    drawn(&terminal, "7 13 21", "panel");
    terminal
}

fn asked(terminal: &Terminal, more: &[&str]) -> Said {
    terminal.klero(&[&["draw", "panel"], more].concat())
}

/// How many of some people have each value that has a quota.
fn counted(people: &[&BTreeMap<String, String>]) -> [usize; 4] {
    let has = |name: &str, value: &str| {
        let of = people
            .iter()
            .filter(|row| row[name].eq_ignore_ascii_case(value));
        of.count()
    };
    [
        has("Sex", "F"),
        has("Sex", "M"),
        has("Age", "young"),
        has("Age", "old"),
    ]
}

/// The quotas of the town.
const WANTED: [(usize, usize); 4] = [(5, 7), (5, 7), (3, 6), (6, 9)];

#[test]
fn who_steps_in_keeps_the_quotas_and_nothing_is_written() {
    let terminal = place();
    let before = all(&terminal, "panel");
    let panel = rows(&terminal, "panel/panel.csv");
    let alternates = rows(&terminal, "panel/alternates.csv");
    for leave in ["3", "1,2", "12,5,7", "1,2,3,4"] {
        let said = asked(&terminal, &["--leave", leave, "--format", "json"]);
        let found: Value = serde_json::from_str(&said.stdout).expect("JSON");
        let gone: Vec<usize> = leave
            .split(',')
            .map(|n| n.parse().expect("an order"))
            .collect();
        let orders = |list: &str| -> Vec<usize> {
            let list = found[list].as_array().expect("a list").iter();
            list.map(|one| one["order"].as_u64().expect("an order") as usize)
                .collect()
        };
        let steps = orders("step_in");
        let stay = panel
            .iter()
            .enumerate()
            .filter(|(at, _)| !gone.contains(&(at + 1)));
        let stay = stay.map(|(_, row)| row);
        let joined = steps.iter().map(|order| &alternates[order - 1]);
        let now: Vec<_> = stay.chain(joined).collect();
        let counts = counted(&now);
        let kept = counts
            .iter()
            .zip(WANTED)
            .all(|(n, (min, max))| (min..=max).contains(n));
        let is_full = now.len() == 12;
        assert_eq!(
            said.code,
            Some(i32::from(!(kept && is_full))),
            "{leave}: {}",
            said.stderr
        );
        assert!(kept && is_full, "{leave}: {counts:?}");
        let shown: Vec<u64> = found["quotas"]
            .as_array()
            .expect("quotas")
            .iter()
            .map(|row| row["members"].as_u64().expect("a count"))
            .collect();
        assert_eq!(shown, counts.map(|n| n as u64));
        assert_eq!(found["gap"], 0);
        // For each who leaves one steps in.
        let mut replaced: Vec<u64> = found["step_in"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| one["replaces"].as_u64().expect("an order"))
            .collect();
        replaced.sort_unstable();
        let mut gone: Vec<u64> = gone.iter().map(|n| *n as u64).collect();
        gone.sort_unstable();
        assert_eq!(replaced, gone);
    }
    assert!(all(&terminal, "panel") == before);
    let text = asked(&terminal, &["--leave", "3"]).stdout;
    text.says("member 3 (");
    text.says(") steps in");
    text.says("every place is taken and every quota is kept");
    text.never_says("secret");
    text.never_says("p0");
}

#[test]
fn members_go_by_order_code_or_id() {
    let terminal = place();
    let codes = column(&terminal, "panel/panel.csv", "code");
    let ids = column(&terminal, "panel/panel.csv", "id");
    let due = asked(&terminal, &["--leave", "3,9"]);
    for (third, ninth) in [
        (&codes[2], &codes[8]),
        (&ids[2], &ids[8]),
        (&"order:3".to_owned(), &ids[8]),
        (&format!("id:{}", ids[2]), &format!("code:{}", codes[8])),
        (&" 3".to_owned(), &"9".to_owned()),
        (&codes[2].to_uppercase(), &ids[8].to_uppercase()),
        (
            &format!("code: {}", codes[2].to_uppercase()),
            &"order: 9".to_owned(),
        ),
    ] {
        let said = asked(&terminal, &["--leave", &format!("{third},{ninth},3")]);
        assert_eq!(said, due, "{third}");
    }
}

#[test]
fn those_who_joined_or_declined_are_taken_into_account() {
    let terminal = place();
    let first = asked(&terminal, &["--leave", "3", "--format", "json"]).stdout;
    let first: Value = serde_json::from_str(&first).expect("JSON");
    let joined = first["step_in"][0]["order"].to_string();
    let other = asked(
        &terminal,
        &["--leave", "3", "--declined", &joined, "--format", "json"],
    );
    let other: Value = serde_json::from_str(&other.stdout).expect("JSON");
    assert_ne!(other["step_in"][0]["order"], first["step_in"][0]["order"]);
    let next = asked(
        &terminal,
        &["--leave", "3,5", "--joined", &joined, "--format", "json"],
    );
    let next: Value = serde_json::from_str(&next.stdout).expect("JSON");
    assert_eq!(next["leave"].as_array().map(Vec::len), Some(2));
    assert_eq!(next["step_in"].as_array().map(Vec::len), Some(1));
    assert_ne!(next["step_in"][0]["order"].to_string(), joined);
    assert_eq!(next["empty"], 0);
}

#[test]
fn what_breaks_is_named_and_the_exit_code_says_so() {
    let terminal = town();
    let few = [&draw("7 13 21", "panel")[..], &["--alternates", "0"]].concat();
    terminal.done(&few);
    let said = asked(&terminal, &["--leave", "3"]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    said.stdout.says("empty places: 1");
    said.stderr.says("--after DIR --keep FILE");
    // All women leave, and no one can step in.
    let panel = rows(&terminal, "panel/panel.csv");
    let women = panel
        .iter()
        .filter(|row| row["Sex"] == "F")
        .map(|row| row["id"].as_str());
    let women: Vec<&str> = women.collect();
    let said = asked(&terminal, &["--leave", &women.join(",")]);
    assert_eq!(said.code, Some(1));
    let due = "broken: sex = F: 0 members, at least 5 are wanted";
    said.stdout.says(due);
    said.stdout.says(&format!("empty places: {}", women.len()));
}

#[test]
fn what_names_no_member_is_refused() {
    let terminal = place();
    let ids = column(&terminal, "panel/panel.csv", "id");
    let alternates = column(&terminal, "panel/alternates.csv", "id");
    let others = column(&terminal, "panel/alternates.csv", "code");
    let codes = column(&terminal, "panel/panel.csv", "code");
    let nobody = (0..60)
        .map(|k| format!("p{k:02}"))
        .find(|id| !ids.contains(id) && !alternates.contains(id));
    let nobody = nobody.expect("36 are neither");
    let cases: [(&[&str], &str); 20] = [
        (
            &["--leave", "13"],
            "there is no member of order or id 13; the orders are 1 to 12\n",
        ),
        (&["--leave", "0"], "there is no member of order or id 0"),
        (
            &["--leave", &nobody],
            "this is a respondent who is no member",
        ),
        (
            &["--leave", "3,Mallory,77"],
            "--leave Mallory: it names no member",
        ),
        (
            &["--leave", &alternates[4]],
            "this is alternate 5, and no member",
        ),
        (
            &["--leave", &others[1]],
            "this is alternate 2, and no member",
        ),
        (
            &["--leave", "3", "--declined", &ids[6]],
            "this is member 7, and no alternate",
        ),
        (
            &["--leave", "3", "--joined", &codes[0]],
            "this is member 1, and no alternate",
        ),
        (
            &["--leave", "order:1; order:2"],
            "only commas are read between them",
        ),
        (
            &["--leave", "order:1-3"],
            "only commas are read between them",
        ),
        (&["--leave", "1;2;3"], "only commas are read between them"),
        (&["--leave", "2 – 5"], "only commas are read between them"),
        (
            &["--leave", "3", "--declined", "1/2"],
            "only commas are read between them",
        ),
        (&["--leave", "12-34"], "it names no member"),
        (&["--leave", "id:3"], "it names no member"),
        (
            &["--leave", "3", "--joined", "99"],
            "there is no alternate of order or id 99",
        ),
        (
            &["--leave", "3", "--joined", "1", "--declined", "1"],
            "on --joined and on --declined",
        ),
        (
            &["--leave", "3", "--joined", "1,2"],
            "2 alternates joined, and 1 members left",
        ),
        (&["--leave", "3", "--seed-from", "x y"], "makes none"),
        (
            &["--leave", "3", "--policy", "first", "--title", "x"],
            "makes none",
        ),
    ];
    for (args, due) in cases {
        let said = asked(&terminal, args);
        assert_eq!(said.code, Some(2), "{args:?}: {}", said.stdout);
        said.stderr.says(due);
        said.stderr.says("help:");
        said.stderr.never_says("secret");
    }
    // An order that only the other list has.
    terminal.done(&[&draw("7 13 21", "few")[..], &["--alternates", "20"]].concat());
    let said = terminal.klero(&["draw", "few", "--leave", "13"]);
    said.stderr
        .says("the orders are 1 to 12; there is alternate 13");
    // All that is wrong is said at once.
    let both = asked(&terminal, &["--leave", "3,Mallory,77"]).stderr;
    both.says("--leave Mallory");
    both.says("--leave 77");
    for (args, due) in [
        (
            &["draw", "nowhere", "--leave", "3"][..],
            "there is no folder nowhere",
        ),
        (
            &["draw", "my.toml", "--leave", "3"],
            "my.toml is a file, not the folder of a draw",
        ),
        (
            &["draw", "--leave", "3"],
            "it is not said from which draw members leave",
        ),
    ] {
        let said = terminal.exits(2, args);
        said.stderr.says(due);
    }
    let inputs = terminal.read("panel/inputs/people.csv");
    terminal.put("panel/inputs/people.csv", inputs.replacen(",F,", ",M,", 1));
    let said = asked(&terminal, &["--leave", "3"]);
    said.stderr.says("were changed since it was made");
}
