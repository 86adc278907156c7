//! The keys of a config as typed constants: a key is declared once, and read as it is declared.

use std::time::Duration;

use super::field::{Field, Notes};
use super::literal::Literal;
use super::node::Value;
use super::param::{Param, Shape, TEXTS, Tables};
use super::range::NumberRange;
use super::reader::Reader;
use kleroterion_core::problem::{Given, Place};

/// A key of a table: its declaration, and how its value becomes a `T`.
///
/// ```
/// use kleroterion_run::document::range::PROBABILITY;
/// use kleroterion_run::document::{Document, ConfigKey, Reader, read};
///
/// const SHARE: ConfigKey<f64> = ConfigKey::number("share", PROBABILITY)
///     .about("the part that is chosen")
///     .or(0.5);
/// # #[derive(Clone, Copy, Debug, PartialEq)] enum Slow { Block, Lag }
/// const SLOW: ConfigKey<Slow> =
///     ConfigKey::word("slow", &[("block", Slow::Block), ("lag", Slow::Lag)]).or_word("lag");
///
/// fn keys(mut table: Reader<'_>) -> Option<(f64, Slow)> {
///     let (share, slow) = (SHARE.value(&mut table), SLOW.value(&mut table));
///     table.finish();
///     Some((share?, slow?))
/// }
///
/// assert_eq!(read(&Document::parse("share = 0.25")?, keys)?, (0.25, Slow::Lag));
/// assert!(read(&Document::parse("share = 2\nslow = 'log'")?, keys).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ConfigKey<T: 'static> {
    /// The declaration.
    pub param: Param,
    words: &'static [(&'static str, T)],
    cases: &'static [Case<T>],
    own: Option<ReadValue<T>>,
    read: fn(&Self, &Field<'_>) -> Option<T>,
}

/// Reads a value; what is wrong with it is noted.
type ReadValue<T> = fn(&Field<'_>) -> Option<T>;

/// The type of a key whose value is read with what its table does not know, from its
/// [`field`](ConfigKey::field).
#[derive(Clone, Copy, Debug)]
pub enum Later {}

/// A table of one key that a value may be, `{ exactly = 5 }`, and its reader.
pub struct Case<T: 'static> {
    /// The declaration of the key.
    pub table: &'static [Param; 1],
    /// Reads the value of the key.
    pub read: fn(&Field<'_>) -> Option<T>,
}

/// The declarations of some keys.
#[macro_export]
macro_rules! keys {
    ($($key:expr),* $(,)?) => { &[$($key.param),*] };
}

/// The table of one key, with what is made of its value.
#[macro_export]
macro_rules! case {
    ($key:expr, $make:expr) => {
        $crate::document::Case {
            table: &[$key.param],
            read: |field| $key.of_value(field).map($make),
        }
    };
}

// Derived, it would ask for a `T` that is one.
impl<T> Clone for ConfigKey<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for ConfigKey<T> {}

impl<T, const N: usize> Tables for [Case<T>; N] {
    fn tables(&self) -> Vec<&'static [Param]> {
        self.iter().map(|case| case.table.as_slice()).collect()
    }
}

impl ConfigKey<f64> {
    /// A number in a range.
    #[must_use]
    pub const fn number(key: &'static str, range: NumberRange) -> Self {
        Self::new(key, Shape::Number(range), |key, field| match key.shape() {
            Shape::Number(range) => field.number_in(&range),
            _ => None,
        })
    }

    /// Sets the default.
    #[must_use]
    pub const fn or(self, default: f64) -> Self {
        self.or_literal(Literal::Number(default))
    }
}

impl ConfigKey<u64> {
    /// A whole number between a minimum and a maximum, both included.
    #[must_use]
    pub const fn whole(key: &'static str, least: u64, most: u64) -> Self {
        Self::new(key, Shape::Whole(least, most), |key, field| {
            match key.shape() {
                Shape::Whole(least, u64::MAX) => field.whole_in(least..),
                Shape::Whole(least, most) => field.whole_in(least..=most),
                _ => None,
            }
        })
    }

    /// Sets the default.
    #[must_use]
    pub const fn or(self, default: u64) -> Self {
        self.or_literal(Literal::Whole(default))
    }
}

impl ConfigKey<bool> {
    /// `true` or `false`.
    #[must_use]
    pub const fn flag(key: &'static str) -> Self {
        Self::new(key, Shape::Flag, |_, field| field.flag())
    }

    /// Sets the default.
    #[must_use]
    pub const fn or(self, default: bool) -> Self {
        self.or_literal(Literal::Flag(default))
    }
}

impl ConfigKey<Duration> {
    /// Sets the default.
    #[must_use]
    pub const fn or(self, default: Duration) -> Self {
        self.or_literal(Literal::Time(default))
    }
}

impl ConfigKey<String> {
    /// A text.
    #[must_use]
    pub const fn text(key: &'static str) -> Self {
        Self::new(key, Shape::Text, |_, field| field.text().map(str::to_owned))
    }
}

impl ConfigKey<Vec<String>> {
    /// A list of texts.
    #[must_use]
    pub const fn texts(key: &'static str) -> Self {
        Self::new(key, TEXTS, |_, field| field.texts())
    }
}

impl ConfigKey<Later> {
    /// A key whose value is read from its [`field`](ConfigKey::field).
    #[must_use]
    pub const fn later(key: &'static str, shape: Shape) -> Self {
        Self::new(key, shape, |_, _| None)
    }

    /// A table with these keys.
    #[must_use]
    pub const fn table(key: &'static str, keys: &'static [Param]) -> Self {
        Self::later(key, Shape::Table(keys))
    }

    /// Reads the table that a field has.
    pub fn reader<'a>(&self, field: &Field<'a>) -> Option<Reader<'a>> {
        match self.param.shape {
            Shape::Table(keys) => field.table_of(keys),
            _ => field.table(),
        }
    }

    /// Reads the table with `read`, if the key is given.
    pub fn section<'a, T>(
        &self,
        table: &mut Reader<'a>,
        read: impl FnOnce(Reader<'a>) -> Option<T>,
    ) -> Given<T> {
        let field = self.field(table);
        field.optional(|field| self.reader(field).and_then(read))
    }
}

impl<T: Clone + Sync + 'static> ConfigKey<T> {
    /// One of several words, each with its meaning.
    #[must_use]
    pub const fn word<const N: usize>(
        key: &'static str,
        words: &'static [(&'static str, T); N],
    ) -> Self {
        let key = Self::new(key, Shape::Word(words), |key, field| {
            field.choice(key.words)
        });
        Self { words, ..key }
    }

    /// One of several words, or of several tables of one key.
    #[must_use]
    pub const fn form<const N: usize, const M: usize>(
        key: &'static str,
        words: &'static [(&'static str, T); N],
        cases: &'static [Case<T>; M],
    ) -> Self {
        let key = Self::new(key, Shape::Form(words, cases), Self::read_form);
        Self {
            words,
            cases,
            ..key
        }
    }

    fn read_form(&self, field: &Field<'_>) -> Option<T> {
        let words: Vec<&str> = self.words.iter().map(|(word, _)| *word).collect();
        let keys: Vec<&str> = self.cases.iter().map(|case| case.table[0].key).collect();
        let (name, held) = field.form(&words, &keys)?;
        if held.is_given() {
            let case = self.cases.iter().find(|case| case.table[0].key == name)?;
            return (case.read)(&held);
        }
        let meant = self.words.iter().find(|(word, _)| *word == name);
        meant.map(|(_, meant)| meant.clone())
    }
}

impl<T: 'static> ConfigKey<T> {
    /// A value of any shape, read by a function.
    #[must_use]
    pub const fn of(key: &'static str, shape: Shape, read: ReadValue<T>) -> Self {
        let mut key = Self::new(key, shape, |key, field| (key.own?)(field));
        key.own = Some(read);
        key
    }

    const fn new(
        key: &'static str,
        shape: Shape,
        read: fn(&Self, &Field<'_>) -> Option<T>,
    ) -> Self {
        Self {
            param: Param::new(key, shape),
            words: &[],
            cases: &[],
            own: None,
            read,
        }
    }

    /// Sets the description.
    #[must_use]
    pub const fn about(mut self, about: &'static str) -> Self {
        self.param.about = about;
        self
    }

    /// Makes the key required.
    #[must_use]
    pub const fn needed(mut self) -> Self {
        self.param.is_needed = true;
        self
    }

    /// Sets the line of TOML that is shown in advice.
    #[must_use]
    pub const fn like(mut self, example: &'static str) -> Self {
        self.param.example = example;
        self
    }

    /// Makes the key required, and sets the line of TOML that is shown where it is missing.
    #[must_use]
    pub const fn needed_like(self, example: &'static str) -> Self {
        self.needed().like(example)
    }

    /// Sets the default, as it would be written.
    #[must_use]
    pub const fn or_literal(mut self, default: Literal) -> Self {
        self.param.default = Some(default);
        self
    }

    /// Sets the text or the word that is the default.
    #[must_use]
    pub const fn or_word(self, default: &'static str) -> Self {
        self.or_literal(Literal::Text(default))
    }

    /// Says what the value follows from where the key is absent.
    #[must_use]
    pub const fn or_from(self, words: &'static str) -> Self {
        self.or_literal(Literal::From(words))
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.param.key
    }

    /// Returns the shape of a value, for keys and members that have values of the same shape.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.param.shape
    }

    /// The field of the key in a table, which counts as read. If the key is required and missing, a
    /// problem is noted.
    pub fn field<'a>(&self, table: &mut Reader<'a>) -> Field<'a> {
        self.param.field(table)
    }

    /// Reads the key. Returns [`Given::Absent`] if it is not given.
    pub fn read(&self, table: &mut Reader<'_>) -> Given<T> {
        self.given(&self.field(table))
    }

    /// Reads the key, or takes the default. `None` if the value is wrong or missing, which is noted.
    pub fn value(&self, table: &mut Reader<'_>) -> Option<T> {
        self.value_of(&self.field(table))
    }

    /// Reads the key, or takes the default and adds a note on it for the reader of the run.
    pub fn or_note(&self, table: &mut Reader<'_>, notes: &mut Vec<String>) -> Option<T> {
        self.read(table).or_else(|| {
            notes.push(self.note());
            self.assumed()
        })
    }

    /// Reads a field of this key. Returns [`Given::Absent`] if there is no value.
    pub fn given(&self, field: &Field<'_>) -> Given<T> {
        field.optional(|field| self.of_value(field))
    }

    /// Reads a field of this key, or takes the default.
    pub fn value_of(&self, field: &Field<'_>) -> Option<T> {
        let default = self.param.default.and_then(Literal::value);
        let is_sure = self.param.is_needed || default.is_some();
        debug_assert!(is_sure, "`{}` has a default", self.param.key);
        self.given(field).or_else(|| self.assumed())
    }

    /// Reads a value of this key's shape.
    pub fn of_value(&self, field: &Field<'_>) -> Option<T> {
        (self.read)(self, field)
    }

    /// Returns the default, read as a value of the config is. `None` if the key has none.
    pub fn assumed(&self) -> Option<T> {
        let node = self.param.default?.value()?.at(&Place::Request);
        let notes = Notes::default();
        let read = self.of_value(&Field {
            path: self.param.key.to_owned(),
            place: &node.place,
            node: Some(&node),
            notes: &notes,
        });
        debug_assert!(read.is_some(), "the default of `{}` is one", self.param.key);
        read
    }

    /// Returns the note that the default is used.
    pub fn note(&self) -> String {
        let default = match self.param.default {
            Some(Literal::Number(number)) => format!("{number:?}"),
            Some(Literal::Text(text)) => format!("{text:?}"),
            Some(text @ (Literal::Time(_) | Literal::Bytes(_))) => format!("\"{text}\""),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        format!("{} = {default} (the config gives none)", self.param.key)
    }
}

impl Param {
    /// The field of the key in a table, which counts as read. If the key is required and missing, a
    /// problem is noted.
    pub fn field<'a>(&self, table: &mut Reader<'a>) -> Field<'a> {
        match self.is_needed {
            true => table.need(self.key, self.example),
            false => table.get(self.key),
        }
    }

    /// The field of the key in a table, where another reading notes that it is missing.
    pub fn again<'a>(&self, table: &mut Reader<'a>) -> Field<'a> {
        table.get(self.key)
    }

    /// The value of the key in a table. It does not count as read.
    pub fn peek<'a>(&self, table: &Reader<'a>) -> Option<&'a Value> {
        table.peek(self.key)
    }
}
