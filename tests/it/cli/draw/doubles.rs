//! Rows that may be one person: doubles in a file of people, and people without ids.

use super::lists::{first, second};
use super::{column, draw, drawn, people, town};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

#[test]
fn people_without_ids_are_warned_of() {
    let terminal = town();
    let config = terminal.read("my.toml").replace("id = \"id\"\n", "");
    terminal.put("my.toml", &config);
    let said = drawn(&terminal, "the first", "one");
    said.stderr.says("go by the numbers of their rows");
    let list = first(&terminal, "one", 8);
    assert_eq!(second(&terminal, &list, "two").code, Some(0));
    // The same people without the first: every number is another's.
    let people = people();
    let fewer = people.lines().enumerate().filter(|(at, _)| *at != 1);
    let fewer = fewer
        .map(|(_, line)| format!("{line}\r\n"))
        .collect::<String>();
    terminal.put("town.csv", fewer);
    let args = [
        "draw", "my.toml", "--policy", "first", "--after", "one", "--keep", "stay.csv",
    ];
    let said = terminal.exits(
        2,
        &[&args[..], &["--seed-from", "b c d", "--out", "three"]].concat(),
    );
    said.stderr.says("a number may be another person's");
}

#[test]
fn doubles_are_one_person_or_refused() {
    let people = people();
    let with = |line: &str| format!("{people}{line}\r\n");
    let third = people.lines().nth(3).unwrap().to_owned();
    let say = |terminal: &Terminal, args: &[&str]| {
        let said = terminal.klero(args);
        (said.code, said.stdout + &said.stderr)
    };
    let all: [&[&str]; 3] = [
        &["check", "my.toml"],
        &["run", "my.toml", "--out", "results", "--replications", "2"],
        &draw("a value", "one"),
    ];
    // The whole row again, whatever the case and the blanks of its id: one person, who sits once.
    for id in ["p02", "P02", " P02\u{a0}", "p\u{200b}02"] {
        let terminal = town();
        terminal.put("town.csv", with(&third.replace("p02", id)));
        for args in all {
            let (code, said) = say(&terminal, args);
            assert_eq!(code, Some(0), "{said}");
            let due = "lines 4 and 62 are the same in every column, the id too: rows of one id count once";
            assert!(said.contains(due), "{id} {args:?} {said}");
        }
        let drawn = column(&terminal, "one/panel.csv", "id");
        let passed = column(&terminal, "one/passed-over.csv", "id");
        assert_eq!((drawn.len(), passed.len()), (12, 48));
        terminal.done(&["draw", "verify", "one"]);
    }
    // One id of two different rows.
    for (id, as_spelt) in [("p02", ""), ("P02", ", as 'p02'")] {
        let terminal = town();
        let other = third.replace("secret", "other").replace("p02", id);
        terminal.put("town.csv", with(&other));
        for args in all {
            let (code, said) = say(&terminal, args);
            assert_eq!(code, Some(2), "{args:?} {said}");
            said.says(&format!("town.csv:62:1: the id '{id}'"));
            said.says(&format!("line 4 too{as_spelt}"));
            said.says("differ in `Home`");
        }
    }
    // Without ids the rows count as two people, and are named.
    let terminal = town();
    let config = terminal.read("my.toml").replace("id = \"id\"\n", "");
    terminal.put("my.toml", &config);
    terminal.put("town.csv", with(&third));
    for args in all {
        let (code, said) = say(&terminal, args);
        assert_eq!(code, Some(0), "{said}");
        let due = "lines 4 and 62 are the same in every column, and count as 2 people";
        assert!(said.contains(due), "{args:?} {said}");
    }
    // Another id, and all else the same.
    let terminal = town();
    terminal.put("town.csv", with(&third.replace("p02", "p99")));
    let said = terminal.done(&["check", "my.toml"]);
    let due = "lines 4 and 62 are the same in every column but the one that numbers people";
    said.says(due);
}
