//! How the people of a file are written, and which of its rows are kept.

use crate::document::{Field, Reader};
use crate::record::{Codec, Filter};

/// The codec of the file of this path, where one is given.
pub(super) fn codec(table: &mut Reader<'_>, path: Option<&str>) -> Option<Codec> {
    let header = table.get("header");
    let (header_given, header) = (header.is_given(), header.flag());
    let columns = table.get("columns");
    let (columns_given, columns_read) = (columns.is_given(), columns.texts());
    let delimiter = table.get("delimiter");
    let (delimiter_given, delimiter) = (delimiter.is_given(), delimiter_of(&delimiter));
    if path.is_some_and(|path| path.ends_with(".ndjson") || path.ends_with(".jsonl")) {
        for (given, key) in [
            (header_given, "header"),
            (columns_given, "columns"),
            (delimiter_given, "delimiter"),
        ] {
            if given {
                table.get(key).refuse(
                    format!("`{key}` is for CSV files; this one is NDJSON"),
                    "leave it out",
                );
            }
        }
        return Some(Codec::Json);
    }
    let header = if header_given {
        header?
    } else {
        !columns_given
    };
    if header && columns_given {
        columns.refuse(
            "a file with a header needs no `columns`",
            "set header = false, or leave `columns` out",
        );
        return None;
    }
    if !header && !columns_given {
        table.refuse(
            "a file without a header needs the names of its columns",
            "for example: columns = [\"age\", \"workclass\"]",
        );
        return None;
    }
    Some(Codec::Csv {
        delimiter: if delimiter_given { delimiter? } else { b',' },
        columns: if columns_given {
            Some(columns_read?)
        } else {
            None
        },
    })
}

pub(super) fn delimiter_of(field: &Field<'_>) -> Option<u8> {
    match field.text()?.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Some(*byte),
        _ => {
            field.refuse(
                "a delimiter is one ASCII character",
                "for example: delimiter = \"\\t\"",
            );
            None
        }
    }
}

/// `where`: the filters that all must hold.
pub(super) fn filters(field: &Field<'_>) -> Option<Vec<Filter>> {
    if !field.is_given() {
        return Some(Vec::new());
    }
    field.each(|member| {
        let text = member.text()?;
        match Filter::parse(text) {
            Ok(filter) => Some(filter),
            Err(error) => {
                let what = format!("{} at character {} of {text:?}", error.what, error.at + 1);
                member.refuse(what, error.help);
                None
            }
        }
    })
}
