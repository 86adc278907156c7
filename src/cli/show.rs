//! Reporting of problems, with their place in the text.

use std::io::Write;
use std::ops::Range;

use super::{held, log, look};
use kleroterion::jobs::ConfigText;
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::record::{is_legible, marks_spelt};
use kleroterion::report::medium::Medium;
use kleroterion::report::plain;
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};

/// The most problems that are listed one by one.
const TOLD: usize = 40;

/// The most bytes shown of a config's line.
const LINE: usize = 100;

/// Reports all problems of a request on stderr.
pub fn problems(problems: &Problems, text: Option<&ConfigText>) {
    wrong(problems, text, problems.0.len(), "nothing was run");
}

/// Reports `n` problems on stderr, of which at least the first are given. `done` says what was done
/// all the same.
pub fn wrong(problems: &Problems, text: Option<&ConfigText>, n: usize, done: &str) {
    let many = if n == 1 { "" } else { "s" };
    let in_all = format!("{n} problem{many}; {done}");
    if log::is_json() {
        let told = problems.0.iter().take(TOLD);
        told.for_each(|problem| log::problem(problem, text));
        return log::problems(n, &in_all);
    }
    let theme = if log::has_colour() {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    // Lines are left whole: terminals wrap them, and scripts search them.
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(10_000)
        .with_links(false)
        .with_context_lines(0);
    let mut all = String::new();
    for problem in problems.0.iter().take(TOLD) {
        let report = report(problem, text);
        if handler.render_report(&mut all, report.as_ref()).is_err() {
            all += &format!("{}\n", plain(&problem.to_string()));
        }
    }
    if n > TOLD {
        all += &format!("  \u{2026} and {} more\n", n - TOLD);
    }
    say(&format!("{all}{in_all}"));
}

fn report(problem: &Problem, text: Option<&ConfigText>) -> miette::Report {
    let mut what = format!("{}{}", problem.place, problem.what);
    let mut excerpt = None;
    if let (Place::Config { line, column, span }, Some(text)) = (&problem.place, text) {
        let (name, line) = text.at(*line);
        what = format!("{name}:{line}:{column}: {}", problem.what);
        let whole = *span == (0..0);
        excerpt = (!whole).then(|| Excerpt::of(&text.text, line, span.clone()));
    }
    let mut diagnostic = MietteDiagnostic::new(plain(&what));
    if let Some(help) = &problem.help {
        diagnostic = diagnostic.with_help(plain(help));
    }
    match excerpt {
        Some((excerpt, span)) => {
            let label = LabeledSpan::underline(span);
            miette::Report::new(diagnostic.with_label(label)).with_source_code(excerpt)
        }
        None => miette::Report::new(diagnostic),
    }
}

/// The line of a problem, or the relevant part of a long line.
#[derive(Debug)]
struct Excerpt {
    line: usize,
    text: String,
}

impl Excerpt {
    /// The excerpt around a span of bytes, and the span within it. A span of several lines is cut
    /// to the first; an empty one is a place where something is missing.
    fn of(text: &str, line: usize, span: Range<usize>) -> (Self, Range<usize>) {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let whole = |from: usize| {
            (from..)
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(from)
        };
        let cut = if end - start > LINE {
            span.start.saturating_sub(LINE / 2)
        } else {
            start
        };
        let start = whole(start.max(cut));
        let end = whole(end.min(start + LINE));
        let blank = |c: char| {
            // As many bytes, so that what is marked stays where it is.
            match c {
                '\t' => c.to_string(),
                c if c.is_control() => " ".repeat(c.len_utf8()),
                c if !is_legible(c) => "?".repeat(c.len_utf8()),
                c => c.to_string(),
            }
        };
        let shown = text[start..end].chars().map(blank).collect();
        let last = span.end.min(end).max(span.start + 1);
        let inside = span.start - start..last - start;
        (Self { line, text: shown }, inside)
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = SourceSpan::from(0..self.text.len());
        let contents = MietteSpanContents::new(self.text.as_bytes(), whole, self.line - 1, 0, 1);
        Ok(Box::new(contents))
    }
}

/// Prints a message on stderr. It is lost if stderr is closed. On a terminal lines are wrapped at
/// its width; elsewhere they stay whole for scripts.
pub fn say(line: &str) {
    if log::is_json() {
        return log::say(line);
    }
    let line = &marks_spelt(line);
    let text = match look::width_of_stderr() {
        Some(width) => Medium::text(width).finished(line),
        None => format!("{line}\n"),
    };
    if !held::holds(&text) {
        drop(std::io::stderr().lock().write_all(text.as_bytes()));
    }
}

/// Prints text for people on stdout. Lines are wrapped where stdout has a width; elsewhere they stay
/// whole for scripts.
///
/// # Errors
/// Fails if stdout can't take it. A reader that has gone away is no error.
pub fn print_words(text: &str) -> std::io::Result<()> {
    match look::width_of_stdout() {
        Some(width) => print(&Medium::text(width).finished(text)),
        None => print(text),
    }
}

/// Prints the result on stdout as it is.
///
/// # Errors
/// Fails if stdout can't take it. A reader that has gone away is no error.
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
