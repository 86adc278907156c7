//! `decoding`: how lines become records.

use std::path::Path;

use super::kind::FeedKind;
use crate::config::layout::delimiter_of;
use crate::document::Field;
use crate::record::Codec;

/// `decoding`: JSON where nothing else is said, but for a file whose name ends in `.csv`. By HTTP
/// each request says what its body is; what is said here are then the delimiter and the columns of
/// its rows, and what a body is that says nothing.
pub(super) fn codec(field: &Field<'_>, kind: FeedKind, path: Option<&Path>) -> Option<Codec> {
    let by_name = path.is_some_and(|path| path.extension().is_some_and(|end| end == "csv"));
    let plain = |csv: bool| match csv {
        true => Codec::Csv {
            delimiter: b',',
            columns: None,
        },
        false => Codec::Json,
    };
    if !field.is_given() {
        return Some(plain(by_name && kind == FeedKind::Tail));
    }
    let mut table = field.table()?;
    let word = table.get("codec");
    let csv = match word.is_given() {
        true => word.choice(&[("json", false), ("csv", true)]),
        false => Some(by_name && kind == FeedKind::Tail),
    };
    let delimiter = table.get("delimiter");
    let names = table.get("columns");
    let (delimiter_given, names_given) = (delimiter.is_given(), names.is_given());
    let byte = delimiter_of(&delimiter);
    let columns = names_of(&names);
    table.finish();
    match csv? {
        true if kind == FeedKind::Tape => {
            word.refuse(
                "records come here as JSON alone",
                "leave out `decoding`, or send CSV by \"stdin\", \"tcp\", \"http\" or a followed file",
            );
            None
        }
        true if names_given && columns.as_ref().is_some_and(Vec::is_empty) => {
            names.refuse(
                "`columns` names no column",
                "leave it out where the first line names them, or: columns = [\"sex\", \"age\"]",
            );
            None
        }
        true => Some(Codec::Csv {
            delimiter: if delimiter_given { byte? } else { b',' },
            columns: if names_given { Some(columns?) } else { None },
        }),
        false => {
            for (field, key) in [(&delimiter, "delimiter"), (&names, "columns")] {
                if field.is_given() {
                    field.refuse(
                        format!("`{key}` is for CSV, and these records are JSON"),
                        "leave it out, or set decoding.codec = \"csv\"",
                    );
                }
            }
            (!delimiter_given && !names_given).then_some(Codec::Json)
        }
    }
}

/// The names of the columns of CSV, each once.
fn names_of(field: &Field<'_>) -> Option<Vec<String>> {
    let mut known = Vec::new();
    field.each(|member| {
        let name = member.text()?.trim();
        if known.contains(&name) {
            member.refuse(
                format!("there is more than one column {name}"),
                "give each column a name of its own",
            );
            return None;
        }
        known.push(name);
        Some(name.to_owned())
    })
}
