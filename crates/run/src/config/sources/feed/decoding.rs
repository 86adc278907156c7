//! The key `decoding`: the conversion of lines to records.

use std::path::Path;

use crate::config::layout::delimiter_of;
use crate::document::Field;
use kleroterion_io::record::Codec;

/// The kind of transport of a feed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum FeedKind {
    Stdin,
    Tcp,
    Http,
    Tail,
    Tape,
    Nats,
    Memory,
}

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
    let by_default = by_name && kind == FeedKind::Tail;
    if !field.is_given() {
        return Some(plain(by_default));
    }
    let mut table = field.table()?;
    let word = table.get("codec");
    let csv = word.optional(|word| word.choice(&[("json", false), ("csv", true)]));
    let (delimiter, columns) = (table.get("delimiter"), table.get("columns"));
    let byte = delimiter.optional(delimiter_of);
    let names = columns.optional(names_of);
    table.finish();
    if !csv.or(by_default)? {
        let keys = [(&delimiter, "delimiter"), (&columns, "columns")];
        for (field, key) in keys.iter().filter(|(field, _)| field.is_given()) {
            field.refuse(
                format!("`{key}` is for CSV, and these records are JSON"),
                "leave it out, or set decoding.codec = \"csv\"",
            );
        }
        return (byte.is_absent() && names.is_absent()).then_some(Codec::Json);
    }
    if matches!(kind, FeedKind::Tape | FeedKind::Nats | FeedKind::Memory) {
        return word.refused(
            "records come here as JSON alone",
            "leave out `decoding`, or send CSV by \"stdin\", \"tcp\", \"http\" or a followed file",
        );
    }
    if names.as_ref().is().is_some_and(Vec::is_empty) {
        return columns.refused(
            "`columns` names no column",
            "leave it out where the first line names them, or: columns = [\"sex\", \"age\"]",
        );
    }
    Some(Codec::Csv {
        delimiter: byte.or(b',')?,
        columns: names.unless_bad()?,
    })
}

/// The names of the columns of CSV, each once.
fn names_of(field: &Field<'_>) -> Option<Vec<String>> {
    let mut known = Vec::new();
    field.each(|member| {
        let name = member.text()?.trim();
        if known.contains(&name) {
            return member.refused(
                format!("there is more than one column {name}"),
                "give each column a name of its own",
            );
        }
        known.push(name);
        Some(name.to_owned())
    })
}
