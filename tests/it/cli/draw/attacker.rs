//! An attacker who has all that draws publish and a list of a million people, the members among them.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::hashes::hashes;
use super::{column, draw, record};
use crate::support::long;
use crate::support::terminal::{Terminal, typed};

/// How many candidates there are: a million in the long form, few in a build without optimisation.
fn many() -> u32 {
    match (long() > 1, cfg!(debug_assertions)) {
        (true, _) => 1_000_000,
        (false, false) => 200_000,
        (false, true) => 3_000,
    }
}

/// The respondents are every so manieth of them.
fn every() -> u32 {
    many() / 25
}

/// A candidate's id and row.
fn candidate(k: u32) -> (String, String) {
    let id = format!("QX-{k:07}");
    let (sex, age) = (
        ["F", "M"][(k / every() % 2) as usize],
        ["young", "old"][(k % 3 / 2) as usize],
    );
    let row = format!("{id},{sex},{age}");
    (id, row)
}

const HEAD: &str = "Id,Sex,Age\n";

/// The bytes that may have been hashed of a candidate alone: an id, a row, a list or a table of one.
fn guesses((id, row): &(String, String)) -> Vec<String> {
    let lists = ["", "id\n", "Id\n", "code\n", "klero draw codes 1\n"];
    let lists = lists.map(|head| format!("{head}{id}"));
    let tables = ["", HEAD, "klero draw files 1\n"].map(|head| format!("{head}{row}"));
    let panel = ["order,Id,Sex,Age\n1,", "order,code,Id,Sex,Age\n1,"];
    let panel = panel.map(|head| format!("{head}{row}"));
    let all = lists.into_iter().chain(tables).chain(panel);
    all.flat_map(|text| [format!("{text}\n"), format!("{text}\r\n"), text])
        .collect()
}

/// The bytes that hexadecimal digits write.
fn written(digits: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// What the attacker has of some draws.
struct Published {
    hashes: BTreeSet<[u8; 32]>,
    /// The codes of people, as the bytes that they write.
    codes: BTreeSet<Vec<u8>>,
}

impl Published {
    fn of(terminal: &Terminal, folders: &[&str]) -> Self {
        let texts = folders.iter().flat_map(|folder| hashes(terminal, folder));
        let hashes = texts.map(|text| written(&text).try_into().expect("32 bytes"));
        let codes = folders
            .iter()
            .filter(|folder| terminal.path(&format!("{folder}/draw.json")).exists());
        let codes = codes.flat_map(|folder| {
            let record = record(terminal, folder);
            let lists = ["panel", "alternates"].map(|name| record[name].as_array().cloned());
            lists.into_iter().flatten().flatten()
        });
        Self {
            hashes: hashes.collect(),
            codes: codes
                .map(|code| written(code.as_str().expect("a code")))
                .collect(),
        }
    }

    /// Whether a candidate is told by a hash or a code.
    fn tells(&self, one: &(String, String)) -> bool {
        let is_hashed = |guess: &String| {
            let sha256: [u8; 32] = Sha256::digest(guess).into();
            self.hashes.contains(&sha256)
        };
        // A code is a hash of an id.
        let bytes = self.codes.first().map_or(0, Vec::len);
        let sha256: [u8; 32] = Sha256::digest(&one.0).into();
        let codes = [sha256, *blake3::hash(one.0.as_bytes()).as_bytes()];
        let is_coded = codes.iter().any(|code| self.codes.contains(&code[..bytes]));
        is_coded || guesses(one).iter().any(is_hashed)
    }

    /// The candidates that are found, by their numbers.
    fn found(&self) -> Vec<u32> {
        let half = many() / 2;
        let search = |from, to| {
            (from..to)
                .filter(|k| self.tells(&candidate(*k)))
                .collect::<Vec<_>>()
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(|| search(half, many()));
            let mut found = search(0, half);
            found.extend(other.join().expect("it ends"));
            found
        })
    }
}

/// Draws of two people of 25: a panel, one after a member left, one by a commitment, numbered panels.
fn drawn() -> Terminal {
    let terminal = Terminal::new();
    let rows = (0..25).map(|k| candidate(k * every()).1 + "\n");
    terminal.put("people.csv", HEAD.to_owned() + &rows.collect::<String>());
    terminal.put(
        "quotas.csv",
        "category,name,min,max\nSex,F,1,1\nSex,M,1,1\n",
    );
    terminal.put(
        "my.toml",
        "name = \"two\"\n[source]\ntype = \"respondents\"\npath = \"people.csv\"\nid = \"Id\"\n[target]\n\
         categories = \"quotas.csv\"\n[rules]\nchoose = \"at_most_one\"\nuntil = { accepted = 2 }\n\
         [[policy]]\nlabel = \"first\"\nkind = \"quota_lookahead\"\n\
         [[policy]]\nlabel = \"fair\"\nkind = \"leximin\"\n",
    );
    terminal.done(&draw("1", "one"));
    let panel = terminal.read("one/panel.csv");
    let stays: String = panel.split_inclusive('\n').take(2).collect();
    terminal.put("stays.csv", stays);
    let gone = column(&terminal, "one/remaining.csv", "Id")[0].clone();
    terminal.put("gone.csv", format!("{gone}\n"));
    let second = "draw --after one --keep stays.csv --without gone.csv --seed-from 2 --out two";
    terminal.done(&typed(second));
    terminal.done(&typed(
        "draw commit my.toml --policy fair --randomness r --out three",
    ));
    terminal.done(&typed("draw three --seed-from 3 --chances 5"));
    terminal.done(&typed(
        "draw numbered my.toml --policy fair --panels 10 --randomness r --out four",
    ));
    terminal.done(&typed("draw four --number 7"));
    terminal
}

#[test]
fn no_member_is_found_by_who_has_the_public_files_and_a_list_of_all() {
    let terminal = drawn();
    let mut published = Published::of(&terminal, &["one", "two", "three", "four"]);
    assert!(published.hashes.len() > 15 && published.codes.len() >= 4);
    assert_eq!(published.found(), [0; 0]);
    // The attacker finds whom a plain hash tells.
    let (id, row) = candidate(7 * every());
    let (other, _) = candidate(11 * every());
    for plain in [format!("{id}\n"), format!("{HEAD}{row}\n"), row] {
        let hash: [u8; 32] = Sha256::digest(&plain).into();
        published.hashes.insert(hash);
        assert!(published.tells(&candidate(7 * every())), "{plain}");
        published.hashes.remove(&hash);
    }
    let code = blake3::hash(other.as_bytes());
    let bytes = published.codes.first().expect("a code").len();
    published.codes.insert(code.as_bytes()[..bytes].to_vec());
    assert!(published.tells(&candidate(11 * every())));
    assert!(!published.tells(&candidate(12 * every())));
}
