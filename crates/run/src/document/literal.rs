//! The defaults of keys.

use std::fmt;
use std::time::Duration;

use super::node::Value;

/// The default of a key, as it would be written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// A whole number.
    Whole(u64),
    /// A number.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A text or a word.
    Text(&'static str),
    /// A time, in seconds or milliseconds.
    Time(Duration),
    /// A size in bytes, of whole kibibytes.
    Bytes(u64),
    /// An empty list.
    Empty,
    /// No fixed value: these words say what it follows from.
    From(&'static str),
}

impl Literal {
    /// Returns the value. `None` if it is not fixed.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        match self {
            Self::Whole(number) => i64::try_from(number).ok().map(Value::Whole),
            Self::Number(number) => Some(Value::Number(number)),
            Self::Flag(flag) => Some(Value::Flag(flag)),
            Self::Text(text) => Some(Value::Text(text.to_owned())),
            Self::Time(_) | Self::Bytes(_) => Some(Value::Text(self.to_string())),
            Self::Empty => Some(Value::List(Vec::new())),
            Self::From(_) => None,
        }
    }
}

impl fmt::Display for Literal {
    /// Writes it for a list of keys: texts without quotes, `1` and not `1.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) if number.fract() == 0.0 => number.fmt(f),
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Flag(flag) => flag.fmt(f),
            Self::Text(text) | Self::From(text) => f.write_str(text),
            Self::Time(time) if time.subsec_millis() == 0 => write!(f, "{}s", time.as_secs()),
            Self::Time(time) => write!(f, "{}ms", time.as_millis()),
            Self::Bytes(bytes) => write!(f, "{}KiB", bytes >> 10),
            Self::Empty => f.write_str("[]"),
        }
    }
}
