//! Requests to engines that can't be, and what a machine without the engine is told.

use std::process::Command;

use super::one_machine;
use crate::support::configs::SOUND;
use crate::support::programs::runs;
use crate::support::refusals::Page;
use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal, said};

/// A terminal whose PATH has only the programs of the folder `bin`.
fn bare() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    std::fs::create_dir(terminal.path("bin")).expect("a folder");
    terminal
}

fn klero(terminal: &Terminal, args: &[&str]) -> Said {
    let mut command = terminal.command(args);
    command.env("PATH", terminal.path("bin"));
    said(command)
}

/// Puts a program into `bin`.
fn program(terminal: &Terminal, name: &str, text: &str) {
    let path = format!("bin/{name}");
    terminal.put(&path, format!("#!/bin/bash\n{text}\n"));
    assert!(runs(
        Command::new("chmod").arg("+x").arg(terminal.path(&path))
    ));
}

#[test]
fn what_engines_cannot_do_is_said_with_a_remedy() {
    let terminal = bare();
    let mut page = Page::default();
    for args in [
        &["--on", "slurm", "--out", "d"][..],
        &["--on", "parallel", "--out", "d"],
        &["--on", "slurm", "--dry-run"],
        &[
            "--on",
            "slurm",
            "--dry-run",
            "--out",
            "d",
            "--sshlogin",
            "host",
        ],
        &[
            "--on",
            "parallel",
            "--dry-run",
            "--out",
            "d",
            "--sbatch",
            "-p x",
        ],
        &[
            "--on",
            "slurm",
            "--dry-run",
            "--out",
            "d",
            "--sbatch",
            "partition=x",
        ],
        &[
            "--on",
            "slurm",
            "--dry-run",
            "--out",
            "d",
            "--sbatch",
            "--mem=1G --array=1-3",
        ],
        &[
            "--on",
            "slurm",
            "--dry-run",
            "--out",
            "d",
            "--sbatch",
            "--mem=1G\nrm x",
        ],
        &["--on", "parallel", "--dry-run", "--out", "a{}b"],
    ] {
        let words = [&["sweep", "my.toml"][..], args].concat();
        let said = klero(&terminal, &words);
        assert_eq!(
            (said.code, &*said.stdout),
            (Some(2), ""),
            "{args:?} {}",
            said.stderr
        );
        page.add(&args.join(" "), &terminal.plain(&said.stderr));
    }
    // Words that no option has.
    for (option, value) in [
        ("--tries", "0"),
        ("--tries", "x"),
        ("--jobs", "0"),
        ("--on", "pbs"),
    ] {
        let said = klero(
            &terminal,
            &[
                "sweep", "my.toml", "--on", "slurm", "--out", "d", option, value,
            ],
        );
        assert_eq!(said.code, Some(2), "{option} {value}");
        said.stderr.says(option);
    }
    insta::assert_snapshot!(page.text());
}

/// What a Slurm that refuses says is passed on, and what was submitted before is named.
#[test]
fn what_sbatch_says_is_passed_on() {
    let terminal = bare();
    let args = [
        "sweep", "my.toml", "--on", "slurm", "--out", "d", "--shards", "2000",
    ];
    program(
        &terminal,
        "sbatch",
        "echo 'sbatch: error: Invalid job array specification' >&2; exit 1",
    );
    let said = klero(&terminal, &args);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    said.stderr.says("Invalid job array specification");
    said.stderr.says("fewer shards");
    let second = "[[ $* == *merge.sh* ]] && { echo 'no more jobs' >&2; exit 1; }; echo '17;there'";
    program(&terminal, "sbatch", second);
    let said = klero(&terminal, &args);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let by_hand = "by hand: sbatch --dependency=afterany:17 ";
    said.stderr.says("no more jobs");
    said.stderr.says(by_hand);
}

/// The batch scripts, run by hand with a stand-in for `sbatch`: the tries are counted down, and a
/// merge of what is whole submits nothing.
#[test]
fn the_merge_submits_what_is_missing_as_often_as_it_may() {
    let terminal = Terminal::new();
    one_machine(&terminal, [5, 6]);
    program(&terminal, "sbatch", "echo \"$*\" >> calls; echo 17");
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", terminal.path("bin").display());
    let with_path = |mut command: Command| {
        command.env("PATH", &path).current_dir(terminal.path(""));
        said(command)
    };
    let options = "--comment='a b' --mem=1G";
    let args = [
        "sweep",
        "my.toml",
        "--on",
        "slurm",
        "--out",
        "it's 100%",
        "--shards",
        "4",
        "--tries",
        "2",
        "--jobs",
        "3",
        "--sbatch",
        options,
    ];
    let said = with_path(terminal.command(&args));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let folder = terminal
        .path("")
        .canonicalize()
        .expect("a folder")
        .join("it's 100%/shards/slurm");
    let (shard, merge) = (folder.join("shard.sh"), folder.join("merge.sh"));
    let (shard, merge) = (shard.display(), merge.display());
    let first =
        format!("--parsable --array=0-3%3 {shard}\n--parsable --dependency=afterany:17 {merge}\n");
    assert_eq!(terminal.read("calls"), first);
    let head = terminal.read("it's 100%/shards/slurm/shard.sh");
    head.says(&format!("\n#SBATCH {options}\n"));
    head.says("it's 100%%/shards/slurm/%A_%a.log\"\n");
    let script = |name: &str, args: &[&str], task: &str| {
        let mut command = Command::new("bash");
        command
            .arg(folder.join(name))
            .args(args)
            .env("SLURM_ARRAY_TASK_ID", task);
        with_path(command)
    };
    for task in ["0", "3"] {
        assert_eq!(script("shard.sh", &[], task).code, Some(0));
    }
    std::fs::remove_file(terminal.path("calls")).expect("calls");
    let said = script("merge.sh", &[], "");
    assert_eq!(said.code, Some(0), "{} {}", said.stdout, said.stderr);
    let again = format!(
        "--parsable --array=1-2%3 {shard}\n--parsable --dependency=afterany:17 {merge} 0\n"
    );
    assert_eq!(terminal.read("calls"), again);
    let said = script("merge.sh", &["0"], "");
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    said.stderr.says("missing after 2 tries");
    for task in ["1", "2"] {
        assert_eq!(script("shard.sh", &[], task).code, Some(0));
    }
    assert_eq!(script("merge.sh", &["0"], "").code, Some(0));
    assert_eq!(terminal.read("calls"), again);
    super::same_folders(&terminal.path("one"), &terminal.path("it's 100%"));
}
