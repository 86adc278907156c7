//! `klero init FILE --live`: what records hold is what the sample has.

use super::init;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

fn sample() -> String {
    let row = |at: usize| {
        let sex = ["F", "M"][at % 2];
        format!(
            "a{at},{sex},{},{}.5,{}\n",
            20 + at * 37 % 41,
            at * 53 % 97,
            ["yes", "no"][at / 3 % 2]
        )
    };
    let rows: String = (0..60).map(row).collect();
    format!("nr,sex,income,score,repaid\n{rows}")
}

#[test]
fn a_live_config_keeps_features_score_and_outcome_in_each_setting() {
    let terminal = Terminal::new();
    terminal.put("loans.csv", sample());
    for doorway in ["http", "stdin", "tcp"] {
        for setting in ["committee", "merit", "cohort", "pool"] {
            let args = ["loans.csv", "--live", doorway, "--setting", setting];
            let said = init(&terminal, &args);
            assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
            terminal.done(&["check", "my.toml"]);
            let written = terminal.read("my.toml");
            for due in [
                "score = \"score\"",
                "id = \"nr\"",
                "numeric = [\"income\"",
                "type = \"reported\"",
                "good = \">= 1\"",
                "sex = { column = \"sex\"",
            ] {
                assert!(written.contains(due), "{args:?} {due}: {written}");
            }
        }
    }
    // A lender's own file, without a word on the setting: outcomes are learnt.
    let said = init(&terminal, &["loans.csv", "--live", "http"]);
    assert!(
        terminal.read("my.toml").contains("kind = \"fair_greedy\""),
        "{}",
        said.stderr
    );
    said.stderr.says("next: klero live my.toml");
}

#[test]
fn a_live_run_of_such_a_config_takes_the_sample_itself() {
    let terminal = Terminal::new();
    terminal.put("loans.csv", sample());
    init(
        &terminal,
        &["loans.csv", "--live", "stdin", "--setting", "committee"],
    );
    let records: String = sample()
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!(
                "{{\"nr\":\"{}\",\"groups\":{{\"sex\":\"{}\"}},\"features\":{{\"income\":{}}},\"score\":{}}}\n",
                cells[0], cells[1], cells[2], cells[3]
            )
        })
        .collect();
    terminal.put("people.ndjson", records);
    let mut command = terminal.command(&["live", "my.toml", "--out", "run", "--no-board", "-q"]);
    let people = std::fs::File::open(terminal.path("people.ndjson")).expect("people");
    command.stdin(people);
    let said = crate::support::terminal::said(command);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        terminal.read("run/selected.csv").contains(",a"),
        "{}",
        said.stderr
    );
}

#[test]
fn what_a_live_setting_lacks_is_refused() {
    let terminal = Terminal::new();
    terminal.put("loans.csv", sample());
    terminal.put("groups.csv", "id,sex\na,F\nb,M\nc,F\nd,M\n");
    for (args, what) in [
        (
            &["--live", "http", "--setting", "merit"][..],
            "needs a sample of people",
        ),
        (
            &["groups.csv", "--live", "http", "--setting", "merit"],
            "no column says what became of people",
        ),
        (
            &["groups.csv", "--live", "http", "--setting", "pool"],
            "no column holds a score",
        ),
        (
            &["--live", "http", "--outcome", "x"],
            "speaks of a file of people",
        ),
        (
            &["--live", "http", "--columns", "x=id", "--where", "x > 1"],
            "2 problems",
        ),
    ] {
        let said = terminal.exits(2, &[&["init"], args, &["-o", "none.toml"]].concat());
        assert!(said.stderr.contains(what), "{args:?}: {}", said.stderr);
        assert!(!terminal.path("none.toml").exists());
    }
}
