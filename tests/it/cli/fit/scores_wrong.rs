//! `klero fit scores`: files and options that are wrong.

use crate::support::refusals::{Page, refusal};
use crate::support::terminal::Terminal;

/// Adds what is said of a file.
fn add(page: &mut Page, name: &str, bytes: &str, options: &[&str]) {
    let terminal = Terminal::new();
    terminal.put("people.csv", bytes);
    let args = [&["fit", "scores", "people.csv"], options].concat();
    page.add(name, &refusal(&terminal, &args));
}

const ASKED: [&str; 4] = ["--label", "hired", "--group", "sex=F"];
const SOUND: &str = "test,town,sex,hired\n1,Ulm,F,1\n2,Bern,M,0\n3,Ulm,M,1\n4,Bern,F,0\n";

#[test]
fn files_that_are_wrong() {
    let mut page = Page::default();
    let terminal = Terminal::new();
    let missing = [&["fit", "scores", "none.csv"], &ASKED[..]].concat();
    page.add("no file", &refusal(&terminal, &missing));
    add(&mut page, "an empty file", "", &ASKED);
    add(&mut page, "a header alone", "test,sex,hired\n", &ASKED);
    let cells =
        "test,town,sex,hired\n1,Ulm,F,1\ntwo,,M,yes\n1e300,Bern,,0\nNaN,Ulm,M,\n,7,F,0.5\n4,Bern\n";
    add(&mut page, "cells of all sorts", cells, &ASKED);
    let semicolons = SOUND.replace(',', ";");
    let commas = ["--delimiter", ","];
    let by_commas = [&ASKED[..], &commas].concat();
    add(&mut page, "another delimiter", &semicolons, &by_commas);
    let numbered = ["--no-header", "--label", "c3", "--group", "c2=F"];
    add(
        &mut page,
        "rows of several lengths",
        "1,F,1\n2,M\n3,M,0,4\nx,F,1\n",
        &numbered,
    );
    let tabs = "A11\t6\tF\t1\nA12\t7\tM\t0\n";
    let by_commas = [&numbered[..], &commas].concat();
    add(
        &mut page,
        "another delimiter and no header",
        tabs,
        &by_commas,
    );
    let words = SOUND.replace(",1\n", ",yes\n").replace(",0\n", ",no\n");
    add(&mut page, "labels in words", &words, &ASKED);
    let names = (0..402).map(|n| format!("{n},name{},F,1\n", n / 2));
    let names: String = names.collect();
    add(
        &mut page,
        "a column of names",
        &format!("test,name,sex,hired\n{names}"),
        &ASKED,
    );
    insta::assert_snapshot!(page.text());
}

#[test]
fn requests_that_do_not_fit_the_file() {
    let mut page = Page::default();
    let other = [
        "--label",
        "hire",
        "--group",
        "gender=F",
        "--exclude",
        "tow,id",
        "--categories",
        "tests",
    ];
    add(&mut page, "no such columns", SOUND, &other);
    let values = ["--label", "hired=yes", "--group", "sex=female,f"];
    add(&mut page, "no such values", SOUND, &values);
    let all = [
        "--label",
        "hired=0,1",
        "--group",
        "sex=F,M",
        "--exclude",
        "test,town,sex",
    ];
    add(&mut page, "nothing to tell apart", SOUND, &all);
    let lone = SOUND.replace("1,Ulm,F,1\n", "");
    add(&mut page, "a group of one", &lone, &ASKED);
    let others = ["--label", "hired", "--group", "sex=M"];
    add(&mut page, "others of one", &lone, &others);
    let one = SOUND.replace(",0\n", ",1\n");
    add(&mut page, "one label alone", &one, &ASKED);
    let terminal = Terminal::new();
    terminal.put("people.csv", SOUND.replace("Ulm", ""));
    terminal.put("taken/notes.txt", "mine");
    let taken = [
        &["fit", "scores", "people.csv"],
        &ASKED[..],
        &["--out", "taken"],
    ]
    .concat();
    page.add(
        "a folder that is taken, and a blank cell",
        &refusal(&terminal, &taken),
    );
    insta::assert_snapshot!(page.text());
}

#[test]
fn options_that_are_wrong() {
    let terminal = Terminal::new();
    terminal.put("people.csv", SOUND);
    for (wrong, due) in [
        (&["--label", "hired", "--group", "sex"][..], "COLUMN=VALUE"),
        (&["--label", "hired", "--group", "sex="], "COLUMN=VALUE"),
        (&["--label", "=1", "--group", "sex=F"], "COLUMN=VALUE"),
        (
            &["--label", "hired", "--group", "sex=F", "--names", "u"],
            "two different names",
        ),
        (
            &["--label", "hired", "--group", "sex=F", "--names", "u,u"],
            "two different names",
        ),
        (
            &["--label", "hired", "--group", "sex=F", "--delimiter", "ab"],
            "one ASCII character",
        ),
        (
            &["--label", "hired", "--group", "sex=F", "--force"],
            "--out",
        ),
        (&["--group", "sex=F"], "--label"),
    ] {
        let said = terminal.klero(&[&["fit", "scores", "people.csv"], wrong].concat());
        assert_eq!(
            (said.code, said.stdout.as_str()),
            (Some(2), ""),
            "{wrong:?}"
        );
        assert!(said.stderr.contains(due), "{wrong:?}: {}", said.stderr);
    }
}
