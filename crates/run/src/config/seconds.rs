//! Durations.

use std::time::Duration;

use crate::document::{Field, Value};
use crate::limits::LONGEST_TIME;

/// Units, and how many seconds each has. A unit comes before those that end like it.
const UNITS: [(&str, f64); 6] = [
    ("ms", 1e-3),
    ("min", 60.0),
    ("s", 1.0),
    ("m", 60.0),
    ("h", 3600.0),
    ("d", 86_400.0),
];

/// A number of seconds, or `"500ms"`, `"30s"`, `"5m"`, `"2h"`, `"1d"`.
pub(super) fn seconds(field: &Field<'_>) -> Option<f64> {
    let expected = "a duration above 0, such as \"30s\", \"5m\", \"2h\" or \"1d\",";
    let is_sound = |x: &f64| (1e-3..=1e9).contains(x);
    match field.value()? {
        Value::Text(text) => match in_units(text).filter(is_sound) {
            Some(seconds) => Some(seconds),
            None => field.expected(expected),
        },
        _ => field.number_where(expected, |x| is_sound(&x)),
    }
}

/// A time from a second on: `"90s"`, `"45min"`, `"36h"`, `"2d"`.
pub(super) fn time(field: &Field<'_>) -> Option<Duration> {
    let read = match field.value()? {
        Value::Text(text) => in_units(text),
        _ => None,
    };
    match read.filter(|seconds| (1.0..=LONGEST_TIME).contains(seconds)) {
        Some(seconds) => Some(Duration::from_secs_f64(seconds)),
        None => field
            .expected("a time from a second on, such as \"90s\", \"45min\", \"36h\" or \"2d\","),
    }
}

fn in_units(text: &str) -> Option<f64> {
    UNITS.iter().find_map(|(unit, seconds)| {
        let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        Some(number * seconds)
    })
}
