//! `klero fit scores`: files that are right.

use kleroterion::draw::{Key, Purpose};
use serde_json::{Value, json};

use super::newton;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

/// Twenty people of two groups, a column of texts, and one of a number that says who is who.
fn small() -> String {
    let mut draw = Key::new(3, 0).draw(Purpose::World, 0, 0);
    let mut text = "id,test,grade,town,sex,hired\n".to_owned();
    for id in 0..20 {
        let (test, grade) = (
            (draw.uniform() * 40.0).round(),
            (draw.normal() * 10.0).round() / 10.0,
        );
        let town = ["Ulm", "Bern", "Graz"][(draw.uniform() * 3.0) as usize];
        let sex = ["F", "M"][usize::from(draw.uniform() < 0.6)];
        let hired = ["no", "yes"][usize::from(test / 20.0 + grade + draw.normal() > 1.0)];
        text += &format!("{id},{test},{grade},{town},{sex},{hired}\n");
    }
    text
}

pub(super) fn table(text: &str, by: char) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| line.split(by).map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// Mean and variance of both groups.
pub(super) fn laws(found: &Value) -> Vec<f64> {
    let groups = found["groups"].as_array().expect("groups");
    let number = |group: &Value, name: &str| group[name].as_f64().expect("a number");
    groups
        .iter()
        .flat_map(|group| [number(group, "mean"), number(group, "variance")])
        .collect()
}

pub(super) fn json(terminal: &Terminal, args: &[&str]) -> Value {
    let words = [&["fit", "scores"], args, &["--format", "json"]].concat();
    serde_json::from_str(&terminal.done(&words)).expect("JSON")
}

/// What the slow way gives for some columns.
pub(super) fn slow(
    table: &[Vec<String>],
    columns: &[usize],
    labels: &[bool],
    inside: &[bool],
) -> Vec<f64> {
    let rows = newton::features(table, columns);
    let w = newton::weights(&rows, labels);
    let law = |side| newton::law(&rows, &w, inside, side);
    let ((a, b), (c, d)) = (law(true), law(false));
    vec![a, b, c, d]
}

/// The coefficients, by the names of their features: two numbers, towns but the first, a sex.
#[track_caller]
fn coefficients(found: &Value, due: &[f64]) {
    let found = found["coefficients"].as_array().expect("coefficients");
    let name = |one: &Value| (one["column"].clone(), one["level"].clone());
    let names: Vec<_> = found.iter().map(name).collect();
    let known = [
        (json!("test"), Value::Null),
        (json!("grade"), Value::Null),
        (json!("town"), json!("Graz")),
        (json!("town"), json!("Ulm")),
        (json!("sex"), json!("M")),
    ];
    assert_eq!(names, known);
    let values = found
        .iter()
        .map(|one| one["value"].as_f64().expect("a number"));
    close(&values.collect::<Vec<_>>(), due, 1e-9);
}

#[track_caller]
pub(super) fn close(ours: &[f64], due: &[f64], within: f64) {
    assert_eq!(ours.len(), due.len());
    for (ours, due) in ours.iter().zip(due) {
        assert!((ours - due).abs() <= within, "{ours}, to be {due}");
    }
}

const SMALL: [&str; 7] = [
    "people.csv",
    "--label",
    "hired=yes",
    "--group",
    "sex=F",
    "--exclude",
    "id",
];

#[test]
fn a_small_file() {
    let terminal = Terminal::new();
    terminal.put("people.csv", small());
    let said = terminal.exits(0, &[&["fit", "scores"], &SMALL[..]].concat());
    insta::assert_snapshot!(format!("{}---\n{}", said.stdout, said.stderr));
}

#[test]
fn as_newtons_method_has_it() {
    let terminal = Terminal::new();
    terminal.put("people.csv", small());
    let people = table(&small(), ',').split_off(1);
    let is = |column: usize, value: &str| -> Vec<bool> {
        people.iter().map(|row| row[column] == value).collect()
    };
    let (labels, women) = (is(5, "yes"), is(4, "F"));
    let ours = json(&terminal, &SMALL);
    coefficients(
        &ours,
        &newton::weights(&newton::features(&people, &[1, 2, 3, 4]), &labels),
    );
    close(
        &laws(&ours),
        &slow(&people, &[1, 2, 3, 4], &labels, &women),
        1e-9,
    );
    let share = women.iter().filter(|inside| **inside).count() as f64 / 20.0;
    assert_eq!(ours["start"].as_f64(), Some(share));
    // Without the group's own column; a group by two values; a number for a code.
    let blind = [&SMALL[..6], &["id,sex"]].concat();
    close(
        &laws(&json(&terminal, &blind)),
        &slow(&people, &[1, 2, 3], &labels, &women),
        1e-9,
    );
    let towns: Vec<bool> = people.iter().map(|row| row[3] != "Ulm").collect();
    let by_town = [&SMALL[..4], &["town=Graz,Bern", "--exclude", "id,test"]].concat();
    close(
        &laws(&json(&terminal, &by_town)),
        &slow(&people, &[2, 3, 4], &labels, &towns),
        1e-9,
    );
    let coded = [&SMALL[..6], &["id,grade,town", "--categories", "test"]].concat();
    let mut spelt = people.clone();
    for row in &mut spelt {
        row[1] = format!("t{}", row[1]);
    }
    // Which level is the first must not differ: both sort as texts.
    close(
        &laws(&json(&terminal, &coded)),
        &slow(&spelt, &[1, 4], &labels, &women),
        1e-9,
    );
}

/// The same people by tabs and without a header.
#[test]
fn delimiters_and_files_without_a_header() {
    let terminal = Terminal::new();
    terminal.put("people.csv", small());
    let (_, rows) = small()
        .split_once('\n')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .expect("a header");
    terminal.put("people.tsv", rows.replace(',', "\t").trim_end());
    let due = json(&terminal, &SMALL);
    for tab in ["tab", "\t", "\\t"] {
        let args = [
            "people.tsv",
            "--no-header",
            "--delimiter",
            tab,
            "--label",
            "c6=yes",
            "--group",
            "c5=F",
            "--exclude",
            "c1",
        ];
        let ours = json(&terminal, &args);
        assert_eq!(ours["groups"], due["groups"]);
        assert_eq!(ours["categories"][0]["column"], "c4");
        assert_eq!(ours["excluded"][0], "c1");
    }
}

/// The lines under their sections pass `check`, whatever the groups are called.
#[test]
fn the_fragment_is_part_of_a_config() {
    let terminal = Terminal::new();
    terminal.put("people.csv", small());
    for names in ["u,v", "women,all others"] {
        let args = [&["fit", "scores"], &SMALL[..], &["--names", names]].concat();
        let fragment = terminal.done(&args);
        let line = |key: &str| {
            let found = fragment.lines().find(|line| line.starts_with(key));
            found.expect("a line").to_owned()
        };
        let parsed: toml::Table = fragment.parse().expect("TOML");
        assert_eq!(parsed.len(), 2, "{fragment}");
        let config = format!(
            "name = \"p\"\nseed = 1\nreplications = 2\n[source]\ntype = \"gaussian_groups\"\n{}\n\
             [rules]\nslate = 100\n\
             choose = {{ at_most = 30 }}\nuntil = {{ rounds = 5 }}\n[pool]\n\
             type = \"positive_reinforcement\"\neta = 0.05\n{}\n\
             [[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n[report]\n\
             judge = [\"accepted\"]\n",
            line("groups"),
            line("start")
        );
        terminal.put("my.toml", config);
        terminal.done(&["check", "my.toml"]);
    }
}

#[test]
fn a_figure_is_written_and_not_overwritten_unasked() {
    let terminal = Terminal::new();
    terminal.put("people.csv", small());
    let args = [&["fit", "scores"], &SMALL[..], &["--out", "figure"]].concat();
    let printed = terminal.done(&args);
    assert_eq!(terminal.names("figure"), ["scores.svg"]);
    let svg = terminal.read("figure/scores.svg");
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let texts: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.text())
        .collect();
    for due in ["u: 14 people", "v: 6 people", "normal law"] {
        assert!(
            texts.iter().any(|text| text.contains(due)),
            "{due}: {texts:?}"
        );
    }
    let again = terminal.klero(&args);
    assert_eq!((again.code, again.stdout.as_str()), (Some(2), ""));
    again.stderr.says("--force");
    let forced = [&args[..], &["--force"]].concat();
    assert_eq!(terminal.done(&forced), printed);
    assert_eq!(terminal.read("figure/scores.svg"), svg);
}

#[test]
fn help_shows_examples() {
    let terminal = Terminal::new();
    let help = terminal.done(&["fit", "scores", "--help"]);
    help.says("Examples:\n  klero fit scores people.csv");
}

/// Where the ridge counts for nothing the unit of a column does not matter, up to the largest
/// numbers that are taken.
#[test]
fn large_numbers_are_fitted() {
    let terminal = Terminal::new();
    let laws_of = |power: u32| {
        let rows = format!(
            "test,sex,hired\n1e{power},F,1\n-2e{0},F,0\n-3e{0},M,0\n2e{power},M,0\n",
            power - 1
        );
        terminal.put("people.csv", rows);
        laws(&json(
            &terminal,
            &["people.csv", "--label", "hired", "--group", "sex=F"],
        ))
    };
    close(&laws_of(99), &laws_of(20), 1e-9);
}

/// Where the features tell the labels apart without a mistake only the ridge keeps the scores
/// finite; that is said.
#[test]
fn labels_that_are_separated_without_a_mistake() {
    let terminal = Terminal::new();
    let notes = |text: &str| {
        terminal.put("people.csv", text);
        let said = terminal.exits(
            0,
            &typed("fit scores people.csv --label hired --group sex=F"),
        );
        assert_eq!(
            said.stdout.contains("ridge alone"),
            said.stderr.contains("ridge alone")
        );
        said.stderr.contains(
            "note: the scores tell all labels apart: how far they spread is set by the ridge alone",
        )
    };
    let apart = "test,sex,hired\n1,F,0\n2,M,0\n3,M,0\n14,F,1\n15,M,1\n16,M,1\n";
    assert!(notes(apart));
    assert!(!notes(&apart.replace("3,M,0", "13,M,1\n15,M,0")));
}

/// Columns that say who a row is teach nothing, and are left out by name: with them the scores are
/// as without them.
#[test]
fn columns_that_name_a_row_are_left_out() {
    let mut draw = Key::new(5, 0).draw(Purpose::World, 0, 0);
    let rows: Vec<[String; 3]> = (0..60)
        .map(|_| {
            let x = draw.normal();
            let sex = ["F", "M"][usize::from(draw.uniform() < 0.5)];
            let hired = u8::from(x + draw.normal() > 0.0);
            [sex.to_owned(), format!("{x:.4}"), hired.to_string()]
        })
        .collect();
    let text = |name: &str, cell: &dyn Fn(usize) -> String| {
        let mut text = format!("{name},sex,x,hired\n");
        for (at, [sex, x, hired]) in rows.iter().enumerate() {
            text += &format!("{},{sex},{x},{hired}\n", cell(at));
        }
        text
    };
    let terminal = Terminal::new();
    let fit = ["people.csv", "--label", "hired", "--group", "sex=F"];
    terminal.put("people.csv", text("nothing", &|_| "1".to_owned()));
    let without = [&fit[..], &["--exclude", "nothing"]].concat();
    let without = json(&terminal, &without);
    let mixed = |at: usize| at * 7919 % 10007;
    for (name, shown, why, cell) in [
        ("", "column 1", "is an id by its name", &|at| at.to_string()),
        ("Unnamed: 0", "Unnamed: 0", "is an id by its name", &|at| {
            at.to_string()
        }),
        ("n", "n", "counts the rows", &|at| (100 + at).to_string()),
        ("Kunde", "Kunde", "differs in every row", &|at| {
            (1_000_000 + mixed(at)).to_string()
        }),
        ("Telefon", "Telefon", "differs in every row", &|at| {
            format!("+49 170 {}", mixed(at))
        }),
        ("Datum", "Datum", "holds dates", &|at| {
            format!("{}.03.2024", at % 28 + 1)
        }),
        ("courriel", "courriel", "differs in every row", &|at| {
            format!("p{at}@exemple.fr")
        }),
        ("nombre", "nombre", "differs in every row", &|at| {
            format!("Ana {at}")
        }),
        ("pers_id", "pers_id", "is an id by its name", &|at| {
            format!("P{}", at / 2)
        }),
    ] as [(&str, &str, &str, &dyn Fn(usize) -> String); 9]
    {
        terminal.put("people.csv", text(name, cell));
        let found = json(&terminal, &fit);
        assert_eq!(found["groups"], without["groups"], "{name}");
        let left = json!([{ "column": shown, "why": why }]);
        assert_eq!(found["no_features"], left, "{name}");
        let said = terminal.klero(&[&["fit", "scores"], &fit[..]].concat());
        let words = format!("learnt by heart: {shown} {why}; to keep a column: --include COLUMN");
        assert!(said.stderr.contains(&words), "{name}: {}", said.stderr);
    }
    // What is asked for is kept, and so is a measure that differs in every row.
    terminal.put(
        "people.csv",
        text("income", &|at| (20_000 + mixed(at)).to_string()),
    );
    let kept = json(&terminal, &[&fit[..], &["--include", "income"]].concat());
    assert_eq!(
        (&kept["features"], &kept["no_features"]),
        (&json!(3), &json!([]))
    );
    terminal.put("people.csv", text("lsat", &|at| format!("{}.5", mixed(at))));
    let kept = json(&terminal, &fit);
    assert_eq!(
        (&kept["features"], &kept["no_features"]),
        (&json!(3), &json!([]))
    );
}

/// Numbers with decimal commas are the numbers that they are with points, by the rule of runs.
#[test]
fn decimal_commas_are_read_as_points() {
    let mut draw = Key::new(7, 0).draw(Purpose::World, 0, 0);
    let people: Vec<(f64, &str, u8)> = (0..60)
        .map(|_| {
            let x = draw.normal();
            let sex = ["F", "M"][usize::from(draw.uniform() < 0.5)];
            (x, sex, u8::from(x + draw.normal() > 0.0))
        })
        .collect();
    let text = |mark: char, cell: &dyn Fn(f64) -> String| {
        let row =
            |(x, sex, hired): &(f64, &str, u8)| format!("{}{mark}{sex}{mark}{hired}\n", cell(*x));
        let rows: String = people.iter().map(row).collect();
        format!("score{mark}sex{mark}hired\n{rows}")
    };
    let terminal = Terminal::new();
    let fit = ["people.csv", "--label", "hired", "--group", "sex=F"];
    let points = |x: f64| format!("{x:.3}");
    let commas = |x: f64| points(x).replace('.', ",");
    let amount = |x: f64| format!("{:.2}", 5.0 + x);
    let thousands = |x: f64| format!("1.00{}", amount(x).replace('.', ","));
    let bare = |x: f64| format!("100{}", amount(x));
    for (mark, cell, due) in [
        (
            ';',
            &commas as &dyn Fn(f64) -> String,
            &points as &dyn Fn(f64) -> String,
        ),
        ('\t', &commas, &points),
        (';', &thousands, &bare),
    ] {
        terminal.put("people.csv", text(',', due));
        let due = json(&terminal, &fit);
        terminal.put("people.csv", text(mark, cell));
        let found = json(&terminal, &fit);
        assert_eq!(found["groups"], due["groups"]);
        assert_eq!(found["numbers"], json!(["score"]));
        assert_eq!(found["no_features"], json!([]));
        let included = json(&terminal, &[&fit[..], &["--include", "score"]].concat());
        assert_eq!(included["groups"], due["groups"]);
    }
    // What may be either of two numbers is refused, and so is a column with both marks.
    let either = text(',', &|x| {
        format!(
            "\"{},5{:02}\"",
            1 + (x.abs() * 3.0) as u32,
            (x.abs() * 30.0) as u32 % 100
        )
    });
    terminal.put("people.csv", either);
    let said = terminal.exits(2, &[&["fit", "scores"], &fit[..]].concat());
    said.stderr.says("in `score` may be '");
    terminal.put("people.csv", text(';', &commas) + "1.25;F;1\n");
    let said = terminal.exits(2, &[&["fit", "scores"], &fit[..]].concat());
    said.stderr
        .says("`score` has decimal points ('1.25' on line 62) and decimal commas");
}
