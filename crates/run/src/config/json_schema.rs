//! The keys of a config as a JSON Schema (draft 2020-12), for editors that complete and check.

use serde_json::{Map, Value, json};

use super::keys::CONFIG;
use crate::document::Literal;
use crate::document::param::{Entry, Param, Shape};
use crate::document::range::{End, NumberRange};
use crate::registry::Registry;

/// The schema of a config of the built-in kinds.
#[must_use]
pub fn json_schema() -> Value {
    Registry::default().json_schema()
}

impl Registry {
    /// Returns the schema of a config.
    #[must_use]
    pub fn json_schema(&self) -> Value {
        let mut schema = table(self, CONFIG);
        schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        schema["title"] = json!("A config of klero");
        schema
    }
}

fn table(registry: &Registry, params: &[Param]) -> Value {
    let keys = params
        .iter()
        .map(|param| (param.key.to_owned(), described(registry, param)));
    let needed = params.iter().filter(|param| param.is_needed);
    let needed: Vec<&str> = needed.map(|param| param.key).collect();
    let mut table = json!({
        "type": "object",
        "properties": Value::Object(keys.collect::<Map<_, _>>()),
        "additionalProperties": false,
    });
    if !needed.is_empty() {
        table["required"] = json!(needed);
    }
    table
}

fn described(registry: &Registry, param: &Param) -> Value {
    let mut schema = shape(registry, &param.shape);
    if !param.about.is_empty() {
        schema["description"] = json!(param.about);
    }
    if let Some(default) = param.default.and_then(literal) {
        schema["default"] = default;
    }
    schema
}

/// The default. `None` if it is not fixed.
fn literal(default: Literal) -> Option<Value> {
    match default {
        Literal::Whole(number) => Some(json!(number)),
        Literal::Number(number) => Some(json!(number)),
        Literal::Flag(flag) => Some(json!(flag)),
        Literal::Text(text) => Some(json!(text)),
        Literal::Time(_) | Literal::Bytes(_) => Some(json!(default.to_string())),
        Literal::Empty => Some(json!([])),
        Literal::From(_) => None,
    }
}

fn shape(registry: &Registry, of: &Shape) -> Value {
    match of {
        Shape::Any => json!({}),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::True => json!({ "const": true }),
        Shape::Text => json!({ "type": "string" }),
        Shape::Number(range) => number(range),
        Shape::Whole(least, most) => {
            let mut schema = json!({ "type": "integer", "minimum": least });
            if *most < u64::MAX {
                schema["maximum"] = json!(most);
            }
            schema
        }
        Shape::Word(words) => json!({ "enum": words.words() }),
        Shape::List(member) => json!({ "type": "array", "items": shape(registry, member) }),
        Shape::Tuple(member, many) => json!({
            "type": "array",
            "items": shape(registry, member),
            "minItems": many,
            "maxItems": many,
        }),
        Shape::Map(value) => {
            json!({ "type": "object", "additionalProperties": shape(registry, value) })
        }
        Shape::Table(params) => table(registry, params),
        Shape::Open(params, other) => {
            let mut schema = table(registry, params);
            schema["additionalProperties"] = shape(registry, other);
            schema
        }
        Shape::OneOf(_) | Shape::Form(..) => {
            let parts = of.parts();
            let parts = parts.iter().map(|part| shape(registry, part));
            json!({ "anyOf": parts.collect::<Vec<_>>() })
        }
        Shape::Kinds(..) | Shape::Registered(_) => {
            let kinds = registry.kinds_of(of).into_iter();
            let kinds = kinds.flat_map(|(tag, entries)| {
                let entries = entries.into_iter();
                entries.map(move |entry| kind(registry, tag, &entry))
            });
            json!({ "type": "object", "anyOf": kinds.collect::<Vec<_>>() })
        }
    }
}

fn kind(registry: &Registry, tag: &str, entry: &Entry) -> Value {
    let mut schema = table(registry, &entry.params);
    schema["properties"][tag] = json!({ "const": entry.name });
    let mut required = vec![json!(tag)];
    required.extend(schema["required"].as_array().into_iter().flatten().cloned());
    schema["required"] = json!(required);
    if !entry.about.is_empty() {
        schema["description"] = json!(entry.about);
    }
    schema
}

fn number(range: &NumberRange) -> Value {
    let mut schema = json!({ "type": "number" });
    match range.from {
        End::Open => {}
        End::With(end) => schema["minimum"] = json!(end),
        End::Without(end) => schema["exclusiveMinimum"] = json!(end),
    }
    match range.to {
        End::Open => {}
        End::With(end) => schema["maximum"] = json!(end),
        End::Without(end) => schema["exclusiveMaximum"] = json!(end),
    }
    schema
}
