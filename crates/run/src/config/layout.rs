//! The format of a file of people, and the filters on its rows.

use super::inputs::ConfigInputs;
use super::memory;
use crate::document::{Field, Reader, Value};
use kleroterion_io::record::file::How;
use kleroterion_io::record::{Filter, FilterError};

/// Reads how the file that `path` names is written: how it is opened, and the names of its columns where it
/// has no header.
pub(super) fn layout(
    table: &mut Reader<'_>,
    path: &Field<'_>,
    inputs: &ConfigInputs,
) -> Option<(How, Option<Vec<String>>)> {
    let keys = ["header", "columns", "delimiter", "sheet"].map(|key| (key, table.get(key)));
    let [(_, header), (_, columns), (_, delimiter), (_, sheet)] = &keys;
    let header = header.optional(Field::flag);
    let names = columns.optional(Field::texts);
    let delimiter = delimiter.optional(delimiter_of);
    let sheet = sheet.optional(Field::text);
    let is_json = |path: &str| {
        let endings = [".ndjson", ".jsonl", ".json"];
        endings.iter().any(|ending| path.ends_with(ending))
    };
    let is_json = path.value().and_then(Value::text).is_some_and(is_json);
    let is_rows = memory::is_rows(path, inputs);
    if is_json || is_rows {
        match is_json {
            true => refuse(&keys, "is for CSV files; this one is JSON"),
            false => refuse(&keys, OF_FILES),
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
        sheet: sheet.unless_bad()?.map(str::to_owned),
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
pub(super) fn how(table: &mut Reader<'_>, path: &Field<'_>, inputs: &ConfigInputs) -> Option<How> {
    let (delimiter, sheet) = (table.get("delimiter"), table.get("sheet"));
    if memory::is_rows(path, inputs) {
        let keys = [("delimiter", delimiter.clone()), ("sheet", sheet.clone())];
        refuse(&keys, OF_FILES);
    }
    let delimiter = delimiter.optional(delimiter_of);
    let sheet = sheet.optional(Field::text);
    Some(How {
        delimiter: delimiter.unless_bad()?,
        sheet: sheet.unless_bad()?.map(str::to_owned),
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

/// Reads `exact`: whether case, blanks and Unicode form make a difference.
pub(super) fn exact(table: &mut Reader<'_>) -> Option<bool> {
    table.get("exact").optional(Field::flag).or(false)
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
