//! `[feedback.outcome]` and `[report] direction`.

use super::{Page, SOUND, with};
use crate::support::configs::{FEED, LENDER};
use crate::support::terminal::Terminal;

const ROWS: &str = "sex,score,repaid,grade,wide\nF,0.5,1,,3.5\nM,0.25,0,,2\nF,0.75,,,1\nM,1,1,,4\n";
const COLUMN: &str = "column = \"repaid\"";
const TYPE: &str = "type = \"recorded\"\n";

fn edited(page: &mut Page, name: &str, edits: &[(&str, &str)], rows: &str) {
    let terminal = Terminal::new();
    terminal.put("people.csv", rows);
    terminal.put("my.toml", with(LENDER, edits));
    page.config(name, &terminal, "my.toml");
}

#[test]
fn outcomes_that_will_not_do() {
    let mut page = Page::default();
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("no column", &[(COLUMN, "")]),
        (
            "a column that is not there",
            &[(COLUMN, "column = \"repayed\"")],
        ),
        (
            "a column that is blank in all",
            &[(COLUMN, "column = \"grade\"")],
        ),
        (
            "a column that policies see",
            &[(COLUMN, "column = \"score\"")],
        ),
        (
            "a word for the column, and a delay",
            &[(COLUMN, "column = 3\ndelay = -1")],
        ),
        ("an unknown type", &[(TYPE, "type = \"recordet\"\n")]),
        (
            "a key of another type",
            &[(COLUMN, "column = \"repaid\"\nnoise = 1\nrange = [0, 1]")],
        ),
        ("no bound", &[(COLUMN, "column = \"repaid\"\ngood = \"1\"")]),
        (
            "a number for the bound",
            &[(COLUMN, "column = \"repaid\"\ngood = 1")],
        ),
        (
            "tosses of people who are worth nothing",
            &[(TYPE, "type = \"bernoulli\"\n"), (COLUMN, "")],
        ),
        (
            "tosses whose chances are none",
            &[
                (TYPE, "type = \"bernoulli\"\n"),
                (COLUMN, ""),
                ("score = \"score\"", "utility = \"wide\""),
            ],
        ),
        (
            "rates of outcomes of which none is called good",
            &[
                (COLUMN, "column = \"wide\""),
                ("\"outcome_mean\"", "\"true_positive_rate\""),
            ],
        ),
        (
            "measures that the run does not have",
            &[
                ("\"outcome_mean\"", "\"outcome_mena\", \"calibration_gap\""),
                ("score = \"score\"\n", ""),
            ],
        ),
    ];
    for (name, edits) in cases {
        edited(&mut page, name, edits, ROWS);
    }
    let rows = ROWS
        .replace("0.5,1,", "0.5,yes,")
        .replace("0.25,0,", "0.25,inf,");
    edited(&mut page, "cells that are no numbers", &[], &rows);
    insta::assert_snapshot!(page.text());
}

#[test]
fn outcomes_of_people_who_come_from_no_file() {
    let mut page = Page::default();
    let outcome = "[feedback.outcome]\ntype = \"recorded\"\ncolumn = \"repaid\"\n\n[[policy]]\nlabel = \"all\"";
    let interviews = "interviews = [{ name = \"a\", cost = 1, gain = 1 }]";
    for (name, config, edits) in [
        (
            "drawn",
            SOUND,
            vec![("[[policy]]\nlabel = \"all\"", outcome)],
        ),
        (
            "from outside",
            FEED,
            vec![("[[policy]]\nlabel = \"all\"", outcome)],
        ),
        (
            "with interviews",
            LENDER,
            vec![
                (
                    "[feedback.outcome]",
                    "[feedback.interview]\ntype = \"bernoulli_looks\"\n[feedback.outcome]",
                ),
                ("slate = 2", interviews),
            ],
        ),
    ] {
        let terminal = Terminal::new();
        terminal.put("people.csv", ROWS);
        terminal.put("my.toml", with(config, &edits));
        page.config(name, &terminal, "my.toml");
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn directions() {
    let mut page = Page::default();
    for (name, line) in [
        (
            "an unknown metric",
            "direction = { selection_rat = \"none\" }",
        ),
        (
            "an unknown word",
            "direction = { selection_rate = \"up\", accepted = true }",
        ),
        ("no table", "direction = \"none\""),
        (
            "a metric of other runs",
            "direction = { outcome_mean = \"higher\" }",
        ),
        (
            "a goal without a better side",
            "direction = { selection_rate = \"none\" }\ngoal = { best = \"selection_rate\" }",
        ),
        (
            "a worst value without a better side",
            "direction = { selection_rate = \"none\" }\nunfilled = \"worst\"",
        ),
    ] {
        let terminal = Terminal::new();
        terminal.put(
            "my.toml",
            with(
                SOUND,
                &[("baseline = \"all\"", &format!("baseline = \"all\"\n{line}"))],
            ),
        );
        page.config(name, &terminal, "my.toml");
    }
    insta::assert_snapshot!(page.text());
}
