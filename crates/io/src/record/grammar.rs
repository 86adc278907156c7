//! The grammar of the `where` language; its meaning is documented at [`Filter`](super::Filter).

use super::cell::number;
use super::condition::{Clause, Comparison, FilterError, Literal, Test};

/// The longest first, since `<` also begins `<=`.
const OPERATORS: [&str; 8] = ["==", "!=", "<=", ">=", "<>", "=", "<", ">"];
const KNOWN: &str = "the operators are == != < <= > >=, `in [a, b]` and `not in [a, b]`";

/// Reads clauses from a filter's text, character by character.
pub(super) struct Parser {
    chars: Vec<char>,
    at: usize,
}

impl Parser {
    pub(super) fn new(text: &str) -> Self {
        Self {
            chars: text.chars().collect(),
            at: 0,
        }
    }

    pub(super) fn clause(&mut self) -> Result<Clause, FilterError> {
        let column = self.column()?;
        let start = self.skip();
        let test = if let Some(operator) = OPERATORS.into_iter().find(|o| self.eat(o)) {
            self.test(operator, start)?
        } else {
            match self.word().to_ascii_lowercase().as_str() {
                "in" => Test::OneOf(self.list()?),
                "not" => {
                    let at = self.skip();
                    if !self.word().eq_ignore_ascii_case("in") {
                        return Err(error(at, "`in` must follow `not`", "write `not in [a, b]`"));
                    }
                    Test::NoneOf(self.list()?)
                }
                "" => {
                    let what = format!("an operator must follow the column `{column}`");
                    return Err(error(start, what, KNOWN));
                }
                other => return Err(error(start, format!("`{other}` is no operator"), KNOWN)),
            }
        };
        Ok(Clause { column, test })
    }

    fn test(&mut self, operator: &str, start: usize) -> Result<Test, FilterError> {
        let order = match operator {
            "==" | "=" => return Ok(Test::OneOf(vec![self.literal()?])),
            "!=" => return Ok(Test::NoneOf(vec![self.literal()?])),
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::More,
            ">=" => Comparison::AtLeast,
            other => return Err(error(start, format!("`{other}` is no operator"), KNOWN)),
        };
        let at = self.skip();
        match self.literal()? {
            Literal::Number(limit) => Ok(Test::Compare(order, limit)),
            Literal::Text(text, _) => Err(error(
                at,
                format!("`{operator}` compares numbers, and '{text}' is a text"),
                "write a number without quotes, or use == != or `in` for texts",
            )),
        }
    }

    /// Returns true if another clause follows.
    pub(super) fn joined(&mut self) -> Result<bool, FilterError> {
        let at = self.skip();
        if at == self.chars.len() {
            return Ok(false);
        }
        let word = self.word();
        if word.eq_ignore_ascii_case("and") {
            return Ok(true);
        }
        let help = if word.eq_ignore_ascii_case("or") || word == "||" {
            "there is no `or`: for several values of one column write `COLUMN in [a, b]`"
        } else {
            "join clauses with `and`, and put texts with blanks in quotes"
        };
        let rest: String = self.chars[at..].iter().collect();
        let what = format!("`{rest}` is left over after the clause");
        Err(error(at, what, help))
    }

    fn column(&mut self) -> Result<String, FilterError> {
        let at = self.skip();
        let name = match self.chars.get(at) {
            Some('\'' | '"') => self.quoted()?,
            _ => self.word(),
        };
        if name.is_empty() {
            return Err(error(
                at,
                "the name of a column belongs here",
                "write COLUMN OPERATOR VALUE, as in AGEP >= 18",
            ));
        }
        Ok(name)
    }

    fn list(&mut self) -> Result<Vec<Literal>, FilterError> {
        let help = "write a list as [1, 2, 3] or ['a', 'b']";
        let open = self.skip();
        if !self.eat("[") {
            return Err(error(open, "a list must follow `in`", help));
        }
        let mut list = Vec::new();
        loop {
            let at = self.skip();
            if list.is_empty() && self.eat("]") {
                return Err(error(at, "the list is empty", help));
            }
            list.push(self.literal()?);
            let at = self.skip();
            if self.eat("]") {
                return Ok(list);
            }
            if !self.eat(",") {
                return Err(error(at, "a comma or `]` belongs here", help));
            }
        }
    }

    fn literal(&mut self) -> Result<Literal, FilterError> {
        let at = self.skip();
        if let Some('\'' | '"') = self.chars.get(at) {
            return Ok(Literal::Text(self.quoted()?, false));
        }
        let word = self.word();
        if let Some(n) = number(&word) {
            return Ok(Literal::Number(n));
        }
        let help = "write a number, or a text in quotes";
        Err(match word.as_str() {
            "" => error(at, "a value belongs here", help),
            _ => error(
                at,
                format!("`{word}` is neither a number nor a text in quotes"),
                format!("write '{word}' for the text"),
            ),
        })
    }

    /// A text between two quotes of the same kind; it may contain the other kind.
    fn quoted(&mut self) -> Result<String, FilterError> {
        let (open, quote) = (self.at, self.chars[self.at]);
        let inside = &self.chars[open + 1..];
        let Some(length) = inside.iter().position(|c| *c == quote) else {
            let help = format!("close it with {quote}");
            return Err(error(open, "the quote that opens here never closes", help));
        };
        self.at = open + length + 2;
        Ok(inside[..length].iter().collect())
    }

    /// All up to a blank, a quote or a sign of the language; may be empty.
    fn word(&mut self) -> String {
        let rest = &self.chars[self.at..];
        let ends = |c: &char| c.is_whitespace() || "=!<>[],'\"".contains(*c);
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += length;
        rest[..length].iter().collect()
    }

    fn eat(&mut self, sign: &str) -> bool {
        let here = self.chars[self.at..].iter().take(sign.len());
        let found = here.copied().eq(sign.chars());
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// Skips blanks; returns the place reached.
    fn skip(&mut self) -> usize {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.at
    }
}

fn error(at: usize, what: impl Into<String>, help: impl Into<String>) -> FilterError {
    FilterError {
        what: what.into(),
        at,
        help: help.into(),
    }
}
