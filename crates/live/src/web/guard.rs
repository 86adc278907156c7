//! Access control: the token, and of other sites only the pages of listed origins (CORS, in the
//! Fetch standard).

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, CONNECTION, HOST, HeaderMap, HeaderName, ORIGIN,
    VARY,
};
use axum::http::{HeaderValue, Method, StatusCode, Uri, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, Engine};

use super::answer::HttpRefusal;
use super::body;
use super::state::Server;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Admits a request or refuses it, and counts the answer.
pub(super) async fn guard(
    State(server): State<Arc<Server>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.extensions().get::<MatchedPath>().cloned();
    let listed = &server.services.origins;
    let page = ListedOrigin::of(request.headers(), listed);
    let preflight = page.as_ref().and_then(|page| page.preflight(&request));
    let allowed = at_home(&server, &request, page.is_some()).and_then(|()| match &preflight {
        // A browser sends no token with it.
        Some(_) => Ok(()),
        None => known(&server, &request),
    });
    let mut response = match allowed {
        Ok(()) => match preflight {
            Some(answer) => answer,
            None => next.run(request).await,
        },
        Err(refusal) => {
            let (head, body) = request.into_parts();
            body::discard(&head.headers, body).await;
            refusal.into_response()
        }
    };
    vary(&mut response, listed);
    if let Some(page) = page {
        page.admit(&mut response);
    }
    let path = path.as_ref().map_or("other", MatchedPath::as_str);
    server.count(path, response.status());
    // Others wait for a place: those who have one don't keep it beyond their request.
    if server.places.are_taken() {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    response
}

/// Refuses a request that a page of another site could have made its reader's browser send.
/// `is_listed` is true if the page's origin is listed.
fn at_home(server: &Server, request: &Request, is_listed: bool) -> Result<(), HttpRefusal> {
    let headers = request.headers();
    let host = host(headers, request.uri());
    if request.version() == Version::HTTP_11 && !headers.contains_key(HOST) {
        let error = "the header Host is missing";
        let help = "HTTP/1.1 demands `Host: ADDRESS`";
        return Err(HttpRefusal::new(StatusCode::BAD_REQUEST, error, help));
    }
    if server.loopback && host.is_some_and(|host| !is_literal(host)) {
        // A page of any site could otherwise have its own name resolved to this machine.
        let error = "the header Host names neither an address nor localhost";
        let help = "ask by 127.0.0.1, [::1] or localhost";
        return Err(HttpRefusal::new(StatusCode::FORBIDDEN, error, help));
    }
    if !is_listed && is_foreign(headers, request.method(), host) {
        let error = "the request comes from a page of another site";
        let help = "ask by a program or from the board's own page, or list the page's origin in the \
                    config: [live] origins = [\"https://example.org\"]";
        return Err(HttpRefusal::new(StatusCode::FORBIDDEN, error, help));
    }
    Ok(())
}

/// The request header of a preflight from a page of the internet to a server on its user's own
/// machine.
const PRIVATE: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// The origin of a page that may send requests.
struct ListedOrigin(HeaderValue);

impl ListedOrigin {
    /// The origin of the page that sends a request, if it is listed.
    fn of(headers: &HeaderMap, listed: &[Box<str>]) -> Option<Self> {
        let origin = headers.get(ORIGIN)?;
        let text = origin.to_str().ok()?;
        let is_listed = listed.iter().any(|one| one.eq_ignore_ascii_case(text));
        is_listed.then(|| Self(origin.clone()))
    }

    /// The answer to a browser's preflight request; `None` for any other request.
    fn preflight(&self, request: &Request) -> Option<Response> {
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
    fn admit(self, answer: &mut Response) {
        let headers = answer.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, self.0);
        let exposed = HeaderValue::from_static("Retry-After");
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}

/// Keeps caches from giving one origin the answer to another, if any origin is listed.
fn vary(answer: &mut Response, listed: &[Box<str>]) {
    if !listed.is_empty() {
        let origin = HeaderValue::from_static("origin");
        answer.headers_mut().append(VARY, origin);
    }
}

/// Refuses a request without the token, if one is demanded.
fn known(server: &Server, request: &Request) -> Result<(), HttpRefusal> {
    let Some(token) = &server.services.token else {
        return Ok(());
    };
    if ["/healthz", "/readyz"].contains(&request.uri().path()) {
        return Ok(());
    }
    match request.headers().get(AUTHORIZATION) {
        None => Err(HttpRefusal::unauthorized("a token is demanded")),
        Some(shown) if bears(shown.as_bytes(), token) => Ok(()),
        Some(_) => Err(HttpRefusal::unauthorized("wrong token")),
    }
}

/// The address that the request is for: that of its target, or else of its `Host` header.
fn host<'r>(headers: &'r HeaderMap, uri: &'r Uri) -> Option<&'r str> {
    let target = uri.authority().map(|authority| authority.as_str());
    // A header that is no text is no address either.
    let header = headers.get(HOST).map(|host| host.to_str().unwrap_or("?"));
    target.or(header)
}

fn is_literal(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.parse::<IpAddr>().is_ok() || name.eq_ignore_ascii_case("localhost")
}

/// Returns true if a browser sends the request on behalf of another site's page.
fn is_foreign(headers: &HeaderMap, method: &Method, host: Option<&str>) -> bool {
    if let Some(origin) = headers.get(ORIGIN) {
        let origin = origin.to_str().unwrap_or("null");
        let own = origin.split_once("://").map(|(_, authority)| authority);
        return !own
            .zip(host)
            .is_some_and(|(a, b)| a.eq_ignore_ascii_case(b));
    }
    let site = headers.get(SITE).map(HeaderValue::as_bytes);
    *method == Method::POST && matches!(site, Some(b"cross-site" | b"same-site"))
}

/// Returns true if a header shows the token. The time that it takes does not depend on where they
/// differ.
fn bears(header: &[u8], token: &str) -> bool {
    let Some(space) = header.iter().position(|&byte| byte == b' ') else {
        return false;
    };
    let (scheme, shown) = (&header[..space], header[space..].trim_ascii());
    // Digests are compared in constant time.
    let same = |shown: &[u8]| blake3::hash(shown) == blake3::hash(token.as_bytes());
    if scheme.eq_ignore_ascii_case(b"bearer") {
        return same(shown);
    }
    // What browsers can send along with every request of a page, an event stream included.
    let named = scheme
        .eq_ignore_ascii_case(b"basic")
        .then(|| BASE64.decode(shown).ok())
        .flatten();
    named.is_some_and(|named| {
        let colon = named.iter().position(|&byte| byte == b':');
        colon.is_some_and(|colon| same(&named[colon + 1..]))
    })
}

/// Base64 as clients send it: with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_told_from_others() {
        // base64 of `klero:secret`, `:secret`, `klero:other` and `secret`.
        for (header, lets_in) in [
            ("Bearer secret", true),
            ("bearer  secret", true),
            ("Bearer secre", false),
            ("Bearer secrets", false),
            ("Bearer ", false),
            ("Bearer", false),
            ("secret", false),
            ("Basic a2xlcm86c2VjcmV0", true),
            ("Basic OnNlY3JldA==", true),
            ("Basic a2xlcm86b3RoZXI=", false),
            ("Basic c2VjcmV0", false),
            ("Basic !!!", false),
            ("Digest secret", false),
        ] {
            assert_eq!(bears(header.as_bytes(), "secret"), lets_in, "{header}");
        }
    }

    #[test]
    fn names_are_told_from_addresses() {
        for (host, literal) in [
            ("127.0.0.1", true),
            ("127.0.0.1:8090", true),
            ("[::1]:8090", true),
            ("[::1]", true),
            ("localhost", true),
            ("LocalHost:1", true),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example:80", false),
            ("evil.example", false),
            ("", false),
            ("[evil]", false),
        ] {
            assert_eq!(is_literal(host), literal, "{host}");
        }
    }
}
