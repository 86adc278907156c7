//! The programs of `examples/`, with what they print.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// A folder with a config of an own kind, and the example `own_klero`, which `cargo test` builds
/// next to the program.
struct Own(tempfile::TempDir);

impl Own {
    const CONFIG: &str = r#"
source = { type = "categorical", shares = { g = { a = 0.5, b = 0.5 } } }
target = { g = { a = 0.5, b = 0.5 } }
rules = { choose = "at_most_one", until = { accepted = 10 } }
policy = [{ label = "by lot", kind = "lot" }, { label = "all", kind = "accept_all" }]
"#;

    /// `None` if the example is not built.
    fn new() -> Option<Self> {
        let own = Self(tempfile::tempdir().unwrap());
        own.put("my.toml", &format!("replications = 5{}", Self::CONFIG));
        if !Self::program().exists() {
            let why = "the example is not built: cargo build --example own_klero";
            skip("own_klero", why);
            return None;
        }
        Some(own)
    }

    fn program() -> PathBuf {
        let program = Path::new(env!("CARGO_BIN_EXE_klero"));
        program.with_file_name("examples").join("own_klero")
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    /// The exit code, stdout and stderr of a program in the folder.
    fn end(&self, program: &Path, words: &[&str], stdin: Stdio) -> (Option<i32>, String, String) {
        let mut command = Command::new(program);
        let command = command.args(words).current_dir(self.0.path()).stdin(stdin);
        let output = command.output().expect("it starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code();
        (code, text(&output.stdout), text(&output.stderr))
    }

    /// What the example says, and that this is without an error.
    fn said(&self, words: &[&str], part: &str) {
        let (code, out, err) = self.end(&Self::program(), words, Stdio::null());
        assert_eq!(code, Some(0), "{words:?}: {out}{err}");
        assert!(out.contains(part), "{words:?}: {out}");
    }
}

#[test]
fn every_command_knows_an_own_kind() {
    let Some(own) = Own::new() else { return };
    own.said(&["list", "policies"], "accepts one in two, by lot");
    own.said(&["schema", "config"], "\"lot\"");
    own.said(&["check", "my.toml"], "");
    own.said(&["run", "my.toml", "--quiet", "--out", "results"], "by lot");
    // What a run wrote is read with the same kinds.
    own.said(&["report", "results", "--format", "table"], "by lot");
    // The program without the kind says what it lacks.
    let klero = Path::new(env!("CARGO_BIN_EXE_klero"));
    let (code, _, said) = own.end(klero, &["check", "my.toml"], Stdio::null());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("`lot`"), "{said}");
    // A mistaken command line names the program.
    let (_, _, wrong) = own.end(
        &Own::program(),
        &["sweep", "my.toml", "more"],
        Stdio::null(),
    );
    assert!(wrong.contains("Usage: own_klero sweep"), "{wrong}");
}

#[test]
fn an_own_kind_is_the_baseline_of_a_sweep_and_acts_on_people() {
    let Some(own) = Own::new() else { return };
    let more = "report = { judge = [\"screened\"], baseline = \"by lot\" }\n\
                sweep = { \"rules.until.accepted\" = [5, 10] }\n";
    let swept = format!("replications = 5{}{more}", Own::CONFIG);
    own.put("swept.toml", &swept);
    own.said(&["run", "swept.toml", "--quiet"], "against by lot");

    let [_, rest] = Own::CONFIG.split("target").collect::<Vec<_>>()[..] else {
        panic!("a config has one target")
    };
    let codes = "{ column = \"g\", values = { a = \"a\", b = \"b\" } }";
    let source = format!("source = {{ type = \"stdin\", attributes = {{ g = {codes} }} }}\n");
    own.put(
        "live.toml",
        &format!("{source}target{rest}live = {{ acting = \"by lot\" }}\n"),
    );
    let person = |n: u32| format!("{{\"id\":\"{n}\",\"groups\":{{\"g\":\"a\"}}}}\n");
    own.put("people", &(0..40).map(person).collect::<String>());
    let stdin = std::fs::File::open(own.0.path().join("people")).unwrap();
    let live = ["live", "live.toml", "--out", "acted", "--quiet"];
    let (code, _, said) = own.end(&Own::program(), &live, stdin.into());
    assert_eq!(code, Some(0), "{said}");
    own.said(&["replay", "acted", "--out", "again"], "by lot");
}
