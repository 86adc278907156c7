//! The key `monitor`: the addresses at which NATS servers report their state.

use crate::document::Field;
use kleroterion_io::feed::NatsMonitor;

/// The port where an address has none: the one that NATS servers take by custom.
const PORT: u16 = 8222;

const EXAMPLE: &str = "the address of each server's `http_port`, separated by commas: \
                       monitor = \"http://127.0.0.1:8222\"";

/// Addresses, separated by commas.
pub(super) fn monitors_of(field: &Field<'_>) -> Option<Box<[NatsMonitor]>> {
    let all: Vec<&str> = field.text()?.split(',').map(str::trim).collect();
    let mut monitors: Vec<NatsMonitor> = Vec::with_capacity(all.len());
    for text in all {
        let monitor = monitor_of(text).map_err(|(what, help)| field.refuse(what, help));
        let monitor = monitor.ok()?;
        if monitors.contains(&monitor) {
            return field.refused(
                format!("{monitor} comes twice"),
                "give each server's own address once",
            );
        }
        monitors.push(monitor);
    }
    Some(monitors.into())
}

/// An address; or what is wrong with it, and the remedy.
fn monitor_of(text: &str) -> Result<NatsMonitor, (String, &'static str)> {
    if text.contains('@') {
        return Err((
            "a secret in an address would be kept in the folder of the run".to_owned(),
            "leave it out: give the address of a `http_port`, which demands none",
        ));
    }
    if text.starts_with("https://") {
        return Err((
            format!("{text:?} is an address with TLS, and klero asks without"),
            "give the server a `http` address that this machine reaches: http: \"127.0.0.1:8222\"",
        ));
    }
    let no_address = || {
        (
            format!("{text:?} is no monitoring address of a NATS server"),
            EXAMPLE,
        )
    };
    let rest = text.strip_prefix("http://").ok_or_else(no_address)?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let is_plain = |c: char| c.is_ascii_graphic() && !"?#\\".contains(c);
    // The colons of an IPv6 address are in brackets.
    let after = authority.rfind(']').unwrap_or(0);
    let (host, port) = match authority[after..].rfind(':') {
        Some(at) => (&authority[..after + at], &authority[after + at + 1..]),
        None => (authority, ""),
    };
    let port = match port {
        "" if host.len() == authority.len() => Some(PORT),
        port => port.parse().ok().filter(|port| *port > 0),
    };
    let is_sound = !host.is_empty() && !host.ends_with(':') && rest.chars().all(is_plain);
    let port = port.filter(|_| is_sound).ok_or_else(no_address)?;
    Ok(NatsMonitor {
        authority: format!("{host}:{port}").into(),
        path: path.trim_end_matches('/').into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_host_a_port_and_a_path() {
        for (text, shown) in [
            ("http://127.0.0.1:8222", "http://127.0.0.1:8222"),
            ("http://nats.example", "http://nats.example:8222"),
            ("http://[::1]", "http://[::1]:8222"),
            ("http://[::1]:1/a/b/", "http://[::1]:1/a/b"),
        ] {
            assert_eq!(monitor_of(text).expect(text).to_string(), shown);
        }
        for (text, words) in [
            ("", "no monitoring address"),
            ("8222", "no monitoring address"),
            ("nats://127.0.0.1:4222", "no monitoring address"),
            ("http://", "no monitoring address"),
            ("http://:8222", "no monitoring address"),
            ("http://a:b", "no monitoring address"),
            ("http://a:0", "no monitoring address"),
            ("http://a:", "no monitoring address"),
            ("http://a:70000", "no monitoring address"),
            ("http://a b", "no monitoring address"),
            ("http://a/x\r\ny: z", "no monitoring address"),
            ("https://a:8443", "with TLS"),
            ("http://me:word@a", "a secret"),
        ] {
            let (what, _) = monitor_of(text).expect_err(text);
            assert!(what.contains(words), "{text:?}: {what}");
        }
    }
}
