//! `klero init` at the door: what it says of every column and row, what it obeys, what it refuses.

mod asked;
mod cells;
mod door;
mod doubles;
mod live;
mod odd_cells;
mod quotas;
mod sixty;
mod surveys;
mod thirty;
mod town;
mod walk;
mod wrong;

use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal};

/// A text as Windows-1252, as far as its letters are in Latin-1.
fn cp1252(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u8).collect()
}

/// A text as a spreadsheet's "Unicode text".
fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// What `klero init` says of two files, or of one; the config is `my.toml`.
fn init(terminal: &Terminal, args: &[&str]) -> Said {
    terminal.klero(&[&["init"], args, &["-o", "my.toml", "--force"]].concat())
}

/// The config of `klero init`, which must run; and what was said.
fn config(terminal: &Terminal, args: &[&str]) -> (String, String) {
    let said = init(terminal, args);
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    said.stderr.says("next: klero");
    terminal.done(&["check", "my.toml"]);
    (terminal.read("my.toml"), said.stderr)
}

/// A header and 40 rows.
fn rows(header: &str, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..40).map(|at| row(at) + "\n").collect();
    format!("{header}\n{rows}")
}

fn sex(at: usize) -> &'static str {
    ["F", "M"][at * 7 / 3 % 2]
}
