//! The way from bytes to items: bytes are framed, decoded and read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::items::{CandidateRecord, Item, RefusedRecord, cut};
use super::outcomes::{is_outcome, outcome};
use super::reading::{Read, Reading};
use super::rows::{Names, RowRecords};
use super::spec::{FeedSpec, Framing};
use crate::record::Codec;
use crate::record::counted::CountedFrames;
use crate::record::framing::{Frame, FrameFault, Frames};
use crate::record::quotes::Misquoted;

/// Reads one stream of bytes: a connection, a file, the body of a request.
pub struct Decoder {
    framer: Framer,
    taker: Taker,
}

/// Cuts bytes into frames.
enum Framer {
    Lines(Frames),
    Counted(CountedFrames),
}

impl Decoder {
    /// Creates a decoder for a feed, which counts lines from `line`.
    pub(super) fn new(spec: &FeedSpec, numbers: Arc<AtomicU64>, line: u64) -> Self {
        let (reading, length) = (&spec.reading, spec.max_length);
        let mut decoder = Self::of(reading, reading.codec(), length, numbers, line);
        decoder.taker.outcomes.clone_from(&spec.outcomes);
        decoder.taker.outcome_range = spec.outcome_range;
        if spec.framing == Framing::Counted {
            decoder.framer = Framer::Counted(CountedFrames::new(length));
        }
        decoder
    }

    /// Creates a decoder of candidates, in frames of at most `max_length` bytes, which counts lines
    /// from 1.
    pub fn of(
        reading: &Arc<Reading>,
        codec: &Codec,
        max_length: usize,
        numbers: Arc<AtomicU64>,
        line: u64,
    ) -> Self {
        let (delimiter, rows) = match codec {
            Codec::Json => (None, None),
            Codec::Csv { delimiter, columns } => {
                let used = |name: &str| reading.spec().use_of(name);
                (
                    Some(*delimiter),
                    Some(RowRecords::new(*delimiter, columns, used)),
                )
            }
        };
        Self {
            framer: Framer::Lines(Frames::new(max_length, delimiter, line)),
            taker: Taker {
                reading: Arc::clone(reading),
                outcomes: None,
                outcome_range: None,
                rows,
                numbers,
                left_out: 0,
            },
        }
    }

    /// Takes bytes, and hands each completed item to `each`, with its line.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(u64, Item)) {
        let taker = &mut self.taker;
        let take = |frame: Frame<'_>| {
            let item = taker.take(&frame).into_iter();
            item.for_each(|item| each(frame.line, item));
        };
        match &mut self.framer {
            Framer::Lines(frames) => frames.push(bytes, take),
            Framer::Counted(frames) => frames.push(bytes, take),
        }
    }

    /// Reads a message that is one record; `number` is its number in the feed. `fault` is its fault
    /// as a message, if it has one.
    #[cfg(feature = "nats")]
    pub(super) fn message(
        &mut self,
        bytes: &[u8],
        number: u64,
        fault: Option<FrameFault>,
    ) -> Option<Item> {
        let before = number.saturating_sub(1);
        self.taker.numbers.store(before, Ordering::Relaxed);
        self.record(bytes, number, fault)
    }

    /// Reads the bytes of one record, which is the given line of its stream. `fault` is its fault as
    /// a line, if it has one.
    pub(super) fn record(
        &mut self,
        bytes: &[u8],
        line: u64,
        fault: Option<FrameFault>,
    ) -> Option<Item> {
        self.taker.take(&Frame { line, bytes, fault })
    }

    /// Hands over the last line even without a line end, and begins anew, as with another file.
    pub(super) fn finish(&mut self, each: impl FnMut(u64, Item)) {
        self.end(each);
        let Taker { rows, reading, .. } = &mut self.taker;
        if let Some(rows) = rows {
            rows.begin(|name| reading.spec().use_of(name));
        }
    }

    /// Returns the number of records left out by the config's `where`.
    pub fn left_out(&self) -> u64 {
        self.taker.left_out
    }

    /// Returns the number of records left out since the last call, and resets it.
    pub(super) fn take_left_out(&mut self) -> u64 {
        std::mem::take(&mut self.taker.left_out)
    }

    /// Returns true if the row that names the columns could not be read. Its error is then the last
    /// item, and no later row is read.
    pub fn is_unnamed(&self) -> bool {
        let rows = self.taker.rows.as_ref();
        rows.is_some_and(|rows| rows.names == Names::Broken)
    }

    /// Returns true if nothing more can be read. The last item says why.
    pub(super) fn is_lost(&self) -> bool {
        let counted = match &self.framer {
            Framer::Lines(_) => false,
            Framer::Counted(frames) => frames.is_lost(),
        };
        counted || self.is_unnamed()
    }

    /// The total bytes of the records made from rows, taken or not. It can far exceed the bytes
    /// read, because each record repeats the names of the columns.
    pub fn made(&self) -> usize {
        self.taker.rows.as_ref().map_or(0, |rows| rows.made)
    }

    /// Hands over the last line even without a line end.
    pub fn end(&mut self, mut each: impl FnMut(u64, Item)) {
        let taker = &mut self.taker;
        let take = |frame: Frame<'_>| {
            let item = taker.take(&frame).into_iter();
            item.for_each(|item| each(frame.line, item));
        };
        match &mut self.framer {
            Framer::Lines(frames) => frames.finish(take),
            Framer::Counted(frames) => frames.finish(take),
        }
    }
}

/// Reads frames.
struct Taker {
    reading: Arc<Reading>,
    outcomes: Option<Arc<[Arc<str>]>>,
    outcome_range: Option<(f64, f64)>,
    rows: Option<RowRecords>,
    /// The number of records that the whole feed has brought so far.
    numbers: Arc<AtomicU64>,
    left_out: u64,
}

impl Taker {
    /// Reads a frame into an item. Returns `None` for a record that `where` leaves out and for a
    /// row that names the columns.
    fn take(&mut self, frame: &Frame<'_>) -> Option<Item> {
        self.read(frame).unwrap_or_else(|error| {
            Some(Item::Refused(RefusedRecord {
                line: frame.line,
                error,
                record: kept(frame),
            }))
        })
    }

    fn read(&mut self, frame: &Frame<'_>) -> Result<Option<Item>, String> {
        match self.rows.as_ref().map(|rows| &rows.names) {
            None => self.line(frame),
            Some(Names::Awaited) => self.name(frame).map(|()| None),
            // The transport sees `is_unnamed` and ends the stream.
            Some(Names::Broken) => Ok(None),
            Some(Names::Known(_)) => self.row(frame),
        }
    }

    fn line(&mut self, frame: &Frame<'_>) -> Result<Option<Item>, String> {
        let text = sound(frame).and_then(text);
        if let (Some(labels), Ok(text)) = (&self.outcomes, &text)
            && is_outcome(text)
        {
            let outcome = outcome(text, labels, self.outcome_range, frame.line)?;
            return Ok(Some(Item::Outcome(outcome)));
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        let read = self.reading.json(text?, number)?;
        Ok(self.person(read, frame.line))
    }

    fn person(&mut self, read: Read, line: u64) -> Option<Item> {
        match read {
            Read::Candidate(candidate) => {
                Some(Item::Candidate(CandidateRecord { line, ..candidate }))
            }
            Read::LeftOut => {
                self.left_out += 1;
                None
            }
        }
    }

    /// Names the columns by a row, if it is not blank.
    fn name(&mut self, frame: &Frame<'_>) -> Result<(), String> {
        let Some(rows) = &mut self.rows else {
            return Ok(());
        };
        let bytes = sound(frame).inspect_err(|_| rows.names = Names::Broken)?;
        match rows.split(bytes) {
            true => rows.name(|name| self.reading.spec().use_of(name)),
            false => Ok(()),
        }
    }

    fn row(&mut self, frame: &Frame<'_>) -> Result<Option<Item>, String> {
        let sound = sound(frame);
        let Some(rows) = &mut self.rows else {
            return Ok(None);
        };
        if let Ok(bytes) = sound
            && !rows.split(bytes)
        {
            return Ok(None);
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        sound?;
        let read = self.reading.json(rows.json()?, number)?;
        Ok(self.person(read, frame.line))
    }
}

/// Returns the beginning of a frame, as it is kept.
fn kept(frame: &Frame<'_>) -> Box<str> {
    let text = String::from_utf8_lossy(frame.bytes);
    match frame.fault {
        Some(FrameFault::TooLong) => format!("{text}…").into(),
        _ => cut(text.trim_ascii_end()),
    }
}

/// Returns the bytes of a frame, or its fault.
fn sound<'a>(frame: &Frame<'a>) -> Result<&'a [u8], String> {
    let Some(fault) = frame.fault else {
        return Ok(frame.bytes);
    };
    Err(match fault {
        FrameFault::TooLong => {
            "the line is longer than one may be; send shorter records, or raise \
                                framing.max_length"
                .into()
        }
        FrameFault::Misquoted(Misquoted { field, text, .. }) => match text {
            None => format!("the quotes of field {field} never end"),
            Some(_) => format!(
                "field {field}: text follows the closing quote; a quote within quotes is written \
                 twice"
            ),
        },
        FrameFault::Uncounted => {
            "there is no length; begin each message with its length in bytes, \
                                  without leading zeros, and a blank, as in `17 {…}`, or set \
                                  framing.method = \"newline_delimited\""
                .into()
        }
        FrameFault::CutOff => "the message is shorter than its length says; count its bytes, not \
                               its characters, and send it whole"
            .into(),
    })
}

/// Returns the text of a line, or an error if it is not UTF-8.
fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to() + 1;
        format!("byte {at}: the line holds bytes that are not UTF-8")
    })
}

#[cfg(test)]
mod tests;
