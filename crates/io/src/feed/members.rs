//! The members of records about a candidate: the id, numbers, and unknown names.

use crate::record::Span;
use crate::record::json::opened;
use crate::record::object::{Members, Written};
use kleroterion_core::nearest::advice;

/// Returns the members of a record, alone or as `data` of a CloudEvents envelope. `what` is the
/// record in words.
///
/// # Errors
/// A text that is no such record, or has members twice.
pub(super) fn members<'a>(text: &'a str, what: &str) -> Result<Members<'a>, String> {
    match text.trim_ascii_start().starts_with('{') {
        true => opened(text)
            .map(|(record, _)| record)
            .map_err(|fault| fault.line()),
        false => Err(what.into()),
    }
}

/// Returns the problems of unknown members.
pub(super) fn strangers(members: &Members<'_>, known: &[&str]) -> Vec<String> {
    let names = members.names().filter(|name| !known.contains(name));
    let problem = |name| {
        let advice = advice(name, known, "members");
        format!("there is no member `{name}`; {advice}")
    };
    names.map(problem).collect()
}

/// Returns the candidate's id exactly as it is written, as a [`Reading`](super::Reading) reads it.
pub(super) fn id(members: &Members<'_>, name: &str) -> Result<Box<str>, String> {
    match members.written(name) {
        Some(Written::Text(id)) if !id.is_empty() => Ok(id.into()),
        Some(Written::Number(id)) => Ok(id.into()),
        Some(_) => Err(format!("`{name}` must be a text or a number")),
        None => Err(format!("`{name}` is missing")),
    }
}

/// Reads a number small enough to be squared and summed.
pub(super) fn number(members: &Members<'_>, name: &str) -> Result<f64, String> {
    let number = match members.written(name) {
        Some(Written::Number(number)) => number.parse().ok(),
        Some(_) => None,
        None => return Err(format!("`{name}` is missing")),
    };
    match number {
        Some(value) if Span::SAFE.holds(value) => Ok(value),
        Some(_) => Err(format!("`{name}` is beyond {:e}", Span::SAFE.most)),
        None => Err(format!("`{name}` must be a number")),
    }
}

/// Reads a whole number from 1, or `None` if it is missing.
pub(super) fn ordinal(members: &Members<'_>, name: &str) -> Result<Option<u64>, String> {
    let wrong = || format!("`{name}` must be a whole number from 1");
    match members.written(name) {
        None | Some(Written::Nothing) => Ok(None),
        Some(Written::Number(number)) => match number.parse() {
            Ok(number) if number > 0 => Ok(Some(number)),
            _ => Err(wrong()),
        },
        Some(_) => Err(wrong()),
    }
}
