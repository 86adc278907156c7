//! The files that follow from a draw.

use std::collections::BTreeMap;

use super::draw::FinishedDraw;
use super::folder::RECORD;
use super::inputs::Inputs;
use super::page::{PAGE, page};
use super::record::{Publish, Record};
use super::tables::tables;

/// The byte order mark, which makes spreadsheets read a table as UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the record of a draw, and its files besides the inputs, by name.
#[must_use]
pub fn outputs(
    drawn: &FinishedDraw,
    inputs: &Inputs,
    publish: &Publish,
) -> (Record, BTreeMap<String, Vec<u8>>) {
    let tables = people(drawn, publish);
    let hashes = tables.iter();
    let of_people = inputs.people_hash(drawn.commitment.schema);
    let hashes = hashes.map(|(name, bytes)| (name.clone(), of_people.hash(bytes)));
    let (record, mut files) = finished(drawn, inputs, publish, hashes.collect());
    files.extend(tables);
    (record, files)
}

/// The tables of people, by name.
pub(super) fn people(drawn: &FinishedDraw, publish: &Publish) -> BTreeMap<String, Vec<u8>> {
    let mut files = tables(drawn);
    if publish.for_spreadsheet {
        for bytes in files.values_mut() {
            bytes.splice(..0, MARK.iter().copied());
        }
    }
    files
}

/// The record and the page, once the hashes of the tables of people are known.
pub(super) fn finished(
    drawn: &FinishedDraw,
    inputs: &Inputs,
    publish: &Publish,
    hashes: BTreeMap<String, String>,
) -> (Record, BTreeMap<String, Vec<u8>>) {
    let record = Record::of(drawn, inputs, publish, hashes);
    let files = [
        (PAGE.to_owned(), page(&record).html().into_bytes()),
        (RECORD.to_owned(), record.text().into_bytes()),
    ];
    (record, files.into())
}
