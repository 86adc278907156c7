//! Tests of the roles of columns.

use super::sheet;
use crate::init::GuessedRole::{
    self, AttributeColumn, Contact, Household, Number, Out, Outcome, Score,
};
use crate::init::{NamedRole, Roles};
use kleroterion_io::record::words::Words;

/// A column of 60 people a line: its name, its cells in turn, its role, why. In braces is a number
/// that goes on from row to row.
const COLUMNS: &str = "
    sex              | 1 / 2                 | attribute | 2 codes
    Geschlecht       | 1 / 2 / 3             | attribute | by its name: 3 codes
    region           | 1 / 2 / 3 / 4 / 5     | attribute | by its name: 5 codes
    satisfaction     | 1 / 2 / 3 / 4 / 5     | number    | a scale from 1 to 5
    q7               | 0 / 10 / 20           | attribute | 3 codes
    Kinder           | 0 / 1 / 2             | number    | by its name
    weight kg        | {mixed}               | number    | numbers from
    Betrag           | 1,5 / 2,5 / 3,25      | number    | by its name: numbers from 1.5 to 3.25
    score            | 1 / 2 / 3 / 4 / 5     | score     | by its name
    Punkte           | {mixed}               | score     | by its name
    repaid           | 0 / 1 / NA / 1        | outcome   | never come
    hired            | yes / no              | outcome   | by its name
    eingestellt      | ja / nein             | outcome   | by its name
    hired            | 1 / 2                 | out       | --outcome 'hired=1'
    class            | a / b / c             | attribute | 3 values
    Alter            | {age}                 | attribute | ages, from 16 to 75
    E-Mail, falls da | a@b.org / _           | contact   | e-mail
    Kontakt          | x{n}@example.org      | contact   | e-mail
    Vorname          | N{n}                  | contact   | by its name
    Téléphone        | {mixed}               | contact   | by its name
    Straße           | Weg {half}            | household | one address
    Adresse          | Weg {half}            | household | one address
    hogar            | h{half}               | household | one address
    rue              | rue x / rue y         | attribute | 2 values
    Haushalt         | single / family       | attribute | 2 values
    PLZ              | {code}                | out       | places
    count            | {n}                   | counter   | counts the rows
                     | {next}                | counter   | counts the rows
                     | x{n}                  | out       | no name
    born             | 1980-01-{day}         | out       | dates
    consent          | yes                   | out       | the same in every row
    vegan            | vegan / _             | out       | 30 cells are blank
    leer             | _                     | out       | no cell holds anything
    code word        | w{n}                  | out       | differ in each row
";

/// A cell of a column in [`COLUMNS`].
fn cell(cells: &str, at: usize) -> String {
    let cells: Vec<&str> = cells.split(" / ").collect();
    let numbers = [
        ("{n}", at),
        ("{next}", at + 1),
        ("{half}", at / 2),
        ("{age}", 16 + at),
        ("{mixed}", at * 37 % 101),
        ("{code}", 99_000 + at * 7 % 40),
    ];
    let day = format!("{:02}", at % 28 + 1);
    let cell = cells[at % cells.len()].replace('_', "");
    let cell = cell.replace("{day}", &day);
    let put = |cell: String, (mark, number): (&str, usize)| cell.replace(mark, &number.to_string());
    numbers.into_iter().fold(cell, put)
}

#[test]
fn a_column_has_the_role_that_its_name_or_its_cells_give() {
    for line in COLUMNS.lines().filter(|line| !line.is_empty()) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, cells, due, why] = parts[..] else {
            panic!("{line}");
        };
        let mut rows = vec![format!("id|grp|{name}")];
        let row = |at| format!("P{}|{}|{}", at * 7, ["a", "b"][at % 2], cell(cells, at));
        rows.extend((0..60).map(row));
        let roles = Roles::guess(&sheet(&rows), &[], None).expect("roles");
        let of = &roles.columns[2];
        assert_eq!(of.role.word(), due, "{line}: {of:?}");
        assert!(of.why.contains(why), "{line}: {of:?}");
    }
}

/// The name of the column that names people, of a table in which `name` differs in nearly all
/// rows: `doubles` of 30 are those of the row before.
fn id_of(name: &str, doubles: usize) -> Option<String> {
    let mut rows = vec![format!("grp|{name}|x")];
    rows.extend((0..30).map(|at| {
        let id = if at < 2 * doubles { at / 2 } else { at };
        format!("{}|K{id:03}|{}", ["a", "b"][at % 2], at * 7 % 5)
    }));
    let sheet = sheet(&rows);
    let roles = Roles::guess(&sheet, &[], None).expect("roles");
    roles.id().map(|at| sheet.columns[at].name.clone())
}

#[test]
fn the_id_is_found_by_its_name_in_several_languages_even_where_rows_are_doubled() {
    let names = Words(
        "id, Nr, Nr., Nummer, ID-Nr, Teilnehmer-Nr, TeilnehmerNr, Kennung, identifiant, Identifiant,
         numéro, n°, N°, número, código, codice, nationbuilder_id, ResponseId, Respondent ID,
         Numéro de participant_id, key",
    );
    for name in names.iter() {
        for doubles in [0, 1, 3] {
            assert_eq!(
                id_of(name, doubles).as_deref(),
                Some(name),
                "{name} {doubles}"
            );
        }
    }
    assert_eq!(id_of("Schlüssel", 0).as_deref(), Some("Schlüssel"));
    assert_eq!(id_of("Schlüssel", 1).as_deref(), Some("Schlüssel"));
    assert_eq!(id_of("Schlüssel", 9), None);
    for name in ["Telefonnummer", "Hausnummer"] {
        assert_ne!(id_of(name, 1).as_deref(), Some(name));
    }
}

#[test]
fn what_the_user_names_is_obeyed_or_refused() {
    let mut rows = vec!["id|grp|mark|text|hired".to_owned()];
    rows.extend((0..40).map(|at| {
        let mark = at % 5 + 1;
        format!(
            "P{}|{}|{mark}|words {at}|{}",
            at * 3,
            ["a", "b"][at % 2],
            at % 2 + 1
        )
    }));
    let sheet = sheet(&rows);
    let named = |name: &str, role: GuessedRole, good: &[&str]| NamedRole {
        column: sheet.column(name).expect(name),
        role,
        option: format!("--columns {name}"),
        good: good.iter().map(|good| (*good).to_owned()).collect(),
    };
    let guess = |named: NamedRole| Roles::guess(&sheet, &[named], None);
    for (name, role, good) in [
        ("mark", AttributeColumn, &[][..]),
        ("mark", Score, &[]),
        ("mark", Number, &[]),
        ("mark", Outcome, &[]),
        ("mark", Outcome, &["5", "4"]),
        ("hired", Outcome, &["1"]),
        ("text", Out, &[]),
        ("text", Household, &[]),
        ("text", Contact, &[]),
        ("text", GuessedRole::Id, &[]),
    ] {
        let roles = guess(named(name, role, good)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let of = &roles.columns[sheet.column(name).unwrap()];
        assert_eq!(
            (of.role, &*of.why),
            (role, &*format!("as --columns {name} says"))
        );
    }
    for (name, role, what) in [
        (
            "text",
            AttributeColumn,
            "makes no groups: it has 40 different cells",
        ),
        (
            "text",
            Number,
            "'words 0' in line 2 of `text` is not a number",
        ),
        ("grp", Score, "'a' in line 2 of `grp` is not a number"),
        ("hired", Outcome, "'1', '2', and which is good is not known"),
        ("grp", GuessedRole::Id, "2 different cells in 40 rows"),
    ] {
        let wrong = guess(named(name, role, &[])).expect_err(name);
        assert!(wrong.to_string().contains(what), "{name}: {wrong}");
    }
}

#[test]
fn attributes_beyond_six_are_left_out_and_said_unless_they_are_named() {
    let names: Vec<String> = (0..8).map(|at| format!("q{at}")).collect();
    let mut rows = vec![format!("id|{}", names.join("|"))];
    rows.extend((0..40).map(|at| {
        let cells = (0..8).map(|q| ["a", "b"][at / (q + 1) % 2]);
        format!("P{}|{}", at * 3, cells.collect::<Vec<_>>().join("|"))
    }));
    let sheet = sheet(&rows);
    let roles = Roles::guess(&sheet, &[], None).unwrap();
    assert_eq!(roles.attributes().len(), 6);
    assert!(
        roles.columns[8].why.contains("6 attributes"),
        "{:?}",
        roles.columns[8]
    );
    let named = NamedRole {
        column: 8,
        role: AttributeColumn,
        option: "--columns q7=attribute".into(),
        good: Vec::new(),
    };
    let roles = Roles::guess(&sheet, &[named], None).unwrap();
    assert_eq!(roles.columns[8].role, AttributeColumn);
    let lines = Roles::guess(&sheet, &[], None)
        .unwrap()
        .lines(&sheet, false);
    assert_eq!(lines.len(), 9);
    assert!(
        lines[7].ends_with("(otherwise: --columns q6=attribute)"),
        "{}",
        lines[7]
    );
}
