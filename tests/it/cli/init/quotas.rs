//! Quotas as organisers write them, with the people of a file.

use super::{config, init, rows, sex};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

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
        said.says("column `Alter`: attribute in bands");
        written.says(old);
        written.says("bands");
        terminal.done(&["run", "my.toml", "-q", "--replications", "2"]);
    }
    terminal.put(
        "quotas.csv",
        "category,name,min,max\nalter,25-39,4,6\nalter,40+,4,6\n",
    );
    let said = init(&terminal, &["people.csv", "quotas.csv"]);
    said.stderr
        .says("have a number in `Alter` that is in no range");
    said.stderr.says("--where \"Alter >= 25\"");
    config(
        &terminal,
        &["people.csv", "quotas.csv", "--where", "Alter >= 25"],
    );
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
        written.says(&format!("category = \"{first}\""));
        said.says(&format!("column `{first}` of the quotas: category"));
    }
    terminal.put("quotas.csv", format!("Thema;Antwort;u;o{body}"));
    let said = init(&terminal, &["people.csv", "quotas.csv"]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    said.stderr.says("--columns Thema=category");
    let named = "Thema=category,Antwort=value,u=min,o=max";
    let (written, _) = config(&terminal, &["people.csv", "quotas.csv", "--columns", named]);
    written.says("name = \"Antwort\"");
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
        let found = terminal.exits(2, &["init", "people.csv", "quotas.csv", "-o", out]);
        found.stderr.says("1 problem;");
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
        written.says(&format!("unique = {columns}"));
        said.says("no two members are of one household");
        assert_eq!(written.matches("[[policy]]").count(), 2, "{written}");
        let kinds = written.contains("kind = \"leximin\"")
            && written.contains("kind = \"quota_lookahead\"");
        assert!(
            kinds && written.contains("judge = [\"quotas_kept\""),
            "{written}"
        );
    }
}

/// Merged cells of a spreadsheet are blank but for the first.
#[test]
fn a_blank_category_is_that_of_the_row_above() {
    let terminal = Terminal::new();
    let people = rows("id,g,Alter", |at| format!("p{at},{},{}", sex(at), 20 + at));
    terminal.put("people.csv", people);
    for (quotas, merged, sums) in [
        (
            "category,name,min,max\ng,F,4,6\n,M,4,6\nAlter,20-39,4,6\n,40+,4,6\n",
            "(lines 3, 5)",
            "",
        ),
        (
            "Kategorie;Wert;Min;Max\ng;F;4;6\n;M;4;6\n;Gesamt;8;12\nAlter;20-39;4;6\n;40+;4;6\nSumme;;8;12\n",
            "(lines 3, 6)",
            "(lines 4, 7)",
        ),
        (
            "Catégorie;Valeur;Minimum;Maximum\ng;F;4;6\n;M;4;6\ng;Total;8;12\n",
            "(line 3)",
            "(line 4)",
        ),
    ] {
        terminal.put("quotas.csv", quotas);
        let (_, said) = config(&terminal, &["people.csv", "quotas.csv"]);
        said.says(&format!(
            "a blank category is that of the row above {merged}"
        ));
        match sums {
            "" => said.never_says("rows of sums"),
            lines => said.says(&format!("rows of sums are left out {lines}")),
        }
        said.never_says("which the quotas do not name");
    }
    let terminal = Terminal::new();
    let wrong = "category,name,min,max\n,F,4,6\ng,M,4,6\n";
    terminal.put("quotas.csv", wrong);
    terminal.put(
        "people.csv",
        rows("id,g", |at| format!("p{at},{}", sex(at))),
    );
    let said = init(&terminal, &["people.csv", "quotas.csv"]).stderr;
    said.says("quotas.csv:2:1: the category of 'F' is blank, and no row above has one");
}

#[test]
fn shares_of_the_seats_need_their_number_once() {
    let terminal = Terminal::new();
    terminal.put(
        "people.csv",
        rows("id,g", |at| format!("p{at},{}", sex(at))),
    );
    for (quotas, first) in [
        (
            "category,name,min,max\ng,F,40 %,60 %\ng,M,40 %,60 %\n",
            "4 quotas are shares of the seats, as '40 %' is",
        ),
        (
            "category;name;Anteil\ng;F;48,5\ng;M;51,5\n",
            "2 quotas are shares of the seats, as '48,5' is",
        ),
        (
            "category,name,quota\ng,F,50 %\ng,M,5\n",
            "one quota is a share of the seats, as '50 %' is",
        ),
    ] {
        terminal.put("quotas.csv", quotas);
        let said = init(&terminal, &["people.csv", "quotas.csv"]);
        assert_eq!(said.code, Some(2), "{quotas}");
        said.stderr.says(first);
        said.stderr
            .says("say it: --places 40, or write numbers of seats");
        said.stderr.says("1 problem;");
        said.stderr.never_says("[rules]");
        config(&terminal, &["people.csv", "quotas.csv", "--places", "10"]);
    }
}

/// A header that is missing, or has a title above it, is said; others have their columns listed in order.
#[test]
fn quotas_without_a_header_are_told_to_have_one() {
    let terminal = Terminal::new();
    let people = rows("id,g", |at| format!("p{at},{}", sex(at)));
    terminal.put("people.csv", people);
    for (quotas, due) in [
        ("g,F,4,6\ng,M,4,6\n", "the first row holds numbers"),
        ("g;F;4 bis 6\ng;M;4 bis 6\n", "the first row holds numbers"),
        (
            "Quoten;;;\nKategorie;Wert;Min;Max\ng;F;4;6\ng;M;4;6\n",
            "the first row has one cell, 'Quoten'",
        ),
        (
            "Thema;Wert;Min;o\ng;F;4;6\n",
            "the columns are 'Thema', 'Wert', 'Min', 'o'",
        ),
    ] {
        terminal.put("quotas.csv", quotas);
        let said = terminal.exits(2, &["init", "people.csv", "quotas.csv", "-o", "my.toml"]);
        assert!(said.stderr.contains(due), "{due}: {}", said.stderr);
        said.stderr.says("no column of the quotas is known as");
    }
}

/// Names by which runs find columns are known to `init` too, and the other way round it names them.
#[test]
fn names_of_columns_of_quotas_are_one_list() {
    let terminal = Terminal::new();
    let people = rows("id,g", |at| format!("p{at},{}", sex(at)));
    terminal.put("people.csv", people);
    for (header, row) in [
        ("category,name,Prozent", "40-60"),
        ("category,name,%", "40-60"),
        ("category,name,pourcentage", "40-60"),
        ("category,name,Plätze", "4-6"),
        ("category,name,número", "4-6"),
        ("Critère,Modalité,Effectif", "4-6"),
        ("Variable,Opción,Cupo", "4-6"),
        ("Categoría,Opción,Mínimo,Máximo", "4,6"),
        ("category,name,Minimo,Massimo", "4,6"),
        ("category,name,MIN.,Max.", "4,6"),
    ] {
        terminal.put("quotas.csv", format!("{header}\ng,F,{row}\ng,M,{row}\n"));
        config(&terminal, &["people.csv", "quotas.csv", "--places", "10"]);
    }
}

/// A street and the number of a house in columns of their own are an address.
#[test]
fn an_address_in_parts_keeps_a_household_apart() {
    let terminal = Terminal::new();
    terminal.put("quotas.csv", "category;name;min;max\ng;F;4;6\ng;M;4;6\n");
    for (header, due) in [
        (
            "Kennung;g;Straße;Nr;PLZ;Ort",
            "[\"Straße\", \"Nr\", \"PLZ\", \"Ort\"]",
        ),
        (
            "Nr;g;Straße;Hausnummer;PLZ;Ort",
            "[\"Straße\", \"Hausnummer\", \"PLZ\", \"Ort\"]",
        ),
        (
            "N°;g;Rue;Numéro;Code postal;Ville",
            "[\"Rue\", \"Numéro\", \"Code postal\", \"Ville\"]",
        ),
        (
            "código;g;Calle;Número;CP;Ciudad",
            "[\"Calle\", \"Número\", \"CP\", \"Ciudad\"]",
        ),
    ] {
        let streets = ["Ring", "Markt", "Gasse"];
        let text = rows(header, |at| {
            format!(
                "{at};{};{};{};9908{};{}",
                sex(at),
                streets[at % 3],
                at / 12 + 1,
                at % 2,
                ["Erfurt", "Weimar"][at % 2]
            )
        });
        terminal.put("people.csv", text);
        let (written, said) = config(&terminal, &["people.csv", "quotas.csv"]);
        written.says(&format!("unique = {due}"));
        said.says("a street and the number of a house are an address");
        let checked = terminal.done(&["check", "my.toml"]);
        checked.says("at most one of each of 22 households");
    }
}
