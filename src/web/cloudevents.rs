//! CloudEvents in binary mode over HTTP, where headers hold the attributes and the body the data.
//!
//! An event becomes the envelope that it would be in structured mode, so that both have one
//! meaning. In headers attributes are percent-encoded (CloudEvents, HTTP protocol binding 1.0.2,
//! section 3.1.3.2).

use std::borrow::Cow;

use axum::http::StatusCode;
use axum::http::header::{HeaderMap, HeaderName};
use percent_encoding::percent_decode;
use serde::Serialize;
use serde_json::value::RawValue;

use super::answer::HttpRefusal;

const SPECVERSION: HeaderName = HeaderName::from_static("ce-specversion");
const ID: HeaderName = HeaderName::from_static("ce-id");
const SOURCE: HeaderName = HeaderName::from_static("ce-source");

/// The attributes of an event in binary mode that name its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EventHeaders {
    specversion: String,
    id: Option<String>,
    source: Option<String>,
}

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

impl EventHeaders {
    /// The attributes of a request; none where it has no such headers.
    ///
    /// # Errors
    /// 400 with all that is wrong with them.
    pub(super) fn of(headers: &HeaderMap) -> Result<Option<Self>, HttpRefusal> {
        let mut wrong = Vec::new();
        let mut read = |name| {
            attribute(headers, name)
                .map_err(|what| wrong.push(what))
                .ok()
        };
        let (specversion, id, source) = (read(&SPECVERSION), read(&ID), read(&SOURCE));
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
            _ => {
                let error = format!("the headers of the CloudEvent: {}", wrong.join("; "));
                let help = "send `ce-specversion: 1.0`, `ce-id` and `ce-source` once each, or the \
                            event in structured mode, `Content-Type: application/cloudevents+json`";
                Err(HttpRefusal::new(StatusCode::BAD_REQUEST, error, help))
            }
        }
    }

    /// The event in structured mode.
    pub(super) fn envelope(&self, data: &RawValue) -> String {
        let envelope = Envelope {
            specversion: &self.specversion,
            id: self.id.as_deref(),
            source: self.source.as_deref(),
            data,
        };
        serde_json::to_string(&envelope).expect("texts and JSON are JSON")
    }
}

/// An attribute's value, where a header gives it.
fn attribute(headers: &HeaderMap, name: &HeaderName) -> Result<Option<String>, String> {
    let mut values = headers.get_all(name).iter();
    let (Some(value), more) = (values.next(), values.next()) else {
        return Ok(None);
    };
    if more.is_some() {
        return Err(format!("`{name}` is there more than once"));
    }
    let text = percent_decode(&unquoted(value.as_bytes()))
        .decode_utf8()
        .map(Cow::into_owned);
    text.map(Some).map_err(|_| format!("`{name}` is not UTF-8"))
}

/// A value without the double quotes around it.
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
    use axum::http::HeaderValue;

    use super::*;

    fn headers(list: &[(&'static str, &[u8])]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(*name, HeaderValue::from_bytes(value).unwrap());
        }
        headers
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
            let headers = headers(&[version, ("ce-id", id), ("ce-source", source)]);
            let event = EventHeaders::of(&headers).unwrap().unwrap();
            let envelope = event.envelope(data("{\"x\": 1e2}"));
            let known = format!(
                "{{\"specversion\":\"1.0\",\"id\":{},\"source\":{},\"data\":{{\"x\": 1e2}}}}",
                serde_json::to_string(read_id).unwrap(),
                serde_json::to_string(read_source).unwrap()
            );
            assert_eq!(envelope, known);
        }
        let only = headers(&[version]);
        let event = EventHeaders::of(&only).unwrap().unwrap();
        let known = r#"{"specversion":"1.0","data":[]}"#;
        assert_eq!(event.envelope(data("[]")), known);
    }

    #[test]
    fn headers_that_are_wrong_are_all_named() {
        assert_eq!(EventHeaders::of(&headers(&[("x-id", b"1")])).unwrap(), None);
        let list: [(_, &[u8]); 3] = [("ce-id", b"1"), ("ce-id", b"1"), ("ce-source", b"%ff")];
        let refusal = EventHeaders::of(&headers(&list)).unwrap_err();
        let said = serde_json::to_string(&refusal).unwrap();
        for part in [
            "`ce-id` is there more than once",
            "`ce-source` is not UTF-8",
            "`ce-specversion` is missing",
        ] {
            assert!(said.contains(part), "{said}");
        }
    }
}
