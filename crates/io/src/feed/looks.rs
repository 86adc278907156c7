//! Interviewers' answers, withdrawals and closings of slates, as records. A record comes alone or
//! as `data` of a CloudEvents envelope: `{candidate, kind, value, nth?, by?}` and `{candidate}`.

use std::sync::Arc;

use super::items::{LookRecord, WithdrawalRecord, cut};
use super::members::{id, members, number, ordinal, strangers};
use crate::limits::LONGEST_INTERVIEWER;
use crate::record::object::{Members, Written};
use kleroterion_core::nearest::advice;
use kleroterion_core::protocol::OFFER;

/// Reads an interviewer's answer; `line` is its line in the request. `kinds` are the interviews of
/// the rules, and `range` is the declared range of answers.
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
    let id = id(&members, "candidate").map_err(&mut note);
    let kind = kind(&members, kinds).map_err(&mut note);
    let is_offer = kind.as_ref().is_ok_and(|kind| *kinds[*kind] == *OFFER);
    let value = match is_offer {
        true => reply(&members),
        false => value(&members, range),
    };
    let value = value.map_err(&mut note);
    let nth = ordinal(&members, "nth").map_err(&mut note);
    let by = by(&members).map_err(&mut note);
    match (id, kind, value, nth, by) {
        (Ok(id), Ok(kind), Ok(value), Ok(nth), Ok(by)) if wrong.is_empty() => Ok(LookRecord {
            id,
            kind,
            nth: nth.map(|nth| nth - 1),
            value,
            by,
            line,
            record: cut(text),
        }),
        _ => Err(wrong.join("; ")),
    }
}

/// Reads a withdrawal; `line` is its line in the request.
///
/// # Errors
/// All that is wrong with it.
pub fn withdrawal(text: &str, line: u64) -> Result<WithdrawalRecord, String> {
    let members = members(text, "a withdrawal is an object: candidate")?;
    let mut wrong = strangers(&members, &["candidate"]);
    let id = id(&members, "candidate").map_err(|problem| wrong.push(problem));
    match id {
        Ok(id) if wrong.is_empty() => Ok(WithdrawalRecord {
            id,
            line,
            record: cut(text),
        }),
        _ => Err(wrong.join("; ")),
    }
}

/// Reads the closing of a slate: an object, perhaps with the number of the `round`, from 1.
///
/// # Errors
/// What is wrong with it.
pub fn closing(text: &str) -> Result<Option<u64>, String> {
    let help = "send {} to close the slate that is open, or {\"round\": 2}";
    let members = members(text, "it is no object").map_err(|what| format!("{what}; {help}"))?;
    if let Some(name) = members.names().find(|name| *name != "round") {
        return Err(format!("there is no member `{name}`: {help}"));
    }
    ordinal(&members, "round")
}

fn kind(members: &Members<'_>, kinds: &[Arc<str>]) -> Result<usize, String> {
    let word = match (members.written("kind"), kinds) {
        (Some(Written::Text(word)), _) => word,
        (None, [_]) => return Ok(0),
        (None, _) => return Err("`kind` is missing".into()),
        (Some(_), _) => return Err("`kind` must be the name of a kind of interview".into()),
    };
    kinds
        .iter()
        .position(|kind| **kind == *word)
        .ok_or_else(|| {
            let known: Vec<&str> = kinds.iter().map(|kind| &**kind).collect();
            let advice = advice(&word, &known, "kinds");
            format!("there is no kind of interview `{word}`; {advice}")
        })
}

fn value(members: &Members<'_>, range: Option<(f64, f64)>) -> Result<f64, String> {
    let value = number(members, "value")?;
    match range {
        Some((least, most)) if value < least || value > most => Err(format!(
            "`value` must be from {least} to {most}, as [feedback.interview] declares"
        )),
        _ => Ok(value),
    }
}

/// Reads the reply to an offer: 1 if the candidate takes the place, else 0.
fn reply(members: &Members<'_>) -> Result<f64, String> {
    let wrong = || "`value` of an offer must be true or 1 where the person takes the place, else false or 0";
    match members.written("value") {
        Some(Written::Truth(takes)) => Ok(f64::from(u8::from(takes == "true"))),
        Some(Written::Number(number)) => match number.parse() {
            Ok(takes) if [0.0, 1.0].contains(&takes) => Ok(takes),
            _ => Err(wrong().into()),
        },
        Some(_) => Err(wrong().into()),
        None => Err("`value` is missing".into()),
    }
}

fn by(members: &Members<'_>) -> Result<Option<Box<str>>, String> {
    match members.written("by") {
        None | Some(Written::Nothing) => Ok(None),
        Some(Written::Text(name)) if name.chars().count() <= LONGEST_INTERVIEWER => {
            Ok(Some(name.into()))
        }
        Some(_) => Err(format!(
            "`by` must be a text of at most {LONGEST_INTERVIEWER} characters"
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
            ("{", &["the line is not a JSON object"]),
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
        assert!(read(&answer("1", &name(LONGEST_INTERVIEWER))).is_ok());
        let error = read(&answer("1", &name(LONGEST_INTERVIEWER + 1))).unwrap_err();
        assert_eq!(
            error,
            format!("`by` must be a text of at most {LONGEST_INTERVIEWER} characters")
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
