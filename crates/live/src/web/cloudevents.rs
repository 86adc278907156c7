//! CloudEvents in binary mode over HTTP.

use axum::http::StatusCode;
use axum::http::header::HeaderMap;

use super::answer::HttpRefusal;
use kleroterion_io::feed::{EventAttributes, EventFault};

/// The attributes of a request that is an event in binary mode; `None` without such headers.
///
/// # Errors
/// Answers 400 with all problems of the headers.
pub(super) fn event_of(headers: &HeaderMap) -> Result<Option<EventAttributes>, HttpRefusal> {
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
