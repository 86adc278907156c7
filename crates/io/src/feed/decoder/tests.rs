use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::feed::ReadingSpec;
use crate::feed::transport::tests::doubles;
use crate::limits::LONGEST_COLUMN_NAME;
use crate::people::table::{NumberColumns, PeopleTable, TableSpec};
use crate::record::file::How;
use kleroterion_core::problem::Place;

fn spec(codec: Codec) -> FeedSpec {
    let reading = Reading::new(ReadingSpec {
        numeric: vec!["x".into()],
        ..ReadingSpec::default()
    });
    FeedSpec {
        max_length: 64,
        reading: Arc::new(reading.unwrap().coded(codec)),
        ..doubles::spec()
    }
}

fn csv(columns: Option<&[&str]>) -> Codec {
    Codec::Csv {
        delimiter: b',',
        columns: columns.map(|names| names.iter().map(|name| (*name).into()).collect()),
    }
}

/// Returns the record of each item, or its line and error.
fn items(codec: Codec, text: &[u8]) -> Vec<String> {
    let whole = all(codec.clone(), &[text]);
    let single: Vec<&[u8]> = text.chunks(1).collect();
    assert_eq!(all(codec, &single), whole);
    whole
}

fn all(codec: Codec, pieces: &[&[u8]]) -> Vec<String> {
    let mut decoder = Decoder::new(&spec(codec), Arc::default(), 1);
    let mut items = Vec::new();
    for piece in pieces {
        decoder.push(piece, |_, item| items.push(item));
    }
    decoder.finish(|_, item| items.push(item));
    let tell = |item| match item {
        Item::Candidate(person) => person.record.to_string(),
        Item::Refused(RefusedRecord { line, error, .. }) => format!("{line}: {error}"),
        _ => unreachable!("a feed of records brings records"),
    };
    items.into_iter().map(tell).collect()
}

#[test]
fn rows_become_objects_of_texts() {
    let text = b"\xef\xbb\xbf id , x,\"t,\"\"\"\r\na, 1 ,\"b\n\n\"\"c\"\"\"\r\n\n2,3,\n";
    let seen = items(csv(None), text);
    assert_eq!(
        seen,
        [
            r#"{"id":"a","x":"1","t,\"":"b\n\n\"c\""}"#,
            r#"{"id":"2","x":"3","t,\"":""}"#
        ]
    );
    let named = items(csv(Some(&["x", "y"])), b"1,\n,2\n3");
    assert_eq!(
        named,
        [
            r#"{"id":"1","x":"1","y":""}"#,
            "2: '' in `x` is not a finite number",
            "3: the row has 1 field where there are 2 columns; a field that holds the delimiter must be in quotes",
        ]
    );
}

#[test]
fn one_column_may_have_empty_cells() {
    let seen = items(csv(Some(&["x"])), b"1\n\n\"\"\n2\n");
    let wrong = "3: '' in `x` is not a finite number";
    assert_eq!(
        seen,
        [r#"{"id":"1","x":"1"}"#, wrong, r#"{"id":"3","x":"2"}"#]
    );
}

#[test]
fn a_first_line_that_names_nothing_is_told_and_no_row_after_it() {
    for (text, told) in [
        (
            &b"y,x,x\n1,2,3\n"[..],
            "1: columns 2 and 3 have one name; give each column a name of its own",
        ),
        (
            b"\"x\"y\n1\n",
            "1: field 1: text follows the closing quote; a quote within quotes is written twice",
        ),
        (b"x\xff\n1\n", "1: field 1 holds bytes that are not UTF-8"),
    ] {
        assert_eq!(items(csv(None), text), [told]);
    }
}

#[test]
fn names_under_another_delimiter_are_told_with_the_one_they_seem_to_have() {
    let told = |letter: &str| {
        format!(
            "1: separated by `,` the row of names has no column that is read; they seem to be separated by `{letter}`: \
             set decoding.delimiter = \"{letter}\""
        )
    };
    for (names, letter) in [
        ("a;x;b", ";"),
        ("id;gender", ";"),
        // One name that is none, and might be two.
        ("a\tb", "\\t"),
        ("a|\"x\"", "|"),
        ("a;b, c; x ;d", ";"),
    ] {
        let text = format!("{names}\n1;2\n");
        assert_eq!(items(csv(None), text.as_bytes()), [told(letter)]);
    }
    // A name may hold another mark.
    for names in ["x,a;b", "x;y", "a;x"] {
        let one = items(csv(Some(&["x", "y"])), format!("{names}\n").as_bytes());
        assert!(!one[0].contains("separated by"), "{one:?}");
    }
    for names in ["x,a;b", "a;b,c"] {
        let all = items(csv(None), format!("{names}\n1,2\n").as_bytes());
        assert!(!all[0].contains("separated by"), "{all:?}");
    }
}

#[test]
fn the_name_of_a_column_is_bounded_since_each_record_repeats_it() {
    let bounded = |length: usize| {
        let mut decoder = Decoder::new(&spec(csv(None)), Arc::default(), 1);
        decoder.framer = Framer::Lines(Frames::new(2 * LONGEST_COLUMN_NAME, Some(b','), 1));
        let mut items = Vec::new();
        decoder.push(
            format!("x,{}\n1,2\n", "é".repeat(length)).as_bytes(),
            |_, item| items.push(item),
        );
        items
    };
    let items = bounded(LONGEST_COLUMN_NAME / 2);
    assert!(matches!(&*items, [Item::Candidate(_)]), "{items:?}");
    let items = bounded(LONGEST_COLUMN_NAME / 2 + 1);
    let Item::Refused(refused) = &items[0] else {
        panic!("{items:?}")
    };
    let error = "the name of column 2 has 1002 bytes, of at most 1000";
    assert_eq!(refused.error, error);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn rows_are_the_same_in_whatever_pieces_they_come(
        names in prop_oneof![Just("id,x\n"), Just("x,\"a\nb\"\r\n"), Just("x,x\n"), Just("\"x\n")],
        text in "([12]{1,3}|[a1,\"\r\n;é ]{1,9}|\"[1\n]{0,3}\"|\n|,){0,14}",
        cuts in prop::collection::vec(0..80_usize, 0..6),
        given in any::<bool>(),
    ) {
        let text = format!("{names}{text}");
        let codec = if given { csv(Some(&["x", "y"])) } else { csv(None) };
        let bytes = text.as_bytes();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| *cut.min(&bytes.len())).collect();
        cuts.sort_unstable();
        let ends = cuts.iter().copied().chain([bytes.len()]);
        let begins = [0].into_iter().chain(cuts.iter().copied());
        let pieces: Vec<&[u8]> = begins.zip(ends).map(|(from, to)| &bytes[from..to]).collect();
        // In one piece and byte by byte as well.
        prop_assert_eq!(all(codec.clone(), &pieces), items(codec, bytes));
    }
}

#[test]
fn what_is_wrong_with_a_line_is_told_with_its_place() {
    let mut text = b"{\"x\":1}\n{\"x\":\"\xff\"}\n\n".to_vec();
    text.extend(b"y".repeat(70));
    text.extend(b"\n{\"x\":2}");
    let seen = items(Codec::Json, &text);
    assert_eq!(
        seen,
        [
            r#"{"id":"1","x":1}"#,
            "2: byte 7: the line holds bytes that are not UTF-8",
            "4: the line is longer than one may be; send shorter records, or raise framing.max_length",
            r#"{"id":"4","x":2}"#,
        ]
    );
}

/// A refused line is kept as its beginning, with a mark where the line was too long to be read.
#[test]
fn of_a_line_too_long_the_beginning_is_kept() {
    let mut decoder = Decoder::new(&spec(Codec::Json), Arc::default(), 1);
    let mut kept = Vec::new();
    let mut push = |item| match item {
        Item::Refused(RefusedRecord { record, .. }) => kept.push(record.to_string()),
        _ => unreachable!("all lines are refused"),
    };
    let text = format!("{}\n[1]  \n", "y".repeat(70));
    decoder.push(text.as_bytes(), |_, item| push(item));
    decoder.finish(|_, item| push(item));
    let [long, short] = &kept[..] else {
        panic!("two lines: {kept:?}");
    };
    assert_eq!(long.trim_start_matches('y'), "\u{2026}");
    assert!(long.len() >= 64, "{long}");
    assert_eq!(short, "[1]");
}

/// The people read from a text, by id and number, or the lines that are refused.
type People = Result<Vec<(String, u64)>, BTreeSet<u64>>;

fn as_feed(codec: Codec, text: &[u8]) -> People {
    let spec = FeedSpec {
        framing: Framing::default(),
        max_length: 10_000,
        ..spec(codec)
    };
    let mut decoder = Decoder::new(&spec, Arc::default(), 1);
    let (mut people, mut refused) = (Vec::new(), BTreeSet::new());
    let mut each = |line, item| match item {
        Item::Candidate(person) => people.push((person.id.into(), person.features[0].to_bits())),
        _ => _ = refused.insert(line),
    };
    decoder.push(text, &mut each);
    decoder.finish(&mut each);
    match refused.is_empty() {
        true => Ok(people),
        false => Err(refused),
    }
}

fn as_file(codec: Codec, text: &[u8]) -> People {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let (how, columns) = match codec {
        Codec::Csv { delimiter, columns } => (How::separated(Some(delimiter)), columns),
        Codec::Json => {
            let how = How {
                records: true,
                ..How::default()
            };
            (how, None)
        }
    };
    let loaded = PeopleTable::load(&TableSpec {
        path: file.path().into(),
        how,
        columns,
        filters: vec![],
        id: None,
        attributes: vec![],
        weight: None,
        unique: vec![],
        numbers: NumberColumns {
            numeric: vec!["x".into()],
            ..NumberColumns::default()
        },
    });
    let table = match loaded {
        Ok(table) => table,
        Err(error) => {
            let lines = error.problems.0.iter().map(|problem| match problem.place {
                Place::File { line, .. } => line,
                _ => unreachable!(),
            });
            let lines: BTreeSet<u64> = lines.flatten().collect();
            // An empty file is an error; an empty feed is none.
            return if lines.is_empty() {
                Ok(vec![])
            } else {
                Err(lines)
            };
        }
    };
    let person = |row| {
        let x = table.numbers.numeric(row)[0];
        (table.id(row).into(), x.to_bits())
    };
    Ok((0..table.len()).map(person).collect())
}

/// Returns true if a text has a carriage return, and no line feed, outside of quotation marks.
fn ends_with_returns(text: &[u8]) -> bool {
    let outside = text.split(|byte| *byte == b'"').step_by(2);
    let outside: Vec<u8> = outside.flatten().copied().collect();
    outside.contains(&b'\r') && !outside.contains(&b'\n')
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn rows_are_the_same_people_as_a_file(
        text in "(1,2\n|2,\"a\n\"\n|\n|[ \t]{0,2}\r?\n|\"[ ]?\"\n|[a1,\"\r\n;é\t\u{feff} ]{1,9}|\"[1\n]{0,3}\"){0,9}",
        garbled in prop::option::of(0..40_usize),
        delimiter in prop_oneof![Just(b','), Just(b'\t')],
        given in any::<bool>(),
    ) {
        let columns = given.then(|| vec!["x".to_owned(), "y".into()]);
        let names = if given { "" } else { "x,y\n" };
        let mut text = format!("{names}{text}").into_bytes();
        if let Some(byte) = garbled.and_then(|at| text.get_mut(at + names.len())) {
            *byte = 0xff;
        }
        for byte in &mut text {
            *byte = if *byte == b',' { delimiter } else { *byte };
        }
        // Whether lines end with carriage returns alone is known of a whole file, not of a feed.
        prop_assume!(!ends_with_returns(&text));
        let codec = Codec::Csv { delimiter, columns };
        let (feed, file) = (as_feed(codec.clone(), &text), as_file(codec, &text));
        // A file's errors are at the line of the field, which may not be the row's first.
        match feed.is_err() && text.contains(&b'"') {
            true => prop_assert!(file.is_err(), "{:?}", file),
            false => prop_assert_eq!(feed, file),
        }
    }

    #[test]
    fn records_are_the_same_people_as_a_file(
        lines in prop::collection::vec(prop_oneof![
            8 => Just(r#"{"x":1}"#),
            2 => Just(r#" {"features":{"x":"2.5"},"id":null} "#),
            2 => Just(r#"{"specversion":"1.0","data":{"x":3}}"#),
            2 => Just(""),
            2 => Just(" \t\r"),
            1 => Just(r#"{"y":1}"#),
            1 => Just(r#"{"x":1,"y":1,"y":2}"#),
            1 => Just(r#"{"x":[1]}"#),
            1 => Just(r#"{"x":1,"id":[1]}"#),
            1 => Just(r#"{"specversion":"1.0","x":3}"#),
            1 => Just("\u{feff}{\"x\":1}"),
            1 => Just("[1]"),
        ], 0..7),
    ) {
        let text = format!("{{\"x\":0}}\n{}", lines.join("\n"));
        prop_assert_eq!(as_feed(Codec::Json, text.as_bytes()), as_file(Codec::Json, text.as_bytes()));
    }
}

/// Its beginning, and a sign that there was more.
#[test]
fn a_line_that_is_too_long_is_kept_by_its_beginning() {
    let long = format!("{{\"id\":\"{}\"}}", "a".repeat(100));
    let mut decoder = Decoder::new(&spec(Codec::Json), Arc::default(), 1);
    let mut items = Vec::new();
    decoder.push(format!("{long}\n\"short\" \n").as_bytes(), |_, item| {
        items.push(item);
    });
    let kept = |item: &Item| match item {
        Item::Refused(refused) => refused.record.to_string(),
        _ => panic!("none of them is a record"),
    };
    let kept: Vec<String> = items.iter().map(kept).collect();
    let begin = kept[0].strip_suffix('…').expect("a sign");
    assert!(long.starts_with(begin) && begin.len() >= 64, "{begin}");
    assert_eq!(kept[1..], ["\"short\""]);
}

#[cfg(feature = "nats")]
#[test]
fn a_message_is_a_record_of_its_own_number() {
    let mut decoder = Decoder::new(&spec(Codec::Json), Arc::default(), 1);
    let Some(Item::Candidate(person)) = decoder.message(b"{\"x\":2}", 40, None) else {
        panic!("it is one");
    };
    assert_eq!(
        (person.line, &*person.id, &*person.features),
        (40, "40", &[2.0][..])
    );
    let Some(Item::Refused(refused)) = decoder.message(b"{}", 7, None) else {
        panic!("there is no x");
    };
    assert_eq!((refused.line, &*refused.record), (7, "{}"));
    let Some(Item::Refused(refused)) = decoder.message(b"{", 8, Some(FrameFault::TooLong)) else {
        panic!("it is too long");
    };
    assert_eq!((refused.line, &*refused.record), (8, "{…"));
}
