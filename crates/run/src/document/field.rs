//! One value of a config, read as the type that it should have.

use std::cell::RefCell;
use std::fmt::Display;
use std::ops::RangeBounds;

use super::node::{Node, Value};
use super::path::{join, label};
use super::range::{self, NumberRange};
use super::words::{list_of, spoken};
use kleroterion_core::nearest::advice;
use kleroterion_core::problem::{Given, Place, Problem, Problems};

/// Collects what was read, if nothing of it is wrong. It reads on after a wrong one, so that every
/// problem is noted.
pub(crate) fn all_read<T, C: FromIterator<T>>(read: impl Iterator<Item = Option<T>>) -> Option<C> {
    let read: Vec<Option<T>> = read.collect();
    read.into_iter().collect()
}

/// The problems noted during a reading.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) problems: RefCell<Problems>,
}

/// The value at a key, or nothing if the key is not given.
///
/// Every reading gives `None` for what is not given and, after noting the problem, for what is
/// wrong, so nothing wrong ever stops the reading of the rest.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    pub(super) path: String,
    /// The value's place, or the table's where there is no value.
    pub(super) place: &'a Place,
    pub(super) node: Option<&'a Node>,
    pub(super) notes: &'a Notes,
}

impl<'a> Field<'a> {
    /// Returns true if the key is given, even with a wrong value.
    pub fn is_given(&self) -> bool {
        self.node.is_some()
    }

    /// Reads an optional key with `read`. Returns [`Given::Absent`] if the key is not given.
    pub fn optional<T>(&self, read: impl FnOnce(&Self) -> Option<T>) -> Given<T> {
        match self.is_given() {
            true => Given::of(true, read(self)),
            false => Given::Absent,
        }
    }

    /// The place of the value, or of its table if it is not given.
    pub fn place(&self) -> &'a Place {
        self.place
    }

    /// The path from the top level, as `--set` takes it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the value as written, for keys with several shapes.
    ///
    /// ```
    /// # use kleroterion_run::config::Document;
    /// use kleroterion_run::document::param::Shape;
    /// use kleroterion_run::document::range::PROBABILITY;
    /// use kleroterion_run::document::{Field, ConfigKey, Value, read};
    /// const WORDS: [(&str, f64); 2] = [("never", 0.0), ("always", 1.0)];
    /// const SHAPE: Shape = Shape::OneOf(&[Shape::Word(&WORDS), Shape::Number(PROBABILITY)]);
    /// const STRONG: ConfigKey<f64> = ConfigKey::of("strong", SHAPE, strong).needed();
    /// fn strong(field: &Field<'_>) -> Option<f64> {
    ///     match field.value()? {
    ///         Value::Text(_) => field.choice(&WORDS),
    ///         Value::Number(_) => field.probability(),
    ///         _ => field.expected("a probability, \"never\" or \"always\""),
    ///     }
    /// }
    /// let document = Document::parse("strong = 0.5")?;
    /// assert_eq!(read(&document, |mut top| STRONG.value(&mut top))?, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&self) -> Option<&'a Value> {
        self.node.map(|node| &node.value)
    }

    /// Reads a string.
    pub fn text(&self) -> Option<&'a str> {
        match self.value()? {
            Value::Text(text) => Some(text),
            Value::List(_) | Value::Table(_) => self.expected("a string"),
            scalar => self.wrong(
                "a string",
                Some(format!("put it in quotes: \"{}\"", scalar.found())),
            ),
        }
    }

    /// Reads a list of strings as owned values.
    pub fn texts(&self) -> Option<Vec<String>> {
        self.each(|member| member.text().map(str::to_owned))
    }

    /// Reads `true` or `false`.
    pub fn flag(&self) -> Option<bool> {
        match self.value()? {
            Value::Flag(flag) => Some(*flag),
            other => self.wrong("true or false", unquoted(other)),
        }
    }

    /// Reads a count: a whole number of at least 0.
    pub fn whole(&self) -> Option<u64> {
        self.whole_in(..)
    }

    /// Reads a whole number in a range. Negative numbers are never in the range.
    pub fn whole_in(&self, range: impl RangeBounds<u64>) -> Option<u64> {
        let expected = || format!("a whole number {}", spoken(&range));
        match self.value()? {
            Value::Whole(number) => match u64::try_from(*number) {
                Ok(number) if range.contains(&number) => Some(number),
                _ => self.expected(&expected()),
            },
            // 1e6 is how people write a million.
            Value::Number(number) if number.fract() == 0.0 && (0.0..9e15).contains(number) => self
                .wrong(
                    &expected(),
                    Some(format!("write it without point and exponent: {number}")),
                ),
            other => self.wrong(&expected(), unquoted(other)),
        }
    }

    /// Reads a number, including infinite and whole ones. `nan` is refused.
    pub fn number(&self) -> Option<f64> {
        self.number_where("a number", |_| true)
    }

    /// Reads a finite number.
    pub fn finite(&self) -> Option<f64> {
        self.number_in(&range::FINITE)
    }

    /// Reads a finite number above 0.
    pub fn positive(&self) -> Option<f64> {
        self.number_in(&range::POSITIVE)
    }

    /// Reads a finite number of at least 0.
    pub fn not_negative(&self) -> Option<f64> {
        self.number_in(&range::NOT_NEGATIVE)
    }

    /// Reads a number from 0 to 1, both included.
    pub fn probability(&self) -> Option<f64> {
        self.number_in(&range::PROBABILITY)
    }

    /// Reads a number in a range.
    pub fn number_in(&self, range: &NumberRange) -> Option<f64> {
        self.number_where(range.words, |x| range.holds(x))
    }

    /// Reads a number for which `holds` is true. `expected` describes these numbers: "a number
    /// above 0 and below 1".
    pub fn number_where(&self, expected: &str, holds: impl Fn(f64) -> bool) -> Option<f64> {
        let number = match self.value()? {
            Value::Number(number) => *number,
            Value::Whole(number) => *number as f64,
            other => return self.wrong(expected, unquoted(other)),
        };
        if number.is_nan() || !holds(number) {
            return self.expected(expected);
        }
        Some(number)
    }

    /// Reads one of the known words and returns its meaning.
    pub fn choice<T: Clone>(&self, words: &[(&str, T)]) -> Option<T> {
        let names = || words.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        let Value::Text(word) = self.value()? else {
            return self.expected(&format!("one of {}", list_of(&names(), &[])));
        };
        let meant = words
            .iter()
            .find(|(name, _)| name == word)
            .map(|(_, meant)| meant.clone());
        if meant.is_none() {
            let what = format!("unknown word `{word}` for `{}`", self.path);
            self.refuse(what, advice(word, &names(), "known words"));
        }
        meant
    }

    /// Returns the members of a list.
    pub fn members(&self) -> Option<Vec<Field<'a>>> {
        match self.value()? {
            Value::List(members) => {
                let fields = members.iter().enumerate().map(|(index, node)| {
                    let step = label(node).map_or_else(|| index.to_string(), str::to_owned);
                    self.child(&step, node)
                });
                Some(fields.collect())
            }
            Value::Table(_) => {
                let path = &self.path;
                let help = format!("write [[{path}]] for each member, or {path} = [ … ]");
                self.wrong("a list", Some(help))
            }
            _ => self.wrong("a list", Some("put it in brackets: [ … ]".into())),
        }
    }

    /// Reads every member of a list in the same way. It reads on after a wrong member, so that
    /// every problem is noted.
    pub fn each<T>(&self, mut read: impl FnMut(&Field<'a>) -> Option<T>) -> Option<Vec<T>> {
        all_read(self.members()?.iter().map(&mut read))
    }

    /// Notes that something else was expected here, if a value is given at all. Always returns
    /// `None`.
    pub fn expected<T>(&self, expected: &str) -> Option<T> {
        self.wrong(expected, None)
    }

    /// Returns what was made of the value. Notes the error, with a remedy, if it could not be made.
    pub fn sound<T>(&self, made: Result<T, impl Display>, help: impl Into<String>) -> Option<T> {
        made.map_err(|error| self.refuse(error.to_string(), help))
            .ok()
    }

    /// Notes the problem with the value, and its remedy. Always returns `None`.
    pub fn refused<T>(&self, what: impl Into<String>, help: impl Into<String>) -> Option<T> {
        self.refuse(what, help);
        None
    }

    /// Notes the problem with the value, and its remedy.
    pub fn refuse(&self, what: impl Into<String>, help: impl Into<String>) {
        self.report(Problem::new(self.blamed().clone(), what).help(help));
    }

    /// The value's place; of a table that is written in one piece, `{ … }`, the place of
    /// what was set in it since, which the text does not show.
    fn blamed(&self) -> &'a Place {
        let Some(Value::Table(table)) = self.value() else {
            return self.place;
        };
        let shown = |place: &Place| match (self.place, place) {
            (Place::Config { span: all, .. }, Place::Config { span, .. }) => {
                all.start <= span.start && span.end <= all.end
            }
            _ => false,
        };
        let mut set = table.iter().map(|(_, node)| &node.place);
        match table.iter().any(|(key, _)| shown(&key.place)) {
            true => set.find(|place| !shown(place)).unwrap_or(self.place),
            false => self.place,
        }
    }

    /// Notes a problem at any place.
    pub fn report(&self, problem: Problem) {
        self.notes.problems.borrow_mut().push(problem);
    }

    pub(super) fn wrong<T>(&self, expected: &str, help: Option<String>) -> Option<T> {
        let what = format!(
            "expected {expected} for `{}`, found {}",
            self.path,
            self.value()?.found()
        );
        let problem = Problem::new(self.place.clone(), what);
        self.report(match help {
            Some(help) => problem.help(help),
            None => problem,
        });
        None
    }

    pub(super) fn child(&self, step: &str, node: &'a Node) -> Field<'a> {
        Field {
            path: join(&self.path, step),
            place: &node.place,
            node: Some(node),
            notes: self.notes,
        }
    }
}

/// Advice for a number or flag that was quoted.
fn unquoted(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if text.parse::<f64>().is_ok() || text.parse::<bool>().is_ok() => {
            Some(format!("write it without quotes: {text}"))
        }
        _ => None,
    }
}
