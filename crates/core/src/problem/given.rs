//! The reading of an optional section or key of a config.

/// The reading of an optional section or key: its value, absent, or wrong. A wrong one has been
/// reported.
///
/// Whatever depends on a wrong value is left open, so that one fault makes one problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given<T> {
    /// The value, present and valid.
    Is(T),
    /// The config does not have the section or key.
    Absent,
    /// The config has the section or key, and its value is wrong.
    Bad,
}

impl<T> Given<T> {
    /// Makes the reading of a section or key, from its presence and the value that could be read.
    pub fn of(is_there: bool, read: Option<T>) -> Self {
        match (read, is_there) {
            (Some(read), _) => Self::Is(read),
            (None, true) => Self::Bad,
            (None, false) => Self::Absent,
        }
    }

    /// Returns the value if it is present and valid.
    pub fn is(self) -> Option<T> {
        match self {
            Self::Is(what) => Some(what),
            Self::Absent | Self::Bad => None,
        }
    }

    /// Converts from `&Given<T>` to `Given<&T>`.
    pub fn as_ref(&self) -> Given<&T> {
        match self {
            Self::Is(what) => Given::Is(what),
            Self::Absent => Given::Absent,
            Self::Bad => Given::Bad,
        }
    }

    /// Maps the value with `make`. A result of `None` makes it wrong.
    pub fn and_then<U>(self, make: impl FnOnce(T) -> Option<U>) -> Given<U> {
        match self {
            Self::Is(what) => Given::of(true, make(what)),
            Self::Absent => Given::Absent,
            Self::Bad => Given::Bad,
        }
    }

    /// Returns the value, or `default` if the key is absent. `None` if the value is wrong.
    pub fn or(self, default: T) -> Option<T> {
        match self {
            Self::Is(what) => Some(what),
            Self::Absent => Some(default),
            Self::Bad => None,
        }
    }

    /// Returns the value, or the result of `default` if the key is absent. `None` if the value is
    /// wrong.
    pub fn or_else(self, default: impl FnOnce() -> Option<T>) -> Option<T> {
        match self {
            Self::Is(what) => Some(what),
            Self::Absent => default(),
            Self::Bad => None,
        }
    }

    /// Returns `None` if the value is wrong, else the value or `None` within `Some`.
    pub fn unless_bad(self) -> Option<Option<T>> {
        match self {
            Self::Is(what) => Some(Some(what)),
            Self::Absent => Some(None),
            Self::Bad => None,
        }
    }

    /// Returns true if the config does not have the key or section.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Returns true if the config has the key or section with a wrong value.
    pub fn is_bad(&self) -> bool {
        matches!(self, Self::Bad)
    }
}
