//! GNU parallel: a job that is killed, jobs that fail for good, waves.

use std::process::{Child, Command, Stdio};

use super::{one_machine, same_folders, until_decided};
use crate::support::programs::runs;
use crate::support::slurm::{program, until};
use crate::support::terminal::{Terminal, typed};
use crate::support::wants::skip;

/// Whether there is GNU parallel; without it the test is skipped.
#[track_caller]
pub fn parallel() -> bool {
    let found = program("parallel").is_some();
    if !found {
        skip("parallel", "there is no GNU parallel");
    }
    found
}

/// The processes of `klero` that play a shard of a folder.
fn shards(terminal: &Terminal) -> Vec<String> {
    let folder = terminal.path("many").display().to_string();
    let entries = std::fs::read_dir("/proc").expect("processes").flatten();
    let ids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_shard = |id: &String| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        line.contains(&folder) && line.contains("\0--shard\0")
    };
    ids.filter(is_shard).collect()
}

fn start(terminal: &Terminal, args: &[&str]) -> Child {
    let mut command = terminal.command(args);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary runs")
}

#[test]
fn a_killed_job_is_tried_again() {
    if !parallel() {
        return;
    }
    let terminal = Terminal::new();
    let one = one_machine(&terminal, [50, 80]);
    let args = [
        "sweep", "my.toml", "--on", "parallel", "--shards", "3", "--jobs", "2", "--out", "many",
    ];
    let running = start(&terminal, &args);
    until("two shards are played", || shards(&terminal).len() == 2);
    let killed = shards(&terminal).remove(0);
    assert!(runs(Command::new("kill").args(["-9", &killed])));
    let output = running.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    same_folders(&one, &terminal.path("many"));
    // What is whole needs no units.
    assert!(!terminal.path("many/shards").exists());
}

/// Until all is decided: wave after wave, on hosts as parallel is told of them.
#[test]
fn the_next_wave_is_played_after_a_merge() {
    if !parallel() {
        return;
    }
    let terminal = Terminal::new();
    let one = until_decided(&terminal);
    let args = typed("sweep my.toml --on parallel --shards 2 --sshlogin 1/: --out many");
    terminal.done(&args);
    same_folders(&one, &terminal.path("many"));
}
