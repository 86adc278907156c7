//! The entries of a journal on their way to the lanes, in a resume or a replay.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::bad::BadFile;
use super::error::RecorderError;
use super::notes::LiveNotes;
use super::stream::{Arrival, StreamEnd};
use crate::watch::Watched;
use kleroterion_core::protocol::{Correction, Persons, Report, Schema};
use kleroterion_io::feed::{CandidateRecord, FeedSpec, Read};
use kleroterion_io::journal::{
    Corrected, JournalEntry, JournalError, JournalReader, Numbered, Reported, SlateStep, Withdrawn,
};

/// Reads the next people and outcomes of a journal. Returns `None` at its end.
///
/// # Errors
/// Fails if the journal is not as it was committed, or does not fit the config.
pub(super) fn read_on(
    reader: &mut JournalReader,
    feed: &FeedSpec,
    watched: &Watched,
    bad: &mut BadFile,
    notes: &LiveNotes,
) -> Result<Option<Vec<Arrival>>, RecorderError> {
    let last = notes.past.last_seq;
    let entries = reader.read()?;
    if entries.first().is_none_or(|first| first.seq > last) {
        bad.flush().map_err(|error| bad.error(error))?;
        return Ok(None);
    }
    let gauges = &watched.gauges;
    let mut arrivals = Vec::with_capacity(entries.len());
    for Numbered { seq, entry } in entries {
        if seq > last {
            // Came since it was asked what is past.
            break;
        }
        match &entry {
            JournalEntry::Candidate(..) => gauges.accepted.add(1),
            JournalEntry::Outcome(..) => gauges.outcomes.add(1),
            JournalEntry::Correction(..) => gauges.corrections.add(1),
            JournalEntry::Refusal(refusal) => {
                gauges.refused.add(refusal.records.max(1));
                bad.write(refusal).map_err(|error| bad.error(error))?;
            }
            _ => {}
        }
        let arrival = arrival_of(feed, Numbered { seq, entry }, |id| reader.record(id))?;
        if let Some(Arrival::Report(report)) = &arrival {
            notes.outcomes().tell(report.clone());
        }
        arrivals.extend(arrival);
    }
    Ok(Some(arrivals))
}

/// The arrival of an entry for the lanes; `None` if the entry is not for them. `record` finds the
/// record of the person of a correction.
///
/// # Errors
/// Fails if the entry does not fit the config.
pub(super) fn arrival_of(
    feed: &FeedSpec,
    Numbered { seq, entry }: Numbered,
    record: impl FnOnce(&str) -> Result<Option<String>, JournalError>,
) -> Result<Option<Arrival>, RecorderError> {
    Ok(match entry {
        JournalEntry::Candidate(id, record) => {
            Some(Arrival::Candidate(person(feed, seq, id, &record)?))
        }
        JournalEntry::Outcome(_, told) => Some(Arrival::Report(Report {
            person: told.person,
            policy: told.policy,
            value: told.value,
            corrects: None,
        })),
        JournalEntry::Correction(id, Corrected { reported, before }) => {
            let record = record(&id)?.unwrap_or_default();
            let report = correction(feed, &id, &record, reported, before);
            let report = report.map_err(|why| RecorderError::Unreadable(seq, why))?;
            Some(Arrival::Report(report))
        }
        JournalEntry::Withdrawal(_, Withdrawn { person }) => person.map(Arrival::Withdrawal),
        JournalEntry::Slate(SlateStep::Closed(_)) => Some(Arrival::Closing),
        JournalEntry::Settled(step) => Some(Arrival::Settled(step.before)),
        // What is known of interviews is on the desk already.
        JournalEntry::Slate(SlateStep::Begun(_))
        | JournalEntry::Refusal(_)
        | JournalEntry::Asked(..)
        | JournalEntry::Answer(..)
        | JournalEntry::Miss(..)
        | JournalEntry::Forfeit(_)
        | JournalEntry::Decision(_)
        | JournalEntry::Rounds(_)
        | JournalEntry::Shown(_)
        | JournalEntry::Join(_)
        | JournalEntry::Takeover(_) => None,
    })
}

/// The person of a record in the journal.
fn person(
    feed: &FeedSpec,
    seq: u64,
    id: Box<str>,
    record: &str,
) -> Result<CandidateRecord, RecorderError> {
    let why = match feed.reading.json(record, 0) {
        // One without a name of its own was named by its place in its feed.
        Ok(Read::Candidate(person)) => return Ok(CandidateRecord { id, ..person }),
        Ok(Read::LeftOut) => "`where` leaves this person out".into(),
        Err(why) => why,
    };
    Err(RecorderError::Unreadable(seq, why))
}

/// The report of a corrected outcome, for policies that learnt the earlier value.
///
/// # Errors
/// Fails if the record of the person can't be read with this config.
pub(super) fn correction(
    feed: &FeedSpec,
    id: &str,
    record: &str,
    told: Reported,
    before: f64,
) -> Result<Report, String> {
    let person = match feed.reading.json(record, 0)? {
        Read::Candidate(person) => person,
        Read::LeftOut => return Err("`where` leaves this person out".into()),
    };
    let about = row(feed.reading.schema(), told.person, id, &person);
    let corrects = Some(Correction {
        before,
        about: Arc::new(about),
    });
    Ok(Report {
        person: told.person,
        policy: told.policy,
        value: told.value,
        corrects,
    })
}

/// A batch row with this person alone, under its number in the stream.
fn row(schema: &Arc<Schema>, number: u64, id: &str, person: &CandidateRecord) -> Persons {
    let mut row = Persons::new(Arc::clone(schema), number);
    let cell = schema.cell(&person.values);
    row.push_named(
        id.into(),
        cell,
        &person.values,
        &person.features,
        person.score,
    );
    row
}

/// The player of a journal in a replay, which writes no journal.
pub(super) struct Again {
    /// The folder of the journal; `None` if no entries are to be handed on.
    pub(super) folder: Option<PathBuf>,
    /// The declaration of the journal's records; `None` if people are generated.
    pub(super) feed: Option<Arc<FeedSpec>>,
    /// The channel to the stream.
    pub(super) out: Option<mpsc::Sender<Vec<Arrival>>>,
    pub(super) bad: BadFile,
    pub(super) watched: Arc<Watched>,
    pub(super) end: Arc<StreamEnd>,
    /// The journal's notes of the lanes.
    pub(super) notes: Arc<LiveNotes>,
}

impl Again {
    /// Hands on the journal's entries and ends the stream. Until the lanes are over it checks that
    /// they decide as before.
    ///
    /// # Errors
    /// Fails as [`read_on`] and [`LiveNotes::take`] do. The stream then ends for that reason.
    pub(super) async fn hand_on(mut self) -> Result<(), RecorderError> {
        let done = self.all().await;
        // Told before the stream closes, so that the lanes' ending has its reason.
        self.end.note(&done);
        self.out = None;
        let see = || self.check();
        self.notes.until_over(&self.end, None, done, see).await
    }

    /// Checks the lanes' notes against the journal, and writes none of them.
    fn check(&self) -> Result<(), RecorderError> {
        self.notes.take().map(drop)
    }

    async fn all(&mut self) -> Result<(), RecorderError> {
        let (Some(folder), Some(feed), Some(out)) = (&self.folder, &self.feed, &self.out) else {
            return Ok(());
        };
        let mut reader = JournalReader::open(folder)?;
        while let Some(arrivals) =
            read_on(&mut reader, feed, &self.watched, &mut self.bad, &self.notes)?
        {
            if out.send(arrivals).await.is_err() {
                break;
            }
            self.check()?;
        }
        Ok(())
    }
}
