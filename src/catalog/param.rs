//! Keys of a config as data: what each is, what it may be, what holds where it is absent.

use crate::document::range::{End, NumberRange};
use crate::document::{Field, Reader};

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
    /// A list of so many.
    Tuple(&'static Shape, usize),
    /// A table whose keys are names.
    Map(&'static Shape),
    /// A table of these keys.
    Table(&'static [Param]),
    /// A table of these keys, and of others whose keys are names.
    Open(&'static [Param], &'static Shape),
    /// A value of one of these shapes.
    OneOf(&'static [Shape]),
    /// A table that is one of several kinds, which the key of this name tells apart.
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
        }
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

    /// A number of the declared range, or the declared default where the key is absent; none where
    /// it is wrong, which is noted.
    pub fn number(&self, table: &mut Reader<'_>) -> Option<f64> {
        let field = table.get(self.key);
        match field.is_given() {
            true => self.read_number(&field),
            false => self.default_number(),
        }
    }

    /// A number of the declared range.
    pub(super) fn read_number(&self, field: &Field<'_>) -> Option<f64> {
        match &self.shape {
            Shape::Number(range) => field.number_in(range),
            _ => field.number(),
        }
    }

    /// One of the declared words, by its place in the declaration; none where the key is absent or
    /// wrong, which is noted.
    pub fn word(&self, table: &mut Reader<'_>) -> Option<usize> {
        let Shape::Word(words) = self.shape else {
            return None;
        };
        let field = table.get(self.key);
        let is_default = |word: &&str| self.default == Some(word);
        match field.is_given() {
            true => {
                let places: Vec<_> = words.iter().copied().zip(0..).collect();
                field.choice(&places)
            }
            false => words.iter().position(is_default),
        }
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
