//! Records of a feed, given any bytes.

use std::sync::{Arc, LazyLock};

use super::decoder::Decoder;
use super::{
    CandidateRecord, FeedSpec, Framing, Item, OnError, Read, Reading, ReadingSpec, SlateEnd,
    Transport, look, outcome, withdrawal,
};
use crate::record::{AttributeSpec, Codec, Filter, Levels};
use kleroterion_core::source::Sizes;

/// The longest record here: short, so that the limit is met.
const RECORD_BYTES: usize = 300;

/// Lines of JSON: people, outcomes, corrections.
pub fn json(bytes: &[u8]) {
    decoded(&Codec::Json, Framing::Lines, bytes);
}

/// Rows of CSV, and counted messages.
pub fn csv(bytes: &[u8]) {
    let delimiter = match bytes.first() {
        Some(b'#') => b';',
        _ => b',',
    };
    let codec = Codec::Csv {
        delimiter,
        columns: None,
    };
    decoded(&codec, Framing::Lines, bytes);
    decoded(&Codec::Json, Framing::Counted, bytes);
}

/// One record, in a CloudEvents envelope or not: a person, an outcome, an answer to an interview, a
/// withdrawal.
pub fn events(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let reading = &*READING;
    if let Ok(Read::Candidate(read)) = reading.json(&text, 7) {
        assert!(!read.record.contains('\n'));
        read_again(reading, &read);
    }
    let labels: [Arc<str>; 2] = ["queue".into(), "greedy .05".into()];
    if let Ok(read) = outcome(&text, &labels, None, 1) {
        assert!(read.value.is_finite());
        assert!(
            read.policy
                .is_none_or(|label| labels.contains(&(*label).into()))
        );
    }
    if let Ok(read) = look(&text, &["talk".into(), "test".into()], Some((0.0, 1.0)), 1) {
        assert!((0.0..=1.0).contains(&read.value) && read.kind < 2);
    }
    if let Ok(read) = withdrawal(&text, 1) {
        assert!(!read.id.is_empty());
    }
}

/// The time of a record on a tape.
pub fn tape(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(Some(at)) = super::transport::tape::arrival(&text) {
        assert!(at.is_finite());
    }
    decoded(&Codec::Json, Framing::Lines, bytes);
}

/// A stream gives the same items in whatever pieces it comes, and each record can be read again.
#[track_caller]
fn decoded(codec: &Codec, framing: Framing, bytes: &[u8]) {
    let reading = Arc::new(READING.clone().coded(codec.clone()));
    let spec = FeedSpec {
        transport: Transport::Stdin,
        framing,
        max_length: RECORD_BYTES,
        on_error: OnError::Skip,
        reading: Arc::clone(&reading),
        outcomes: Some(["queue".into()].into()),
        outcome_range: None,
        horizon: None,
        slates: SlateEnd::Size(Sizes::Constant(1)),
        each: 1,
    };
    let whole = items(&spec, [bytes]);
    let halves = bytes.split_at(bytes.len() / 2);
    let halves = items(&spec, [halves.0, halves.1]);
    assert!(whole == halves, "pieces make a difference");
    let bytewise = items(&spec, bytes.chunks(3));
    assert!(whole == bytewise, "small pieces make a difference");
    for item in &whole {
        if let Item::Candidate(read) = item {
            read_again(&reading, read);
        }
    }
}

fn items<'b>(spec: &FeedSpec, pieces: impl IntoIterator<Item = &'b [u8]>) -> Vec<Item> {
    let mut decoder = Decoder::new(spec, Arc::default(), 1);
    let mut items = Vec::new();
    for piece in pieces {
        decoder.push(piece, |_, item| items.push(item));
    }
    decoder.finish(|_, item| items.push(item));
    items
}

/// The kept record of a candidate gives the same candidate when it is read again.
#[track_caller]
fn read_again(reading: &Reading, read: &CandidateRecord) {
    let Ok(Read::Candidate(again)) = reading.json(&read.record, 8) else {
        panic!("a record that was taken can't be read again");
    };
    let said = |one: &CandidateRecord| {
        let features: Vec<u64> = one.features.iter().map(|x| x.to_bits()).collect();
        (
            one.id.clone(),
            one.values.clone(),
            features,
            one.score.map(f64::to_bits),
            one.household.clone(),
        )
    };
    assert!(
        said(&again) == said(read),
        "a record says another thing when it is read again"
    );
}

static READING: LazyLock<Reading> = LazyLock::new(reading);

fn reading() -> Reading {
    let values = |levels: &[(&str, &str)]| {
        let levels = levels
            .iter()
            .map(|(from, to)| ((*from).into(), (*to).into()));
        Levels::values(levels.collect()).expect("they are values")
    };
    let attribute = |name: &str, column: &str, levels| AttributeSpec {
        name: name.into(),
        column: column.into(),
        levels,
    };
    let bands = vec![
        ("young".into(), 18.0, 40.0),
        ("old".into(), 40.0, f64::INFINITY),
    ];
    let bands = Levels::bands(bands).expect("they are bands");
    let reading = Reading::new(ReadingSpec {
        attributes: vec![
            attribute("sex", "SEX", values(&[("1", "male"), ("2", "female")])),
            attribute("age", "AGEP", bands),
        ],
        filters: vec![Filter::parse("STATE != 'off'").expect("it is a filter")],
        unique: vec!["street".into()],
        constant: true,
        numeric: vec!["EDU".into()],
        missing: Some(0.0),
        one_hot: vec![0],
        score: Some("mark".into()),
        ..ReadingSpec::default()
    });
    reading.expect("it is a reading")
}

#[cfg(test)]
mod tests {
    use kleroterion_testkit::hostile::feed;

    #[test]
    fn any_lines_of_json_are_read_or_refused() {
        feed("json", 339, None, super::json);
    }

    #[test]
    fn any_rows_are_read_or_refused() {
        feed("csv", 200, None, super::csv);
    }

    #[test]
    fn any_event_is_read_or_refused() {
        feed("events", 150, None, super::events);
    }

    #[test]
    fn any_tape_is_read_or_refused() {
        feed("tape", 60, None, super::tape);
    }
}
