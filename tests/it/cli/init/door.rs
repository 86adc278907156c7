//! Files as they come, with the right config beside each.

use super::{config, init};
use crate::support::terminal::Terminal;
use crate::support::workbooks::{ods, sheet, xlsx};

const QUOTAS: &str =
    "category,name,min,max\ngender,F,2,3\ngender,M,1,2\nage,old,1,3\nage,young,1,2\n";

/// A header and 40 rows.
fn rows(header: &str, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..40).map(|at| row(at) + "\n").collect();
    format!("{header}\n{rows}")
}

fn sex(at: usize) -> &'static str {
    ["F", "M"][at * 7 / 3 % 2]
}

#[test]
fn the_id_stays_where_a_row_is_there_twice() {
    let terminal = Terminal::new();
    terminal.put("quotas.csv", QUOTAS);
    for (id, rows) in [
        ("id", "a,F,old\nb,M,young\na,F,old\nc,M,old\nd,F,young\n"),
        ("Nr", "1,F,old\n2,M,young\n3,M,old\n4,F,young\n4,F,young\n"),
        (
            "Kennung",
            "x1,F,old\nx2,M,young\nx3,M,old\nx1,F,old\nx4,F,young\n",
        ),
        (
            "identifiant",
            "7,F,old\n7,F,old\n8,M,young\n9,M,old\n10,F,young\n",
        ),
        (
            "número",
            "7,F,old\n8,M,young\n9,M,old\n10,F,young\n8,M,young\n",
        ),
    ] {
        terminal.put("people.csv", format!("{id},gender,age\n{rows}"));
        let said = init(&terminal, &["people.csv", "quotas.csv", "--places", "3"]);
        assert!(
            terminal.read("my.toml").contains(&format!("id = \"{id}\"")),
            "{id}"
        );
        assert!(
            said.stderr
                .contains(&format!("column `{id}`: id, by its name")),
            "{}",
            said.stderr
        );
        let counted = said
            .stderr
            .contains("are one person, alike in all cells: they count once");
        assert!(counted, "{id}: {}", said.stderr);
        assert_eq!(said.code, Some(0), "{id}: {}", said.stderr);
    }
    // One id, two people: both rows are named, and nothing is run.
    terminal.put(
        "people.csv",
        "id,gender,age\na,F,old\nb,M,young\na,M,old\nc,F,old\nd,F,young\ne,F,old\n",
    );
    let said = init(&terminal, &["people.csv", "quotas.csv", "--places", "3"]);
    assert_eq!(said.code, Some(2));
    let due = "lines 2 and 4 have the id 'a' in `id`, and differ in `gender`";
    assert!(said.stderr.contains(due), "{}", said.stderr);
    assert!(
        said.stderr.contains("--where \"id != 'a'\""),
        "{}",
        said.stderr
    );
    assert!(!said.stderr.contains("next: klero run"), "{}", said.stderr);
    let (left, _) = config(
        &terminal,
        &[
            "people.csv",
            "quotas.csv",
            "--places",
            "3",
            "--where",
            "id != 'a'",
        ],
    );
    assert!(left.contains("where = [\"id != 'a'\"]"), "{left}");
}

#[test]
fn a_header_is_judged_by_its_columns_and_options_say_otherwise() {
    let terminal = Terminal::new();
    let years = rows("id,gender,2023,2024", |at| {
        format!("r{at},{},{},{}", sex(at), 20 + at, 60 - at)
    });
    let boxes = rows("id,gender,Vegetarian", |at| {
        format!("p{at},{},{}", sex(at), ["Vegetarian", ""][at % 2])
    });
    let survey = rows("Kennung;Frage 1;1;2;3", |at| {
        format!("k{at};{};{};4;2", sex(at), at % 5 + 1)
    });
    for (text, names) in [
        (&years, "`2023`"),
        (&boxes, "`Vegetarian`"),
        (&survey, "`Frage 1`"),
    ] {
        terminal.put("people.csv", text);
        let (written, said) = config(&terminal, &["people.csv"]);
        assert!(
            said.contains("line 1 names the columns: ") && said.contains("--header no"),
            "{said}"
        );
        assert!(said.contains(&format!("column {names}: ")), "{said}");
        assert!(!written.contains("column_1"), "{written}");
        assert!(
            written.contains("id = \"id\"") || written.contains("id = \"Kennung\""),
            "{written}"
        );
    }
    let bare = rows("p0,F,old", |at| {
        format!("p{},{},{}", at + 1, sex(at), ["old", "young"][at % 2])
    });
    terminal.put("bare.csv", &bare);
    let (written, said) = config(&terminal, &["bare.csv"]);
    assert!(
        said.contains("line 1 is a person and names no columns: 'F' is a value"),
        "{said}"
    );
    assert!(
        said.contains("(otherwise: --header yes)") && written.contains("column_2"),
        "{said}"
    );
    let (written, said) = config(&terminal, &["bare.csv", "--header", "yes"]);
    assert!(
        said.contains("as --header says") && written.contains("id = \"p0\""),
        "{said} {written}"
    );
    terminal.put("quotas.csv", QUOTAS);
    let said = init(&terminal, &["bare.csv", "quotas.csv"]);
    assert!(
        said.code == Some(2) && said.stderr.contains("names no columns"),
        "{}",
        said.stderr
    );
}

#[test]
fn outcomes_and_scores_are_what_the_user_names() {
    let terminal = Terminal::new();
    let of = |outcome: fn(usize) -> &'static str| {
        rows("id,sex,years,hired", |at| {
            format!("p{at},{},{},{}", sex(at), at * 7 % 40, outcome(at))
        })
    };
    let yes_no = of(|at| ["yes", "no"][at % 2]);
    let codes = of(|at| ["1", "2"][at % 2]);
    let lacking = of(|at| ["0", "1", "NA"][at % 3]);
    for (text, option, due, assumed) in [
        (
            &yes_no,
            "hired",
            "values = { yes = 1, no = 0 }",
            "hired is good where it is yes",
        ),
        (
            &yes_no,
            "hired=no",
            "values = { no = 1, yes = 0 }",
            "hired is good where it is no",
        ),
        (
            &codes,
            "hired=1",
            "values = { 1 = 1, 2 = 0 }",
            "hired is good where it is 1",
        ),
        (
            &lacking,
            "hired",
            "missing = [\"NA\"]",
            "13 people have no hired",
        ),
    ] {
        terminal.put("people.csv", text);
        let (written, said) = config(&terminal, &["people.csv", "--outcome", option]);
        assert!(
            written.contains(due) && written.contains("good = \">= 1\""),
            "{written}"
        );
        assert!(said.contains(assumed), "{said}");
        terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
    }
    terminal.put("people.csv", &codes);
    let said = init(&terminal, &["people.csv", "--outcome", "hired"]);
    assert!(
        said.code == Some(2) && said.stderr.contains("--outcome 'hired=1'"),
        "{}",
        said.stderr
    );
    // Without the option it is no group either, by which people would be chosen.
    let (written, said) = config(&terminal, &["people.csv"]);
    assert!(
        said.contains("column `hired`: left out, its name is that of an outcome"),
        "{said}"
    );
    assert!(!written.contains("hired = {"), "{written}");
    let marks = rows("id,sex,mark", |at| {
        format!("p{at},{},{}", sex(at), at % 5 + 1)
    });
    terminal.put("people.csv", marks);
    let (written, said) = config(&terminal, &["people.csv", "--score", "mark"]);
    assert!(written.contains("utility = \"mark\""), "{written}");
    assert!(
        said.contains("column `mark`: score, as --score mark says"),
        "{said}"
    );
    let (written, said) = config(&terminal, &["people.csv"]);
    assert!(
        said.contains(
            "column `mark`: number, a scale from 1 to 5 (otherwise: --columns mark=attribute)"
        ),
        "{said}"
    );
    assert!(!written.contains("mark = {"), "{written}");
    let (written, _) = config(&terminal, &["people.csv", "--columns", "mark=attribute"]);
    assert!(
        written.contains("mark = { column = \"mark\" }"),
        "{written}"
    );
}

#[test]
fn rows_that_are_no_people_are_left_out_and_targets_are_those_of_the_others() {
    let terminal = Terminal::new();
    let person = |at: usize| format!("p{at},{},{}", sex(at), ["18-34", "35+"][at / 2 % 2]);
    let plain = rows("id,gender,age", person);
    let with = |more: &str| plain.clone() + more;
    let headers = plain.replacen('\n', "\nNummer,Geschlecht?,Alter?\n\"{\"\"ImportId\"\":\"\"a\"\"}\",\"{\"\"ImportId\"\":\"\"b\"\"}\",\"{\"\"ImportId\"\":\"\"c\"\"}\"\n", 1);
    let response = plain.replacen('\n', "\n,Response,Open-Ended Response\n", 1);
    terminal.put("plain.csv", &plain);
    let (written, _) = config(&terminal, &["plain.csv"]);
    let target = |text: &str| {
        text.split("[target]")
            .nth(1)
            .expect("a target")
            .split("[rules]")
            .next()
            .map(str::to_owned)
    };
    let due = target(&written);
    for (name, text, lines) in [
        ("total", with("Total,40,\n"), "line 42 is a row of sums"),
        ("summe", with("Summe,,\n"), "line 42 is a row of sums"),
        (
            "gesamt",
            with(",,\n,,\nGesamt,40,\n"),
            "line 44 is a row of sums",
        ),
        (
            "blank age",
            with("p98,Prefer not to say,\np99,Prefer not to say,\n"),
            "lines 42 and 43 have no `age`: left out",
        ),
        ("blank rows", with(",,\n,,\n,,\n"), "3 blank rows"),
        (
            "slip",
            with("p98,F,18-43\n")
                .replace("18-43", "35-")
                .replace("p98,F,35-\n", ""),
            "",
        ),
        (
            "import",
            headers,
            "line 3 is a further header row of a survey tool",
        ),
        (
            "response",
            response,
            "line 2 is a further header row of a survey tool",
        ),
    ] {
        terminal.put("people.csv", text);
        let (written, said) = config(&terminal, &["people.csv"]);
        assert!(said.contains(lines), "{name}: {said}");
        assert_eq!(target(&written), due, "{name}");
        let checked = terminal.done(&["check", "my.toml"]);
        assert!(!checked.contains("42 of"), "{name}: {checked}");
    }
}

#[test]
fn counters_and_texts_are_no_features() {
    let terminal = Terminal::new();
    for counter in ["", "index", "lfd. Nr.", "Unnamed: 0"] {
        let text = rows(&format!("{counter},id,sex,x,hired"), |at| {
            format!(
                "{at},p{},{},{}.5,{}",
                at * 3,
                sex(at),
                at * 7 % 11,
                at % 3 % 2
            )
        });
        terminal.put("people.csv", text);
        let (written, said) = config(&terminal, &["people.csv"]);
        assert!(
            written.contains("numeric = [\"x\"]") && written.contains("id = \"id\""),
            "{written}"
        );
        assert!(
            said.contains("counter, it counts the rows"),
            "{counter}: {said}"
        );
    }
}

#[test]
fn ages_meet_the_ranges_of_quotas() {
    let terminal = Terminal::new();
    let people = rows("id,Alter", |at| format!("p{at},{}", 20 + at));
    terminal.put("people.csv", people);
    for [young, old] in [
        ["20-39", "40+"],
        ["20 bis 39", "40 und älter"],
        ["moins de 40 ans", "40 ans et plus"],
        ["de 20 a 39 años", "más de 39"],
    ] {
        terminal.put(
            "quotas.csv",
            format!("category,name,min,max\nalter,{young},4,6\nalter,{old},4,6\n"),
        );
        let (written, said) = config(&terminal, &["people.csv", "quotas.csv"]);
        assert!(
            said.contains("column `Alter`: attribute in bands"),
            "{said}"
        );
        assert!(
            written.contains(old) && written.contains("bands"),
            "{written}"
        );
        terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
    }
    terminal.put(
        "quotas.csv",
        "category,name,min,max\nalter,25-39,4,6\nalter,40+,4,6\n",
    );
    let said = init(&terminal, &["people.csv", "quotas.csv"]);
    assert!(
        said.stderr
            .contains("have a number in `Alter` that is in no range"),
        "{}",
        said.stderr
    );
    assert!(
        said.stderr.contains("--where \"Alter >= 25\""),
        "{}",
        said.stderr
    );
    config(
        &terminal,
        &["people.csv", "quotas.csv", "--where", "Alter >= 25"],
    );
}

#[test]
fn what_is_not_read_is_said_under_assumed_and_in_the_config() {
    let terminal = Terminal::new();
    let names: Vec<String> = (0..8).map(|at| format!("q{at}")).collect();
    let text = rows(&format!("id,{}", names.join(",")), |at| {
        let cells = (0..8).map(|q| ["a", "b"][at / (q + 1) % 2]);
        format!("p{at},{}", cells.collect::<Vec<_>>().join(","))
    });
    terminal.put("people.csv", text);
    let (written, said) = config(&terminal, &["people.csv"]);
    assert!(said.contains("assumed: not read: `q6`, `q7`"), "{said}");
    assert!(written.contains("# - not read: `q6`, `q7`"), "{written}");
    let (written, _) = config(
        &terminal,
        &[
            "people.csv",
            "--columns",
            "q6=attribute,q7=attribute,q0=out",
        ],
    );
    assert!(
        written.contains("q7 = { column") && !written.contains("q0 = { column"),
        "{written}"
    );
}

#[test]
fn files_are_read_as_they_are_and_no_copy_is_written() {
    let terminal = Terminal::new();
    let person = |at: usize| {
        format!(
            "{at};{};{}",
            ["weiblich", "männlich"][at % 2],
            ["Süd", "Nord"][at / 2 % 2]
        )
    };
    let text = rows("Nr;Geschlecht;Bezirk", person);
    let quotas = "category;name;min;max\nGeschlecht;weiblich;4;6\nGeschlecht;männlich;4;6\n";
    terminal.put("quotas.csv", super::cp1252(quotas));
    for (name, bytes) in [
        ("cp1252.csv", super::cp1252(&text)),
        ("utf16.csv", super::utf16(&text)),
        ("sep.csv", format!("sep=;\n{text}").into_bytes()),
        ("bom.csv", format!("\u{feff}{text}").into_bytes()),
    ] {
        terminal.put(name, bytes);
        let before = terminal.names(".");
        let (written, _) = config(&terminal, &[name, "quotas.csv"]);
        assert!(written.contains(&format!("path = \"{name}\"")), "{written}");
        terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
        let after: Vec<String> = terminal
            .names(".")
            .into_iter()
            .filter(|file| file != "my.toml" && file != "lotteries")
            .collect();
        let before: Vec<String> = before
            .into_iter()
            .filter(|file| file != "my.toml" && file != "lotteries")
            .collect();
        assert_eq!(after, before);
    }
    let records: Vec<String> = (0..40)
        .map(|at| format!("{{\"id\": \"p{at}\", \"sex\": \"{}\"}}", sex(at)))
        .collect();
    terminal.put("array.json", format!("[{}]", records.join(", ")));
    let (written, _) = config(&terminal, &["array.json"]);
    assert!(written.contains("path = \"array.json\""), "{written}");
    terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
}

#[test]
fn quotas_in_other_languages_are_known_and_others_are_named_by_an_option() {
    let terminal = Terminal::new();
    let people = rows("Nr;Geschlecht;Alter", |at| {
        format!("{at};{};{}", sex(at), ["jung", "alt"][at / 2 % 2])
    });
    terminal.put("people.csv", people);
    let body = "\nGeschlecht;F;4;6\nGeschlecht;M;4;6\nAlter;jung;4;6\nAlter;alt;4;6\n";
    for header in [
        "Kategorie;Wert;Min;Max",
        "Merkmal;Ausprägung;mindestens;höchstens",
        "Catégorie;Valeur;Minimum;Maximum",
        "Categoría;Valor;Mínimo;Máximo",
        "Categoria;Valore;Minimo;Massimo",
        "Kenmerk;Waarde;minstens;hoogstens",
    ] {
        terminal.put("quotas.csv", format!("{header}{body}"));
        let (written, said) = config(&terminal, &["people.csv", "quotas.csv"]);
        let first = header.split(';').next().unwrap();
        assert!(
            written.contains(&format!("category = \"{first}\"")),
            "{written}"
        );
        assert!(
            said.contains(&format!("column `{first}` of the quotas: category")),
            "{said}"
        );
    }
    terminal.put("quotas.csv", format!("Thema;Antwort;u;o{body}"));
    let said = init(&terminal, &["people.csv", "quotas.csv"]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(
        said.stderr.contains("--columns Thema=category"),
        "{}",
        said.stderr
    );
    let named = "Thema=category,Antwort=value,u=min,o=max";
    let (written, _) = config(&terminal, &["people.csv", "quotas.csv", "--columns", named]);
    assert!(written.contains("name = \"Antwort\""), "{written}");
}

#[test]
fn values_that_the_quotas_do_not_name_are_listed() {
    let terminal = Terminal::new();
    terminal.put(
        "quotas.csv",
        "category,name,min,max\ngender,Female,4,6\ngender,Male,4,6\n",
    );
    let people = |odd: [&'static str; 4]| {
        rows("id,gender", move |at| {
            let own = ["Female", "Male"][at % 2];
            let cell = if at < 4 { odd[at] } else { own };
            format!("p{at},{}", if cell.is_empty() { own } else { cell })
        })
    };
    for (odd, said, kept) in [
        (
            ["Femal", "", "", ""],
            "line 2 has 'Femal' in `gender`, a slip for 'Female': left out",
            true,
        ),
        (["FEMALE", "female ", "Fe\u{200b}male", ""], "", true),
        (
            ["", "mael", "", "Mael"],
            "lines 3 and 5 have 'mael' in `gender`, a slip for 'Male'",
            true,
        ),
        (
            ["Divers", "Divers", "", ""],
            "lines 2 and 3 have 'Divers' in `gender`, which the quotas do not name",
            false,
        ),
    ] {
        terminal.put("people.csv", people(odd));
        let found = init(&terminal, &["people.csv", "quotas.csv"]);
        assert!(found.stderr.contains(said), "{odd:?}: {}", found.stderr);
        if kept {
            assert_eq!(found.code, Some(0), "{odd:?}: {}", found.stderr);
        }
    }
    let option = "gender != 'Divers'";
    config(&terminal, &["people.csv", "quotas.csv", "--where", option]);
}

#[test]
fn a_problem_is_said_once_wherever_the_config_is() {
    let terminal = Terminal::new();
    let quotas = "category,name,min,max\ngender,Female,4,6\ngender,Male,4,6\n";
    terminal.put("quotas.csv", quotas);
    let people = |at| match at {
        0 => "p0,Divers".into(),
        _ => format!("p{at},{}", ["Female", "Male"][at % 2]),
    };
    terminal.put("people.csv", rows("id,gender", people));
    std::fs::create_dir(terminal.path("configs")).expect("a folder can be made");
    for out in ["first.toml", "configs/first.toml"] {
        let found = terminal.klero(&["init", "people.csv", "quotas.csv", "-o", out]);
        assert_eq!(found.code, Some(2), "{}", found.stderr);
        assert!(found.stderr.contains("1 problem;"), "{}", found.stderr);
    }
}

#[test]
fn households_keep_people_apart_and_the_comparison_is_the_organisers() {
    let terminal = Terminal::new();
    terminal.put(
        "quotas.csv",
        "category,name,min,max\ngender,F,4,6\ngender,M,4,6\n",
    );
    for (header, columns) in [
        ("id,gender,Adresse", "[\"Adresse\"]"),
        ("id,gender,household", "[\"household\"]"),
        ("id,gender,Straße,PLZ", "[\"Straße\", \"PLZ\"]"),
        ("id,gender,hogar", "[\"hogar\"]"),
    ] {
        let place = if header.contains("PLZ") { ",99084" } else { "" };
        let text = rows(header, |at| {
            format!("p{at},{},Gasse {}{place}", sex(at), at / 2)
        });
        terminal.put("people.csv", text);
        let (written, said) = config(&terminal, &["people.csv", "quotas.csv"]);
        assert!(
            written.contains(&format!("unique = {columns}")),
            "{written}"
        );
        assert!(
            said.contains("no two members are of one household"),
            "{said}"
        );
        assert_eq!(written.matches("[[policy]]").count(), 2, "{written}");
        let kinds = written.contains("kind = \"leximin\"")
            && written.contains("kind = \"quota_lookahead\"");
        assert!(
            kinds && written.contains("judge = [\"quotas_kept\""),
            "{written}"
        );
    }
}

#[test]
fn workbooks_are_read_by_their_sheets() {
    let terminal = Terminal::new();
    let cells: Vec<[String; 3]> = (0..40)
        .map(|at| {
            [
                format!("P{at}"),
                sex(at).to_owned(),
                ["jung", "alt"][at / 2 % 2].to_owned(),
            ]
        })
        .collect();
    let mut people: Vec<Vec<&str>> = vec![vec!["Kennung", "Geschlecht", "Alter"]];
    people.extend(
        cells
            .iter()
            .map(|row| row.iter().map(String::as_str).collect()),
    );
    let people: Vec<&[&str]> = people.iter().map(|row| &row[..]).collect();
    let quotas: &[&[&str]] = &[
        &["Kategorie", "Wert", "Min", "Max"],
        &["Geschlecht", "F", "4", "6"],
        &["Geschlecht", "M", "4", "6"],
    ];
    let sheets = [sheet("Quoten", quotas), sheet("Leute", &people)];
    for (name, bytes) in [("buch.xlsx", xlsx(&sheets)), ("buch.ods", ods(&sheets))] {
        terminal.put(name, bytes);
        // The sheet of people is the one that holds no quotas; names say otherwise.
        for options in [&[][..], &["--sheet", "Leute", "--quotas-sheet", "Quoten"]] {
            let (written, said) = config(&terminal, &[&[name, name], options].concat());
            assert!(said.contains("the sheet \"Leute\" is read"), "{said}");
            assert!(
                written.contains("sheet = \"Leute\"") && written.contains("sheet = \"Quoten\""),
                "{written}"
            );
        }
        terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
        let said = init(&terminal, &[name, name, "--sheet", "Leut"]);
        assert!(
            said.code == Some(2) && said.stderr.contains("Leute"),
            "{}",
            said.stderr
        );
    }
}
