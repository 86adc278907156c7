//! The page about draws: its commands work as they are written.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::record;
use crate::support::project;
use crate::support::terminal::{Terminal, said};

#[cfg(unix)]
#[test]
fn every_command_of_the_page_works() {
    let page = fs::read_to_string(project().join("docs/draws.md")).expect("the page");
    let blocks = page.split("```sh\n").skip(1);
    let commands = blocks.map(|block| block.split("```").next().unwrap_or_default());
    let script = format!("set -e\n{}", commands.collect::<String>());
    assert!(script.matches("klero draw").count() > 6, "{script}");
    let terminal = Terminal::new();
    let binary = Path::new(env!("CARGO_BIN_EXE_klero"))
        .parent()
        .expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(terminal.path(""));
    command.env("PATH", format!("{}:{path}", binary.display()));
    let done = said(command);
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
    for folder in ["panel", "panel2"] {
        assert_eq!(record(&terminal, folder)["quotas_kept"], true);
        let seed = record(&terminal, folder)["seed"]["sha256"].to_string();
        // The shell's own computation is of the first draw.
        let is_shown = done
            .stdout
            .contains(&format!("{}  -", seed.trim_matches('"')));
        assert_eq!(is_shown, folder == "panel", "{}", done.stdout);
    }
}
