//! Draws and commitments as klero made them when the whole file of people was among the inputs.

use std::fs;
use std::path::Path;

use super::{all, column, record};
use crate::support::project;
use crate::support::terminal::{Terminal, typed};

fn copied(terminal: &Terminal, from: &Path, to: &str) {
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        let to = format!("{to}/{name}");
        match path.is_dir() {
            true => copied(terminal, &path, &to),
            false => terminal.put(&to, fs::read(&path).expect("a file")),
        }
    }
}

/// A place with these folders: `fair` is a draw by a lottery, `second` one after another draw,
/// `committed` is not drawn yet.
fn place() -> Terminal {
    let terminal = Terminal::new();
    copied(
        &terminal,
        &project().join("tests/it/cli/draw/schema-1"),
        ".",
    );
    terminal
}

/// The lines of a check that say that something differs, apart from the page, whose looks change.
fn differing(terminal: &Terminal, args: &[&str]) -> Vec<String> {
    let said = terminal.klero(&[&["draw", "verify"], args].concat());
    assert!(matches!(said.code, Some(0 | 1)), "{}", said.stderr);
    assert!(
        said.stdout.contains("drawn again"),
        "{}{}",
        said.stdout,
        said.stderr
    );
    let wrong = said.stdout.lines().filter(|line| line.starts_with("NO"));
    let wrong = wrong.filter(|line| !line.contains("index.html"));
    wrong.map(str::to_owned).collect()
}

#[test]
fn they_are_checked_as_they_were_made() {
    let terminal = place();
    for folder in ["fair", "second"] {
        assert_eq!(differing(&terminal, &[folder]), [""; 0], "{folder}");
        let known = [folder, "--respondents", "town.csv"];
        assert_eq!(differing(&terminal, &known), [""; 0], "{folder}");
    }
    let panel = terminal.read("fair/panel.csv");
    assert!(panel.contains(";=HYPERLINK(x)"), "rows as they were");
    terminal.put(
        "fair/panel.csv",
        panel.replacen("=HYPERLINK", "'=HYPERLINK", 1),
    );
    assert_eq!(differing(&terminal, &["fair"]).len(), 1);
}

#[test]
fn a_commitment_is_drawn_from_as_it_was_made() {
    let terminal = place();
    terminal.done(&["draw", "committed", "--seed-from", "4 8 15 16"]);
    assert_eq!(record(&terminal, "committed")["committed"]["schema"], 1);
    assert_eq!(differing(&terminal, &["committed"]), [""; 0]);
    assert!(
        terminal
            .read("committed/inputs/people.csv")
            .contains("example.org")
    );
    assert!(!terminal.path("committed/original.txt").exists());
    // Who steps in is asked of it too, and its files are listed.
    let said = terminal.klero(&["draw", "committed", "--leave", "2"]);
    assert!(said.stdout.contains("member 2 ("), "{}", said.stderr);
    let said = terminal.done(&["draw", "files", "committed"]);
    let mut lines = said.lines();
    let people = lines.find(|line| line.starts_with("inputs/people.csv"));
    assert!(
        people.is_some_and(|line| line.contains("all that your file has")),
        "{said}"
    );
    // A second draw knows the same people by the same codes.
    let panel = terminal.read("committed/panel.csv");
    terminal.put(
        "stay.csv",
        panel.split_inclusive('\n').take(6).collect::<String>(),
    );
    let after = typed("draw --after committed --keep stay.csv --seed-from 'a b c'");
    terminal.done(&[&after[..], &["--out", "two"]].concat());
    let codes = |folder: &str| column(&terminal, &format!("{folder}/panel.csv"), "code");
    assert_eq!(codes("committed")[..5], codes("two")[..5]);
    assert_eq!(differing(&terminal, &["two"]), [""; 0]);
    assert!(all(&terminal, "two").len() > 10);
}
