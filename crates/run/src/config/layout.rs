//! The format of a file of people, and the filters on its rows.

use super::handed::HandedIn;
use super::memory;
use crate::document::param::{Shape, TEXTS};
use crate::document::{ConfigKey, Field, Later, Reader, Value};
use kleroterion_io::record::file::How;
use kleroterion_io::record::{Filter, FilterError};

pub(super) const HEADER: ConfigKey<bool> =
    ConfigKey::flag("header").about("whether the first line names the columns");

pub(super) const COLUMNS: ConfigKey<Vec<String>> =
    ConfigKey::texts("columns").about("the columns of a file without a header");

pub(super) const DELIMITER: ConfigKey<u8> = ConfigKey::of("delimiter", Shape::Text, delimiter_of)
    .about("between the columns; recognised where left out");

pub(super) const SHEET: ConfigKey<String> = ConfigKey::text("sheet")
    .about("the sheet of a workbook; the first that is not hidden where left out");

pub(super) const EXACT: ConfigKey<bool> = ConfigKey::flag("exact")
    .about("whether case, blanks, Unicode form and kinds of dashes in values make a difference")
    .or(false);

pub(super) const WHERE: ConfigKey<Later> =
    ConfigKey::later("where", TEXTS).about("filters that all must hold");

/// Reads how the file that `path` names is written: how it is opened, and the names of its columns
/// where it has no header.
pub(super) fn layout(
    table: &mut Reader<'_>,
    path: &Field<'_>,
    inputs: &HandedIn,
) -> Option<(How, Option<Vec<String>>)> {
    let keys = [HEADER.param, COLUMNS.param, DELIMITER.param, SHEET.param];
    let fields = keys.map(|key| (key.key, key.field(table)));
    let [(_, header), (_, columns), (_, delimiter), (_, sheet)] = &fields;
    let (header, names) = (HEADER.given(header), COLUMNS.given(columns));
    let (delimiter, sheet) = (DELIMITER.given(delimiter), SHEET.given(sheet));
    let is_json = |path: &str| {
        let endings = [".ndjson", ".jsonl", ".json"];
        endings.iter().any(|ending| path.ends_with(ending))
    };
    let is_json = path.value().and_then(Value::text).is_some_and(is_json);
    let is_rows = memory::is_rows(path, inputs);
    if is_json || is_rows {
        match is_json {
            true => refuse(&fields, "is for CSV files; this one is JSON"),
            false => refuse(&fields, OF_FILES),
        }
        let how = How {
            records: is_json,
            ..How::default()
        };
        return Some((how, None));
    }
    let header = header.or(names.is_absent())?;
    if header && !names.is_absent() {
        return columns.refused(
            "a file with a header needs no `columns`",
            "set header = false, or leave `columns` out",
        );
    }
    if !header && names.is_absent() {
        return table.refused(
            "a file without a header needs the names of its columns",
            "for example: columns = [\"age\", \"workclass\"]",
        );
    }
    let how = How {
        delimiter: delimiter.unless_bad()?,
        sheet: sheet.unless_bad()?,
        ..How::default()
    };
    Some((how, names.unless_bad()?))
}

/// What is said of a key on the format of a file, where rows are from memory.
const OF_FILES: &str = "is for files; these rows are from memory";

/// Refuses the keys that are given.
fn refuse(keys: &[(&str, Field<'_>)], why: &str) {
    for (key, field) in keys.iter().filter(|(_, field)| field.is_given()) {
        field.refuse(format!("`{key}` {why}"), "leave it out");
    }
}

/// Reads how a file with a header is opened: `delimiter` and `sheet`.
pub(super) fn how(table: &mut Reader<'_>, path: &Field<'_>, inputs: &HandedIn) -> Option<How> {
    let (delimiter, sheet) = (DELIMITER.field(table), SHEET.field(table));
    if memory::is_rows(path, inputs) {
        let keys = [
            (DELIMITER.name(), delimiter.clone()),
            (SHEET.name(), sheet.clone()),
        ];
        refuse(&keys, OF_FILES);
    }
    let (delimiter, sheet) = (DELIMITER.given(&delimiter), SHEET.given(&sheet));
    Some(How {
        delimiter: delimiter.unless_bad()?,
        sheet: sheet.unless_bad()?,
        ..How::default()
    })
}

/// Reads the character between two columns.
pub(super) fn delimiter_of(field: &Field<'_>) -> Option<u8> {
    match field.text()?.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Some(*byte),
        _ => field.refused(
            "a delimiter is one ASCII character",
            "for example: delimiter = \"\\t\"",
        ),
    }
}

/// Reads `where`: the filters that all must hold; `is_exact`: whether each letter of their texts
/// matters.
pub(super) fn filters(field: &Field<'_>, is_exact: bool) -> Option<Vec<Filter>> {
    let filter = |member: &Field<'_>| {
        let text = member.text()?;
        let wrong = |error: FilterError| {
            let what = format!("{} at character {} of {text:?}", error.what, error.at + 1);
            member.refuse(what, error.help);
        };
        let filter = Filter::parse(text).map_err(wrong).ok()?;
        Some(if is_exact { filter.exact() } else { filter })
    };
    field.optional(|field| field.each(filter)).or(Vec::new())
}
