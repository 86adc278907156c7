//! What is no config at all: broken TOML, other files.

use super::{Page, SOUND, refusal, with};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

#[test]
fn broken_toml() {
    let mut page = Page::default();
    for (name, edits) in [
        (
            "a value without quotes, and a comma for a point",
            &[
                ("\"small\"", "small"),
                ("tolerance = 0.05", "tolerance = 0,05"),
            ][..],
        ),
        (
            "a list that is never closed",
            &[("at = [5, 10]", "at = [5, 10")],
        ),
        ("a key given twice", &[("seed = 1", "seed = 1\nseed = 2")]),
        (
            "dates and times",
            &[("seed = 1", "seed = 1979-05-27\nwhen = 07:32:00")],
        ),
        ("nan", &[("tolerance = 0.05", "tolerance = nan")]),
        (
            "numbers beyond all bounds",
            &[
                ("seed = 1", "seed = 99999999999999999999"),
                ("0.05\n", "1e999\n"),
                ("replications = 4", "replications = 0x1_0000_0000_0000_0000"),
            ],
        ),
        ("a number with digits on one side", &[("0.05\n", ".05\n")]),
    ] {
        page.edited(name, SOUND, edits);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn no_config_at_all() {
    let mut page = Page::default();
    let terminal = Terminal::new();
    terminal.put("empty.toml", "");
    terminal.put("blank.toml", " \n\t\n# only a remark\n");
    terminal.put("latin.toml", b"name = \"caf\xe9\"\n");
    terminal.put("people.csv", super::ROWS);
    terminal.put("folder/my.toml", SOUND);
    terminal.put(
        "deep.toml",
        format!("name = {}1{}\n", "[".repeat(1000), "]".repeat(1000)),
    );
    terminal.put("nul.toml", b"name = \"a\0b\"\n");
    for (name, file) in [
        ("a file of 0 bytes", "empty.toml"),
        ("nothing but a remark", "blank.toml"),
        ("not UTF-8", "latin.toml"),
        ("a CSV", "people.csv"),
        ("a folder", "folder"),
        ("a folder with a slash", "folder/"),
        ("deep nesting", "deep.toml"),
        ("a NUL", "nul.toml"),
        ("no such file", "missing.toml"),
        ("no such preset", "committee-syn"),
        ("an empty name", ""),
    ] {
        page.config(name, &terminal, file);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn a_byte_order_mark_and_crlf_are_no_fault() {
    let terminal = Terminal::new();
    terminal.put("mark.toml", format!("\u{feff}{SOUND}"));
    terminal.put("crlf.toml", SOUND.replace('\n', "\r\n"));
    terminal.put("sound.toml", SOUND);
    let sound = terminal.done(&["run", "sound.toml", "--format", "csv"]);
    for file in ["mark.toml", "crlf.toml"] {
        assert_eq!(
            terminal.done(&["run", file, "--format", "csv"]),
            sound,
            "{file}"
        );
    }
}

#[test]
fn places_count_characters_as_an_editor_does() {
    let terminal = Terminal::new();
    let edits = [(
        "name = \"small\"",
        "name = \"K\u{3bb}\u{3b7}\u{3c1}\u{3ce}\u{fc}\u{1d11e}\" x",
    )];
    terminal.put("my.toml", with(SOUND, &edits));
    let text = refusal(&terminal, &["check", "my.toml"]);
    text.says("my.toml:1:18: ");
}

/// Of a long line the part about the place is shown, and nothing that would move a terminal's
/// cursor.
#[test]
fn excerpts_are_short_and_harmless() {
    let terminal = Terminal::new();
    let long = "1, ".repeat(3000);
    let at = format!("at = [{long}\"x\", {long}]");
    terminal.put("long.toml", with(SOUND, &[("at = [5, 10]", &at)]));
    let text = refusal(&terminal, &["check", "long.toml"]);
    assert!(
        text.lines().all(|line| line.chars().count() < 160),
        "{text}"
    );
    text.says("1, 1, \"x\", 1, 1");

    let escape = "\u{1b}[2J";
    let harm = [
        (
            "name = \"small\"",
            format!("name = \"small\" # {escape}\n\"\\u001b[2Jkey\" = 1"),
        ),
        ("seed = 1", format!("seed = '{escape}'")),
    ];
    for (old, new) in harm {
        terminal.put("harm.toml", with(SOUND, &[(old, &new)]));
        let text = refusal(&terminal, &["check", "harm.toml"]);
        assert!(
            text.chars().all(|c| c == '\n' || !c.is_control()),
            "{text:?}"
        );
    }
    let name = [("name = \"small\"", "name = \"\\u001b[2J\"")];
    terminal.put("name.toml", with(SOUND, &name));
    for args in [
        &["check", "name.toml"][..],
        &["run", "name.toml"],
        &["run", "name.toml", "--full"],
    ] {
        let text = terminal.done(args);
        assert!(
            text.chars().all(|c| c == '\n' || !c.is_control()),
            "{text:?}"
        );
    }
}
