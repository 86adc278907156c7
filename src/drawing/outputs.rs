//! All files that follow from a draw.

use std::collections::BTreeMap;

use super::draw::Drawn;
use super::folder::RECORD;
use super::inputs::Inputs;
use super::page::{PAGE, page};
use super::record::{Publish, Record};
use super::tables::tables;

/// The record of a draw, and the files that it leaves apart from its inputs, by name.
#[must_use]
pub fn outputs(
    drawn: &Drawn,
    inputs: &Inputs,
    publish: Publish,
) -> (Record, BTreeMap<String, Vec<u8>>) {
    let mut files = tables(drawn);
    let record = Record::of(drawn, inputs, publish, &files);
    files.insert(PAGE.to_owned(), page(&record).html().into_bytes());
    files.insert(RECORD.to_owned(), record.text().into_bytes());
    (record, files)
}
