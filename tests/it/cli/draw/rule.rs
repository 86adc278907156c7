//! The page, the terminal and the record tell the rule that was played, under a title.

use std::collections::BTreeMap;

use super::{CONFIG, column, draw, record, rows, town};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

/// A town with lotteries and rules that meet people one by one.
fn place() -> Terminal {
    let terminal = town();
    let more = ["leximin", "maximin", "nash", "legacy", "greedy"]
        .map(|kind| format!("[[policy]]\nlabel = \"by {kind}\"\nkind = \"{kind}\"\n"));
    let config = CONFIG.replace("[report]\n", &format!("{}[report]\n", more.concat()));
    terminal.put("my.toml", config);
    terminal
}

fn drawn(terminal: &Terminal, policy: &str, out: &str, more: &[&str]) -> String {
    let mut args = draw("some text", out);
    args[3] = policy;
    terminal.klero(&[&args[..], more].concat()).stdout
}

#[test]
fn a_lottery_says_its_panels_and_the_exact_chance_of_each() {
    let terminal = place();
    for kind in ["leximin", "maximin", "nash"] {
        let policy = format!("by {kind}");
        let said = drawn(&terminal, &policy, kind, &[]);
        let found = &record(&terminal, kind)["lottery"];
        let panels = found["panels"].as_u64().expect("a count");
        assert_eq!(found["all_kept"], true, "{kind}");
        said.says(&format!(
            "a lottery over {panels} panels, each of which keeps"
        ));
        let page = terminal.read(&format!("{kind}/index.html"));
        for words in [
            &format!("by a lottery over {panels} panels"),
            "Each of the panels takes every place and keeps every quota.",
            "The exact chances by group",
            "This was proved.",
        ] {
            assert!(page.contains(words), "{kind}: {words}");
        }
        for words in ["one by one", "--replications 10000"] {
            assert!(!page.contains(words), "{kind}: {words}");
        }
        // The chances are those of the lottery that a run of the same config writes.
        let run = [
            "run",
            "my.toml",
            "--only",
            &policy,
            "--replications",
            "1",
            "-q",
            "--out",
        ];
        let out = format!("run-{kind}");
        terminal.done(&[&run[..], &[&out]].concat());
        let of_run = rows(&terminal, &format!("{out}/lottery_chances.csv"));
        let of_run = of_run
            .iter()
            .map(|row| (row["id"].clone(), row["chance"].clone()));
        let of_run: BTreeMap<String, String> = of_run.collect();
        let ids = codes(&terminal, kind);
        let chances = found["chances"].as_object().expect("chances by code");
        assert_eq!((chances.len(), ids.len()), (60, 60));
        let mut sum = 0.0;
        for (code, chance) in chances {
            let chance = chance.as_f64().expect("a number");
            let due: f64 = of_run[&ids[code]].parse().expect("a number");
            assert!((chance - due).abs() < 1e-12, "{code}");
            sum += chance;
        }
        assert!((sum - 12.0).abs() < 1e-9, "{sum}");
        let groups = found["groups"].as_array().expect("groups");
        for group in groups {
            let of = |end: &str| group[end].as_f64().expect("a number");
            assert!(of("least") <= of("mean") + 1e-12 && of("mean") <= of("largest") + 1e-12);
        }
        assert_eq!(groups.len(), 4);
        terminal.done(&["draw", "verify", kind]);
    }
}

/// Whose code each is.
fn codes(terminal: &Terminal, folder: &str) -> BTreeMap<String, String> {
    let tables = ["panel.csv", "passed-over.csv"];
    let rows = tables.map(|name| rows(terminal, &format!("{folder}/{name}")));
    let rows = rows.iter().flatten();
    rows.map(|row| (row["code"].clone(), row["id"].clone()))
        .collect()
}

#[test]
fn other_rules_tell_how_they_came_to_the_panel() {
    let terminal = place();
    for (policy, words) in [
        (
            "first",
            "came one by one, in an order that the randomness below decides",
        ),
        (
            "by greedy",
            "came one by one, in an order that the randomness below decides",
        ),
        ("by legacy", "built the whole panel"),
    ] {
        drawn(&terminal, policy, policy, &[]);
        let page = terminal.read(&format!("{policy}/index.html"));
        assert!(page.contains(words), "{policy}: {words}");
        assert!(page.contains("--replications 10000"), "{policy}");
        assert_eq!(page.contains("one by one"), policy != "by legacy");
        assert!(record(&terminal, policy)["lottery"].is_null());
    }
}

#[test]
fn why_each_was_passed_over_is_a_sentence() {
    let terminal = place();
    for (policy, why, words) in [
        (
            "by leximin",
            "not_drawn",
            "not on the panel that was drawn; its chance was ",
        ),
        ("by nash", "household", "lives in the same household"),
        ("by legacy", "not_drawn", "not on the panel that was drawn"),
        (
            "first",
            "panel_full",
            "all places were taken before they came",
        ),
    ] {
        let out = format!("{policy} {why}");
        drawn(&terminal, policy, &out, &[]);
        let rows = rows(&terminal, &format!("{out}/passed-over.csv"));
        let mut reasons = rows
            .iter()
            .filter(|row| row["why"] == why)
            .map(|row| &row["reason"]);
        assert!(reasons.clone().count() > 0, "{out}");
        assert!(
            reasons.all(|reason| reason.contains(words)),
            "{out}: {words}"
        );
        assert!(
            rows.iter()
                .all(|row| !row["reason"].is_empty() && !row["reason"].contains('='))
        );
    }
}

/// A rule that draws a panel whole meets no one and refuses no one, and its table says nothing else.
#[test]
fn of_a_panel_that_was_drawn_whole_no_one_came_or_was_refused() {
    let terminal = place();
    for kind in ["leximin", "maximin", "nash", "legacy"] {
        let policy = format!("by {kind}");
        drawn(&terminal, &policy, kind, &[]);
        let passed = terminal.read(&format!("{kind}/passed-over.csv"));
        passed.says("code;why;household_of;chance;reason;id;");
        let found = record(&terminal, kind)["lottery"]["chances"].clone();
        for row in rows(&terminal, &format!("{kind}/passed-over.csv")) {
            let is_kin = !row["household_of"].is_empty();
            let why = if is_kin { "household" } else { "not_drawn" };
            assert_eq!(row["why"], why, "{kind}");
            let due = found[&row["code"]].as_f64();
            assert_eq!(row["chance"].parse().ok(), due, "{kind}");
            assert_eq!(due.is_none(), kind == "legacy");
        }
        terminal.done(&["draw", "verify", kind]);
    }
    // In a second draw those who left are out, and had no chance of this lottery.
    let panel = terminal.read("leximin/panel.csv");
    terminal.put(
        "stay.csv",
        panel.split_inclusive('\n').take(9).collect::<String>(),
    );
    let second = typed("draw --after leximin --keep stay.csv --seed-from 'd e f' --out two");
    terminal.done(&second);
    let rows = rows(&terminal, "two/passed-over.csv");
    let of = |why: &'static str| rows.iter().filter(move |row| row["why"] == why);
    assert_eq!(of("out").count(), 4);
    assert!(of("out").all(|row| row["chance"].is_empty()));
    assert!(of("not_drawn").all(|row| !row["chance"].is_empty()));
    terminal.done(&["draw", "verify", "two"]);
    // Others are met one by one, as their table says.
    drawn(&terminal, "first", "met", &[]);
    terminal
        .read("met/passed-over.csv")
        .says("code;why;came;household_of;p;reason;id;");
}

#[test]
fn a_title_is_on_the_page_whether_it_was_committed_or_given_with_the_draw() {
    let terminal = place();
    let title = "Bürgerrat <Nord> & Süd";
    let commit = typed("draw commit my.toml --policy first --randomness r --out");
    terminal.done(&[&commit[..], &["committed", "--title", title]].concat());
    terminal.done(&["draw", "committed", "--seed-from", "text:a value"]);
    terminal.done(&[&commit[..], &["later"]].concat());
    terminal.done(&[
        "draw",
        "later",
        "--seed-from",
        "text:a value",
        "--title",
        title,
    ]);
    drawn(&terminal, "first", "at once", &["--title", title]);
    for folder in ["committed", "later", "at once"] {
        assert_eq!(record(&terminal, folder)["title"], title);
        let page = terminal.read(&format!("{folder}/index.html"));
        assert!(
            page.contains("<h1>Bürgerrat &lt;Nord&gt; &amp; Süd</h1>"),
            "{folder}"
        );
        terminal.done(&["draw", "verify", folder]);
    }
    drawn(&terminal, "first", "untitled", &[]);
    assert!(
        terminal
            .read("untitled/index.html")
            .contains("The draw of a panel: a town")
    );
    // A title is one of a draw: another is another draw.
    terminal.done(&[&commit[..], &["third", "--title", title]].concat());
    let other = typed("draw third --seed-from 'text:a value' --title Another");
    let said = terminal.exits(2, &other);
    said.stderr
        .says("the title: \"Bürgerrat <Nord> & Süd\" was committed");
    let changed = terminal.read("later/draw.json").replace("Nord", "West");
    terminal.put("later/draw.json", changed);
    assert_eq!(terminal.klero(&["draw", "verify", "later"]).code, Some(1));
}

#[test]
fn a_title_that_is_no_line_is_refused() {
    let terminal = place();
    let long = "x".repeat(201);
    for (title, due) in [
        ("", "the title is empty"),
        ("  ", "the title is empty"),
        ("two\nlines", "more than a line"),
        ("\u{1b}[2J", "more than a line"),
        (&long, "the title has 201 characters, and at most 200 fit"),
    ] {
        let said = terminal.klero(&[&draw("some text", "panel")[..], &["--title", title]].concat());
        assert_eq!(said.code, Some(2), "{title:?}");
        said.stderr.says(due);
        said.stderr.says("help:");
        assert!(!terminal.path("panel").exists());
    }
    // Two hundred characters fit, and blanks at the ends do not count.
    let fits = format!(" {} ", "ü".repeat(200));
    drawn(&terminal, "first", "panel", &["--title", &fits]);
    assert_eq!(record(&terminal, "panel")["title"], fits.trim());
    assert_eq!(column(&terminal, "panel/panel.csv", "id").len(), 12);
}
