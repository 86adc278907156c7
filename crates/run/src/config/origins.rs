//! Origins of web pages: `"https://example.org"`, `"http://localhost:3000"`.

use crate::document::Field;

/// The schemes of web pages, and the ports that a browser leaves out of their origins.
const SCHEMES: [(&str, u16); 2] = [("http", 80), ("https", 443)];

/// An origin as browsers send it, in small letters.
pub(super) fn origin(field: &Field<'_>) -> Option<Box<str>> {
    let text = field.text()?.to_ascii_lowercase();
    match fault(&text) {
        None => Some(text.into()),
        Some(help) => {
            let what = format!("{text:?} is no origin of a web page");
            field.refused(what, help)
        }
    }
}

/// The remedy where a text is no origin.
fn fault(text: &str) -> Option<String> {
    let example = || Some("for example: origins = [\"https://example.org\"]".to_owned());
    if text == "*" {
        return Some("name each origin: a list of all would let any page ask".into());
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        return example();
    };
    let Some((_, default)) = SCHEMES.iter().find(|(known, _)| *known == scheme) else {
        return example();
    };
    if let Some((authority, _)) = rest.split_once(['/', '?', '#']) {
        return Some(format!(
            "an origin ends before the path: \"{scheme}://{authority}\""
        ));
    }
    // A colon within brackets is of an address.
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (rest, None),
    };
    match port.map(str::parse::<u16>) {
        Some(Ok(port)) if port == *default => {
            return Some(format!(
                "browsers leave out the port {port}: \"{scheme}://{host}\""
            ));
        }
        Some(Err(_)) => return Some("a port is a number up to 65535".into()),
        _ => {}
    }
    if is_host(host) { None } else { example() }
}

/// Returns true if a text is a host name or an address as browsers write it.
fn is_host(text: &str) -> bool {
    if let Some(address) = text.strip_prefix('[') {
        let address = address.strip_suffix(']').unwrap_or_default();
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._".contains(c);
    !text.is_empty() && text.chars().all(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_have_a_scheme_a_host_and_no_path() {
        for text in [
            "https://example.org",
            "http://localhost:3000",
            "https://xn--bcher-kva.example:8443",
            "http://127.0.0.1:8080",
            "http://[::1]",
            "http://[2001:db8::1]:8080",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
        for (text, part) in [
            ("*", "name each"),
            ("null", "for example"),
            ("", "for example"),
            ("example.org", "for example"),
            ("ftp://example.org", "for example"),
            ("https://", "for example"),
            ("https://*.example.org", "for example"),
            ("https://b\u{fc}cher.example", "for example"),
            ("https://user@example.org", "for example"),
            ("https://example.org/", "\"https://example.org\""),
            ("https://example.org/app?x", "\"https://example.org\""),
            ("https://example.org:443", "\"https://example.org\""),
            ("http://example.org:80", "\"http://example.org\""),
            ("http://example.org:99999", "a port"),
            ("http://example.org:", "a port"),
            ("http://[::1", "for example"),
        ] {
            let help = fault(text).unwrap_or_default();
            assert!(help.contains(part), "{text}: {help}");
        }
    }
}
