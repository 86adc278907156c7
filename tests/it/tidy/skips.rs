//! A test that can't run says so through `support::wants`, which is held here in processes of its
//! own.

use std::path::Path;
use std::process::{Command, Output};

use super::rust;
use crate::support::project;
use crate::support::wants::{data, skip};

/// Set in the processes in which [`a_test_in_want`] wants something.
const IN_WANT: &str = "KLERO_TEST_IN_WANT";

/// The one above, as the harness calls it.
const TEST: &str = "tidy::skips::a_test_in_want";

/// Wants a tool and a file that are nowhere, where [`IN_WANT`] is set.
#[test]
fn a_test_in_want() {
    if std::env::var_os(IN_WANT).is_some() {
        skip("unicorn", "there is none");
        assert_eq!(data("unicorns.csv"), None);
    }
}

/// Runs the test above in a folder, with these variables and no others that matter.
fn in_want(folder: &Path, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(["--exact", TEST, "--test-threads", "2"]);
    for name in ["CI", "KLERO_ALLOW_SKIPS", "KLERO_DATA"] {
        command.env_remove(name);
    }
    command
        .env(IN_WANT, "1")
        .env("KLERO_SKIPPED", folder.join("target/skipped"))
        .envs(variables.iter().copied())
        .current_dir(folder);
    command.output().expect("it runs")
}

/// The lines of all files of a folder's list, sorted.
fn listed(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.join("target/skipped")) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut lines: Vec<_> = paths
        .map(|path| std::fs::read_to_string(path).expect("it is text"))
        .collect();
    lines.sort();
    lines
}

#[test]
fn a_skip_is_listed_and_fails_in_ci_unless_it_is_allowed() {
    let skips = [
        format!("{TEST}: data: KLERO_DATA names no folder with unicorns.csv\n"),
        format!("{TEST}: unicorn: there is none\n"),
    ];
    let allows = [
        &[][..],
        &[("CI", "false")],
        &[("CI", "true"), ("KLERO_ALLOW_SKIPS", "data, unicorn")],
        &[("CI", "true"), ("KLERO_ALLOW_SKIPS", TEST)],
        &[
            ("CI", "true"),
            ("KLERO_ALLOW_SKIPS", "other,a_test_in_want"),
        ],
    ];
    for variables in allows {
        let folder = tempfile::tempdir().expect("a folder");
        let output = in_want(folder.path(), variables);
        assert!(output.status.success(), "{variables:?}: {output:?}");
        assert_eq!(listed(folder.path()), skips, "{variables:?}");
    }
    let refusals = [
        (&[("CI", "true")][..], "unicorn"),
        (&[("CI", "true"), ("KLERO_ALLOW_SKIPS", "")], "unicorn"),
        (
            &[("CI", "true"), ("KLERO_ALLOW_SKIPS", "uni,in_want")],
            "unicorn",
        ),
        (&[("CI", "true"), ("KLERO_ALLOW_SKIPS", "unicorn")], "data"),
    ];
    for (variables, want) in refusals {
        let folder = tempfile::tempdir().expect("a folder");
        let output = in_want(folder.path(), variables);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(101), "{variables:?}: {said}");
        let words = format!("{TEST} can't run for want of {want}: ");
        assert!(said.contains(&words), "{variables:?}: {said}");
        assert!(
            said.contains(&format!("KLERO_ALLOW_SKIPS={want}")),
            "{said}"
        );
    }
}

/// No other file says for itself that a test is skipped, or knows where data may lie.
#[test]
fn tests_are_skipped_in_one_place() {
    let ours = ["testkit/src/wants.rs", "tidy/skips.rs"];
    for folder in ["crates", "src", "tests"] {
        for (path, text) in rust(&project().join(folder)) {
            if ours.iter().any(|ours| path.ends_with(ours)) {
                continue;
            }
            for word in ["\"skipped", "shared/data"] {
                assert!(!text.contains(word), "{} has {word}", path.display());
            }
        }
    }
}
