//! The keys of a config as data: description, shape and default of each.

use std::fmt;

use super::kind_list::KindList;
use super::literal::Literal;
use super::range::{End, NumberRange};

/// A key of a table, with its shape and default.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name of the key.
    pub key: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// The default. `None` if the key has no default.
    pub default: Option<Literal>,
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
    Word(&'static dyn KeyWords),
    /// One of a fixed set of words, or one of several tables of one key.
    Form(&'static dyn KeyWords, &'static dyn Tables),
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

/// The words that a value may be, whatever they mean.
pub trait KeyWords: Sync {
    /// Returns the words, in order.
    fn words(&self) -> Vec<&'static str>;
}

impl<const N: usize> KeyWords for [&'static str; N] {
    fn words(&self) -> Vec<&'static str> {
        self.to_vec()
    }
}

impl<T: Sync, const N: usize> KeyWords for [(&'static str, T); N] {
    fn words(&self) -> Vec<&'static str> {
        self.iter().map(|(word, _)| *word).collect()
    }
}

impl fmt::Debug for dyn KeyWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().fmt(f)
    }
}

/// The tables that a value may be, whatever they mean.
pub trait Tables: Sync {
    /// Returns the keys of each table, in order.
    fn tables(&self) -> Vec<&'static [Param]>;
}

impl fmt::Debug for dyn Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tables().fmt(f)
    }
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
    /// An optional key without a description and a default.
    pub(super) const fn new(key: &'static str, shape: Shape) -> Self {
        Self {
            key,
            about: "",
            shape,
            default: None,
            is_needed: false,
            example: "",
        }
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
    /// Returns the shapes of which a value has one.
    #[must_use]
    pub fn parts(&self) -> Vec<Self> {
        match self {
            Self::OneOf(shapes) => shapes.to_vec(),
            Self::Form(words, tables) => {
                let word = (!words.words().is_empty()).then_some(Self::Word(*words));
                let tables = tables.tables().into_iter().map(Self::Table);
                word.into_iter().chain(tables).collect()
            }
            _ => vec![*self],
        }
    }

    /// Returns a short description of the allowed values. It is empty if the key's own description
    /// covers them.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Number(range) => range_words(range),
            Self::Whole(least, u64::MAX) if *least > 0 => format!("{least} or more"),
            Self::Whole(least, most) if *most < u64::MAX => format!("{least} to {most}"),
            Self::Word(words) => {
                let words = words.words().into_iter().map(|word| format!("{word:?}"));
                words.collect::<Vec<_>>().join(", ")
            }
            Self::OneOf(_) | Self::Form(..) => {
                let parts = self.parts();
                let words = parts.iter().map(Self::words);
                let words = words.filter(|words| !words.is_empty());
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
