//! Which column is what.

use super::sheet;
use crate::init::Role::{
    self, Attribute, Contact, Counter, Household, Number, Out, Outcome, Score,
};
use crate::init::{NamedRole, Roles};

/// The role of a column with these cells, one of 60 people; others have an id and a group.
fn role(name: &str, cell: impl Fn(usize) -> String) -> (Role, String) {
    let mut rows = vec![format!("id|grp|{name}")];
    rows.extend((0..60).map(|at| format!("P{}|{}|{}", at * 7, ["a", "b"][at % 2], cell(at))));
    let sheet = sheet(&rows);
    let roles = Roles::guess(&sheet, &[], None).expect("roles");
    let of = &roles.columns[2];
    (of.role, of.why.clone())
}

#[test]
fn a_column_has_the_role_that_its_name_or_its_cells_give() {
    let of = |cells: &'static [&'static str]| move |at: usize| cells[at % cells.len()].to_owned();
    let digits = |at: usize| format!("{}", at * 37 % 101);
    for (name, found, due, why) in [
        ("sex", role("sex", of(&["1", "2"])), Attribute, "2 codes"),
        (
            "Geschlecht",
            role("Geschlecht", of(&["1", "2", "3"])),
            Attribute,
            "by its name: 3 codes",
        ),
        (
            "region",
            role("region", of(&["1", "2", "3", "4", "5"])),
            Attribute,
            "by its name: 5 codes",
        ),
        (
            "satisfaction",
            role("satisfaction", of(&["1", "2", "3", "4", "5"])),
            Number,
            "a scale from 1 to 5",
        ),
        (
            "q7",
            role("q7", of(&["0", "10", "20"])),
            Attribute,
            "3 codes",
        ),
        (
            "Kinder",
            role("Kinder", of(&["0", "1", "2"])),
            Number,
            "by its name",
        ),
        (
            "weight kg",
            role("weight kg", digits),
            Number,
            "numbers from",
        ),
        (
            "Betrag",
            role("Betrag", of(&["1,5", "2,5", "3,25"])),
            Number,
            "by its name: numbers from 1.5 to 3.25",
        ),
        (
            "score",
            role("score", of(&["1", "2", "3", "4", "5"])),
            Score,
            "by its name",
        ),
        ("Punkte", role("Punkte", digits), Score, "by its name"),
        (
            "repaid",
            role("repaid", of(&["0", "1", "NA", "1"])),
            Outcome,
            "never come",
        ),
        (
            "hired",
            role("hired", of(&["yes", "no"])),
            Outcome,
            "by its name",
        ),
        (
            "eingestellt",
            role("eingestellt", of(&["ja", "nein"])),
            Outcome,
            "by its name",
        ),
        (
            "hired",
            role("hired", of(&["1", "2"])),
            Out,
            "--outcome 'hired=1'",
        ),
        (
            "class",
            role("class", of(&["a", "b", "c"])),
            Attribute,
            "3 values",
        ),
        (
            "Alter",
            role("Alter", |at| format!("{}", 16 + at)),
            Attribute,
            "ages, from 16 to 75",
        ),
        (
            "E-Mail, falls da",
            role("E-Mail, falls da", of(&["a@b.org", ""])),
            Contact,
            "e-mail",
        ),
        (
            "Kontakt",
            role("Kontakt", |at| format!("x{at}@example.org")),
            Contact,
            "e-mail",
        ),
        (
            "Vorname",
            role("Vorname", |at| format!("N{at}")),
            Contact,
            "by its name",
        ),
        (
            "Téléphone",
            role("Téléphone", digits),
            Contact,
            "by its name",
        ),
        (
            "Straße",
            role("Straße", |at| format!("Weg {}", at / 2)),
            Household,
            "one address",
        ),
        (
            "Adresse",
            role("Adresse", |at| format!("Weg {}", at / 2)),
            Household,
            "one address",
        ),
        (
            "hogar",
            role("hogar", |at| format!("h{}", at / 2)),
            Household,
            "one address",
        ),
        (
            "rue",
            role("rue", |at| format!("rue {}", ["x", "y"][at % 2])),
            Attribute,
            "2 values",
        ),
        (
            "Haushalt",
            role("Haushalt", of(&["single", "family"])),
            Attribute,
            "2 values",
        ),
        (
            "PLZ",
            role("PLZ", |at| format!("{}", 99_000 + at * 7 % 40)),
            Out,
            "places",
        ),
        (
            "count",
            role("count", |at| format!("{at}")),
            Counter,
            "counts the rows",
        ),
        (
            "",
            role("", |at| format!("{}", at + 1)),
            Counter,
            "counts the rows",
        ),
        ("", role("", |at| format!("x{at}")), Out, "no name"),
        (
            "born",
            role("born", |at| format!("1980-01-{:02}", at % 28 + 1)),
            Out,
            "dates",
        ),
        (
            "consent",
            role("consent", of(&["yes"])),
            Out,
            "the same in every row",
        ),
        (
            "vegan",
            role("vegan", of(&["vegan", ""])),
            Out,
            "30 cells are blank",
        ),
        (
            "leer",
            role("leer", of(&[""])),
            Out,
            "no cell holds anything",
        ),
        (
            "code word",
            role("code word", |at| format!("w{at}")),
            Out,
            "differ in each row",
        ),
    ] {
        assert_eq!(found.0, due, "{name}: {found:?}");
        assert!(found.1.contains(why), "{name}: {found:?}");
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
    for name in [
        "id",
        "Nr",
        "Nr.",
        "Nummer",
        "ID-Nr",
        "Teilnehmer-Nr",
        "TeilnehmerNr",
        "Kennung",
        "identifiant",
        "Identifiant",
        "numéro",
        "n°",
        "N°",
        "número",
        "código",
        "codice",
        "nationbuilder_id",
        "ResponseId",
        "Respondent ID",
        "Numéro de participant_id",
        "key",
    ] {
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
    let named = |name: &str, role: Role, good: &[&str]| NamedRole {
        column: sheet.column(name).expect(name),
        role,
        option: format!("--columns {name}"),
        good: good.iter().map(|good| (*good).to_owned()).collect(),
    };
    let guess = |named: NamedRole| Roles::guess(&sheet, &[named], None);
    for (name, role, good) in [
        ("mark", Attribute, &[][..]),
        ("mark", Score, &[]),
        ("mark", Number, &[]),
        ("mark", Outcome, &[]),
        ("mark", Outcome, &["5", "4"]),
        ("hired", Outcome, &["1"]),
        ("text", Out, &[]),
        ("text", Household, &[]),
        ("text", Contact, &[]),
        ("text", Role::Id, &[]),
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
            Attribute,
            "makes no groups: it has 40 different cells",
        ),
        (
            "text",
            Number,
            "'words 0' in line 2 of `text` is not a number",
        ),
        ("grp", Score, "'a' in line 2 of `grp` is not a number"),
        ("hired", Outcome, "'1', '2', and which is good is not known"),
        ("grp", Role::Id, "2 different cells in 40 rows"),
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
        role: Attribute,
        option: "--columns q7=attribute".into(),
        good: Vec::new(),
    };
    let roles = Roles::guess(&sheet, &[named], None).unwrap();
    assert_eq!(roles.columns[8].role, Attribute);
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
