//! Cells that may be taken for more than they are: further outcomes, marks between thousands.

use super::{config, init, rows, sex};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// What became of people is not known when they are chosen, so one outcome is learnt and no other is.
#[test]
fn a_further_outcome_is_left_out() {
    let terminal = Terminal::new();
    for (header, first, second) in [
        ("id,sex,mark,hired,repaid", "hired", "repaid"),
        (
            "id,sex,mark,eingestellt,bewilligt",
            "eingestellt",
            "bewilligt",
        ),
        ("id,sex,mark,admis,rembourse", "admis", "rembourse"),
        ("id,sex,mark,hired,performance", "hired", "performance"),
    ] {
        terminal.put(
            "people.csv",
            rows(header, |at| {
                format!(
                    "p{at},{},{},{},{}",
                    sex(at),
                    at * 7 % 40,
                    at % 2,
                    at / 2 % 2
                )
            }),
        );
        let plain = ["people.csv", "--setting", "merit"];
        let named = ["people.csv", "--outcome", first];
        let committee = ["people.csv", "--setting", "committee"];
        for args in [&plain[..], &named, &committee] {
            let (written, said) = config(&terminal, args);
            said.says(&format!("column `{first}`: outcome, "));
            let due = format!(
                "column `{second}`: left out, its name is that of an outcome, as `{first}` is"
            );
            said.says(&due);
            said.says(&format!("(otherwise: --columns {second}=attribute)"));
            let keys = written
                .lines()
                .filter(|line| !line.trim_start().starts_with('#'));
            let keys: Vec<&str> = keys.map(|line| line.split(" #").next().unwrap()).collect();
            keys.join("\n").never_says(second);
        }
        let own = ["people.csv", "--columns", &format!("{second}=attribute")];
        let (written, _) = config(&terminal, &own);
        written.says(&format!("{second} = {{ column"));
    }
    // What is known beforehand stays.
    terminal.put(
        "people.csv",
        rows("id,sex,income,hired", |at| {
            format!("p{at},{},{},{}", sex(at), 20_000 + at * 77, at % 2)
        }),
    );
    let (_, said) = config(&terminal, &["people.csv"]);
    said.says("column `income`: number");
}

/// A mark that may be between thousands as well as before decimals is said, or refused.
#[test]
fn marks_that_may_be_between_thousands_are_said() {
    let terminal = Terminal::new();
    let with = |mark: char, cell: fn(usize) -> String| {
        rows(&format!("id{mark}sex{mark}x{mark}hired"), |at| {
            format!("p{at}{mark}{}{mark}{}{mark}{}", sex(at), cell(at), at % 2)
        })
    };
    for (text, due) in [
        (
            with(';', |at| format!("{}.1{at:02}", at % 9 + 1)),
            "; '1.100' is read as 1.100 and not as 1100 (otherwise",
        ),
        (
            with('\t', |at| format!("{},1{at:02}", at % 9 + 1)),
            "; '1,100' is read as 1.100 and not as 1100 (otherwise",
        ),
    ] {
        terminal.put("people.csv", text);
        let (_, said) = config(&terminal, &["people.csv"]);
        said.says(due);
        let checked = terminal.klero(&["check", "my.toml"]);
        let checked = checked.stdout + &checked.stderr;
        checked.says("people.csv: `x`: '1");
        checked.says(" and not as 1100");
    }
    for clear in [
        with(';', |at| format!("{}.1{at:02},5", at % 9 + 1)),
        with(';', |at| format!("{},{}", at % 9 + 1, at % 7)),
        with(',', |at| format!("0.1{at:02}")),
    ] {
        terminal.put("people.csv", clear);
        let (_, said) = config(&terminal, &["people.csv"]);
        said.never_says("is read as");
    }
    terminal.put(
        "people.csv",
        with(',', |at| format!("\"{},1{at:02}\"", at % 9 + 1)),
    );
    let (_, said) = config(&terminal, &["people.csv"]);
    said.says("column `x`: left out, '1,100' in line 2 may be '1.100' or '1100'");
    let said = init(&terminal, &["people.csv", "--columns", "x=number"]);
    assert_eq!(said.code, Some(2));
    said.stderr
        .says("in `x` '1,100' in line 2 may be '1.100' or '1100'");
}

/// Lines that end with a carriage return alone are lines.
#[test]
fn lines_of_old_spreadsheets_are_read() {
    let terminal = Terminal::new();
    let text = rows("id;gender;size", |at| {
        format!("p{at};{};{}", sex(at), 150 + at)
    });
    terminal.put("lf.csv", &text);
    terminal.put("cr.csv", text.replace('\n', "\r"));
    let (_, lf) = config(&terminal, &["lf.csv"]);
    let (_, cr) = config(&terminal, &["cr.csv"]);
    assert_eq!(lf, cr);
}
