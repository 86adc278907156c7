//! A live run as a service: the unit of systemd and the container of docs/service.md.
#![cfg(target_os = "linux")]

use std::process::Command;
use std::time::Instant;

use super::people::{HTTP, config, lines, people};
use crate::support::fenced;
use crate::support::process::{Live, PATIENCE, Place, post};
use crate::support::programs::{first_process, systemd};
use crate::support::says::Says as _;

/// The unit of the page.
fn unit() -> String {
    let unit = fenced("docs/service.md", "ini");
    unit.into_iter().next().expect("the page has a unit")
}

/// A folder with the config that the page names.
fn place() -> Place {
    let place = Place::new();
    place.write("panel.toml", &config(HTTP, "until = { rounds = 9000 }", ""));
    place
}

/// Starts a run twice and stops it by `stop`: the second start goes on with what the first had.
fn begins_and_goes_on(place: &Place, start: impl Fn() -> Live, stop: impl Fn(&Live)) {
    for n in 1..=2 {
        let mut run = start();
        let feed = run.feed();
        // All but the last fifty are repeats the second time.
        let answer = post(feed, "/v1/candidates", &lines(&people(50 * n)));
        assert_eq!(answer["accepted"], 50, "{answer}");
        stop(&run);
        let (code, _, stderr) = run.end();
        assert_eq!(code, Some(130), "{stderr}");
        assert!(place.read("panel/summary.json").contains("\"people\""));
        let verified = place.good(&["journal", "verify", "panel"]);
        let all = format!("of {} people", 50 * n);
        verified.says(&all);
    }
}

#[test]
fn systemd_finds_nothing_wrong_with_the_unit() {
    if !systemd() {
        return;
    }
    let place = Place::new();
    let verify = |unit: &str| {
        place.write("klero.service", unit);
        let mut verify = Command::new("systemd-analyze");
        verify
            .args(["verify", "--man=no"])
            .arg(place.path("klero.service"));
        let output = verify.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // It speaks of the system's own units too.
        let of_ours = said.lines().filter(|line| line.contains("klero"));
        of_ours.map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_eq!(verify(&unit()), "");
    // It would say so.
    let wrong = unit().replace("TimeoutStopSec", "TimeoutStopSecs");
    assert!(verify(&wrong).contains("TimeoutStopSecs"));
}

#[test]
fn the_units_command_begins_a_run_and_goes_on_with_it() {
    let unit = unit();
    let line = unit
        .lines()
        .find_map(|line| line.strip_prefix("ExecStart=/bin/sh -c "));
    let line = line.expect("a command").trim_matches('\'');
    let place = place();
    let line = line.replace("/etc/klero", &place.path("").display().to_string());
    for exit in ["SuccessExitStatus=130", "RestartPreventExitStatus=2"] {
        assert!(unit.contains(exit), "{exit}");
    }
    let start = || place.start_by("sh", &["-c", &line]);
    begins_and_goes_on(&place, start, |run| run.signal("-TERM"));
    place.write("panel.toml", "seed = \"one\"");
    std::fs::remove_dir_all(place.path("panel")).expect("a folder");
    assert_eq!(start().end().0, Some(2));
}

/// The first process of the container that an `unshare` made.
fn first_of(unshare: u32) -> String {
    let path = format!("/proc/{unshare}/task/{unshare}/children");
    let begun = Instant::now();
    loop {
        let children = std::fs::read_to_string(&path).expect("it lives");
        if let Some(child) = children.split_whitespace().next() {
            return child.to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "it never starts");
    }
}

#[test]
fn the_first_process_of_a_container_ends_with_its_results() {
    let Some(mut args) = first_process() else {
        return;
    };
    let place = place();
    let script = fenced("docs/service.md", "sh").into_iter();
    let script = script.filter(|block| block.starts_with("#!/bin/sh"));
    place.write("start", &script.collect::<String>());
    args.extend(["sh", "start"]);
    let stop = |run: &Live| {
        let sent = Command::new("kill")
            .args(["-TERM", &first_of(run.id())])
            .status();
        assert!(sent.expect("kill is there").success());
    };
    begins_and_goes_on(&place, || place.start_by("unshare", &args), stop);
}
