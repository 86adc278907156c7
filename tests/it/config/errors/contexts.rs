//! `[source.features]`, `[source.reward]` and `one_per_group` of files.

use super::{Page, with};
use crate::config::contexts::CONTEXTS;
use crate::support::terminal::Terminal;

/// A file in which nothing is wrong.
const ROWS: &str = "id,REG,SEX,AGE,EDU,JOB,PAY,w\n\
    a,n,1,20,3,farm,100,1\n\
    b,s,2,30,4,sea,120.5,1\n\
    c,n,2,50,2,sea,90,2\n\
    d,s,1,60,9,farm,130,1\n";

const REWARD: &str = "[source.reward]\ncolumn = \"PAY\"\nstandardise = true\n";
const FEEDBACK: &str = "[feedback.outcome]\ntype = \"linear\"\nnoise = 0.5\n";
const NUMERIC: &str = "numeric = [\"AGE\", \"EDU\"]";
const ONE_HOT: &str = "one_hot = [\"JOB\", \"SEX\"]";
const ORDER: &str = "order = \"file\"";
const FIT: &str = "constant = true\nnumeric = [\"AGE\", \"EDU\"]\none_hot = [\"JOB\", \"SEX\"]\n\
    standardise = true";

fn edited(page: &mut Page, name: &str, edits: &[(&str, &str)], rows: &str) {
    let terminal = Terminal::new();
    terminal.put("people.csv", rows);
    terminal.put("other.csv", "SEX,AGE,EDU,WORK,INCOME\n1,20,3,farm,100\n");
    terminal.put("my.toml", with(CONTEXTS, edits));
    page.config(name, &terminal, "my.toml");
}

#[test]
fn features_that_are_wrong() {
    let mut page = Page::default();
    let cases: &[(&str, &[(&str, &str)])] = &[
        (
            "columns that are not there",
            &[
                (NUMERIC, "numeric = [\"AGEP\", \"EDU\"]"),
                (ONE_HOT, "one_hot = [\"JOBS\"]"),
                ("column = \"PAY\"", "column = \"INCOME\""),
            ],
        ),
        (
            "a column of words as numbers",
            &[(NUMERIC, "numeric = [\"AGE\", \"REG\"]")],
        ),
        (
            "a reward in words",
            &[("column = \"PAY\"", "column = \"REG\"")],
        ),
        (
            "a group that is no attribute",
            &[("group = \"sex\"", "group = \"regions\"")],
        ),
        (
            "several attributes and no group",
            &[("group = \"sex\"\n", "")],
        ),
        (
            "no column at all",
            &[(NUMERIC, "numeric = []"), (ONE_HOT, "")],
        ),
        (
            "a column twice, also as both",
            &[
                (NUMERIC, "numeric = [\"AGE\", \"AGE\", \"EDU\"]"),
                (ONE_HOT, "one_hot = [\"JOB\", \"EDU\"]"),
            ],
        ),
        (
            "cells out of their declared range",
            &[(
                NUMERIC,
                "numeric = [\"AGE\", \"EDU\"]\nmissing = 0\nrange = { AGE = [0, 120], EDU = [0, 8] }",
            )],
        ),
        (
            "ranges of no column, of one end, and turned around",
            &[(
                NUMERIC,
                "numeric = [\"AGE\", \"EDU\"]\nrange = { AGEP = [0, 1], AGE = [0], EDU = [8, 0] }",
            )],
        ),
        (
            "the reward among the features",
            &[(NUMERIC, "numeric = [\"AGE\", \"PAY\"]")],
        ),
        (
            "values of the wrong type",
            &[
                (NUMERIC, "numeric = \"AGE\""),
                (ONE_HOT, "one_hot = [1]"),
                ("constant = true", "constant = 1\nmissing = \"0\""),
                ("group = \"sex\"", "group = 2\nmean = 0"),
                (
                    "column = \"PAY\"\nstandardise = true",
                    "column = [\"PAY\"]\nstandardise = \"yes\"",
                ),
            ],
        ),
        (
            "standardised by a number, and by another key",
            &[
                (FIT, "numeric = [\"AGE\"]\nstandardise = 2"),
                (
                    "column = \"PAY\"\nstandardise = true",
                    "column = \"PAY\"\nstandardise = { by = \"other.csv\" }",
                ),
            ],
        ),
        (
            "another year's file that is not there",
            &[(
                FIT,
                "numeric = [\"AGE\"]\nstandardise = { fit = \"2017.csv\" }",
            )],
        ),
        (
            "another year's file with other columns",
            &[
                (
                    FIT,
                    "numeric = [\"AGE\"]\none_hot = [\"JOB\"]\n\
                     standardise = { fit = \"other.csv\" }",
                ),
                (
                    "column = \"PAY\"\nstandardise = true",
                    "column = \"PAY\"\nstandardise = { fit = \"other.csv\" }",
                ),
            ],
        ),
        (
            "a reward without a column",
            &[(REWARD, "[source.reward]\n")],
        ),
        ("outcomes without a reward", &[(REWARD, "")]),
    ];
    for (name, edits) in cases {
        edited(&mut page, name, edits, ROWS);
    }
    let start = CONTEXTS.find("[source.features]").unwrap();
    let end = CONTEXTS.find("[source.reward]").unwrap();
    let alone = CONTEXTS.replace(&CONTEXTS[start..end], "");
    page.of_people("a reward without features", &alone, ROWS);
    let list = CONTEXTS.replace(&CONTEXTS[start..end], "");
    let list = list.replace(ORDER, "order = \"file\"\nfeatures = [\"AGE\"]");
    page.of_people("features in a list", &list, ROWS);
    insta::assert_snapshot!(page.text());
}

#[test]
fn cells_that_are_no_numbers() {
    let mut page = Page::default();
    let all = ("where = [\"AGE > 16\"]\n", "");
    let rows = ROWS
        .replace("20,3", ",NaN")
        .replace("50,2,sea,90", "old,inf,,")
        + "e,n,2,1e400,3,,N,1\nf,n,1,10,,,,1\n";
    edited(
        &mut page,
        "no number, no level and no reward",
        &[all],
        &rows,
    );
    let missing = [(NUMERIC, "numeric = [\"AGE\", \"EDU\"]\nmissing = 0"), all];
    edited(&mut page, "a number for what is missing", &missing, &rows);
    let great = ROWS
        .replace(",3,farm", ",1e308,farm")
        .replace(",9,farm", ",-1e308,farm");
    edited(
        &mut page,
        "numbers too great for a standard deviation",
        &[],
        &great,
    );
    let raw = [(FIT, "numeric = [\"EDU\"]")];
    edited(&mut page, "numbers too great for a fit", &raw, &great);
    let levels: String = (0..4100)
        .map(|k| format!("r{k},n,1,40,1,job {k},100,1\n"))
        .collect();
    edited(
        &mut page,
        "thousands of levels",
        &[],
        &format!("{ROWS}{levels}"),
    );
    let records = ROWS.lines().skip(1).map(|row| {
        let cells: Vec<_> = row.split(',').collect();
        let job = if cells[0] == "c" { String::new() } else { format!(",\"JOB\":{:?}", cells[5]) };
        let age = if cells[0] == "b" { "null" } else { cells[3] };
        format!(
            "{{\"id\":{:?},\"REG\":{:?},\"SEX\":{:?},\"AGE\":{age},\"EDU\":{}{job},\"PAY\":{:?}}}\n",
            cells[0], cells[1], cells[2], cells[4], if cells[0] == "d" { "high" } else { cells[6] }
        )
    });
    let terminal = Terminal::new();
    terminal.put("people.ndjson", records.collect::<String>());
    let edits = [("\"people.csv\"", "\"people.ndjson\""), all];
    terminal.put("my.toml", with(CONTEXTS, &edits));
    page.config("records that lack members", &terminal, "my.toml");
    insta::assert_snapshot!(page.text());
}

#[test]
fn one_of_each_group_that_can_not_be() {
    let mut page = Page::default();
    let one = "order = \"resampled\"\none_per_group = true";
    let two = ("slate = 5", "slate = 2");
    let cases: &[(&str, &[(&str, &str)])] = &[
        (
            "in the file's order",
            &[(ORDER, "order = \"file\"\none_per_group = true"), two],
        ),
        (
            "shuffled, and not a flag",
            &[(ORDER, "order = \"shuffled\"\none_per_group = 1"), two],
        ),
        (
            "resampled by weights",
            &[
                (
                    ORDER,
                    "order = \"resampled\"\none_per_group = true\nresample_by = \"w\"",
                ),
                two,
            ],
        ),
        ("another slate", &[(ORDER, one)]),
        (
            "a group without anybody, and no slate for it",
            &[
                (ORDER, one),
                two,
                (
                    "\"2\" = \"female\"",
                    "\"2\" = \"female\", \"3\" = \"other\"",
                ),
            ],
        ),
        (
            "several attributes and no group",
            &[
                (ORDER, one),
                two,
                ("group = \"sex\"\n", ""),
                (REWARD, ""),
                (FEEDBACK, ""),
            ],
        ),
    ];
    for (name, edits) in cases {
        edited(&mut page, name, edits, ROWS);
    }
    insta::assert_snapshot!(page.text());
}
