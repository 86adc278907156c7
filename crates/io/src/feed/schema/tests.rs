use serde_json::{Value, json};

use super::*;
use crate::feed::{Read, ReadingSpec};
use crate::record::Filter;

/// Returns true if a value is valid under a schema. It knows the keywords that our schemas use; any
/// other keyword fails the test.
fn keeps(value: &Value, schema: &Value, root: &Value) -> bool {
    let each = |list: &Value| list.as_array().unwrap().clone();
    schema
        .as_object()
        .unwrap()
        .iter()
        .all(|(word, wanted)| match word.as_str() {
            "$schema" | "$defs" | "$comment" | "title" | "description" => true,
            "$ref" => {
                let path = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                keeps(
                    value,
                    root.pointer(&path.replace("%20", " ")).unwrap(),
                    root,
                )
            }
            "type" => {
                let one = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "string" => value.is_string(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("{other}"),
                };
                match wanted {
                    Value::Array(names) => names.iter().any(one),
                    name => one(name),
                }
            }
            "enum" => each(wanted)
                .iter()
                .any(|one| match (one.as_f64(), value.as_f64()) {
                    (Some(a), Some(b)) => a == b,
                    _ => one == value,
                }),
            "required" => {
                let names = each(wanted);
                let there = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                !value.is_object() || names.iter().all(there)
            }
            "properties" => wanted.as_object().unwrap().iter().all(|(name, schema)| {
                value
                    .get(name)
                    .is_none_or(|value| keeps(value, schema, root))
            }),
            "additionalProperties" => value
                .as_object()
                .is_none_or(|members| members.values().all(|value| keeps(value, wanted, root))),
            "anyOf" => each(wanted).iter().any(|schema| keeps(value, schema, root)),
            "allOf" => each(wanted).iter().all(|schema| keeps(value, schema, root)),
            "not" => !keeps(value, wanted, root),
            "minimum" => value.as_f64().is_none_or(|x| x >= wanted.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|x| x <= wanted.as_f64().unwrap()),
            "exclusiveMaximum" => value.as_f64().is_none_or(|x| x < wanted.as_f64().unwrap()),
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 >= wanted.as_u64().unwrap()),
            "maxLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 <= wanted.as_u64().unwrap()),
            "pattern" => jsonschema::is_valid(&json!({ "pattern": wanted }), value),
            other => panic!("no keyword of ours: {other}"),
        })
}

fn reading() -> Reading {
    let values = vec![("1".into(), "male".into()), ("x y".into(), "other".into())];
    let bands = vec![
        ("old".into(), 40.0, f64::INFINITY),
        ("young".into(), 18.0, 30.0),
    ];
    let attribute = |name: &str, column: &str, levels| AttributeSpec {
        name: name.into(),
        column: column.into(),
        levels,
    };
    Reading::new(ReadingSpec {
        attributes: vec![
            attribute("sex", "the sex", Levels::values(values).unwrap()),
            attribute("age", "AGE", Levels::bands(bands).unwrap()),
        ],
        filters: vec![Filter::parse("AGE < 90").unwrap()],
        id: Some("name".into()),
        numeric: vec!["EDU".into(), "AGE".into()],
        score: Some("mark".into()),
        ..ReadingSpec::default()
    })
    .unwrap()
}

#[test]
fn the_schema_of_a_run_takes_what_the_run_reads_and_refuses_what_it_refuses() {
    let reading = reading();
    let schema = candidate(Some(&reading));
    let anna = json!({"name": "anna", "the sex": "1", "AGE": 41, "EDU": 2.5, "mark": -1});
    assert!(keeps(&anna, &schema, &schema));
    let cells = [
        json!(null),
        json!(1),
        json!("1"),
        json!(2),
        json!("x y"),
        json!(" X  Y"),
        json!("xy"),
        json!(true),
        json!(""),
        json!("41"),
        json!(35),
        json!(29.5),
        json!(17),
        json!("N"),
        json!(1e101),
        json!([1]),
        json!({}),
        json!("a".repeat(257)),
    ];
    let mut agreed = [0, 0];
    for member in ["name", "the sex", "AGE", "EDU", "mark", "other"] {
        for cell in &cells {
            for place in ["", "groups", "features"] {
                let mut record = anna.clone();
                match place {
                    "" => record[member] = cell.clone(),
                    place => {
                        record.as_object_mut().unwrap().remove(member);
                        record[place] = json!({ member: cell });
                    }
                }
                let nested = !place.is_empty() && (cell.is_array() || cell.is_object());
                let read = reading.json(&record.to_string(), 1);
                let kept = keeps(&record, &schema, &schema);
                // Of a number in quotes the size is left open. Within groups and features no run
                // reads lists, so the schema says there are none.
                let open = cell
                    .as_str()
                    .is_some_and(|text| text.parse::<f64>().is_ok());
                match read {
                    Ok(Read::LeftOut) => continue,
                    Ok(Read::Candidate(_)) => assert!(kept || nested, "{record}"),
                    Err(error) => assert!(!kept || open, "{record}: {error}"),
                }
                agreed[usize::from(kept)] += 1;
            }
        }
    }
    assert!(agreed.iter().all(|n| *n > 50), "{agreed:?}");
}

/// The schema names the people that filters leave out, and has no comment where there are no
/// filters.
#[test]
fn the_schema_says_whom_filters_leave_out() {
    let schema = candidate(Some(&reading()));
    assert_eq!(schema["$comment"], json!("Left out unless AGE < 90."));
    let all = candidate(Some(&Reading::new(ReadingSpec::default()).unwrap()));
    assert!(all.get("$comment").is_none() && all.get("allOf").is_none());
}

#[test]
fn the_schema_of_any_run_takes_the_usual_record() {
    let schema = candidate(None);
    let usual = json!({
        "id": 17, "at": "2026-05-01T09:30:00Z", "groups": {"sex": "F"}, "features": {"edu": 3}, "score": 0.5, "more": [1],
    });
    assert!(keeps(&usual, &schema, &schema));
    for wrong in [
        json!([]),
        json!({"id": ""}),
        json!({"groups": 1}),
        json!({"features": {"a": []}}),
    ] {
        assert!(!keeps(&wrong, &schema, &schema), "{wrong}");
    }
    assert!(keeps(&json!({}), &schema, &schema));
}
