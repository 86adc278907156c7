//! Jobs of the library, held against the commands.
#![cfg(target_os = "linux")]

use kleroterion::config::ConfigInputs;
use kleroterion::jobs::{Job, JobRequest, JobWatch};

use super::resumed::same;
use crate::support::terminal::Terminal;

/// What the library writes of a job: `people` and `decisions` as well.
fn written(request: JobRequest, terminal: &Terminal, folder: &str) {
    let mut job = Job::load(request).unwrap_or_else(|wrong| panic!("{wrong}"));
    (job.options.people, job.options.decisions) = (true, true);
    let played = job.play(&JobWatch::default());
    let mut finished = played.unwrap_or_else(|wrong| panic!("{wrong}"));
    let written = finished.write(&terminal.path(folder), false);
    written.unwrap_or_else(|wrong| panic!("{wrong}"));
}

#[test]
fn a_folder_that_the_library_writes_is_that_of_klero_run() {
    let terminal = Terminal::new();
    let traced = ["--people", "--trace", "decisions", "--quiet"];
    let presets: [(&str, &[&str]); 4] = [
        ("committee-syn6", &[]),
        (
            "committee-syn6",
            &["--sweep", "policy.greedy .05.tolerance=0.02,0.04"],
        ),
        ("schumann2019-t2", &["--seed", "8"]),
        ("puranik2022-fig1a", &["--set", "report.alpha=0.1"]),
    ];
    for (at, (preset, changes)) in presets.into_iter().enumerate() {
        let (klero, library) = (format!("klero{at}"), format!("library{at}"));
        let run = ["run", preset, "--replications", "6", "--out", &klero];
        terminal.done(&[&run[..], changes, &traced].concat());
        let mut request = JobRequest {
            replications: Some(6),
            ..JobRequest::of(preset)
        };
        match changes {
            ["--sweep", grid] => request.sweep.push((*grid).to_owned()),
            ["--set", key] => request.set.push((*key).to_owned()),
            ["--seed", seed] => request.seed = seed.parse().ok(),
            _ => {}
        }
        written(request, &terminal, &library);
        same(&terminal, &library, &klero);
    }
}

#[test]
fn a_job_that_klero_was_stopped_in_is_resumed_by_the_library() {
    let terminal = Terminal::new();
    let run = ["run", "committee-syn6", "--quiet", "--replications"];
    let plain = [&run[..], &["40", "--out", "plain"]].concat();
    terminal.done(&plain);
    let mut child = terminal
        .command(&[&run[..], &["40", "--out", "stopped"]].concat())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the binary runs");
    let kept = terminal.path("stopped").join("replications.part");
    while !kept.exists() && child.try_wait().expect("it is ours").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    drop(child.kill());
    drop(child.wait());
    if let Ok(job) = Job::resume(&terminal.path("stopped"), &ConfigInputs::default()) {
        job.play(&JobWatch::default())
            .unwrap_or_else(|wrong| panic!("{wrong}"));
    }
    same(&terminal, "stopped", "plain");
}
