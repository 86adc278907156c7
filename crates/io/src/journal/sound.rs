//! Checks of a journal by SQLite itself: its tables and indexes are those that were made, and agree
//! with each other. A broken index would accept a candidate twice.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::database::{CORRECTIONS, TABLES};

/// The parts of a database: the kind and definition of each table, index, trigger and view, by
/// name.
type Schema = BTreeMap<String, (String, Option<String>)>;

/// Returns a description of the first fault of a database, or `None` if it is sound.
pub(super) fn wrong(store: &Connection) -> rusqlite::Result<Option<String>> {
    if let Some(wrong) = misshapen(store)? {
        return Ok(Some(wrong));
    }
    let found: String = store.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    // SQLite says it in several lines.
    let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok((found != "ok").then(|| format!("its indexes or pages are damaged ({found})")))
}

/// Returns a description of the first table, index, trigger or view that is changed, unknown or
/// missing.
fn misshapen(store: &Connection) -> rusqlite::Result<Option<String>> {
    let model = Connection::open_in_memory()?;
    model.execute_batch(&format!("{TABLES}{CORRECTIONS}"))?;
    let (found, mut wanted) = (schema(store)?, schema(&model)?);
    if !found.contains_key("correction") {
        // One that was begun before there were corrections; resuming makes it.
        wanted.remove("correction");
    }
    for (name, (kind, definition)) in &found {
        match wanted.remove(name) {
            Some(wanted) if wanted == (kind.clone(), definition.clone()) => {}
            Some(_) => return Ok(Some(format!("its {kind} {name:?} was changed"))),
            None => {
                return Ok(Some(format!("it has a {kind} {name:?} that no run makes")));
            }
        }
    }
    let lacks = wanted.into_iter().next();
    Ok(lacks.map(|(name, (kind, _))| format!("its {kind} {name:?} is gone")))
}

fn schema(store: &Connection) -> rusqlite::Result<Schema> {
    let mut find = store.prepare("SELECT name, type, sql FROM sqlite_schema")?;
    let parts = find.query_map([], |row| {
        let definition: Option<String> = row.get(2)?;
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok((row.get(0)?, (row.get(1)?, definition.map(words))))
    })?;
    parts.collect()
}
