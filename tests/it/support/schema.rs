//! JSON Schemas, held against configs and against what the program writes.

use std::sync::LazyLock;

use jsonschema::Validator;
use kleroterion::config::json_schema;
use serde_json::{Value, json};

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
pub fn refused(text: &str) -> Option<String> {
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
    const BEYOND: [&str; 13] = [
        "expected a pace",
        "expected a duration",
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

/// What a schema that `klero schema SUBJECT` prints refuses; a member that it does not describe,
/// too.
pub fn strict(printed: &str) -> Validator {
    let mut schema = serde_json::from_str(printed).expect("JSON");
    close(&mut schema);
    jsonschema::validator_for(&schema).expect("it is a schema")
}

/// Has every object of a schema refuse members that it does not describe.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") {
                let none = || Value::Bool(false);
                members.entry("additionalProperties").or_insert_with(none);
            }
            members.values_mut().for_each(close);
        }
        Value::Array(members) => members.iter_mut().for_each(close),
        _ => {}
    }
}

/// A text is JSON that a schema takes.
#[track_caller]
pub fn fits(schema: &Validator, text: &str) {
    let value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let errors = schema.iter_errors(&value);
    let errors: Vec<String> = errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}\n{text}", errors.join("\n"));
}
