//! Lookup of the attributes and values that a config means: with the same spelling, else a similar
//! one.

use kleroterion_core::protocol::{Attribute, Schema};
use kleroterion_io::record::alike;

/// The index of an attribute.
pub(super) fn attribute(schema: &Schema, name: &str) -> Option<usize> {
    let names = schema.attributes().iter().map(|one| one.name.as_str());
    alike::find(name, names).ok()?
}

/// The index of a value of an attribute.
pub(super) fn value(attribute: &Attribute, name: &str) -> Option<usize> {
    let names = attribute.values.iter().map(String::as_str);
    alike::find(name, names).ok()?
}
