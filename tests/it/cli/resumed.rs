//! `klero resume` of runs that are not live: killed at any moment, they go on and end with the bytes
//! of the run that was not.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::with;
use crate::support::refusals::refusal;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, on_one_line, said};

const PATIENCE: Duration = Duration::from_secs(240);

/// Starts a command that says nothing to anybody.
fn start(terminal: &Terminal, args: &[&str]) -> Child {
    let mut command = terminal.command(args);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("the binary runs")
}

/// Kills a run and whoever resumes it, again and again, later each time, until one of them ends;
/// how often.
fn killed_until_it_ends(terminal: &Terminal, args: &[&str], folder: &str) -> u64 {
    let started = Instant::now();
    let mut kills = 0;
    let mut wait = Duration::from_millis(60);
    let mut child = start(terminal, args);
    loop {
        std::thread::sleep(wait);
        wait = wait * 3 / 2;
        if child.try_wait().expect("it is ours").is_none() {
            kills += 1;
            child.kill().expect("it lives");
        }
        let ended = child.wait_with_output().expect("it ends");
        if ended.status.success() {
            return kills;
        }
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code().is_none(), "{:?} {said}", ended.status);
        assert!(started.elapsed() < PATIENCE, "it never ends: {args:?}");
        let begun = terminal.path(folder).join("replications.part").exists();
        child = match begun {
            true => start(terminal, &["resume", folder, "--quiet"]),
            false => start(terminal, &with(args, &["--force"])),
        };
    }
}

/// Waits until a run has kept some replications. Returns the file of them.
fn kept_some(terminal: &Terminal, folder: &str) -> PathBuf {
    let part = terminal.path(folder).join("replications.part");
    let started = Instant::now();
    while std::fs::metadata(&part).map_or(0, |part| part.len()) < 20_000 {
        assert!(started.elapsed() < PATIENCE, "nothing is kept");
        std::thread::sleep(Duration::from_millis(5));
    }
    part
}

/// The files of a folder and of those in it, but for the timing.
fn files(terminal: &Terminal, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for name in terminal.names(folder) {
        let (path, at) = (
            format!("{folder}/{name}"),
            terminal.path(folder).join(&name),
        );
        match at.is_dir() {
            true => all.extend(
                files(terminal, &path)
                    .into_iter()
                    .map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)),
            ),
            false if name == "timing.json" => {}
            false => drop(all.insert(name, std::fs::read(at).expect("it is there"))),
        }
    }
    all
}

pub(super) fn same(terminal: &Terminal, ours: &str, plain: &str) {
    let (ours, plain) = (files(terminal, ours), files(terminal, plain));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&ours), names(&plain));
    for (name, bytes) in &ours {
        assert!(*bytes == plain[name], "{name}");
    }
}

const SYN6: &[&str] = &["run", "committee-syn6", "--quiet", "--replications"];

#[test]
fn killed_again_and_again_it_ends_with_the_bytes_of_a_run_that_was_not() {
    let terminal = Terminal::new();
    terminal.done(&["show", "organiser", "--files", "."]);
    let syn6 = ["run", "committee-syn6", "--quiet"];
    let traced = ["--people", "--trace", "decisions"];
    let all = ["--trace", "decisions", "--trace-replications", "all"];
    let decided = ["--set", "report.until=\"decided\""];
    let chances = ["run", "organiser", "--quiet", "--only", "queue"];
    for (name, args, replications) in [
        ("plain", with(&syn6, &["--threads", "2"]), 400),
        ("traced", with(&syn6, &traced), 150),
        ("all", with(&syn6, &all), 12),
        ("decided", with(&syn6, &decided), 600),
        ("chances", with(&chances, &["--threads", "1"]), 60),
    ] {
        // On a fast machine the run is over before it is killed: then a longer one is.
        for replications in [1, 6, 36, 216].map(|times: u32| times * replications) {
            let (name, number) = (format!("{name}-{replications}"), replications.to_string());
            let args = with(&args, &["--replications", &number]);
            let killed = format!("{name}-killed");
            let kills = killed_until_it_ends(&terminal, &with(&args, &["--out", &killed]), &killed);
            if kills > 0 {
                terminal.done(&with(&args, &["--out", &name]));
                same(&terminal, &killed, &name);
                break;
            }
            assert!(replications < 2000, "{name}: it is over too soon");
        }
    }
}

#[test]
fn a_sweep_goes_on_where_it_was() {
    let terminal = Terminal::new();
    let args = with(SYN6, &["100", "--sweep", "seed=1,2,3"]);
    let kills = killed_until_it_ends(&terminal, &with(&args, &["--out", "killed"]), "killed");
    assert!(kills > 0, "it is over too soon");
    terminal.done(&with(&args, &["--out", "whole"]));
    same(&terminal, "killed", "whole");
}

/// A finished run that kept all values gets more replications, also where that is killed.
#[test]
fn more_replications_end_with_the_bytes_of_a_run_of_so_many() {
    let terminal = Terminal::new();
    terminal.done(&["show", "organiser", "--files", "."]);
    let syn6 = ["run", "committee-syn6", "--quiet", "--keep", "all"];
    let chances = [
        "run",
        "organiser",
        "--quiet",
        "--only",
        "queue",
        "--keep",
        "all",
    ];
    for (name, args, is_killed) in [("more", &syn6[..], true), ("chances", &chances[..], false)] {
        terminal.done(&with(args, &["--replications", "8", "--out", name]));
        let more = ["resume", name, "--replications", "400", "--quiet"];
        if is_killed {
            let mut run = start(&terminal, &more);
            kept_some(&terminal, name);
            run.kill().expect("it lives");
            let ended = run.wait().expect("it ends");
            assert!(ended.code().is_none(), "it is over too soon");
            terminal.done(&["resume", name, "--quiet"]);
        } else {
            terminal.done(&more);
        }
        let whole = format!("{name}-whole");
        terminal.done(&with(args, &["--replications", "400", "--out", &whole]));
        same(&terminal, name, &whole);
    }
    terminal.done(&with(SYN6, &["3", "--out", "judged"]));
    let refused = |folder| {
        let said = refusal(&terminal, &["resume", folder, "--replications", "9"]);
        on_one_line(&said)
    };
    refused("judged").says("klero run judged/config.toml --replications 9 --out OTHER");
    refused("more").says("400 replications already");
}

/// What was interrupted is a result, and goes on all the same; so does what another folder had.
#[test]
fn an_interrupted_run_goes_on_and_what_it_replaces_is_kept_until_it_is_whole() {
    let terminal = Terminal::new();
    terminal.done(&with(SYN6, &["3", "--out", "d"]));
    let old = files(&terminal, "d");
    let args = with(SYN6, &["500", "--out", "d", "--force"]);
    let run = start(&terminal, &args);
    kept_some(&terminal, "d");
    let id = run.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.expect("kill is there").success());
    let ended = run.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130));
    let said = String::from_utf8(ended.stderr).expect("UTF-8");
    let said = on_one_line(&said);
    said.says("`klero resume d` goes on with it");
    said.says("is kept in d/replaced");
    assert_eq!(files(&terminal, "d/replaced"), old);
    terminal.done(&["report", "d"]);
    assert!(terminal.path("d/report.html").exists());

    let said = terminal.exits(2, &with(SYN6, &["500", "--out", "d"]));
    let words = on_one_line(&said.stderr);
    words.says("`klero resume d` goes on");
    terminal.done(&["resume", "d"]);
    terminal.done(&with(SYN6, &["500", "--out", "whole"]));
    same(&terminal, "d", "whole");
}

#[test]
fn what_cannot_go_on_says_why() {
    let terminal = Terminal::new();
    let refused = |args: &[&str]| refusal(&terminal, args);
    terminal.done(&with(SYN6, &["2", "--out", "finished"]));
    let mut run = start(&terminal, &with(SYN6, &["100000000", "--out", "d"]));
    let part = kept_some(&terminal, "d");
    let id = run.id().to_string();
    let in_use = format!("is being written by another klero, process {id}");
    assert!(refused(&["resume", "d"]).contains(&in_use));
    assert!(refused(&with(SYN6, &["2", "--out", "d", "--force"])).contains(&in_use));
    run.kill().expect("it lives");
    run.wait().expect("it ends");

    assert!(refused(&["resume", "finished"]).contains("is finished"));
    assert!(refused(&["resume", "d", "--people"]).contains("--people"));
    assert!(refused(&["resume", "d", "--baseline", "greedy"]).contains("--baseline"));
    let bytes = std::fs::read(&part).expect("it is there");
    let version = bytes
        .windows(5)
        .position(|at| at == b"0.1.0")
        .expect("a version");
    let mut other = bytes.clone();
    other[version] = b'9';
    terminal.put("d/replications.part", &other);
    assert!(refused(&["resume", "d"]).contains("damaged"));
    terminal.put("d/replications.part", &bytes);
    let said = refused(&["report", "d"]);
    said.says("klero resume d");
}

/// The config of a run's folder has full paths, so its files are looked for nowhere else.
#[test]
fn people_who_are_gone_are_missed_where_they_were() {
    let terminal = Terminal::new();
    terminal.done(&["show", "organiser", "--files", "."]);
    let run = [
        "run",
        "organiser",
        "--quiet",
        "--only",
        "queue",
        "--replications",
    ];
    terminal.done(&with(&run, &["2", "--out", "finished"]));
    let mut cut = start(&terminal, &with(&run, &["100000000", "--out", "cut"]));
    kept_some(&terminal, "cut");
    cut.kill().expect("it lives");
    cut.wait().expect("it ends");
    std::fs::rename(terminal.path("organiser"), terminal.path("moved")).expect("it can be moved");
    let other = ["report", "finished", "--set", "report.alpha=0.1"];
    for args in [&["resume", "cut"][..], &other] {
        let mut command = terminal.command(args);
        command.env("KLERO_DATA", terminal.path("moved"));
        let said = said(command);
        let words = on_one_line(&terminal.plain(&said.stderr));
        assert_eq!(said.code, Some(2), "{args:?}: {words}");
        words.says("there is no file HOME/organiser/respondents.csv");
        words.says("it is looked for there alone: put it there, or correct the path");
        assert!(!words.contains("KLERO_DATA"), "{words}");
    }
}
