//! A body that was read.

use std::sync::atomic::Ordering;

use axum::http::StatusCode;

use super::Intake;
use super::answer::Refusal;
use super::body::{Form, Room};
use super::intake::{Kind, TOLD, open};
use super::records::{Record, Records, otherwise, records};
use super::rows::rows;
use super::server::Server;
use crate::feed::{Item, Read, Refused, outcome};

/// A record's line, and which element it is.
type Place = (u64, Option<u64>);

/// Of a record that can't be read, so many bytes are noted.
const NOTED: usize = 1000;

/// What a record takes beside its text, in bytes.
pub(super) const BESIDE: usize = 256;

/// A body that was read.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) items: Vec<Item>,
    /// Of each item, its line and which element it is.
    pub(super) places: Vec<Place>,
    /// Records that `where` leaves out.
    pub(super) left_out: u64,
}

/// Reads a body.
pub(super) fn read(
    server: &Server,
    kind: Kind,
    form: &Form,
    bytes: &[u8],
    room: &mut Room,
) -> Result<Parsed, Refusal> {
    let intake = open(server)?;
    let limits = &server.limits;
    if let Form::Rows(codec) = form {
        return rows(intake, limits, codec, bytes, room);
    }
    let mut parsed = Parsed::default();
    let many = match records(bytes, form, limits)? {
        Records::Many(many) => many,
        Records::One(text) => {
            let record = Record {
                line: 1,
                element: None,
                text,
            };
            let told = (text.len() <= intake.max_length).then(|| {
                let number = intake.numbers.fetch_add(1, Ordering::Relaxed) + 1;
                one(server, intake, kind, &record, number)
            });
            if let Some(Ok(item)) = told {
                parsed.note(record, Ok(item));
                return Ok(parsed);
            }
            match otherwise(text, limits)? {
                Some(lines) => lines,
                None => {
                    let Some(told) = told else {
                        return Err(too_long(intake));
                    };
                    parsed.note(record, told);
                    return Ok(parsed);
                }
            }
        }
    };
    room.take(many.len() * BESIDE)?;
    parsed.items.reserve(many.len());
    parsed.places.reserve(many.len());
    let before = intake
        .numbers
        .fetch_add(many.len() as u64, Ordering::Relaxed);
    for (number, record) in (before + 1..).zip(many) {
        let told = if record.text.len() > intake.max_length {
            Err(longer(intake))
        } else {
            one(server, intake, kind, &record, number)
        };
        parsed.note(record, told);
    }
    Ok(parsed)
}

/// One record; `None` where it is left out.
fn one(
    server: &Server,
    intake: &Intake,
    kind: Kind,
    record: &Record<'_>,
    number: u64,
) -> Result<Option<Item>, String> {
    let text = std::str::from_utf8(record.text)
        .map_err(|error| format!("it is not UTF-8 from byte {} on", error.valid_up_to() + 1))?;
    match kind {
        Kind::Candidates | Kind::Candidate => match intake.reading.json(text, number)? {
            Read::Candidate(mut candidate) => {
                candidate.line = record.line;
                Ok(Some(Item::Candidate(candidate)))
            }
            Read::LeftOut => Ok(None),
        },
        Kind::Outcomes => {
            let outcome = outcome(text, &server.services.watched.labels, record.line)?;
            Ok(Some(Item::Outcome(outcome)))
        }
    }
}

impl Parsed {
    fn note(&mut self, record: Record<'_>, told: Result<Option<Item>, String>) {
        let item = match told {
            Ok(Some(item)) => item,
            Ok(None) => {
                self.left_out += 1;
                return;
            }
            Err(error) => {
                let cut = &record.text[..record.text.len().min(NOTED)];
                Item::Refused(Refused {
                    line: record.line,
                    error,
                    record: String::from_utf8_lossy(cut).into(),
                })
            }
        };
        self.items.push(item);
        self.places.push((record.line, record.element));
    }

    /// How many records can't be read.
    pub(super) fn unread(&self) -> usize {
        let unread = |item: &&Item| matches!(item, Item::Refused(_));
        self.items.iter().filter(unread).count()
    }

    /// Of each item its place and, where it can't be read, why; of those beyond the first that are told no words.
    pub(super) fn reasons(&self) -> Vec<(Place, Option<String>)> {
        let mut told = 0;
        let reasons = self.items.iter().map(|item| match item {
            Item::Refused(refused) => {
                told += 1;
                Some(if told > TOLD {
                    String::new()
                } else {
                    refused.error.clone()
                })
            }
            _ => None,
        });
        self.places.iter().copied().zip(reasons).collect()
    }

    /// Refuses those who are named otherwise than the first.
    pub(super) fn unmix(&mut self) {
        let mut first = None;
        for item in &mut self.items {
            if let Item::Candidate(person) = item
                && *first.get_or_insert(person.naming) != person.naming
            {
                *item = Item::Refused(person.refused(person.naming.refusal()));
            }
        }
    }

    /// Keeps only such items; their places are told before.
    pub(super) fn keep(&mut self, is_kept: impl Fn(&Item) -> bool) {
        self.items.retain(is_kept);
        self.places.clear();
    }
}

fn longer(intake: &Intake) -> String {
    format!("it is longer than {} bytes", intake.max_length)
}

fn too_long(intake: &Intake) -> Refusal {
    let error = format!("the record is longer than {} bytes", intake.max_length);
    let help = "`framing.max_length` of the source says how long one may be";
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, help)
}
