//! Mutations of valid examples, for tests with hostile input.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;

/// Words that mean something somewhere.
const WORDS: [&str; 28] = [
    "\n",
    "\r\n",
    "\0",
    "\u{feff}",
    "\"",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    ";",
    "null",
    "true",
    "-1",
    "1e999",
    "0.1",
    "18446744073709551616",
    "NaN",
    "é",
    "\u{202e}",
    "HTTP/1.1",
    "Content-Length: ",
    "Transfer-Encoding: chunked",
    " = ",
    "data",
];

/// A change of some bytes. Places are shares of the length.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// A byte becomes another.
    Set(Index, u8),
    /// A word is put in.
    Insert(Index, usize),
    /// The bytes between two places are removed.
    Cut(Index, Index),
    /// The bytes between two places are repeated, up to some hundreds of times.
    Repeat(Index, Index, u16),
    /// The rest comes from another example.
    Splice(Index, Index),
}

/// The inputs of the tests: changed examples, and arbitrary bytes.
pub(super) fn inputs(examples: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    // Long inputs take the time of many short ones, and show little more.
    let times = prop_oneof![31 => 1..8_u16, 1 => 8..300_u16];
    let change = prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (any::<Index>(), 0..WORDS.len()).prop_map(|(at, word)| Change::Insert(at, word)),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Change::Cut(from, to)),
        (any::<Index>(), any::<Index>(), times)
            .prop_map(|(from, to, times)| Change::Repeat(from, to, times)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, other)| Change::Splice(at, other)),
    ];
    let changed = (any::<Index>(), prop::collection::vec(change, 0..6));
    let changed = changed.prop_map(move |(which, changes)| {
        let first = which.get(&examples).clone();
        let changed = |bytes, change| apply(bytes, &change, &examples);
        changes.into_iter().fold(first, changed)
    });
    prop_oneof![15 => changed, 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

/// The longest input: longer ones add time alone.
const INPUT_BYTES: usize = 1 << 16;

fn apply(mut bytes: Vec<u8>, change: &Change, examples: &[Vec<u8>]) -> Vec<u8> {
    let place = |at: &Index| at.index(bytes.len() + 1);
    let between = |one: &Index, other: &Index| {
        let (one, other) = (place(one), place(other));
        one.min(other)..one.max(other)
    };
    match change {
        Change::Set(at, byte) => {
            let at = place(at);
            if let Some(old) = bytes.get_mut(at) {
                *old = *byte;
            }
        }
        Change::Insert(at, word) => {
            let at = place(at);
            bytes.splice(at..at, WORDS[*word].bytes());
        }
        Change::Cut(from, to) => drop(bytes.drain(between(from, to))),
        Change::Repeat(from, to, times) => {
            let range = between(from, to);
            let again = bytes[range.clone()].repeat(usize::from(*times));
            bytes.splice(range, again);
        }
        Change::Splice(at, other) => {
            bytes.truncate(place(at));
            let other = other.get(examples);
            bytes.extend_from_slice(&other[at.index(other.len() + 1)..]);
        }
    }
    bytes.truncate(INPUT_BYTES);
    bytes
}

/// The files of a folder of the project.
pub(super) fn examples(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let read = |path| fs::read(path).expect("it can be read");
    paths
        .into_iter()
        .filter(|path| path.is_file())
        .map(read)
        .collect()
}
