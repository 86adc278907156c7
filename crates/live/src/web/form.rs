//! The form of a body, as the headers of its request declare it.

use axum::http::StatusCode;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};

use super::answer::HttpRefusal;
use kleroterion_io::feed::{Codec, EventAttributes, EventFault};

/// The advice on content types where rows are taken.
const KINDS: &str = "send `Content-Type: application/json` (an object or an array), \
                     `application/x-ndjson` (an object a line) or `text/csv` (rows, the first with \
                     the names of the columns); with curl: --json '{…}', or -H \
                     'content-type: application/x-ndjson' --data-binary @FILE";

/// The advice on content types where rows are not taken.
const WITHOUT_ROWS: &str = "send `Content-Type: application/json` (an object or an array) or \
                            `application/x-ndjson` (an object a line); with curl: --json '{…}', or \
                            -H 'content-type: application/x-ndjson' --data-binary @FILE";

/// The form of a body after decompression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BodyForm {
    /// One JSON value, or an array of them. Other bodies are tried as lines.
    Json,
    /// CloudEvents as JSON: one envelope, or an array of any number.
    Events,
    /// The data of one CloudEvent, in JSON.
    Event(EventAttributes),
    /// One JSON value per line.
    Lines,
    /// Separated text, such as CSV.
    Rows(Codec),
}

/// The compression of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// No compression.
    Identity,
    /// gzip (RFC 1952).
    Gzip,
}

/// The form and the compression that the headers declare.
///
/// `codec` is the config's codec, or `None` where rows are not taken. With a codec of rows, a body
/// without a type is read as rows. Refuses with 415 otherwise.
pub(super) fn form(
    headers: &HeaderMap,
    codec: Option<Codec>,
) -> Result<(BodyForm, Coding), HttpRefusal> {
    let help = codec.as_ref().map_or(WITHOUT_ROWS, |_| KINDS);
    let refused = |error: String| HttpRefusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error, help);
    let coding = coding(headers)?;
    let given = headers.get(CONTENT_TYPE);
    let given = given.map_or("", |given| given.to_str().unwrap_or("?"));
    let kind = given.split(';').next().unwrap_or_default().trim();
    let kind = kind.to_ascii_lowercase();
    let form = match event_of(headers)? {
        // Else it is in structured mode, and the headers repeat what the envelope says.
        Some(event) if !is_of_events(&kind) => return Ok((event_form(&kind, event)?, coding)),
        _ => match (&*kind, codec) {
            ("text/csv", Some(codec)) => separated(given, codec),
            ("text/csv", None) => Err("rows are taken at /v1/candidates alone, not here".into()),
            // Nothing is said of the body here: then the config's word counts.
            ("" | "application/octet-stream", Some(rows @ Codec::Csv { .. })) => {
                Ok(BodyForm::Rows(rows))
            }
            (kind, _) => json_form(kind),
        },
    };
    Ok((form.map_err(refused)?, coding))
}

/// The compression of a body, or 415 if it is not gzip.
fn coding(headers: &HeaderMap) -> Result<Coding, HttpRefusal> {
    let all = headers.get_all(CONTENT_ENCODING).iter();
    let texts = all.map(|value| value.to_str().unwrap_or("?"));
    let codings = texts.flat_map(|text| text.split(',')).map(str::trim);
    let codings: Vec<&str> = codings
        .filter(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
        .collect();
    let gzip = ["gzip", "x-gzip"];
    match codings.as_slice() {
        [] => Ok(Coding::Identity),
        [one] if gzip.iter().any(|gzip| one.eq_ignore_ascii_case(gzip)) => Ok(Coding::Gzip),
        _ => {
            let error = format!("the body is encoded as {}", codings.join(", "));
            let help = "send it as it is, or compressed once with `Content-Encoding: gzip`";
            let refusal = HttpRefusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error, help);
            Err(refusal.header(ACCEPT_ENCODING, "gzip"))
        }
    }
}

/// The attributes of a request that is an event in binary mode; `None` without such headers.
///
/// # Errors
/// Answers 400 with all problems of the headers.
fn event_of(headers: &HeaderMap) -> Result<Option<EventAttributes>, HttpRefusal> {
    let values = |name: &str| {
        let values = headers.get_all(name).iter();
        values.map(|value| value.as_bytes()).collect()
    };
    EventAttributes::of(values).map_err(|EventFault(error)| {
        let help = "send `ce-specversion: 1.0`, `ce-id` and `ce-source` once each, or the \
                    event in structured mode, `Content-Type: application/cloudevents+json`";
        HttpRefusal::new(StatusCode::BAD_REQUEST, error, help)
    })
}

/// Returns true if bodies of this type are CloudEvents in structured mode, or a batch of them.
fn is_of_events(kind: &str) -> bool {
    kind.starts_with("application/cloudevents")
}

fn json_form(kind: &str) -> Result<BodyForm, String> {
    match kind {
        "application/x-ndjson"
        | "application/ndjson"
        | "application/jsonl"
        | "application/x-jsonlines" => Ok(BodyForm::Lines),
        "application/cloudevents+json" | "application/cloudevents-batch+json" => {
            Ok(BodyForm::Events)
        }
        _ if is_json(kind) => Ok(BodyForm::Json),
        "" => Err("the body has no content type".into()),
        _ => Err(format!("bodies of type {kind} are not read")),
    }
}

fn is_json(kind: &str) -> bool {
    let is_of_json = kind.starts_with("application/") && kind.ends_with("+json");
    is_of_json || ["application/json", "text/json"].contains(&kind)
}

/// The form of an event's data in binary mode. Data without a type is JSON, since the libraries of
/// CloudEvents send it like that.
fn event_form(kind: &str, event: EventAttributes) -> Result<BodyForm, HttpRefusal> {
    if kind.is_empty() || is_json(kind) {
        return Ok(BodyForm::Event(event));
    }
    let error = format!(
        "the headers `ce-…` make the body the data of one CloudEvent, and data of type {kind} is \
         not read, only JSON"
    );
    let help = "send `Content-Type: application/json`, or none where your library allows it: some \
                add a type of their own; with curl: --json '{…}'";
    Err(HttpRefusal::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        error,
        help,
    ))
}

/// The form of rows according to the content type (RFC 4180) and the config. The content type
/// decides whether there is a row of names, and without it the config.
fn separated(given: &str, codec: Codec) -> Result<BodyForm, String> {
    let (delimiter, mut columns) = match codec {
        Codec::Csv { delimiter, columns } => (delimiter, columns),
        Codec::Json => (b',', None),
    };
    for parameter in given.split(';').skip(1) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let name = name.trim().to_ascii_lowercase();
        let value = value.trim().trim_matches('"').to_ascii_lowercase();
        match (&*name, &*value) {
            ("header", "present") => columns = None,
            ("header", "absent") if columns.is_some() => {}
            ("header", "absent") => {
                return Err(
                    "the content type says `header=absent`, but the config names no columns \
                            (decoding.columns)"
                        .into(),
                );
            }
            ("header", value) => {
                return Err(format!(
                    "the content type says `header={value}`, which is neither present nor absent"
                ));
            }
            ("charset", "utf-8" | "utf8" | "us-ascii") => {}
            ("charset", charset) => {
                return Err(format!("rows in {charset} are not read, only in UTF-8"));
            }
            _ => {}
        }
    }
    Ok(BodyForm::Rows(Codec::Csv { delimiter, columns }))
}
