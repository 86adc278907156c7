//! Requests: the list of studies, wrong names, folders in use.

use crate::support::refusals::{Page, refusal};
use crate::support::terminal::Terminal;

#[test]
fn without_a_name_the_studies_are_listed() {
    let terminal = Terminal::new();
    insta::assert_snapshot!(terminal.done(&["reproduce"]));
}

#[test]
fn names_and_folders_that_will_not_do() {
    let terminal = Terminal::new();
    terminal.put("used/notes.txt", "mine");
    terminal.put("file", "mine");
    let mut page = Page::default();
    for (name, args) in [
        ("a slip of the pen", &["do2021-fg1"][..]),
        ("nothing of the kind", &["mona-lisa"]),
        (
            "two wrong names and a right one",
            &["do2021-fig3", "do2021-fig1", "figure 9"],
        ),
        (
            "a folder in use",
            &["do2021-table1", "--quick", "--out", "used"],
        ),
        ("a file", &["do2021-table1", "--quick", "--out", "file"]),
        (
            "a wrong name and a folder in use",
            &["do2021", "--out", "used"],
        ),
    ] {
        let args: Vec<&str> = [&["reproduce"], args].concat();
        page.add(name, &refusal(&terminal, &args));
    }
    insta::assert_snapshot!(page.text());
    assert_eq!(terminal.read("used/notes.txt"), "mine");
    assert_eq!(terminal.names("used"), ["notes.txt"]);
}

#[test]
fn force_replaces_an_earlier_reproduction_and_nothing_else() {
    let terminal = Terminal::new();
    let both = ["do2021-example1", "do2021-table1"];
    terminal.done(&["reproduce", both[0], both[1], "--quick", "--out", "d"]);
    for study in both {
        assert!(terminal.names("d").contains(&format!("{study}.html")));
    }
    terminal.put("d/notes.txt", "mine");
    let again = ["reproduce", "do2021-example2", "--quick", "--out", "d"];
    refusal(&terminal, &again);
    terminal.done(&[&again[..], &["--force"]].concat());
    let known = [
        "claims.csv",
        "claims.json",
        "do2021-example2.svg",
        "index.html",
        "notes.txt",
    ];
    assert_eq!(terminal.names("d"), known);
}

/// What the quick form of a study without luck at its edges prints.
#[test]
fn the_table_is_for_people() {
    let terminal = Terminal::new();
    insta::assert_snapshot!(terminal.done(&["reproduce", "do2021-example2", "--quick"]));
}

/// A sentence that is undecided fails nothing, and is counted.
#[test]
fn sentences_that_are_undecided_are_counted() {
    let terminal = Terminal::new();
    let help = terminal.done(&["reproduce", "--help"]);
    assert!(
        help.contains("1 some claim was tried and does not hold"),
        "{help}"
    );
    for study in ["do2021-fig1", "do2021-table1"] {
        let said = terminal.klero(&["reproduce", study, "--quick", "--format", "json", "-q"]);
        let claims: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
        let text = claims.to_string();
        let many = text.matches("\"verdict\":\"undecided\"").count();
        let failed = text.contains("\"verdict\":\"not reproduced\"");
        assert_eq!(
            said.code,
            Some(i32::from(failed)),
            "{study}: {}",
            said.stderr
        );
        let note = format!("{many} undecided");
        assert_eq!(
            said.stderr.contains(&note),
            many > 0,
            "{study}: {}",
            said.stderr
        );
    }
}
