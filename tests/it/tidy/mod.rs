//! The invariants of ARCHITECTURE.md that a look at the text can check.

mod circles;
mod dependencies;
mod limits;
mod maps;
mod outside;
mod promises;
mod public;
mod reference;
mod skips;
mod watching;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::project;

/// Every Rust file below a folder, with its text, in order of path.
fn rust(folder: &Path) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        let entries = fs::read_dir(folder).expect("the folder is there");
        for entry in entries {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("it is text");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, &mut found);
    found.sort();
    found
}

/// The folders `src` of the workspace: that of the root, then those of the crates.
fn sources() -> Vec<PathBuf> {
    let crates = fs::read_dir(project().join("crates")).expect("the folder is there");
    let crates = crates.map(|entry| entry.expect("it can be listed").path());
    let mut crates: Vec<PathBuf> = crates.collect();
    crates.push(project());
    crates.sort();
    crates
        .into_iter()
        .map(|folder| folder.join("src"))
        .collect()
}

/// The path of a file below the `src` that it lies in.
fn below(path: &Path) -> PathBuf {
    let mut sources = sources().into_iter();
    let below = sources.find_map(|source| path.strip_prefix(source).ok().map(Path::to_owned));
    below.expect("it is in a folder src")
}

/// Every Rust file of a room, with its text: of a crate, of a folder of one, or, with no name, of
/// the workspace.
fn files(room: &str) -> Vec<(PathBuf, String)> {
    let own = project().join("crates").join(room).join("src");
    let folders: Vec<PathBuf> = match (room, own.is_dir()) {
        ("", _) => sources(),
        (_, true) => vec![own],
        _ => {
            let rooms = sources().into_iter().map(|source| source.join(room));
            rooms.filter(|folder| folder.is_dir()).collect()
        }
    };
    assert!(!folders.is_empty(), "{room} is no room");
    folders.iter().flat_map(|folder| rust(folder)).collect()
}

/// The lines of a file that are code: no comments, nothing from its unit tests on.
fn code(text: &str) -> impl Iterator<Item = &str> {
    const TESTS: &str = "#[cfg(test)]\nmod ";
    let has_body = |at: &usize| {
        let name = text[at + TESTS.len()..].lines().next();
        name.is_some_and(|name| name.ends_with('{'))
    };
    let tests = text.match_indices(TESTS).map(|(at, _)| at).find(has_body);
    text[..tests.unwrap_or(text.len())]
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

#[track_caller]
fn never(folder: &str, words: &[&str], except: &[&str]) {
    for (path, text) in files(folder) {
        if except.iter().any(|end| path.ends_with(end)) {
            continue;
        }
        for line in code(&text) {
            for word in words {
                assert!(
                    !line.contains(word),
                    "{} has {word}: {line}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn draws_import_nothing_of_ours() {
    for (path, text) in files("draw") {
        // The bounds are numbers alone.
        for line in code(&text).filter(|line| !line.contains("use crate::limits::")) {
            let ours = ["use crate::", "kleroterion_"];
            let imports = ours.iter().any(|word| line.contains(word));
            assert!(!imports, "{}: {line}", path.display());
        }
    }
}

#[test]
fn the_protocol_imports_draws_alone() {
    for (path, text) in files("protocol") {
        for line in code(&text).filter(|line| line.contains("use crate::")) {
            assert!(
                ["use crate::draw", "use crate::limits::"]
                    .iter()
                    .any(|of| line.contains(of)),
                "{}: {line}",
                path.display()
            );
        }
    }
}

#[test]
fn what_decides_and_measures_knows_no_runtime() {
    for folder in [
        "policies",
        "feedback",
        "pool",
        "score",
        "stats",
        "protocol",
        "draw",
        "record",
        "people",
        "source",
        "sortition",
        "fit",
    ] {
        never(folder, &["tokio"], &[]);
    }
}

#[test]
fn only_the_rooms_of_actors_spawn_tasks() {
    let rooms = ["arena", "feed", "live", "seat", "web"];
    for (path, text) in files("") {
        if !rooms.iter().any(|room| below(&path).starts_with(room)) {
            let spawns = code(&text).any(|line| line.contains("tokio::spawn"));
            assert!(!spawns, "{} spawns", path.display());
        }
    }
}

#[test]
fn who_watches_never_writes_back() {
    // The board and the followers read; people go in by the recorder alone.
    never("web", &["kleroterion_run::run::"], &[]);
    let back = [
        "crate::acting",
        "crate::live",
        "Acting::",
        "LiveNotes",
        "Recorder",
        "kleroterion_io::journal",
    ];
    never("watch", &back, &[]);
    never("web", &back, &[]);
    never("journal", &["arena::"], &[]);
    // What counts, what is journaled and what lanes play asks nothing of those who watch.
    let deciding = watching::deciding();
    assert!(deciding.len() > 12, "{deciding:?}");
    for (path, text) in deciding {
        assert_eq!(watching::asked(&text), [""; 0], "{}", path.display());
    }
}

#[test]
fn reports_never_write_back() {
    let words = ["kleroterion_core::arena", "kleroterion_run::run::"];
    for (path, text) in files("report") {
        let is_read = below(&path).starts_with("report") && !path.ends_with("own_measures.rs");
        for line in code(&text).filter(|_| is_read) {
            let writes = words.iter().any(|word| line.contains(word));
            assert!(!writes, "{}: {line}", path.display());
        }
    }
}

#[test]
fn no_hash_map_clock_or_foreign_randomness_near_a_result() {
    for folder in [
        "core", "policies", "stats", "record", "people", "seat", "run", "fit",
    ] {
        let words = [
            "HashMap",
            "HashSet",
            "Instant::now",
            "SystemTime",
            "rand::rng(",
            "thread_rng",
        ];
        let except: &[&str] = match folder {
            // An examiner wants to know how long a program takes; its results are no run's.
            "seat" => &["exec.rs"],
            // What was played is synced each second.
            "run" => &["played.rs"],
            _ => &[],
        };
        never(folder, &words, except);
    }
}

#[test]
fn queues_are_bounded() {
    never("", &["unbounded_channel", "mpsc::channel()"], &[]);
}

#[test]
fn act_is_called_in_one_place() {
    let mut calls = Vec::new();
    for (path, text) in files("") {
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        let lines = code(&text).filter(|line| !is_test && line.contains(".act("));
        calls.extend(lines.map(|line| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{file}: {}", line.trim())
        }));
    }
    calls.sort();
    // Seats ask policies, one for the blind and one for the sighted; the lane asks the seat, a policy
    // around another one passes the view on, and so does a seat that is overheard.
    let expected = [
        "elsewhere.rs: let act = self.seat.act(view, truth);",
        "expected.rs: self.policy.act(&mut view.showing(slate, files, answers))",
        "informed.rs: let answer = self.order.translated(self.policy.act(&mut shown));",
        "lane.rs: let act = seat.act(&mut view, &truth);",
        "seat.rs: Act::Moves(self.0.act(view))",
        "seat.rs: Act::Moves(self.0.act(view, truth))",
        "shuffled.rs: let by_places = self.policy.act(&mut shown);",
    ];
    assert_eq!(calls, expected);
}

#[test]
fn what_leads_to_the_truth_or_the_seed_is_never_printed() {
    for (path, text) in files("protocol").into_iter().chain(files("draw")) {
        let code: Vec<&str> = code(&text).collect();
        for (at, line) in code.iter().enumerate() {
            let secret = [
                "pub struct View<",
                "pub struct Person<",
                "pub struct Truth",
                "pub struct Outcome",
                "pub struct Seal",
                "pub struct Key",
                "pub struct Draw",
            ];
            if secret.iter().any(|name| line.starts_with(name)) {
                let derive = code[..at]
                    .iter()
                    .rev()
                    .take(2)
                    .find(|line| line.contains("derive"));
                let is_shown =
                    derive.is_some_and(|d| d.contains("Debug") || d.contains("Serialize"));
                assert!(!is_shown, "{}: {line} is printable", path.display());
            }
        }
    }
}
