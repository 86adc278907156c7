//! The reading of an optional section or key of a config.

/// An optional section or key: its value, that it is absent, or that it is wrong, which has been
/// reported.
///
/// Whatever depends on a wrong one is left open, so that one fault makes one problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given<T> {
    /// What it says.
    Is(T),
    /// The config does not have it.
    Absent,
    /// The config has it, and it is wrong.
    Bad,
}

impl<T> Given<T> {
    /// The reading of a section or key that is there or not, and of which a value could be read or
    /// not.
    pub fn of(is_there: bool, read: Option<T>) -> Self {
        match (read, is_there) {
            (Some(read), _) => Self::Is(read),
            (None, true) => Self::Bad,
            (None, false) => Self::Absent,
        }
    }

    /// What it says, where it is there and right.
    pub fn is(self) -> Option<T> {
        match self {
            Self::Is(what) => Some(what),
            Self::Absent | Self::Bad => None,
        }
    }

    /// The same of a reference.
    pub fn as_ref(&self) -> Given<&T> {
        match self {
            Self::Is(what) => Given::Is(what),
            Self::Absent => Given::Absent,
            Self::Bad => Given::Bad,
        }
    }

    /// The same of what is made of it; none makes it wrong.
    pub fn and_then<U>(self, make: impl FnOnce(T) -> Option<U>) -> Given<U> {
        match self {
            Self::Is(what) => Given::of(true, make(what)),
            Self::Absent => Given::Absent,
            Self::Bad => Given::Bad,
        }
    }

    /// What it says, or a default where it is absent; none where it is wrong.
    pub fn or(self, default: T) -> Option<T> {
        match self {
            Self::Is(what) => Some(what),
            Self::Absent => Some(default),
            Self::Bad => None,
        }
    }

    /// What it says, or what `default` makes where it is absent; none where it is wrong.
    pub fn or_else(self, default: impl FnOnce() -> Option<T>) -> Option<T> {
        match self {
            Self::Is(what) => Some(what),
            Self::Absent => default(),
            Self::Bad => None,
        }
    }

    /// What it says, or none where it is absent; the outer none where it is wrong.
    pub fn unless_bad(self) -> Option<Option<T>> {
        match self {
            Self::Is(what) => Some(Some(what)),
            Self::Absent => Some(None),
            Self::Bad => None,
        }
    }

    /// Whether the config does not have it.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the config has it, and it is wrong.
    pub fn is_bad(&self) -> bool {
        matches!(self, Self::Bad)
    }
}
