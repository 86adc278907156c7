//! The differences between a record and the earlier one with the same id.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use crate::record::cell::shown;
use crate::record::object::{Members, Written, members, within};
use crate::record::outside::elements;

/// The most differing members that are named.
const NAMED: usize = 12;

/// Returns the names of the members in which two records of one candidate differ. Returns `None` if
/// they are the same, in whatever order. For members that are objects, as `groups`, it names the
/// members within.
#[must_use]
pub fn differing(before: &str, now: &str) -> Option<String> {
    if before == now {
        return None;
    }
    // What was committed can be read.
    let (before, now) = (members(before).ok()?, members(now).ok()?);
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

fn differ(before: &Members<'_>, now: &Members<'_>, path: &str, names: &mut Vec<String>) {
    let all: BTreeSet<&str> = before.names().chain(now.names()).collect();
    for name in all {
        let path = match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        let (Some(before), Some(now)) = (before.get(name), now.get(name)) else {
            names.push(shown(&path));
            continue;
        };
        match (within(before), within(now)) {
            (Some(before), Some(now)) => differ(&before, &now, &path, names),
            _ if same(before, now) => {}
            _ => names.push(shown(&path)),
        }
    }
}

fn same(one: &RawValue, other: &RawValue) -> bool {
    match (Written::of(one), Written::of(other)) {
        (Written::Number(one), Written::Number(other)) => equal(one, other),
        (Written::Nested, Written::Nested) => nested(one, other),
        (one, other) => one == other,
    }
}

/// Returns true if two JSON objects, or two lists, have the same content.
fn nested(one: &RawValue, other: &RawValue) -> bool {
    if let (Some(one), Some(other)) = (within(one), within(other)) {
        let mut names = Vec::new();
        differ(&one, &other, "", &mut names);
        return names.is_empty();
    }
    let one = elements(one.get(), usize::MAX);
    let other = elements(other.get(), usize::MAX);
    match (one, other) {
        (Ok(one), Ok(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        _ => false,
    }
}

/// Returns true if two JSON numbers are equal, as 1 and 1.0 are. Whole numbers are compared by
/// their digits, because floats can't tell large ones apart.
fn equal(one: &str, other: &str) -> bool {
    let float = |number: &str| number.parse::<f64>().ok().filter(|float| float.is_finite());
    let is_whole = |number: &str| !number.contains(['.', 'e', 'E']);
    match float(one).filter(|float| *float == 0.0 || !(is_whole(one) && is_whole(other))) {
        Some(value) => float(other) == Some(value),
        None => one == other,
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

    /// Beyond 2^53 a number is not what it is as a float, above 0 or below, nor beyond 2^64, nor
    /// beyond all floats.
    #[test]
    fn numbers_are_held_against_each_other_as_they_are() {
        for (one, other, is_same) in [
            ("9223372036854775808", "9223372036854775809", false),
            ("-9007199254740993", "-9007199254740992", false),
            ("18446744073709551616", "18446744073709551617", false),
            ("1e400", "1e401", false),
            ("1e400", "1e400", true),
            ("1.10", "1.1", true),
            ("100", "1e2", true),
            ("-0", "0", true),
            ("-0.0", "0e9", true),
            ("[1e400]", "[2e400]", false),
            ("[[1.0, {\"a\": \"\\u0062\"}]]", "[[1,{\"a\":\"b\"}]]", true),
            ("[[1]]", "[{}]", false),
            ("true", "false", false),
        ] {
            let of = |number: &str| format!("{{\"n\":{number}}}");
            let named = differing(&of(one), &of(other));
            assert_eq!(
                named.as_deref(),
                (!is_same).then_some("'n'"),
                "{one} {other}"
            );
        }
    }

    /// A member that no float holds hides nothing of the others.
    #[test]
    fn a_record_with_a_number_beyond_all_floats_is_compared_too() {
        let record = |age: u8| format!("{{\"id\":\"ann\",\"AGEP\":{age},\"note\":1e400}}");
        assert_eq!(
            differing(&record(40), &record(41)).as_deref(),
            Some("'AGEP'")
        );
    }
}
