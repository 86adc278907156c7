//! Lists of people, held against the panel that they speak of.

use super::{column, draw, drawn, rows, sha256, town};
use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal, typed};
use crate::support::workbooks::{ods, sheet, xlsx};

/// A town whose first draw is made, and the ids and codes of its twelve members.
fn place() -> (Terminal, Vec<String>, Vec<String>) {
    let terminal = town();
    drawn(&terminal, "the first", "one");
    let panel = |name| column(&terminal, "one/panel.csv", name);
    let (ids, codes) = (panel("id"), panel("code"));
    (terminal, ids, codes)
}

/// Keeps a list and draws the rest anew.
pub fn second(terminal: &Terminal, list: impl AsRef<[u8]>, out: &str) -> Said {
    terminal.put("stay.csv", list);
    let args = ["draw", "--after", "one", "--keep", "stay.csv"];
    terminal.klero(&[&args[..], &["--seed-from", "a second value", "--out", out]].concat())
}

/// The first lines of a panel with their header, as an organiser would keep them.
pub fn first(terminal: &Terminal, folder: &str, members: usize) -> String {
    let panel = terminal.read(&format!("{folder}/panel.csv"));
    panel.split_inclusive('\n').take(1 + members).collect()
}

/// Those who were neither members nor alternates of the first draw.
fn strangers(terminal: &Terminal) -> Vec<String> {
    let alternates = column(terminal, "one/alternates.csv", "id");
    let mut others = column(terminal, "one/remaining.csv", "id");
    others.retain(|id| !alternates.contains(id));
    others
}

#[test]
fn a_list_is_read_in_whatever_form_it_is_saved() {
    let (terminal, ids, codes) = place();
    let whole = first(&terminal, "one", 8);
    let bare: String = whole.split_inclusive('\n').skip(1).collect();
    let table = rows(&terminal, "one/panel.csv");
    let columns = |names: &[&str], mark: &str, end: &str| -> String {
        let line = |row: &std::collections::BTreeMap<String, String>| {
            let cells: Vec<&str> = names.iter().map(|name| &*row[*name]).collect();
            cells.join(mark) + end
        };
        table[..8].iter().map(line).collect()
    };
    let headed =
        |names: &[&str], mark: &str, end: &str| names.join(mark) + end + &columns(names, mark, end);
    let utf16 = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    let umlauts = whole
        .replace(";Remark;", ";Straße;")
        .replace("says", "schön");
    let latin: Vec<u8> = umlauts
        .chars()
        .map(|c| u8::try_from(c).expect("Latin-1"))
        .collect();
    let headed_ids = [
        &["Kennung"][..],
        &[&*ids[0]],
        &[&*ids[1]],
        &[&*ids[2]],
        &[&*ids[3]],
    ];
    let more = [&[&*ids[4]][..], &[&*ids[5]], &[&*ids[6]], &[&*ids[7]]];
    let workbook = [&headed_ids[..], &more[..]].concat();
    for (at, list) in [
        latin,
        xlsx(&[sheet("Panel", &workbook)]),
        ods(&[sheet("Panel", &workbook[1..])]),
        whole.clone().into_bytes(),
        bare.clone().into_bytes(),
        ids[..8].join("\n").into_bytes(),
        codes[..8].join("\r\n").into_bytes(),
        format!("\u{feff}sep=;\r\n{whole}").into_bytes(),
        format!("{whole};;;;;\r\n\r\n;;;;;\r\n").into_bytes(),
        utf16(&whole),
        headed(&["Sex", "Age", "code", "Home"], "\t", "\r\n").into_bytes(),
        headed(&["Home", "id", "order"], ",", "\n").into_bytes(),
        columns(&["order", "Sex", "id", "Age"], ";", "\n").into_bytes(),
        columns(&["order", "id"], ";", "\n").into_bytes(),
        format!("Kennung\n{}", ids[..8].join("\n")).into_bytes(),
        ids[..8].join("\n").to_uppercase().into_bytes(),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("two{at}");
        let said = second(&terminal, &list, &out);
        let shown = String::from_utf8_lossy(&list).into_owned();
        assert_eq!(said.code, Some(0), "{shown}{}", said.stderr);
        let panel = column(&terminal, &format!("{out}/panel.csv"), "id");
        assert_eq!(panel[..8], ids[..8], "{shown}");
    }
}

#[test]
fn only_members_of_the_draw_before_stay() {
    let (terminal, ids, codes) = place();
    let others = strangers(&terminal);
    let refused = |list: &str, due: &[&str]| {
        let said = second(&terminal, list, "two");
        assert_eq!(said.code, Some(2), "{list}{}", said.stdout);
        for due in due {
            assert!(said.stderr.contains(due), "{due}: {}", said.stderr);
        }
        assert!(!terminal.path("two").exists());
    };
    let say = |line: usize, id: &str| format!("stay.csv:{line}: '{id}' is no member of the draw");
    // All that is wrong at once, in lists with and without a header.
    let whole = first(&terminal, "one", 6);
    let row = |id: &str| {
        let passed = rows(&terminal, "one/passed-over.csv");
        let row = passed.into_iter().find(|row| row["id"] == id).unwrap();
        format!(
            "7;{};{};{};{};\"x\";{}\n",
            row["code"], id, row["Sex"], row["Age"], row["Home"]
        )
    };
    let (one, other) = (row(&others[0]), row(&others[1]));
    let list = format!("{whole}{one}nobody;;;;;;\n{other}");
    let due = [say(8, &others[0]), say(10, &others[1])];
    refused(&list, &[&due[0], &due[1], "stay.csv:9"]);
    let list = format!("{}\n{}\n{}\n", ids[0], others[2], ids[1]);
    refused(&list, &[&say(2, &others[2]), "2 of", "problem"][..1]);
    // A code and an id of two people.
    let pair = |id: &str| format!("{};{id};", codes[1]);
    let swapped = whole.replace(&pair(&ids[1]), &pair(&ids[2]));
    refused(&swapped, &["stay.csv:3:", "one respondent's and the id"]);
    // Someone on both lists, with both lines.
    terminal.put("gone.csv", format!("id\n{}\n{}\n", others[0], ids[1]));
    terminal.put("stay.csv", &whole);
    let both = typed("draw --after one --keep stay.csv --without gone.csv");
    let said = terminal.exits(
        2,
        &[&both[..], &["--seed-from", "b c d", "--out", "two"]].concat(),
    );
    said.stderr.says("gone.csv:3:");
    said.stderr.says("line 3 of stay.csv");
    // A list that names no one keeps no one.
    refused(";;;\n", &["stay.csv: the file is empty"]);
    for none in ["", "\n\n", "code;id\n"] {
        refused(none, &["the list names no one, so no member would stay"]);
    }
    // The same person twice counts once, and is said; rows of marks alone are blank.
    let marks = format!("{}\n;;;\n{}\n", ids[0], ids[1]);
    assert_eq!(second(&terminal, marks, "three").code, Some(0));
    let said = second(
        &terminal,
        format!("{whole}{}", whole.lines().nth(2).unwrap()),
        "two",
    );
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let due = "stay.csv: line 8 names the person of line 3 again, who counts once";
    said.stderr.says(due);
}

#[test]
fn after_a_second_draw_its_whole_panel_may_stay() {
    let (terminal, ids, _) = place();
    terminal.put("stay.csv", first(&terminal, "one", 8));
    let draw = |after: &str, out: &str, seed: &str| {
        let args = ["draw", "--after", after, "--keep", "stay.csv", "--out", out];
        terminal.klero(&[&args[..], &["--seed-from", seed]].concat())
    };
    assert_eq!(draw("one", "two", "a second value").code, Some(0));
    let panel = column(&terminal, "two/panel.csv", "id");
    // Four who stayed and three who joined them.
    terminal.put("stay.csv", [&panel[..4], &panel[8..11]].concat().join("\n"));
    let said = draw("two", "three", "a third value");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    terminal.done(&["draw", "verify", "three", "--after", "two"]);
    // Who left before the second draw is no member any more.
    terminal.put("stay.csv", format!("{}\n{}\n", panel[0], ids[9]));
    let said = draw("two", "four", "a fourth value");
    assert_eq!(said.code, Some(2));
    let due = format!("stay.csv:2: '{}' is no member", ids[9]);
    said.stderr.says(&due);
}

/// Members 3 and 9 left, and the first two alternates stepped in: the panel as it is now may stay.
#[test]
fn alternates_who_stepped_in_may_stay() {
    let (terminal, ids, codes) = place();
    let alternates = column(&terminal, "one/alternates.csv", "id");
    let of_alternates = column(&terminal, "one/alternates.csv", "code");
    let never = strangers(&terminal).remove(0);
    let left = |at: &usize| ![2, 8].contains(at);
    let still: Vec<&str> = (0..12).filter(left).map(|at| &*ids[at]).collect();
    let stayed: Vec<&str> = (0..12).filter(left).map(|at| &*codes[at]).collect();
    let now = |first: &[&str], more: &[&str]| [first, more].concat().join("\n") + "\n";
    // Ten of twelve who stayed; one of the ten left later, so there is a place to fill.
    let list = now(&still[1..], &[&alternates[0], &alternates[1]]);
    let said = second(&terminal, list, "two");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let due = "stay.csv: lines 10, 11 name 2 alternates of the draw before";
    assert!(said.stderr.contains(due), "{}", said.stderr);
    let panel = column(&terminal, "two/panel.csv", "id");
    assert_eq!((panel.len(), &panel[9..11]), (12, &alternates[..2]));
    let record = terminal.read("two/draw.json");
    assert!(record.contains("\"stepped_in\": 2"), "{record}");
    let page = terminal.read("two/index.html");
    assert!(page.contains("of whom 2 stepped in as alternates"));
    for after in [&["--after", "one"][..], &[]] {
        let checked = terminal.done(&[&["draw", "verify", "two"][..], after].concat());
        let due = "ok  inputs/keep.csv: those who stay were members of the draw before, or 2 \
                   alternates of it who stepped in";
        assert!(checked.contains(due), "{checked}");
    }
    // By code, one of them.
    let list = now(&stayed[..9], &[&of_alternates[3]]);
    let said = second(&terminal, list, "three");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let due = "stay.csv: line 10 names an alternate of the draw before, who has stepped in";
    assert!(said.stderr.contains(due), "{}", said.stderr);
    // More than have left; and someone who was neither.
    let list = now(&still, &[&alternates[0], &alternates[1], &alternates[2]]);
    let said = second(&terminal, list, "four");
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    let due = "3 alternates of the draw before are to stay, and only 2 of its members left";
    assert!(said.stderr.contains(due), "{}", said.stderr);
    let said = second(&terminal, now(&still[..9], &[&never]), "five");
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    let due = format!("stay.csv:10: '{never}' is no member of the draw");
    assert!(said.stderr.contains(&due), "{}", said.stderr);
    // Other alternates than the folder's are found.
    let earlier = terminal.read("two/inputs/earlier.json");
    let swapped = earlier.replace(&format!("\"{}\"", alternates[0]), "\"x\"");
    assert_ne!(swapped, earlier);
    forge(&terminal, "two", "earlier.json", &swapped);
    let said = terminal.klero(&["draw", "verify", "two", "--after", "one"]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(
        said.stdout.contains("NO  the draw before is the one"),
        "{}",
        said.stdout
    );
}

/// Writes a file of a draw's folder anew, and commits to it.
fn forge(terminal: &Terminal, folder: &str, name: &str, text: &str) {
    let path = format!("{folder}/inputs/{name}");
    let was = sha256(terminal.read(&path));
    terminal.put(&path, text);
    let at = format!("{folder}/commitment.json");
    let commitment = terminal.read(&at).replace(&was, &sha256(text));
    terminal.put(&at, commitment);
}

#[test]
fn a_check_holds_those_who_stay_against_the_panel_before() {
    let (terminal, _, _) = place();
    assert_eq!(
        second(&terminal, first(&terminal, "one", 8), "two").code,
        Some(0)
    );
    let fine = terminal.done(&["draw", "verify", "two", "--after", "one"]);
    fine.says("ok  the draw before is the one that you gave");
    fine.says("those who stay were members of the draw before");
    let stranger = strangers(&terminal)[3].clone();
    let codes = rows(&terminal, "one/passed-over.csv").into_iter();
    let mut codes = codes.filter(|row| row["id"] == stranger);
    let code = codes.next().expect("a row")["code"].clone();
    let kept = terminal.read("two/inputs/keep.csv");
    let earlier = terminal.read("two/inputs/earlier.json");
    forge(&terminal, "two", "keep.csv", &format!("{kept}{code}\n"));
    let said = terminal.exits(1, &["draw", "verify", "two"]);
    let due = format!(
        "NO  inputs/keep.csv: those who stay were members of the draw before: keep.csv line 10: '{stranger}' is no member"
    );
    said.stdout.says(&due);
    // Who forges the panel too is found by the folder of the draw before.
    let member = column(&terminal, "one/panel.csv", "id")[11].clone();
    let forged = earlier.replace(&format!("\"{member}\""), &format!("\"{stranger}\""));
    assert_ne!(forged, earlier);
    forge(&terminal, "two", "earlier.json", &forged);
    let said = terminal.exits(1, &["draw", "verify", "two", "--after", "one"]);
    let due = "NO  the draw before is the one that you gave";
    said.stdout.says(due);
    // A folder of before knew nothing of the file of people.
    forge(&terminal, "two", "keep.csv", &kept);
    let lines = earlier.lines().filter(|line| !line.contains("\"people\""));
    let old = lines
        .collect::<Vec<_>>()
        .join("\n")
        .replace("],\n}", "]\n}")
        + "\n";
    forge(&terminal, "two", "earlier.json", &old);
    let said = terminal.klero(&["draw", "verify", "two"]);
    said.stderr.never_says("damaged");
    said.stdout.says("ok  inputs/keep.csv: those who stay");
}

/// Numbers that are ids, and no column that names people otherwise.
#[test]
fn the_order_of_a_panel_names_no_one() {
    let terminal = Terminal::new();
    let people: String = (1..=40)
        .map(|n| {
            format!(
                "{n},{},{}\n",
                ["F", "M"][n % 2],
                ["16-34", "35+"][n / 2 % 2]
            )
        })
        .collect();
    terminal.put("people.csv", format!("id,gender,age\n{people}"));
    terminal.put(
        "quotas.csv",
        "category,name,min,max\ngender,F,4,6\ngender,M,4,6\nage,16-34,4,6\nage,35+,4,6\n",
    );
    terminal.put(
        "my.toml",
        "[source]\ntype = \"respondents\"\npath = \"people.csv\"\nid = \"id\"\n\
         [target]\ncategories = \"quotas.csv\"\n\
         [rules]\nchoose = \"at_most_one\"\nuntil = { accepted = 10 }\n\
         [[policy]]\nlabel = \"first\"\nkind = \"quota_lookahead\"\n",
    );
    terminal.done(&draw("some value", "one"));
    let ids = column(&terminal, "one/panel.csv", "id");
    let table = rows(&terminal, "one/panel.csv");
    let panel = terminal.read("one/panel.csv");
    let bare: String = panel.split_inclusive('\n').skip(1).take(8).collect();
    let line = |names: &[&str]| -> String {
        let line = |row: &std::collections::BTreeMap<String, String>| {
            let cells: Vec<&str> = names.iter().map(|name| &*row[*name]).collect();
            cells.join(";") + "\n"
        };
        table[..8].iter().map(line).collect()
    };
    for (out, list) in [
        ("codes", bare),
        ("ids", line(&["order", "id", "gender", "age"])),
        ("two", line(&["order", "id"])),
        ("moved", line(&["gender", "id", "age", "order"])),
    ] {
        let said = second(&terminal, &list, out);
        assert_eq!(said.code, Some(0), "{list}{}", said.stderr);
        let drawn = column(&terminal, &format!("{out}/panel.csv"), "id");
        assert_eq!(drawn[..8], ids[..8], "{list}");
    }
}

/// Of two panels in one record neither is believed.
#[test]
fn a_record_that_says_two_panels_is_no_draw_before() {
    let (terminal, ids, _) = place();
    let record = terminal.read("one/draw.json");
    let doubled = record.replacen('{', "{\"panel\": [],", 1);
    terminal.put("one/draw.json", doubled);
    let said = second(&terminal, ids[..8].join("\n"), "two");
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    said.stderr
        .says("this is no record of a draw: the member 'panel' is there twice");
    terminal.put("one/draw.json", record);
    let said = second(&terminal, ids[..8].join("\n"), "two");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}
