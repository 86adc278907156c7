//! What SQLite itself can say of a journal: its tables and indexes are those that were made, and
//! agree with each other. A broken index would take a person twice.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::database::{CORRECTIONS, TABLES};

/// What a database is made of: tables, indexes, triggers and views, by name, as they were defined.
type Schema = BTreeMap<String, (String, Option<String>)>;

/// What is wrong with a database, where something is.
pub(super) fn wrong(store: &Connection) -> rusqlite::Result<Option<String>> {
    if let Some(wrong) = misshapen(store)? {
        return Ok(Some(wrong));
    }
    let found: String = store.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    // SQLite says it in several lines.
    let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok((found != "ok").then(|| format!("its indexes or pages are damaged ({found})")))
}

/// What it is made of that it should not be, or lacks.
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
