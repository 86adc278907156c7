//! Alternates of a draw where the config says who is likely to leave.

use super::{CONFIG, draw, rows, town};
use crate::support::terminal::Terminal;

/// The sexes of the alternates, in order.
fn alternates(terminal: &Terminal, out: &str) -> Vec<String> {
    let rows = rows(terminal, &format!("{out}/alternates.csv")).into_iter();
    rows.map(|row| row["Sex"].clone()).collect()
}

#[test]
fn those_step_in_who_replace_the_members_likely_to_leave() {
    let terminal = town();
    let draw = |out: &str| {
        let args = [&draw("seven", out)[..], &["--alternates", "4"]].concat();
        terminal.done(&args);
        alternates(&terminal, out)
    };
    let before = draw("before");
    let leaves = "[dropout]\nby = { sex = { F = 0.5 } }\n[rules]\n";
    terminal.put("my.toml", CONFIG.replace("[rules]\n", leaves));
    let after = draw("after");
    assert_eq!(after, ["F"; 4]);
    assert!(before.contains(&"M".to_owned()), "{before:?}");
    let said = terminal.done(&["draw", "verify", "after"]);
    assert!(!said.is_empty());
}
