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
}

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

    /// The place of a field or character of a line, if known.
    pub fn field(path: impl Into<PathBuf>, line: Option<u64>, column: Option<u64>) -> Self {
        let path = path.into();
        Self::File { path, line, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request => Ok(()),
            Self::Config { line, column, .. } => write!(f, "line {line}, column {column}: "),
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
