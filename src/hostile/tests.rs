//! A million inputs in all; a hundred million in the long form (KLERO_LONG). A build without
//! optimisation takes a fiftieth.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::test_runner::{Config, TestError, TestRunner};

use super::mutation::{examples, inputs};
use super::{HostileTarget, TARGETS};

fn thousands() -> u32 {
    match (std::env::var_os("KLERO_LONG"), cfg!(debug_assertions)) {
        (Some(_), _) => 100_000,
        (None, false) => 1000,
        (None, true) => 20,
    }
}

fn found(name: &str) -> HostileTarget {
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("there is no target {name}"))
}

/// Writes the input that a target failed at into a file of its own, and says which.
fn kept(name: &str, bytes: &[u8]) -> String {
    let file = std::env::temp_dir().join(format!("klero-hostile-{name}"));
    let written = fs::write(&file, bytes);
    written.map_or_else(|error| error.to_string(), |()| file.display().to_string())
}

/// Gives a target its share of inputs.
fn feed(name: &str, more: Option<&str>) {
    let target = found(name);
    let mut all = examples(&format!("fuzz/corpus/{name}"));
    all.extend(more.into_iter().flat_map(examples));
    all.iter().for_each(|example| (target.eat)(example));
    let mut runner = TestRunner::new(Config {
        cases: target.share * thousands(),
        failure_persistence: None,
        ..Config::default()
    });
    let ran = runner.run(&inputs(all), |bytes| {
        (target.eat)(&bytes);
        Ok(())
    });
    match ran {
        Ok(()) => {}
        Err(TestError::Fail(why, bytes)) => {
            let (file, bytes) = (kept(name, &bytes), bytes.escape_ascii().to_string());
            let bytes: String = bytes.chars().take(2000).collect();
            panic!("{name}: {why}\nthe input, whole in {file}: {bytes}");
        }
        Err(abort) => panic!("{name}: {abort}"),
    }
}

#[test]
fn any_config_is_read_or_refused() {
    feed("config", Some("configs"));
}

#[test]
fn any_lines_of_json_are_read_or_refused() {
    feed("json", None);
}

#[test]
fn any_rows_are_read_or_refused() {
    feed("csv", None);
}

#[test]
fn any_event_is_read_or_refused() {
    feed("events", None);
}

#[test]
fn any_tape_is_read_or_refused() {
    feed("tape", None);
}

#[test]
fn any_message_of_a_program_is_read_or_refused() {
    feed("seat", None);
}

#[test]
fn any_row_of_a_journal_is_read_or_refused() {
    feed("entry", None);
}

#[test]
fn any_database_of_a_journal_has_what_was_committed_or_is_refused() {
    feed("journal", None);
}

#[test]
fn any_request_is_answered_or_refused() {
    feed("http", None);
}

#[test]
fn each_target_has_a_program_and_examples_and_all_shares_are_a_thousand() {
    let names: BTreeSet<String> = TARGETS.map(|target| target.name.to_owned()).into();
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let files = |folder: &str| -> BTreeSet<String> {
        let files = fs::read_dir(fuzz.join(folder)).expect("it is there");
        let name = |path: std::path::PathBuf| path.file_stem().unwrap().display().to_string();
        files.map(|file| name(file.unwrap().path())).collect()
    };
    assert_eq!(files("fuzz_targets"), names);
    assert_eq!(files("corpus"), names);
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for name in &names {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
    assert_eq!(TARGETS.iter().map(|target| target.share).sum::<u32>(), 1000);
}
