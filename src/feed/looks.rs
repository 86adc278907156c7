//! Answers of interviewers and withdrawals as records, as they are or as `data` of a CloudEvents
//! envelope: `{candidate, kind, value, nth?, by?}` and `{candidate}`; and closings of slates.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::delivery::{LookRecord, WithdrawalRecord, cut};
use super::outcomes::data;
use crate::nearest::advice;
use crate::protocol::OFFER;
use crate::record::Span;

/// The most that is kept of an interviewer's name, in characters.
pub(super) const LONGEST_NAME: usize = 200;

/// Reads an interviewer's answer, on this line of what it came with. `kinds`: the interviews of the
/// rules; `range`: the least and the greatest answer, where they are declared.
///
/// # Errors
/// All that is wrong with it.
pub fn look(
    text: &str,
    kinds: &[Arc<str>],
    range: Option<(f64, f64)>,
    line: u64,
) -> Result<LookRecord, String> {
    const MEMBERS: [&str; 5] = ["candidate", "kind", "value", "nth", "by"];
    let members = members(
        text,
        "an answer is an object: candidate, kind, value, nth, by",
    )?;
    let mut wrong = strangers(&members, &MEMBERS);
    let mut note = |problem| wrong.push(problem);
    let id = candidate(&members).map_err(&mut note);
    let kind = kind(members.get("kind"), kinds).map_err(&mut note);
    let is_offer = kind.as_ref().is_ok_and(|kind| *kinds[*kind] == *OFFER);
    let value = match is_offer {
        true => reply(members.get("value")),
        false => value(members.get("value"), range),
    };
    let value = value.map_err(&mut note);
    let nth = nth(members.get("nth")).map_err(&mut note);
    let by = by(members.get("by")).map_err(&mut note);
    match (id, kind, value, nth, by) {
        (Ok(id), Ok(kind), Ok(value), Ok(nth), Ok(by)) if wrong.is_empty() => Ok(LookRecord {
            id,
            kind,
            nth,
            value,
            by,
            line,
            record: cut(text),
        }),
        _ => Err(wrong.join("; ")),
    }
}

/// Reads a withdrawal, on this line of what it came with.
///
/// # Errors
/// All that is wrong with it.
pub fn withdrawal(text: &str, line: u64) -> Result<WithdrawalRecord, String> {
    let members = members(text, "a withdrawal is an object: candidate")?;
    let mut wrong = strangers(&members, &["candidate"]);
    match candidate(&members) {
        Ok(id) if wrong.is_empty() => Ok(WithdrawalRecord {
            id,
            line,
            record: cut(text),
        }),
        Ok(_) => Err(wrong.join("; ")),
        Err(problem) => {
            wrong.push(problem);
            Err(wrong.join("; "))
        }
    }
}

/// Reads what closes a slate: an object, perhaps with the number of the `round`, from 1.
///
/// # Errors
/// What is wrong with it.
pub fn closing(text: &str) -> Result<Option<u64>, String> {
    let help = "send {} to close the slate that is open, or {\"round\": 2}";
    let members = match serde_json::from_str(text) {
        Ok(Value::Object(members)) => members,
        Ok(_) => return Err(format!("it is no object: {help}")),
        Err(error) => return Err(format!("it is no JSON: {error}; {help}")),
    };
    if let Some(name) = members.keys().find(|name| *name != "round") {
        return Err(format!("there is no member `{name}`: {help}"));
    }
    match members.get("round") {
        None | Some(Value::Null) => Ok(None),
        Some(round) => match round.as_u64() {
            Some(round) if round > 0 => Ok(Some(round)),
            _ => Err("`round` must be a whole number from 1".into()),
        },
    }
}

fn members(text: &str, what: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(data(text)?) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(what.into()),
        Err(error) => Err(format!("it is no JSON: {error}")),
    }
}

/// The problems of members that there are not.
fn strangers(members: &Map<String, Value>, known: &[&str]) -> Vec<String> {
    let names = members.keys().filter(|name| !known.contains(&&***name));
    let problem = |name: &String| {
        let advice = advice(name, known, "members");
        format!("there is no member `{name}`; {advice}")
    };
    names.map(problem).collect()
}

fn candidate(members: &Map<String, Value>) -> Result<Box<str>, String> {
    match members.get("candidate") {
        Some(Value::String(id)) if !id.is_empty() => Ok(id.as_str().into()),
        Some(Value::Number(id)) => Ok(id.to_string().into()),
        Some(_) => Err("`candidate` must be a text or a number".into()),
        None => Err("`candidate` is missing".into()),
    }
}

fn kind(member: Option<&Value>, kinds: &[Arc<str>]) -> Result<usize, String> {
    let word = match (member, kinds) {
        (Some(Value::String(word)), _) => word,
        (None, [_]) => return Ok(0),
        (None, _) => return Err("`kind` is missing".into()),
        (Some(_), _) => return Err("`kind` must be the name of a kind of interview".into()),
    };
    kinds
        .iter()
        .position(|kind| **kind == **word)
        .ok_or_else(|| {
            let known: Vec<&str> = kinds.iter().map(|kind| &**kind).collect();
            let advice = advice(word, &known, "kinds");
            format!("there is no kind of interview `{word}`; {advice}")
        })
}

fn value(member: Option<&Value>, range: Option<(f64, f64)>) -> Result<f64, String> {
    let value = match member.map(Value::as_f64) {
        Some(Some(value)) if Span::SAFE.holds(value) => value,
        Some(Some(_)) => return Err(format!("`value` is beyond {:e}", Span::SAFE.most)),
        Some(_) => return Err("`value` must be a number".into()),
        None => return Err("`value` is missing".into()),
    };
    match range {
        Some((least, most)) if value < least || value > most => Err(format!(
            "`value` must be from {least} to {most}, as [feedback.interview] declares"
        )),
        _ => Ok(value),
    }
}

/// Whether a person takes a place.
fn reply(member: Option<&Value>) -> Result<f64, String> {
    match member {
        Some(Value::Bool(takes)) => Ok(f64::from(u8::from(*takes))),
        Some(member) if member.as_f64() == Some(1.0) => Ok(1.0),
        Some(member) if member.as_f64() == Some(0.0) => Ok(0.0),
        Some(_) => Err(
            "`value` of an offer must be true or 1 where the person takes the place, \
                        else false or 0"
                .into(),
        ),
        None => Err("`value` is missing".into()),
    }
}

fn nth(member: Option<&Value>) -> Result<Option<u64>, String> {
    match member {
        None | Some(Value::Null) => Ok(None),
        Some(nth) => match nth.as_u64() {
            Some(nth) if nth > 0 => Ok(Some(nth - 1)),
            _ => Err("`nth` must be a whole number from 1".into()),
        },
    }
}

fn by(member: Option<&Value>) -> Result<Option<Box<str>>, String> {
    match member {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) if name.chars().count() <= LONGEST_NAME => {
            Ok(Some(name.as_str().into()))
        }
        Some(_) => Err(format!(
            "`by` must be a text of at most {LONGEST_NAME} characters"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<LookRecord, String> {
        look(text, &["phone".into(), "visit".into()], Some((0.0, 1.0)), 3)
    }

    #[test]
    fn answers_are_read_bare_and_in_envelopes() {
        let bare = r#"{"candidate":"ann","kind":"visit","value":0.5,"nth":2,"by":"Mira"}"#;
        let envelope = format!(r#"{{"specversion":"1.0","source":"/b","id":"7","data":{bare}}}"#);
        for text in [bare, &envelope] {
            let told = read(text).unwrap();
            assert_eq!((&*told.id, told.kind, told.nth), ("ann", 1, Some(1)));
            assert_eq!((told.value, told.by.as_deref()), (0.5, Some("Mira")));
            assert_eq!((told.line, &*told.record), (3, text));
        }
        let told = read(r#"{"candidate":7,"kind":"phone","value":1,"by":null}"#).unwrap();
        assert_eq!(
            (&*told.id, told.kind, told.nth, told.by),
            ("7", 0, None, None)
        );
        // One kind alone need not be named.
        assert!(look(r#"{"candidate":"a","value":-3}"#, &["call".into()], None, 1).is_ok());
        assert_eq!(&*withdrawal(r#"{"candidate":"ann"}"#, 1).unwrap().id, "ann");
    }

    #[test]
    fn a_reply_to_an_offer_is_yes_or_no() {
        let kinds = ["phone".into(), OFFER.into()];
        let read = |value: &str| {
            let text = format!(r#"{{"candidate":"ann","kind":"offer","value":{value}}}"#);
            look(&text, &kinds, Some((5.0, 9.0)), 1).map(|told| (told.kind, told.value))
        };
        assert_eq!(read("true"), Ok((1, 1.0)));
        assert_eq!(read("0"), Ok((1, 0.0)));
        for wrong in ["0.5", "7", "\"yes\"", "null"] {
            assert!(read(wrong).unwrap_err().contains("true or 1"), "{wrong}");
        }
    }

    #[test]
    fn all_that_is_wrong_is_told() {
        for (text, parts) in [
            ("[]", &["an answer is an object"][..]),
            ("{", &["no JSON"]),
            (
                "{}",
                &[
                    "`candidate` is missing",
                    "`kind` is missing",
                    "`value` is missing",
                ],
            ),
            (
                r#"{"candidate":"","kind":"phon","value":2,"nth":0,"by":3,"vlaue":1}"#,
                &[
                    "`candidate` must",
                    "did you mean `phone`?",
                    "from 0 to 1",
                    "`nth` must",
                    "`by` must",
                    "did you mean `value`?",
                ],
            ),
            (
                r#"{"candidate":"a","kind":1,"value":"x"}"#,
                &["`kind` must", "`value` must"],
            ),
        ] {
            let error = read(text).unwrap_err();
            for part in parts {
                assert!(error.contains(part), "{part}: {error}");
            }
        }
        let error = withdrawal(r#"{"candidat":"a"}"#, 1).unwrap_err();
        assert!(error.contains("did you mean `candidate`?") && error.contains("missing"));
    }

    /// The ends of a range, the largest number and the longest name are still taken.
    #[test]
    fn what_is_at_a_limit_is_taken_and_what_is_beyond_is_not() {
        let answer = |value: &str, by: &str| {
            format!(r#"{{"candidate":"a","kind":"phone","value":{value},"by":"{by}"}}"#)
        };
        let name = |letters| "\u{e9}".repeat(letters);
        for (value, is_taken) in [("0", true), ("1", true), ("-1e-9", false), ("1.001", false)] {
            assert_eq!(read(&answer(value, "m")).is_ok(), is_taken, "{value}");
        }
        assert!(read(&answer("1", &name(LONGEST_NAME))).is_ok());
        let error = read(&answer("1", &name(LONGEST_NAME + 1))).unwrap_err();
        assert_eq!(
            error,
            format!("`by` must be a text of at most {LONGEST_NAME} characters")
        );
        let free = |value: &str| look(&answer(value, "m"), &["phone".into()], None, 1);
        assert!(free("1e100").is_ok() && free("-1e100").is_ok());
        assert_eq!(free("1e101").unwrap_err(), "`value` is beyond 1e100");
        let offer = |value: &str| {
            let text = format!(r#"{{"candidate":"a","value":{value}}}"#);
            look(&text, &[OFFER.into()], None, 1).map(|answer| answer.value)
        };
        for (value, takes) in [("1", 1.0), ("1.0", 1.0), ("0.0", 0.0), ("false", 0.0)] {
            assert_eq!(offer(value), Ok(takes), "{value}");
        }
    }

    /// A member that there is not is wrong though all others are right.
    #[test]
    fn a_stranger_among_right_members_is_refused() {
        let error = read(r#"{"candidate":"a","kind":"phone","value":1,"valeu":1}"#).unwrap_err();
        assert!(error.starts_with("there is no member `valeu`"), "{error}");
        let error = withdrawal(r#"{"candidate":"a","kind":"phone"}"#, 1).unwrap_err();
        assert!(error.starts_with("there is no member `kind`"), "{error}");
    }
}
