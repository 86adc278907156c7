//! Clocks that are wrong: before 1970, or set back while the run was stopped.

use std::path::PathBuf;

use super::people::{HTTP, config};
use crate::support::process::{Place, ask, live};
use crate::support::says::Says as _;
use crate::support::wants::skip;

/// The library that gives a program another clock; without it the test is skipped.
#[track_caller]
fn faketime() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten();
    let folders = folders.flatten().map(|entry| entry.path());
    let mut libraries = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    let found = libraries.find(|path| path.is_file());
    if found.is_none() {
        skip("faketime", "there is no libfaketimeMT.so.1 in /usr/lib");
    }
    found
}

/// A program's environment under a clock that says this date at first.
fn clock<'a>(library: &'a str, date: &'a str) -> [(&'a str, &'a str); 3] {
    [
        ("LD_PRELOAD", library),
        ("FAKETIME", date),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
    ]
}

/// People without names keep apart, whatever the clock says when the run is taken up again.
#[test]
fn a_clock_that_is_set_back_costs_no_one() {
    let Some(library) = faketime() else {
        return;
    };
    let library = library.to_str().expect("plain");
    let place = Place::new();
    let named = config(HTTP, "until = { rounds = 40 }", "");
    place.write("http.toml", &named.replace("id = \"id\"\n", ""));
    let people = "{\"AGEP\":30,\"SEX\":\"1\"}\n".repeat(10);
    // Those that bear no @ do not move on.
    let dates = [
        "@2026-06-01 00:00:00",
        "2026-06-01 00:00:00",
        "2026-06-01 00:00:00",
        "@1999-05-05 00:00:00",
    ];
    for (time, date) in dates.into_iter().enumerate() {
        let args = match time {
            0 => live("run").to_vec(),
            _ => vec!["resume", "run"],
        };
        let mut run = place.start_with(&args, &clock(library, date));
        let (status, answer) = ask(run.feed(), "POST", "/v1/candidates", &people);
        assert_eq!(status, 202, "{date}: {answer}");
        assert!(answer.contains("\"accepted\":10"), "{date}: {answer}");
        match time {
            3 => {
                run.hears("no lane plays any more");
                assert_eq!(run.stop().0, Some(0));
                break;
            }
            _ => run.kill(),
        }
    }
    let screened = place.read("run/replications.csv");
    screened.says(",screened,,40");
}

#[test]
fn a_clock_before_1970_is_refused() {
    let Some(library) = faketime() else {
        return;
    };
    let library = library.to_str().expect("plain");
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", ""));
    let run = place.start_with(&live("run"), &clock(library, "@1960-01-01 00:00:00"));
    let (code, _, stderr) = run.end();
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("the clock of this machine is before 1970");
    stderr.says("help: set the clock");
}
