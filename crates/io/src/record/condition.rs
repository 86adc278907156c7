//! One condition of the `where` language.

use super::alike::alike;
use super::cell::{number, shortest};

/// One condition on one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub(super) column: String,
    pub(super) test: Test,
}

impl Clause {
    /// Returns the column that the clause reads.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// Returns true if the clause compares numbers, by size or for equality.
    pub fn is_of_numbers(&self) -> bool {
        match &self.test {
            Test::Compare(..) => true,
            Test::OneOf(list) | Test::NoneOf(list) => list
                .iter()
                .any(|literal| matches!(literal, Literal::Number(_))),
        }
    }

    /// The clause with `…` in place of the values that it names; a bound stays.
    pub(super) fn unvalued(&self) -> String {
        let column = match self
            .column
            .contains(|c: char| !(c.is_alphanumeric() || c == '_'))
        {
            true => format!("'{}'", self.column),
            false => self.column.clone(),
        };
        let test = match &self.test {
            Test::Compare(order, limit) => format!("{} {}", order.sign(), shortest(*limit)),
            Test::OneOf(list) if list.len() == 1 => "== …".to_owned(),
            Test::NoneOf(list) if list.len() == 1 => "!= …".to_owned(),
            Test::OneOf(_) => "in […]".to_owned(),
            Test::NoneOf(_) => "not in […]".to_owned(),
        };
        format!("{column} {test}")
    }

    /// Returns the number of cells equal to each value that the clause names, or `None` for a
    /// comparison by size.
    pub fn counts<C: AsRef<str>>(&self, cells: &[C]) -> Option<Vec<usize>> {
        let (Test::OneOf(list) | Test::NoneOf(list)) = &self.test else {
            return None;
        };
        let count = |literal: &Literal| {
            let cells = cells.iter().filter(|cell| literal.equals(cell.as_ref()));
            cells.count()
        };
        Some(list.iter().map(count).collect())
    }

    /// The clause with texts of which each letter matters.
    pub(super) fn spelt(mut self) -> Self {
        if let Test::OneOf(list) | Test::NoneOf(list) = &mut self.test {
            for literal in list {
                if let Literal::Text(_, is_exact) = literal {
                    *is_exact = true;
                }
            }
        }
        self
    }

    /// Returns true if the clause holds for a cell of its column.
    pub fn holds(&self, cell: &str) -> bool {
        match &self.test {
            Test::Compare(order, limit) => number(cell).is_some_and(|n| match order {
                Comparison::Less => n < *limit,
                Comparison::AtMost => n <= *limit,
                Comparison::More => n > *limit,
                Comparison::AtLeast => n >= *limit,
            }),
            Test::OneOf(list) => list.iter().any(|literal| literal.equals(cell)),
            Test::NoneOf(list) => !list.iter().any(|literal| literal.equals(cell)),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Compare(Comparison, f64),
    OneOf(Vec<Literal>),
    NoneOf(Vec<Literal>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Comparison {
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Comparison {
    fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    Number(f64),
    /// A text, and whether its spelling matters.
    Text(String, bool),
}

impl Literal {
    fn equals(&self, cell: &str) -> bool {
        match self {
            Self::Number(n) => number(cell) == Some(*n),
            Self::Text(text, true) => cell == text,
            Self::Text(text, false) => alike(cell, text),
        }
    }
}

/// The reason why a text is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("character {}: {what} (help: {help})", .at + 1)]
pub struct FilterError {
    /// The fault, without a full stop.
    pub what: String,
    /// The index of the character at which the error is, from 0. It is the text's length if
    /// something is missing at the end.
    pub at: usize,
    /// The remedy.
    pub help: String,
}
