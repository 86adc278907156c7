use std::sync::Arc;

use super::*;
use crate::people::table::RawRows;
use crate::record::file::How;
use kleroterion_core::problem::Place;
use kleroterion_core::protocol::Respondents;

/// Forty people with ids of two kinds, their codes c00, c01, … in place of hashes.
struct Town {
    folder: tempfile::TempDir,
    roster: Roster,
}

/// The people of a file, by the column of their ids; by the numbers of their rows without one.
fn town(people: &str, id: Option<usize>) -> Town {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    std::fs::write(&path, people).unwrap();
    let file = RawRows::read(&path, &How::default(), None).unwrap();
    let names = file
        .rows
        .iter()
        .zip(1..)
        .map(|(row, n): (_, u32)| match id {
            Some(at) => file.cells(row)[at].as_str().into(),
            None => n.to_string().into(),
        });
    let names: Arc<[Box<str>]> = names.collect();
    let numbers: Vec<u64> = (1..=names.len() as u64).collect();
    let respondents = Respondents::new(0, vec![], None, names);
    let codes = (0..numbers.len()).map(|n| format!("c{n:02}"));
    let roster = Roster::new(&respondents).with_codes(codes);
    let roster = roster.with_file(&file, &numbers);
    Town { folder, roster }
}

impl Town {
    /// Summarises a list: the people with their lines, the repeats, and the problems.
    fn read(&self, bytes: impl AsRef<[u8]>, due: Option<&[u32]>) -> (Vec<(u64, u32)>, String) {
        let path = self.folder.path().join("list.csv");
        std::fs::write(&path, bytes).unwrap();
        let grid = Grid::read(&path, &How::default()).unwrap();
        let due = due.map(|due| due.iter().copied().collect());
        let list = PeopleList::of(ListKind::People, &path, &grid, &self.roster, due.as_ref());
        let people = list.people.iter().map(|one| (one.line, one.one)).collect();
        let again = list
            .again
            .iter()
            .map(|[one, two]| format!("{two} is {one}"));
        let problems = list.problems.0.iter().map(|problem| {
            let line = match &problem.place {
                Place::File { line, .. } => line.unwrap_or(0),
                _ => 0,
            };
            format!("{line}: {}", problem.what)
        });
        (people, again.chain(problems).collect::<Vec<_>>().join("; "))
    }
}

/// Ids with zeros at the front, umlauts, a column that counts and one of ages.
fn erfurt() -> Town {
    let mut text = "Kennung;Vorname;Alter;Straße\n".to_owned();
    for n in 0..40 {
        text += &format!("{:03};Vor{n};{};Weg {}\n", n + 1, 20 + n, n % 7);
    }
    town(&text, Some(0))
}

/// The numbers from 1 are ids, as in many files, and next to them are ages that are ids too.
fn numbered() -> Town {
    let mut text = "id,gender,age\n".to_owned();
    for n in 0..40 {
        text += &format!("{},{},{}\n", n + 1, ["F", "M"][n % 2], 1 + (n * 7) % 40);
    }
    town(&text, Some(0))
}

#[test]
fn a_list_is_read_whatever_its_form() {
    let town = erfurt();
    let due = [(1, 4), (2, 9), (3, 0)];
    let after = |lines: u64| due.iter().map(|(line, one)| (line + lines, *one)).collect();
    for (text, header) in [
        ("005\n010\n001\n", 0),
        ("c04\nc09\nc00\n", 0),
        ("c04\n010\nC00\n", 0),
        ("id\n005\n010\n001\n", 1),
        ("Kennung\n005\n010\n001\n", 1),
        ("KENNUNG \n 005\n010 \n001\n", 1),
        ("Code\nc04\nc09\nc00\n", 1),
        ("Teilnehmer\n005\n010\n001\n", 1),
        ("\u{feff}Identifiant;Prénom\n005;x\n010;y\n001;z\n", 1),
        ("\"005\"\n\"010\"\n\"001\"", 0),
        // Rows of panel.csv, as it is and as spreadsheets save it.
        (
            "order;code;Kennung;Vorname;Alter;Straße\n1;c04;005;Vor4;24;Weg 4\n2;c09;010;Vor9;29;Weg 2\n3;c00;001;Vor0;20;Weg 0\n",
            1,
        ),
        (
            "order,code,Kennung,Vorname,Alter,Straße\n1,c04,5,Vor4,24,Weg 4\n2,c09,10,Vor9,29,Weg 2\n3,c00,1,Vor0,20,Weg 0\n",
            1,
        ),
        (
            "Vorname\tcode\tKennung\nVor4\tc04\t5\nVor9\tc09\t10\nVor0\tc00\t1\n",
            1,
        ),
        ("draw_order;draw_code\n1;c04\n2;c09\n3;c00\n", 1),
        // The same without the header, and without the codes.
        (
            "1;c04;005;Vor4;24;Weg 4\n2;c09;010;Vor9;29;Weg 2\n3;c00;001;Vor0;20;Weg 0\n",
            0,
        ),
        ("1;005;Vor4;24\n2;010;Vor9;29\n3;001;Vor0;20\n", 0),
        ("Vor4;24;005\nVor9;29;010\nVor0;20;001\n", 0),
    ] {
        assert_eq!(
            town.read(text, None),
            (after(header), String::new()),
            "{text}"
        );
    }
    // Records, in an array and a line each.
    let (people, wrong) = town.read("[{\"x\": 1, \"who\": \"005\"}, {\"who\": \"010\"}]", None);
    assert_eq!(
        (
            people.iter().map(|(_, one)| *one).collect::<Vec<_>>(),
            wrong
        ),
        (vec![4, 9], String::new())
    );
    let (people, wrong) = town.read("{\"code\":\"c04\"}\n{\"code\":\"c09\"}\n", None);
    assert_eq!((people, wrong), (vec![(1, 4), (2, 9)], String::new()));
    // Blank rows, and what spreadsheets write before the first.
    let (people, wrong) = town.read("sep=;\r\nKennung;x\r\n;;\r\n005;\r\n\r\n010;y\r\n", None);
    assert_eq!((people, wrong), (vec![(4, 4), (6, 9)], String::new()));
    // Latin-1 and UTF-16, of names with umlauts.
    let latin = b"Kennung;Stra\xdfe\n005;Weg 4\n";
    assert_eq!(town.read(latin, None), (vec![(2, 4)], String::new()));
    let utf16: Vec<u8> = "\u{feff}Kennung;Straße\n005;Weg\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(town.read(utf16, None), (vec![(2, 4)], String::new()));
}

/// A column that numbers rows is none of ids where another names people.
#[test]
fn the_order_of_a_panel_is_no_id() {
    let town = numbered();
    let due = vec![(1, 6), (2, 12), (3, 20), (4, 33)];
    let panel = [6, 12, 20, 33].map(|one: u32| one);
    let cells = |one: u32| (["F", "M"][one as usize % 2], 1 + (one * 7) % 40);
    let rows = |row: &dyn Fn(usize, u32) -> String| -> String {
        panel
            .iter()
            .enumerate()
            .map(|(at, one)| row(at + 1, *one))
            .collect()
    };
    let with_codes = rows(&|at, one| {
        let (gender, age) = cells(one);
        format!("{at},c{one:02},{},{gender},{age}\n", one + 1)
    });
    let without = rows(&|at, one| format!("{at},{},{},{}\n", one + 1, cells(one).0, cells(one).1));
    let two = rows(&|at, one| format!("{at},{}\n", one + 1));
    let ids_and_ages = rows(&|_, one| format!("{},{}\n", one + 1, cells(one).1));
    for (text, members) in [
        (&with_codes, None),
        (&with_codes, Some(&panel[..])),
        (&without, None),
        (&without, Some(&panel[..])),
        (&two, None),
        (&two, Some(&panel[..])),
        (&ids_and_ages, None),
        (&ids_and_ages, Some(&panel[..])),
    ] {
        assert_eq!(
            town.read(text, members),
            (due.clone(), String::new()),
            "{text}"
        );
    }
    // Ids that happen to count, with the ages of those people.
    let counting: String = (0..4)
        .map(|one| format!("{},{}\n", one + 1, cells(one).1))
        .collect();
    let first = vec![(1, 0), (2, 1), (3, 2), (4, 3)];
    assert_eq!(town.read(&counting, None), (first.clone(), String::new()));
    assert_eq!(
        town.read(&counting, Some(&[0, 1, 2, 3])),
        (first.clone(), String::new())
    );
    assert_eq!(town.read("1\n2\n3\n4\n", None), (first, String::new()));
    // One of them is a stranger: still no one is taken by the order.
    let (people, wrong) = town.read(with_codes.replace("c12,13", "x,99"), Some(&panel));
    assert_eq!(people, [(1, 6), (3, 20), (4, 33)]);
    assert_eq!(wrong, "2: the line names no respondent");
    let (people, wrong) = town.read(without.replace("2,13,", "2,99,"), Some(&panel));
    assert_eq!(people, [(1, 6), (3, 20), (4, 33)]);
    assert_eq!(wrong, "2: the line names no respondent");
    // Nothing tells two columns apart.
    let (people, wrong) = town.read("7,9\n13,30\n21,1\n", None);
    assert!(people.is_empty());
    assert_eq!(
        wrong,
        "1: columns 1 and 2 both name respondents, and not the same ones"
    );
}

#[test]
fn people_without_ids_are_found_by_their_codes() {
    let text: String = (0..12)
        .map(|n| format!("{},{}\n", ["w", "m"][n % 2], 30 + n))
        .collect();
    let town = town(&format!("Geschlecht,Alter\n{text}"), None);
    let due = (vec![(2, 5), (3, 7)], String::new());
    assert_eq!(
        town.read(
            "order,code,Geschlecht,Alter\n1,c05,m,35\n2,c07,m,37\n",
            None
        ),
        due
    );
    let bare = (vec![(1, 5), (2, 7)], String::new());
    assert_eq!(town.read("1,c05,m,35\n2,c07,m,37\n", None), bare);
    assert_eq!(town.read("6\n8\n", None), bare);
    // The order is no row's number.
    let (people, wrong) = town.read("order,Geschlecht,Alter\n1,m,35\n2,m,37\n", None);
    assert!(
        people.is_empty() && wrong.contains("the line names no respondent"),
        "{wrong}"
    );
}

#[test]
fn what_is_wrong_is_named_by_its_line_and_without_names() {
    let town = erfurt();
    let panel = "order;code;Kennung;Vorname\n1;c04;005;Vor4\n2;c09;010;Vor9\n";
    for (text, due) in [
        (
            "005\nMallory\n010\nEve\n",
            "2: the line names no respondent; 4: the line names no respondent",
        ),
        ("Mallory\n005\n", "1: the line names no respondent"),
        (
            "Mallory;F\n005;M\n010;F\n",
            "1: the line names no respondent",
        ),
        ("005\n010\n005\n", "3 is 1"),
        ("005\nc04\n", "2 is 1"),
        ("5\n", "1: the line names no respondent"),
        (
            &*panel.replace("c09;010", "c09;011"),
            "3: the code of this row is one respondent's and the id '011' another's",
        ),
        (
            &panel.replace("c09;010", "c09;Mallory"),
            "3: the code of this row is a respondent's, and the id is not theirs",
        ),
        (
            &panel.replace("c09;010", "c99;010"),
            "3: the id of this row is a respondent's, and the code is not theirs",
        ),
        (
            &panel.replace("c09;010", ";"),
            "3: the cell that is to name a respondent is blank",
        ),
        (
            &panel
                .replace("order;code;Kennung;Vorname\n", "")
                .replace("c09;010", "c09;001"),
            "2: the code of this row is one respondent's and the id '001' another's",
        ),
    ] {
        let (_, wrong) = town.read(text, None);
        assert_eq!(wrong, due, "{text}");
        assert!(!wrong.contains("Mallory"));
    }
    // Codes of another file of people are no codes: the ids count.
    let (people, wrong) = town.read(panel.replace("c0", "f0"), None);
    assert_eq!((people, wrong), (vec![(2, 4), (3, 9)], String::new()));
    // A blank id or code next to the other is no contradiction.
    let (people, wrong) = town.read(
        panel.replace("c09;010", "c09;").replace("c04;005", ";005"),
        None,
    );
    assert_eq!((people, wrong), (vec![(2, 4), (3, 9)], String::new()));
}

#[test]
fn lost_zeros_are_explained() {
    let roster = erfurt().roster;
    let (_, help) = Unnamed::Stranger.explain("5", &roster);
    assert!(help.contains("'005'"), "{help}");
    let (_, help) = Unnamed::Stranger.explain("x", &roster);
    assert!(help.contains("panel.csv"), "{help}");
}

#[test]
fn a_respondent_has_the_code_that_finds_them() {
    let town = town("id\na\nb\n", Some(0));
    for (one, code) in [(0, "c00"), (1, "c01")] {
        assert_eq!(town.roster.code(one), Some(code));
        assert_eq!(town.roster.by_code(code), Some(one));
    }
    assert_eq!(town.roster.code(2), None);
    assert_eq!(Roster::default().code(0), None);
}
