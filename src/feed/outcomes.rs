//! Outcomes of people as records: `{candidate_id, policy?, outcome}`, as it is or as `data` of a
//! CloudEvents envelope.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::delivery::{OutcomeRecord, cut};
use crate::nearest::advice;
use crate::record::Span;
use crate::record::json::unwrapped;

const MEMBERS: [&str; 3] = ["candidate_id", "policy", "outcome"];

/// Whether a record of a feed is an outcome: one that names a person by `candidate_id` and has an
/// `outcome`.
pub(super) fn is_outcome(text: &str) -> bool {
    // Seldom true, and looked at in every record.
    text.contains("\"candidate_id\"")
        && data(text).is_ok_and(|text| {
            serde_json::from_str::<Map<String, Value>>(text).is_ok_and(|members| {
                members.contains_key("candidate_id") && members.contains_key("outcome")
            })
        })
}

pub(super) fn data(text: &str) -> Result<&str, String> {
    match text.contains("\"specversion\"") {
        true => unwrapped(text).map_err(|fault| fault.line()),
        false => Ok(text),
    }
}

/// Reads an outcome, on this line of what it came with; a policy must be one of the labels, and the
/// value from the least to the greatest of the range, where one is declared. Its `candidate_id` is the person's whole name, as traces show it: of an envelope that it comes in
/// neither `id` nor `source` matters, since outcomes are seldom sent by those who sent the person.
///
/// # Errors
/// All that is wrong with it.
pub fn outcome(
    text: &str,
    labels: &[Arc<str>],
    range: Option<(f64, f64)>,
    line: u64,
) -> Result<OutcomeRecord, String> {
    let members: Map<String, Value> = match serde_json::from_str(data(text)?) {
        Ok(Value::Object(members)) => members,
        Ok(_) => {
            return Err(
                "an outcome is an object: candidate_id, policy (if of one alone), outcome".into(),
            );
        }
        Err(error) => return Err(format!("it is no JSON: {error}")),
    };
    let mut wrong = strangers(&members);
    let mut note = |problem| wrong.push(problem);
    let id = candidate(members.get("candidate_id")).map_err(&mut note);
    let policy = policy(members.get("policy"), labels).map_err(&mut note);
    let value = value(members.get("outcome"), range).map_err(&mut note);
    match (id, policy, value) {
        (Ok(id), Ok(policy), Ok(value)) if wrong.is_empty() => Ok(OutcomeRecord {
            id,
            policy,
            value,
            line,
            record: cut(text),
        }),
        _ => Err(wrong.join("; ")),
    }
}

/// The problems of members that no outcome has. With a mistyped `policy` the outcome would go to
/// all of them.
fn strangers(members: &Map<String, Value>) -> Vec<String> {
    let names = members.keys().filter(|name| !MEMBERS.contains(&&***name));
    names
        .map(|name| {
            let advice = advice(name, &MEMBERS, "members");
            format!("there is no member `{name}`; {advice}")
        })
        .collect()
}

fn candidate(member: Option<&Value>) -> Result<Box<str>, String> {
    match member {
        Some(Value::String(id)) if !id.is_empty() => Ok(id.as_str().into()),
        Some(Value::Number(id)) => Ok(id.to_string().into()),
        Some(_) => Err("`candidate_id` must be a text or a number".into()),
        None => Err("`candidate_id` is missing".into()),
    }
}

fn policy(member: Option<&Value>, labels: &[Arc<str>]) -> Result<Option<Box<str>>, String> {
    match member {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(label)) if labels.iter().any(|known| **known == **label) => {
            Ok(Some(label.as_str().into()))
        }
        Some(Value::String(label)) => {
            let known: Vec<&str> = labels.iter().map(|label| &**label).collect();
            let advice = advice(label, &known, "policies");
            Err(format!("there is no policy `{label}`; {advice}"))
        }
        Some(_) => Err("`policy` must be a policy's label".into()),
    }
}

fn value(member: Option<&Value>, range: Option<(f64, f64)>) -> Result<f64, String> {
    let value = match member.map(Value::as_f64) {
        Some(Some(value)) if Span::SAFE.holds(value) => value,
        Some(Some(_)) => return Err(format!("`outcome` is beyond {:e}", Span::SAFE.most)),
        Some(_) => return Err("`outcome` must be a number".into()),
        None => return Err("`outcome` is missing".into()),
    };
    match range {
        Some((least, most)) if value < least || value > most => Err(format!(
            "`outcome` is '{value}', and must be from {least} to {most}, as `range` of \
             [feedback.outcome] declares"
        )),
        _ => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<OutcomeRecord, String> {
        outcome(text, &["greedy".into(), "queue".into()], None, 3)
    }

    #[test]
    fn an_outcome_lies_in_the_range_that_is_declared() {
        let read = |value: &str, range| {
            let text = format!(r#"{{"candidate_id":"a","outcome":{value}}}"#);
            outcome(&text, &[], range, 1).map(|read| read.value)
        };
        let unit = Some((0.0, 1.0));
        for value in ["0", "1", "0.25", "1e0"] {
            assert!(read(value, unit).is_ok(), "{value}");
        }
        for (value, range, said) in [
            ("5", unit, "`outcome` is '5', and must be from 0 to 1"),
            ("-0.5", unit, "`outcome` is '-0.5', and must be from 0 to 1"),
            (
                "1.0001",
                unit,
                "must be from 0 to 1, as `range` of [feedback.outcome] declares",
            ),
            (
                "99",
                Some((-10.0, 10.5)),
                "`outcome` is '99', and must be from -10 to 10.5",
            ),
        ] {
            let error = read(value, range).unwrap_err();
            assert!(error.contains(said), "{value}: {error}");
        }
        assert_eq!(read("5", None), Ok(5.0));
    }

    #[test]
    fn outcomes_are_read() {
        let told = |id: &str, policy: Option<&str>, value| OutcomeRecord {
            id: id.into(),
            policy: policy.map(Into::into),
            value,
            line: 3,
            record: "".into(),
        };
        for (text, outcome) in [
            (
                r#"{"candidate_id":"a","outcome":0.5}"#,
                told("a", None, 0.5),
            ),
            (
                r#"{"candidate_id":17,"outcome":-1,"policy":null}"#,
                told("17", None, -1.0),
            ),
            (
                r#"{"outcome":2e0,"policy":"queue","candidate_id":"ü"}"#,
                told("ü", Some("queue"), 2.0),
            ),
            (
                r#"{"specversion":"1.0","source":"/b","id":"7","data":{"candidate_id":"/a 1","outcome":3}}"#,
                told("/a 1", None, 3.0),
            ),
        ] {
            let record = text.into();
            assert_eq!(
                read(text),
                Ok(OutcomeRecord { record, ..outcome }),
                "{text}"
            );
        }
    }

    #[test]
    fn one_among_people_is_told_by_its_members_in_an_envelope_too() {
        let bare = r#"{"candidate_id":"a","outcome":1}"#;
        let envelope = |data: &str| format!(r#"{{"specversion":"1.0","id":"1","data":{data}}}"#);
        assert!(is_outcome(bare) && is_outcome(&envelope(bare)));
        for text in [
            r#"{"candidate_id":"a"}"#,
            r#"["candidate_id","outcome"]"#,
            "\"candidate_id\"",
        ] {
            assert!(!is_outcome(text) && !is_outcome(&envelope(text)), "{text}");
        }
    }

    #[test]
    fn all_that_is_wrong_is_told() {
        for (text, parts) in [
            ("[]", &["an outcome is an object"][..]),
            ("{", &["no JSON", "column 1"]),
            ("{}", &["`candidate_id` is missing", "`outcome` is missing"]),
            (
                r#"{"candidate_id":[],"outcome":"1","polcy":"queue"}"#,
                &[
                    "`candidate_id` must",
                    "`outcome` must",
                    "did you mean `policy`?",
                ],
            ),
            (
                r#"{"candidate_id":"a","outcome":1,"policy":"gredy"}"#,
                &["no policy `gredy`", "did you mean `greedy`?"],
            ),
            (
                r#"{"candidate_id":"","outcome":true}"#,
                &["`candidate_id` must", "`outcome` must"],
            ),
            (r#"{"candidate_id":"a","outcome":1e999}"#, &["out of range"]),
            (
                r#"{"specversion":"1.0","candidate_id":"a","outcome":1}"#,
                &["CloudEvents envelope", "without `data`"],
            ),
            (
                r#"{"specversion":"1.0","data":{"candidate_id":"a"}}"#,
                &["`outcome` is missing"],
            ),
        ] {
            let error = read(text).unwrap_err();
            for part in parts {
                assert!(error.contains(part), "{text}: {error}");
            }
        }
    }

    /// A member that there is not is wrong though all others are right.
    #[test]
    fn a_stranger_among_right_members_is_refused() {
        let error = read(r#"{"candidate_id":"a","outcome":1,"polcy":"queue"}"#).unwrap_err();
        assert!(error.starts_with("there is no member `polcy`"), "{error}");
    }
}
