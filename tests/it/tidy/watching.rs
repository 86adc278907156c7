//! Calls by which those who decide in a live run lead to those who watch it.

use std::path::{Path, PathBuf};

use super::{below, code, files};

/// What is said to those who watch: these calls alone lead from the run to them, and each returns
/// nothing.
const REPORTS: [&str; 14] = [
    "add",
    "came",
    "confirm",
    "enter",
    "fail",
    "note_acted",
    "note_acts",
    "note_refused",
    "note_shown",
    "note_slate",
    "set",
    "sub",
    "take_no_more",
    "take_over",
];

/// The names of a report.
const NAMES: [&str; 4] = ["Acts", "SlateStatus", "Stage", "Watched"];

/// The files that decide what is journaled, what counts and what lanes play, with their code.
pub(super) fn deciding() -> Vec<(PathBuf, String)> {
    let rooms = ["live/recorder", "live/notes", "acting", "outcomes"];
    let single = [
        "recorder", "notes", "past", "paced", "stream", "refusals", "rounds", "settled",
    ];
    let decides = |path: &PathBuf| {
        let is_test = path.ends_with("tests.rs");
        let in_room = rooms.iter().any(|room| path.starts_with(room));
        let is_one = |name: &&str| path.as_path() == Path::new(&format!("live/{name}.rs"));
        !is_test && (in_room || single.iter().any(is_one))
    };
    let all = files("live").into_iter();
    let ours = all.filter(|(path, _)| decides(&below(path)));
    let ours = ours.map(|(path, text)| (path, code(&text).collect::<Vec<_>>().join("\n")));
    ours.collect()
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What a text has after each place where a word stands alone.
fn after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    let places = text.match_indices(word);
    let alone = places.filter(move |(at, _)| {
        let end = at + word.len();
        !text[..*at].ends_with(is_name) && !text[end..].starts_with(is_name)
    });
    alone.map(move |(at, _)| &text[at + word.len()..])
}

/// The names that are read one after another: of `.a.b(c)` these are a and b.
fn chain(mut rest: &str) -> Vec<&str> {
    let mut names = Vec::new();
    while let Some(next) = rest.trim_start().strip_prefix('.') {
        let end = next.find(|c| !is_name(c)).unwrap_or(next.len());
        names.push(&next[..end]);
        rest = &next[end..];
    }
    names
}

/// What a text asks of those who watch, or takes from them.
pub(super) fn asked(text: &str) -> Vec<String> {
    let mut asked = Vec::new();
    for word in ["watched", "gauges"] {
        for rest in after(text, word) {
            let names = chain(rest);
            let is_told = match names.last() {
                // The name of a field or a binding; of the gauges each use is looked at.
                None | Some(&"gauges") => true,
                Some(last) => REPORTS.contains(last),
            };
            if !is_told {
                asked.push(format!("{word}.{}", names.join(".")));
            }
        }
    }
    for clone in ["clone(&self.watched", "clone(&watched"] {
        asked.extend(text.contains(clone).then(|| clone.to_owned()));
    }
    for rest in after(text, "crate::watch") {
        let names = rest.split([';', '}', '>']).next().unwrap_or_default();
        let names = names.trim_start_matches([':', '{']).split(',');
        let strange = names.map(str::trim).filter(|name| !NAMES.contains(name));
        asked.extend(strange.map(|name| format!("watch::{name}")));
    }
    asked
}

#[test]
fn what_is_asked_of_those_who_watch_is_found() {
    let told = "self\n.watched\n.gauges\n.left_out.add(1); let gauges = &self.watched.gauges; \
                gauges.commit.add(took, 1); use crate::watch::{Stage, Watched}; pub watched: \
                Arc<Watched>, over: watch::Sender<bool>, unwatched.get();";
    assert_eq!(asked(told), [""; 0]);
    for (text, known) in [
        (
            "self.watched.decisions.acted().await",
            "watched.decisions.acted",
        ),
        (
            "watched\n    .stage\n    .subscribe()",
            "watched.stage.subscribe",
        ),
        ("if gauges.accepted.get() > 0", "gauges.accepted.get"),
        ("let acting = watched.acting;", "watched.acting"),
        (
            "let seen = Arc::clone(&self.watched);",
            "clone(&self.watched",
        ),
        (
            "use crate::watch::decisions::Decisions;",
            "watch::decisions::Decisions",
        ),
        ("use crate::watch::{Stage, Taker};", "watch::Taker"),
    ] {
        assert_eq!(asked(text), [known]);
    }
}
