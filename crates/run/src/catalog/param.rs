//! Keys of a config as data: what each is, what it may be, what holds where it is absent.

use crate::document::range::{End, NumberRange};
use crate::document::{Field, Reader};
use kleroterion_core::problem::Given;

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key.
    pub key: &'static str,
    /// What it says, in a line.
    pub about: &'static str,
    /// What its value may be.
    pub shape: Shape,
    /// What holds where it is absent, as TOML.
    pub default: Option<&'static str>,
    /// Whether the table must have it.
    pub is_needed: bool,
    /// A line of TOML with it, for advice where it is missing.
    pub example: &'static str,
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Anything.
    Any,
    /// `true` or `false`.
    Flag,
    /// `true` alone.
    True,
    /// A text.
    Text,
    /// A number of a range.
    Number(NumberRange),
    /// A whole number of at least and at most so much.
    Whole(u64, u64),
    /// One of some words.
    Word(&'static [&'static str]),
    /// A list.
    List(&'static Shape),
    /// A list of this many members.
    Tuple(&'static Shape, usize),
    /// A table whose keys are names.
    Map(&'static Shape),
    /// A table of these keys.
    Table(&'static [Param]),
    /// A table of these keys, and of others whose keys are names.
    Open(&'static [Param], &'static Shape),
    /// A value of one of these shapes.
    OneOf(&'static [Shape]),
    /// A table that is one of several kinds, which the key of this name distinguishes.
    Kinds(&'static str, fn() -> Vec<Entry>),
}

/// A kind of table: its name, and its keys.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The word that names the kind.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its keys, but for the one that names the kind.
    pub params: Vec<Param>,
}

/// Any whole number.
pub const WHOLE: Shape = Shape::Whole(0, u64::MAX);
/// A whole number of at least 1.
pub const COUNT: Shape = Shape::Whole(1, u64::MAX);
/// A list of texts.
pub const TEXTS: Shape = Shape::List(&Shape::Text);

impl Param {
    /// An optional key.
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

    /// The same with an example.
    #[must_use]
    pub const fn like(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// The same, needed.
    #[must_use]
    pub const fn needed(self) -> Self {
        Self {
            is_needed: true,
            ..self
        }
    }

    /// The same with a default.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }

    /// The number that holds where the key is absent; none without a default.
    #[must_use]
    pub fn default_number(&self) -> Option<f64> {
        self.default?.parse().ok()
    }

    /// The field of a key that the table must have; that it is missing is noted.
    pub(super) fn need<'a>(&self, table: &mut Reader<'a>) -> Field<'a> {
        table.need(self.key, self.example)
    }

    /// A number of the declared range, where the key is given.
    pub fn given_number(&self, table: &mut Reader<'_>) -> Given<f64> {
        let read = |field: &Field<'_>| self.read_number(field);
        table.get(self.key).optional(read)
    }

    /// A number of the declared range, or the declared default where the key is absent; none where
    /// it is wrong, which is noted.
    pub fn number(&self, table: &mut Reader<'_>) -> Option<f64> {
        self.given_number(table).or_else(|| self.default_number())
    }

    /// The same; that the default was taken becomes a note for the reader of the run.
    pub(super) fn number_or_note(
        &self,
        table: &mut Reader<'_>,
        notes: &mut Vec<String>,
    ) -> Option<f64> {
        self.given_number(table).or_else(|| {
            let default = self.default_number()?;
            notes.push(format!(
                "{} = {default:?} (the config gives none)",
                self.key
            ));
            Some(default)
        })
    }

    /// A number of the declared range.
    pub fn read_number(&self, field: &Field<'_>) -> Option<f64> {
        match &self.shape {
            Shape::Number(range) => field.number_in(range),
            _ => field.number(),
        }
    }

    /// The meaning of the word that a key gives, where it is given; `meanings`: of the declared
    /// words, in their order.
    pub fn given_word<T: Clone, const N: usize>(
        &self,
        table: &mut Reader<'_>,
        meanings: [T; N],
    ) -> Given<T> {
        let read = |field: &Field<'_>| field.choice(&self.words_with(meanings));
        table.get(self.key).optional(read)
    }

    /// The meaning of the word that a key gives, or of the declared default where the key is
    /// absent; none where it is wrong, which is noted.
    pub(super) fn word<T: Clone, const N: usize>(
        &self,
        table: &mut Reader<'_>,
        meanings: [T; N],
    ) -> Option<T> {
        let given = self.given_word(table, meanings.clone());
        given.or_else(|| self.default_word(meanings))
    }

    /// The same; that the default was taken becomes a note for the reader of the run.
    pub(super) fn word_or_note<T: Clone, const N: usize>(
        &self,
        table: &mut Reader<'_>,
        meanings: [T; N],
        notes: &mut Vec<String>,
    ) -> Option<T> {
        let given = self.given_word(table, meanings.clone());
        given.or_else(|| {
            let default = self.default?;
            notes.push(format!(
                "{} = {default:?} (the config gives none)",
                self.key
            ));
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

    /// The key, what it says and its default, in a line.
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
    /// What a value may be, in a few words; empty where the key's description says it.
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
