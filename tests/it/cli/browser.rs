//! The pages in headless Chromium, desktop and phone, light and dark: no console error, no outside request, every figure
//! drawn, read by keys, no axe-core violation of WCAG 2.2 AA. `.ci/test` installs what that takes and names its folder in
//! KLERO_BROWSER; without it the test says that it was skipped.

use std::process::Command;

use super::terminal::Terminal;
use super::with;
use crate::support::project;

#[test]
fn the_pages_hold_in_a_browser() {
    let Some(modules) = std::env::var_os("KLERO_BROWSER") else {
        println!("skipped: KLERO_BROWSER names no folder with playwright-core and axe-core");
        return;
    };
    let terminal = Terminal::new();
    let few = |preset, more: &[&str]| {
        let args = [
            "run",
            preset,
            "--quiet",
            "--replications",
            "8",
            "--out",
            preset,
        ];
        terminal.done(&with(&args, more));
        terminal.done(&["report", preset]);
    };
    few("committee-brexit-like", &[]);
    few("hiring-seasons", &[]);
    few(
        "puranik-fig1d",
        &[
            "--set",
            "rules.until.rounds=101",
            "--set",
            "report.at=[1,21,41,61,81,101]",
        ],
    );
    few(
        "puranik-fig1a",
        &[
            "--set",
            "rules.until.rounds=21",
            "--set",
            "report.at=[1,21]",
        ],
    );
    terminal.done(&[
        "reproduce",
        "do2021-table1",
        "do2021-example2",
        "--quick",
        "--quiet",
        "--out",
        "papers",
    ]);
    let pages = [
        "committee-brexit-like/report.html",
        "hiring-seasons/report.html",
        "puranik-fig1d/report.html",
        "puranik-fig1a/report.html",
        "papers/index.html",
        "papers/do2021-table1.html",
    ];
    let mut look = Command::new("node");
    look.arg(project().join("tests/browser/look.mjs"))
        .arg(modules);
    look.args(pages).current_dir(terminal.path(""));
    let output = look.output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    println!("{said}");
}
