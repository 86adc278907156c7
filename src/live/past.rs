//! What a journal holds, on its way to the lanes once more.

use super::Watched;
use super::bad::BadFile;
use super::recorder::RecorderError;
use super::stream::Arrival;
use crate::feed::{FeedSpec, Read};
use crate::journal::{Entry, Numbered, Reader};
use crate::protocol::Report;

/// The next people and outcomes of a journal; `None` at its end.
///
/// # Errors
/// Where the journal is not what was committed, or does not fit the config.
pub(super) fn read_on(
    reader: &mut Reader,
    feed: &FeedSpec,
    watched: &Watched,
    bad: &mut BadFile,
    last: u64,
) -> Result<Option<Vec<Arrival>>, RecorderError> {
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
        match entry {
            Entry::Candidate(id, record) => {
                let mut person = match feed.reading.json(&record, 0) {
                    Ok(Read::Candidate(person)) => person,
                    Ok(Read::LeftOut) => {
                        let why = "`where` leaves this person out".into();
                        return Err(RecorderError::Unreadable(seq, why));
                    }
                    Err(why) => return Err(RecorderError::Unreadable(seq, why)),
                };
                // One without a name of its own was named by its place in its feed.
                person.id = id;
                gauges.accepted.add(1);
                arrivals.push(Arrival::Candidate(person));
            }
            Entry::Outcome(_, told) => {
                gauges.outcomes.add(1);
                arrivals.push(watched.report(Report {
                    person: told.person,
                    policy: told.policy,
                    value: told.value,
                }));
            }
            Entry::Refusal(refusal) => {
                gauges.refused.add(1);
                bad.write(&refusal).map_err(|error| bad.error(error))?;
            }
            Entry::Forfeit(_) | Entry::Decision(_) | Entry::Rounds(_) | Entry::Join(_) => {}
        }
    }
    Ok(Some(arrivals))
}
