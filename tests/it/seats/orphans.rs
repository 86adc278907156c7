//! No program outlives klero, however klero ends.

use std::time::{Duration, Instant};

use super::{SEATED, exec};
use crate::support::process::{PATIENCE, Place};

/// A program that hears no end of its input and no signal but one, and what it has started, end
/// with klero, also where klero is killed.
#[test]
#[cfg(unix)]
fn a_killed_klero_leaves_no_program_behind() {
    let place = Place::new();
    let script = "trap '' HUP TERM INT\nsleep 1000 &\necho $! >child\necho $$ >id\n\
                  while :; do sleep 1; done\n";
    place.write("deaf.sh", script);
    let seat = exec("deaf", &["sh", "deaf.sh"]) + "deadline = \"60s\"\n";
    place.write("deaf.toml", &format!("{SEATED}{seat}"));
    let run = place.start(&["run", "deaf.toml", "--out", "run"]);
    let begun = Instant::now();
    let id = |name: &str| {
        let text = std::fs::read_to_string(place.path(name)).unwrap_or_default();
        text.trim().parse::<u32>().ok()
    };
    while id("id").is_none() {
        assert!(begun.elapsed() < PATIENCE, "it never starts");
        std::thread::sleep(Duration::from_millis(20));
    }
    run.kill();
    let killed = Instant::now();
    for name in ["id", "child"] {
        let path = format!("/proc/{}/cmdline", id(name).expect("a number"));
        // What is killed may wait until it is noticed: then it has no words.
        while std::fs::read(&path).is_ok_and(|words| !words.is_empty()) {
            assert!(killed.elapsed() < PATIENCE, "{name} lives on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A program may be killed for, and live, from its first moment on: here klero is killed as soon as
/// one of two programs runs.
#[test]
#[cfg(unix)]
fn a_program_that_was_just_born_ends_with_a_killed_klero_too() {
    let place = Place::new();
    let script = "trap '' HUP TERM INT\n: >born.$$\nwhile :; do sleep 1; done\n";
    place.write("deaf.sh", script);
    let seat = exec("deaf", &["sh", "deaf.sh"]) + "deadline = \"60s\"\n";
    place.write("deaf.toml", &format!("{SEATED}{seat}"));
    let born = || -> Vec<String> {
        let names = std::fs::read_dir(place.path("")).expect("a folder");
        let names = names.map(|name| name.expect("a name").file_name());
        let numbers = names.filter_map(|name| Some(name.to_str()?.strip_prefix("born.")?.into()));
        numbers.collect()
    };
    for n in 0..20 {
        let before = born().len();
        let run = place.start(&["run", "deaf.toml", "--out", &format!("run{n}")]);
        let begun = Instant::now();
        while born().len() == before {
            assert!(begun.elapsed() < PATIENCE, "it never starts");
        }
        run.kill();
    }
    let killed = Instant::now();
    let lives = |number: &String| {
        let words = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        words.windows(7).any(|part| part == b"deaf.sh")
    };
    while born().iter().any(lives) {
        assert!(killed.elapsed() < PATIENCE, "one lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}
