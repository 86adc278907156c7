//! Messages about wrong requests, as snapshots hold them.

use std::fs;

use super::configs::{ROWS, with};
use super::schema;
use super::terminal::Terminal;

/// What is said of a wrong request, after the checks that hold for every one; `args` as after
/// `klero`.
pub fn refusal(terminal: &Terminal, args: &[&str]) -> String {
    let said = terminal.klero(args);
    let text = terminal.plain(&said.stderr);
    assert_eq!(said.code, Some(2), "klero {args:?}\n{text}");
    assert_eq!(said.stdout, "", "klero {args:?}");
    text
}

/// A page of messages, each under the name of its case.
#[derive(Default)]
pub struct Page(String);

impl Page {
    /// Adds a refused config: refused by `check` and by `run` alike, with a remedy for each
    /// problem.
    pub fn config(&mut self, name: &str, terminal: &Terminal, file: &str) {
        let text = refusal(terminal, &["check", file]);
        assert_eq!(
            refusal(terminal, &["run", file]),
            text,
            "{name}: run says otherwise"
        );
        if let Ok(config) = fs::read_to_string(terminal.path(file)) {
            schema::refuses(name, &config, &text);
        }
        self.add(name, &text);
    }

    /// Adds a sound config with some lines replaced.
    pub fn edited(&mut self, name: &str, config: &str, edits: &[(&str, &str)]) {
        let terminal = Terminal::new();
        terminal.put("people.csv", ROWS);
        terminal.put("my.toml", with(config, edits));
        self.config(name, &terminal, "my.toml");
    }

    /// Adds a config and its file of people.
    pub fn of_people(&mut self, name: &str, config: &str, people: &str) {
        let terminal = Terminal::new();
        terminal.put("people.csv", people);
        terminal.put("my.toml", config);
        self.config(name, &terminal, "my.toml");
    }

    /// Adds the answer to a request: problems, each with what to do about it, and their number.
    pub fn add(&mut self, name: &str, text: &str) {
        let problems: Vec<_> = text.split("  \u{d7} ").skip(1).collect();
        for problem in &problems {
            let remedy = problem.contains("  help: ") || problem.contains("expected ");
            assert!(remedy, "{name}: what is there to do?\n{problem}");
        }
        let count = match problems.len() {
            1 => "1 problem; nothing was ".to_owned(),
            many => format!("{many} problems; nothing was "),
        };
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with(&count), "{name}\n{text}");
        self.0 += &format!("## {name}\n{text}\n");
    }

    pub fn text(self) -> String {
        self.0
    }
}
