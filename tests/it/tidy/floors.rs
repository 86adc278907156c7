//! Rooms stand on floors: each imports only rooms below it.

use std::collections::BTreeSet;

use super::{code, files};
use crate::support::project;

/// The rooms, from the ground up. Each may import those before it.
const ROOMS: [&str; 37] = [
    // Ground.
    "nearest",
    "problem",
    "json_schema",
    "draw",
    // The words.
    "protocol",
    "panel",
    // People.
    "record",
    "source",
    "pool",
    "feedback",
    // Who decides, and what is measured.
    "policy",
    "score",
    // Play.
    "arena",
    "compare",
    "trace",
    "seat",
    // Outside.
    "nats",
    "feed",
    "journal",
    // What is asked for.
    "document",
    "catalog",
    "config",
    // Runs.
    "run",
    "examine",
    // Reports.
    "report",
    "drawing",
    "units",
    "fit",
    "init",
    // The papers.
    "presets",
    "reproduce",
    // Live.
    "looks",
    "watch",
    "web",
    "live",
    // What comes from outside, for tests.
    "hostile",
    // The command line.
    "cli",
];

/// The first folder or file below `src` on the way to a file.
fn room(path: &std::path::Path) -> String {
    let below = path
        .strip_prefix(project().join("src"))
        .expect("it is in src");
    let first = below.iter().next().expect("it has a name");
    first.to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// The rooms that a file names: what follows `crate::`, and `kleroterion::` in the command line,
/// also at the head of a tree of names.
fn named(text: &str, room: &str) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    let code: String = code(text).collect::<Vec<_>>().join("\n");
    let root = if room == "cli" {
        "kleroterion::"
    } else {
        "crate::"
    };
    for (at, _) in code.match_indices(root) {
        let rest = &code[at + root.len()..];
        assert!(
            !rest.starts_with('{'),
            "name each room in a line of its own: {root}{{"
        );
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        named.insert(rest.chars().take_while(|c| is_name(*c)).collect());
    }
    named
}

#[test]
fn each_room_imports_only_rooms_below_it() {
    let floor = |room: &str| ROOMS.iter().position(|known| *known == room);
    for (path, text) in files("") {
        let room = room(&path);
        let is_test = path
            .iter()
            .any(|name| name == "tests" || name == "tests.rs");
        if is_test || ["lib", "main"].contains(&&*room) {
            continue;
        }
        let own = floor(&room);
        assert!(own.is_some(), "{room} is on no floor: add it to ROOMS");
        for other in named(&text, &room) {
            let is_below = floor(&other) <= own;
            assert!(
                floor(&other).is_some() && is_below,
                "{} imports {other}, which is not below {room}",
                path.display()
            );
        }
    }
}
