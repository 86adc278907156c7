//! Policies in programs of their own.

mod check;
mod configs;
mod faults;
mod forfeits;
#[cfg(target_os = "linux")]
mod interrupts;
mod nobody;
mod page;
mod same;
mod worth;

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::project;

/// Two attributes, one candidate at a time; policies are to follow.
pub const COMMITTEE: &str = r#"
name = "seats"
seed = 8
replications = 2
[source]
type = "categorical"
shares = { gender = { M = 0.6, F = 0.4 }, vote = { L = 0.3, R = 0.7 } }
[target]
gender = { M = 0.5, F = 0.5 }
vote = { L = 0.4, R = 0.6 }
[rules]
choose = "at_most_one"
until = { accepted = 25 }
max_rounds = 400
"#;

/// A policy in a program.
pub fn exec(label: &str, command: &[&str]) -> String {
    // A JSON list of strings is one of TOML too.
    let command = serde_json::json!(command);
    format!("[[policy]]\nlabel = \"{label}\"\nkind = \"exec\"\ncommand = {command}\n")
}

/// The model policy, wherever a test is run.
pub fn model() -> String {
    project().join("examples/policy.py").display().to_string()
}

/// Whether there is a Python; else says that the test is skipped.
pub fn python() -> bool {
    let found = Command::new("python3")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    assert!(Path::new(&model()).exists());
    if !found {
        eprintln!("skipped: there is no python3");
    }
    found
}
