//! The pages in headless Chromium, desktop and phone, light and dark: no console error, no outside
//! request, every figure drawn and legible, nothing out of its box, all reached and read by keys,
//! no axe-core violation of WCAG 2.2 AA. `.ci/test` installs what that takes and names its folder
//! in KLERO_BROWSER.

use std::process::{Command, Output};

use crate::support::configs::SOUND;
use crate::support::programs::browser;
use crate::support::project;
use crate::support::terminal::{Terminal, with};

/// What is said of some pages; nothing where there is no browser.
fn looked(terminal: &Terminal, pages: &[&str], once: bool) -> Option<Output> {
    let modules = browser()?;
    let mut look = Command::new("node");
    look.arg(project().join("tests/browser/look.mjs"))
        .arg(modules);
    if once {
        look.env("KLERO_ONCE", "1");
    }
    look.args(pages).current_dir(terminal.path(""));
    Some(look.output().expect("node runs"))
}

/// A run of policies with names that are hard to show.
fn odd(terminal: &Terminal) {
    let long = "supercalifragilisticexpialidocious".repeat(2);
    let names = [
        "<script>alert(1)</script>",
        "\u{43f}\u{440}\u{43e}\u{437}\u{43e}\u{440}\u{438}\u{439} \u{2260} \u{516c}\u{5e73}",
        "a very long name that goes on and on until nobody would want to read it, and then further",
        &long,
        "\u{645}\u{631}\u{62d}\u{628}\u{627}",
        "greedy with tolerance .12",
        "greedy with tolerance .14",
        "greedy with tolerance .16",
    ];
    let mut config = SOUND.replace("name = \"small\"", &format!("name = \"{long}\""));
    for (n, name) in names.iter().enumerate() {
        let tolerance = 2 * n + 2;
        config += &format!(
            "\n[[policy]]\nlabel = \"{name}\"\nkind = \"greedy\"\ntolerance = 0.{tolerance:02}\n"
        );
    }
    terminal.put("odd.toml", config);
    terminal.done(&["run", "odd.toml", "--quiet", "--out", "odd"]);
    terminal.done(&["report", "odd"]);
}

#[test]
fn the_pages_hold_in_a_browser() {
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
    few("schumann2019-t2", &[]);
    odd(&terminal);
    few(
        "puranik2022-fig1d",
        &[
            "--set",
            "rules.until.rounds=101",
            "--set",
            "report.at=[1,21,41,61,81,101]",
        ],
    );
    few(
        "puranik2022-fig1a",
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
        "do2021-fig1",
        "--quick",
        "--quiet",
        "--out",
        "papers",
    ]);
    terminal.done(&["show", "organiser", "--files", "."]);
    let draw = ["draw", "organiser.toml", "--policy", "look-ahead"];
    let more = ["--seed-from", "4 8 15 16 23 42", "--chances", "20"];
    terminal.done(&[&draw[..], &more, &["--out", "panel"]].concat());
    let swept = format!(
        "{SOUND}\n[sweep]\n\"rules.until.accepted\" = [10, 12, 100]\n\
         'policy.\"greedy .05\".tolerance' = [0.05, 0.1]\n"
    );
    terminal.put("swept.toml", swept);
    terminal.done(&["run", "swept.toml", "--quiet", "--out", "swept"]);
    terminal.done(&["report", "swept"]);
    let pages = [
        "swept/report.html",
        "swept/point-002/report.html",
        "panel/index.html",
        "committee-brexit-like/report.html<4220",
        "hiring-seasons/report.html",
        "schumann2019-t2/report.html",
        "odd/report.html",
        "puranik2022-fig1d/report.html",
        "puranik2022-fig1a/report.html",
        "papers/index.html",
        "papers/do2021-table1.html",
    ];
    let Some(output) = looked(&terminal, &pages, false) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    println!("{said}");
}

/// Each of some faults is seen, and reported of the page that has it.
#[test]
fn faults_of_a_page_are_reported() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.done(&["run", "my.toml", "--quiet", "--out", "a"]);
    terminal.done(&["report", "a"]);
    let page = terminal.read("a/report.html");
    let main = "<main>";
    let faults = [
        (
            "pale",
            "--muted:#565d66",
            "--muted:#b9bfc6",
            "axe-core: color-contrast",
        ),
        (
            "script",
            "\"use strict\";",
            "\"use strict\";nothing();",
            "console: ",
        ),
        (
            "outside",
            main,
            "<main><img alt=\"x\" src=\"https://example.org/x.png\"/>",
            "asks for https://example.org/x.png",
        ),
        (
            "wide",
            main,
            "<main><div style=\"width:3000px\">x</div>",
            "it is ",
        ),
        (
            "names",
            "<main>",
            "<main><input type=\"text\"/>",
            "axe-core: label",
        ),
        (
            "ring",
            ":focus-visible{outline:2px solid",
            ":focus-visible{outline:0 none",
            "it is not seen that",
        ),
        (
            "order",
            "<nav ",
            "<a href=\"#section-1\" tabindex=\"3\">first</a><nav ",
            "tab 1 leads to",
        ),
        (
            "picture",
            "class=\"k-panels\"",
            "class=\"k-panels\" style=\"display:none\"",
            "no picture",
        ),
    ];
    let mut pages = Vec::new();
    for (name, from, to, _) in faults {
        assert!(page.contains(from), "{name}");
        let path = format!("{name}.html");
        terminal.put(&path, page.replacen(from, to, 1));
        pages.push(path);
    }
    terminal.put("sound.html", &page);
    pages.push("sound.html".into());
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let Some(output) = looked(&terminal, &pages, true) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for (name, _, _, words) in faults {
        let of_it = format!("{name}.html, 1280 wide, light: ");
        let mut lines = said.lines().filter(|line| line.starts_with(&of_it));
        assert!(lines.any(|line| line.contains(words)), "{name}: {said}");
    }
    assert!(!said.contains("sound.html"), "{said}");
}
