//! The JSON Schema of configs, held against what the program itself takes and refuses.

use std::fs;
use std::path::PathBuf;

use kleroterion::Registry;
use kleroterion::catalog::kind_list::KindList;
use kleroterion::catalog::kinds;
use kleroterion::config::Document;
use kleroterion::document::read;

use crate::support::configs::{SOUND, with};
use crate::support::project;
use crate::support::schema::{refused, takes};

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
    let sound = SOUND;
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
        let wrong = with(sound, &[(old, new)]);
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
    for (kind, entry) in kinds().zip(Registry::default().entries(KindList::Policies)) {
        let keys = entry.params.iter().filter(|param| param.key != "label");
        let keys: String = keys.map(|param| format!("{} = 1\n", param.key)).collect();
        let policy = format!("kind = \"{}\"\n{keys}", kind.name);
        let text = with(SOUND, &[("kind = \"accept_all\"\n", &policy)]);
        assert_eq!(unknown(&text), [""; 0], "{}", kind.name);
    }
    for entry in Registry::default().entries(KindList::Sources) {
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
        let text = with(SOUND, &[(old, &source)]);
        assert_eq!(unknown(&text), [""; 0], "{name}");
    }
    let none = Document::parse("").expect("it is TOML");
    assert!(read(&none, |_| Some(())).is_ok());
}
