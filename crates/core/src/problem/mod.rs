//! Problems: what is wrong with a request, where, and the remedy.

mod given;
mod json;

pub use given::Given;
pub use json::in_words_of_json;

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

/// The place of a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The request as a whole.
    Request,
    /// A place in the config's text.
    Config {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The range of bytes of the text.
        span: Range<usize>,
    },
    /// A key of a config that a program made: the path to it, with the index of a list's member
    /// (`policy[0].kind`).
    Key(String),
    /// A command-line option, as the user wrote it (`--set a.b=3`).
    Option(String),
    /// A file that the config names.
    File {
        /// The file's path, as the user may open it.
        path: PathBuf,
        /// The line, from 1, if known.
        line: Option<u64>,
        /// The column (the field's number in a CSV, the character elsewhere), from 1, if known.
        column: Option<u64>,
    },
    /// A table that a program handed in.
    Memory {
        /// The table's name.
        table: String,
        /// The line, from 1, if the bytes of a file were handed in and it is known.
        line: Option<u64>,
        /// The row, from 1, if rows were handed in and it is known.
        row: Option<u64>,
        /// The column, from 1, if known.
        column: Option<u64>,
    },
}

/// The beginnings of paths that stand for tables of a program: no file can have one.
const LINES: &str = "\0lines ";
const ROWS: &str = "\0rows ";

/// One fault of a request: its place, its description and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its place.
    pub place: Place,
    /// The fault, in one sentence without a full stop.
    pub what: String,
    /// The remedy.
    pub help: Option<String>,
}

impl Problem {
    /// A problem at a place.
    pub fn new(place: Place, what: impl Into<String>) -> Self {
        Self {
            place,
            what: what.into(),
            help: None,
        }
    }

    /// A problem of the request as a whole.
    pub fn of_request(what: impl Into<String>) -> Self {
        Self::new(Place::Request, what)
    }

    /// A problem of a command-line option, as the user wrote it.
    pub fn of_option(option: impl Into<String>, what: impl Into<String>) -> Self {
        Self::new(Place::Option(option.into()), what)
    }

    /// A problem of a file as a whole.
    pub fn of_file(path: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self::new(Place::file(path), what)
    }

    /// Adds advice to the problem.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl Place {
    /// The place of a file as a whole.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::line(path, None)
    }

    /// The place of a line of a file, if known.
    pub fn line(path: impl Into<PathBuf>, line: Option<u64>) -> Self {
        Self::field(path, line, None)
    }

    /// The place of a field or character of a line, if known. Of the path of a table that a program
    /// handed in, it is a place in that table.
    pub fn field(path: impl Into<PathBuf>, line: Option<u64>, column: Option<u64>) -> Self {
        let path = path.into();
        let named = path.to_str();
        let of = |beginning| named.and_then(|path| Some(path.strip_prefix(beginning)?.to_owned()));
        if let Some(table) = of(LINES) {
            return Self::Memory {
                table,
                line,
                row: None,
                column,
            };
        }
        if let Some(table) = of(ROWS) {
            return Self::Memory {
                table,
                line: None,
                // The names of the columns are no row.
                row: line.filter(|row| *row > 0),
                column,
            };
        }
        Self::File { path, line, column }
    }

    /// Returns the path that stands for a table that a program handed in, so that what takes the
    /// path of a file takes it too. No file can have it.
    #[must_use]
    pub fn of_memory(table: &str, is_rows: bool) -> PathBuf {
        let beginning = if is_rows { ROWS } else { LINES };
        format!("{beginning}{table}").into()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request => Ok(()),
            Self::Config { line, column, .. } => write!(f, "line {line}, column {column}: "),
            Self::Key(path) => write!(f, "at {path}: "),
            Self::Option(text) => write!(f, "option {text}: "),
            Self::File { path, line, column } => {
                write!(f, "{}", path.display())?;
                if let Some(line) = line {
                    write!(f, ":{line}")?;
                }
                if let Some(column) = column {
                    write!(f, ":{column}")?;
                }
                write!(f, ": ")
            }
            Self::Memory {
                table,
                line,
                row,
                column,
            } => {
                write!(f, "table `{table}` in memory")?;
                for (name, number) in [("line", line), ("row", row), ("column", column)] {
                    if let Some(number) = number {
                        write!(f, ", {name} {number}")?;
                    }
                }
                write!(f, ": ")
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.place, self.what)?;
        if let Some(help) = &self.help {
            write!(f, " (help: {help})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

/// All faults found in a request. Never empty when it is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Returns `value` if there is no problem, else all the problems.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
