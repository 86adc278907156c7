//! What the terminal shows: at each width, with and without colour, as Markdown.

use unicode_width::UnicodeWidthStr;

use super::with;
use crate::support::configs::SOUND;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, said};

/// The widths at which people look.
const WIDTHS: [usize; 4] = [80, 100, 120, 200];

/// The main job, quickly.
const RUN: &[&str] = &["run", "-q", "--replications", "20"];

/// A sweep over two keys.
const SWEEP: &[&str] = &[
    "run",
    "my.toml",
    "-q",
    "--sweep",
    "rules.until.accepted=10,20",
    "--sweep",
    "policy.greedy .05.tolerance=0.02,0.1",
];

/// A terminal with a config and the folder of a run.
fn terminal() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.done(&["run", "my.toml", "-q", "--trace", "decisions", "--out", "d"]);
    terminal
}

/// A text without its colours.
fn bare(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.filter_map(|part| Some(part.split_once('m')?.1));
    first + &rest.collect::<String>()
}

#[track_caller]
fn keeps_to(text: &str, columns: usize) {
    let wide = text.lines().find(|line| line.width() > columns);
    assert_eq!(wide, None, "{columns} columns");
}

/// The words of a text, whatever their lines.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// A snapshot a width of what a command prints.
#[track_caller]
fn at_each_width(terminal: &Terminal, name: &str, args: &[&str]) {
    for columns in WIDTHS {
        let text = terminal.wide(args, columns);
        keeps_to(&text, columns);
        insta::assert_snapshot!(format!("{name}_at_{columns}"), text);
    }
}

#[test]
fn a_run_fits() {
    at_each_width(&terminal(), "run", RUN);
}

#[test]
fn a_sweep_fits() {
    at_each_width(&terminal(), "sweep", SWEEP);
}

#[test]
fn what_is_expected_fits() {
    at_each_width(&terminal(), "explain", &["explain", "my.toml"]);
}

/// What is said of a config, of letters and of a draw keeps to the width, and breaks no word; piped
/// lines stay whole.
#[test]
fn plans_and_draws_fit() {
    let terminal = Terminal::new();
    terminal.done(&["show", "organiser", "--files", "."]);
    let config = "organiser.toml";
    let draw = [
        "draw",
        config,
        "--policy",
        "look-ahead",
        "--seed-from",
        "abc",
    ];
    terminal.done(&with(&draw, &["--out", "drawn"]));
    let commit = [
        "draw",
        "commit",
        config,
        "--policy",
        "look-ahead",
        "--randomness",
        "drand",
    ];
    for columns in WIDTHS {
        let folders = [format!("panel-{columns}"), format!("committed-{columns}")];
        let out = folders.each_ref().map(|folder| ["--out", folder.as_str()]);
        for args in [
            &["check", config][..],
            &["plan", config, "--simulations", "20"],
            &with(&commit, &out[1]),
            &with(&draw, &out[0]),
            &["draw", "verify", "drawn"],
            &["draw", "files", "drawn"],
            &["draw", "drawn", "--leave", "3"],
        ] {
            let text = terminal.wide(args, columns);
            keeps_to(&text, columns);
            if args[1] == "verify" || args[0] != "draw" {
                let whole = terminal.done(args);
                assert_eq!(words(&text), words(&whole), "{args:?} at {columns}");
                assert!(whole.lines().any(|line| line.width() > 80), "{args:?}");
            }
        }
    }
    let files = terminal.wide(&["draw", "files", "drawn"], 120);
    insta::assert_snapshot!("draw_files_at_120", files);
}

#[test]
fn lists_fit() {
    let terminal = terminal();
    at_each_width(&terminal, "list", &["list", "sources"]);
    for columns in WIDTHS {
        keeps_to(&terminal.wide(&["list"], columns), columns);
        keeps_to(&terminal.wide(&["reproduce"], columns), columns);
    }
    // Nothing is lost, and no word is broken.
    let [narrow, wide] = [80, 10_000].map(|columns| terminal.wide(&["list"], columns));
    assert_eq!(words(&narrow), words(&wide));
}

#[test]
fn decisions_fit() {
    let terminal = terminal();
    at_each_width(&terminal, "trace", &["trace", "d", "--round", "2"]);
    at_each_width(&terminal, "story", &["trace", "d", "--candidate", "2"]);
    let [narrow, wide] =
        [80, 200].map(|columns| terminal.wide(&["trace", "d", "--candidate", "2"], columns));
    keeps_to(&narrow, 80);
    wide.says("why");
}

#[test]
fn studies_fit() {
    let args = ["reproduce", "do2021-example2", "--quick", "-q"];
    at_each_width(&terminal(), "reproduce", &args);
}

/// The widest tables: many policies with long labels, pools, cohorts, all measures.
#[test]
fn tables_of_all_settings_fit() {
    let terminal = Terminal::new();
    let (short, at) = ("rules.until.rounds=3", "report.at=[1,3]");
    for (preset, set) in [
        ("committee-brexit-like", &[][..]),
        ("hiring-seasons", &["--set", short, "--set", at]),
        ("puranik2022-table1-law", &["--set", short, "--set", at]),
    ] {
        let few = with(&["run", preset, "-q", "--replications", "2"], set);
        for columns in [80, 100] {
            keeps_to(&terminal.wide(&few, columns), columns);
            keeps_to(&terminal.wide(&with(&few, &["--full"]), columns), columns);
        }
    }
}

/// Weight and colour add nothing and take nothing: the words are the same.
#[test]
fn colours_repeat_what_the_words_say() {
    let terminal = terminal();
    let always = ["--color", "always"];
    for columns in WIDTHS {
        for args in [
            RUN,
            SWEEP,
            &["list"],
            &["trace", "d", "--round", "2"],
            &["trace", "d", "--candidate", "2"],
            &["explain", "my.toml"],
            &["reproduce", "do2021-example2", "--quick", "-q"],
        ] {
            let plain = terminal.wide(args, columns);
            let shown = terminal.wide(&with(args, &always), columns);
            assert!(
                shown.contains("\u{1b}[1m") && !plain.contains('\u{1b}'),
                "{args:?}"
            );
            assert_eq!(bare(&shown), plain, "{args:?} at {columns}");
        }
    }
    let shown = terminal.wide(&with(RUN, &always), 120);
    insta::assert_snapshot!(shown.replace('\u{1b}', "ESC"));
    let answer = shown.trim_end().lines().last().expect("the answer");
    assert!(
        answer.starts_with("\u{1b}[1m") && answer.ends_with("\u{1b}[0m"),
        "{answer}"
    );
}

#[test]
fn the_environment_says_whether_there_are_colours() {
    let terminal = terminal();
    let coloured = |set: &[(&str, &str)], more: &[&str]| {
        let mut command = terminal.command(&with(&["list", "pools"], more));
        command.envs(set.iter().copied());
        said(command).stdout.contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]), "this is no terminal");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!coloured(
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
        &[]
    ));
    assert!(coloured(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
    let help = terminal.done(&["run", "--help", "--color", "always"]);
    assert!(help.contains('\u{1b}'), "help too");
}

#[test]
fn markdown_is_what_github_takes() {
    let terminal = terminal();
    let markdown = ["--format", "markdown"];
    let run = terminal.done(&with(&["run", "my.toml", "-q"], &markdown));
    insta::assert_snapshot!("run_as_markdown", run);
    let sweep = terminal.done(&with(SWEEP, &markdown));
    insta::assert_snapshot!("sweep_as_markdown", sweep);
    let judge = ["report", "d", "--judge", "screened"];
    let report = terminal.done(&with(&judge, &markdown));
    let explain = terminal.done(&with(&["explain", "my.toml"], &markdown));
    for text in [&run, &sweep, &report, &explain] {
        is_markdown(text);
    }
    report.says("| People screened");
    report.never_says("report.html");
}

/// Every table has its rule, as many cells in each line, and blank lines around it.
#[track_caller]
fn is_markdown(text: &str) {
    assert!(text.starts_with("### "), "{text}");
    for block in text.split("\n\n") {
        let lines: Vec<&str> = block.trim_end().lines().collect();
        if !lines[0].starts_with('|') {
            assert_eq!(lines.len(), 1, "a paragraph a sentence: {block}");
            continue;
        }
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(lines[1].contains("---"), "{block}");
        assert!(
            lines.iter().all(|line| bars(line) == bars(lines[0])),
            "{block}"
        );
    }
}
