//! The programs of `examples/`, with what they print.

use std::process::Command;

use kleroterion_testkit::wants::skip;

#[path = "../../examples/embed_live.rs"]
mod embed_live;
#[path = "../../examples/no_toml.rs"]
mod no_toml;
#[path = "../../examples/own_feedback.rs"]
mod own_feedback;
#[path = "../../examples/own_metric.rs"]
mod own_metric;
#[path = "../../examples/own_policy.rs"]
mod own_policy;
#[path = "../../examples/own_source.rs"]
mod own_source;
#[path = "../../examples/report_from_library.rs"]
mod report_from_library;

#[test]
fn an_own_policy_is_compared() {
    insta::assert_snapshot!(own_policy::table().unwrap());
}

#[test]
fn an_own_metric_is_judged() {
    insta::assert_snapshot!(own_metric::verdict().unwrap());
}

#[test]
fn an_own_source_brings_people() {
    insta::assert_snapshot!(own_source::shares().unwrap());
}

#[test]
fn own_outcomes_are_measured() {
    insta::assert_snapshot!(own_feedback::outcome().unwrap());
}

#[test]
fn a_plan_needs_no_toml() {
    insta::assert_snapshot!(no_toml::answer().unwrap());
}

#[test]
fn people_from_a_program_are_decided_live() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(embed_live::decisions(&folder.path().join("desk")).unwrap());
}

#[test]
fn a_program_writes_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    insta::assert_snapshot!(report_from_library::report(&results).unwrap());
    assert!(results.join("summary.json").exists() && results.join("page.html").exists());
}

/// Runs the example `own_klero`, which `cargo test` builds next to the program.
fn own_klero(words: &[&str], folder: &std::path::Path) -> Option<std::process::Output> {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_klero"));
    let example = program.with_file_name("examples").join("own_klero");
    if !example.exists() {
        skip(
            "own_klero",
            "the example is not built: cargo build --example own_klero",
        );
        return None;
    }
    let mut command = Command::new(example);
    let output = command.args(words).current_dir(folder).output();
    Some(output.expect("it starts"))
}

#[test]
fn every_command_knows_an_own_kind() {
    let folder = tempfile::tempdir().unwrap();
    let config = "\
        replications = 5\n\
        source = { type = \"categorical\", shares = { g = { a = 0.5, b = 0.5 } } }\n\
        target = { g = { a = 0.5, b = 0.5 } }\n\
        rules = { choose = \"at_most_one\", until = { accepted = 10 } }\n\
        policy = [{ label = \"by lot\", kind = \"lot\" }, { label = \"all\", kind = \"accept_all\" }]\n";
    std::fs::write(folder.path().join("my.toml"), config).unwrap();
    let said = |words: &[&str]| {
        let output = own_klero(words, folder.path())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{words:?}: {out}{err}");
        Some(out)
    };
    let Some(list) = said(&["list", "policies"]) else {
        return;
    };
    assert!(list.contains("accepts one in two, by lot"), "{list}");
    let schema = said(&["schema", "config"]).unwrap();
    assert!(schema.contains("\"lot\""), "{schema}");
    said(&["check", "my.toml"]).unwrap();
    let table = said(&["run", "my.toml", "--quiet", "--out", "results"]).unwrap();
    assert!(table.contains("by lot"), "{table}");
    // What a run wrote is read with the same kinds.
    let report = said(&["report", "results", "--format", "table"]).unwrap();
    assert!(report.contains("by lot"), "{report}");
    // The program without the kind says what it lacks.
    let plain = Command::new(env!("CARGO_BIN_EXE_klero"))
        .args(["check", "my.toml"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&plain.stderr).into_owned();
    assert_eq!(plain.status.code(), Some(2), "{said}");
    assert!(said.contains("`lot`"), "{said}");
}
