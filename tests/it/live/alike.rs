//! Ids that differ by marks that are not seen: people see the difference wherever they read them.

use super::hidden::first_events;
use super::people::{HTTP, config};
use crate::support::process::{Place, ask, post};

/// Ids that look alike on a screen, each with what is read of it.
const ALIKE: [(&str, &str); 8] = [
    ("QX17", "QX17"),
    ("QX\\u200b17", "QX⟨U+200B⟩17"),
    ("QX17\\u200d", "QX17⟨U+200D⟩"),
    ("QX\\ufeff17", "QX⟨U+FEFF⟩17"),
    ("\\u202e71XQ", "⟨U+202E⟩71XQ"),
    ("QX\\u00ad17", "QX⟨U+00AD⟩17"),
    ("QX\\u206617\\u2069", "QX⟨U+2066⟩17⟨U+2069⟩"),
    ("QX\\u001b[8m17", "QX⟨U+001B⟩[8m17"),
];

/// Marks of which none is to come to a terminal or a page as it is.
const UNSEEN: [char; 9] = [
    '\u{200b}', '\u{200d}', '\u{feff}', '\u{202e}', '\u{ad}', '\u{2066}', '\u{2069}', '\u{1b}',
    '\u{7}',
];

#[test]
fn ids_that_look_alike_are_told_apart_wherever_people_read_them() {
    let place = Place::new();
    let board = "[board]\naddress = \"127.0.0.1:0\"\n";
    place.write("http.toml", &config(HTTP, "until = { rounds = 9 }", board));
    let mut run = place.start(&[
        "live",
        "http.toml",
        "--people",
        "--trace",
        "decisions",
        "--out",
        "run",
    ]);
    let (feed, board) = (run.feed(), run.board());
    let line = |(id, _): &(&str, &str)| format!("{{\"id\":\"{id}\",\"AGEP\":30,\"SEX\":\"1\"}}\n");
    let lines: String = ALIKE.iter().map(line).collect();
    assert_eq!(post(feed, "/v1/candidates", &lines)["accepted"], 8);
    std::thread::sleep(std::time::Duration::from_millis(800));
    let mut read = vec![
        ("board".to_owned(), ask(board, "GET", "/", "").1),
        ("events".to_owned(), first_events(board)),
    ];
    for round in 1..=ALIKE.len() {
        let (_, text) = ask(board, "GET", &format!("/v1/board/rounds/{round}"), "");
        read.push((format!("round {round}"), text));
    }
    let (_, stdout, stderr) = run.stop();
    read.extend([("stdout".to_owned(), stdout), ("stderr".to_owned(), stderr)]);
    for args in [
        &["trace", "run"][..],
        &["trace", "run", "--round", "2"],
        &["report", "run"],
    ] {
        let (code, stdout, stderr) = place.run(args);
        assert_eq!(code, Some(0), "{args:?}: {stderr}");
        read.extend([
            (format!("{args:?}"), stdout),
            (format!("{args:?}: stderr"), stderr),
        ]);
    }
    for (_, id) in ALIKE.iter().take(3) {
        // What an id is like is said where it is asked for, too.
        let (_, stdout, stderr) = place.run(&[
            "trace",
            "run",
            "--candidate",
            &id.replace("⟨U+200B⟩", "\u{200b}"),
        ]);
        read.extend([
            ("one".to_owned(), stdout),
            ("one: stderr".to_owned(), stderr),
        ]);
    }
    read.push(("report.html".to_owned(), place.read("run/report.html")));
    for (name, text) in &read {
        let unseen = UNSEEN.iter().find(|mark| text.contains(**mark));
        assert!(unseen.is_none(), "{name} has {unseen:?}: {text}");
    }
    // The page has the last of them, and the strip asks for each.
    let has = |name: &str, shown: &str| {
        let found = read.iter().find(|(one, _)| one == name);
        let (_, text) = found.unwrap_or_else(|| panic!("{name} was not read"));
        assert!(text.contains(shown), "{name} has no {shown:?}: {text}");
    };
    for (n, (_, shown)) in ALIKE.iter().enumerate() {
        has("[\"trace\", \"run\"]", shown);
        has(&format!("round {}", n + 1), shown);
    }
    for name in ["board", "events"] {
        has(name, ALIKE[7].1);
    }
    // Programs read them as they are.
    let people = place.read("run/people.csv");
    assert!(
        people.contains("QX\u{200b}17")
            && place.read("run/decisions.ndjson").contains("QX\u{200b}17")
    );
}
