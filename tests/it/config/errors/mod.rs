//! Wrong configs, files and options, each through the real binary: exit 2, nothing on stdout, what is wrong with its
//! place and a remedy, several at once. The snapshots are the messages as a user reads them.

mod across;
mod applicants;
mod cohort;
mod contexts;
mod feeds;
mod files;
mod forecasts;
mod households;
mod lanes;
mod linear_groups;
mod meritocratic;
mod options;
mod organisers;
mod pools;
mod remedies;
mod sections;
mod text;
mod town;

use std::fs;

use crate::cli::terminal::Terminal;

/// A sound config of two policies, of which each case breaks something.
pub const SOUND: &str = r#"name = "small"
seed = 1
replications = 4

[source]
type = "categorical"
shares = { gender = { M = 0.5, F = 0.5 } }

[target]
gender = { M = 0.4, F = 0.6 }

[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 10 }

[[policy]]
label = "all"
kind = "accept_all"

[[policy]]
label = "greedy .05"
kind = "greedy"
tolerance = 0.05

[report]
at = [5, 10]
judge = ["selection_rate", "representation_loss"]
margin = { representation_loss = 0.01 }
baseline = "all"
"#;

/// A config of people in `people.csv`.
pub const PEOPLE: &str = r#"name = "people"
seed = 1

[source]
type = "file"
path = "people.csv"
order = "resampled"
weight = "w"

[source.attributes]
sex = { column = "SEX", values = { "1" = "male", "2" = "female" } }
age = { column = "AGE", bands = { young = [0, 40], old = [40, inf] } }

[target]
from = "weights"

[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 4 }

[[policy]]
label = "queue"
kind = "virtual_queue"
"#;

/// Its people.
pub const ROWS: &str = "id,SEX,AGE,w\na,1,20,1.5\nb,2,30,1\nc,1,50,2\nd,2,60,0.5\n";

/// A committee of 4 from an organiser's two files.
pub const ORGANISER: &str = r#"name = "organiser"
seed = 1

[source]
type = "respondents"
path = "respondents.csv"
id = "id"

[target]
categories = "categories.csv"

[rules]
choose = "at_most_one"
until = { accepted = 4 }

[[policy]]
label = "greedy"
kind = "greedy"

[[policy]]
label = "look-ahead"
kind = "quota_lookahead"
"#;

/// A config with some of its lines replaced; each `old` stands in it once.
pub fn with(config: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(config.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old:?} in\n{text}");
        text.replace(old, new)
    })
}

/// What is said of a wrong request, after the checks that hold for every one; `args` as after `klero`.
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
    /// Adds a refused config: refused by `check` and by `run` alike, with a remedy for each problem.
    pub fn config(&mut self, name: &str, terminal: &Terminal, file: &str) {
        let text = refusal(terminal, &["check", file]);
        assert_eq!(
            refusal(terminal, &["run", file]),
            text,
            "{name}: run says otherwise"
        );
        if let Ok(config) = fs::read_to_string(terminal.path(file)) {
            crate::config::schema::refuses(name, &config, &text);
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

    /// Adds a config beside a file of people.
    pub fn beside(&mut self, name: &str, config: &str, people: &str) {
        let terminal = Terminal::new();
        terminal.put("people.csv", people);
        terminal.put("my.toml", config);
        self.config(name, &terminal, "my.toml");
    }

    /// Adds what a request was told: problems, each with what to do about it, and their number.
    pub fn add(&mut self, name: &str, text: &str) {
        let problems: Vec<_> = text.split("  \u{d7} ").skip(1).collect();
        for problem in &problems {
            let remedy = problem.contains("  help: ") || problem.contains("expected ");
            assert!(remedy, "{name}: what is there to do?\n{problem}");
        }
        let count = match problems.len() {
            1 => "1 problem; nothing was run".to_owned(),
            many => format!("{many} problems; nothing was run"),
        };
        assert_eq!(text.lines().last(), Some(&*count), "{name}\n{text}");
        self.0 += &format!("## {name}\n{text}\n");
    }

    pub fn text(self) -> String {
        self.0
    }
}
