//! The examples for Kubernetes and HyperQueue: what the engine would run is run here, by hand.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{one_machine, same_folders};
use crate::support::programs::runs;
use crate::support::project;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, said};
use crate::support::wants::skip;

fn example(name: &str) -> String {
    project()
        .join("examples/sweeps")
        .join(name)
        .display()
        .to_string()
}

/// A Python with `kubernetes_validate`, KLERO_PYTHON or the one on the path; without it the test
/// is skipped.
#[track_caller]
fn validator() -> Option<std::ffi::OsString> {
    let python = std::env::var_os("KLERO_PYTHON").unwrap_or_else(|| "python3".into());
    let found = runs(Command::new(&python).args(["-c", "import kubernetes_validate, yaml"]));
    if !found {
        skip(
            "kubernetes",
            "no Python has the package kubernetes-validate",
        );
    }
    found.then_some(python)
}

#[test]
fn the_manifest_fits_the_schemas_of_kubernetes() {
    let Some(python) = validator() else { return };
    let script = "import sys, yaml, kubernetes_validate as k\n\
                  for each in yaml.safe_load_all(open(sys.argv[1])):\n    \
                  k.validate(each, k.latest_version(), strict=True)\n    print(each['kind'])\n";
    let check = |file: &str| {
        let mut command = Command::new(&python);
        command.args(["-c", script, file]);
        said(command)
    };
    let sound = check(&example("kubernetes.yaml"));
    assert_eq!(sound.code, Some(0), "{}", sound.stderr);
    assert_eq!(sound.stdout, "Job\nJob\nPersistentVolumeClaim\n");
    // That the check can fail.
    let terminal = Terminal::new();
    let text = std::fs::read_to_string(example("kubernetes.yaml")).expect("an example");
    terminal.put(
        "wrong.yaml",
        text.replace("backoffLimitPerIndex", "backoffLimitPerIdex"),
    );
    let wrong = check(&terminal.path("wrong.yaml").display().to_string());
    wrong.stderr.says("backoffLimitPerIdex");
}

#[test]
fn the_containers_of_the_manifest_play_and_merge_a_sweep() {
    let Some(python) = validator() else { return };
    let script = "import sys, yaml, json\n\
                  print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))";
    let mut command = Command::new(python);
    command.args(["-c", script, &example("kubernetes.yaml")]);
    let documents: Value = serde_json::from_str(&said(command).stdout).expect("JSON");
    let terminal = Terminal::new();
    let one = one_machine(&terminal, [10, 20]);
    terminal.done(&["sweep", "my.toml", "--plan", "plan.json"]);
    let indices = documents[0]["spec"]["completions"]
        .as_u64()
        .expect("a number");
    let job = |at: usize, index: u64| {
        let container = &documents[at]["spec"]["template"]["spec"]["containers"][0];
        assert_eq!(container["command"], serde_json::json!(["/sweep/klero"]));
        let args = container["args"].as_array().expect("arguments").iter();
        let volume = terminal.path("").display().to_string();
        let arg = |arg: &Value| {
            let text = arg.as_str().expect("text").replace("/sweep/", &volume);
            text.replace("$(JOB_COMPLETION_INDEX)", &index.to_string())
        };
        let args: Vec<String> = args.map(arg).collect();
        terminal.done(&args.iter().map(String::as_str).collect::<Vec<_>>());
    };
    for index in 0..indices {
        job(0, index);
    }
    job(1, 0);
    same_folders(&one, &terminal.path("results"));
}

/// A stand-in for `hq submit`: it runs the tasks of an array one after the other, and the task of
/// number 1 not at all the first time.
const HQ: &str = r#"#!/bin/bash
while [[ $1 != -- ]]; do
  [[ $1 == --array ]] && { shift; array=$1; }
  shift
done
shift
for ((task = ${array%-*}; task <= ${array#*-}; task++)); do
  [[ $task == 1 && ! -e lost ]] && { touch lost; continue; }
  HQ_TASK_ID=$task "$@" || exit 1
done
"#;

#[test]
fn the_script_for_hyperqueue_begun_again_plays_what_was_lost() {
    let terminal = Terminal::new();
    let one = one_machine(&terminal, [10, 20]);
    terminal.put("bin/hq", HQ);
    let klero = Path::new(env!("CARGO_BIN_EXE_klero"));
    std::os::unix::fs::symlink(klero, terminal.path("bin/klero")).expect("a link");
    assert!(runs(
        Command::new("chmod").arg("+x").arg(terminal.path("bin/hq"))
    ));
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", terminal.path("bin").display());
    let run = || {
        let mut command = Command::new("bash");
        command
            .arg(example("hyperqueue.sh"))
            .args(["my.toml", "grid", "3"]);
        command.current_dir(terminal.path("")).env("PATH", &path);
        said(command)
    };
    let first = run();
    assert_eq!(first.code, Some(1), "{}", first.stderr);
    first.stdout.says("--array=1");
    let second = run();
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    same_folders(&one, &terminal.path("grid/results"));
}
