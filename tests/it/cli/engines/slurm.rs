//! A real Slurm of two nodes: a task that is killed and a node that is lost.

use std::time::Instant;

use super::{one_machine, same_folders, until_decided};
use crate::support::says::Says as _;
use crate::support::slurm::{Slurm, until};
use crate::support::terminal::{Said, Terminal, said};

/// `klero` where the cluster is known.
fn klero(terminal: &Terminal, slurm: &Slurm, args: &[&str]) -> Said {
    let mut command = terminal.command(args);
    command.env("SLURM_CONF", slurm.conf());
    said(command)
}

#[test]
fn a_killed_task_and_a_lost_node_leave_the_bytes_of_one_machine() {
    let Some(mut slurm) = Slurm::start() else {
        return;
    };
    let terminal = Terminal::new();
    let one = one_machine(&terminal, [100, 150]);
    let begun = Instant::now();
    let args = [
        "sweep", "my.toml", "--on", "slurm", "--shards", "4", "--out", "many",
    ];
    let said = klero(&terminal, &slurm, &args);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    // Each is held as it is seen: none ends before the others have begun.
    until("two tasks run on each node", || {
        ["n1", "n2"].map(|node| slurm.holds(node)) == [2, 2]
    });
    slurm.kills("n1");
    slurm.frees("n1");
    slurm.loses("n2");
    slurm.idle();
    println!(
        "{} s from the submission to the end",
        begun.elapsed().as_secs()
    );
    // The killed task has failed, those of the lost node were begun again on the other.
    let array = said.stdout.split_whitespace().nth(1).expect("a number");
    let ended = slurm.ended(array.trim_end_matches(':'));
    let failed = ended
        .iter()
        .filter(|(_, state, code)| state == "FAILED" && code == "0:9");
    assert_eq!((failed.count(), ended.len()), (1, 4), "{ended:?}");
    let log = terminal
        .names("many/shards/slurm")
        .into_iter()
        .filter(|name| name.starts_with("merge-"));
    let said: String = log
        .map(|name| terminal.read(&format!("many/shards/slurm/{name}")))
        .collect();
    assert_eq!(said.matches("submitted --array=").count(), 1, "{said}");
    same_folders(&one, &terminal.path("many"));
}

/// Until all is decided: the merge submits the next wave, with the tries begun anew.
#[test]
fn the_next_wave_is_submitted_after_a_merge() {
    let Some(slurm) = Slurm::start() else {
        return;
    };
    let terminal = Terminal::new();
    let one = until_decided(&terminal);
    let args = [
        "sweep", "my.toml", "--on", "slurm", "--shards", "2", "--tries", "1", "--out", "many",
    ];
    let said = klero(&terminal, &slurm, &args);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    said.stdout.says("1 shards, 1 units");
    slurm.idle();
    let names = terminal.names("many/shards/slurm").into_iter();
    let logs = names.filter(|name| name.starts_with("merge-"));
    let said: String = logs
        .map(|name| terminal.read(&format!("many/shards/slurm/{name}")))
        .collect();
    assert_eq!(said.matches("submitted --array=").count(), 2, "{said}");
    same_folders(&one, &terminal.path("many"));
}
