//! Tables from the memory of a program, where a config may name a file: `{ memory = "people" }`.

use sha2::{Digest, Sha256};

use super::handed::HandedIn;
use super::plan::Plan;
use crate::document::param::{Param, Shape};
use crate::document::{ConfigKey, Field, Table, Value, meant};
use crate::keys;
use kleroterion_core::nearest::nearest;
use kleroterion_io::record::file::MemoryTable;

const MEMORY: ConfigKey<String> = ConfigKey::text("memory")
    .about("the name of a table that a program hands in")
    .needed_like("memory = \"people\"");

const HASH: ConfigKey<String> = ConfigKey::text("sha256").about("the hash of the table");

const ROWS: ConfigKey<u64> = ConfigKey::whole("rows", 0, u64::MAX).about("the number of its rows");

const TABLE: &[Param] = keys![MEMORY, HASH, ROWS];

/// A file, or a table from the memory of a program.
pub(super) const FILE: Shape = Shape::OneOf(&[Shape::Text, Shape::Table(TABLE)]);

/// Returns the name of the table from memory that a value is, if it is one.
pub(super) fn name(value: Option<&Value>) -> Option<&str> {
    value?.table()?.value(MEMORY.name())?.text()
}

/// Returns the name by which notes call a file, or a table from memory.
pub(super) fn called(field: &Field<'_>) -> String {
    match name(field.value()) {
        Some(name) => format!("table `{name}` in memory"),
        None => field.text().unwrap_or_default().to_owned(),
    }
}

/// Returns true if a field names a table whose rows were handed in as such, so that they have no
/// format.
pub(super) fn is_rows(field: &Field<'_>, inputs: &HandedIn) -> bool {
    let held = name(field.value()).and_then(|name| inputs.table(name));
    held.is_some_and(MemoryTable::is_rows)
}

/// The table that a field names, and its name. Notes a problem if the program did not hand it in,
/// or handed in another.
pub(super) fn find(field: &Field<'_>, inputs: &HandedIn) -> Option<(String, MemoryTable)> {
    let mut table = field.table_of(TABLE)?;
    let (name, hash) = (MEMORY.field(&mut table), HASH.field(&mut table));
    let (known, rows) = (HASH.given(&hash), ROWS.read(&mut table));
    table.finish();
    let named = MEMORY.value_of(&name)?;
    let (known, rows) = (known.unless_bad()?, rows.unless_bad()?);
    let Some(held) = inputs.table(&named) else {
        let near = nearest(&named, inputs.tables());
        let near = near.map(|near| format!("`{near}`, which was handed in"));
        let rows = rows.map(|rows| format!("{rows} rows"));
        let known = known.map(|known| format!("SHA-256 {known}"));
        let facts: Vec<String> = rows.into_iter().chain(known).collect();
        let facts = match facts.is_empty() {
            true => String::new(),
            false => format!(" ({})", facts.join(", ")),
        };
        let path = field.path();
        return name.refused(
            format!("the table `{named}` is from the memory of a program, and was not handed in"),
            meant(
                near,
                format!(
                    "hand it in under this name{facts}, or write it to a file and set \
                     {path} = \"{named}.csv\""
                ),
            ),
        );
    };
    let found = hash_of(held);
    if known.is_some_and(|known| known != found) {
        return hash.refused(
            format!("the table `{named}` that was handed in is not the one of this config"),
            format!(
                "hand in that one, or leave `{}` out; this one has {found}",
                HASH.name()
            ),
        );
    }
    Some((named, held.clone()))
}

/// Writes what is known of a table into its place in a resolved config. `is_source` is true for the
/// people themselves.
pub(super) fn resolve(named: &mut Table, plan: &Plan, inputs: &HandedIn, is_source: bool) {
    let name = named.value(MEMORY.name()).and_then(Value::text);
    let Some(held) = name.and_then(|name| inputs.table(name)) else {
        return;
    };
    named.put(HASH.name(), hash_of(held).into());
    if let Some(rows) = plan.world.rows_read.filter(|_| is_source) {
        named.put(ROWS.name(), rows.into());
    }
}

fn hash_of(table: &MemoryTable) -> String {
    let hash = Sha256::digest(table.bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
