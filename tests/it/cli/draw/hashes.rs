//! No hash in a public file can be tried against the people it may be of.

use std::collections::BTreeSet;

use kleroterion::drawing::{FileAudience, draw_file};

use super::public::config;
use super::{all, column, draw, sha256};
use crate::support::terminal::Terminal;

/// The hashes in a draw's public files.
pub fn hashes(terminal: &Terminal, folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (name, bytes) in all(terminal, folder) {
        if draw_file(&name).is_some_and(|file| file.audience == FileAudience::Public) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let words = text.split(|c: char| !c.is_ascii_hexdigit());
            found.extend(words.filter(|word| word.len() == 64).map(str::to_owned));
        }
    }
    assert!(found.len() > 3, "{folder} has hashes");
    found
}

/// Whoever has the public files and a list of all who may be in the private ones tries every panel
/// and every list: no hash is that of one of them.
#[test]
fn a_hash_in_a_public_file_cannot_be_tried() {
    let terminal = Terminal::new();
    let line = |k: usize| {
        format!(
            "QX-{k:02},{},{}\n",
            ["F", "M"][k % 2],
            ["young", "old"][k % 3 / 2]
        )
    };
    let head = "Id,Sex,Age\n";
    terminal.put(
        "people.csv",
        head.to_owned() + &(0..25).map(line).collect::<String>(),
    );
    terminal.put(
        "quotas.csv",
        "category,name,min,max\nSex,F,1,1\nSex,M,1,1\n",
    );
    terminal.put("my.toml", config("Id", "", "").replace("= 12", "= 2"));
    terminal.done(&draw("1", "one"));
    let panel = terminal.read("one/panel.csv");
    terminal.put(
        "stay.csv",
        panel.split_inclusive('\n').take(2).collect::<String>(),
    );
    let gone = column(&terminal, "one/remaining.csv", "Id")[0].clone();
    terminal.put("gone.csv", format!("Id\n{gone}\n"));
    terminal.done(&[
        "draw",
        "--after",
        "one",
        "--keep",
        "stay.csv",
        "--without",
        "gone.csv",
        "--seed-from",
        "2",
        "--out",
        "two",
    ]);
    for folder in ["one", "two"] {
        let public = hashes(&terminal, folder);
        for (name, bytes) in all(&terminal, folder) {
            // All of the people's file is needed to try it.
            let file = draw_file(&name).unwrap_or_else(|| panic!("{name} has a line"));
            if file.people.is_some() && name != "inputs/people.csv" {
                assert!(
                    !public.contains(&sha256(&bytes)),
                    "{folder}/{name} can be tried"
                );
            }
        }
        let panels = (0..25).flat_map(|a| (0..25).map(move |b| (a, b)));
        let panels = panels.map(|(a, b)| format!("{head}{}{}", line(a), line(b)));
        let of =
            |name: &str, column_of: &str| column(&terminal, &format!("{folder}/{name}"), column_of);
        let codes = of("panel.csv", "code")
            .into_iter()
            .chain(of("passed-over.csv", "code"));
        let names = codes.chain((0..25).map(|k| format!("QX-{k:02}")));
        let heads = ["", "id\n", "Id\n", "code\n"];
        let lists = names.flat_map(|name| {
            heads.map(|head| [format!("{head}{name}\n"), format!("{head}{name}")])
        });
        let mut tried = 0;
        for text in panels.chain(lists.flatten()) {
            assert!(!public.contains(&sha256(&text)), "{folder}: {text}");
            tried += 1;
        }
        assert!(tried > 900);
    }
}
