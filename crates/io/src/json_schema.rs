//! JSON Schemas of types, for those who read what the program writes.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The JSON Schema (draft 2020-12) of what a type is written as.
#[must_use]
pub fn of<T: JsonSchema>() -> Schema {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    RecursiveTransform(unwrap_description).transform(&mut schema);
    schema
}

/// Puts a description on one line, because our comments wrap.
fn unwrap_description(schema: &mut Schema) {
    let description = schema.get("description").and_then(Value::as_str);
    if let Some(unwrapped) = description.map(|text| text.replace('\n', " ")) {
        schema.insert("description".into(), unwrapped.into());
    }
}
