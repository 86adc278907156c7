//! One table in all the ways in which people write it, and what can't be opened.

use std::path::PathBuf;

use tempfile::TempDir;

use kleroterion_testkit::workbooks::{Sheet, ods, sheet, xlsx};
use std::io;
use std::path::Path;

use super::table_file::HEAD;
use super::*;

/// A file in a folder that is removed when dropped.
fn made(name: &str, bytes: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn grid(bytes: impl AsRef<[u8]>, how: &How) -> Result<Grid, LoadError> {
    let (_folder, path) = made("people", bytes);
    Grid::read(&path, how)
}

/// The cells of a table, and the lines of its rows.
fn read(bytes: impl AsRef<[u8]>) -> (Vec<Vec<String>>, Vec<u64>) {
    let grid = grid(bytes, &How::default()).unwrap();
    let lines = grid.rows.iter().map(|row| row.line).collect();
    (grid.rows.into_iter().map(|row| row.cells).collect(), lines)
}

const ROWS: &[&[&str]] = &[
    &["Nr", "Größe", "Ort, Land"],
    &["1", "groß", "Köln; NRW"],
    &["2", "", "“Halle”"],
    &["3", "klein", "Nîmes"],
];

fn separated(mark: char) -> String {
    let row = |cells: &&[&str]| {
        let cells = cells.iter().map(|cell| format!("\"{cell}\""));
        cells.collect::<Vec<_>>().join(&mark.to_string()) + "\r\n"
    };
    ROWS.iter().map(row).collect()
}

#[test]
fn a_table_is_the_same_however_it_is_written() {
    let text = separated(';');
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let narrow = |text: &str| encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
    let objects: Vec<String> = ROWS[1..]
        .iter()
        .map(|row| {
            format!(
                "{{\"Nr\": {}, \"Größe\": \"{}\", \"Ort, Land\": \"{}\"}}",
                row[0], row[1], row[2]
            )
        })
        .collect();
    let sheets = [sheet("Leute", ROWS)];
    let due: Vec<Vec<String>> = ROWS
        .iter()
        .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
        .collect();
    let all: Vec<(&str, Vec<u8>)> = vec![
        ("semicolons", text.clone().into()),
        ("commas", separated(',').into()),
        ("tabs", separated('\t').into()),
        ("bars", separated('|').into()),
        ("byte order mark", format!("\u{feff}{text}").into()),
        ("sep=", format!("sep=;\r\n{text}").into()),
        ("sep= after a mark", format!("\u{feff}SEP=;\n{text}").into()),
        ("UTF-16", wide(&text)),
        ("UTF-16 with a mark", wide(&format!("\u{feff}{text}"))),
        ("Windows-1252", narrow(&text)),
        ("decomposed letters", text.replace('ö', "o\u{308}").into()),
        (
            "zero-width marks",
            text.replace("Köln", "Kö\u{200b}ln").into(),
        ),
        ("blanks", text.replace("\"groß\"", "\" groß\u{a0}\"").into()),
        (
            "blank rows",
            text.replace("\"2\"", ";;\r\n\r\n\" \";;\"\"\r\n\"2\"")
                .into(),
        ),
        ("records", objects.join("\n").into()),
        ("an array", format!("[{}]", objects.join(",")).into()),
        (
            "an array on lines",
            format!("[\n{}\n]\n", objects.join(",\n")).into(),
        ),
        ("xlsx", xlsx(&sheets)),
        ("ods", ods(&sheets)),
    ];
    for (name, bytes) in all {
        assert_eq!(read(bytes).0, due, "{name}");
    }
}

#[test]
fn rows_keep_the_lines_of_their_file() {
    let rows: &[&[&str]] = &[&[], &["id"], &["a"], &[], &["b"]];
    for (name, bytes, due) in [
        ("csv", b"id\n\na\n\n\nb\n".to_vec(), vec![1, 3, 6]),
        ("sep=", b"sep=,\nid\na\nb\n".to_vec(), vec![2, 3, 4]),
        (
            "array",
            b"[\n{\"id\": 1},\n\n{\"id\": 2}]".to_vec(),
            vec![0, 2, 4],
        ),
        ("xlsx", xlsx(&[sheet("s", rows)]), vec![2, 3, 5]),
        ("ods", ods(&[sheet("s", rows)]), vec![2, 3, 5]),
    ] {
        assert_eq!(read(bytes).1, due, "{name}");
    }
}

#[test]
fn rows_that_hold_nothing_are_counted() {
    for (text, due) in [
        ("a,b\n1,2\n,\n , \n\n\"\",\n3,4\n", 3),
        ("a\n1\n\n2\n", 0),
        ("a;b\n;\n1;2\n", 1),
    ] {
        assert_eq!(grid(text, &How::default()).unwrap().blank, due, "{text:?}");
    }
}

#[test]
fn a_sheet_is_the_first_that_is_seen_or_the_one_that_is_named() {
    let quotas: &[&[&str]] = &[&["Merkmal", "min"], &["alt", "4"]];
    let people: &[&[&str]] = &[&["id", "x"], &["1", "2"]];
    let sheets = || {
        [
            Sheet {
                name: "intern",
                hidden: true,
                rows: people,
            },
            sheet("Quoten", quotas),
            sheet("Leute 2026", people),
        ]
    };
    let cell = |bytes: Vec<u8>, name: Option<&str>| {
        let how = How {
            sheet: name.map(str::to_owned),
            ..How::default()
        };
        let grid = grid(bytes, &how).map_err(|error| error.to_string())?;
        Ok::<_, String>((grid.rows[0].cells[0].clone(), grid.read_as.sheet.unwrap().1))
    };
    let book = xlsx(&sheets());
    assert_eq!(
        cell(book.clone(), None).unwrap(),
        ("Merkmal".into(), vec!["Leute 2026".into()])
    );
    assert_eq!(cell(book.clone(), Some("leute  2026")).unwrap().0, "id");
    assert_eq!(
        cell(ods(&sheets()[1..]), Some("LEUTE 2026")).unwrap().0,
        "id"
    );
    let said = cell(book, Some("Leute")).unwrap_err();
    assert!(said.contains("has no sheet `Leute`"), "{said}");
    assert!(
        said.contains("its sheets are intern, Quoten, Leute 2026"),
        "{said}"
    );
    let said = cell(b"a,b\n".to_vec(), Some("Leute")).unwrap_err();
    assert!(
        said.contains("is no workbook, and has no sheet `Leute`"),
        "{said}"
    );
}

#[test]
fn notes_say_what_may_not_be_expected() {
    let notes = |bytes: Vec<u8>| grid(bytes, &How::default()).unwrap().read_as.notes();
    assert_eq!(notes(b"a,b\n1,2\n".to_vec()), [""; 0]);
    assert_eq!(
        notes(b"a,b\n\xe9,2\n".to_vec()),
        ["it is read as Latin-1 (Windows-1252)"]
    );
    let two = [sheet("A", ROWS), sheet("B", ROWS)];
    assert_eq!(
        notes(xlsx(&two)),
        ["its sheet `A` is read; `sheet` names another of B"]
    );
}

#[test]
fn what_can_not_be_opened_is_said() {
    for (name, bytes, due) in [
        ("empty", b"".to_vec(), "the file is empty"),
        ("blank", b" \n\n;;\n".to_vec(), "the file is empty"),
        ("zeros", b"a\0b\n".to_vec(), "this is no text"),
        (
            "pictures",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(),
            "this is no text",
        ),
        (
            "cut workbook",
            xlsx(&[sheet("s", ROWS)])[..200].to_vec(),
            "the workbook can't be read",
        ),
        (
            "quotes",
            b"a;b\n\"1;2\n".to_vec(),
            ":2:1: the quotes of this field are wrong",
        ),
        ("array", b"[{\"a\": 1}".to_vec(), "this is no JSON array"),
        ("records", b"{\"a\": 1}\n{\"a\"\n".to_vec(), ":2:"),
    ] {
        let said = grid(bytes, &How::default()).unwrap_err().to_string();
        assert!(said.contains(due), "{name}: {said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let of = |path: &Path| TableFile::open(path, &How::default()).err().unwrap();
    assert_eq!(
        of(folder.path()).unopened,
        Some(io::ErrorKind::IsADirectory)
    );
    let missing = folder.path().join("x.csv");
    assert_eq!(of(&missing).unopened, Some(io::ErrorKind::NotFound));
}

#[test]
fn any_piece_of_a_workbook_is_refused_and_none_panics() {
    let whole = [xlsx(&[sheet("s", ROWS)]), ods(&[sheet("s", ROWS)])];
    for book in &whole {
        for at in (0..book.len()).step_by(7) {
            let mut changed = book.clone();
            changed[at] ^= 0x55;
            _ = grid(&changed, &How::default());
            _ = grid(&book[..at], &How::default());
        }
    }
}

#[test]
fn a_long_text_with_late_letters_is_recognised() {
    let ascii = "1;2;3\n".repeat(30_000);
    for (tail, due) in [
        ("ä".as_bytes(), Encoding::Utf8),
        (b"\xe4", Encoding::Latin1),
    ] {
        let bytes = [ascii.as_bytes(), tail, b";2;3\n"].concat();
        let grid = grid(bytes, &How::default()).unwrap();
        assert_eq!(grid.read_as.encoding, due);
        assert_eq!(grid.rows.last().unwrap().cells[0], "ä");
    }
    // A letter that two pieces share.
    let text = format!("{}ä\n", "x".repeat(HEAD - 1));
    assert_eq!(
        grid(text, &How::default()).unwrap().read_as.encoding,
        Encoding::Utf8
    );
}
