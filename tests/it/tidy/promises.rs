//! The tests that SECURITY.md, ARCHITECTURE.md and docs/faults.md name are there.

use std::collections::BTreeMap;
use std::fs;

use super::{rust, sources};
use crate::support::project;

/// The pages whose tables name tests.
const PAGES: [&str; 3] = ["SECURITY.md", "ARCHITECTURE.md", "docs/faults.md"];

/// The words of a page between backticks that are paths of tests: `room::tests::name`, or with
/// several names in braces, `live::{kills, actor}`.
fn named(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Odd pieces are code.
    for word in page.split('`').skip(1).step_by(2) {
        let is_path = |c: char| c.is_ascii_alphanumeric() || "_:{}, ".contains(c);
        if !word.contains("::") || !word.chars().all(is_path) {
            continue;
        }
        match word.split_once("::{") {
            Some((before, names)) => {
                let names = names.trim_end_matches('}').split(", ");
                found.extend(names.map(|name| format!("{before}::{name}")));
            }
            None => found.push(word.to_owned()),
        }
    }
    found
}

/// The modules of a file's path, from its `src` or `tests/it` on: `web::tests::limits`.
fn module(path: &str) -> String {
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    path.replace('/', "::")
}

/// The functions of all files, by their module.
fn functions() -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let tests = [project().join("tests/it")];
    for folder in sources().into_iter().chain(tests) {
        for (path, text) in rust(&folder) {
            let path = path.strip_prefix(&folder).expect("below").display();
            let names = text.lines().filter_map(|line| {
                let line = line.trim_start().trim_start_matches("pub ");
                let name = line.trim_start_matches("async ").strip_prefix("fn ")?;
                name.split(['(', '<']).next().map(str::to_owned)
            });
            let module = module(&path.to_string());
            all.entry(module).or_default().extend(names);
        }
    }
    all
}

/// Whether a path is a module with functions, or a function of one; `tests` within a file is left
/// out of its name.
fn is_there(all: &BTreeMap<String, Vec<String>>, path: &str) -> bool {
    let ends = |module: &str, path: &str| format!("::{module}").ends_with(&format!("::{path}"));
    let within = |path: &str| {
        let path = path.trim_end_matches("::tests");
        let found = all.iter().filter(move |(module, _)| {
            ends(module, path) || ends(module.trim_end_matches("::tests"), path)
        });
        found.collect::<Vec<_>>()
    };
    if !within(path).is_empty() {
        return true;
    }
    let Some((module, name)) = path.rsplit_once("::") else {
        return false;
    };
    let names = within(module).into_iter().flat_map(|(_, names)| names);
    names.into_iter().any(|known| known == name)
}

#[test]
fn each_test_that_a_page_names_is_there() {
    let all = functions();
    assert!(is_there(&all, "live::kills"));
    assert!(!is_there(&all, "live::thrills"));
    assert!(!is_there(&all, "live::kills::killed_at_no_moment"));
    for page in PAGES {
        let text = fs::read_to_string(project().join(page)).expect("it is there");
        // Of the map only the invariants name tests.
        let text = text.split("## To change X").next().unwrap_or_default();
        let named = named(text);
        assert!(named.len() > 10, "{page} names tests: {named:?}");
        for test in named {
            let is_code = ["protocol::Rules", "arena::lane"].contains(&&*test);
            assert!(is_code || is_there(&all, &test), "{page} names {test}");
        }
    }
}
