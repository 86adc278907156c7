//! The organiser's walk: every command of its page works, and prints what the page shows.

use std::process::Command;

use crate::support::project;
use crate::support::terminal::{Terminal, said};

/// A command of a page, and the lines that it shows of its output.
struct Step {
    command: String,
    shown: Vec<String>,
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let blocks = page.split("```console\n").skip(1);
    for line in blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines()) {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step {
                command: command.to_owned(),
                shown: Vec::new(),
            }),
            None => steps
                .last_mut()
                .expect("a command")
                .shown
                .push(line.to_owned()),
        }
    }
    steps
}

/// Whether a text has these lines in this order; "..." means any lines, or the rest of one.
fn shows(text: &str, shown: &[String]) -> bool {
    let mut lines = text.lines();
    let mut skips = false;
    for wanted in shown {
        if wanted == "..." {
            skips = true;
            continue;
        }
        let is_it = |line: &str| match wanted.strip_suffix("...") {
            Some(start) => line.starts_with(start),
            None => line == wanted,
        };
        let found = match skips {
            true => lines.any(is_it),
            false => lines.next().is_some_and(is_it),
        };
        if !found {
            return false;
        }
        skips = false;
    }
    skips || lines.next().is_none()
}

#[test]
fn every_command_of_the_page_prints_what_it_shows() {
    let page = std::fs::read_to_string(project().join("docs/organiser.md")).expect("the page");
    let steps = steps(&page);
    assert!(steps.len() > 10, "{}", steps.len());
    let terminal = Terminal::new();
    for Step { command, shown } in &steps {
        let program = env!("CARGO_BIN_EXE_klero");
        let script = format!("klero() {{ '{program}' \"$@\" 2>&1; }}\n{command}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(terminal.path(""));
        let done = said(shell);
        assert_eq!(done.code, Some(0), "{command}: {}", done.stdout);
        // What is said on stderr may come before or after what is printed.
        assert!(shows(&done.stdout, shown), "{command}:\n{}", done.stdout);
    }
    for file in [
        "results/report.html",
        "results/chances.csv",
        "panel/index.html",
    ] {
        assert!(terminal.path(file).exists(), "{file}");
    }
}
