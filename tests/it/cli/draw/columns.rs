//! Which columns of the organiser's file travel with a draw, and which come from the file itself.

use super::{CONFIG, QUOTAS, column, draw, record, rows};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};
use crate::support::workbooks::{ods, sheet, xlsx};

/// Sixty people with names and contacts, some of which are formulas; the third id is one too.
fn people(delimiter: char) -> String {
    let mut text = "Nr,Sex,Age,Name,E-mail,Phone,Home,Left on\r\n".to_owned();
    for k in 0..60 {
        let (sex, age) = (["F", "M"][k % 2], ["young", "old"][k % 3 / 2]);
        let id = ["", "=", "-x"][[0, 1, 2].get(k).copied().unwrap_or(0)];
        let mail = [
            "=HYPERLINK(\"\"http://x\"\")",
            "@me",
            "+1-2",
            "m@example.org",
        ][k % 4];
        text += &format!(
            "{id}p{k:02},{sex},{age},Zoë Müller {k},\"{mail}\",+49 361 {k},\"@home; {}\",\r\n",
            k % 40
        );
    }
    let commas = text.replace(',', "\u{1}").replace(';', ",");
    commas.replace('\u{1}', &delimiter.to_string())
}

const CONTACTS: [&str; 6] = [
    "Müller",
    "example.org",
    "HYPERLINK",
    "+49",
    "E-mail",
    "@home",
];

fn place(bytes: impl AsRef<[u8]>) -> Terminal {
    let terminal = Terminal::new();
    terminal.put("town.csv", bytes);
    terminal.put(
        "quotas.csv",
        QUOTAS.replace("6,9", "3,9").replace("3,6", "3,9"),
    );
    terminal.put("my.toml", CONFIG.replace("id = \"id\"", "id = \"nr\""));
    terminal
}

#[test]
fn names_and_contacts_stay_out_of_the_inputs_and_come_into_the_tables() {
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let utf16 = |text: &str| {
        let mark = [0xff, 0xfe];
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        mark.into_iter().chain(units).collect::<Vec<u8>>()
    };
    let mut taken = Vec::new();
    for (name, bytes) in [
        ("commas", people(',').into_bytes()),
        ("semicolons in cp1252", latin(&people(';'))),
        ("tabs in UTF-16", utf16(&people('\t'))),
        ("a mark", format!("\u{feff}{}", people(';')).into_bytes()),
    ] {
        let terminal = place(bytes);
        terminal.done(&draw("some text", "panel"));
        let inputs = terminal.read("panel/inputs/people.csv");
        for contact in CONTACTS {
            assert!(!inputs.contains(contact), "{name}: {contact}");
        }
        assert!(
            inputs.starts_with("Nr,Sex,Age,draw_household\np00,F,young,1\n"),
            "{inputs}"
        );
        let names = column(&terminal, "panel/panel.csv", "Name");
        assert!(
            names.iter().all(|name| name.starts_with("Zoë Müller ")),
            "{name}"
        );
        let said = terminal.done(&["draw", "verify", "panel"]);
        said.says("panel.csv: computed again, in the columns");
        let known = ["draw", "verify", "panel", "--respondents", "town.csv"];
        let said = terminal.done(&known);
        said.says("panel.csv: computed again\n");
        taken.push(inputs);
    }
    assert!(
        taken.iter().all(|inputs| *inputs == taken[0]),
        "the same people"
    );
}

#[test]
fn tables_are_safe_in_spreadsheets_and_read_back() {
    let terminal = place(people(';'));
    terminal.done(&draw("some text", "panel"));
    for name in [
        "panel",
        "passed-over",
        "alternates",
        "selected",
        "remaining",
    ] {
        let text = terminal.read(&format!("panel/{name}.csv"));
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.delimiter(b';').from_reader(text.as_bytes());
        for row in reader.records() {
            for cell in &row.expect("a row") {
                let begins = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
                assert!(!begins || cell.parse::<f64>().is_ok(), "{name}: {cell}");
            }
        }
        let some = ["'=HYPERLINK", "'@me", "'+1-2", "'+49 361"];
        assert!(some.iter().all(|cell| text.contains(cell)), "{name}");
    }
    // A second draw takes the rows as they were written, and as they were typed.
    let panel = terminal.read("panel/panel.csv");
    let rows: Vec<&str> = panel.split_inclusive('\n').collect();
    let stay: String = rows[..9].concat();
    for (list, out) in [
        (stay.clone(), "as written"),
        (stay.replace("'", ""), "as typed"),
    ] {
        terminal.put("stay.csv", list);
        let after = typed("draw --after panel --keep stay.csv --seed-from 'a b c'");
        terminal.done(&[&after[..], &["--out", out]].concat());
        terminal.done(&["draw", "verify", out]);
        let before = column(&terminal, "panel/panel.csv", "Nr");
        assert_eq!(
            column(&terminal, &format!("{out}/panel.csv"), "Nr")[..8],
            before[..8]
        );
        let kept = terminal.read(&format!("{out}/inputs/keep.csv"));
        assert!(
            kept.starts_with("code\n") && kept.lines().count() == 9,
            "{kept}"
        );
        for file in [
            "inputs/people.csv",
            "reduced/inputs/people.csv",
            "inputs/keep.csv",
        ] {
            let text = terminal.read(&format!("{out}/{file}"));
            assert!(
                CONTACTS.iter().all(|contact| !text.contains(contact)),
                "{file}"
            );
        }
    }
    // What is left is a file of people again: ids that are formulas are the same people.
    let remaining = terminal.read("panel/remaining.csv");
    assert!(remaining.contains("'=p01") || panel.contains("'=p01"));
    terminal.put("left/town.csv", remaining);
    terminal.put("left/quotas.csv", terminal.read("quotas.csv"));
    terminal.put("left/my.toml", terminal.read("my.toml"));
    terminal.done(&typed("run left/my.toml -q --replications 2 --out run"));
    let shown = column(&terminal, "run/chances.csv", "id");
    let ids = column(&terminal, "panel/remaining.csv", "Nr");
    let bare = |ids: &[String]| {
        let mut ids: Vec<String> = ids
            .iter()
            .map(|id| id.trim_matches('\'').to_owned())
            .collect();
        ids.sort();
        // A row for each policy.
        ids.dedup();
        ids
    };
    assert_eq!(bare(&shown), bare(&ids));
}

#[test]
fn without_the_file_the_tables_have_the_columns_that_decide() {
    let commit = typed("draw commit my.toml --policy first --randomness r --out panel");
    type Change = (fn(&Terminal), &'static str);
    let changes: [Change; 4] = [
        (
            |place| std::fs::remove_file(place.path("town.csv")).expect("it was there"),
            "cannot be found",
        ),
        (
            |place| place.put("town.csv", people(';').replace(";young;", ";old;")),
            "differ, first in row 1",
        ),
        (
            |place| place.put("town.csv", people(';').replace(";Age;", ";Alter;")),
            "no column `Age`",
        ),
        (
            |place| place.put("panel/original.txt", "../nowhere.csv\n"),
            "nowhere.csv",
        ),
    ];
    for (change, due) in changes {
        let terminal = place(people(';'));
        terminal.done(&commit);
        change(&terminal);
        let said = terminal.exits(0, &["draw", "panel", "--seed-from", "a value"]);
        said.stderr.says("the columns that were committed alone");
        assert!(said.stderr.contains(due), "{due}: {}", said.stderr);
        said.stderr.never_says("Müller");
        let head = terminal.read("panel/panel.csv");
        assert_eq!(head.lines().next(), Some("order,code,Nr,Sex,Age"));
        terminal.done(&["draw", "verify", "panel"]);
        // The organiser's own file, found again, is still the one that was committed.
        terminal.put("found.csv", people(';'));
        terminal.done(&["draw", "verify", "panel", "--respondents", "found.csv"]);
    }
    // A contact that was corrected is no other person.
    let terminal = place(people(';'));
    terminal.done(&commit);
    terminal.put(
        "town.csv",
        people(';').replace("m@example.org", "n@example.org"),
    );
    let said = terminal.exits(0, &["draw", "panel", "--seed-from", "a value"]);
    said.stderr.never_says("alone");
    assert!(terminal.read("panel/panel.csv").contains("n@example.org"));
    // Nor one that is corrected after the draw.
    terminal.put("town.csv", people(';'));
    let known = ["draw", "verify", "panel", "--respondents", "town.csv"];
    let said = terminal.done(&known);
    said.says("panel.csv: computed again, in the columns");
}

#[test]
fn a_contact_that_was_changed_in_a_table_is_found() {
    let terminal = place(people(';'));
    terminal.done(&draw("some text", "panel"));
    for name in [
        "panel.csv",
        "alternates.csv",
        "passed-over.csv",
        "selected.csv",
    ] {
        let path = format!("panel/{name}");
        let text = terminal.read(&path);
        for (from, to) in [
            ("+49 361", "+49 362"),
            (";old;", ";young;"),
            ("Name", "Nom"),
        ] {
            terminal.put(&path, text.replacen(from, to, 1));
            for more in [&[][..], &["--respondents", "town.csv"]] {
                let said = terminal.klero(&[&["draw", "verify", "panel"], more].concat());
                assert_eq!(said.code, Some(1), "{name}: {from}");
                said.stdout.says(&format!("NO  {name}: computed again"));
            }
        }
        terminal.put(&path, text);
    }
    terminal.done(&["draw", "verify", "panel"]);
}

#[test]
fn for_spreadsheets_tables_begin_with_their_mark() {
    let terminal = place(people(';'));
    terminal.done(&[&draw("some text", "plain")[..], &[]].concat());
    terminal.done(&[&draw("some text", "panel")[..], &["--for", "spreadsheet"]].concat());
    for name in [
        "panel",
        "passed-over",
        "alternates",
        "selected",
        "remaining",
    ] {
        let (plain, marked) = (format!("plain/{name}.csv"), format!("panel/{name}.csv"));
        assert_eq!(
            terminal.read(&marked),
            format!("\u{feff}{}", terminal.read(&plain))
        );
    }
    assert_eq!(record(&terminal, "panel")["for_spreadsheet"], true);
    for more in [&[][..], &["--respondents", "town.csv"]] {
        terminal.done(&[&["draw", "verify", "panel"], more].concat());
    }
    let panel = terminal.read("panel/panel.csv");
    terminal.put(
        "stay.csv",
        panel.split_inclusive('\n').take(9).collect::<String>(),
    );
    let after = typed("draw --after panel --keep stay.csv --seed-from 'a b c'");
    terminal.done(&[&after[..], &["--out", "two", "--for", "spreadsheet"]].concat());
    assert_eq!(rows(&terminal, "two/panel.csv").len(), 12);
    terminal.done(&["draw", "verify", "two"]);
    let said = terminal.exits(
        2,
        &[&draw("some text", "x")[..], &["--for", "excel"]].concat(),
    );
    said.stderr.says("spreadsheet");
    // A run's tables of people too; those of numbers are as they were.
    let run = [
        "run",
        "my.toml",
        "-q",
        "--replications",
        "2",
        "--people",
        "--out",
    ];
    terminal.done(&[&run[..], &["run", "--for", "spreadsheet"]].concat());
    terminal.done(&[&run[..], &["plain-run"]].concat());
    for (name, is_marked) in [
        ("selected.csv", true),
        ("people.csv", true),
        ("chances.csv", true),
        ("replications.csv", false),
        ("summary.csv", false),
    ] {
        let (text, plain) = (
            terminal.read(&format!("run/{name}")),
            terminal.read(&format!("plain-run/{name}")),
        );
        let due = if is_marked {
            format!("\u{feff}{plain}")
        } else {
            plain
        };
        assert_eq!(text, due, "{name}");
    }
}

#[test]
fn rows_that_lack_cells_are_refused_in_the_organisers_own_file() {
    for (wrong, due) in [
        ("Nr;Sex;Age;Home\na;F\n", "town.csv"),
        ("Nr;Sex;Age;Home\na;F;old;1;2;3\n", "town.csv"),
        ("", "the file is empty"),
        (
            "Nr;Sex;Age;Home\n\"a;F;old;1\n",
            "the quoted field that begins here never ends",
        ),
    ] {
        let terminal = place(wrong);
        let said = terminal.klero(&draw("some text", "panel"));
        assert_eq!(said.code, Some(2), "{wrong:?}: {}", said.stdout);
        assert!(said.stderr.contains(due), "{wrong:?}: {}", said.stderr);
        assert!(!said.stderr.contains("/tmp") || said.stderr.contains("town.csv"));
        assert!(!terminal.path("panel").exists());
    }
}

/// People and quotas in workbooks are drawn from, and a second draw from what is left of them.
#[test]
fn workbooks_are_drawn_from() {
    let text = people(';');
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).delimiter(b';');
    let rows: Vec<csv::StringRecord> = reader
        .from_reader(text.as_bytes())
        .records()
        .map(|row| row.expect("a row"))
        .collect();
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().collect()).collect();
    let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    let plain = place(&text);
    plain.done(&draw("some text", "panel"));
    for (ending, bytes) in [
        ("xlsx", xlsx(&[sheet("People", &cells)])),
        ("ods", ods(&[sheet("People", &cells)])),
    ] {
        let terminal = place("");
        let name = format!("town.{ending}");
        terminal.put(&name, bytes);
        let config = terminal.read("my.toml").replace("town.csv", &name);
        terminal.put("my.toml", config);
        terminal.done(&draw("some text", "panel"));
        let inputs = |place: &Terminal| place.read("panel/inputs/people.csv");
        assert_eq!(inputs(&terminal), inputs(&plain), "{ending}");
        let panel = |place: &Terminal| column(place, "panel/panel.csv", "Name");
        assert_eq!(panel(&terminal), panel(&plain), "{ending}");
        terminal.done(&["draw", "verify", "panel", "--respondents", &name]);
    }
}
