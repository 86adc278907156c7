//! Programs that tests run: policies at seats, Python, curl, a browser.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::project;
use super::wants::skip;

/// A policy in a program.
pub fn exec(label: &str, command: &[&str]) -> String {
    // A JSON list of strings is one of TOML too.
    let command = serde_json::json!(command);
    format!("[[policy]]\nlabel = \"{label}\"\nkind = \"exec\"\ncommand = {command}\n")
}

/// The path of the model policy.
pub fn model() -> String {
    project().join("examples/policy.py").display().to_string()
}

/// Whether a program runs and exits with 0.
pub fn runs(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null());
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether there is a `python3`; without it the test is skipped.
#[track_caller]
pub fn python() -> bool {
    assert!(Path::new(&model()).exists());
    let found = runs(Command::new("python3").arg("--version"));
    if !found {
        skip("python", "there is no python3");
    }
    found
}

/// Whether there is a curl that knows `--json`; without it the test is skipped.
#[track_caller]
pub fn curl() -> bool {
    let found = runs(Command::new("sh").args(["-c", "curl --help all | grep -q -- --json"]));
    if !found {
        skip("curl", "there is no curl that knows --json");
    }
    found
}

/// The Chromium that KLERO_CHROMIUM names; without it the test is skipped.
#[track_caller]
pub fn chromium() -> Option<OsString> {
    let chromium = std::env::var_os("KLERO_CHROMIUM");
    if chromium.is_none() {
        skip("browser", "KLERO_CHROMIUM names no Chromium");
    }
    chromium
}

/// Has a browser look, as a script of `tests/browser` says; `act` does what it asks for before it
/// goes on.
pub fn looks(script: &str, modules: &OsStr, args: &[&str], mut act: impl FnMut(&str)) {
    let mut look = Command::new("node")
        .arg(project().join("tests/browser").join(script))
        .arg(modules)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut answers = look.stdin.take().expect("it is piped");
    let words = BufReader::new(look.stdout.take().expect("it is piped"));
    let mut said = String::new();
    // `do WHAT` asks for something to be done before it goes on; all else is what it found.
    for line in words.lines() {
        let line = line.expect("it is text");
        match line.strip_prefix("do ") {
            None => said += &(line + "\n"),
            Some(what) => {
                act(what);
                writeln!(answers, "done").expect("it listens");
            }
        }
    }
    let status = look.wait().expect("it ends");
    assert!(status.success(), "{said}");
    println!("{said}");
}

/// A Python with the package `cloudevents`, KLERO_PYTHON or the one on the path; without it the
/// test is skipped.
#[track_caller]
pub fn cloudevents() -> Option<OsString> {
    let python = std::env::var_os("KLERO_PYTHON").unwrap_or_else(|| "python3".into());
    let found = runs(Command::new(&python).args(["-c", "import cloudevents.core.bindings.http"]));
    if !found {
        skip(
            "cloudevents",
            "no Python has the package cloudevents, version 2",
        );
    }
    found.then_some(python)
}

/// A Python with the package `sortition_algorithms` and its solver, KLERO_PYTHON or the one on the
/// path; without it the test is skipped.
#[track_caller]
pub fn sortition() -> Option<OsString> {
    let python = std::env::var_os("KLERO_PYTHON").unwrap_or_else(|| "python3".into());
    let found = runs(Command::new(&python).args(["-c", "import sortition_algorithms, highspy"]));
    if !found {
        skip(
            "sortition",
            "no Python has the packages sortition-algorithms and highspy",
        );
    }
    found.then_some(python)
}

/// Prometheus' own examiner of metrics, KLERO_PROMTOOL or the one on the path; without it the test
/// is skipped.
#[track_caller]
pub fn promtool() -> Option<OsString> {
    let promtool = std::env::var_os("KLERO_PROMTOOL").unwrap_or_else(|| "promtool".into());
    let found = runs(Command::new(&promtool).arg("--version"));
    if !found {
        skip("promtool", "there is no promtool");
    }
    found.then_some(promtool)
}

/// The folder of playwright-core and axe-core that KLERO_BROWSER names; without it the test is
/// skipped.
#[track_caller]
pub fn browser() -> Option<OsString> {
    let modules = std::env::var_os("KLERO_BROWSER");
    if modules.is_none() {
        let why = "KLERO_BROWSER names no folder with playwright-core and axe-core";
        skip("browser", why);
    }
    modules
}

/// Whether there are nginx, openssl and a curl; without them the test is skipped.
#[track_caller]
pub fn nginx() -> bool {
    let found =
        runs(Command::new("nginx").arg("-v")) && runs(Command::new("openssl").arg("version"));
    if !found {
        skip("nginx", "there is no nginx, or no openssl");
    }
    found && curl()
}

/// Whether there is a `systemd-analyze`; without it the test is skipped.
#[track_caller]
pub fn systemd() -> bool {
    let found = runs(Command::new("systemd-analyze").arg("--version"));
    if !found {
        skip("systemd", "there is no systemd-analyze");
    }
    found
}

/// The arguments by which `unshare` makes a command the first process of a container; none where
/// the system doesn't let it, and then the test is skipped.
#[track_caller]
pub fn first_process() -> Option<Vec<&'static str>> {
    let args = vec![
        "--user",
        "--map-root-user",
        "--pid",
        "--fork",
        "--kill-child",
    ];
    let found = runs(Command::new("unshare").args(&args).arg("true"));
    if !found {
        skip(
            "unshare",
            "there is no unshare, or the system doesn't let it",
        );
    }
    found.then_some(args)
}
