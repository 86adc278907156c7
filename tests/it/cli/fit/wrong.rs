//! Files and options that are wrong: exit 2, everything at once, nothing on stdout.

use crate::support::refusals::{Page, refusal};
use crate::support::terminal::Terminal;

/// Adds what is said of a file.
fn add(page: &mut Page, name: &str, bytes: &str, options: &[&str]) {
    let terminal = Terminal::new();
    terminal.put("reviews.csv", bytes);
    let args = [&["fit", "looks", "reviews.csv"], options].concat();
    page.add(name, &refusal(&terminal, &args));
}

const SOUND: &str = "applicant,kind,score\na,weak,1\na,weak,2\na,strong,1\na,strong,1.5\n";

#[test]
fn files_that_are_wrong() {
    let mut page = Page::default();
    let terminal = Terminal::new();
    page.add(
        "no file",
        &refusal(&terminal, &["fit", "looks", "none.csv"]),
    );
    add(&mut page, "an empty file", "", &[]);
    add(&mut page, "a header alone", "applicant,kind,score\n", &[]);
    add(
        &mut page,
        "no such columns",
        "applicants,type,score\na,weak,1\n",
        &[],
    );
    let options = ["--score", "mark", "--cost", "minutes"];
    add(&mut page, "columns that were asked for", SOUND, &options);
    add(
        &mut page,
        "cells of all sorts",
        "applicant,kind,score,cost\na,weak,good,1\na,weak,NaN,-3\n,strong,inf,0\nb,,1e300,x\n\
         b,strong,,\nb,strong\n",
        &[],
    );
    insta::assert_snapshot!(page.text());
}

#[test]
fn files_that_say_too_little() {
    let mut page = Page::default();
    add(
        &mut page,
        "one kind",
        "applicant,kind,score\na,weak,1\na,weak,2\n",
        &[],
    );
    let three = format!("{SOUND}a,panel,3\n");
    add(&mut page, "three kinds", &three, &[]);
    add(
        &mut page,
        "three kinds, one named",
        &three,
        &["--weak", "weak"],
    );
    add(
        &mut page,
        "kinds that there are not",
        SOUND,
        &["--weak", "paper", "--strong", "Strong"],
    );
    add(
        &mut page,
        "one kind for both",
        SOUND,
        &["--weak", "weak", "--strong", "weak"],
    );
    add(
        &mut page,
        "nobody twice",
        "applicant,kind,score\na,weak,1\nb,weak,2\na,strong,1\n",
        &[],
    );
    let agreed = "applicant,kind,score\na,weak,1\na,weak,2\na,strong,1\na,strong,1\n";
    add(&mut page, "agreed scores", agreed, &[]);
    insta::assert_snapshot!(page.text());
}
