//! Answers in JSON, including errors.

use std::borrow::Cow;

use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use kleroterion_io::feed::Rejected;

/// The refusal of a request, answered as `{error, help, places?}`.
#[derive(Debug, Serialize)]
pub(super) struct HttpRefusal {
    #[serde(skip)]
    pub(super) status: StatusCode,
    error: Cow<'static, str>,
    help: Cow<'static, str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<Rejected>,
    /// The number of the journal's entry, if the candidate was taken in spite of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    #[serde(skip)]
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl HttpRefusal {
    pub(super) fn new(
        status: StatusCode,
        error: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            status,
            error: error.into(),
            help: help.into(),
            places: Vec::new(),
            seq: None,
            headers: Vec::new(),
        }
    }

    pub(super) fn at(mut self, places: Vec<Rejected>) -> Self {
        self.places = places;
        self
    }

    pub(super) fn taken(mut self, seq: u64) -> Self {
        self.seq = Some(seq);
        self
    }

    pub(super) fn header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }

    /// Replaces the advice.
    pub(super) fn saying(mut self, help: &'static str) -> Self {
        self.help = help.into();
        self
    }

    /// Answers 429: the records were not taken and may be sent again.
    pub(super) fn busy(error: &'static str) -> Self {
        let help = "nothing of it was taken: send it again, more slowly";
        Self::new(StatusCode::TOO_MANY_REQUESTS, error, help).header(RETRY_AFTER, "1")
    }

    /// Answers 503: the service is unavailable now.
    pub(super) fn unavailable(error: &'static str, help: &'static str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error, help).header(RETRY_AFTER, "1")
    }

    /// Answers 410: all lanes have ended.
    pub(super) fn over() -> Self {
        let help = "nothing of it was taken; the run's results are in its folder";
        Self::new(StatusCode::GONE, "no lane runs any more", help)
    }

    /// Answers 401, with the ways to show a token.
    pub(super) fn unauthorized(error: &'static str) -> Self {
        let help = "send `Authorization: Bearer TOKEN`, or the token as the password of HTTP's \
                    basic authentication";
        Self::new(StatusCode::UNAUTHORIZED, error, help)
            .header(WWW_AUTHENTICATE, "Bearer realm=\"klero\"")
            .header(WWW_AUTHENTICATE, "Basic realm=\"klero\"")
    }
}

impl IntoResponse for HttpRefusal {
    fn into_response(self) -> Response {
        let mut response = json(self.status, &self);
        for (name, value) in self.headers {
            response.headers_mut().append(name, value);
        }
        response
    }
}

/// An answer with this value as JSON.
pub(super) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    let (status, text) = match serde_json::to_string(value) {
        Ok(text) => (status, text),
        // Nothing that is answered here can fail to be JSON.
        Err(error) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("{{\"error\":\"no answer: {}\"}}", error.classify() as u8),
        ),
    };
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, text + "\n").into_response()
}

/// Answers 404.
pub(super) async fn not_found(uri: Uri) -> HttpRefusal {
    let error = format!("there is nothing at {}", uri.path());
    let help = "there are: POST /v1/candidates, POST /v1/outcomes, POST /v1/decisions, GET \
                /v1/decisions, POST /v1/slates, POST /v1/withdrawals, GET /v1/looks, POST \
                /v1/looks, GET /healthz, GET /readyz, GET /metrics";
    HttpRefusal::new(StatusCode::NOT_FOUND, error, help)
}

/// Answers 405. The router adds `Allow`.
pub(super) async fn not_allowed(method: Method, uri: Uri) -> HttpRefusal {
    let error = format!("{} takes no {method}", uri.path());
    let help = format!("the header `{ALLOW}` lists what it takes");
    HttpRefusal::new(StatusCode::METHOD_NOT_ALLOWED, error, help)
}
