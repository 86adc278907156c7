//! Pages of other origins that may send requests (CORS, in the Fetch standard): those that the
//! config lists.

use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

/// The request header of a preflight from a page of the internet to a server on its user's own
/// machine.
const PRIVATE: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// The origin of a page that may send requests.
pub(super) struct ListedOrigin(HeaderValue);

impl ListedOrigin {
    /// The origin of the page that sends a request, if it is listed.
    pub(super) fn of(headers: &HeaderMap, listed: &[Box<str>]) -> Option<Self> {
        let origin = headers.get(ORIGIN)?;
        let text = origin.to_str().ok()?;
        let is_listed = listed.iter().any(|one| one.eq_ignore_ascii_case(text));
        is_listed.then(|| Self(origin.clone()))
    }

    /// The answer to a browser's preflight request; `None` for any other request.
    pub(super) fn preflight(&self, request: &Request) -> Option<Response> {
        let headers = request.headers();
        let asks = headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if *request.method() != Method::OPTIONS || !asks {
            return None;
        }
        let mut answer = StatusCode::NO_CONTENT.into_response();
        let allowed = answer.headers_mut();
        let mut set = |name, value| allowed.insert(name, value);
        set(
            ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, POST"),
        );
        set(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        if let Some(names) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
            set(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
        }
        if headers.contains_key(PRIVATE) {
            set(ALLOW_PRIVATE, HeaderValue::from_static("true"));
        }
        Some(answer)
    }

    /// Lets the page read an answer.
    pub(super) fn admit(self, answer: &mut Response) {
        let headers = answer.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, self.0);
        let exposed = HeaderValue::from_static("Retry-After");
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}

/// Keeps caches from giving one origin the answer to another, if any origin is listed.
pub(super) fn vary(answer: &mut Response, listed: &[Box<str>]) {
    if !listed.is_empty() {
        let origin = HeaderValue::from_static("origin");
        answer.headers_mut().append(VARY, origin);
    }
}
