//! The maps lead to files that exist: ARCHITECTURE.md, DEVELOPERS.md and the README of each crate.

use std::fs;

use crate::support::project;

/// The beginnings of paths from the root of the project.
const ROOTS: [&str; 9] = [
    "crates/",
    "src/",
    "tests/",
    "docs/",
    "examples/",
    "configs/",
    "benches/",
    "fuzz/",
    ".ci/",
];

/// Names in the place of one folder or file of many: `crates/policies/src/SETTING/NAME.rs`.
const ANY: [&str; 8] = [
    "*", "CRATE", "FAMILY", "KIND", "NAME", "PAPER", "SETTING", "STUDY",
];

/// The head of the table that each README has.
const HEAD: &str = "| to change | go to |";

fn page(path: &str) -> String {
    let read = fs::read_to_string(project().join(path));
    read.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The folders of the crates, in order.
fn crates() -> Vec<String> {
    let listed = fs::read_dir(project().join("crates")).expect("the folder is there");
    let names = listed.map(|entry| entry.expect("it can be listed").file_name());
    let mut crates: Vec<String> = names
        .map(|name| format!("crates/{}", name.to_string_lossy()))
        .collect();
    crates.sort();
    crates
}

/// The READMEs with a table of places: one of each crate, and that of the root package.
fn readmes() -> Vec<String> {
    let mut folders = crates();
    folders.push("src".into());
    let readme = |folder: String| format!("{folder}/README.md");
    folders.into_iter().map(readme).collect()
}

/// The paths between backticks in a text. Blocks of code have blanks, so they are left out.
fn paths(text: &str) -> Vec<&str> {
    let code = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        let begins = ROOTS.iter().any(|root| word.starts_with(root));
        begins && !word.contains(char::is_whitespace)
    };
    code.filter(is_path).collect()
}

/// Returns true if a path exists; of a path for any of many, the folder that has them.
fn exists(path: &str) -> bool {
    let is_any = |name: &&str| {
        let stem = name.split('.').next().unwrap_or_default();
        ANY.contains(&stem)
    };
    let fixed: Vec<&str> = path.split('/').take_while(|name| !is_any(name)).collect();
    project().join(fixed.join("/")).exists()
}

/// The rows of a README's table: the cells of each.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().skip_while(|line| *line != HEAD).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").collect())
        .collect()
}

#[test]
fn each_path_of_a_map_exists() {
    assert!(exists("crates/core/src/CRATE/nowhere") && exists("configs/NAME.toml"));
    assert!(!exists("crates/core/src/nowhere.rs") && !exists("src/nowhere/NAME.rs"));
    let mut maps = readmes();
    maps.extend(["ARCHITECTURE.md", "DEVELOPERS.md"].map(str::to_owned));
    for map in maps {
        let text = page(&map);
        let paths = paths(&text);
        assert!(paths.len() > 5, "{map} names paths: {paths:?}");
        for path in paths {
            assert!(exists(path), "{map} names {path}, which does not exist");
        }
    }
}

#[test]
fn the_architecture_is_short_and_names_each_crate() {
    let text = page("ARCHITECTURE.md");
    let lines = text.lines().count();
    assert!(lines <= 80, "ARCHITECTURE.md has {lines} lines");
    for folder in crates() {
        let row = format!("| `{folder}` |");
        assert!(text.contains(&row), "ARCHITECTURE.md has no row {row}");
    }
}

#[test]
fn each_readme_has_a_question_a_row_and_one_path() {
    for readme in readmes() {
        let text = page(&readme);
        let lines = text.lines().count();
        assert!((20..=60).contains(&lines), "{readme} has {lines} lines");
        let rows = rows(&text);
        assert!(rows.len() > 5, "{readme} has no rows below {HEAD}");
        for row in rows {
            let named = row.last().map_or(0, |cell| paths(cell).len());
            assert!(
                row.len() == 2 && named == 1 && paths(row[0]).is_empty(),
                "{readme}: a row is a question and one path: {row:?}"
            );
        }
    }
}
