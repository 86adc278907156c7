//! The organiser's walk: every command of its page works, and prints what the page shows.

use std::process::Command;

use crate::support::project;
use crate::support::terminal::{Terminal, said};
use crate::support::walk::{Step, shows, steps};

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
