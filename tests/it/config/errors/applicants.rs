//! `utility` and `reviews` of files.

use super::{Page, with};
use crate::config::applicants::APPLICANTS;
use crate::support::terminal::Terminal;

/// Files in which nothing is wrong.
const ROWS: &str = "id,gender,region,worth,r1,r2,r3\n\
    a,f,n,0.9,0.8,,\nb,m,n,0.5,,0.6,\nc,f,s,0.4,0.3,0.4,0.5\nd,m,s,0.1,,,\ne,f,n,0.7,1,,0\n";
const REVIEWS: &str = "applicant,kind,score,cost\na,paper,0.8,1\nb,paper,0.6,1\n";

const UTILITY: &str = "utility = \"worth\"";
const COLUMNS: &str = "reviews = [\"r1\", \"r2\", \"r3\"]";
const LONG: &str = "reviews = { path = \"reviews.csv\" }";

fn edited(page: &mut Page, name: &str, edits: &[(&str, &str)], rows: &str, reviews: &str) {
    let terminal = Terminal::new();
    terminal.put("applicants.csv", rows);
    terminal.put("reviews.csv", reviews);
    terminal.put("my.toml", with(APPLICANTS, edits));
    page.config(name, &terminal, "my.toml");
}

#[test]
fn keys_that_are_wrong() {
    let mut page = Page::default();
    let rewarded = "[source.features]\nnumeric = [\"r1\", \"worth\"]\nmissing = 0\n\
        group = \"gender\"\n\n[source.reward]\ncolumn = \"r3\"\n\n[rules]";
    let cases: &[(&str, &[(&str, &str)])] = &[
        (
            "columns that are not there",
            &[
                (UTILITY, "utility = \"wort\""),
                (COLUMNS, "reviews = [\"r1\", \"r_2\"]"),
            ],
        ),
        (
            "other types, with what is wrong in the file",
            &[
                (UTILITY, "utility = \"region\""),
                (COLUMNS, "reviews = \"r1\""),
            ],
        ),
        (
            "lists that will not do",
            &[(COLUMNS, "reviews = [\"r1\", 3, \"r1\", \"worth\"]")],
        ),
        (
            "no column",
            &[(UTILITY, "utility = 3"), (COLUMNS, "reviews = []")],
        ),
        (
            "worth something twice, and a feature that tells it",
            &[("[rules]", rewarded)],
        ),
        ("worth nothing", &[(UTILITY, "")]),
        ("looks that replay what is not there", &[(COLUMNS, "")]),
        (
            "a file that is not there, and no id",
            &[
                (COLUMNS, "reviews = { path = \"past.csv\" }"),
                ("id = \"id\"\n", ""),
            ],
        ),
        (
            "unknown keys",
            &[(
                COLUMNS,
                "reviews = { file = \"reviews.csv\", scores = \"score\" }",
            )],
        ),
        (
            "columns of reviews that are not there",
            &[(
                COLUMNS,
                "reviews = { path = \"reviews.csv\", applicant = \"candidate\", \
                 score = \"rating\" }",
            )],
        ),
        (
            "nothing drawn, and the same people again and again",
            &[
                ("order = \"shuffled\"", "order = \"file\""),
                ("sd = 0.1", "sd = 0"),
            ],
        ),
    ];
    for (name, edits) in cases {
        edited(&mut page, name, edits, ROWS, REVIEWS);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn files_that_are_wrong() {
    let mut page = Page::default();
    let rows = "id,gender,region,worth,r1,r2,r3\n\
        a,f,n,inf,0.8,,\nb,m,n,,good,0.6,\nc,f,s,0.4,NaN,1e999,-1e101\na,m,s,1e101,,,\n\
        e,f,n,0.7,0,95,,\n";
    edited(&mut page, "cells of all sorts", &[], rows, REVIEWS);
    let reviews = "applicant,score\na,good\n,1\nb,\nc\nd,inf\n";
    edited(
        &mut page,
        "reviews of all sorts, beside applicants of all sorts",
        &[(COLUMNS, LONG)],
        rows,
        reviews,
    );
    edited(
        &mut page,
        "reviews of others",
        &[(COLUMNS, LONG)],
        ROWS,
        "applicant,score\nA,1\nB,2\n",
    );
    edited(
        &mut page,
        "another separator",
        &[(COLUMNS, LONG)],
        ROWS,
        "applicant score\na 1\n",
    );
    edited(
        &mut page,
        "no reviews",
        &[(COLUMNS, LONG)],
        ROWS,
        "applicant,score\n",
    );
    insta::assert_snapshot!(page.text());
}
