//! Errors of the library as exceptions of the package, whose classes are in `_errors.py`.

use kleroterion::jobs::{ConfigText, JobError};
use kleroterion::problem::{Place, Problem, Problems};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// An exception of a class of the package.
pub fn exception<'py, A>(py: Python<'py>, class: &str, arguments: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let made = py
        .import("kleroterion._errors")
        .and_then(|module| module.getattr(class)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Returns true if an exception is of a class of the package.
pub fn is(py: Python<'_>, class: &str, error: &PyErr) -> bool {
    let class = py
        .import("kleroterion._errors")
        .and_then(|module| module.getattr(class));
    class.is_ok_and(|class| error.matches(py, class).unwrap_or_default())
}

/// The exception for an error of a job.
pub fn of_job(py: Python<'_>, error: JobError) -> PyErr {
    match error {
        JobError::Wrong(problems, text) => config_error(py, &problems, text.as_ref()),
        JobError::Interrupted(_) => PyKeyboardInterrupt::new_err(()),
        JobError::Failed(what) => exception(py, "RunError", (what,)),
        JobError::Left(problem, _) => exception(py, "RunError", (problem.what.clone(),)),
    }
}

/// The exception for a thread that panicked.
pub fn panicked(py: Python<'_>) -> PyErr {
    exception(
        py,
        "RunError",
        ("the thread panicked: this is a fault of klero",),
    )
}

/// The exception for all that is wrong with a config, each with its place in this text.
pub fn config_error(py: Python<'_>, problems: &Problems, text: Option<&ConfigText>) -> PyErr {
    let all: Vec<_> = problems.0.iter().map(|one| parts(one, text)).collect();
    exception(py, "config_error", (all,))
}

/// A text in which `--name` is `name=`, up to where it speaks of commands.
fn in_arguments(text: &str) -> String {
    let (text, command) = text.split_at(text.find("klero ").unwrap_or(text.len()));
    let mut parts = text.split("--");
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|letter: char| !letter.is_ascii_alphabetic() && letter != '-');
        let (name, rest) = part.split_at(end.unwrap_or(part.len()));
        // The stand-in for a value goes: `--after DIR` is `after=`.
        let value = rest.strip_prefix(' ').unwrap_or_default();
        let others = value.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        let rest = if value.len() > others.len() + 1 {
            others
        } else {
            rest
        };
        said += &format!("{}={rest}", name.replace('-', "_"));
    }
    said + command
}

/// The remedy of a problem. Where the problem says what was expected, that is the remedy.
fn remedy(problem: &Problem) -> Option<String> {
    let help = problem.help.as_deref().map(in_arguments);
    help.or_else(|| {
        let (expected, _) = problem
            .what
            .strip_prefix("expected ")?
            .split_once(", found")?;
        let (expected, _) = expected.split_once(" for `").unwrap_or((expected, ""));
        Some(format!("give {expected}"))
    })
}

/// The place of a problem in words, its line and column, the problem and the remedy.
type Parts = (String, Option<u64>, Option<u64>, String, Option<String>);

fn parts(problem: &Problem, text: Option<&ConfigText>) -> Parts {
    let (place, line, column) = match &problem.place {
        Place::Request => (String::new(), None, None),
        Place::Config { line, column, .. } => {
            let (file, line) = text.map_or(("config", *line), |text| text.at(*line));
            (file.to_owned(), Some(line as u64), Some(*column as u64))
        }
        Place::Key(path) => (path.clone(), None, None),
        Place::Option(option) => (argument(option), None, None),
        Place::File { path, line, column } => (path.display().to_string(), *line, *column),
        Place::Memory {
            table,
            line,
            row,
            column,
        } => (table.clone(), line.or(*row), *column),
    };
    (place, line, column, problem.what.clone(), remedy(problem))
}

/// A command-line option as the argument of a function: `--set a.b=3` is `set['a.b']`.
fn argument(option: &str) -> String {
    let Some(words) = option.strip_prefix("--") else {
        return option.to_owned();
    };
    let (name, value) = words.split_once(' ').unwrap_or((words, ""));
    match (name, value.split_once('=')) {
        ("set", Some((key, _))) => format!("set[{key:?}]"),
        _ => name.replace('-', "_"),
    }
}
