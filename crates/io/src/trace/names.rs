//! The names of people in files and on pages.

use std::fmt;
use std::sync::Arc;

use crate::people::organisers::ValuePair;
use kleroterion_core::protocol::Id;

/// The number of digits of a hashed name. Two of a billion people share a name with a probability
/// of about 3 %.
const DIGITS: usize = 16;

/// The names of people in traces, and the attributes that traces show. By default, people are named
/// by their ids.
#[derive(Clone, Default)]
pub struct Names {
    key: Option<Arc<[u8; 32]>>,
    dropped: Arc<[String]>,
}

impl Names {
    /// Returns names that are hashes of ids under a key. Equal ids have equal names, and only the
    /// key leads back to them.
    #[must_use]
    pub fn hidden(key: [u8; 32]) -> Self {
        Self {
            key: Some(Arc::new(key)),
            ..Self::default()
        }
    }

    /// Returns these names with some attributes dropped from outputs.
    #[must_use]
    pub fn dropping(mut self, attributes: &[String]) -> Self {
        self.dropped = attributes.into();
        self
    }

    /// Returns true if ids are hidden: outputs then have a keyed hash in place of each id.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.key.is_some()
    }

    /// Returns true if outputs show an attribute. A dropped attribute also hides the pairs of
    /// attributes that contain it.
    #[must_use]
    pub fn shows(&self, attribute: &str) -> bool {
        let mut dropped = self.dropped.iter();
        !dropped.any(|one| attribute == one || ValuePair::is_named_of(attribute, one))
    }

    /// Returns true if outputs show scores and features. An exact number may identify a person or
    /// give away a dropped attribute.
    #[must_use]
    pub fn shows_numbers(&self) -> bool {
        !self.is_hidden() && self.dropped.is_empty()
    }

    /// Returns the name of a person in outputs: the id itself, or the first digits of its keyed
    /// hash where ids are hidden.
    #[must_use]
    pub fn called(&self, id: &str) -> String {
        match &self.key {
            None => id.to_owned(),
            Some(key) => blake3::keyed_hash(key, id.as_bytes()).to_hex()[..DIGITS].to_owned(),
        }
    }

    /// Returns true if a text has the form of a hidden id: hexadecimal digits of the right number.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// Returns the name of a person in outputs.
    pub(super) fn of(&self, id: Id<'_>) -> String {
        match &self.key {
            None => id.to_string(),
            Some(_) => self.called(&id.to_string()),
        }
    }
}

impl fmt::Debug for Names {
    /// Formats the names without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_hidden() { "hidden" } else { "plain" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_name_is_the_ids_alone_and_the_keys() {
        let name = |names: &Names, id| names.of(Id::Name(id));
        let (one, other) = (Names::hidden([1; 32]), Names::hidden([2; 32]));
        assert_eq!(name(&Names::default(), "ann"), "ann");
        assert_eq!(name(&one, "ann"), name(&one.clone(), "ann"));
        assert_ne!(name(&one, "ann"), name(&one, "bob"));
        assert_ne!(name(&one, "ann"), name(&other, "ann"));
        assert_eq!(name(&one, "ann").len(), DIGITS);
        assert_eq!(name(&one, "7"), one.of(Id::Number(7)));
        assert!(!format!("{one:?}").contains('1'));
    }
}
