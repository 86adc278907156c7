//! `klero draw`: the one real panel, commitments to it, second draws, and what checks them.

mod again;
mod attacker;
mod columns;
mod commitments;
mod doubles;
mod dropout;
mod files;
mod hashes;
mod held;
mod leave;
mod lists;
mod numbered;
mod older;
mod once;
mod page;
mod pairs;
mod private;
mod public;
mod rule;
#[cfg(unix)]
mod tampered;
mod verified;
mod wrong;

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::support::terminal::{Said, Terminal};

/// Sixty people of a town, in forty homes, their rows with quotes and semicolons.
pub fn people() -> String {
    let mut text = "\u{feff}id;Sex;Age;Remark;Home\r\n".to_owned();
    for k in 0..60 {
        let (sex, age) = (["F", "M"][k % 2], ["young", "old", "OLD "][k % 3]);
        text += &format!(
            "p{k:02};{sex};{age};\"says; \"\"{k}\"\"\";secret street {}\r\n",
            k % 40
        );
    }
    text
}

/// Quotas for twelve members.
pub const QUOTAS: &str =
    "category,name,min,max\nsex,F,5,7\nsex,M,5,7\nage,young,3,6\nage,old,6,9\n";

/// Twelve members of these people, one of each home; the quotas are the caps of greedy.
pub const CONFIG: &str = r#"name = "a town's panel"
seed = 5
replications = 10
[source]
type = "respondents"
path = "town.csv"
id = "id"
[target]
categories = "quotas.csv"
[rules]
choose = "at_most_one"
until = { accepted = 12 }
unique = ["Home"]
[[policy]]
label = "first"
kind = "quota_lookahead"
[[policy]]
label = "all, really"
kind = "accept_all"
[report]
at = [4, 12]
judge = ["seats_off"]
baseline = "first"
"#;

/// A folder with this town.
pub fn town() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("town.csv", people());
    terminal.put("quotas.csv", QUOTAS);
    terminal.put("my.toml", CONFIG);
    terminal
}

/// Draws the town's panel into a folder.
#[track_caller]
pub fn drawn(terminal: &Terminal, seed: &str, out: &str) -> Said {
    terminal.exits(0, &draw(seed, out))
}

/// The arguments that draw it.
pub fn draw<'a>(seed: &'a str, out: &'a str) -> [&'a str; 8] {
    let policy = "first";
    [
        "draw",
        "my.toml",
        "--policy",
        policy,
        "--seed-from",
        seed,
        "--out",
        out,
    ]
}

/// The rows of a table of a draw, as cells by column.
pub fn rows(terminal: &Terminal, path: &str) -> Vec<BTreeMap<String, String>> {
    let text = terminal.read(path);
    let head = text.lines().next().unwrap_or_default();
    let delimiter = [';', '\t'].into_iter().find(|mark| head.contains(*mark));
    let delimiter = delimiter.map_or(b',', |mark| mark as u8);
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.delimiter(delimiter).from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = |row: csv::StringRecord| {
        let cells = header.iter().zip(&row);
        cells
            .map(|(name, cell)| (name.to_owned(), cell.trim().to_owned()))
            .collect()
    };
    reader
        .records()
        .map(|record| row(record.expect("a row")))
        .collect()
}

/// A column of a table of a draw.
pub fn column(terminal: &Terminal, path: &str, name: &str) -> Vec<String> {
    let rows = rows(terminal, path).into_iter();
    rows.map(|mut row| row.remove(name).unwrap_or_else(|| panic!("{path}: {name}")))
        .collect()
}

/// The record of a draw.
pub fn record(terminal: &Terminal, folder: &str) -> Value {
    let text = terminal.read(&format!("{folder}/draw.json"));
    serde_json::from_str(&text).expect("JSON")
}

/// The SHA-256 of a text, in hexadecimal.
pub fn sha256(text: impl AsRef<[u8]>) -> String {
    let digest = Sha256::digest(text);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All files below a folder by their paths, as their bytes.
pub fn all(terminal: &Terminal, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for name in terminal.names(folder) {
        let path = format!("{folder}/{name}");
        if terminal.path(&path).is_dir() {
            found.extend(
                all(terminal, &path)
                    .into_iter()
                    .map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)),
            )
        } else {
            let bytes = std::fs::read(terminal.path(&path)).expect("a file");
            found.insert(name, bytes);
        }
    }
    found
}
