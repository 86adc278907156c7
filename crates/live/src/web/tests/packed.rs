//! Bodies that are compressed.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn post(site: &Site, kind: &str, coding: &str, body: &[u8]) -> TestReply {
    let head = format!("POST /v1/candidates\r\nContent-Type: {kind}");
    site.ask(&format!("{head}\r\nContent-Encoding: {coding}"), body)
}

#[test]
fn a_gzip_body_is_what_it_holds() {
    let site = site(Set::default());
    let (json, lines) = ("application/json", "application/x-ndjson");
    let people: String = (0..5000)
        .map(|n| person(&n.to_string(), 1) + "\n")
        .collect();
    let (first, rest) = people.split_at(40_000);
    // Several members after each other are one body (RFC 1952, section 2.2).
    let members = [gzip(first.as_bytes()), gzip(b""), gzip(rest.as_bytes())].concat();
    for (kind, coding, body, accepted) in [
        (json, "gzip", gzip(person("a", 1).as_bytes()), 1),
        (json, "GZIP", gzip(person("a", 1).as_bytes()), 0),
        (lines, "x-gzip", members, 5000),
        (json, "identity, gzip", gzip(person("b", 1).as_bytes()), 1),
        ("text/csv", "gzip", gzip(b"id,SEX\nc,1\nd,2\n"), 2),
        (json, "identity", person("e", 1).into_bytes(), 1),
    ] {
        let reply = post(&site, kind, coding, &body);
        assert_eq!(reply.status, 202, "{reply:?}");
        assert_eq!(reply.json()["accepted"], accepted, "{coding}");
    }
}

#[test]
fn what_a_body_holds_is_as_long_as_a_body_may_be() {
    let limits = Limits {
        body_bytes: 200_000,
        ..Limits::default()
    };
    let site = site(Set {
        limits,
        max_length: 1 << 20,
        ..Set::default()
    });
    let record = |length: usize| {
        let bare = "{\"id\":\"a\",\"SEX\":1,\"x\":\"\"}".len();
        let more = "y".repeat(length - bare);
        format!("{{\"id\":\"a\",\"SEX\":1,\"x\":\"{more}\"}}")
    };
    let send = |body: &[u8]| post(&site, "application/json", "gzip", body);
    assert_eq!(send(&gzip(record(200_000).as_bytes())).status, 202);
    for body in [
        gzip(record(200_001).as_bytes()),
        // A gibibyte in a mebibyte would be some hundred of these.
        gzip(&vec![b' '; 20 << 20]),
    ] {
        assert!(body.len() < 200_000);
        let error = send(&body).error(413);
        assert_eq!(error, "the body is longer than 200000 bytes");
    }
    assert_eq!(site.ids(), ["a"]);
}

#[test]
fn what_is_unpacked_takes_room_as_any_body_does() {
    let limits = Limits {
        under_way: 256 << 10,
        ..Limits::default()
    };
    let site = site(Set {
        limits,
        ..Set::default()
    });
    let body = gzip(&vec![b' '; 1 << 20]);
    for _ in 0..3 {
        let reply = post(&site, "application/json", "gzip", &body);
        assert!(reply.error(429).contains("under way"), "{reply:?}");
    }
    // All of it was given back.
    let body = gzip(person("a", 1).as_bytes());
    assert_eq!(post(&site, "application/json", "gzip", &body).status, 202);
}

#[test]
fn other_codings_and_broken_gzip_are_refused() {
    let site = site(Set::default());
    let packed = gzip(person("a", 1).as_bytes());
    for coding in [
        "br",
        "deflate",
        "zstd",
        "gzip, gzip",
        "gzip\r\nContent-Encoding: br",
    ] {
        let reply = post(&site, "application/json", coding, &packed);
        assert!(
            reply.error(415).starts_with("the body is encoded as "),
            "{reply:?}"
        );
        assert!(reply.is("accept-encoding", "gzip"), "{reply:?}");
    }
    let cut = &packed[..packed.len() - 3];
    let error = post(&site, "application/json", "gzip", cut).error(400);
    assert_eq!(error, "the body is gzip that was cut off");
    let mut wrong = packed.clone();
    let sum = wrong.len() - 6;
    wrong[sum] ^= 1;
    let more = [&packed[..], b"no gzip at all, but text"].concat();
    for body in [person("a", 1).as_bytes(), b"x", &wrong, &more] {
        let error = post(&site, "application/json", "gzip", body).error(400);
        assert!(error.ends_with("is gzip, and it is not"), "{error}");
    }
    assert!(site.ids().is_empty());
}
