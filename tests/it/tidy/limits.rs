//! The bounds of each crate lie in one file, `limits.rs`, each with its reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{code, files, sources};
use crate::support::project;

/// First words of the names of bounds. Solvers and drawings name their numbers otherwise.
const BOUNDS: [&str; 12] = [
    "MOST", "LONGEST", "LARGEST", "DEEPEST", "MAX", "LIMIT", "QUEUE", "WAITING", "DEADLINE",
    "TIMEOUT", "PATIENCE", "GRACE",
];

/// The types of bounds that are numbers.
const NUMBERS: [&str; 12] = [
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i32",
    "i64",
    "isize",
    "f32",
    "f64",
    "NonZeroUsize",
];

/// The files of bounds: one of each crate, and that of the command line.
fn of_bounds() -> Vec<PathBuf> {
    let folders = sources().into_iter().flat_map(|source| {
        let command_line = source.join("cli");
        [source, command_line]
    });
    let files = folders.map(|folder| folder.join("limits.rs"));
    files.filter(|file| file.is_file()).collect()
}

/// The name and the type of the constant that a line declares.
fn constant(line: &str) -> Option<(&str, &str)> {
    let (before, declared) = line.split_once("const ")?;
    let is_item = before.trim().is_empty() || before.trim_start().starts_with("pub");
    let (name, rest) = declared.split_once(": ")?;
    let is_name = name
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let kind = rest.split([' ', '=', ';']).next()?;
    (is_item && is_name).then_some((name, kind))
}

/// Returns true if a line has a bound that belongs into a file of bounds.
fn is_bound(line: &str) -> bool {
    let by_name = constant(line).is_some_and(|(name, kind)| {
        let first = name.split('_').next().unwrap_or_default();
        let is_time = kind.ends_with("Duration");
        is_time || NUMBERS.contains(&kind) && BOUNDS.contains(&first)
    });
    let number_after = |words: &str| {
        let mut found = line.split(words).skip(1);
        found
            .find_map(|rest| rest.chars().next()?.to_digit(10))
            .is_some()
    };
    let times = ["secs(", "millis(", "micros(", "nanos(", "mins(", "hours("];
    let mut times = times.iter().map(|unit| format!("Duration::from_{unit}"));
    // A channel for one message hands it over: that is no queue.
    let queue = number_after("channel(") && !line.contains("channel(1)");
    by_name || queue || times.any(|time| number_after(&time))
}

fn is_test(path: &Path) -> bool {
    path.iter()
        .any(|part| part == "tests" || part == "tests.rs")
}

#[test]
fn bounds_lie_in_the_file_of_bounds() {
    let theirs = of_bounds();
    assert!(theirs.len() > 8, "{theirs:?}");
    let mut elsewhere = Vec::new();
    for (path, text) in files("") {
        if !theirs.contains(&path) && !is_test(&path) {
            let lines = code(&text).filter(|line| is_bound(line));
            elsewhere.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }
    let elsewhere = elsewhere.join("\n");
    assert!(
        elsewhere.is_empty(),
        "move bounds to the crate's limits.rs, or name what bounds nothing otherwise:\n{elsewhere}"
    );
}

#[test]
fn each_bound_is_used_and_says_why() {
    let all = files("");
    for bounds in of_bounds() {
        let (_, text) = all
            .iter()
            .find(|(path, _)| *path == bounds)
            .expect("it is read");
        let lines: Vec<&str> = text.lines().collect();
        let mut names = BTreeSet::new();
        for (at, line) in lines.iter().enumerate() {
            let Some((name, _)) = constant(line) else {
                continue;
            };
            let mut before = lines[..at].iter().rev();
            let before = before.find(|line| !line.starts_with("#["));
            let is_said = before.is_some_and(|line| line.starts_with("///"));
            assert!(is_said, "{}: {name} has no doc", bounds.display());
            names.insert(name);
        }
        for (_, text) in all.iter().filter(|(path, _)| *path != bounds) {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.for_each(|word| {
                names.remove(word);
            });
        }
        // Some bound others of their file alone.
        names.retain(|name| text.matches(name).count() == 1);
        assert!(
            names.is_empty(),
            "{}: {names:?} bound nothing",
            bounds.display()
        );
    }
}

#[test]
fn each_file_of_bounds_is_on_its_map() {
    for bounds in of_bounds() {
        let path = bounds
            .strip_prefix(project())
            .expect("it is in the project");
        let folder = match path.starts_with("crates") {
            true => path.ancestors().nth(2),
            false => Some(Path::new("src")),
        };
        let readme = folder.expect("it is in a crate").join("README.md");
        let text = std::fs::read_to_string(project().join(&readme)).expect("it has a README");
        let cell = format!("`{}`", path.display());
        assert!(
            text.contains(&cell),
            "{} has no row {cell}",
            readme.display()
        );
    }
}

#[test]
fn bounds_are_seen() {
    let bounds = [
        "const MOST: usize = 3;",
        "    const LONGEST_NAME: u64 = 1 << 4;",
        "pub(super) const PAUSE: Duration = A;",
        "sleep(Duration::from_millis(50)).await;",
        "let (to, from) = mpsc::channel(16);",
    ];
    let others = [
        "const STEPS: usize = 3;",
        "const MOST_WORDS: &str = \"most\";",
        "const ALMOST: f64 = 1e-7;",
        "let (to, from) = mpsc::channel(1);",
        "mpsc::channel(MOST_WAITING);",
        "Duration::from_millis(due)",
        "pub const fn most(n: usize) {",
    ];
    assert_eq!(bounds.map(is_bound), [true; 5]);
    assert_eq!(others.map(is_bound), [false; 7]);
}
