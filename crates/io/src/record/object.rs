//! A JSON object as its members, values in the letters in which they are written.

use std::borrow::Cow;
use std::fmt;
use std::str;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::alike::alike;
use super::cell::shown;
use super::fault::{Fault, FaultKind};
use super::outside::{self, twice};
use crate::limits::DEEPEST_JSON;

/// The members in which a column is looked for when the record itself has none of its name, in this
/// order.
const WITHIN: [&str; 2] = ["groups", "features"];

/// The members of an object in their order, values as they are written.
pub(crate) struct Members<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The first member of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let found = self.0.iter().find(|(member, _)| member == name);
        found.map(|(_, value)| *value)
    }

    /// The value of the member of this name.
    pub(crate) fn written(&self, name: &str) -> Option<Written<'a>> {
        self.get(name).map(Written::of)
    }

    /// The names in their order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }
}

/// A value in the letters in which it is written: no number becomes another one.
#[derive(Debug, PartialEq)]
pub(crate) enum Written<'a> {
    /// `null`.
    Nothing,
    Truth(&'a str),
    Number(&'a str),
    Text(Cow<'a, str>),
    /// An object or a list.
    Nested,
}

impl<'a> Written<'a> {
    pub(crate) fn of(value: &'a RawValue) -> Self {
        let raw = value.get();
        match raw.as_bytes().first() {
            Some(b'n') => Self::Nothing,
            Some(b'"') => Self::Text(match raw.contains('\\') {
                // Its escapes were looked at.
                true => Cow::Owned(serde_json::from_str(raw).unwrap_or_default()),
                false => Cow::Borrowed(raw.get(1..raw.len() - 1).unwrap_or_default()),
            }),
            Some(b'{' | b'[') => Self::Nested,
            Some(b't' | b'f') => Self::Truth(raw),
            _ => Self::Number(raw),
        }
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(16);
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// A member's name, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// The text of a line.
pub(crate) fn text(line: &[u8]) -> Result<&str, Fault> {
    str::from_utf8(line).map_err(|error| {
        let (good, _) = line.split_at(error.valid_up_to());
        Fault {
            kind: FaultKind::Encoding,
            column: Some(characters(&String::from_utf8_lossy(good)) + 1),
            what: "the line holds bytes that are not UTF-8".into(),
            help: "save the file as UTF-8",
        }
    })
}

/// The members of the object that a text from outside is. An envelope is no nesting of what it
/// holds.
///
/// # Errors
/// A text that is no JSON object; members given twice, texts that are none, nesting too deep.
pub(crate) fn members(text: &str) -> Result<Members<'_>, Fault> {
    let members = parsed(text)?;
    let is_envelope = members.get("specversion").is_some();
    outside::check(text, DEEPEST_JSON + usize::from(is_envelope))?;
    Ok(members)
}

/// The members of the object that a value is, if it is one.
pub(crate) fn within(value: &RawValue) -> Option<Members<'_>> {
    let is_object = value.get().starts_with('{');
    is_object.then(|| parsed(value.get()).ok()).flatten()
}

fn parsed(text: &str) -> Result<Members<'_>, Fault> {
    serde_json::from_str(text).map_err(|error| {
        let before = error.column().saturating_sub(1);
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        Fault {
            kind: FaultKind::Record,
            column: text.get(..before).map(|before| characters(before) + 1),
            what: format!("the line is not a JSON object: {what}"),
            help: match error.is_eof() {
                true => "the record is cut off: write each whole record on one line of its own",
                false => "write one JSON object a line",
            },
        }
    })
}

/// The record, and after it those of the members it is looked into that are objects.
pub(crate) fn objects(record: Members<'_>) -> Vec<Members<'_>> {
    let inner = WITHIN.map(|name| record.get(name).and_then(within));
    std::iter::once(record)
        .chain(inner.into_iter().flatten())
        .collect()
}

/// The cell of a column: of the member that is spelt so, else of the only one in an object whose
/// name is alike (see [`alike`]).
///
/// # Errors
/// As of [`cell`]; two members of one object that are alike.
pub(crate) fn column<'a>(
    objects: &[Members<'a>],
    name: &str,
) -> Result<Option<Cow<'a, str>>, Fault> {
    let spelt = cell(objects, name)?;
    if spelt.is_some() {
        return Ok(spelt);
    }
    for Members(members) in objects {
        let names = || members.iter().map(|(member, _)| &**member);
        let mut found = names().filter(|member| *member != name && alike(member, name));
        let Some(member) = found.next() else {
            continue;
        };
        if let Some(other) = found.next() {
            let what = format!(
                "the members {} and {} are one name: case, blanks and Unicode form make no \
                 difference",
                shown(member),
                shown(other)
            );
            return Err(Fault::of_member(
                what,
                "spell one of them as the config does",
            ));
        }
        let met = cell(objects, member)?;
        if met.is_some() {
            return Ok(met);
        }
    }
    Ok(None)
}

/// The cell of this name in the first of the objects that has one: texts unchanged, numbers and
/// truth values in the letters in which they are written, nothing for `null`.
pub(crate) fn cell<'a>(objects: &[Members<'a>], name: &str) -> Result<Option<Cow<'a, str>>, Fault> {
    for Members(members) in objects {
        let mut found = members.iter().filter(|(member, _)| member == name);
        let Some((_, value)) = found.next() else {
            continue;
        };
        if found.next().is_some() {
            return Err(twice(name));
        }
        match Written::of(value) {
            Written::Nothing => {}
            Written::Text(text) => return Ok(Some(text)),
            Written::Truth(raw) | Written::Number(raw) => return Ok(Some(raw.into())),
            Written::Nested => {
                let what = format!("the member {} is an object or a list", shown(name));
                return Err(Fault::of_member(
                    what,
                    "a column needs a text, a number or a truth value",
                ));
            }
        }
    }
    Ok(None)
}

fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}
