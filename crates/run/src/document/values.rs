//! The values of `--sweep KEY=VALUES`: a list without brackets, with ranges of numbers in it.

use super::node::{Node, Value};
use super::path::{Refusal, parse_word_or_value, unquoted};
use crate::limits::MOST_RANGE_VALUES;
use kleroterion_core::problem::Place;

/// The maximum number of decimals kept in the numbers of a range.
const DECIMALS: i64 = 15;

/// The values of a text: TOML values or bare words with commas between, and ranges `from..to/step`.
/// Where all of the text is one list of TOML, its members.
pub(super) fn values(text: &str, place: &Place) -> Result<Vec<Node>, Refusal> {
    let items = items(text);
    if let [only] = items[..]
        && only.starts_with('[')
        && let Value::List(members) = parse_word_or_value(only, place)?.value
    {
        return Ok(members);
    }
    let mut values = Vec::new();
    for item in items {
        match Range::of(item) {
            Some(range) => values.extend(range.values(item, place)?),
            None if item.is_empty() => {
                let help =
                    "write --sweep KEY=a,b,c, as --sweep seed=1,2,3; an empty text is written ''"
                        .to_owned();
                return Err(("a value is missing".into(), help));
            }
            None => values.push(parse_word_or_value(item, place)?),
        }
    }
    Ok(values)
}

/// The texts between commas; commas in quotes and in brackets separate nothing.
fn items(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0_i32, 0);
    let mut items = Vec::new();
    for (at, letter) in unquoted(text) {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(text[start..].trim());
    items
}

/// A range of numbers as it is written.
struct Range<'a> {
    from: &'a str,
    to: &'a str,
    step: Option<&'a str>,
}

impl<'a> Range<'a> {
    /// The range that a text is: two numbers with two points between.
    fn of(text: &'a str) -> Option<Self> {
        let (from, rest) = text.split_once("..")?;
        let (to, step) = match rest.split_once('/') {
            Some((to, step)) => (to, Some(step.trim())),
            None => (rest, None),
        };
        let (from, to) = (from.trim(), to.trim());
        let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
        (is_number(from) && is_number(to)).then_some(Self { from, to, step })
    }

    /// The numbers from one end to the other, both included where the step meets them.
    fn values(&self, text: &str, place: &Place) -> Result<Vec<Node>, Refusal> {
        let wrong = |what: &str, help: &str| Err((format!("`{text}` {what}"), help.to_owned()));
        let step = match self.step {
            Some(step) => step,
            None if is_whole(self.from) && is_whole(self.to) => "1",
            None => return wrong("names no step", "write from..to/step, as 0.1..0.5/0.1"),
        };
        let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
        let [from, to, by] = [self.from, self.to, step].map(number);
        if !(by > 0.0 && by.is_finite()) {
            let what = format!("has the step `{step}`, which is no number above 0");
            return wrong(&what, "write from..to/step, as 0.1..0.5/0.1");
        }
        if to < from {
            return wrong("ends before it begins", "write the lesser number first");
        }
        // A step that meets the end but for rounding meets it.
        let steps = ((to - from) / by + 1e-9).floor();
        if steps >= MOST_RANGE_VALUES {
            let what = format!(
                "has {} values, and {MOST_RANGE_VALUES} are the most",
                steps + 1.0
            );
            return wrong(&what, "take a larger step");
        }
        let is_whole = [self.from, step].into_iter().all(is_whole);
        let decimals = decimals(self.from).max(decimals(step)) as usize;
        let value = |at: u32| {
            let value = from + f64::from(at) * by;
            match is_whole {
                true => Value::Whole(value as i64),
                // As one would write it: 0.3 rather than 0.30000000000000004.
                false => Value::Number(format!("{value:.decimals$}").parse().unwrap_or(value)),
            }
        };
        Ok((0..=steps as u32).map(|at| value(at).at(place)).collect())
    }
}

fn is_whole(text: &str) -> bool {
    // Beyond, steps of 1 are lost in a 64-bit number.
    text.parse::<i64>()
        .is_ok_and(|number| number.unsigned_abs() < 1 << 53)
}

/// Returns the number of decimals of a written number.
fn decimals(text: &str) -> i64 {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let after = digits
        .split_once('.')
        .map_or(0, |(_, after)| after.len() as i64);
    let exponent = exponent.parse::<i64>().unwrap_or(0);
    after.saturating_sub(exponent).clamp(0, DECIMALS)
}

#[cfg(test)]
mod tests {
    use super::super::write::inline;
    use super::*;

    fn shown(text: &str) -> Result<String, Refusal> {
        let values = values(text, &Place::Request)?;
        let values: Vec<String> = values.iter().map(|node| inline(&node.value)).collect();
        Ok(values.join(" "))
    }

    #[test]
    fn lists_and_ranges() {
        for (text, known) in [
            ("5", "5"),
            ("50, 100,250", "50 100 250"),
            ("0.02,5e-2", "0.02 0.05"),
            (
                "queue,two words,'two words',\"a,b\"",
                "\"queue\" \"two words\" \"two words\" \"a,b\"",
            ),
            (
                "{ accepted = 5, x = 1 },{ rounds = 6 }",
                "{ accepted = 5, x = 1 } { rounds = 6 }",
            ),
            ("[1, 2]", "1 2"),
            ("[1, 2],[3]", "[1, 2] [3]"),
            ("true,false", "true false"),
            ("1..4", "1 2 3 4"),
            ("-2..2/2", "-2 0 2"),
            ("10..35/10", "10 20 30"),
            ("0.1..0.7/0.2", "0.1 0.3 0.5 0.7"),
            ("0..1/0.25", "0.0 0.25 0.5 0.75 1.0"),
            ("1e-3..3e-3/1e-3", "0.001 0.002 0.003"),
            ("1,5..7,10", "1 5 6 7 10"),
            ("../people.csv", "\"../people.csv\""),
        ] {
            let values = shown(text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
            assert_eq!(values, known, "{text}");
        }
    }

    #[test]
    fn values_gone_wrong() {
        for (text, what, help) in [
            ("", "a value is missing", "''"),
            ("1,,2", "a value is missing", "a,b,c"),
            ("1,", "a value is missing", "a,b,c"),
            ("0.1..0.5", "`0.1..0.5` names no step", "0.1..0.5/0.1"),
            ("1..5/0", "the step `0`", "from..to/step"),
            ("1..5/x", "the step `x`", "from..to/step"),
            ("5..1", "ends before it begins", "lesser"),
            ("0..1/1e-9", "10000 are the most", "larger step"),
            ("[1, 2", "unclosed array", "`]`"),
            ("two;words", "`two;words` is not", "two;words"),
        ] {
            let (said, remedy) = shown(text).expect_err(text);
            assert!(said.contains(what), "{text}: {said}");
            assert!(remedy.contains(help), "{text}: {remedy}");
        }
    }
}
