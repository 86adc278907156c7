//! Outcomes of candidates as records: `{candidate_id, policy?, outcome}`, alone or as `data` of a
//! CloudEvents envelope.

use std::sync::Arc;

use super::items::{OutcomeRecord, cut};
use super::members::{id, members, number, strangers};
use crate::record::json::opened;
use crate::record::object::{Members, Written};
use kleroterion_core::nearest::advice;

const MEMBERS: [&str; 3] = ["candidate_id", "policy", "outcome"];

/// Returns true if a record of a feed is an outcome: it has the members `candidate_id` and
/// `outcome`.
pub(super) fn is_outcome(text: &str) -> bool {
    // Seldom true, and looked at in every record.
    let may_be = text.contains("\"candidate_id\"") || text.contains("\\u");
    may_be
        && opened(text).is_ok_and(|(members, _)| {
            members.get("candidate_id").is_some() && members.get("outcome").is_some()
        })
}

/// Reads an outcome; `line` is its line in the connection, file or request. A policy must be one of
/// the labels, and the value must lie in the declared range. Its `candidate_id` is the candidate's
/// whole name, as traces show it. The `id` and `source` of an envelope around it do not matter,
/// because outcomes are seldom sent by those who sent the candidate.
///
/// # Errors
/// All that is wrong with it.
pub fn outcome(
    text: &str,
    labels: &[Arc<str>],
    range: Option<(f64, f64)>,
    line: u64,
) -> Result<OutcomeRecord, String> {
    let members = members(
        text,
        "an outcome is an object: candidate_id, policy (if of one alone), outcome",
    )?;
    // With a mistyped `policy` the outcome would go to all of them.
    let mut wrong = strangers(&members, &MEMBERS);
    let mut note = |problem| wrong.push(problem);
    let id = id(&members, "candidate_id").map_err(&mut note);
    let policy = policy(&members, labels).map_err(&mut note);
    let value = value(&members, range).map_err(&mut note);
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

fn policy(members: &Members<'_>, labels: &[Arc<str>]) -> Result<Option<Box<str>>, String> {
    match members.written("policy") {
        None | Some(Written::Nothing) => Ok(None),
        Some(Written::Text(label)) if labels.iter().any(|known| **known == *label) => {
            Ok(Some(label.into()))
        }
        Some(Written::Text(label)) => {
            let known: Vec<&str> = labels.iter().map(|label| &**label).collect();
            let advice = advice(&label, &known, "policies");
            Err(format!("there is no policy `{label}`; {advice}"))
        }
        Some(_) => Err("`policy` must be a policy's label".into()),
    }
}

fn value(members: &Members<'_>, range: Option<(f64, f64)>) -> Result<f64, String> {
    let value = number(members, "outcome")?;
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
                r#"{"candidate_id":9007199254740993,"outcome":-0}"#,
                told("9007199254740993", None, 0.0),
            ),
            (
                r#"{"candidate_id":1.10,"outcome":18446744073709551616}"#,
                told("1.10", None, 18_446_744_073_709_551_616.0),
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
        let escaped = r#"{"candidate\u005fid":"a","outcome":1e999}"#;
        for text in [bare, escaped] {
            assert!(is_outcome(text) && is_outcome(&envelope(text)), "{text}");
        }
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
            ("{", &["the line is not a JSON object", "cut off"]),
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
            (
                r#"{"candidate_id":"a","outcome":1e999}"#,
                &["`outcome` is beyond 1e100"],
            ),
            (
                r#"{"candidate_id":"a","outcome":1,"candidate_id":"b"}"#,
                &["the member 'candidate_id' is there twice"],
            ),
            (
                r#"{"candidate_id":"a","\u006futcome":1,"outcome":2}"#,
                &["the member 'outcome' is there twice"],
            ),
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
