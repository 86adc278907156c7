//! Names with marks that are not seen: what commands print and pages show spells them out.

use crate::support::terminal::Terminal;

/// A config whose names, labels, attributes and values have such marks.
const ODD: &str = r#"name = "na\u202Eme\u200B"
seed = 1
replications = 3
[source]
type = "file"
order = "shuffled"
path = "people.csv"
id = "id"
[source.attributes]
"s\u200Bex" = { column = "SEX", values = { "1" = "ma\u2066le", "2" = "fe\u00ADmale" } }
[target]
"s\u200Bex" = { "ma\u2066le" = 0.5, "fe\u00ADmale" = 0.5 }
[rules]
choose = "at_most_one"
until = { accepted = 4 }
[[policy]]
label = "qu\u202Eeue"
kind = "virtual_queue"
[[policy]]
label = "a\uFEFFll"
kind = "accept_all"
[report]
judge = ["selection_rate", "representation_loss"]
baseline = "a\uFEFFll"
"#;

fn unseen(text: &str) -> Option<String> {
    let marks = "\u{200b}\u{202e}\u{2066}\u{2067}\u{ad}\u{feff}";
    let at = text.find(|c| marks.contains(c))?;
    let about = text[..at]
        .char_indices()
        .rev()
        .nth(60)
        .map_or(0, |(at, _)| at);
    Some(
        text[about..]
            .escape_unicode()
            .to_string()
            .chars()
            .take(1500)
            .collect(),
    )
}

#[test]
fn what_commands_print_and_pages_show_has_no_mark_that_is_not_seen() {
    let terminal = Terminal::new();
    let person = |n: usize| format!("p\u{202e}{n}\u{2067},{}\n", 1 + n % 2);
    let people: String = (0..30).map(person).collect();
    terminal.put("people.csv", "id,SEX\n".to_owned() + &people);
    terminal.put("my.toml", ODD);
    let sweep = "rules.until.accepted=4,5";
    for (code, args) in [
        (0, &["check", "my.toml"][..]),
        (0, &["explain", "my.toml"]),
        (
            0,
            &[
                "run",
                "my.toml",
                "--people",
                "--trace",
                "decisions",
                "--out",
                "run",
            ],
        ),
        (
            0,
            &["run", "my.toml", "--format", "markdown", "--out", "second"],
        ),
        (
            0,
            &[
                "run", "my.toml", "--full", "--log", "json", "--out", "third",
            ],
        ),
        (0, &["run", "my.toml", "--sweep", sweep, "--out", "sweep"]),
        (0, &["report", "run"]),
        (0, &["report", "run", "--baseline", "qu\u{202e}eue"]),
        (0, &["report", "sweep"]),
        (0, &["trace", "run"]),
        (0, &["trace", "run", "--candidate", "p\u{202e}1\u{2067}"]),
        (0, &["trace", "run", "--candidate", "p\u{200b}1"]),
        (2, &["trace", "run", "--policy", "que\u{200b}ue"]),
        (
            2,
            &[
                "check",
                "my.toml",
                "--set",
                "rules.until.accepted=\"x\u{202e}\"",
            ],
        ),
        (2, &["check", "my\u{202e}.toml"]),
        (2, &["trace", "no\u{200b}where"]),
        (2, &["run", "my.toml", "--out", "run"]),
    ] {
        let said = terminal.exits(code, args);
        for text in [&said.stdout, &said.stderr] {
            let unseen = unseen(text);
            assert!(unseen.is_none(), "{args:?}: {unseen:?}");
        }
    }
    for folder in ["run", "run/figures", "sweep"] {
        let shown = |name: &String| name.ends_with(".html") || name.ends_with(".svg");
        for name in terminal.names(folder).iter().filter(|name| shown(name)) {
            let text = terminal.read(&format!("{folder}/{name}"));
            let unseen = unseen(&text);
            assert!(unseen.is_none(), "{folder}/{name}: {unseen:?}");
            assert!(text.contains("⟨U+"), "{folder}/{name} names no policy");
        }
    }
}
