//! One commitment takes one value: of draws that are cut off, and of several at once.

use std::process::{Output, Stdio};
use std::time::Instant;

use super::{all, draw, drawn, record, town};
use crate::support::long;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

const AHEAD: &str = "A commitment was made before the randomness was given";
const NOT_AHEAD: &str = "No commitment was made in this folder before the randomness was given";

/// Copies the files of a folder whose names begin so.
fn copied(terminal: &Terminal, from: &str, to: &str, names: &[&str]) {
    for (name, bytes) in all(terminal, from) {
        if names.iter().any(|begins| name.starts_with(begins)) {
            terminal.put(&format!("{to}/{name}"), bytes);
        }
    }
}

/// A draw without a commitment was cut off once its own was written: that is none made before.
#[test]
fn a_draw_that_was_cut_off_claims_no_commitment() {
    let terminal = town();
    drawn(&terminal, "7 13 21", "whole");
    assert_eq!(record(&terminal, "whole")["is_committed"], false);
    for kept in [
        &["commitment.json", "config.toml", "inputs", "original"][..],
        &[
            "commitment.json",
            "config.toml",
            "inputs",
            "original",
            "randomness",
        ],
        &[
            "commitment.json",
            "config.toml",
            "inputs",
            "original",
            "randomness",
            "panel",
            "index",
        ],
    ] {
        let folder = format!("cut-{}", kept.len());
        copied(&terminal, "whole", &folder, kept);
        let said = drawn(&terminal, "7 13 21", &folder);
        said.stderr.says("no commitment was made in this folder");
        assert_eq!(all(&terminal, &folder), all(&terminal, "whole"));
        let page = terminal.read(&format!("{folder}/index.html"));
        page.says(NOT_AHEAD);
        page.never_says(AHEAD);
        terminal.done(&["draw", "verify", &folder]);
    }
    // Who says that there was one is found out.
    let text = terminal.read("whole/draw.json");
    let forged = text.replace("\"is_committed\": false", "\"is_committed\": true");
    assert_ne!(forged, text);
    terminal.put("whole/draw.json", forged);
    terminal
        .exits(1, &["draw", "verify", "whole"])
        .stdout
        .says("draw.json");
}

/// What a process that was killed left before its commitment is no one's; a folder with files of
/// another kind is the user's.
#[test]
fn a_folder_of_a_draw_that_never_began_is_taken() {
    let terminal = town();
    drawn(&terminal, "7 13 21", "whole");
    for is_left in [true, false] {
        let folder = if is_left { "left" } else { "mine" };
        copied(
            &terminal,
            "whole",
            folder,
            &["config.toml", "inputs/quotas"],
        );
        terminal.put(&format!("{folder}/inputs/.people.csv.7.tmp"), "half");
        terminal.put(&format!("{folder}/.original.txt.7.tmp"), "half");
        if is_left {
            terminal.put("left/.klero.lock", "7");
            drawn(&terminal, "7 13 21", "left");
            assert_eq!(all(&terminal, "left"), all(&terminal, "whole"));
        } else {
            let before = all(&terminal, "mine");
            let said = terminal.exits(2, &draw("7 13 21", "mine"));
            said.stderr.says("is not empty");
            assert_eq!(all(&terminal, "mine"), before);
        }
    }
    // Nothing is left of a request that is refused.
    terminal.exits(
        2,
        &[
            "draw",
            "my.toml",
            "--policy",
            "none",
            "--seed-from",
            "1",
            "--out",
            "no",
        ],
    );
    assert!(!terminal.path("no").exists());
}

/// Runs commands at once.
fn at_once(terminal: &Terminal, commands: &[Vec<&str>]) -> Vec<Output> {
    let start = |args: &Vec<&str>| {
        let mut command = terminal.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the binary runs")
    };
    let running: Vec<_> = commands.iter().map(start).collect();
    let ended = running.into_iter();
    ended
        .map(|one| one.wait_with_output().expect("it ends"))
        .collect()
}

/// Of commands at once one announces a panel; the others say who has the folder, or what is in it.
#[test]
fn of_several_draws_at_once_one_is_made() {
    let terminal = town();
    // Three races each: 24, in the long form 300.
    let loops = if long() > 1 { 100 } else { 8 };
    for race in 0..loops {
        let (folder, by) = (format!("panel-{race}"), format!("committed-{race}"));
        let commit = |randomness| {
            let to = [
                "draw",
                "commit",
                "my.toml",
                "--policy",
                "first",
                "--randomness",
                randomness,
            ];
            [&to[..], &["--out", &by]].concat()
        };
        let races = [
            ["1", "2", "3"].map(|value| draw(value, &folder).to_vec()),
            ["drand 1", "drand 2", "drand 3"].map(commit),
            ["1", "2", "3"].map(|value| vec!["draw", &*by, "--seed-from", value]),
        ];
        for commands in races {
            let ended = at_once(&terminal, &commands);
            let made = ended.iter().filter(|one| one.status.success()).count();
            assert_eq!(made, 1, "{commands:?}: {ended:?}");
            for other in ended.iter().filter(|one| !one.status.success()) {
                assert_eq!(other.status.code(), Some(2));
                let words = String::from_utf8_lossy(&other.stderr);
                let known = [
                    "is being written by another klero",
                    "already holds a",
                    "begun with other",
                ];
                assert!(known.iter().any(|known| words.contains(known)), "{words}");
                let names_it = words.contains("another klero, process ");
                assert_eq!(words.contains(known[0]), names_it, "{words}");
            }
        }
        for folder in [&folder, &by] {
            terminal.done(&["draw", "verify", folder]);
            assert!(!terminal.path(&format!("{folder}/.klero.lock")).exists());
        }
    }
}

/// Killed at any moment, a draw goes on by the same command: the folder is then the one of a draw that
/// was not killed.
#[test]
fn a_draw_that_is_killed_goes_on() {
    let terminal = town();
    let started = Instant::now();
    drawn(&terminal, "7 13 21", "whole");
    let took = started.elapsed();
    let whole = all(&terminal, "whole");
    let kills = if long() > 1 { 300 } else { 12 };
    for n in 0..kills {
        let folder = format!("killed-{n}");
        let mut command = terminal.command(&draw("7 13 21", &folder));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = command.spawn().expect("the binary runs");
        std::thread::sleep(took.mul_f64((f64::from(n) + 0.5) / f64::from(kills)));
        running.kill().expect("it may have ended");
        running.wait().expect("it ends");
        let said = terminal.klero(&draw("7 13 21", &folder));
        // It may have ended before it was killed.
        let is_there = said.stderr.contains("already holds a draw");
        assert!(said.code == Some(0) || is_there, "{said:?}");
        let mut found = all(&terminal, &folder);
        if is_there {
            found.remove(".klero.lock");
        }
        assert!(found == whole, "{folder}: {:?}", found.keys());
    }
    terminal.done(&["draw", "verify", "killed-0"]);
}

/// A folder of the user's is left as it is, also where a command into it was killed.
#[test]
fn what_is_of_the_user_stays() {
    let terminal = town();
    for name in ["config.toml", "inputs/mine.csv", "index.html"] {
        let folder = name.replace(['/', '.'], "-");
        terminal.put(&format!("{folder}/{name}"), "mine\n");
        for _ in 0..2 {
            let said = terminal.exits(2, &draw("1", &folder));
            said.stderr.says("is not empty");
            let kept: Vec<String> = all(&terminal, &folder).into_keys().collect();
            assert_eq!(kept, [name]);
        }
    }
}

/// A commitment to a list of panels is drawn from by a number alone, and one that an earlier klero
/// made as it was made.
#[test]
fn a_draw_follows_the_commitment_that_is_there() {
    let terminal = town();
    let config = super::CONFIG.replace("kind = \"accept_all\"", "kind = \"leximin\"");
    terminal.put("my.toml", config);
    let list = "draw numbered my.toml --policy 'all, really' --panels 20 --randomness r --out list";
    terminal.done(&typed(list));
    let before = all(&terminal, "list");
    let draw = "draw my.toml --policy 'all, really' --seed-from '1 2 3' --out list";
    let said = terminal.exits(2, &typed(draw));
    said.stderr
        .says("a list of 20 numbered panels was committed");
    assert_eq!(all(&terminal, "list"), before);

    terminal.done(&typed(
        "draw commit my.toml --policy first --randomness r --out panel",
    ));
    let commitment = terminal.read("panel/commitment.json");
    let earlier = commitment.replacen("\"schema\": 3", "\"schema\": 2", 1);
    assert_ne!(earlier, commitment);
    terminal.put("panel/commitment.json", &earlier);
    terminal.done(&typed("draw panel --seed-from '1 2 3'"));
    let committed = record(&terminal, "panel")["commitment"].clone();
    assert_eq!(committed, super::sha256(&earlier));
    terminal.done(&typed("draw verify panel"));
}
