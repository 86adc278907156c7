//! `klero draw verify`: a draw is computed again, and what was changed is found.

use std::fs;

use super::{CONFIG, all, drawn, people, record, town};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// The lines of a check that say that something differs, after its exit code.
#[track_caller]
fn differing(terminal: &Terminal, args: &[&str]) -> Vec<String> {
    let said = terminal.klero(&[&["draw", "verify", "panel"], args].concat());
    let wrong = said.stdout.lines().filter(|line| line.starts_with("NO"));
    let wrong: Vec<String> = wrong.map(str::to_owned).collect();
    assert_eq!(
        said.code,
        Some(i32::from(!wrong.is_empty())),
        "{}",
        said.stderr
    );
    assert!(!said.stdout.contains("secret") && !said.stderr.contains("secret"));
    wrong
}

/// A folder with a draw.
fn place() -> Terminal {
    let terminal = town();
    drawn(&terminal, "7 13 21", "panel");
    terminal
}

#[test]
fn a_config_without_a_name_has_that_of_its_file_in_the_folder_too() {
    let terminal = town();
    let (_, nameless) = CONFIG.split_once('\n').expect("a name");
    terminal.put("my.toml", nameless);
    drawn(&terminal, "7 13 21", "panel");
    assert_eq!(record(&terminal, "panel")["name"], "my");
    assert_eq!(differing(&terminal, &[]), [""; 0]);
}

#[test]
fn a_draw_holds_elsewhere_and_against_what_is_known_of_it() {
    let terminal = place();
    let commitment = record(&terminal, "panel")["commitment"]
        .as_str()
        .expect("a hash")
        .to_owned();
    // On another machine there is the folder alone.
    let elsewhere = Terminal::new();
    for (name, bytes) in all(&terminal, "panel") {
        elsewhere.put(&format!("panel/{name}"), bytes);
    }
    elsewhere.put("copy.csv", people());
    assert_eq!(differing(&elsewhere, &[]), [""; 0]);
    let known = [
        "--commitment",
        &commitment,
        "--seed-from",
        "7 13 21",
        "--respondents",
        "copy.csv",
        "--threads",
        "2",
    ];
    assert_eq!(differing(&elsewhere, &known), [""; 0]);
    assert_eq!(differing(&terminal, &["--config", "my.toml"]), [""; 0]);
    let text = elsewhere.done(&["draw", "verify", "panel"]);
    for checked in [
        "commitment.json",
        "inputs/people.csv",
        "the seed",
        "panel.csv",
        "index.html",
    ] {
        assert!(text.contains(checked), "{checked}: {text}");
    }
}

#[test]
fn what_is_known_otherwise_is_found() {
    let terminal = place();
    terminal.put("copy.csv", people().replace("p07", "p70"));
    let held: [(&[&str], &str); 4] = [
        (&["--commitment", "abc"], "the one that was published"),
        (&["--seed-from", "7 13 22"], "the randomness is the one"),
        (
            &["--respondents", "copy.csv"],
            "the file of people is the one",
        ),
        (
            &["--config", "my.toml", "--set", "rules.until.accepted=11"],
            "the config is the one",
        ),
    ];
    for (args, due) in held {
        let found = differing(&terminal, args);
        assert!(
            found.len() == 1 && found[0].contains(due),
            "{due}: {found:?}"
        );
    }
}

#[test]
fn each_file_that_was_changed_is_named() {
    let terminal = place();
    let files = all(&terminal, "panel");
    // Where the organiser's file was when it was drawn is no part of the draw.
    for (name, bytes) in files.iter().filter(|(name, _)| *name != "original.txt") {
        // An input and what follows from it are not the same kind of change.
        let at = bytes.len() / 2;
        let mut changed = bytes.clone();
        changed[at] = if changed[at] == b'1' { b'2' } else { b'1' };
        terminal.put(&format!("panel/{name}"), &changed);
        let said = terminal.klero(&["draw", "verify", "panel"]);
        let all = format!("{}{}", said.stdout, said.stderr);
        assert!(matches!(said.code, Some(1 | 2)), "{name}: {all}");
        let due = match &**name {
            // Another value is another draw: its seed gives another record.
            "randomness" => "draw.json",
            // Whatever else it is, it is not what it was.
            name => name,
        };
        assert!(all.contains(due), "{name}: {all}");
        terminal.put(&format!("panel/{name}"), bytes);
    }
    assert_eq!(differing(&terminal, &[]), [""; 0]);
    for name in ["panel.csv", "index.html", "passed-over.csv"] {
        fs::remove_file(terminal.path(&format!("panel/{name}"))).expect("it was there");
        let found = differing(&terminal, &[]);
        assert!(
            found.len() == 1 && found[0].contains("it is missing"),
            "{found:?}"
        );
        terminal.put(&format!("panel/{name}"), &files[name]);
    }
}

#[test]
fn a_draw_of_another_schema_or_version_is_refused_with_what_to_do() {
    let terminal = place();
    let commitment = terminal.read("panel/commitment.json");
    let own = format!("\"klero\": \"{}\"", env!("CARGO_PKG_VERSION"));
    for (from, to, code, words) in [
        (
            "\"schema\": 3",
            "\"schema\": 4",
            2,
            "its schema is 4, and this klero reads schemas 1 to 3",
        ),
        (
            &own,
            "\"klero\": \"9.8.7\"",
            1,
            "install klero 9.8.7 and check with that",
        ),
    ] {
        commitment.says(from);
        terminal.put("panel/commitment.json", commitment.replacen(from, to, 1));
        let said = terminal.klero(&["draw", "verify", "panel"]);
        let all = format!("{}{}", said.stdout, said.stderr);
        assert_eq!(said.code, Some(code), "{all}");
        all.says(words);
    }
}

#[test]
fn two_members_swapped_are_found_by_line() {
    let terminal = place();
    let panel = terminal.read("panel/panel.csv");
    let mut lines: Vec<&str> = panel.split_inclusive('\n').collect();
    lines.swap(3, 4);
    terminal.put("panel/panel.csv", lines.concat());
    assert_eq!(
        differing(&terminal, &[]),
        ["NO  panel.csv: computed again, in the columns that were committed: row 3 is another"]
    );
    terminal.put("panel/panel.csv", panel);
    let mut record = record(&terminal, "panel");
    record["panel"][0] = record["panel"][1].clone();
    terminal.put("panel/draw.json", format!("{record:#}\n"));
    let found = differing(&terminal, &[]);
    assert_eq!(
        found,
        ["NO  draw.json: computed again: these members differ: panel"]
    );
}

/// What is no folder of a draw is said to be none.
#[test]
fn what_is_no_folder_is_named() {
    let terminal = place();
    for (dir, due) in [
        ("my.toml", "my.toml is a file, not the folder of a draw"),
        ("panel/draw.json", "panel/draw.json is a file"),
        ("nowhere", "there is no folder nowhere"),
        ("panel/inputs", "panel/inputs holds no draw"),
    ] {
        let more = [
            &[][..],
            &["--respondents", "town.csv"],
            &["--config", "my.toml"],
        ];
        for more in more {
            let said = terminal.exits(2, &[&["draw", "verify", dir], more].concat());
            said.stderr.says(due);
            said.stderr.says("help:");
            said.stderr.says("the draw was not checked");
            said.stderr.never_says("os error");
        }
    }
}

/// A folder from elsewhere can't have files read or written outside of it.
#[test]
fn a_folder_that_reaches_outside_is_refused() {
    let terminal = place();
    let commitment = terminal.read("panel/commitment.json");
    let outside = commitment.replace("\"categories.csv\"", "\"../../../outside.csv\"");
    terminal.put("panel/commitment.json", outside);
    let said = terminal.exits(2, &["draw", "verify", "panel"]);
    said.stderr.says("outside of the folder");
    terminal.put("panel/commitment.json", commitment);
    let config = terminal
        .read("panel/config.toml")
        .replace("inputs/people.csv", "town.csv");
    terminal.put("panel/config.toml", config);
    let said = terminal.exits(2, &["draw", "verify", "panel"]);
    said.stderr.says("was not committed");
}

/// What a check does not read it names; what would keep it busy for ever it refuses.
#[test]
fn every_file_is_checked_or_named_and_a_check_ends() {
    let terminal = place();
    let said = terminal.done(&["draw", "verify", "panel"]);
    said.says("--  original.txt: kept for who draws; not read");
    let more = [
        "inputs/more.csv",
        "reduced/config.toml",
        "chances.csv",
        "certificates.json",
        "a/b/c.txt",
    ];
    for name in more {
        terminal.put(&format!("panel/{name}"), "id\np00\n");
    }
    let said = terminal.done(&["draw", "verify", "panel"]);
    for name in more {
        said.says(&format!("--  {name}: not of this draw; not read"));
    }
    // The bytes of the config are committed, not what they say.
    let config = terminal.read("panel/config.toml");
    for changed in [
        format!("# a comment\n{config}"),
        config.replace('\n', "\r\n"),
    ] {
        terminal.put("panel/config.toml", changed);
        let said = terminal.exits(1, &["draw", "verify", "panel"]);
        said.stdout.says("NO  config.toml: as committed");
    }
    terminal.put("panel/config.toml", &config);
    let record = terminal.read("panel/draw.json");
    let chances = "\"chances\": {\n    \"replications\": 1000000000000";
    let endless = record.replacen("\"chances\": null", &format!("{chances}\n  }}"), 1);
    assert_ne!(endless, record);
    terminal.put("panel/draw.json", endless);
    let said = terminal.exits(1, &["draw", "verify", "panel"]);
    said.stdout.says("1000000000000 other draws");
    terminal.put("panel/draw.json", &record);
    for name in [
        "panel.csv",
        "inputs/people.csv",
        "randomness",
        "config.toml",
        "commitment.json",
    ] {
        let (path, kept) = (
            terminal.path(&format!("panel/{name}")),
            terminal.path("kept"),
        );
        std::fs::rename(&path, &kept).expect("it is there");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo is there").success());
        let said = terminal.klero(&["draw", "verify", "panel"]);
        assert_ne!(said.code, Some(0), "{name}");
        format!("{}{}", said.stdout, said.stderr).says("it is no file");
        std::fs::remove_file(&path).expect("a pipe");
        std::fs::rename(&kept, &path).expect("it is kept");
    }
    terminal.done(&["draw", "verify", "panel"]);
}
