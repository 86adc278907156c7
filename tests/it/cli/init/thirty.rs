//! Thirty files that people might have: who is kept, and what is said of those who are not.

use super::{cp1252, init, rows, sex, utf16};
use crate::support::terminal::Terminal;

/// A file: its bytes, quotas, how many of its people are kept (none where it is refused), and what is
/// said.
struct Case {
    people: Vec<u8>,
    quotas: &'static str,
    kept: Option<usize>,
    says: &'static str,
}

const SEXES: &str = "category;name;min;max\nsex;F;4;6\nsex;M;4;6\n";

/// 40 people under a header, who are kept.
fn all(header: &str, row: impl Fn(usize) -> String) -> Case {
    Case {
        people: rows(header, row).into_bytes(),
        quotas: SEXES,
        kept: Some(40),
        says: "",
    }
}

/// Identities: zeros, case, doubles, contacts.
fn identities() -> Vec<Case> {
    let doubled = |first: &'static str, again: &'static str| {
        move |at: usize| match at {
            9 => format!("{first};F;a9@x.org"),
            39 => format!("{again};f;A9@x.org "),
            at => format!("K{at};{};a{at}@x.org", sex(at)),
        }
    };
    vec![
        all("Nr;sex", |at| {
            let id = if at < 20 {
                format!("{at:03}")
            } else {
                (at - 20).to_string()
            };
            format!("{id};{}", sex(at))
        }),
        all("DNI;sex;correo", |at| {
            format!("{:08}X;{};p{at}@x.es", at * 7919, sex(at))
        }),
        Case {
            kept: Some(39),
            says: "alike in all cells but `N° de dossier`: one person, of whom the first row is kept",
            ..all("N° de dossier;sex;Courriel", doubled("D9", "D139"))
        },
        Case {
            kept: Some(39),
            says: "are one person, alike in all cells: they count once",
            ..all("Kennung;sex;E-Mail", doubled("Zoë", "ZOE\u{308}"))
        },
        Case {
            kept: None,
            says: "lines 11 and 41 have the id 'Zoë' in `identificador`, and differ in `mark`",
            ..all("identificador;sex;mark", |at| match at {
                9 => "Zoë;F;1".into(),
                39 => "zoë;F;2".into(),
                at => format!("K{at};{};{}", sex(at), at % 5),
            })
        },
        Case {
            kept: None,
            says: "lines 5 and 19 have no id in `id`",
            ..all("id;sex", |at| match at {
                3 | 17 => format!(";{}", sex(at)),
                at => format!("p{at};{}", sex(at)),
            })
        },
        all("id;Teilnehmernummer;sex", |at| {
            format!("p{at};T{};{}", at.min(38), sex(at))
        }),
        all("Vorname;sex;id", |at| {
            format!("{};{};{at}", ["Ana", "Eva", "Uwe"][at % 3], sex(at))
        }),
    ]
}

/// Layouts: marks, quotes, blanks, encodings.
fn layouts() -> Vec<Case> {
    let person = |at: usize| format!("p{at};{};x", sex(at));
    let with = |text: String| Case {
        people: text.into_bytes(),
        ..all("id;sex;note", person)
    };
    let plain = rows("id;sex;note", person);
    let bars = rows("id|sex|note", |at| {
        format!("p{at}|{}|\"a|b; \"\"x\"\", {at}\"", sex(at))
    });
    vec![
        with(format!("\u{feff}SEP=;\r\n{}", plain.replace('\n', "\r\n"))),
        with(format!("\"sep=|\"\n{bars}")),
        with(plain.replace('\n', ";\n")),
        with(plain.replace(";x\n", ";\"line\none; two\"\n")),
        with(plain.replacen("id;sex", "\u{200b}id;\u{feff}Sex\u{ad} ", 1)),
        Case {
            says: "found: 3 blank rows skipped",
            ..with(plain.replacen("p5;", ";;\n \u{a0};;\n;;\np5;", 1))
        },
        Case {
            kept: None,
            says: "people.csv:7: the row has 1 cell and the first has 3",
            ..with(plain.replacen(&format!("p5;{};x", sex(5)), "p5", 1))
        },
        Case {
            kept: None,
            says: "the quotes of this field are wrong",
            ..with(
                plain
                    .replacen("p20;F;x", "p20;F;\"x", 1)
                    .replacen("p20;M;x", "p20;M;\"x", 1),
            )
        },
        Case {
            people: cp1252(&plain.replace(";x", ";Grüße")),
            says: "it is read as Latin-1 (Windows-1252), by runs too",
            ..with(String::new())
        },
        Case {
            people: utf16(&plain.replace(';', "\t")),
            says: "it is read as UTF-16, by runs too",
            ..with(String::new())
        },
        with(plain.replace("id;sex;note", "id;sex;Hinweis, falls nötig, und Datum")),
        Case {
            kept: None,
            says: "two columns are called \"SEX\"",
            ..with(plain.replace("id;sex;note", "id;sex;SEX"))
        },
    ]
}

/// Values: slips, other words, rows that are no people.
fn values() -> Vec<Case> {
    let areas = "category;name;min;max\nregión;Andalucía;4;6\nregión;León;4;6\n";
    let region = |at: usize| ["Andaluci\u{301}a", "LEO\u{301}N\u{a0}"][at / 2 % 2];
    let odd = |cell: &'static str, kept: Option<usize>, says: &'static str| Case {
        kept,
        says,
        ..all("Nr;Geschlecht", move |at| {
            let own = ["weiblich", "männlich"][at % 2];
            format!("{};{}", at + 1, if at == 7 { cell } else { own })
        })
    };
    let german = "Kategorie;Wert;Min;Max\nGeschlecht;Weiblich;4;6\nGeschlecht;Männlich;4;6\n";
    let mut found = vec![
        Case {
            quotas: areas,
            ..all("Número;Región", |at| format!("{at};{}", region(at)))
        },
        odd("MÄNNLICH ", Some(40), ""),
        odd(
            "mannlich",
            Some(39),
            "line 9 has 'mannlich' in `Geschlecht`, a slip for 'Männlich'",
        ),
        odd("maennlich", None, "correct it ('Männlich'?)"),
        odd(
            "m",
            None,
            "line 9 has 'm' in `Geschlecht`, which the quotas do not name",
        ),
        odd("k. A.", None, "--where \"Geschlecht != 'k. A.'\""),
        odd("", Some(39), "line 9 has no `Geschlecht`: left out"),
    ];
    for case in &mut found[1..] {
        case.quotas = german;
    }
    let footer = rows("id;sex;age", |at| format!("p{at};{};old", sex(at)));
    found.extend([
        Case {
            people: format!("{footer};;\nStand: 3.5.2026;;\nQuelle: Amt;;\n").into_bytes(),
            says: "lines 43 and 44 have no `sex`: left out",
            ..all("", |_| String::new())
        },
        Case {
            people: format!("{footer}TOTAL GÉNÉRAL;40;\nMoyenne;;20\n").into_bytes(),
            says: "line 42 is a row of sums",
            ..all("", |_| String::new())
        },
        Case {
            quotas: "Merkmal;Ausprägung;Soll\nsex;F;5\nsex;M;4-6\n",
            ..all("id;sex", |at| format!("p{at};{}", sex(at)))
        },
    ]);
    found
}

#[test]
fn no_one_is_lost_or_doubled_without_a_word() {
    let terminal = Terminal::new();
    let cases = [identities(), layouts(), values()].into_iter().flatten();
    let cases: Vec<Case> = cases.collect();
    assert_eq!(cases.len(), 30);
    for (at, case) in cases.iter().enumerate() {
        terminal.put("people.csv", &case.people);
        terminal.put("quotas.csv", case.quotas);
        let _ = std::fs::remove_file(terminal.path("my.toml"));
        let said = init(&terminal, &["people.csv", "quotas.csv"]);
        assert!(
            said.stderr.contains(case.says),
            "{at} {}: {}",
            case.says,
            said.stderr
        );
        let Some(kept) = case.kept else {
            assert_eq!(said.code, Some(2), "{at}: {}", said.stderr);
            continue;
        };
        assert_eq!(said.code, Some(0), "{at}: {}", said.stderr);
        let checked = terminal.done(&["check", "my.toml"]);
        let due = format!("note: people.csv: {kept} of ");
        assert!(checked.contains(&due), "{at} {kept}: {checked}");
        let is_said = kept == 40 || said.stderr.contains(&format!("{kept} of 40 are people"));
        assert!(is_said, "{at}: {}", said.stderr);
    }
}
