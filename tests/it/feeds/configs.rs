//! What a config says of a feed, as the run is given it.

use std::path::Path;

use kleroterion::config::{Document, Pace, Plan, check};
use kleroterion::feed::{Codec, FeedSpec, OnError, Transport};
use kleroterion::protocol::Law;

use crate::support::configs::FEED;

fn plan(edits: &[(&str, &str)], folder: &Path) -> Plan {
    let text = crate::support::configs::with(FEED, edits);
    let plan = check(&Document::parse(&text).unwrap(), folder);
    plan.unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

fn feed(edits: &[(&str, &str)]) -> FeedSpec {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tape.ndjson"), "").unwrap();
    plan(edits, folder.path()).world.feed.clone().unwrap()
}

const TYPE: &str = "type = \"tcp\"\naddress = \"127.0.0.1:0\"\n";
const CODEC: &str = "decoding.codec = \"json\"\n";

#[test]
fn every_transport_and_its_keys() {
    let spec = feed(&[]);
    let anywhere = "127.0.0.1:0".parse().unwrap();
    assert_eq!(spec.transport, Transport::Tcp(anywhere));
    assert_eq!(
        (spec.reading.codec(), spec.max_length),
        (&Codec::Json, 102_400)
    );
    assert_eq!((spec.on_error, spec.each), (OnError::Skip, 1));
    let names = ["constant", "EDU", "sex=male", "sex=female"];
    assert_eq!(spec.reading.schema().features(), names);
    assert!(spec.reading.schema().scored());

    let http = feed(&[(TYPE, "type = \"http\"\naddress = \"localhost:8090\"\n")]);
    let local = "127.0.0.1:8090".parse().unwrap();
    assert_eq!(http.transport, Transport::Http(local));
    let rows = "decoding = { codec = \"csv\", delimiter = \";\" }\n";
    let http = feed(&[
        (TYPE, "type = \"http\"\naddress = \"localhost:8090\"\n"),
        (CODEC, rows),
    ]);
    let separated = Codec::Csv {
        delimiter: b';',
        columns: None,
    };
    assert_eq!(http.reading.codec(), &separated);
    let stdin = feed(&[(TYPE, "type = \"stdin\"\n")]);
    assert_eq!(stdin.transport, Transport::Stdin);
    for (keys, speed) in [("", None), ("replay.speed = 10\n", Some(10.0))] {
        let tape = format!("type = \"tape\"\npath = \"tape.ndjson\"\n{keys}");
        let Transport::Tape(path, found) = feed(&[(TYPE, &tape)]).transport else {
            panic!()
        };
        assert!(path.ends_with("tape.ndjson"));
        assert_eq!(found, speed);
    }
}

#[test]
fn a_followed_file_may_come_later_and_its_name_decides_the_codec() {
    let csv = |delimiter, columns: Option<&[&str]>| Codec::Csv {
        delimiter,
        columns: columns.map(|names| names.iter().map(|name| (*name).into()).collect()),
    };
    for (path, decoding, codec) in [
        ("later.ndjson", "", Codec::Json),
        ("later.csv", "", csv(b',', None)),
        ("later.csv", "decoding.delimiter = \";\"\n", csv(b';', None)),
        ("later.csv", CODEC, Codec::Json),
        (
            "later.txt",
            "decoding = { codec = \"csv\", columns = [\"SEX\", \"AGE\"], delimiter = \"\\t\" }\n",
            csv(b'\t', Some(&["SEX", "AGE"])),
        ),
    ] {
        let tail = format!("type = \"file\"\nfollow = true\npath = \"{path}\"\n{decoding}");
        let spec = feed(&[(CODEC, ""), (TYPE, &tail)]);
        assert!(matches!(spec.transport, Transport::Tail(found) if found.ends_with(path)));
        assert_eq!(spec.reading.codec(), &codec, "{tail}");
    }
}

#[test]
fn lengths_and_paces_have_units() {
    for (written, bytes) in [
        ("4096", 4096),
        ("\"64kB\"", 64_000),
        ("\"1MiB\"", 1 << 20),
        ("\"2 MB\"", 2_000_000),
        ("\"64B\"", 64),
    ] {
        assert_eq!(
            feed(&[("\"100KiB\"", written)]).max_length,
            bytes,
            "{written}"
        );
    }
    for (written, pace) in [("\"30/min\"", 0.5), ("2.5", 2.5), ("\" 7200 / h\"", 2.0)] {
        let plan = plan(&[("\"200/s\"", written)], Path::new("."));
        assert_eq!(plan.world.pace, Some(Pace::Persons(pace)), "{written}");
    }
    let without = plan(&[("pace = \"200/s\"\n", "")], Path::new("."));
    assert_eq!(without.world.pace, None);
}

#[test]
fn a_law_is_taken_in_the_order_of_the_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let types = "age,sex,p\nyoung,male,0.5\nold,female,0.25\nyoung,female,0.25\n";
    std::fs::write(folder.path().join("types.csv"), types).unwrap();
    let shares =
        "shares = { sex = { male = 0.5, female = 0.5 }, age = { young = 0.6, old = 0.4 } }";
    let turned =
        "shares = { age = { old = 0.4, young = 0.6 }, sex = { female = 0.5, male = 0.5 } }";
    let law = |written: &str| {
        let plan = plan(&[(shares, written)], folder.path());
        assert!(plan.notes.iter().any(|note| note.contains("assumed")));
        assert!(plan.world.known.law.exact().is_none());
        (**plan.world.known.law.get().unwrap()).clone()
    };
    let product = Law::Product(vec![vec![0.5, 0.5], vec![0.6, 0.4]]);
    assert_eq!(law(shares), product);
    assert_eq!(law(turned), product);
    // Cells are sex, then age: (male, young), (male, old), (female, young), (female, old).
    let cells = Law::Cells(vec![(0, 0.5), (2, 0.25), (3, 0.25)]);
    assert_eq!(law("joint = \"types.csv\""), cells);
}
