//! The live screen, in a pseudo-terminal that Python opens.

use std::process::Command;

use crate::support::configs::SOUND;
use crate::support::programs::{exec, python};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// Types in a pseudo-terminal, or sends signals, and says what became of it.
const TYPIST: &str = include_str!("typist.py");

/// What was seen of a run in the terminal.
struct Seen {
    shown: String,
    code: i64,
    restored: bool,
}

/// People at a pace of 100 a second, until 200 are accepted, or until the keys stop the run.
fn seen(keys: &str, more: &[&str], environment: &[(&str, &str)]) -> Option<Seen> {
    seen_with("", keys, more, environment)
}

/// The same with more policies.
fn seen_with(
    policies: &str,
    keys: &str,
    more: &[&str],
    environment: &[(&str, &str)],
) -> Option<Seen> {
    if !python() {
        return None;
    }
    let terminal = Terminal::new();
    let config = SOUND.replace("at = [5, 10]\n", "").replace(
        "type = \"categorical\"",
        "type = \"categorical\"\npace = \"100/s\"",
    );
    let last = if keys.is_empty() { 200 } else { 20_000 };
    let config = config.replace("accepted = 10", &format!("accepted = {last}"));
    let config = config.replace("replications = 4\n", "") + policies;
    terminal.put("my.toml", config);
    let mut typist = Command::new("python3");
    typist.args(["-c", TYPIST, keys, env!("CARGO_BIN_EXE_klero")]);
    typist
        .args(["live", "my.toml", "--out", "d", "--no-board"])
        .args(more);
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_LOG"] {
        typist.env_remove(name);
    }
    typist.env("TERM", "xterm-256color");
    typist
        .envs(environment.iter().copied())
        .current_dir(terminal.path(""));
    let output = typist.output().expect("python3 runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect(&errors);
    Some(Seen {
        shown: said["shown"].as_str().unwrap_or_default().to_owned(),
        code: said["code"].as_i64().unwrap_or_default(),
        restored: said["restored"].as_bool().unwrap_or_default(),
    })
}

const ENTER: &str = "\u{1b}[?1049h";
const LEAVE: &str = "\u{1b}[?1049l";

#[test]
fn the_screen_goes_and_the_result_stays() {
    let Some(seen) = seen("", &[], &[]) else {
        return;
    };
    let (before, rest) = seen.shown.split_once(ENTER).expect("a screen");
    let (screen, after) = rest.split_once(LEAVE).expect("its end");
    before.never_says("q stop");
    after.never_says(ENTER);
    for words in [
        "small",
        "following",
        "greedy .05",
        "baseline",
        "last decision",
        "q stop",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    assert!(screen.contains("\u{1b}[34m"), "colours");
    after.never_says("q stop");
    after.says("greedy .05");
    assert!(
        seen.restored && seen.code == 0,
        "{} {}",
        seen.restored,
        seen.code
    );
}

#[test]
fn the_keys_stop_it_as_an_interrupt_does() {
    for keys in ["?pq", "\u{3}"] {
        let Some(seen) = seen(keys, &["--color", "never"], &[]) else {
            return;
        };
        let (screen, after) = seen.shown.split_once(LEAVE).expect("its end");
        if keys.len() > 1 {
            screen.says("hold the drawing still");
            screen.says("paused: the run goes on");
        }
        assert!(!screen.contains("\u{1b}[3"), "no colours: {screen}");
        after.says("interrupted: ");
        assert!(
            seen.restored && seen.code == 130,
            "{} {}",
            seen.restored,
            seen.code
        );
    }
}

/// SIGTERM is an interrupt; the others end the program at once. No terminal is left without an echo
/// or on the other screen.
#[test]
fn signals_leave_the_terminal_as_it_was() {
    for (signal, code) in [("T", 130), ("H", 129), ("\\", 131)] {
        let Some(seen) = seen(signal, &[], &[]) else {
            return;
        };
        let (screen, after) = seen.shown.split_once(LEAVE).expect("its end");
        assert!(screen.contains(ENTER), "{signal}: {screen}");
        after.never_says(ENTER);
        after.never_says("q stop");
        assert!(
            seen.restored && seen.code == code,
            "{signal}: {}",
            seen.code
        );
    }
}

/// Notices each slate on its standard error, and fails in round 40.
const NOISY: &str = r#"import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "noisy"}), flush=True)
    elif message["type"] == "slate":
        print("a slate came", file=sys.stderr)
        if message["round"] == 40:
            raise IndexError("out of range")
        print(json.dumps({"type": "select", "round": message["round"], "chosen": [0]}), flush=True)
"#;

/// What programs write to stderr is drawn on the screen, never over it, and written after it.
#[test]
fn programs_do_not_write_over_the_screen() {
    let noisy = exec("noisy", &["python3", "-c", NOISY]) + "deadline = \"9s\"\n";
    let Some(seen) = seen_with(&noisy, "", &[], &[]) else {
        return;
    };
    let (before, after) = seen.shown.split_once(LEAVE).expect("its end");
    let (_, screen) = before.split_once(ENTER).expect("a screen");
    assert!(screen.contains("a slate came") && screen.contains("error line"));
    // A line that is drawn ends with what clears the rest of it.
    for raw in ["came\r\n", "range\r\n"] {
        screen.never_says(raw);
        after.says(raw);
    }
    let note = "note: the last error line of policy noisy: IndexError: out of range";
    after.says(note);
    assert!(seen.restored && seen.code == 0, "{}", seen.code);
}

#[test]
fn quiet_and_dumb_terminals_have_no_screen() {
    for (more, environment) in [
        (&["--quiet"][..], &[][..]),
        (&[], &[("TERM", "dumb")]),
        (&["--log", "json"], &[]),
    ] {
        let Some(seen) = seen("", more, environment) else {
            return;
        };
        assert!(
            !seen.shown.contains(ENTER) && seen.code == 0,
            "{}",
            seen.shown
        );
    }
}
