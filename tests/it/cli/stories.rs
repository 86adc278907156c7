//! `klero trace`: what became of a candidate or in a round, from the folder of a run.

use serde_json::Value;

use super::{FEW, with};
use crate::support::configs::SOUND;
use crate::support::terminal::{Said, Terminal, said, typed};

/// A small run of two lanes, three replications of which are kept.
fn traced() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let run = ["run", "my.toml", "-q", "--replications", "3", "--out", "d"];
    let kept = ["--trace", "decisions", "--trace-replications", "all"];
    terminal.done(&with(&run, &kept));
    terminal
}

pub(super) fn events(text: &str) -> Vec<Value> {
    let event = |line| serde_json::from_str(line).expect("a line is JSON");
    text.lines().map(event).collect()
}

pub(super) fn has(event: &Value, member: &str, id: &str) -> bool {
    let ids = event[member].as_array().expect("a list");
    ids.iter().any(|one| one == id)
}

/// The cells of the row that begins with these words.
#[track_caller]
fn row<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    let line = text.lines().rev().find(|line| line.starts_with(start));
    let line = line.unwrap_or_else(|| panic!("no {start} in\n{text}"));
    line.split("  ")
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .collect()
}

#[test]
fn a_candidates_story() {
    let terminal = traced();
    let all = events(&terminal.read("d/decisions.ndjson"));
    let text = terminal.done(&["trace", "d", "--candidate", "9"]);
    insta::assert_snapshot!(text);
    for label in ["all", "greedy .05"] {
        let of = |member| {
            let there = |event: &&Value| event["policy"] == label && has(event, member, "9");
            all.iter().filter(there).count()
        };
        let (shown, chosen) = (of("shown"), of("chosen"));
        let cells = row(&text, label);
        let known = [shown, chosen, shown - chosen].map(|n| n.to_string());
        assert_eq!(cells[1..4], known.each_ref().map(String::as_str), "{text}");
    }
}

#[test]
fn a_rounds_story() {
    let terminal = traced();
    let args = ["trace", "d", "--round", "9", "--replication", "1"];
    insta::assert_snapshot!(terminal.done(&args));
    // A lane that has ended by then is named all the same.
    let late = terminal.done(&["trace", "d", "--round", "11"]);
    assert_eq!(row(&late, "all"), ["all", "0", "0", "0"]);
}

#[test]
fn ndjson_is_the_lines_as_they_stand() {
    let terminal = traced();
    let file = terminal.read("d/decisions.ndjson");
    let ndjson = |more: &[&str]| terminal.done(&with(&["trace", "d", "--format", "ndjson"], more));
    assert_eq!(ndjson(&[]), file);
    let kept = |keep: &dyn Fn(&Value) -> bool| -> String {
        let lines = file.lines().zip(events(&file));
        let lines = lines.filter(|(_, event)| keep(event));
        lines.map(|(line, _)| format!("{line}\n")).collect()
    };
    let some = ndjson(&["--round", "2", "--round", "5", "--policy", "greedy .05"]);
    let known = |event: &Value| {
        (event["round"] == 2 || event["round"] == 5) && event["policy"] == "greedy .05"
    };
    assert_eq!(some, kept(&known));
    assert_eq!(some.lines().count(), 6);
    let some = ndjson(&["--candidate", "3", "--candidate", "4", "--replication", "2"]);
    let known = |event: &Value| {
        event["replication"] == 2 && (has(event, "shown", "3") || has(event, "shown", "4"))
    };
    assert_eq!(some, kept(&known));
    assert_eq!(some.lines().count(), 4);
}

/// Of thousands of decisions the table shows the first, and counts all.
#[test]
fn a_long_story_is_cut_and_counted() {
    let terminal = Terminal::new();
    terminal.done(&with(FEW, &["--trace", "decisions", "--out", "d"]));
    let all = terminal.read("d/decisions.ndjson").lines().count();
    let text = terminal.done(&["trace", "d"]);
    assert!(text.starts_with(&format!("everything: {all} of {all} decisions\n")));
    assert!(text.contains(&format!("\u{2026} and {} more: narrow them", all - 200)));
    let two = ["--candidate", "7", "--candidate", "9"];
    let text = terminal.done(&with(&["trace", "d"], &two));
    assert!(text.starts_with("person 7 or 9: 10 of "), "{text}");
    let rows = text
        .lines()
        .filter(|line| line.ends_with("round 8") || line.ends_with("round 10"))
        .count();
    let never = text
        .lines()
        .filter(|line| line.ends_with("never chosen"))
        .count();
    assert_eq!(rows + never, 10, "five lanes for each of two\n{text}");
}

#[test]
fn nothing_found_is_said_and_no_failure() {
    let terminal = traced();
    for (args, note) in [
        (
            ["--candidate", "nobody"],
            "nothing found of person nobody; there are ",
        ),
        (["--round", "100000"], "rounds 1 to "),
        (["--replication", "7"], "replications 0 to 2, "),
    ] {
        for format in ["table", "ndjson"] {
            let said = terminal.klero(&with(&["trace", "d", "--format", format], &args));
            assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{args:?}");
            assert!(said.stderr.contains(note), "{}", said.stderr);
        }
    }
}

/// Where only the first replication is kept, how to keep the others.
#[test]
fn a_replication_that_was_not_kept_is_explained() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let run = ["run", "my.toml", "-q", "--replications", "3", "--out", "d"];
    terminal.done(&with(&run, &["--trace", "decisions"]));
    let said = terminal.klero(&["trace", "d", "--replication", "1"]);
    let words = "a run keeps its first replication alone unless it has --trace-replications all";
    assert!(said.stderr.contains(words), "{}", said.stderr);
    let said = traced().klero(&["trace", "d", "--replication", "7"]);
    assert!(!said.stderr.contains(words), "{}", said.stderr);
}

fn refused(terminal: &Terminal, args: &[&str]) -> Said {
    let said = terminal.klero(args);
    assert_eq!(said.code, Some(2), "{args:?}: {}", said.stderr);
    said
}

#[test]
fn where_there_are_no_decisions_it_says_how_to_make_some() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.put("swept.toml", format!("{SOUND}[sweep]\nseed = [1, 2]\n"));
    terminal.put("empty/notes.txt", "");
    terminal.put("cut/progress.ndjson", "");
    terminal.done(&["run", "my.toml", "-q", "--out", "d"]);
    terminal.done(&typed("run swept.toml -q --trace decisions --out s"));
    for (folder, what, help) in [
        (
            "none",
            "there is no such folder",
            "klero run CONFIG --trace decisions --out DIR",
        ),
        ("my.toml", "is a file, not the folder", "klero trace ."),
        (
            "d",
            "the run kept no decisions",
            "klero run d/config.toml --trace decisions --out DIR",
        ),
        ("cut", "under way or was cut off", "wait for its end"),
        ("s", "holds the runs of a sweep", "s/point-001"),
        (
            "empty",
            "there is no decisions.ndjson",
            "--trace decisions --out DIR",
        ),
    ] {
        let said = refused(&terminal, &["trace", folder]);
        assert_eq!(said.stdout, "");
        for words in [what, help, "1 problem; nothing was read"] {
            assert!(said.stderr.contains(words), "{folder}: {}", said.stderr);
        }
    }
    // What it advises works.
    terminal.done(&typed("run d/config.toml -q --trace decisions --out again"));
    terminal.done(&["trace", "again", "--round", "1"]);
    terminal.done(&["trace", "s/point-001", "--round", "1"]);
}

#[test]
fn broken_lines_are_reported_and_all_others_read() {
    let terminal = traced();
    let file = terminal.read("d/decisions.ndjson");
    let mut lines: Vec<&str> = file.lines().collect();
    let whole = lines.len();
    let (cut, blank) = (&lines[4][..20], "");
    let strange = lines[2].replace("\"shown\":[", "\"shown\":[7,");
    lines[2] = &strange;
    lines.insert(4, cut);
    lines.insert(5, blank);
    lines.push("{\"policy\":\"all\"}");
    let mut bytes = lines.join("\n").into_bytes();
    bytes.extend(b"\n\xff\n");
    terminal.put("d/decisions.ndjson", bytes);
    let said = refused(
        &terminal,
        &["trace", "d", "--format", "ndjson", "--replication", "0"],
    );
    let last = whole + 3;
    let column = strange.find("7,").expect("it is there") + 1;
    for words in [
        &format!(
            "d/decisions.ndjson:3:{column}: the line is no decision: invalid type: integer `7`"
        ),
        "d/decisions.ndjson:5:20: the line is no decision: EOF",
        &format!("d/decisions.ndjson:{last}:16: the line is no decision: missing field"),
        &format!("d/decisions.ndjson:{}: the line is not UTF-8", last + 1),
        &format!("4 problems; {} decisions were read", whole - 1),
    ] {
        assert!(
            said.stderr.contains(words),
            "no {words} in\n{}",
            said.stderr
        );
    }
    // What is sound is there.
    let first = events(&file)
        .iter()
        .filter(|event| event["replication"] == 0)
        .count();
    assert_eq!(said.stdout.lines().count(), first - 1);
    let said = refused(&terminal, &["trace", "d", "--round", "2"]);
    assert!(said.stdout.contains("round 2: "), "{}", said.stdout);
}

#[test]
fn a_policy_that_is_not_there_is_reported_with_the_nearest() {
    let terminal = traced();
    let said = refused(
        &terminal,
        &["trace", "d", "--policy", "gredy .05", "--policy", "all"],
    );
    let known = "option --policy gredy .05: there is no decision of a policy of this name";
    for words in [
        known,
        "did you mean `greedy .05`? there are all, greedy .05",
    ] {
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }
    assert!(said.stdout.contains("policy gredy .05 or all: "));
}

#[test]
fn numbers_that_are_none_are_refused() {
    let terminal = traced();
    for (args, words) in [
        (&["trace"][..], "<DIR>"),
        (&["trace", "d", "--round", "0"], "--round <N>"),
        (&["trace", "d", "--round", "-3"], "-3"),
        (
            &["trace", "d", "--replication", "first"],
            "--replication <R>",
        ),
        (
            &["trace", "d", "--format", "csv"],
            "[possible values: table, ndjson]",
        ),
        (&["trace", "d", "--candidat", "3"], "--candidate"),
    ] {
        let said = refused(&terminal, args);
        assert!(said.stderr.contains(words), "{args:?}: {}", said.stderr);
    }
}

/// A reader that goes away early, as `head` does, is no failure.
#[test]
fn a_closed_pipe_is_no_failure() {
    let terminal = Terminal::new();
    terminal.done(&with(FEW, &["--trace", "decisions", "--out", "d"]));
    let mut command = terminal.command(&["trace", "d", "--format", "ndjson"]);
    let mut child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // The same by itself goes well.
    assert_eq!(
        said(terminal.command(&["trace", "d", "--round", "1"])).code,
        Some(0)
    );
}
