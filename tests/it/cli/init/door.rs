//! Files as they come, each with the right config.

use super::{config, init, rows, sex};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;
use crate::support::workbooks::{ods, sheet, xlsx};

const QUOTAS: &str =
    "category,name,min,max\ngender,F,2,3\ngender,M,1,2\nage,old,1,3\nage,young,1,2\n";

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
        said.stderr.says(&format!("column `{id}`: id, by its name"));
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
    said.stderr.says(due);
    said.stderr.says("--where \"id != 'a'\"");
    said.stderr.never_says("next: klero run");
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
    left.says("where = [\"id != 'a'\"]");
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
        said.says("line 1 names the columns: ");
        said.says("--header no");
        said.says(&format!("column {names}: "));
        written.never_says("column_1");
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
    said.says("line 1 is a person and names no columns: 'F' is a value");
    said.says("(otherwise: --header yes)");
    written.says("column_2");
    let (written, said) = config(&terminal, &["bare.csv", "--header", "yes"]);
    said.says("as --header says");
    written.says("id = \"p0\"");
    terminal.put("quotas.csv", QUOTAS);
    let said = init(&terminal, &["bare.csv", "quotas.csv"]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    said.stderr.says("names no columns");
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
        written.says(due);
        written.says("good = \">= 1\"");
        said.says(assumed);
        terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
    }
    terminal.put("people.csv", &codes);
    let said = init(&terminal, &["people.csv", "--outcome", "hired"]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    said.stderr.says("--outcome 'hired=1'");
    // Without the option it is no group either, by which people would be chosen.
    let (written, said) = config(&terminal, &["people.csv"]);
    said.says("column `hired`: left out, its name is that of an outcome");
    written.never_says("hired = {");
    let marks = rows("id,sex,mark", |at| {
        format!("p{at},{},{}", sex(at), at % 5 + 1)
    });
    terminal.put("people.csv", marks);
    let (written, said) = config(&terminal, &["people.csv", "--score", "mark"]);
    written.says("utility = \"mark\"");
    said.says("column `mark`: score, as --score mark says");
    let (written, said) = config(&terminal, &["people.csv"]);
    said.says("column `mark`: number, a scale from 1 to 5 (otherwise: --columns mark=attribute)");
    written.never_says("mark = {");
    let (written, _) = config(&terminal, &["people.csv", "--columns", "mark=attribute"]);
    written.says("mark = { column = \"mark\" }");
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
        written.says("numeric = [\"x\"]");
        written.says("id = \"id\"");
        assert!(
            said.contains("counter, it counts the rows"),
            "{counter}: {said}"
        );
    }
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
    said.says("assumed: not read: `q6`, `q7`");
    written.says("# - not read: `q6`, `q7`");
    let (written, _) = config(
        &terminal,
        &[
            "people.csv",
            "--columns",
            "q6=attribute,q7=attribute,q0=out",
        ],
    );
    written.says("q7 = { column");
    written.never_says("q0 = { column");
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
        written.says(&format!("path = \"{name}\""));
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
    written.says("path = \"array.json\"");
    terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
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
            said.says("the sheet \"Leute\" is read");
            written.says("sheet = \"Leute\"");
            written.says("sheet = \"Quoten\"");
        }
        terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
        let said = init(&terminal, &[name, name, "--sheet", "Leut"]);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        said.stderr.says("Leute");
    }
}

/// Members of records that hold lists or objects are no cells, which is said.
#[test]
fn members_that_are_no_cells_are_named() {
    let terminal = Terminal::new();
    let record =
        |at: usize, more: &str| format!("{{\"id\": {at}, \"sex\": \"{}\"{more}}}", sex(at));
    for (more, due) in [
        (", \"Adresse\": {\"Ort\": \"Erfurt\"}", "`Adresse`"),
        (", \"langues\": [\"fr\", \"de\"]", "`langues`"),
        (", \"a\": [], \"b\": {}", "`a`, `b`"),
        (", \"groups\": {\"age\": \"old\", \"of\": [1]}", "`of`"),
        ("", ""),
    ] {
        for (name, between) in [("people.json", ", "), ("people.ndjson", "\n")] {
            // In the last of the records alone.
            let records = (0..40).map(|at| record(at, if at == 39 { more } else { "" }));
            let records = records.collect::<Vec<_>>().join(between);
            let is_array = between == ", ";
            terminal.put(
                name,
                if is_array {
                    format!("[{records}]")
                } else {
                    records
                },
            );
            let (_, said) = config(&terminal, &[name]);
            match due {
                "" => said.never_says("lists or objects"),
                due => said.says(&format!(
                    "not read, since they hold lists or objects: {due}"
                )),
            }
        }
    }
}
