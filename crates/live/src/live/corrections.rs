//! Corrections of outcomes that were reported before.

use std::sync::Arc;

use kleroterion_core::protocol::{Correction, Persons, Report, Schema};
use kleroterion_io::feed::{CandidateRecord, FeedSpec, Read};
use kleroterion_io::journal::Reported;

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
