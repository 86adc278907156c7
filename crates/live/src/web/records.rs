//! The records of a body: one, an array, or lines.

use axum::http::StatusCode;
use serde_json::value::RawValue;

use super::Limits;
use super::answer::HttpRefusal;
use super::form::BodyForm;
use kleroterion_io::feed::Rejected;
use kleroterion_io::record::outside;

/// A record of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BodyRecord<'b> {
    /// The line of the body on which it begins, from 1.
    pub(super) line: u64,
    /// The number of the element in an array, from 1; `None` outside an array.
    pub(super) element: Option<u64>,
    /// Its text.
    pub(super) text: &'b [u8],
}

/// The records of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BodyRecords<'b> {
    /// Most likely a single record. Only reading it shows that.
    One(&'b [u8]),
    /// Any number.
    Many(Vec<BodyRecord<'b>>),
}

/// Splits a body into records.
pub(super) fn records<'b>(
    body: &'b [u8],
    form: &BodyForm,
    limits: &Limits,
) -> Result<BodyRecords<'b>, HttpRefusal> {
    let body = without_mark(body);
    match body.trim_ascii_start().first() {
        None => Err(empty()),
        Some(b'[') => match array(body, limits)? {
            none if none.is_empty() && *form != BodyForm::Events => Err(empty()),
            some => Ok(BodyRecords::Many(some)),
        },
        Some(_) if *form == BodyForm::Lines => Ok(BodyRecords::Many(lines(body, limits)?)),
        Some(_) => Ok(BodyRecords::One(body)),
    }
}

/// The single JSON value of a body, or a refusal.
pub(super) fn one_value(body: &[u8]) -> Result<&RawValue, HttpRefusal> {
    let body = without_mark(body);
    if body.trim_ascii().is_empty() {
        return Err(empty());
    }
    outside::value(body).map_err(|error| syntax(&error))
}

/// The body without a byte order mark.
fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body)
}

/// Splits a body into its lines that are not blank.
fn lines<'b>(body: &'b [u8], limits: &Limits) -> Result<Vec<BodyRecord<'b>>, HttpRefusal> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(body.split(|&byte| byte == b'\n')) {
        let text = text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        if found.len() == limits.records {
            return Err(too_many(limits));
        }
        found.push(BodyRecord {
            line,
            element: None,
            text,
        });
    }
    Ok(found)
}

fn array<'b>(body: &'b [u8], limits: &Limits) -> Result<Vec<BodyRecord<'b>>, HttpRefusal> {
    let text = std::str::from_utf8(body).map_err(|error| {
        let from = &body[..error.valid_up_to()];
        let line = 1 + newlines(from);
        let last = from
            .rsplit(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let column = 1 + String::from_utf8_lossy(last).chars().count() as u64;
        no_json(line, column, "it is not UTF-8".into())
    })?;
    let elements = outside::elements(text, limits.records).map_err(|error| {
        if error.is_data() {
            too_many(limits)
        } else {
            syntax(&error)
        }
    })?;
    let (mut line, mut upto) = (1, 0);
    let located = (1..).zip(elements).map(|(element, raw)| {
        let text = raw.get().as_bytes();
        // Where it begins in the body that it is borrowed from.
        let start = text.as_ptr() as usize - body.as_ptr() as usize;
        line += newlines(&body[upto..start]);
        upto = start;
        BodyRecord {
            line,
            element: Some(element),
            text,
        }
    });
    Ok(located.collect())
}

/// Reconsiders a body that was taken for one record and can't be read as one. Returns its lines, or
/// `None` if it is one record that is wrong.
///
/// # Errors
/// Fails if the body is not JSON at all.
pub(super) fn otherwise<'b>(
    body: &'b [u8],
    limits: &Limits,
) -> Result<Option<Vec<BodyRecord<'b>>>, HttpRefusal> {
    let Err(error) = outside::syntax(body) else {
        return Ok(None);
    };
    let lines = lines(body, limits)?;
    match lines.first() {
        Some(first) if lines.len() > 1 && outside::syntax(first.text).is_ok() => Ok(Some(lines)),
        _ => Err(syntax(&error)),
    }
}

fn newlines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

fn syntax(error: &serde_json::Error) -> HttpRefusal {
    let (line, column) = (error.line() as u64, error.column() as u64);
    let told = error.to_string();
    let place = format!(" at line {line} column {column}");
    no_json(line, column, told.replace(&place, ""))
}

const HELP: &str = "send one object, an array of objects, or an object a line";

fn no_json(line: u64, column: u64, error: String) -> HttpRefusal {
    let told = format!("the body is no JSON: {error}, line {line}, column {column}");
    HttpRefusal::new(StatusCode::BAD_REQUEST, told, HELP).at(vec![Rejected {
        line,
        column: Some(column),
        record: None,
        error,
    }])
}

fn empty() -> HttpRefusal {
    let error = "there is no record in the body";
    HttpRefusal::new(StatusCode::BAD_REQUEST, error, HELP)
}

pub(super) fn too_many(limits: &Limits) -> HttpRefusal {
    let error = format!("the body has more than {} records", limits.records);
    let help = "nothing of it was taken: send fewer at once";
    HttpRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str, form: BodyForm) -> Vec<(u64, Option<u64>, &str)> {
        let limits = Limits {
            records: 3,
            ..Limits::default()
        };
        match records(body.as_bytes(), &form, &limits) {
            Ok(BodyRecords::Many(records)) => records
                .iter()
                .map(|r| (r.line, r.element, std::str::from_utf8(r.text).unwrap()))
                .collect(),
            Ok(BodyRecords::One(text)) => vec![(0, None, std::str::from_utf8(text).unwrap())],
            Err(refusal) => vec![(u64::from(refusal.status.as_u16()), None, "")],
        }
    }

    #[test]
    fn lines_are_numbered_blank_ones_left_out() {
        let body = "\u{feff}{\"a\":1}\r\n\n  \nrubbish\n{}";
        let lines = [
            (1, None, "{\"a\":1}"),
            (4, None, "rubbish"),
            (5, None, "{}"),
        ];
        assert_eq!(found(body, BodyForm::Lines), lines);
    }

    #[test]
    fn elements_know_where_they_begin() {
        let body = "[{\"a\":\n[1]}, 2,\n\n  \"x\"\n]\n";
        let elements = [
            (1, Some(1), "{\"a\":\n[1]}"),
            (2, Some(2), "2"),
            (4, Some(3), "\"x\""),
        ];
        assert_eq!(found(body, BodyForm::Lines), elements);
        assert_eq!(found(body, BodyForm::Json), elements);
    }

    #[test]
    fn bodies_without_records_and_with_too_many_are_refused() {
        let refused = |status| vec![(status, None, "")];
        for (body, status) in [
            ("", 400),
            (" \n\n", 400),
            ("[]", 400),
            ("[1", 400),
            ("[1]]", 400),
            ("[1,2,3,4]", 413),
            ("[1,2,3,", 400),
        ] {
            assert_eq!(found(body, BodyForm::Json), refused(status), "{body}");
        }
        assert_eq!(found("1\n2\n3\n4", BodyForm::Lines), refused(413));
        assert_eq!(found("[]", BodyForm::Events), []);
    }

    #[test]
    fn one_value_is_all_of_a_body() {
        let read = |body: &'static [u8]| one_value(body).map(RawValue::get);
        assert_eq!(
            read(b"\xEF\xBB\xBF {\"x\": 1e2}\n").unwrap(),
            "{\"x\": 1e2}"
        );
        for body in [
            &b""[..],
            b" \n",
            b"{",
            b"{} {}",
            b"x",
            b"{\"a\":1}, \"id\": \"b\"",
            b"\"\xff\"",
        ] {
            let refusal = read(body).unwrap_err();
            assert_eq!(refusal.status, StatusCode::BAD_REQUEST);
        }
    }

    #[test]
    fn what_is_not_one_may_be_lines() {
        let limits = Limits::default();
        let otherwise = |body: &'static str| otherwise(body.as_bytes(), &limits);
        assert_eq!(otherwise("{\n\"a\": 1\n}").unwrap(), None);
        assert_eq!(otherwise("{}\n{]\n").unwrap().unwrap().len(), 2);
        for body in ["{\n\"a\": 1,\n}", "{", "{} {}", "rubbish\n{}"] {
            let refusal = otherwise(body).unwrap_err();
            assert_eq!(refusal.status, StatusCode::BAD_REQUEST, "{body}");
        }
    }
}
