//! Saying what is wrong, with the place in the text.

use std::io::{IsTerminal, Write};

use kleroterion::config::Document;
use kleroterion::problem::{Place, Problem, Problems};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource};

/// A config's name and text, to show places in.
pub struct Text {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl From<&Document> for Text {
    fn from(document: &Document) -> Self {
        Self {
            name: document.name().to_owned(),
            text: document.text().to_owned(),
        }
    }
}

/// Says all that is wrong, on stderr.
pub fn problems(problems: &Problems, text: Option<&Text>) {
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let theme = if colour {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(110)
        .with_links(false)
        .with_context_lines(0);
    let mut all = String::new();
    for problem in &problems.0 {
        let report = report(problem, text);
        if handler.render_report(&mut all, report.as_ref()).is_err() {
            all += &format!("{problem}\n");
        }
    }
    let n = problems.0.len();
    let count = if n == 1 {
        "1 problem".to_owned()
    } else {
        format!("{n} problems")
    };
    say(&format!("{all}{count}; nothing was run"));
}

fn report(problem: &Problem, text: Option<&Text>) -> miette::Report {
    let mut what = problem.what.clone();
    let mut label = None;
    match (&problem.place, text) {
        (Place::Config { line, column, span }, Some(text)) => {
            what = format!("{}:{line}:{column}: {what}", text.name);
            label = (!span.is_empty()).then(|| LabeledSpan::underline(span.clone()));
        }
        (place, _) => what = format!("{place}{what}"),
    }
    let mut diagnostic = MietteDiagnostic::new(what);
    if let Some(help) = &problem.help {
        diagnostic = diagnostic.with_help(help.clone());
    }
    match (label, text) {
        (Some(label), Some(text)) => miette::Report::new(diagnostic.with_label(label))
            .with_source_code(NamedSource::new(&text.name, text.text.clone())),
        _ => miette::Report::new(diagnostic),
    }
}

/// Says a line on stderr; where nobody listens, it is lost.
pub fn say(line: &str) {
    drop(writeln!(std::io::stderr().lock(), "{line}"));
}

/// Prints the result on stdout.
///
/// # Errors
/// Where stdout can't take it; a reader that has gone away is no error.
pub fn print(text: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}
