//! The JSON Schema of configs, held against what the program itself takes and refuses.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use jsonschema::Validator;
use kleroterion::catalog::{kinds, policy_entries};
use kleroterion::config::{Document, json_schema, source_entries};
use kleroterion::document::read;
use serde_json::{Value, json};

use crate::support::project;

static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::validator_for(&json_schema()).expect("it is a schema"));

/// A config as JSON; none where it is no TOML. What JSON has no word for is a large number.
fn json_of(text: &str) -> Option<Value> {
    fn of(value: toml::Value) -> Value {
        match value {
            toml::Value::String(text) => json!(text),
            toml::Value::Integer(whole) => json!(whole),
            toml::Value::Float(number) if number.is_finite() => json!(number),
            toml::Value::Float(number) => json!(f64::MAX.copysign(number)),
            toml::Value::Boolean(flag) => json!(flag),
            toml::Value::Datetime(date) => json!({ "date": date.to_string() }),
            toml::Value::Array(members) => members.into_iter().map(of).collect(),
            toml::Value::Table(table) => {
                let entries = table.into_iter().map(|(key, value)| (key, of(value)));
                Value::Object(entries.collect())
            }
        }
    }
    Some(of(toml::Value::Table(text.parse().ok()?)))
}

/// What the schema has against a config.
fn refused(text: &str) -> Option<String> {
    let errors: Vec<String> = SCHEMA
        .iter_errors(&json_of(text)?)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    (!errors.is_empty()).then(|| errors.join("\n"))
}

/// Every config that the program takes validates.
#[track_caller]
pub fn takes(name: &str, text: &str) {
    if let Some(errors) = refused(text) {
        panic!("{name}: the schema refuses what the program takes\n{errors}");
    }
}

/// The schema refuses a config with an unknown key, a missing one or a value of another type.
#[track_caller]
pub fn refuses(name: &str, text: &str, said: &str) {
    // What only the program knows: texts of a form of their own, names that stand elsewhere.
    const BEYOND: [&str; 12] = [
        "expected a pace",
        "expected a length",
        "expected a time",
        "expected `",
        "expected one of",
        "expected two numbers",
        "expected a column",
        "`--",
        "in [policy.forecast]",
        // Keys that the value of another key asks for.
        "missing key `R`",
        "missing key `S`",
        "missing key `probability`",
    ];
    let problems = said.split("  \u{d7} ").skip(1);
    let mut known = problems.filter(|problem| {
        let line = problem.lines().next().unwrap_or_default();
        let is_of_config = line.starts_with("my.toml:");
        let words = [
            "unknown key `",
            "missing key `",
            "missing section [",
            ": expected ",
        ];
        is_of_config
            && words.iter().any(|word| line.contains(word))
            && !BEYOND.iter().any(|word| line.contains(word))
    });
    // The keys of a sweep are paths.
    let is_sweep = text.contains("[sweep]");
    if let Some(problem) = known.next().filter(|_| !is_sweep)
        && json_of(text).is_some()
    {
        assert!(
            refused(text).is_some(),
            "{name}: the schema takes this\n{problem}"
        );
    }
}

#[test]
fn every_preset_validates() {
    let folder = fs::read_dir(project().join("configs")).expect("the folder is there");
    let files = folder.map(|entry| entry.expect("it can be listed").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    assert!(files.len() > 40, "{files:?}");
    for path in files {
        let text = fs::read_to_string(&path).expect("it is text");
        takes(&path.display().to_string(), &text);
    }
}

#[test]
fn what_a_schema_knows_of_numbers_and_words() {
    let sound = super::SOUND;
    takes("sound", sound);
    for (old, new) in [
        ("seed = 1", "seed = -1"),
        ("replications = 4", "replications = 0"),
        ("tolerance = 0.05", "tolerance = -0.05"),
        ("tolerance = 0.05", "tolerance = \"little\""),
        ("kind = \"greedy\"", "kind = \"gready\""),
        ("choose = \"at_most_one\"", "choose = \"at_most\""),
        ("choose = \"at_most_one\"", "choose = { exactly = 0 }"),
        ("at = [5, 10]", "at = [5, 10.5]"),
        ("[report]", "[reports]"),
        ("baseline = \"all\"", "alpha = 1"),
    ] {
        let wrong = super::with(sound, &[(old, new)]);
        assert!(refused(&wrong).is_some(), "{new}");
    }
}

/// Every key that is declared of a kind of policy or source is read: it is not unknown.
#[test]
fn every_declared_key_is_read() {
    let unknown = |text: &str| -> Vec<String> {
        let document = Document::parse(text).expect("it is TOML");
        let folder = project().join("configs");
        let problems = kleroterion::config::check(&document, &folder).err();
        let problems = problems.map_or_else(Vec::new, |problems| problems.0);
        let unknown = problems.into_iter().map(|problem| problem.what);
        unknown
            .filter(|what| what.starts_with("unknown key"))
            .collect()
    };
    for (kind, entry) in kinds().zip(policy_entries()) {
        let keys = entry.params.iter().filter(|param| param.key != "label");
        let keys: String = keys.map(|param| format!("{} = 1\n", param.key)).collect();
        let policy = format!("kind = \"{}\"\n{keys}", kind.name);
        let text = super::with(super::SOUND, &[("kind = \"accept_all\"\n", &policy)]);
        assert_eq!(unknown(&text), [""; 0], "{}", kind.name);
    }
    for entry in source_entries() {
        let name = entry.name;
        let follows = entry
            .params
            .iter()
            .any(|key| key.key == "follow" && key.is_needed);
        let follow = if follows { "follow = true\n" } else { "" };
        let own = entry.params.iter().filter(|param| param.key != "follow");
        let keys: String = own.map(|param| format!("{} = 1\n", param.key)).collect();
        let source = format!("type = \"{name}\"\n{follow}{keys}");
        let old = "type = \"categorical\"\nshares = { gender = { M = 0.5, F = 0.5 } }\n";
        let text = super::with(super::SOUND, &[(old, &source)]);
        assert_eq!(unknown(&text), [""; 0], "{name}");
    }
    let none = Document::parse("").expect("it is TOML");
    assert!(read(&none, |_| Some(())).is_ok());
}
