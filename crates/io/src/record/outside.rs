//! The one reader of JSON from outside: from people, programs and files.
//!
//! Each member is there once, at whatever depth; texts have whole characters; nesting is bounded.
//! Without this, of two members of one name the last would count, unseen. People, outcomes and the
//! like are read as `object::members`, in the letters in which they are written;
//! messages and files of known types by [`read`].

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer as _, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Error, Result as JsonResult};

use super::cell::shown;
use super::fault::Fault;
use crate::limits::DEEPEST_JSON;

/// The most members that are compared each with each.
const FEW: usize = 32;

/// Parses a text into a value of a type.
///
/// # Errors
/// A text that is no JSON or holds no such value; members given twice, texts that are none, nesting
/// too deep.
pub fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> JsonResult<T> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to() + 1;
        Error::custom(format!("byte {at}: it holds bytes that are not UTF-8"))
    })?;
    check(text, DEEPEST_JSON).map_err(|fault| Error::custom(fault.line()))?;
    serde_json::from_str(text)
}

/// Returns the value of a text as it is written, without looking at its members.
///
/// # Errors
/// A text that is no JSON.
pub fn value(bytes: &[u8]) -> JsonResult<&RawValue> {
    serde_json::from_slice(bytes)
}

/// Checks that a text is JSON.
///
/// # Errors
/// A text that is no JSON.
pub fn syntax(bytes: &[u8]) -> JsonResult<()> {
    serde_json::from_slice::<IgnoredAny>(bytes).map(drop)
}

/// Returns the elements of a list in a text as they are written, without looking at their members.
///
/// # Errors
/// A text that is no JSON; an error of data where it is no list, or has more elements than `most`.
pub fn elements(text: &str, most: usize) -> JsonResult<Vec<&RawValue>> {
    let mut deserializer = Deserializer::from_str(text);
    let elements = deserializer.deserialize_seq(Elements { most })?;
    deserializer.end().map(|()| elements)
}

/// The elements of a list, at most as many as the limit.
struct Elements {
    most: usize,
}

impl<'a> Visitor<'a> for Elements {
    type Value = Vec<&'a RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = array.next_element()? {
            if elements.len() == self.most {
                return Err(A::Error::custom("too many"));
            }
            elements.push(element);
        }
        Ok(elements)
    }
}

/// Looks through a text that is JSON; whatever else it is, its reader refuses it.
///
/// # Errors
/// A member given twice, a text that is none, at any depth; objects and lists more than `deepest`
/// deep.
pub(super) fn check(text: &str, deepest: usize) -> Result<(), Fault> {
    let mut scan = Scan {
        open: Vec::with_capacity(8),
        names: Vec::with_capacity(16),
    };
    let bytes = text.as_bytes();
    let (mut at, mut awaits_name) = (0, false);
    while let Some(&byte) = bytes.get(at) {
        let mut next = at + 1;
        match byte {
            b'{' | b'[' => {
                if scan.open.len() == deepest {
                    let within = scan.within(0);
                    let what =
                        format!("objects and lists are more than {DEEPEST_JSON} deep{within}");
                    return Err(Fault::of_member(what, "nest them less"));
                }
                awaits_name = byte == b'{';
                scan.open.push(awaits_name.then_some(scan.names.len()));
            }
            b'}' | b']' => scan.close()?,
            b',' => awaits_name = matches!(scan.open.last(), Some(Some(_))),
            b'"' => {
                let (end, is_escaped) = end(bytes, next);
                let raw = &text[at..end];
                match std::mem::take(&mut awaits_name) {
                    true => scan.name(raw, is_escaped)?,
                    // An escape may name half a character.
                    false if is_escaped && raw.contains("\\u") => scan.text(raw)?,
                    false => {}
                }
                next = end;
            }
            _ => {}
        }
        at = next;
    }
    Ok(())
}

/// The place after a text whose first letter is here, and whether it has escapes.
fn end(bytes: &[u8], first: usize) -> (usize, bool) {
    let (mut at, mut is_escaped) = (first, false);
    loop {
        match bytes.get(at) {
            Some(b'"') => return (at + 1, is_escaped),
            Some(b'\\') => (at, is_escaped) = (at + 2, true),
            Some(_) => at += 1,
            None => return (bytes.len(), is_escaped),
        }
    }
}

/// The objects and lists around a place.
struct Scan<'a> {
    /// Those that are open; of an object, where its names begin.
    open: Vec<Option<usize>>,
    /// The names met in all open objects.
    names: Vec<Cow<'a, str>>,
}

impl<'a> Scan<'a> {
    /// A member's name, in its quotes.
    fn name(&mut self, raw: &'a str, is_escaped: bool) -> Result<(), Fault> {
        let name = match is_escaped {
            true => decoded(raw).ok_or_else(|| self.half(1))?.into(),
            false => Cow::Borrowed(raw.get(1..raw.len() - 1).unwrap_or_default()),
        };
        let from = self.open.last().copied().flatten().unwrap_or_default();
        let own = &self.names[from..];
        // Few members: a look at each pair costs less than a tree.
        if own.len() < FEW && own.contains(&name) {
            return Err(self.twice(&name));
        }
        self.names.push(name);
        Ok(())
    }

    /// A text that is a value, in its quotes.
    fn text(&self, raw: &str) -> Result<(), Fault> {
        decoded(raw).map(drop).ok_or_else(|| self.half(0))
    }

    fn close(&mut self) -> Result<(), Fault> {
        let Some(from) = self.open.pop().flatten() else {
            return Ok(());
        };
        let own = &mut self.names[from..];
        if own.len() > FEW {
            own.sort_unstable();
            if let Some(pair) = own.windows(2).find(|pair| pair[0] == pair[1]) {
                let name = pair[0].clone();
                self.open.push(Some(from));
                return Err(self.twice(&name));
            }
        }
        self.names.truncate(from);
        Ok(())
    }

    /// The fault of a member that the innermost object has twice.
    fn twice(&self, name: &str) -> Fault {
        let mut fault = twice(name);
        fault.what += &self.within(1);
        fault
    }

    /// The fault of half a character; `but`: as of [`Self::within`].
    fn half(&self, but: usize) -> Fault {
        let within = self.within(but);
        let what = format!("a text with an escape that is no character{within}");
        Fault::of_member(what, "write each character whole")
    }

    /// The members within which this is, without those of the innermost `but` objects.
    fn within(&self, but: usize) -> String {
        let mut end = self.names.len();
        let mut within = Vec::new();
        for &from in self.open.iter().rev().flatten() {
            within.push(self.names[from..end].last());
            end = from;
        }
        let names = within.into_iter().skip(but).flatten();
        names.map(|name| format!(" in `{}`", plain(name))).collect()
    }
}

/// The text of a token in quotes, where each of its escapes is a character.
fn decoded(raw: &str) -> Option<String> {
    serde_json::from_str(raw).ok()
}

/// The fault of a member that is given twice.
pub(super) fn twice(name: &str) -> Fault {
    let what = format!("the member {} is there twice", shown(name));
    Fault::of_member(what, "write each member once")
}

fn plain(name: &str) -> String {
    let shown = shown(name);
    shown[1..shown.len() - 1].to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
    use proptest::{prop_assert_eq, proptest};
    use serde_json::{Map, Value};

    use super::super::object::Members;
    use super::*;

    fn said(text: &str) -> Option<String> {
        check(text, DEEPEST_JSON).err().map(|fault| fault.what)
    }

    fn nested(depth: usize) -> String {
        format!("{}1{}", "[".repeat(depth), "]".repeat(depth))
    }

    #[test]
    fn what_no_text_from_outside_may_have_is_refused_with_its_place() {
        let many = |last: &str| {
            let names = (0..40).map(|n| format!("\"m{n}\":{{\"m{n}\":1}}"));
            format!(
                "{{\"a\":{{{},\"{last}\":2}}}}",
                names.collect::<Vec<_>>().join(",")
            )
        };
        let deep = "objects and lists are more than 32 deep";
        let half = "a text with an escape that is no character";
        for (text, what) in [
            (
                r#"{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2},"a","a"]}"#.into(),
                None,
            ),
            (r#"{"a":1,"A":2,"a ":3,"":4}"#.into(), None),
            (
                r#"{"\"":1,"\\":2,"{":"}","[":",\"a\":1,","a":1}"#.into(),
                None,
            ),
            (
                r#"{"a":1,"a":2}"#.into(),
                Some("the member 'a' is there twice".into()),
            ),
            (
                r#"{"a":1,"\u0061":2}"#.into(),
                Some("the member 'a' is there twice".into()),
            ),
            (
                r#"{"":1,"x":{},"":2}"#.into(),
                Some("the member '' is there twice".into()),
            ),
            (
                r#"{"a":[[{"b":{"c":1,"x":[],"c":2}}]]}"#.into(),
                Some("the member 'c' is there twice in `b` in `a`".into()),
            ),
            (many("m40"), None),
            (
                many("m7"),
                Some("the member 'm7' is there twice in `a`".into()),
            ),
            (
                r#"[{"a":1},{"b":1,"b":1}]"#.into(),
                Some("the member 'b' is there twice".into()),
            ),
            (nested(32), None),
            (nested(33), Some(deep.into())),
            (format!("{{\"x\":{}}}", nested(31)), None),
            (
                format!("{{\"x\":{}}}", nested(32)),
                Some(format!("{deep} in `x`")),
            ),
            ("[".repeat(1 << 20), Some(deep.into())),
            (r#"{"a":"\ud83d\ude00\n"}"#.into(), None),
            (r#"{"a":["\ud800"]}"#.into(), Some(format!("{half} in `a`"))),
            (r#"{"\udc00":1}"#.into(), Some(half.into())),
            (
                r#"{"a":{"b":1,"\udc00":1}}"#.into(),
                Some(format!("{half} in `a`")),
            ),
            (r#""\ud800x""#.into(), Some(half.into())),
        ] {
            assert_eq!(said(&text), what, "{text:.99}");
        }
    }

    #[test]
    fn what_is_no_json_is_left_to_its_reader() {
        for text in [
            "",
            "\"",
            "\"\\",
            "{\"a",
            "}",
            "]]",
            "{\"a\":1]",
            ",\"a\"",
            "{\"a\":1,\"é",
        ] {
            assert_eq!(said(text), None, "{text}");
            assert!(read::<Value>(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_type_is_read_from_a_text_with_each_member_once() {
        let read = |bytes: &[u8]| read::<Map<String, Value>>(bytes).map_err(|e| e.to_string());
        assert_eq!(read(b" {\"a\": 1} ").map(|members| members.len()), Ok(1));
        for (bytes, error) in [
            (
                &b"{\"a\":1,\"a\":1}"[..],
                "the member 'a' is there twice; write each member once",
            ),
            (b"{\"a\":1,}", "trailing comma at line 1 column 8"),
            (
                b"{\"a\":\"\xff\"}",
                "byte 7: it holds bytes that are not UTF-8",
            ),
            (b"{} {}", "trailing characters at line 1 column 4"),
        ] {
            assert_eq!(read(bytes), Err(error.to_owned()));
        }
    }

    #[test]
    fn a_list_has_no_more_elements_than_it_may() {
        let found = |text, most| elements(text, most).map(|found| found.len());
        assert_eq!(found("[1, {\"a\": [2]}]", 2).ok(), Some(2));
        for (text, most, is_data) in [("[1,2,3]", 2, true), ("{}", 2, true), ("[1", 2, false)] {
            let error = found(text, most).expect_err("it is refused");
            assert_eq!(error.is_data(), is_data, "{text}");
        }
    }

    /// The same in a slow and plain way: object by object, each read anew.
    fn plainly(raw: &str, depth: usize) -> bool {
        if depth > DEEPEST_JSON && raw.starts_with(['{', '[']) {
            return false;
        }
        match raw.as_bytes()[0] {
            b'{' => {
                let Ok(Members(members)) = serde_json::from_str(raw) else {
                    return false;
                };
                let mut names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
                names.sort_unstable();
                names.dedup();
                names.len() == members.len()
                    && members
                        .iter()
                        .all(|(_, value)| plainly(value.get(), depth + 1))
            }
            b'[' => {
                let list: Vec<&RawValue> = serde_json::from_str(raw).expect("a list");
                list.iter().all(|value| plainly(value.get(), depth + 1))
            }
            b'"' => serde_json::from_str::<String>(raw).is_ok(),
            _ => true,
        }
    }

    /// JSON with few names and texts, some of them no texts, as people might write it.
    fn json() -> impl Strategy<Value = String> {
        let letter = prop_oneof![
            8 => Just("a"), 8 => Just("b"), 4 => Just("\\u0061"), 4 => Just("é"), 4 => Just("\\\""),
            4 => Just("\\\\"), 2 => Just("{\\\"a\\\":"), 2 => Just(","), 1 => Just("\\ud800"),
            2 => Just("\\ud83d\\ude00"),
        ];
        let text =
            prop::collection::vec(letter, 0..3).prop_map(|text| format!("\"{}\"", text.concat()));
        let leaf = prop_oneof![
            text.clone(),
            any::<i32>().prop_map(|number| number.to_string()),
            prop_oneof![
                Just("null"),
                Just("true"),
                Just("1E400"),
                Just("-0"),
                Just("1.10")
            ]
            .prop_map(str::to_owned),
        ];
        leaf.prop_recursive(6, 120, 40, move |inner| {
            let member = (text.clone(), inner.clone());
            let member = member.prop_map(|(name, value)| format!("{name} : {value}"));
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4)
                    .prop_map(|list| format!("[{}]", list.join(","))),
                prop::collection::vec(member, 0..6)
                    .prop_map(|all| format!("{{{}}}", all.join(", "))),
                (inner, 0..40usize).prop_map(|(value, depth)| {
                    format!("{}{value}{}", "[".repeat(depth), "]".repeat(depth))
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn one_look_finds_what_object_by_object_is_found(text in json()) {
            prop_assert_eq!(check(&text, DEEPEST_JSON).is_ok(), plainly(&text, 1));
        }
    }
}
