//! Rows of NDJSON: one JSON object a line, a candidate record or a flat one.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::str;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::rows::{Known, Row, Wanted};
use super::tally::{At, Kind, Shape, Tally, shown};

/// The members in which a column is looked for when the record itself has none of its name, in this order.
const WITHIN: [&str; 2] = ["groups", "features"];
/// Names of members that are remembered for messages.
const REMEMBERED: usize = 1_000;

/// The rows of an NDJSON file.
///
/// A column is looked for among the record's members, then in its `groups`, then in its `features`. Texts stand
/// as they are, numbers and truth values in the letters of the file; `null` is the same as no member.
pub(super) struct Records {
    reader: BufReader<File>,
    line: u64,
    ended: bool,
    count: u64,
    /// Of each slot, its name and whether some record has it.
    wanted: Vec<(String, bool)>,
    names: BTreeSet<String>,
}

impl Records {
    pub(super) fn new(file: File, wanted: &Wanted) -> Self {
        Self {
            reader: BufReader::with_capacity(1 << 16, file),
            line: 0,
            ended: false,
            count: 0,
            wanted: wanted
                .names()
                .map(|name| (name.to_owned(), false))
                .collect(),
            names: BTreeSet::new(),
        }
    }

    pub(super) fn read(&mut self, row: &mut Row, tally: &mut Tally) -> bool {
        let mut bytes = Vec::new();
        while self.next_line(&mut bytes, tally) {
            let mut text = bytes.as_slice();
            if self.line == 1 {
                text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
            }
            text = text.trim_ascii_end();
            if text.is_empty() {
                continue;
            }
            self.count += 1;
            row.number = self.count;
            row.line = self.line;
            match parse(text).and_then(|objects| self.take(&objects, row)) {
                Ok(()) => return true,
                Err(wrong) => {
                    let at = At::cell(self.line, wrong.column);
                    tally.note(Kind::Shape(wrong.shape), at, || {
                        (wrong.what, wrong.help.into())
                    });
                }
            }
        }
        false
    }

    /// The slots that no record has, and the members that records have; none where no record could be read.
    pub(super) fn missing(&self) -> (Vec<usize>, Known) {
        let slots = self.wanted.iter().enumerate();
        let missing = slots.filter(|(_, (_, met))| !met && !self.names.is_empty());
        let known = Known {
            names: self.names.iter().cloned().collect(),
            line: None,
        };
        (missing.map(|(slot, _)| slot).collect(), known)
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    fn next_line(&mut self, bytes: &mut Vec<u8>, tally: &mut Tally) -> bool {
        if self.ended {
            return false;
        }
        bytes.clear();
        self.line += 1;
        match self.reader.read_until(b'\n', bytes) {
            Ok(read) => self.ended = read == 0,
            Err(error) => {
                self.ended = true;
                tally.note(Kind::Shape(Shape::Reading), At::line(self.line), || {
                    let what = format!("the file cannot be read on from here: {error}");
                    (
                        what,
                        "look to the disk or the connection, then try again".into(),
                    )
                });
            }
        }
        !self.ended
    }

    /// Takes the wanted cells into the row.
    fn take(&mut self, objects: &[Members<'_>], row: &mut Row) -> Result<(), Wrong> {
        for (name, _) in objects.iter().flat_map(|members| &members.0) {
            if self.names.len() < REMEMBERED && !self.names.contains(name) {
                self.names.insert(name.clone());
            }
        }
        for (slot, (name, met)) in self.wanted.iter_mut().enumerate() {
            let cell = cell(objects, name)?;
            *met |= cell.is_some();
            row.set(slot, cell.as_deref());
        }
        Ok(())
    }
}

/// The members of an object in their order, values as the file writes them.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// What is wrong with a line.
struct Wrong {
    shape: Shape,
    /// The character, from 1.
    column: Option<u64>,
    what: String,
    help: &'static str,
}

/// The record, and after it those of the members it is looked into that are objects.
fn parse(line: &[u8]) -> Result<Vec<Members<'_>>, Wrong> {
    let text = str::from_utf8(line).map_err(|error| {
        let (good, _) = line.split_at(error.valid_up_to());
        Wrong {
            shape: Shape::Encoding,
            column: Some(characters(&String::from_utf8_lossy(good)) + 1),
            what: "the line holds bytes that are not UTF-8".into(),
            help: "save the file as UTF-8",
        }
    })?;
    let record: Members<'_> = serde_json::from_str(text).map_err(|error| {
        let before = error.column().saturating_sub(1);
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        Wrong {
            shape: Shape::Record,
            column: text.get(..before).map(|before| characters(before) + 1),
            what: format!("the line is not a JSON object: {what}"),
            help: match error.is_eof() {
                true => "the record is cut off: write each whole record on one line of its own",
                false => "write one JSON object a line",
            },
        }
    })?;
    let inner = WITHIN.into_iter().filter_map(|name| {
        let (_, value) = record.0.iter().find(|(member, _)| member == name)?;
        serde_json::from_str(value.get()).ok()
    });
    let inner: Vec<Members<'_>> = inner.collect();
    Ok(std::iter::once(record).chain(inner).collect())
}

/// The cell of this name in the first of the objects that has one.
fn cell<'a>(objects: &[Members<'a>], name: &str) -> Result<Option<Cow<'a, str>>, Wrong> {
    for Members(members) in objects {
        let mut found = members.iter().filter(|(member, _)| member == name);
        let Some((_, value)) = found.next() else {
            continue;
        };
        if found.next().is_some() {
            let what = format!("the record has the member {} twice", shown(name));
            return Err(wrong_member(what, "write each member once"));
        }
        let raw: &'a str = value.get();
        match raw.as_bytes().first() {
            Some(b'n') => {}
            Some(b'"') => return Ok(serde_json::from_str(raw).ok().map(Cow::Owned)),
            Some(b'{' | b'[') => {
                let what = format!("the member {} is an object or a list", shown(name));
                return Err(wrong_member(
                    what,
                    "a column needs a text, a number or a truth value",
                ));
            }
            _ => return Ok(Some(Cow::Borrowed(raw))),
        }
    }
    Ok(None)
}

fn wrong_member(what: String, help: &'static str) -> Wrong {
    Wrong {
        shape: Shape::Member,
        column: None,
        what,
        help,
    }
}

fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}
