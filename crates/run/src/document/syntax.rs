//! Errors of the TOML parser, reworded.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::depth;
use super::lines::Lines;

/// Bytes of the text, what is wrong there, what to do about it.
pub(super) type Refusal = (Range<usize>, String, String);

/// The parser's errors, thinned: the first of each line, and of what an unclosed bracket swallows
/// only the bracket. The second member is the byte from which the text can't be judged.
pub(super) fn syntax_errors(
    text: &str,
    lines: &Lines,
    tree: &DeTable<'_>,
    errors: Vec<Error>,
) -> (Vec<Refusal>, usize) {
    let unclosed = errors.iter().filter(|error| {
        ["unclosed array,", "unclosed inline table,"]
            .iter()
            .any(|start| error.message().starts_with(start))
    });
    let opening = unclosed
        .filter_map(|error| bracket_ending_at(tree, error.span()?.start))
        .min();
    let judged = opening.unwrap_or(text.len() + 1);

    // What follows a broken header was put into the section above it: that a key is there twice is
    // then not true.
    let header = errors.iter().filter(|error| header(text, error).is_some());
    let header = header.filter_map(Error::span).map(|span| span.start).min();
    let is_true = |error: &&Error| {
        let after = header.is_some_and(|at| error.span().is_some_and(|span| span.start > at));
        !(after && error.message() == DUPLICATE)
    };
    let errors = errors.iter().filter(is_true);
    let mut errors: Vec<Refusal> = errors.map(|error| explained(text, error)).collect();
    errors.retain(|(span, ..)| span.start < judged);
    if let Some(at) = opening {
        let (open, close) = if text[at..].starts_with('[') {
            ('[', ']')
        } else {
            ('{', '}')
        };
        let what = format!("this `{open}` is never closed");
        errors.push((
            at..at + 1,
            what,
            format!("write `{close}` where it should end"),
        ));
    }
    errors.sort_by_key(|(span, ..)| span.start);
    errors.dedup_by_key(|(span, ..)| lines.line(span.start));
    (errors, judged)
}

/// Returns the start of the outermost list or inline table that ends at byte `end`.
fn bracket_ending_at(table: &DeTable<'_>, end: usize) -> Option<usize> {
    fn within(value: &Spanned<DeValue<'_>>, end: usize) -> Option<usize> {
        let span = value.span();
        match value.get_ref() {
            DeValue::Array(_) | DeValue::Table(_) if span.end == end => Some(span.start),
            DeValue::Array(members) => members.iter().find_map(|member| within(member, end)),
            DeValue::Table(table) => bracket_ending_at(table, end),
            _ => None,
        }
    }
    table.iter().find_map(|(_, value)| within(value, end))
}

/// The parser's message for a repeated key.
const DUPLICATE: &str = "duplicate key";

/// Returns the problem with the header of a section, and its remedy. `None` if the error concerns
/// something else.
fn header(text: &str, error: &Error) -> Option<(String, String)> {
    let at = error.span()?.start.min(text.len());
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?;
    let line = line.split('#').next()?.trim();
    let open = line.len() - line.trim_start_matches('[').len();
    let close = line.len() - line.trim_end_matches(']').len();
    let name = line.trim_matches(['[', ']']).trim();
    let plain = |name: &str| !name.is_empty() && !name.contains(['[', ']', '=', '{', ',']);
    if !plain(name) {
        return None;
    }
    let whole = |many: usize| match many {
        1 => format!("write [{name}]"),
        _ => format!("write [[{name}]]"),
    };
    let what = error.message().split(", expected ").next()?;
    match what {
        "unclosed table" | "unclosed array table" if open == close => Some((
            format!("`{name}` is not a name as it is written"),
            format!("quote a name with blanks: {name:?}"),
        )),
        "unclosed table" | "unclosed array table" => {
            Some((format!("the header `{line}` is not closed"), whole(open)))
        }
        "key with no value" if open == 0 && close > 0 => {
            Some((format!("the header `{line}` is not opened"), whole(close)))
        }
        "unexpected key or value" | "unexpected content" if 0 < open && open < close => Some((
            format!("the header `{line}` has a `]` too many"),
            whole(open),
        )),
        _ => None,
    }
}

/// A parser's error in our words, where ours are better.
pub(super) fn explained(text: &str, error: &Error) -> Refusal {
    match header(text, error) {
        Some((what, help)) => (error.span().unwrap_or(0..0), what, help),
        None => worded(text, error),
    }
}

/// An error of a key or a value in our words, where ours are better.
fn worded(text: &str, error: &Error) -> Refusal {
    let span = error.span().unwrap_or(0..0);
    let there = text.get(span.clone()).unwrap_or_default();
    let (what, expected) = match error.message().split_once(", expected ") {
        Some((what, expected)) => (what, Some(expected)),
        None => (error.message(), None),
    };
    let (what, help): (String, String) = match what {
        "string values must be quoted" if there.is_empty() => (
            "a value is missing".into(),
            "write one after the `=`".into(),
        ),
        "string values must be quoted" => {
            let bare = there.trim_matches(['“', '”', '„', '‘', '’', '\'', '"']);
            (
                format!("`{there}` is not a value"),
                format!("put a text in straight quotes: {bare:?}"),
            )
        }
        DUPLICATE => (
            format!("`{there}` is given a second time"),
            "join the two or remove one of them".into(),
        ),
        "invalid mantissa" | "invalid fraction" => (
            "a number needs digits on both sides of its point".into(),
            "write 0.5 rather than .5, and 5.0 rather than 5.".into(),
        ),
        "invalid unquoted key" => (
            format!("`{there}` is not a key as it is written"),
            format!("quote what is not made of a-z, A-Z, 0-9, - and _: {there:?}"),
        ),
        "key with no value" => (
            what.into(),
            "write key = value, or # before a remark".into(),
        ),
        "unexpected key or value" => (
            "the value ends here, but the line goes on".into(),
            "give each key a line of its own; numbers take a point and no comma".into(),
        ),
        "unexpected content" => (
            "more follows where the value ends".into(),
            "remove it; numbers take a point and no comma".into(),
        ),
        "cannot recurse further; max recursion depth met" => depth::words(),
        "invalid basic string" if there.contains(char::is_control) => (
            "a text can't hold this character as it is".into(),
            format!(
                "remove it, or write it as \\u{:04X}",
                there.chars().next().map_or(0, u32::from)
            ),
        ),
        _ => {
            let help = match expected {
                None => "see toml.io for what TOML allows".into(),
                Some("nothing") => "remove it".into(),
                Some(expected) => format!("expected here: {expected}"),
            };
            (what.into(), help)
        }
    };
    (span, what, help)
}

#[cfg(test)]
mod tests {
    use crate::config::Document;
    use kleroterion_core::problem::Place;

    /// `line:column what` of all problems.
    fn wrong(text: &str) -> Vec<String> {
        let problems = Document::parse(text).expect_err(text);
        let said = problems.0.iter().map(|problem| {
            assert!(problem.help.is_some(), "{problem}");
            match &problem.place {
                Place::Config { line, column, .. } => format!("{line}:{column} {}", problem.what),
                other => panic!("{other:?}"),
            }
        });
        said.collect()
    }

    #[test]
    fn several_syntax_errors_at_once() {
        let text = "a = hello world\nb = \nc = .05\nd = 1_\ne = 1,5\nf = True\ng = 010\n";
        assert_eq!(
            wrong(text),
            [
                "1:5 `hello world` is not a value",
                "2:5 a value is missing",
                "3:5 a number needs digits on both sides of its point",
                "4:6 `_` may only go between digits",
                "5:6 the value ends here, but the line goes on",
                "6:5 invalid boolean",
                "7:5 unexpected leading zero",
            ]
        );
    }

    #[test]
    fn places_after_other_scripts_tabs_and_crlf() {
        let text = "# ἰσονομία\r\n\"ü€𝄞\" = { \"é\" = 1 }\tx\r\n\tk = “v”\r\n\tt = 'ΔΔ' y";
        assert_eq!(
            wrong(text),
            [
                "2:21 the value ends here, but the line goes on",
                "3:6 `“v”` is not a value",
                "4:11 the value ends here, but the line goes on",
            ]
        );
        let problems = Document::parse(text).unwrap_err();
        let Place::Config { span, .. } = &problems.0[1].place else {
            panic!()
        };
        assert_eq!(&text[span.clone()], "“v”");
        assert_eq!(
            problems.0[1].help.as_deref(),
            Some("put a text in straight quotes: \"v\"")
        );
    }

    #[test]
    fn an_unclosed_bracket_is_told_once() {
        let list = "a = x\nc = [1, [2, 3], [4\nd = 4\n[rules]\nslate = 1979-05-27\n";
        assert_eq!(
            wrong(list),
            ["1:5 `x` is not a value", "2:5 this `[` is never closed"]
        );
        let table = "d = 1979-05-27\na = { x = 1, y = { z = [1,2], \nb = 3\n[rules]\nz = 4\n";
        assert_eq!(
            wrong(table),
            [
                "1:5 the date or time 1979-05-27 is not used in a config",
                "2:5 this `{` is never closed"
            ]
        );
        let header = "[rules\nslate = 1\n[[policy]\nx = 1\n";
        assert_eq!(
            wrong(header),
            [
                "1:7 the header `[rules` is not closed",
                "3:10 the header `[[policy]` is not closed"
            ]
        );
    }

    /// The lines that follow a broken header belong to the section above it. A key may then seem
    /// repeated without being written twice.
    #[test]
    fn a_broken_header_is_told_alone() {
        for (text, told, help) in [
            (
                "[rules\nslate = 1\n[[policy]]\nx = 1\n[[policy]]\nx = 2\n",
                "1:7 the header `[rules` is not closed",
                "write [rules]",
            ),
            (
                "[[policy]]\nx = 1\n[[policy]\nx = 2\n[[policy]]\nx = 3\n",
                "3:10 the header `[[policy]` is not closed",
                "write [[policy]]",
            ),
            (
                "[a]\nx = 1\nb]\nx = 2\n[c]\nx = 3\n",
                "3:2 the header `b]` is not opened",
                "write [b]",
            ),
            (
                "[a]\nx = 1\n[b]] # a remark\nx = 2\n",
                "3:4 the header `[b]]` has a `]` too many",
                "write [b]",
            ),
            (
                "[a]\nx = 1\n[b c]\nx = 2\n",
                "3:3 `b c` is not a name as it is written",
                "quote a name with blanks: \"b c\"",
            ),
        ] {
            assert_eq!(wrong(text), [told], "{text}");
            let problems = Document::parse(text).unwrap_err();
            assert_eq!(problems.0[0].help.as_deref(), Some(help), "{text}");
        }
        // A key that is written twice before the header, or after a broken value, is one.
        assert_eq!(
            wrong("a = 1\na = 2\nb = x y\nc = 1\nc = 2\n[d\n"),
            [
                "2:1 `a` is given a second time",
                "3:5 `x y` is not a value",
                "5:1 `c` is given a second time",
                "6:3 the header `[d` is not closed",
            ]
        );
    }

    #[test]
    fn keys_given_twice() {
        assert_eq!(
            wrong("a = 1\na = 2\n[t]\nx = 1\nx = 2\n[t]\ny = 1\n[[a]]\n"),
            [
                "2:1 `a` is given a second time",
                "5:1 `x` is given a second time",
                "6:2 `t` is given a second time",
                "8:3 `a` is given a second time",
            ]
        );
    }
}
