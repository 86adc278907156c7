//! The conversion of TOML text to a tree.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::depth::{self, too_deep};
use super::lines::Lines;
use super::node::{Node, PlacedKey, Refused, Table, Value};
use super::syntax::{Refusal, explained, syntax_errors};
use kleroterion_core::problem::{Place, Problem, Problems};

/// The tree of a whole text, in which values that no config has are [`Refused`]; where it is no
/// TOML, all that is wrong with it, in the order of the text.
pub(super) fn parse_document(text: &str) -> Result<Table, Problems> {
    let lines = Lines::of(text);
    if let Some(span) = too_deep(text) {
        let (what, help) = depth::words();
        let problem = Problem::new(lines.place(span), what).help(help);
        return Err(Problems(vec![problem]));
    }
    let (tree, errors) = DeTable::parse_recoverable(text);
    let (mut errors, judged) = syntax_errors(text, &lines, tree.get_ref(), errors);

    let place = |span| lines.place(span);
    let is_toml = errors.is_empty();
    let (root, refused) = Conversion::of(&place, |conversion| conversion.table(tree.into_inner()));
    if is_toml {
        return Ok(root);
    }
    // What the parser made of a broken line was never written by anyone, so it is not judged.
    let broken: BTreeSet<usize> = errors
        .iter()
        .map(|error| lines.line(error.0.start))
        .collect();
    errors.extend(
        refused
            .into_iter()
            .filter(|(span, ..)| span.start < judged && !broken.contains(&lines.line(span.start))),
    );
    errors.sort_by_key(|(span, ..)| span.start);
    let problems = errors
        .into_iter()
        .map(|(span, what, help)| Problem::new(lines.place(span), what).help(help));
    Problems(problems.collect()).or(root)
}

/// Parses a single value, all of it at `place`. The error has the problem and its remedy.
pub(super) fn parse_value(text: &str, place: &Place) -> Result<Node, (String, String)> {
    if too_deep(text).is_some() {
        return Err(depth::words());
    }
    let value = DeValue::parse(text).map_err(|error| {
        let (_, what, help) = explained(text, &error);
        (what, help)
    })?;
    let everywhere = |_| place.clone();
    let (node, refused) = Conversion::of(&everywhere, |conversion| conversion.node(value));
    match refused.into_iter().next() {
        None => Ok(node),
        Some((_, what, help)) => Err((what, help)),
    }
}

/// The walk from the parser's tree to ours.
struct Conversion<'p> {
    place: &'p dyn Fn(Range<usize>) -> Place,
    refused: Vec<Refusal>,
}

impl<'p> Conversion<'p> {
    fn of<T>(
        place: &'p dyn Fn(Range<usize>) -> Place,
        walk: impl FnOnce(&mut Self) -> T,
    ) -> (T, Vec<Refusal>) {
        let mut conversion = Self {
            place,
            refused: Vec::new(),
        };
        let tree = walk(&mut conversion);
        (tree, conversion.refused)
    }

    fn table(&mut self, table: DeTable<'_>) -> Table {
        let mut ours = Vec::with_capacity(table.len());
        for (key, value) in table {
            let key = PlacedKey {
                place: (self.place)(key.span()),
                name: key.into_inner().into_owned(),
            };
            ours.push((key, self.node(value)));
        }
        Table::from_distinct(ours)
    }

    fn node(&mut self, value: Spanned<DeValue<'_>>) -> Node {
        let span = value.span();
        let written = written(value.get_ref());
        let value = match value.into_inner() {
            DeValue::String(text) => Ok(Value::Text(text.into_owned())),
            DeValue::Boolean(flag) => Ok(Value::Flag(flag)),
            DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
                .map(Value::Whole)
                .map_err(|_| too_large(digits)),
            DeValue::Float(digits) => number(digits.as_str()),
            DeValue::Datetime(date) => Err((
                format!("the date or time {date} is not used in a config"),
                format!("where a text is meant, quote it: \"{date}\""),
            )),
            DeValue::Array(members) => {
                let members = members.into_iter().map(|member| self.node(member));
                Ok(Value::List(members.collect()))
            }
            DeValue::Table(table) => Ok(Value::Table(self.table(table))),
        };
        let place = (self.place)(span.clone());
        let value = value.unwrap_or_else(|(what, help)| {
            self.refused.push((span, what.clone(), help.clone()));
            Value::Refused(Refused {
                written,
                what,
                help,
            })
        });
        Node { place, value }
    }
}

/// A number or date as it was written.
fn written(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(digits) => digits.to_string(),
        DeValue::Float(digits) => digits.as_str().to_owned(),
        DeValue::Datetime(date) => date.to_string(),
        _ => String::new(),
    }
}

/// The problem of a whole number that no config may hold, and its remedy.
pub(super) fn too_large(digits: impl Display) -> (String, String) {
    let help = format!("it must lie from {} to {}", i64::MIN, i64::MAX);
    (format!("the whole number {digits} is too large"), help)
}

/// The problem of a number that is none, and its remedy.
pub(super) fn not_a_number() -> (String, String) {
    (
        "`nan` is not used in a config".into(),
        "write a number, or leave the key out".into(),
    )
}

/// A float as written; only a written `inf` is infinite.
fn number(digits: &str) -> Result<Value, (String, String)> {
    match digits.parse::<f64>() {
        Ok(number) if number.is_nan() => Err(not_a_number()),
        Ok(number) if number.is_infinite() && !digits.ends_with("inf") => Err((
            format!("the number {digits} is too large"),
            "write `inf` where no bound is meant".into(),
        )),
        Ok(number) => Ok(Value::Number(number)),
        Err(_) => Err((
            format!("`{digits}` is not a number"),
            "write it as 0.5 or 5e-1".into(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `line:column what` of all problems.
    fn wrong(text: &str) -> Vec<String> {
        let problems = parse_document(text).expect_err(text);
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
    fn values_that_no_config_has() {
        let text = "x = 99999999999999999999\ny = { a = 1e999, b = -1e999 }\nz = [nan, -nan]\nd = \
             07:32:00\nm = 1979-13-45\n";
        assert_eq!(
            wrong(text),
            [
                "1:5 the whole number 99999999999999999999 is too large",
                "2:11 the number 1e999 is too large",
                "2:22 the number -1e999 is too large",
                "3:6 `nan` is not used in a config",
                "3:11 `nan` is not used in a config",
                "4:5 the date or time 07:32:00 is not used in a config",
                "5:5 invalid date",
            ]
        );
    }

    #[test]
    fn a_value_alone() {
        let here = Place::Option("--set x".into());
        let node = parse_value("{ a = [1, 2.0] }", &here).unwrap();
        let Value::Table(table) = &node.value else {
            panic!()
        };
        let (key, list) = table.iter().next().unwrap();
        let Value::List(members) = &list.value else {
            panic!()
        };
        assert_eq!(
            (&key.place, &list.place, &members[1].place),
            (&here, &here, &here)
        );
        assert_eq!(members[1].value, Value::Number(2.0));
        for wrong in [
            "",
            "word",
            "1 2",
            "[1",
            "nan",
            "[1, 1979-05-27]",
            "1 # remark",
        ] {
            assert!(parse_value(wrong, &here).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            pieces in prop::collection::vec(
                prop_oneof![prop::sample::select(PIECES).prop_map(str::to_owned), ".{0,3}"],
                0..40,
            ),
        ) {
            let text = pieces.concat();
            if let Err(problems) = parse_document(&text) {
                prop_assert!(!problems.0.is_empty());
                for problem in &problems.0 {
                    let Place::Config { line, column, span } = &problem.place else { panic!() };
                    prop_assert!(span.start <= span.end && span.end <= text.len());
                    let before = text.get(..span.start).expect("a character's start");
                    prop_assert_eq!(*line, before.matches('\n').count() + 1);
                    let last = before.rsplit('\n').next().unwrap();
                    prop_assert_eq!(*column, last.chars().count() + 1);
                }
            }
            let _ = parse_value(&text, &Place::Request);
        }
    }

    const PIECES: &[&str] = &[
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "=",
        ",",
        ".",
        "\n",
        "\r\n",
        "\r",
        "#",
        "\"",
        "'",
        "'''",
        "\"\"\"",
        "a",
        "b",
        "a.b",
        "[a]\n",
        "[a.b]\n",
        "[[a]]\n",
        "a = 1\n",
        "a.b = 1\n",
        "a = [",
        "b = {",
        " ",
        "\t",
        "1",
        "1.5",
        "nan",
        "1979-05-27",
        "true",
        "é",
        "𝄞",
        "\\",
        "\u{feff}",
    ];

    #[test]
    fn deep_nesting_is_refused() {
        for open in ["[", "{a=", "[{a="] {
            let text = format!("a = {}", open.repeat(5_000));
            assert!(!wrong(&text).is_empty());
        }
    }
}
