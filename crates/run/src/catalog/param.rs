//! The keys of a config as data: description, shape and default of each.

use super::kind_list::KindList;
use crate::document::range::{End, NumberRange};
use crate::document::{Field, Reader};
use kleroterion_core::problem::Given;

/// A key of a table, with its shape and default.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name of the key.
    pub key: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// The default value as TOML text. `None` if the key has no default.
    pub default: Option<&'static str>,
    /// True if the key is required.
    pub is_needed: bool,
    /// A line of TOML that sets the key, shown in advice if the key is missing.
    pub example: &'static str,
}

/// The shape of a value.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Any value.
    Any,
    /// `true` or `false`.
    Flag,
    /// Only `true`.
    True,
    /// A text.
    Text,
    /// A number in a range.
    Number(NumberRange),
    /// A whole number between a minimum and a maximum, both included.
    Whole(u64, u64),
    /// One of a fixed set of words.
    Word(&'static [&'static str]),
    /// A list whose members have this shape.
    List(&'static Shape),
    /// A list with this number of members, each of this shape.
    Tuple(&'static Shape, usize),
    /// A table with names as keys and values of one shape.
    Map(&'static Shape),
    /// A table with these keys.
    Table(&'static [Param]),
    /// A table with these keys, and with names as further keys.
    Open(&'static [Param], &'static Shape),
    /// A value of one of these shapes.
    OneOf(&'static [Shape]),
    /// A table that is one of several kinds. The key of this name selects the kind.
    Kinds(&'static str, fn() -> Vec<Entry>),
    /// A table that is one of the kinds that a registry lists.
    Registered(KindList),
}

/// One kind of table: its name and its keys.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The word that names the kind.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Its keys, except the one that names the kind.
    pub params: Vec<Param>,
}

/// Any whole number.
pub const WHOLE: Shape = Shape::Whole(0, u64::MAX);
/// A whole number of at least 1.
pub const COUNT: Shape = Shape::Whole(1, u64::MAX);
/// A list of texts.
pub const TEXTS: Shape = Shape::List(&Shape::Text);

impl Param {
    /// Makes an optional key without a default.
    #[must_use]
    pub const fn new(key: &'static str, shape: Shape, about: &'static str) -> Self {
        Self {
            key,
            about,
            shape,
            default: None,
            is_needed: false,
            example: "",
        }
    }

    /// Sets the example.
    #[must_use]
    pub const fn like(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// Makes the key required.
    #[must_use]
    pub const fn needed(self) -> Self {
        Self {
            is_needed: true,
            ..self
        }
    }

    /// Sets the default, as TOML text.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }

    /// Returns the default as a number. `None` if the key has no default.
    #[must_use]
    pub fn default_number(&self) -> Option<f64> {
        self.default?.parse().ok()
    }

    /// The field of a key that the table must have; that it is missing is noted.
    pub(super) fn need<'a>(&self, table: &mut Reader<'a>) -> Field<'a> {
        table.need(self.key, self.example)
    }

    /// Reads a number in the declared range, if the key is given.
    pub fn given_number(&self, table: &mut Reader<'_>) -> Given<f64> {
        let read = |field: &Field<'_>| self.read_number(field);
        table.get(self.key).optional(read)
    }

    /// Reads a number in the declared range, or returns the declared default if the key is absent.
    /// Notes a problem and returns `None` if the number is wrong.
    pub fn number(&self, table: &mut Reader<'_>) -> Option<f64> {
        self.given_number(table).or_else(|| self.default_number())
    }

    /// Reads the number like [`number`](Self::number). Adds a note for the reader of the run if the
    /// default is used.
    pub(super) fn number_or_note(
        &self,
        table: &mut Reader<'_>,
        notes: &mut Vec<String>,
    ) -> Option<f64> {
        self.given_number(table).or_else(|| {
            let default = self.default_number()?;
            notes.push(self.gives_none(default));
            Some(default)
        })
    }

    /// The note that the default is used.
    fn gives_none(&self, default: impl std::fmt::Debug) -> String {
        format!("{} = {default:?} (the config gives none)", self.key)
    }

    /// Reads a number in the declared range.
    pub fn read_number(&self, field: &Field<'_>) -> Option<f64> {
        match &self.shape {
            Shape::Number(range) => field.number_in(range),
            _ => field.number(),
        }
    }

    /// Reads the word that a key gives and returns its meaning, if the key is given. `meanings` are
    /// those of the declared words, in order.
    pub fn given_word<T: Clone, const N: usize>(
        &self,
        table: &mut Reader<'_>,
        meanings: [T; N],
    ) -> Given<T> {
        let read = |field: &Field<'_>| field.choice(&self.words_with(meanings));
        table.get(self.key).optional(read)
    }

    /// The meaning of the word that a key gives, or of the declared default where the key is
    /// absent. `None` if it is wrong, which is noted.
    pub(super) fn word<T: Clone, const N: usize>(
        &self,
        table: &mut Reader<'_>,
        meanings: [T; N],
    ) -> Option<T> {
        let given = self.given_word(table, meanings.clone());
        given.or_else(|| self.default_word(meanings))
    }

    /// Reads the word, and adds a note for the reader of the run if the default is used.
    pub(super) fn word_or_note<T: Clone, const N: usize>(
        &self,
        table: &mut Reader<'_>,
        meanings: [T; N],
        notes: &mut Vec<String>,
    ) -> Option<T> {
        let given = self.given_word(table, meanings.clone());
        given.or_else(|| {
            notes.push(self.gives_none(self.default?));
            self.default_word(meanings)
        })
    }

    /// The meaning of the default.
    fn default_word<T: Clone, const N: usize>(&self, meanings: [T; N]) -> Option<T> {
        let words = self.words_with(meanings).into_iter();
        let mut of_default = words.filter(|(word, _)| self.default == Some(word));
        of_default.next().map(|(_, meaning)| meaning)
    }

    /// The declared words, each with its meaning.
    fn words_with<T, const N: usize>(&self, meanings: [T; N]) -> Vec<(&'static str, T)> {
        let Shape::Word(words) = self.shape else {
            return Vec::new();
        };
        debug_assert_eq!(words.len(), N, "each word of `{}` has a meaning", self.key);
        words.iter().copied().zip(meanings).collect()
    }

    /// Returns the key, its description and its default, in a line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut parts = vec![self.about.to_owned()];
        parts.push(self.shape.words());
        parts.extend(self.default.map(|default| format!("default {default}")));
        parts.retain(|part| !part.is_empty());
        match parts.is_empty() {
            true => self.key.to_owned(),
            false => format!("{} ({})", self.key, parts.join("; ")),
        }
    }
}

impl Shape {
    /// Returns a short description of the allowed values. It is empty if the key's own description
    /// covers them.
    #[must_use]
    pub fn words(&self) -> String {
        let quoted = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            words.join(", ")
        };
        match self {
            Self::Number(range) => range_words(range),
            Self::Whole(least, u64::MAX) if *least > 0 => format!("{least} or more"),
            Self::Whole(least, most) if *most < u64::MAX => format!("{least} to {most}"),
            Self::Word(words) => quoted(words),
            Self::OneOf(shapes) => {
                let words = shapes
                    .iter()
                    .map(Self::words)
                    .filter(|words| !words.is_empty());
                words.collect::<Vec<_>>().join(", or ")
            }
            Self::Table(params) => {
                let keys: Vec<&str> = params.iter().map(|param| param.key).collect();
                format!("{{ {} }}", keys.join(", "))
            }
            _ => String::new(),
        }
    }
}

fn range_words(range: &NumberRange) -> String {
    match (range.from, range.to) {
        (End::With(from), End::With(to)) => format!("{from} to {to}"),
        (End::With(from), End::Open) => format!("{from} or more"),
        (End::Without(from), End::Open) => format!("above {from}"),
        (End::With(from), End::Without(to)) => format!("{from} to below {to}"),
        (End::Without(from), End::With(to)) => format!("above {from}, at most {to}"),
        (End::Without(from), End::Without(to)) => format!("above {from}, below {to}"),
        _ => String::new(),
    }
}
