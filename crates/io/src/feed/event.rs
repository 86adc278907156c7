//! CloudEvents in binary mode, where headers hold the attributes and the body the data.
//!
//! An event becomes the envelope that it would be in structured mode, so that both have one
//! meaning. In headers attributes are percent-encoded (CloudEvents, HTTP protocol binding 1.0.2,
//! section 3.1.3.2; the NATS binding says the same).

use std::borrow::Cow;

use percent_encoding::percent_decode;
use serde::Serialize;
use serde_json::value::RawValue;

/// The headers that name a record.
const SPECVERSION: &str = "ce-specversion";
const ID: &str = "ce-id";
const SOURCE: &str = "ce-source";

/// The attributes in headers that identify a record: those of an event in binary mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventAttributes {
    specversion: String,
    id: Option<String>,
    source: Option<String>,
}

/// The faults of an event's headers, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFault(pub String);

/// The event as it would be in structured mode.
#[derive(Serialize)]
struct Envelope<'e> {
    specversion: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'e str>,
    data: &'e RawValue,
}

impl EventAttributes {
    /// Reads the attributes from headers; `values` returns all values of a header name. Returns
    /// `None` if no header is such an attribute.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn of<'h>(values: impl Fn(&str) -> Vec<&'h [u8]>) -> Result<Option<Self>, EventFault> {
        let mut wrong = Vec::new();
        let mut read = |name| {
            attribute(&values(name), name)
                .map_err(|what| wrong.push(what))
                .ok()
        };
        let (specversion, id, source) = (read(SPECVERSION), read(ID), read(SOURCE));
        if wrong.is_empty()
            && [&specversion, &id, &source]
                .iter()
                .all(|a| **a == Some(None))
        {
            return Ok(None);
        }
        if specversion == Some(None) {
            wrong.push(format!("`{SPECVERSION}` is missing"));
        }
        match (specversion.flatten(), id, source) {
            (Some(specversion), Some(id), Some(source)) => Ok(Some(Self {
                specversion,
                id,
                source,
            })),
            _ => Err(EventFault(format!(
                "the headers of the CloudEvent: {}",
                wrong.join("; ")
            ))),
        }
    }

    /// Returns the event in structured mode.
    ///
    /// # Panics
    /// Never: texts and JSON are JSON.
    #[must_use]
    pub fn envelope(&self, data: &RawValue) -> String {
        let envelope = Envelope {
            specversion: &self.specversion,
            id: self.id.as_deref(),
            source: self.source.as_deref(),
            data,
        };
        serde_json::to_string(&envelope).expect("texts and JSON are JSON")
    }
}

/// Returns the value of an attribute, or `None` if no header gives it.
fn attribute(values: &[&[u8]], name: &str) -> Result<Option<String>, String> {
    let value = match values {
        [] => return Ok(None),
        [value] => value,
        _ => return Err(format!("`{name}` is there more than once")),
    };
    let text = percent_decode(&unquoted(value))
        .decode_utf8()
        .map(Cow::into_owned);
    text.map(Some).map_err(|_| format!("`{name}` is not UTF-8"))
}

/// Returns a value without the double quotes around it.
fn unquoted(value: &[u8]) -> Cow<'_, [u8]> {
    let [b'"', within @ .., b'"'] = value else {
        return value.into();
    };
    let mut plain = Vec::with_capacity(within.len());
    let mut bytes = within.iter();
    while let Some(&byte) = bytes.next() {
        let escaped = (byte == b'\\').then(|| bytes.next()).flatten();
        plain.push(*escaped.unwrap_or(&byte));
    }
    plain.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Headers<'h> = [(&'h str, &'h [u8])];

    fn read(headers: &Headers<'_>) -> Result<Option<EventAttributes>, EventFault> {
        EventAttributes::of(|name| {
            let named = headers.iter().filter(|(own, _)| *own == name);
            named.map(|(_, value)| *value).collect()
        })
    }

    fn data(text: &str) -> &RawValue {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn an_event_becomes_its_envelope() {
        let version: (_, &[u8]) = ("ce-specversion", b"1.0");
        for (id, source, read_id, read_source) in [
            (&b"a 1"[..], &b"/b"[..], "a 1", "/b"),
            (b"a%20%251", b"https://x/a%2520b", "a %1", "https://x/a%20b"),
            (b"%E2%82%AC", b"%C3%BC", "\u{20ac}", "\u{fc}"),
            (b"\xC3\xBC", b"50%", "\u{fc}", "50%"),
            (b"\"a \\\"b\\\\\"", b"\"/b%22\"", "a \"b\\", "/b\""),
        ] {
            let event = read(&[version, ("ce-id", id), ("ce-source", source)]);
            let event = event.unwrap().unwrap();
            let envelope = event.envelope(data("{\"x\": 1e2}"));
            let known = format!(
                "{{\"specversion\":\"1.0\",\"id\":{},\"source\":{},\"data\":{{\"x\": 1e2}}}}",
                serde_json::to_string(read_id).unwrap(),
                serde_json::to_string(read_source).unwrap()
            );
            assert_eq!(envelope, known);
        }
        let event = read(&[version]).unwrap().unwrap();
        let known = r#"{"specversion":"1.0","data":[]}"#;
        assert_eq!(event.envelope(data("[]")), known);
    }

    #[test]
    fn headers_that_are_wrong_are_all_named() {
        assert_eq!(read(&[("x-id", b"1")]).unwrap(), None);
        let list: [(_, &[u8]); 3] = [("ce-id", b"1"), ("ce-id", b"1"), ("ce-source", b"%ff")];
        let EventFault(said) = read(&list).unwrap_err();
        for part in [
            "`ce-id` is there more than once",
            "`ce-source` is not UTF-8",
            "`ce-specversion` is missing",
        ] {
            assert!(said.contains(part), "{said}");
        }
    }
}
