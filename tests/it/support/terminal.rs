//! A folder and the binary, to be run in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Where a user sits: a folder of its own, no terminal, nothing in the environment that matters.
pub struct Terminal {
    home: TempDir,
}

/// What the binary left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Said {
    /// The exit code; none where a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Terminal {
    pub fn new() -> Self {
        let home = TempDir::new().expect("a temporary folder");
        Self { home }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Puts a file into the folder, with the folders on its way.
    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        let folder = path.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(folder).expect("a folder for the file");
        std::fs::write(path, bytes).expect("a file in the folder");
    }

    /// The text of a file in the folder.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).expect("a folder to list");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_klero"));
        command.args(args).current_dir(self.home.path());
        for name in [
            "KLERO_DATA",
            "KLERO_TOKEN",
            "RUST_LOG",
            "RUST_BACKTRACE",
            "COLUMNS",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
        ] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null());
        command
    }

    pub fn klero(&self, args: &[&str]) -> Said {
        said(self.command(args))
    }

    /// What a command says that must end with this exit code.
    #[track_caller]
    pub fn exits(&self, code: i32, args: &[&str]) -> Said {
        let said = self.klero(args);
        assert_eq!(said.code, Some(code), "klero {args:?}: {said:?}");
        said
    }

    /// What a command that goes well prints in a terminal of this width.
    pub fn wide(&self, args: &[&str], columns: usize) -> String {
        let mut command = self.command(args);
        command.env("COLUMNS", columns.to_string());
        let said = said(command);
        assert_eq!(said.code, Some(0), "klero {args:?}: {}", said.stderr);
        said.stdout
    }

    /// Runs what must go well, and gives its stdout.
    pub fn done(&self, args: &[&str]) -> String {
        let said = self.klero(args);
        assert_eq!(said.code, Some(0), "klero {args:?}: {}", said.stderr);
        said.stdout
    }

    /// A text with this folder named HOME.
    pub fn plain(&self, text: &str) -> String {
        let real = self
            .home
            .path()
            .canonicalize()
            .expect("the folder is there");
        let home = |path: &Path| path.display().to_string();
        text.replace(&home(&real), "HOME")
            .replace(&home(self.home.path()), "HOME")
    }
}

pub fn said(mut command: Command) -> Said {
    let output = command.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("what it says is UTF-8");
    Said {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// A text as one line, whatever the width that it was laid out for.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a command line, as a shell parts them; single quotes hold blanks together.
pub fn typed(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}

/// The main job with few replications; greedy screens thousands, all others hundreds.
pub const FEW: &[&str] = &[
    "run",
    "committee-brexit-like",
    "--replications",
    "6",
    "--quiet",
];

/// Some arguments after others.
pub fn with<'a>(first: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [first, more].concat()
}
