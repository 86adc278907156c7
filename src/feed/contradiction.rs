//! Contradictions between a record and the one of the same id before.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

use crate::record::cell::shown;

/// The most members that are named.
const NAMED: usize = 12;

/// The members in which two records of one person differ, by their names alone; none where they say
/// the same, in whatever order. Of members that are objects, as `groups`, the members within are
/// named.
#[must_use]
pub fn differing(before: &str, now: &str) -> Option<String> {
    if before == now {
        return None;
    }
    let read = |text: &str| serde_json::from_str::<Map<String, Value>>(text).ok();
    // What was committed can be read.
    let (before, now) = (read(before)?, read(now)?);
    let mut names = Vec::new();
    differ(&before, &now, "", &mut names);
    if names.is_empty() {
        return None;
    }
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(names.join(", ") + &more)
}

fn differ(
    before: &Map<String, Value>,
    now: &Map<String, Value>,
    within: &str,
    names: &mut Vec<String>,
) {
    let all: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    for name in all {
        let path = match within {
            "" => name.clone(),
            within => format!("{within}.{name}"),
        };
        match (before.get(name), now.get(name)) {
            (Some(Value::Object(before)), Some(Value::Object(now))) => {
                differ(before, now, &path, names);
            }
            (Some(before), Some(now)) if same(before, now) => {}
            _ => names.push(shown(&path)),
        }
    }
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => equal(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let mut names = Vec::new();
            differ(one, other, "", &mut names);
            names.is_empty()
        }
        (one, other) => one == other,
    }
}

/// 1 and 1.0 are one number.
fn equal(one: &Number, other: &Number) -> bool {
    let whole = |number: &Number| number.is_i64() || number.is_u64();
    match whole(one) && whole(other) {
        true => one == other,
        false => one.as_f64() == other.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_that_differ_are_named_and_nothing_of_what_they_say() {
        let before =
            r#"{"id":"ann","AGEP":40,"groups":{"sex":"F","age":"55+"},"x":[1,2],"note":null}"#;
        for (now, named) in [
            (before, None),
            (
                r#"{"note":null,"x":[1.0,2],"AGEP":4e1,"groups":{"age":"55+","sex":"F"},"id":"ann"}"#,
                None,
            ),
            (
                r#"{"id":"ann","AGEP":41,"groups":{"sex":"F","age":"55+"},"x":[1,2],"note":null}"#,
                Some("'AGEP'"),
            ),
            (
                r#"{"id":"ann","AGEP":40,"groups":{"sex":"M"},"x":[2,1],"new":1,"note":null}"#,
                Some("'groups.age', 'groups.sex', 'new', 'x'"),
            ),
            (
                r#"{"id":"ann","AGEP":"40","groups":7,"x":[1,2]}"#,
                Some("'AGEP', 'groups', 'note'"),
            ),
        ] {
            assert_eq!(differing(before, now).as_deref(), named, "{now}");
        }
        let large = |last: u64| format!("{{\"n\":{}}}", (1_u64 << 53) + last);
        assert_eq!(differing(&large(0), &large(1)).as_deref(), Some("'n'"));
        let many: Vec<String> = (0..20).map(|n| format!("\"m{n:02}\":1")).collect();
        let many = format!("{{{}}}", many.join(","));
        let named = differing("{}", &many).unwrap();
        assert!(named.ends_with("'m11' and 8 more"), "{named}");
    }

    /// Beyond 2^53 a number is not what it is as a float, above 0 or below, nor beyond 2^63.
    #[test]
    fn large_whole_numbers_are_held_against_each_other_as_they_are() {
        for (one, other) in [
            ("9223372036854775808", "9223372036854775809"),
            ("-9007199254740993", "-9007199254740992"),
        ] {
            let of = |number: &str| format!("{{\"n\":{number}}}");
            assert_eq!(differing(&of(one), &of(other)).as_deref(), Some("'n'"));
        }
    }
}
