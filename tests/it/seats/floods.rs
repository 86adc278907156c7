//! A program that floods its standard error: klero's own is bounded, legible and of one form.

use super::{SEATED, exec};
use crate::support::terminal::{Terminal, said};

/// Says a hundred thousand lines that move a cursor and turn a text round, and one of a megabyte.
const FLOOD: &str = r#"read -r hello; echo '{"type":"ready"}'
yes "$(printf '\033[2Jline \342\200\256 of many\twords')" | head -n 100000 >&2
head -c 1000000 /dev/zero | tr '\0' x >&2
exit 3"#;

#[test]
fn what_a_program_floods_its_standard_error_with_is_cut_counted_and_legible() {
    let terminal = Terminal::new();
    terminal.put(
        "c.toml",
        SEATED.to_owned() + &exec("odd", &["sh", "-c", FLOOD]),
    );
    for log in ["text", "json"] {
        let args = ["run", "c.toml", "--replications", "2", "--log", log];
        let said = said(terminal.command(&args));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let text = &said.stderr;
        assert!(text.len() < 200_000, "{log}: {} bytes", text.len());
        assert!(
            text.contains("odd: ⟨U+001B⟩[2Jline ⟨U+202E⟩ of many    words"),
            "{text}"
        );
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{log}");
        assert!(
            text.contains(" lines more on its stderr"),
            "{log}: nothing is left out"
        );
        assert!(
            text.lines().all(|line| line.chars().count() < 1000),
            "{log}"
        );
        if log == "json" {
            for line in text.lines() {
                let read: Result<serde_json::Value, _> = serde_json::from_str(line);
                assert!(read.is_ok(), "{line}");
            }
        }
    }
}
