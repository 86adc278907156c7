//! The JSON Schemas of records from outside: candidates, outcomes, answers, withdrawals and
//! closings.

mod spelt;

use serde_json::{Map, Value, json};

use super::reading::Reading;
use crate::limits::{LONGEST_ID, LONGEST_INTERVIEWER};
use crate::record::{AttributeSpec, Levels, Span};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
/// The pattern of a text that states a number, by the rule for records.
const NUMBER: &str = r"^\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?\s*$";

/// Returns the JSON Schema (draft 2020-12) of a candidate record: for one reading, or for any run
/// if none is given. It refuses no record that is read, if members are spelt as in the config. Some
/// rules are beyond a schema: a number's letters, the size of a number in quotes, and the config's
/// `where`.
#[must_use]
pub fn candidate(reading: Option<&Reading>) -> Value {
    let cell = json!({"type": ["string", "number", "boolean", "null"]});
    let mut schema = json!({
        "$schema": DRAFT,
        "title": "Candidate record",
        "description": "One person: a JSON object a line. A column that a run reads is looked for among the members, then in `groups`, \
            then in `features`; other members are kept. Names of members are spelt here as the config spells them; a run reads them \
            with other case, blanks or Unicode form too, as it reads values. As `data` of a CloudEvents envelope it is unwrapped. A row of CSV is an \
            object of texts, by the names of its columns.",
        "type": "object",
        "properties": {
            "id": {
                "description": "Who it is, to the outside world: a second record of the same id is dropped, and outcomes tell of it as \
                    `candidate_id`. Where there is none: in a CloudEvents envelope `SOURCE ID` (its `source`, a blank, its `id`), \
                    else the record's number: so either all have an id or none.",
                "type": ["string", "number", "boolean", "null"],
                "minLength": 1, "maxLength": LONGEST_ID,
            },
            "at": {
                "description": "When it came, for tapes: RFC 3339, or seconds.",
                "type": ["string", "number", "null"],
            },
            "groups": {"type": "object", "additionalProperties": cell},
            "features": {"type": "object", "additionalProperties": cell},
            "score": cell,
        },
    });
    if let Some(reading) = reading {
        of_run(&mut schema, reading);
    }
    schema
}

/// Returns the JSON Schema (draft 2020-12) of an outcome, as [`outcome`](super::outcome) reads it.
#[must_use]
pub fn outcome() -> Value {
    let properties = json!({
        "candidate_id": id("The candidate's id, as decisions show it; of one named by a CloudEvents envelope `SOURCE ID`."),
        "policy": {
            "description": "The label of the policy that it is for; of all that selected the candidate where there is none.",
            "type": ["string", "null"],
        },
        "outcome": measure("The outcome's value."),
    });
    let what = "What became of a candidate, reported later: a JSON object, or the `data` of a CloudEvents envelope.";
    message("Outcome", what, properties, &["candidate_id", "outcome"])
}

/// Returns the JSON Schema (draft 2020-12) of an interviewer's answer, as [`look`](super::look)
/// reads it.
#[must_use]
pub fn look() -> Value {
    let properties = json!({
        "candidate": id("The candidate's id, as GET /v1/looks shows it."),
        "kind": {
            "description": "The name of the interview in [rules]; may be left out where there is one kind.",
            "type": "string",
        },
        "value": measure("The answer."),
        "nth": ordinal("Which of its kind, from 1; the first that is open where there is none."),
        "by": {
            "description": "The interviewer; kept in the journal and shown nowhere.",
            "type": ["string", "null"], "maxLength": LONGEST_INTERVIEWER,
        },
    });
    let what = "What POST /v1/looks takes: a JSON object, or the `data` of a CloudEvents envelope.";
    message(
        "Interviewer's answer",
        what,
        properties,
        &["candidate", "value"],
    )
}

/// Returns the JSON Schema (draft 2020-12) of a withdrawal, as [`withdrawal`](super::withdrawal)
/// reads it.
#[must_use]
pub fn withdrawal() -> Value {
    let properties = json!({"candidate": id("The candidate's id.")});
    let what =
        "What POST /v1/withdrawals takes: a JSON object, or the `data` of a CloudEvents envelope.";
    message("Withdrawal", what, properties, &["candidate"])
}

/// Returns the JSON Schema (draft 2020-12) of the closing of a slate, as
/// [`closing`](super::closing) reads it.
#[must_use]
pub fn closing() -> Value {
    let round =
        ordinal("The round whose slate is closed; the one that is open where there is none.");
    let properties = json!({ "round": round });
    message(
        "Closing of a slate",
        "What POST /v1/slates takes.",
        properties,
        &[],
    )
}

/// Returns the schema of a message that has no members but these.
fn message(title: &str, what: &str, properties: Value, required: &[&str]) -> Value {
    let mut schema = json!({
        "$schema": DRAFT, "title": title, "description": what,
        "type": "object", "properties": properties,
    });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema["additionalProperties"] = false.into();
    schema
}

fn id(what: &str) -> Value {
    json!({"description": what, "type": ["string", "number"], "minLength": 1})
}

fn measure(what: &str) -> Value {
    let Span { least, most } = Span::SAFE;
    json!({"description": what, "type": "number", "minimum": least, "maximum": most})
}

fn ordinal(what: &str) -> Value {
    json!({"description": what, "type": ["integer", "null"], "minimum": 1})
}

/// Adds the demands of a run.
fn of_run(schema: &mut Value, reading: &Reading) {
    let spec = reading.spec();
    let mut columns = Map::new();
    let mut wanted = Vec::new();
    let mut want = |column: &str, cell: Value| {
        // A column with two uses must serve both.
        match columns
            .get_mut(column)
            .and_then(|known: &mut Value| known["allOf"].as_array_mut())
        {
            Some(all) => all.push(cell),
            None => {
                columns.insert(column.to_owned(), json!({ "allOf": [cell] }));
                wanted.push(places(column));
            }
        }
    };
    for attribute in &spec.attributes {
        want(&attribute.column, values(attribute));
    }
    if spec.missing.is_none() {
        for column in &spec.numeric {
            let what = format!("a feature, {column}");
            want(
                column,
                json!({"description": what, "anyOf": number(bounds(spec.spans.of(column)))}),
            );
        }
    }
    if let Some(column) = &spec.score {
        want(
            column,
            json!({"description": "the score", "anyOf": number(bounds(Span::SAFE))}),
        );
    }
    if let Some(column) = &spec.id {
        want(
            column,
            json!({
                "description": "who it is",
                "type": ["string", "number", "boolean"], "minLength": 1, "maxLength": LONGEST_ID,
            }),
        );
    }
    let filters: Vec<_> = spec.filters.iter().map(|filter| filter.text()).collect();
    if !filters.is_empty() {
        let left_out = format!("Left out unless {}.", filters.join(" and "));
        schema["$comment"] = left_out.into();
    }
    schema["$defs"] = columns.into();
    if !wanted.is_empty() {
        schema["allOf"] = wanted.into();
    }
}

fn bounds(span: Span) -> Value {
    json!({"minimum": span.least, "maximum": span.most})
}

/// Returns the demand that a column exists: among the members, else (also if it is `null`) in
/// `groups`, else in `features`.
fn places(column: &str) -> Value {
    let there = |object: Value| {
        let mut within = json!({"type": "object", "required": [column]});
        within["properties"] = json!({ column: object });
        within
    };
    let cell = there(json!({"$ref": format!("#/$defs/{}", pointer(column))}));
    let none = json!({"not": there(json!({"not": {"type": "null"}}))});
    let within = |place: &str| {
        let mut object = json!({"type": "object", "required": [place]});
        object["properties"] = json!({ place: cell });
        object
    };
    let lacking = |place: &str| {
        let mut object = json!({});
        object["properties"] = json!({ place: none });
        object
    };
    json!({"anyOf": [
        cell,
        {"allOf": [none, within("groups")]},
        {"allOf": [none, lacking("groups"), within("features")]},
    ]})
}

/// Returns a name as a token of a JSON pointer in a URI's fragment.
fn pointer(name: &str) -> String {
    let mut escaped = String::new();
    for byte in name.replace('~', "~0").replace('/', "~1").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                escaped.push(char::from(byte));
            }
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

/// Returns the allowed cells of an attribute: as texts and, where they are written so, as numbers
/// and truth values.
fn values(attribute: &AttributeSpec) -> Value {
    let what = format!("gives the attribute {}", attribute.name);
    if let Levels::Bands(_) = attribute.levels {
        let bands = attribute.levels.ends().map(|(from, to)| {
            let mut band = json!({});
            if from.is_finite() {
                band["minimum"] = from.into();
            }
            if to.is_finite() {
                band["exclusiveMaximum"] = to.into();
            }
            band
        });
        let bands = json!({ "anyOf": bands.collect::<Vec<_>>() });
        return json!({"description": what, "anyOf": number(bands)});
    }
    let mut listed: Vec<Value> = Vec::new();
    for cell in attribute.levels.cells() {
        listed.push(cell.into());
        let plain = serde_json::from_str(cell).ok();
        listed.extend(plain.filter(|value: &Value| value.is_number() || value.is_boolean()));
    }
    if attribute.levels.is_exact() {
        return json!({"description": what, "enum": listed});
    }
    let spelt = spelt::pattern(attribute.levels.cells());
    json!({"description": what, "anyOf": [{"enum": listed}, {"type": "string", "pattern": spelt}]})
}

/// Returns the demand for a number within bounds, or a text that states one.
fn number(mut bounds: Value) -> Value {
    bounds["type"] = "number".into();
    json!([bounds, {"type": "string", "pattern": NUMBER}])
}

#[cfg(test)]
mod tests;
