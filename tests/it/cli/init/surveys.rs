//! Exports of survey tools: rows below the header that name the columns once more, and titles above.

use super::{config, init, rows, sex, utf16};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// A file of a survey tool: a header of codes, a row of texts, then people.
fn export(codes: &str, texts: &str, row: impl Fn(usize) -> String) -> String {
    rows(&format!("{codes}\n{texts}"), row)
}

fn age(at: usize) -> &'static str {
    ["16-34", "35+"][at / 3 % 2]
}

/// Files with a second row of names, each with the id that the config names.
fn exports() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let lime = |texts: &str, genders: [&str; 2]| {
        export(
            "id;submitdate;lastpage;startlanguage;G01Q01;G01Q02",
            texts,
            |at| {
                let gender = genders[at * 7 / 3 % 2];
                format!(
                    "{};2026-05-03 10:{at:02}:00;3;de;{gender};{}",
                    at + 1,
                    age(at)
                )
            },
        )
    };
    let german =
        "Antwort-ID;Datum Abgeschickt;Letzte Seite;Start-Sprache;Ihr Geschlecht?;Ihr Alter?";
    let french = "ID de la réponse;Date de soumission;Dernière page;Langue;Votre sexe;Votre âge";
    let spanish = "ID de respuesta;Fecha de envío;Última página;Idioma inicial;Su sexo;Su edad";
    let codes_below = export(
        "Response ID\tDate submitted\tLast page\tYour gender?\tYour age?",
        "id\tsubmitdate\tlastpage\tG01Q01\tG01Q02",
        |at| format!("{}\t2026-05-03\t3\t{}\t{}", at + 1, sex(at), age(at)),
    );
    let sosci = export(
        "CASE\tQUESTNNR\tSD01\tSD02_01",
        "Interview-Nummer (fortlaufend)\tFragebogen\tGeschlecht\tAlter: ... Jahre",
        |at| format!("{}\tbase\t{}\t{}", 101 + at, at % 2 + 1, 20 + at * 7 % 50),
    );
    let plain = export(
        "Nr;F1;F2",
        "laufende Nummer;Geschlecht;Altersgruppe",
        |at| {
            format!(
                "{};{};{}",
                at + 1,
                ["männlich", "weiblich"][at % 2],
                age(at)
            )
        },
    );
    let texts = export(
        "Kennung;F1;F2",
        "Kennung der Person;Geschlecht;Altersgruppe",
        |at| format!("A-{at};{};{}", sex(at), age(at)),
    );
    vec![
        (
            "lime.csv",
            lime(german, ["männlich", "weiblich"]).into_bytes(),
            "id",
        ),
        (
            "lime-fr.csv",
            lime(french, ["homme", "femme"]).into_bytes(),
            "id",
        ),
        (
            "lime-es.csv",
            lime(spanish, ["hombre", "mujer"]).into_bytes(),
            "id",
        ),
        ("vv.csv", codes_below.into_bytes(), "Response ID"),
        ("sosci.csv", utf16(&sosci), "CASE"),
        ("two.csv", plain.into_bytes(), "Nr"),
        ("texts.csv", texts.into_bytes(), "Kennung"),
    ]
}

#[test]
fn a_second_row_of_names_is_no_person() {
    let terminal = Terminal::new();
    for (file, bytes, id) in exports() {
        terminal.put(file, bytes);
        let (written, said) = config(&terminal, &[file]);
        said.says("line 2 is a further header row of a survey tool, and no person: left out");
        said.says("(otherwise: --header 1)");
        written.says(&format!("id = \"{id}\""));
        assert!(
            terminal.done(&["check", "my.toml"]).contains("40 of 41"),
            "{file}"
        );
        // The user says that it is a person.
        let said = init(&terminal, &[file, "--header", "1"]).stderr;
        said.never_says("no person");
        said.says("as --header says");
    }
}

#[test]
fn the_user_says_how_many_rows_name_the_columns() {
    let terminal = Terminal::new();
    let units = rows("id;gender;size\nPerson;;\n;;in cm", |at| {
        format!("p{at};{};{}", sex(at), 150 + at)
    });
    terminal.put("units.csv", units);
    let said = init(&terminal, &["units.csv", "--header", "3"]);
    for line in [2, 3] {
        let due = format!("line {line} is a further header row of a survey tool");
        said.stderr.says(&due);
    }
    said.stderr.says("column `size`: number");
    // Where the rows leave it open, it is a person, and it is said what to say.
    let open = rows("id;gender;area\nx;divers;Nord", |at| {
        format!("p{at};{};{}", sex(at), ["Ost", "Süd"][at / 2 % 2])
    });
    terminal.put("open.csv", open);
    let said = init(&terminal, &["open.csv"]).stderr;
    said.says("line 2 shares no value with the rows below it, and is taken for a person");
    said.says("say --header 2");
    said.never_says("no person");
    let said = init(&terminal, &["open.csv", "--header", "2"]).stderr;
    said.says("line 2 is a further header row");
}

#[test]
fn titles_above_the_header_are_refused() {
    let terminal = Terminal::new();
    for (title, line) in [
        ("Bürgerrat Erfurt;;\nStand: 3.5.2026;;\n;;\n", 4),
        ("Liste der Personen;;\n", 2),
        ("Assemblée citoyenne\nÉtat du 3 mai\n", 3),
    ] {
        let table = rows("Nr;Geschlecht;Alter", |at| {
            format!("{at};{};{}", sex(at), age(at))
        });
        terminal.put("title.csv", format!("{title}{table}"));
        let said = init(&terminal, &["title.csv"]);
        assert_eq!(said.code, Some(2), "{title}");
        said.stderr.says("a title");
        let due = format!("delete the rows above line {line}, which names the columns");
        said.stderr.says(&due);
    }
}
