//! An organiser's two files as they come: delimiters, encodings, workbooks, rows cut short.

use super::{ORGANISER, PEOPLE, with};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// An organiser's two files; `people` and `categories` as they are written.
fn organiser(config: &str, people: &[u8], categories: &[u8]) -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", config);
    terminal.put("respondents.csv", people);
    terminal.put("categories.csv", categories);
    terminal
}

const CATEGORIES: &str = "category,name,min,max\nsex,f,1,3\nsex,m,1,3\n";
const PEOPLE_OF_A_TOWN: &str = "id,name,sex\n1,Ann Example,f\n2,Bob Example,m\n3,Cy Example,f\n\
    4,Di Example,m\n5,Ed Example,f\n";

#[test]
fn semicolons_of_organisers_are_understood() {
    let people = PEOPLE_OF_A_TOWN.replace(',', ";");
    let categories = CATEGORIES.replace(',', ";");
    let plain = organiser(
        ORGANISER,
        PEOPLE_OF_A_TOWN.as_bytes(),
        CATEGORIES.as_bytes(),
    );
    let plain = plain.done(&["run", "my.toml", "-q", "--format", "csv"]);
    for (people, categories) in [
        (people.as_str(), categories.as_str()),
        (people.as_str(), CATEGORIES),
        (&PEOPLE_OF_A_TOWN.replace(',', "\t"), &categories),
    ] {
        let terminal = organiser(ORGANISER, people.as_bytes(), categories.as_bytes());
        assert_eq!(
            terminal.done(&["run", "my.toml", "-q", "--format", "csv"]),
            plain
        );
    }
    // Which delimiter the file has may be said, and is then taken at its word.
    let said = with(
        ORGANISER,
        &[("id = \"id\"", "id = \"id\"\ndelimiter = \";\"")],
    );
    let terminal = organiser(&said, people.as_bytes(), CATEGORIES.as_bytes());
    assert_eq!(
        terminal.done(&["run", "my.toml", "-q", "--format", "csv"]),
        plain
    );
    let terminal = organiser(&said, PEOPLE_OF_A_TOWN.as_bytes(), CATEGORIES.as_bytes());
    let text = super::refusal(&terminal, &["check", "my.toml"]);
    assert!(text.ends_with("1 problem; nothing was run\n"), "{text}");
    text.says("set delimiter = \",\"");
}

#[test]
fn a_row_too_short_has_a_remedy_that_can_be_followed() {
    let people = format!("{PEOPLE_OF_A_TOWN}6,Flo Example\n7\n");
    let terminal = organiser(ORGANISER, people.as_bytes(), CATEGORIES.as_bytes());
    let text = super::refusal(&terminal, &["check", "my.toml"]);
    text.says("the row has 1 field where the header has 3");
    text.never_says("say which `delimiter`");
}

#[test]
fn a_workbook_is_called_a_workbook() {
    let people = b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00[Content_Types].xml \xa2\xff\x00";
    let terminal = organiser(ORGANISER, people, CATEGORIES.as_bytes());
    let text = super::refusal(&terminal, &["check", "my.toml"]);
    text.says("the workbook can't be read");
    text.says("CSV UTF-8");
    assert!(text.ends_with("1 problem; nothing was run\n"), "{text}");
}

#[test]
fn a_file_of_another_encoding_names_no_person() {
    let mut people = b"id,name,sex\n".to_vec();
    for n in 0..60 {
        // Most letters are UTF-8: else the file would be read as Latin-1.
        people.extend(format!("{n},éééé Zo").bytes());
        people.extend(b"\xeb Secretname,f\xeb\n");
    }
    let terminal = organiser(ORGANISER, &people, CATEGORIES.as_bytes());
    let text = super::refusal(&terminal, &["check", "my.toml"]);
    text.never_says("Secretname");
    text.says("respondents.csv:2:3");
    text.says("60 rows");
    text.says("save the file as UTF-8");
    assert!(text.ends_with("1 problem; nothing was run\n"), "{text}");
    // Where the column is of no use to the run, its bytes are of no concern.
    let lines = people.split(|byte| *byte == b'\n');
    let sound = lines.flat_map(|line| [line.strip_suffix(b"\xeb").unwrap_or(line), b"\n"].concat());
    let people: Vec<u8> = sound.chain(*b"61,Al,m\n62,Bo,m\n63,Cy,m\n").collect();
    let terminal = organiser(ORGANISER, &people, CATEGORIES.as_bytes());
    terminal.done(&["check", "my.toml"]);
}

#[test]
fn a_file_that_is_not_there() {
    let terminal = Terminal::new();
    terminal.put("people.csv", super::ROWS);
    terminal.put("data/other.csv", super::ROWS);
    terminal.put("my.toml", PEOPLE.replace("people.csv", "peple.csv"));
    let check = |data: Option<&str>| {
        let mut command = terminal.command(&["check", "my.toml"]);
        if let Some(data) = data {
            command.env("KLERO_DATA", data);
        }
        let said = crate::support::terminal::said(command);
        assert_eq!(said.code, Some(2));
        said.stderr
    };
    let said = check(None);
    said.says("did you mean people.csv?");
    let said = check(Some("data"));
    said.says("KLERO_DATA (data)");
    let said = check(Some("nodata"));
    said.says("KLERO_DATA names nodata, which is no folder");
    let said = check(Some("people.csv"));
    said.says("KLERO_DATA names people.csv, which is no folder");
}

/// A socket is there, and no file that can be opened.
#[cfg(unix)]
#[test]
fn a_file_that_can_not_be_opened() {
    let terminal = organiser(ORGANISER, b"", CATEGORIES.as_bytes());
    let path = terminal.path("respondents.csv");
    std::fs::remove_file(&path).expect("it is there");
    let _socket = std::os::unix::net::UnixListener::bind(&path).expect("a socket");
    let text = super::refusal(&terminal, &["check", "my.toml"]);
    text.says("respondents.csv: the file cannot be opened");
    text.says("help: check that it is a file");
}
