//! The tables of people in a folder, compared with those that are computed again.
//!
//! The inputs have the columns that decide. The other columns of a table are held against the hash
//! of the table in the record and, where the organiser's own file is there, against that file.

use std::collections::BTreeMap;

use serde_json::Value;

use super::columns::{Wider, wider};
use super::draw::FinishedDraw;
use super::folder::{DrawFolder, RECORD};
use super::inputs::Inputs;
use super::outputs::people;
use super::record::Publish;
use super::tables::SELECTED;
use kleroterion_core::problem::Problem;

/// The tables of people of a folder, checked.
#[derive(Default)]
pub(super) struct HeldTables {
    /// The hash of each, as the record is to have it: where a table is another, what the record says,
    /// so that a difference is said once.
    pub(super) hashes: BTreeMap<String, String>,
    /// The name of each, how it was checked, and what differs.
    pub(super) findings: Vec<(String, String, Option<String>)>,
}

/// The tables of people in a folder against a draw made again; `written`: the hashes in the record.
/// The organiser's rows that the inputs hold are taken out of them.
///
/// # Errors
/// Where a table can't be read.
pub(super) fn held(
    folder: &DrawFolder,
    inputs: &mut Inputs,
    drawn: &mut FinishedDraw,
    publish: &Publish,
    written: &Value,
) -> Result<HeldTables, Problem> {
    let original = inputs.original.take();
    let is_held = original.is_some();
    drawn.stage.whole_mut().hold(None);
    let narrow = people(drawn, publish);
    drawn.stage.whole_mut().hold(original);
    let full = people(drawn, publish);
    let mark = drawn.stage.whole().table().delimiter;
    let taken = inputs.taken.as_ref();
    let of_people = inputs.people_hash(drawn.commitment.schema);
    let mut tables = HeldTables::default();
    for (name, due) in &narrow {
        // Of tables without columns of ours one may have no header.
        let is_bare = SELECTED.contains(&&**name);
        let names = taken.and_then(|taken| taken.names.as_deref().filter(|_| is_bare));
        let found = folder.bytes(name)?;
        let (columns, differs) = match &found {
            None => ("", Some("it is missing".to_owned())),
            Some(found) if found == due || *found == full[name] => ("", None),
            Some(found) if taken.is_none() => ("", Some(line(found, due))),
            Some(found) => {
                let is_full = is_held && wider(found, &full[name], mark, names) == Wider::Same;
                let (columns, held) = match is_full {
                    true => ("", Wider::Same),
                    false => (NARROW, wider(found, due, b',', names)),
                };
                (
                    columns,
                    differing(held, written[name] == *of_people.hash(found)),
                )
            }
        };
        let of_record = written[name].as_str().filter(|_| differs.is_some());
        let hash = match (of_record, &found) {
            (Some(hash), _) => hash.to_owned(),
            (None, Some(found)) => of_people.hash(found),
            (None, None) => of_people.hash(due),
        };
        tables.hashes.insert(name.clone(), hash);
        let how = format!("computed again{columns}");
        tables.findings.push((name.clone(), how, differs));
    }
    Ok(tables)
}

/// The addition to a check that compared only the columns among the inputs.
const NARROW: &str = ", in the columns that were committed";

/// Returns the difference found in a table that has further columns, if any.
fn differing(held: Wider, is_as_written: bool) -> Option<String> {
    match held {
        Wider::Same if is_as_written => None,
        Wider::Same => Some(format!("its hash is not the one in {RECORD}")),
        Wider::Row(row) => Some(format!("row {row} is another")),
        Wider::Other => Some("it has not the columns that it must have".to_owned()),
    }
}

/// The first line in which two texts differ.
pub(super) fn line(found: &[u8], due: &[u8]) -> String {
    let mut lines = found
        .split(|byte| *byte == b'\n')
        .zip(due.split(|byte| *byte == b'\n'));
    match lines.position(|(found, due)| found != due) {
        Some(at) => format!("line {} is another", at + 1),
        None => format!("it has {} bytes, not {}", found.len(), due.len()),
    }
}
