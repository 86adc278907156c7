//! Durations.

use crate::document::{Field, Value};

/// A number of seconds, or `"500ms"`, `"30s"`, `"5m"`, `"2h"`, `"1d"`.
pub(super) fn seconds(field: &Field<'_>) -> Option<f64> {
    const UNITS: [(&str, f64); 6] = [
        ("ms", 1e-3),
        ("min", 60.0),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
        ("d", 86_400.0),
    ];
    let expected = "a duration above 0, such as \"30s\", \"5m\", \"2h\" or \"1d\",";
    let is_sound = |x: &f64| (1e-3..=1e9).contains(x);
    let Value::Text(text) = field.value()? else {
        return field.number_where(expected, |x| is_sound(&x));
    };
    let read = UNITS.iter().find_map(|(unit, seconds)| {
        let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        Some(number * seconds)
    });
    match read.filter(is_sound) {
        Some(seconds) => Some(seconds),
        None => field.expected(expected),
    }
}
