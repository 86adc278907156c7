//! JSON records: parsing, unwrapping, and writing on one line.

use std::borrow::Cow;
use std::ops::Deref;

use super::cell::shown;
use super::fault::Fault;
use super::object::{self, Members, members};
use crate::limits::LONGEST_ID;
use kleroterion_core::nearest::nearest;

/// A record whose members are each there once, and whose texts are text.
pub(crate) struct Record<'a> {
    /// The record itself, then those of its members in which columns are looked for.
    objects: Vec<Members<'a>>,
    /// The record's name from its envelope, if it came in one; or the reason why that is no name.
    enveloped: Result<Option<Cow<'a, str>>, Fault>,
}

impl<'a> Record<'a> {
    /// Parses a record, and unwraps it from its envelope if it came in one.
    ///
    /// # Errors
    /// A text that is no JSON object; members given twice, texts that are none, nesting too deep;
    /// an envelope that holds no record.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Fault> {
        let (record, envelope) = opened(text)?;
        Ok(Self {
            objects: object::objects(record),
            enveloped: envelope.map_or(Ok(None), |envelope| name(&[envelope])),
        })
    }

    /// The cell of a column, where there is one: of the member that is spelt so, else of one that
    /// is alike; an `id` may be what the envelope calls the record.
    ///
    /// # Errors
    /// A member that is no cell, two that are alike, or an envelope that gives no name.
    pub(crate) fn cell(&self, column: &str) -> Result<Option<Cow<'a, str>>, Fault> {
        match object::column(&self.objects, column)? {
            None if column == "id" => self.enveloped.clone(),
            found => Ok(found),
        }
    }

    /// The names of all members in which columns are looked for.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Cow<'a, str>> {
        let members = self.objects.iter().flat_map(|object| &object.0);
        members.map(|(name, _)| name)
    }

    /// Returns the name that the envelope gives the record, or `None`.
    pub(crate) fn enveloped(&self) -> Option<&str> {
        self.enveloped.as_ref().ok()?.as_deref()
    }

    /// Returns true if the record itself has an `id`.
    fn is_named(&self) -> bool {
        matches!(object::column(&self.objects, "id"), Ok(Some(_)))
    }

    /// The record on one line, with this id as its first member where it has none of its own.
    pub(crate) fn compact(&self, id: Option<&str>) -> CompactRecord {
        let id = id.filter(|_| !self.is_named());
        let members = &self.objects[0].0;
        let length: usize = members
            .iter()
            .map(|(n, v)| n.len() + v.get().len() + 4)
            .sum();
        let mut text = String::with_capacity(length + id.map_or(0, |id| id.len() + 10) + 2);
        text.push('{');
        if let Some(id) = id {
            text.push_str("\"id\":");
            text.push_str(&serde_json::to_string(id).expect("a text is JSON"));
        }
        let members_from = text.len();
        for (name, value) in members {
            // Of an id it has none but perhaps `null`.
            if id.is_some() && name == "id" {
                continue;
            }
            if text.len() > 1 {
                text.push(',');
            }
            quote(&mut text, name);
            text.push(':');
            squeeze(&mut text, value.get());
        }
        text.push('}');
        CompactRecord {
            text: text.into(),
            members_from,
        }
    }
}

/// A record as JSON on one line, perhaps with an id written into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactRecord {
    text: Box<str>,
    /// The place in the text after the brace and the id that was written into it, if any.
    members_from: usize,
}

impl CompactRecord {
    /// Returns the record without the id that was written into it.
    #[must_use]
    pub fn as_sent(&self) -> String {
        let members = &self.text[self.members_from..];
        format!("{{{}", members.strip_prefix(',').unwrap_or(members))
    }
}

impl From<&str> for CompactRecord {
    /// A record into which no id was written.
    fn from(text: &str) -> Self {
        let members_from = 1;
        Self {
            text: text.into(),
            members_from,
        }
    }
}

impl Deref for CompactRecord {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The members of the record that a text is or, in a CloudEvents envelope, holds; and of the
/// envelope.
///
/// # Errors
/// As of [`members`]; an envelope that holds no record.
pub(crate) fn opened(text: &str) -> Result<(Members<'_>, Option<Members<'_>>), Fault> {
    let record = members(text)?;
    match record.get("specversion") {
        None => Ok((record, None)),
        Some(_) => Ok((data(&record)?, Some(record))),
    }
}

/// Returns true if a text is a CloudEvents envelope.
///
/// # Errors
/// A text that is no JSON object.
pub fn is_envelope(text: &str) -> Result<bool, String> {
    let record = members(text).map_err(|fault| fault.line())?;
    Ok(record.get("specversion").is_some())
}

/// Returns the name that an envelope gives its record: `SOURCE ID`, since an id is unique only
/// within its source. The blank between them is in no URI reference, so two different pairs never
/// have the same name. Without a source the name is the id alone.
fn name<'a>(envelope: &[Members<'a>]) -> Result<Option<Cow<'a, str>>, Fault> {
    let (Some(id), source) = (
        object::cell(envelope, "id")?,
        object::cell(envelope, "source")?,
    ) else {
        return Ok(None);
    };
    let Some(source) = source.filter(|_| !id.is_empty()) else {
        return Ok(Some(id));
    };
    if source.is_empty() || source.contains(|c: char| c.is_whitespace() || c.is_control()) {
        let source = shown(&source);
        return Err(Fault::of_member(
            format!("{source} in `source` of the CloudEvents envelope is no URI reference"),
            "write it without blanks, or give the person an `id` in `data`",
        ));
    }
    match source.chars().count() + 1 + id.chars().count() {
        0..=LONGEST_ID => Ok(Some(format!("{source} {id}").into())),
        length => Err(Fault::of_member(
            format!(
                "`source` and `id` of the CloudEvents envelope make a name of {length} \
                 characters, of at most {LONGEST_ID}"
            ),
            "shorten them, or give the person an `id` in `data`",
        )),
    }
}

/// The record within an envelope.
fn data<'a>(envelope: &Members<'a>) -> Result<Members<'a>, Fault> {
    let fault = |what: String| {
        let help = "send the record as a JSON object in `data`";
        Err(Fault::of_member(what, help))
    };
    if envelope.get("data_base64").is_some() {
        return fault("`data_base64` is not read".into());
    }
    let Some(data) = envelope.get("data") else {
        let near = nearest("data", envelope.names());
        let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let what = "the record is a CloudEvents envelope (it has `specversion`) without `data`";
        return fault(format!("{what}{help}"));
    };
    let Some(data) = object::within(data) else {
        return fault("`data` of the CloudEvents envelope is not a JSON object".into());
    };
    match data.get("specversion") {
        None => Ok(data),
        Some(_) => fault("`data` of the CloudEvents envelope is an envelope again".into()),
    }
}

/// Adds a member's name as JSON.
fn quote(text: &mut String, name: &str) {
    match name.contains(|c: char| c == '"' || c == '\\' || c.is_control()) {
        true => text.push_str(&serde_json::to_string(name).expect("a text is JSON")),
        false => text.extend(["\"", name, "\""]),
    }
}

/// Adds a JSON value without the blanks between its tokens.
fn squeeze(text: &mut String, raw: &str) {
    if !raw.starts_with(['{', '[']) {
        text.push_str(raw);
        return;
    }
    let (mut from, mut within, mut escaped) = (0, false, false);
    for (at, byte) in raw.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = within,
            b'"' => within = !within,
            b' ' | b'\t' | b'\n' | b'\r' if !within => {
                text.push_str(&raw[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    text.push_str(&raw[from..]);
}
