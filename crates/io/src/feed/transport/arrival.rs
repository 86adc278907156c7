//! The time at which a recorded candidate came.

use chrono::DateTime;

use crate::record::cell::shown;
use crate::record::object;

/// Reads the time in a record's member `at`: RFC 3339, or seconds since some moment. A tape has one
/// of these kinds. Returns `None` if there is no `at`.
pub(in crate::feed) fn arrival(record: &str) -> Result<Option<f64>, String> {
    let members = object::members(record).map_err(|fault| fault.line())?;
    let Some(cell) = object::cell(&[members], "at").map_err(|fault| fault.line())? else {
        return Ok(None);
    };
    let number = cell.parse().ok().filter(|at: &f64| at.is_finite());
    let date = || {
        let date = DateTime::parse_from_rfc3339(&cell).ok()?;
        Some(date.timestamp_micros() as f64 / 1e6)
    };
    match number.or_else(date) {
        Some(at) => Ok(Some(at)),
        None => Err(format!(
            "{} in `at` is no time: write 2026-05-01T09:30:00Z, or seconds as a number",
            shown(&cell)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_or_seconds() {
        for (record, at) in [
            (r#"{"id":1}"#, None),
            (r#"{"at":null}"#, None),
            (r#"{"at":1.5}"#, Some(1.5)),
            (r#"{"at":"-2"}"#, Some(-2.0)),
            (r#"{"at":"1970-01-01T00:01:00Z"}"#, Some(60.0)),
            (r#"{"at":"1970-01-01T01:00:00.25+01:00"}"#, Some(0.25)),
        ] {
            assert_eq!(arrival(record), Ok(at), "{record}");
        }
        for record in [
            r#"{"at":"soon"}"#,
            r#"{"at":true}"#,
            r#"{"at":1e999}"#,
            r#"{"at":[1]}"#,
        ] {
            assert!(arrival(record).is_err(), "{record}");
        }
    }
}
