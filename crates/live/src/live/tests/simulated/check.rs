//! Checks of a journal against the promises, read row by row.

use std::collections::BTreeMap;

use rusqlite::{Connection, OpenFlags};

use super::plainly::Plainly;
use super::promises::Promises;
use super::rule::Rule;
use kleroterion_io::journal::simulated::SimulatedDisk;
use kleroterion_io::journal::{JOURNAL, JournalEntry};
use kleroterion_run::config::Plan;

/// An entry: its number, kind, id and body.
pub(super) type Row = (u64, String, Option<String>, String);

/// The entries of the journal on a disk; empty without a journal.
pub(super) fn rows(disk: &SimulatedDisk) -> Result<Vec<Row>, String> {
    let path = disk.folder().join(JOURNAL);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = || -> rusqlite::Result<Vec<Row>> {
        let store = Connection::open_with_flags_and_vfs(&path, flags, "simulated")?;
        let mut select = store.prepare("SELECT seq, kind, id, body FROM entry ORDER BY seq")?;
        let row = |row: &rusqlite::Row<'_>| {
            let seq: i64 = row.get(0)?;
            Ok((seq as u64, row.get(1)?, row.get(2)?, row.get(3)?))
        };
        select.query_map([], row)?.collect()
    };
    match read() {
        Ok(rows) => Ok(rows),
        // Before the journal was made.
        Err(error) if error.to_string().contains("no such table") => Ok(Vec::new()),
        Err(error) if !disk.has(&path) => {
            drop(error);
            Ok(Vec::new())
        }
        Err(error) => Err(format!("the journal can't be read: {error}")),
    }
}

/// Checks the entries against all promises. `cast` is the plan of a run with programs.
pub(super) fn hold(rows: &[Row], promises: &Promises, cast: Option<&Plan>) -> Result<(), String> {
    let mut people = BTreeMap::new();
    let mut outcomes = BTreeMap::new();
    for (at, (seq, kind, id, _)) in (1..).zip(rows) {
        if *seq != at {
            return Err(format!("entry {seq} is the {at}th"));
        }
        let id = id.clone().unwrap_or_default();
        let known = match &**kind {
            "candidate" => people.insert(id.clone(), at),
            "outcome" => outcomes.insert(id.clone(), at),
            _ => None,
        };
        if let Some(before) = known {
            return Err(format!("{kind} {id} is there twice: {before} and {at}"));
        }
    }
    promises.with(|promised| {
        if let Some(id) = promised.people.iter().find(|id| !people.contains_key(*id)) {
            return Err(format!("{id} was acknowledged and is not there"));
        }
        let mut told = promised.outcomes.iter();
        if let Some(id) = told.find(|id| !outcomes.contains_key(*id)) {
            return Err(format!(
                "the outcome of {id} was acknowledged and is not there"
            ));
        }
        Ok(())
    })?;
    let entries = entries(rows)?;
    match cast {
        None => decisions(&entries, promises),
        Some(plan) => of_programs(&entries, promises, plan),
    }
}

/// The entries, with the ids of the people that they are about.
pub(super) fn entries(rows: &[Row]) -> Result<Vec<(String, JournalEntry)>, String> {
    let entries = rows.iter().map(|(_, kind, id, body)| {
        let entry = JournalEntry::of(kind, id.as_deref(), body)?;
        Some((id.clone().unwrap_or_default(), entry))
    });
    let entries: Option<_> = entries.collect();
    entries.ok_or_else(|| "an entry can't be read".to_owned())
}

/// Computes the lanes of programs plainly, and checks all that was shown against them.
fn of_programs(
    entries: &[(String, JournalEntry)],
    promises: &Promises,
    plan: &Plan,
) -> Result<(), String> {
    let plainly = Plainly::of(plan, entries)?;
    plainly.hold()?;
    promises.with(|promised| {
        for (round, shown) in &promised.shown {
            plainly.hold_committed(*round, shown)?;
        }
        for (round, given) in &promised.given {
            plainly.hold_given(*round, given)?;
        }
        Ok(())
    })
}

/// Computes the stream of the entries plainly, and checks the decisions against it.
fn decisions(entries: &[(String, JournalEntry)], promises: &Promises) -> Result<(), String> {
    let mut late = BTreeMap::new();
    let mut decided = BTreeMap::new();
    for (_, entry) in entries {
        match entry {
            JournalEntry::Forfeit(forfeit) => {
                late.insert(forfeit.round, ());
            }
            JournalEntry::Decision(decision) => {
                let chosen = decision.chosen.clone();
                if decided.insert(decision.round, chosen).is_some() {
                    return Err(format!("round {} is decided twice", decision.round));
                }
            }
            _ => {}
        }
    }
    let mut rule = Rule::default();
    let mut round = 0;
    for (id, entry) in entries {
        match entry {
            JournalEntry::Outcome(_, told) => rule.hear(told.person, told.value),
            JournalEntry::Candidate(..) => {
                round += 1;
                let plain = rule.decide(id, late.contains_key(&round));
                if let Some(committed) = decided.get(&round)
                    && *committed != plain
                {
                    return Err(format!(
                        "round {round} was decided {committed:?}, and plainly it is {plain:?}"
                    ));
                }
            }
            _ => {}
        }
    }
    promises.with(|promised| {
        for (round, shown) in &promised.shown {
            if decided.get(round) != Some(shown) {
                return Err(format!(
                    "{shown:?} was shown of round {round}, and {:?} is there",
                    decided.get(round)
                ));
            }
        }
        Ok(())
    })
}
