//! Bytes into things that came: framed, decoded, read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::framing::{Frame, Frames};
use super::outcomes::{is_outcome, outcome};
use super::rows::{Names, Rows};
use super::{Codec, FeedSpec, Item, Outcome, Read, Reading, Refused};

/// Of a record that is refused so many characters are kept.
const KEPT: usize = 1000;

/// Reads one stream of bytes: a connection, a file, the body of a request.
pub(crate) struct Decoder {
    reading: Arc<Reading>,
    outcomes: Option<Arc<[Arc<str>]>>,
    frames: Frames,
    rows: Option<Rows>,
    /// How many records have come by the whole feed.
    numbers: Arc<AtomicU64>,
    /// How many `where` left out.
    pub(crate) left_out: u64,
}

impl Decoder {
    /// A decoder of what a feed brings, from this line on.
    pub(super) fn new(spec: &FeedSpec, numbers: Arc<AtomicU64>, line: u64) -> Self {
        let (reading, length) = (&spec.reading, spec.max_length);
        let outcomes = spec.outcomes.clone();
        Self {
            outcomes,
            ..Self::of(reading, reading.codec(), length, numbers, line)
        }
    }

    /// A decoder of people in frames of at most so many bytes, the first on this line.
    pub(crate) fn of(
        reading: &Arc<Reading>,
        codec: &Codec,
        max_length: usize,
        numbers: Arc<AtomicU64>,
        line: u64,
    ) -> Self {
        let (delimiter, rows) = match codec {
            Codec::Json => (None, None),
            Codec::Csv { delimiter, columns } => {
                (Some(*delimiter), Some(Rows::new(*delimiter, columns)))
            }
        };
        Self {
            reading: Arc::clone(reading),
            outcomes: None,
            frames: Frames::new(max_length, delimiter, line),
            rows,
            numbers,
            left_out: 0,
        }
    }

    /// Takes bytes, and gives each thing that they bring to an end, with its line.
    pub(crate) fn push(&mut self, bytes: &[u8], mut each: impl FnMut(u64, Item)) {
        let (frames, mut taker) = self.parts();
        frames.push(bytes, |frame| {
            taker
                .take(&frame)
                .into_iter()
                .for_each(|item| each(frame.line, item));
        });
    }

    /// Gives what no end of line has ended, and begins anew, as with another file.
    pub(super) fn finish(&mut self, each: impl FnMut(u64, Item)) {
        self.end(each);
        if let Some(rows) = &mut self.rows {
            rows.begin();
        }
    }

    /// Whether the row that was to name the columns could not be read: it is then the first thing given.
    pub(crate) fn is_unnamed(&self) -> bool {
        let rows = self.rows.as_ref();
        rows.is_some_and(|rows| rows.names == Names::Broken)
    }

    /// Gives what no end of line has ended.
    pub(crate) fn end(&mut self, mut each: impl FnMut(u64, Item)) {
        let (frames, mut taker) = self.parts();
        frames.finish(|frame| {
            taker
                .take(&frame)
                .into_iter()
                .for_each(|item| each(frame.line, item));
        });
    }

    fn parts(&mut self) -> (&mut Frames, Taker<'_>) {
        let taker = Taker {
            reading: &self.reading,
            outcomes: self.outcomes.as_deref(),
            rows: self.rows.as_mut(),
            numbers: &self.numbers,
            left_out: &mut self.left_out,
        };
        (&mut self.frames, taker)
    }
}

/// What a frame brings.
enum Brought {
    Person(Read),
    Outcome(Outcome),
}

/// Reads frames.
struct Taker<'a> {
    reading: &'a Reading,
    outcomes: Option<&'a [Arc<str>]>,
    rows: Option<&'a mut Rows>,
    numbers: &'a AtomicU64,
    left_out: &'a mut u64,
}

impl Taker<'_> {
    /// What a frame is; nothing where `where` leaves it out, or where it names the columns.
    fn take(&mut self, frame: &Frame<'_>) -> Option<Item> {
        match self.read(frame) {
            Ok(Some(Brought::Person(Read::Candidate(candidate)))) => {
                Some(Item::Candidate(candidate))
            }
            Ok(Some(Brought::Person(Read::LeftOut))) => {
                *self.left_out += 1;
                None
            }
            Ok(Some(Brought::Outcome(outcome))) => Some(Item::Outcome(outcome)),
            Ok(None) => None,
            Err(error) => Some(Item::Refused(Refused {
                line: frame.line,
                error,
                record: kept(frame),
            })),
        }
    }

    fn read(&mut self, frame: &Frame<'_>) -> Result<Option<Brought>, String> {
        let text = sound(frame);
        if let Some(rows) = self
            .rows
            .as_mut()
            .filter(|rows| rows.names == Names::Awaited)
        {
            rows.names = Names::Broken;
            return rows.name(text?).map(|()| None);
        }
        if let (Some(labels), None, Ok(text)) = (self.outcomes, &self.rows, &text)
            && is_outcome(text)
        {
            return outcome(text, labels).map(|told| Some(Brought::Outcome(told)));
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        let read = match &mut self.rows {
            None => self.reading.json(text?, number),
            Some(rows) => self.reading.json(rows.json(text?)?, number),
        };
        read.map(|read| Some(Brought::Person(read)))
    }
}

/// The beginning of a frame, as it is kept.
fn kept(frame: &Frame<'_>) -> Box<str> {
    let text = String::from_utf8_lossy(frame.bytes);
    let mut record: String = text.chars().take(KEPT).collect();
    if frame.cut || record.len() < text.len() {
        record.push('…');
    }
    record.into()
}

/// The text of a frame with which nothing is wrong.
fn sound<'a>(frame: &Frame<'a>) -> Result<&'a str, String> {
    if frame.cut {
        let help = "send shorter records, or raise framing.max_length";
        return Err(format!("the line is longer than one may be; {help}"));
    }
    let text = std::str::from_utf8(frame.bytes).map_err(|error| {
        let at = error.valid_up_to() + 1;
        format!("byte {at}: the line holds bytes that are not UTF-8")
    })?;
    match frame.misquoted {
        None => Ok(text),
        Some(field) => Err(match field.text {
            None => format!("the quotes of field {} never end", field.field),
            Some(_) => format!(
                "field {}: text follows the closing quote; a quote within quotes is written twice",
                field.field
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::rows::LONGEST_NAME;
    use super::*;
    use crate::feed::{OnError, ReadingSpec, Transport};
    use crate::source::Sizes;

    fn spec(codec: Codec) -> FeedSpec {
        let reading = Reading::new(ReadingSpec {
            numeric: vec!["x".into()],
            ..ReadingSpec::default()
        });
        FeedSpec {
            transport: Transport::Stdin,
            max_length: 64,
            on_error: OnError::Skip,
            reading: Arc::new(reading.unwrap().coded(codec)),
            outcomes: None,
            sizes: Sizes::Constant(1),
            each: 1,
        }
    }

    fn csv(columns: Option<&[&str]>) -> Codec {
        Codec::Csv {
            delimiter: b',',
            columns: columns.map(|names| names.iter().map(|name| (*name).into()).collect()),
        }
    }

    /// Of each item its record, or its line and what is wrong.
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
            Item::Candidate(person) => person.record.into(),
            Item::Refused(Refused { line, error, .. }) => format!("{line}: {error}"),
            Item::Outcome(_) => unreachable!(),
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
                "3: the row has 1 field where there are 2 columns; a field that holds the delimiter stands in quotes",
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
    fn a_first_line_that_names_nothing_is_told_and_every_row_after_it() {
        let seen = items(csv(None), b"x,x\n1,2\n");
        assert_eq!(seen[0], "1: there is more than one column 'x'");
        assert!(seen[1].starts_with("2: the columns have no names"));
        let seen = items(csv(None), b"\"x\"y\n1\n");
        assert!(seen[0].starts_with("1: field 1: text follows the closing quote"));
        assert!(seen[1].starts_with("2: the columns have no names"));
    }

    #[test]
    fn the_name_of_a_column_is_bounded_since_each_record_repeats_it() {
        let bounded = |length: usize| {
            let mut decoder = Decoder::new(&spec(csv(None)), Arc::default(), 1);
            decoder.frames = Frames::new(2 * LONGEST_NAME, Some(b','), 1);
            let mut items = Vec::new();
            decoder.push(
                format!("x,{}\n1,2\n", "é".repeat(length)).as_bytes(),
                |_, item| items.push(item),
            );
            items
        };
        let items = bounded(LONGEST_NAME / 2);
        assert!(matches!(&*items, [Item::Candidate(_)]), "{items:?}");
        let items = bounded(LONGEST_NAME / 2 + 1);
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
}
