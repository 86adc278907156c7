//! JSON from outside has one reader, `record::outside`: another file reads what klero wrote.

use std::path::Path;

use super::{below, code, files};

/// The reader.
const READER: [&str; 3] = ["record/json.rs", "record/object.rs", "record/outside.rs"];

/// Files that read what klero itself wrote, with what that is.
const OWN: [(&str, &str); 15] = [
    ("decisions.rs", "the summary in a run's folder"),
    ("simulated/known.rs", "files of draws, in tests"),
    ("feed/schema.rs", "a cell of the config, as JSON has it"),
    ("journal/copied.rs", "a fact of a journal"),
    (
        "journal/entry.rs",
        "entries of a journal, which a chain of hashes holds",
    ),
    ("journal/store.rs", "an entry of a journal"),
    (
        "live/options.rs",
        "the options of a live run, in its journal",
    ),
    ("options.rs", "the options of a run, in its folder"),
    ("report.rs", "the summary in a run's folder"),
    ("report/finished/folder.rs", "the summary in a run's folder"),
    ("report/kept.rs", "plans that a run keeps, with a checksum"),
    ("report/written.rs", "hashes in a run's timing.json"),
    ("seat/hostile.rs", "a message written anew"),
    ("trace/decision.rs", "a line of decisions.ndjson"),
    ("trace/read.rs", "decisions.ndjson in a run's folder"),
];

/// Readers of JSON by serde: a call, an import that would hide calls, an extractor of a body.
const READS: [&str; 8] = [
    "serde_json::from_",
    "serde_json::de::",
    "serde_json::Deserializer",
    "serde_json::StreamDeserializer",
    "parse::<Value>",
    "parse::<serde_json::Value>",
    "axum::Json",
    "extract::Json",
];

fn reads(line: &str) -> bool {
    let imports = line.contains("use serde_json")
        && ["from_", "Deserializer", " as ", "*", "de::"]
            .iter()
            .any(|word| line.contains(word));
    imports || READS.iter().any(|word| line.contains(word))
}

#[test]
fn json_from_outside_has_one_reader() {
    let mut found = Vec::new();
    for (path, text) in files("") {
        let path = below(&path);
        let name = path.to_string_lossy().into_owned();
        let is_test = path
            .iter()
            .any(|name| name == "tests" || name == "tests.rs");
        if !is_test && !READER.contains(&&*name) && code(&text).any(reads) {
            found.push(name);
        }
    }
    let own: Vec<&str> = OWN.iter().map(|(name, _)| *name).collect();
    let strangers: Vec<_> = found
        .iter()
        .filter(|name| !own.contains(&name.as_str()))
        .collect();
    assert!(
        strangers.is_empty(),
        "{strangers:?}: read what comes from outside by record::outside; list what klero wrote in OWN"
    );
    let idle: Vec<_> = own
        .iter()
        .filter(|name| !found.iter().any(|one| one == *name))
        .collect();
    assert!(idle.is_empty(), "{idle:?} read no JSON: take them off OWN");
}

#[test]
fn a_new_door_is_seen() {
    for line in [
        "    let body: Slate = serde_json::from_slice(&bytes)?;",
        "use serde_json::{Value, from_str};",
        "use serde_json as json;",
        "use axum::Json;",
        "    let value = text.parse::<Value>();",
    ] {
        assert!(reads(line), "{line}");
    }
    for line in [
        "use serde_json::{Map, Value};",
        "serde_json::to_string(&x)",
        "from_slice(&[1])",
    ] {
        assert!(!reads(line), "{line}");
    }
}

/// Files that read a global, with the reason.
const GLOBALS: [(&str, &str); 4] = [
    (
        "catalog/exec.rs",
        "the system looks for a program in the PATH of this process: a check looks as it does",
    ),
    ("config/resolved.rs", HERE),
    ("examine/seating.rs", HERE),
    ("original.rs", HERE),
];

const HERE: &str = "a relative path is one of the working folder, as where the system opens it";

/// The environment, the working folder and the program's own file are read by the command line,
/// which hands them on. It alone writes to the standard error.
#[test]
fn the_library_reads_no_globals() {
    let words = [
        "env::var",
        "env::current_",
        "env::args",
        "env::set_",
        "path::absolute",
        "io::stderr",
        "stderr()",
        "eprint",
    ];
    let is_test = |path: &Path| {
        let names = ["tests", "tests.rs", "hostile.rs", "simulated", "testkit"];
        path.iter()
            .any(|part| names.iter().any(|name| part == *name))
    };
    let mut found = Vec::new();
    for (path, text) in files("") {
        let below = below(&path);
        if is_test(&path) || below.starts_with("cli") {
            continue;
        }
        if code(&text).any(|line| words.iter().any(|word| line.contains(word))) {
            found.push(below.display().to_string());
        }
    }
    found.sort();
    let known: Vec<&str> = GLOBALS.iter().map(|(path, _)| *path).collect();
    assert_eq!(found, known);
}
