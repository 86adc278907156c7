//! The key `decoding`: the conversion of lines to records.

use std::path::Path;

use crate::config::layout::delimiter_of;
use crate::document::param::{Shape, TEXTS};
use crate::document::{ConfigKey, Field, Later};
use crate::keys;
use kleroterion_io::record::Codec;

const CODEC: ConfigKey<bool> = ConfigKey::word("codec", &[("json", false), ("csv", true)]);

const DELIMITER: ConfigKey<u8> = ConfigKey::of("delimiter", Shape::Text, delimiter_of)
    .about("between the columns")
    .or_word(",");

const COLUMNS: ConfigKey<Vec<String>> =
    ConfigKey::of("columns", TEXTS, names_of).about("the columns of rows without a header");

pub(super) const DECODING: ConfigKey<Later> =
    ConfigKey::table("decoding", keys![CODEC, DELIMITER, COLUMNS])
        .about("how lines become records");

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
    let by_default = by_name && kind == FeedKind::Tail;
    if !field.is_given() {
        return Some(match by_default {
            true => Codec::Csv {
                delimiter: DELIMITER.assumed()?,
                columns: None,
            },
            false => Codec::Json,
        });
    }
    let mut table = DECODING.reader(field)?;
    let word = CODEC.field(&mut table);
    let csv = CODEC.given(&word);
    let (delimiter, columns) = (DELIMITER.field(&mut table), COLUMNS.field(&mut table));
    let (byte, names) = (DELIMITER.given(&delimiter), COLUMNS.given(&columns));
    table.finish();
    if !csv.or(by_default)? {
        let keys = [(&delimiter, DELIMITER.name()), (&columns, COLUMNS.name())];
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
        delimiter: byte.or_else(|| DELIMITER.assumed())?,
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
