//! Second draws, after members have dropped out.

use std::collections::BTreeSet;

use super::{QUOTAS, all, column, draw, drawn, record, rows, town};
use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal, typed};

/// A place with a first draw, of whose twelve members eight stay.
fn place() -> Terminal {
    let terminal = town();
    drawn(&terminal, "the first value", "one");
    stay(&terminal, "one", 8, "stay.csv");
    terminal
}

/// Keeps the header and the first members of a panel, as an organiser would in a spreadsheet.
fn stay(terminal: &Terminal, folder: &str, members: usize, list: &str) {
    let panel = terminal.read(&format!("{folder}/panel.csv"));
    let lines = panel.split_inclusive('\n').take(1 + members);
    terminal.put(list, lines.collect::<String>());
}

fn second(terminal: &Terminal, more: &[&str]) -> Said {
    let args = [
        "draw", "--after", "one", "--keep", "stay.csv", "--out", "two",
    ];
    terminal.klero(&[&args, more].concat())
}

/// Whether a panel keeps what the town wants.
fn keeps_quotas(terminal: &Terminal, folder: &str) {
    let panel = rows(terminal, &format!("{folder}/panel.csv"));
    let has = |name: &str, value: &str| {
        panel
            .iter()
            .filter(|row| row[name].eq_ignore_ascii_case(value))
            .count()
    };
    assert_eq!(panel.len(), 12);
    assert!((5..=7).contains(&has("Sex", "F")) && (3..=6).contains(&has("Age", "young")));
    let homes: BTreeSet<&String> = panel.iter().map(|row| &row["Home"]).collect();
    assert_eq!(homes.len(), 12, "one of each home");
}

#[test]
fn those_who_stay_are_kept_and_the_rest_is_drawn_anew() {
    let terminal = place();
    let left = column(&terminal, "one/remaining.csv", "id")[..2].to_vec();
    terminal.put("gone.txt", left.join("\n"));
    let said = second(
        &terminal,
        &["--without", "gone.txt", "--seed-from", "a second value"],
    );
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    keeps_quotas(&terminal, "two");
    let before = column(&terminal, "one/panel.csv", "id");
    let after = column(&terminal, "two/panel.csv", "id");
    let stayed: Vec<String> = before[..8].to_vec();
    assert_eq!(after[..8], stayed);
    let out: BTreeSet<&String> = before[8..].iter().collect();
    assert!(
        after[8..].iter().all(|id| !out.contains(id)),
        "those who left are not drawn again"
    );
    let marks = column(&terminal, "two/panel.csv", "drawn");
    assert!(
        marks[..8].iter().all(|mark| mark == "earlier") && marks[8..].iter().all(|m| m == "now")
    );

    let passed = rows(&terminal, "two/passed-over.csv");
    let gone = passed
        .iter()
        .filter(|row| row["why"] == "out")
        .map(|row| row["id"].clone());
    let gone: BTreeSet<String> = gone.collect();
    let due = out.into_iter().cloned().chain(left);
    let due: BTreeSet<String> = due.collect();
    assert_eq!(gone, due);
    assert_eq!(passed.len() + 12, 60);
    let alternates = column(&terminal, "two/alternates.csv", "id");
    assert!(alternates.iter().all(|id| !gone.contains(id)));
    let record = record(&terminal, "two");
    assert_eq!(
        (&record["again"]["kept"], &record["places"]),
        (&8.into(), &12.into())
    );
    // The codes are those of the first draw.
    let codes = |folder: &str| column(&terminal, &format!("{folder}/panel.csv"), "code");
    assert_eq!(codes("one")[..8], codes("two")[..8]);
    terminal.done(&["draw", "verify", "two", "--threads", "2"]);
}

#[test]
fn the_question_that_is_left_is_a_config_that_runs() {
    let terminal = place();
    assert_eq!(
        second(&terminal, &["--seed-from", "a second value"]).code,
        Some(0)
    );
    let seed = record(&terminal, "two")["seed"]["number"].to_string();
    let config = "two/reduced/config.toml";
    terminal.done(&[
        "run",
        config,
        "--seed",
        &seed,
        "--replications",
        "1",
        "-q",
        "--out",
        "run",
    ]);
    let drawn = column(&terminal, "two/panel.csv", "id");
    assert_eq!(column(&terminal, "run/selected.csv", "id"), drawn[8..]);
    // Quotas less those who stay, by a count of our own.
    let stayed = rows(&terminal, "stay.csv");
    let left = rows(&terminal, "two/reduced/inputs/categories.csv");
    let whole = rows(&terminal, "quotas.csv");
    for (left, whole) in left.iter().zip(&whole) {
        let column = match &*whole["category"] {
            "sex" => "Sex",
            _ => "Age",
        };
        let have = stayed
            .iter()
            .filter(|row| row[column].eq_ignore_ascii_case(&whole["name"]));
        let have = have.count() as i64;
        for end in ["min", "max"] {
            let number = |text: &String| text.parse::<i64>().expect("a number");
            assert_eq!(
                number(&left[end]),
                (number(&whole[end]) - have).max(0),
                "{end}"
            );
        }
    }
}

#[test]
fn each_draw_needs_fresh_randomness() {
    let terminal = place();
    let said = second(&terminal, &["--seed-from", "the first value"]);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    said.stderr.says("decided an earlier draw");
    assert!(!terminal.path("two").exists());
    assert_eq!(
        second(&terminal, &["--seed-from", "a second value"]).code,
        Some(0)
    );
    // A third draw knows the values of both.
    stay(&terminal, "two", 10, "stay.csv");
    let third = typed("draw --after two --keep stay.csv --out three --seed-from");
    for old in ["the first value", "a second value"] {
        let said = terminal.klero(&[&third[..], &[old]].concat());
        assert_eq!(said.code, Some(2), "{old}");
        said.stderr.says("decided an earlier draw");
    }
    terminal.done(&[&third[..], &["a third value"]].concat());
    keeps_quotas(&terminal, "three");
    let before = column(&terminal, "two/panel.csv", "id");
    let after = column(&terminal, "three/panel.csv", "id");
    assert_eq!(after[..10], before[..10]);
    assert!(before[10..].iter().all(|id| !after.contains(id)));
    terminal.done(&["draw", "verify", "three"]);
}

#[test]
fn a_second_draw_can_be_committed_to_and_made_by_another_config() {
    let terminal = place();
    let commit = typed(
        "draw commit my.toml --policy first --after one --keep stay.csv --randomness 'round 12' --out two",
    );
    let line = terminal.done(&commit);
    line.says("draws 4 of ");
    line.says("to join those who stay");
    terminal.exits(2, &["draw", "two", "--seed-from", "the first value"]);
    terminal.done(&["draw", "two", "--seed-from", "round 12 is 99"]);
    keeps_quotas(&terminal, "two");
    terminal.done(&["draw", "verify", "two"]);
    // Lists by code and by id are the same people.
    let codes = column(&terminal, "one/panel.csv", "code");
    let ids = column(&terminal, "one/panel.csv", "id");
    let mut kept = Vec::new();
    for (name, list) in [("codes", &codes), ("ids", &ids)] {
        terminal.put("stay.csv", list[..8].join("\n"));
        let args = [
            "draw", "--after", "one", "--keep", "stay.csv", "--out", name,
        ];
        terminal.done(&[&args[..], &["--seed-from", "another"]].concat());
        kept.push(column(&terminal, &format!("{name}/panel.csv"), "id")[..8].to_vec());
    }
    assert_eq!(kept[0], kept[1]);
}

#[test]
fn lists_that_will_not_do() {
    let terminal = place();
    let before = all(&terminal, "one");
    let wrong = |stay: &str, more: &[&str], due: &str| {
        terminal.put("stay.csv", stay);
        let more = [more, &["--seed-from", "a second value"]].concat();
        let said = second(&terminal, &more);
        assert_eq!(said.code, Some(2), "{due}: {}", said.stdout);
        assert!(said.stderr.contains(due), "{due}: {}", said.stderr);
        said.stderr.never_says("Mallory");
        assert!(!terminal.path("two").exists(), "{due}");
    };
    let ids = column(&terminal, "one/panel.csv", "id");
    wrong(
        "p00\nMallory\n",
        &[],
        "stay.csv:2: the line names no respondent",
    );
    wrong(
        &ids.join("\n"),
        &[],
        "12 members stay, and the panel has 12 places",
    );
    terminal.put("gone.txt", &ids[0]);
    wrong(
        &ids[..8].join("\n"),
        &["--without", "gone.txt"],
        "of those who stay and of those who left",
    );
    let alternates = column(&terminal, "one/alternates.csv", "id");
    let others = column(&terminal, "one/remaining.csv", "id").into_iter();
    let others: Vec<String> = others.filter(|id| !alternates.contains(id)).collect();
    wrong(
        &format!("{}\n{}\n", ids[0], others[0]),
        &[],
        &format!(
            "stay.csv:2: '{}' is no member of the draw before",
            others[0]
        ),
    );
    wrong("", &["--without", "nowhere.txt"], "cannot be read");
    // Another config wants fewer women than stay: all but a man.
    let few = QUOTAS.replace("F,5,7", "F,1,4").replace("M,5,7", "M,8,11");
    terminal.put("quotas.csv", few);
    let sexes = column(&terminal, "one/panel.csv", "Sex");
    let mut staying = ids.clone();
    staying.remove(sexes.iter().position(|sex| sex == "M").expect("a man"));
    terminal.put("stay.csv", staying.join("\n"));
    let other = ["draw", "my.toml", "--policy", "first", "--after", "one"];
    let more = ["--keep", "stay.csv", "--seed-from", "x y z", "--out", "two"];
    let said = terminal.exits(2, &[&other[..], &more].concat());
    let due = "members stay, and at most 4 may be on the panel";
    said.stderr.says(due);
    terminal.put("quotas.csv", QUOTAS);
    assert!(all(&terminal, "one") == before);
    let said = terminal.klero(&[&draw("x y z", "two")[..], &["--keep", "stay.csv"]].concat());
    said.stderr.says("name its folder: --after DIR");
    let said = terminal.klero(&typed("draw --after one --seed-from 'x y z' --out two"));
    said.stderr.says("--keep FILE");
    let said = terminal.klero(&typed(
        "draw --after none --keep stay.csv --seed-from 'x y z' --out two",
    ));
    said.stderr.says("there is no folder none");
}

/// The tables of the question that is left are safe in spreadsheets, those of quotas too.
#[test]
fn quotas_that_are_left_are_no_formulas() {
    let terminal = Terminal::new();
    let people = (0..40).map(|at| {
        let (sex, area) = (["=F", "@M"][at % 2], ["+Nord", "-Süd", "x"][at / 2 % 3]);
        format!("p{at};{sex};{area}\n")
    });
    terminal.put(
        "people.csv",
        format!("id;sex;=area\n{}", people.collect::<String>()),
    );
    terminal.put(
        "quotas.csv",
        "category;name;min;max\nsex;=F;4;6\nsex;@M;4;6\n=area;+Nord;2;5\n=area;-Süd;2;5\n=area;x;2;5\n",
    );
    terminal.put(
        "pairs.csv",
        "category 1,feature 1,category 2,feature 2,min,max\nsex,=F,=area,-Süd,0,3\n",
    );
    terminal.put(
        "my.toml",
        "[source]\ntype = \"respondents\"\npath = \"people.csv\"\nid = \"id\"\n\
         [target]\ncategories = \"quotas.csv\"\nintersections = \"pairs.csv\"\n\
         [rules]\nchoose = \"at_most_one\"\nuntil = { accepted = 10 }\n\
         [[policy]]\nlabel = \"first\"\nkind = \"quota_lookahead\"\n",
    );
    terminal.done(&draw("some value", "one"));
    stay(&terminal, "one", 7, "stay.csv");
    assert_eq!(second(&terminal, &["--seed-from", "a b c d"]).code, Some(0));
    terminal.done(&["draw", "verify", "two"]);
    terminal.done(&["check", "two/reduced/config.toml"]);
    for (file, due) in [
        ("categories", ["'=area", "'=F", "'@M", "'+Nord", "'-Süd"]),
        ("intersections", ["'=area", "'=F", "'@M", "'+Nord", "'-Süd"]),
    ] {
        let text = terminal.read(&format!("two/reduced/inputs/{file}.csv"));
        let met = due.iter().filter(|cell| text.contains(*cell)).count();
        assert!(met >= 3, "{file}: {text}");
        for cell in text.split([',', '\n']) {
            let begins = cell.starts_with(['=', '+', '-', '@']);
            assert!(!begins || cell.parse::<f64>().is_ok(), "{file}: {cell}");
        }
    }
}
