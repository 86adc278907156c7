//! The conversion of a tree to TOML text.

use toml_writer::{ToTomlKey, ToTomlValue, TomlStringBuilder};

use super::node::{Node, Table, Value};

/// Inline tables whose line is longer than this many characters, its end counted, become sections
/// of their own.
const WIDTH: usize = 100;

/// Single keys first, then a section for every table and `[[…]]` for every list of tables; what
/// lies deeper is inline where it fits on a line. The order within every table but the root is
/// kept.
pub(super) fn write_toml(root: &Table) -> String {
    let mut text = String::new();
    let (sections, singles): (Vec<_>, Vec<_>) = root
        .iter()
        .partition(|(_, node)| has_section_form(&node.value));
    for (key, node) in singles {
        text += &line(&key.name, &node.value);
    }
    for (key, node) in sections {
        section(&mut text, &key.name.to_toml_key(), &node.value);
    }
    text
}

/// A table or a list of tables under its header; `path` is quoted already.
fn section(text: &mut String, path: &str, value: &Value) {
    match value {
        Value::Table(table) => body(text, path, &format!("[{path}]\n"), table),
        Value::List(members) => {
            for member in members {
                if let Value::Table(table) = &member.value {
                    // A header of `[[…]]` is never left out: it is what makes the member.
                    break_before(text);
                    *text += &format!("[[{path}]]\n");
                    body(text, path, "", table);
                }
            }
        }
        _ => unreachable!("only tables and lists of tables have a section form"),
    }
}

fn body(text: &mut String, path: &str, header: &str, table: &Table) {
    let entries: Vec<_> = table.iter().collect();
    // Behind a section one can't come back, so only the last entries may be sections.
    let tail = entries
        .iter()
        .rposition(|(_, node)| !has_section_form(&node.value))
        .map_or(0, |last| last + 1);
    let lines = tail
        + entries[tail..]
            .iter()
            .position(|(key, node)| line(&key.name, &node.value).chars().count() > WIDTH)
            .unwrap_or(entries.len() - tail);
    if !header.is_empty() && (lines > 0 || entries.is_empty()) {
        break_before(text);
        *text += header;
    }
    for (key, node) in &entries[..lines] {
        *text += &line(&key.name, &node.value);
    }
    for (key, node) in &entries[lines..] {
        section(
            text,
            &format!("{path}.{}", key.name.to_toml_key()),
            &node.value,
        );
    }
}

fn break_before(text: &mut String) {
    if !text.is_empty() {
        text.push('\n');
    }
}

fn line(key: &str, value: &Value) -> String {
    format!("{} = {}\n", key.to_toml_key(), inline(value))
}

/// Formats a value on one line.
pub fn inline(value: &Value) -> String {
    match value {
        Value::Text(text) => TomlStringBuilder::new(text).as_basic().to_toml_value(),
        Value::Whole(number) => number.to_string(),
        // Debug is the shortest form that reads back, and keeps its point or exponent.
        Value::Number(number) if number.is_nan() => "nan".into(),
        Value::Number(number) => format!("{number:?}"),
        Value::Flag(flag) => flag.to_string(),
        Value::Refused(refused) => refused.written.clone(),
        Value::List(members) => {
            let members: Vec<_> = members.iter().map(|member| inline(&member.value)).collect();
            format!("[{}]", members.join(", "))
        }
        Value::Table(table) if table.is_empty() => "{}".into(),
        Value::Table(table) => {
            let entries: Vec<_> = table
                .iter()
                .map(|(key, node)| format!("{} = {}", key.name.to_toml_key(), inline(&node.value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// Returns true if a value can be written under a header and read back unchanged.
fn has_section_form(value: &Value) -> bool {
    let is_table = |node: &Node| matches!(node.value, Value::Table(_));
    match value {
        Value::Table(_) => true,
        Value::List(members) => !members.is_empty() && members.iter().all(is_table),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Document;
    use crate::document::PlacedKey;
    use kleroterion_core::problem::Place;
    use proptest::prelude::*;

    /// Without places, and exact to the bit of every number.
    fn shape(value: &Value) -> String {
        match value {
            Value::Number(number) => format!("f{:x}", number.to_bits()),
            Value::List(members) => {
                let members: Vec<_> = members.iter().map(|member| shape(&member.value)).collect();
                format!("{members:?}")
            }
            Value::Table(table) => shape_of(table.iter()),
            other => format!("{other:?}"),
        }
    }

    fn shape_of<'a>(entries: impl Iterator<Item = (&'a PlacedKey, &'a Node)>) -> String {
        let entries: Vec<_> = entries
            .map(|(key, node)| (&key.name, shape(&node.value)))
            .collect();
        format!("{entries:?}")
    }

    fn node(value: Value) -> Node {
        let place = Place::Request;
        Node { place, value }
    }

    fn tables(value: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Table> {
        let key = prop_oneof!["[a-z_0-9-]{1,3}", any::<String>()];
        prop::collection::vec((key, value), 0..5).prop_map(|entries| {
            let entries = entries.into_iter().map(|(name, value)| {
                let place = Place::Request;
                (PlacedKey { name, place }, node(value))
            });
            entries.collect()
        })
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<String>().prop_map(Value::Text),
            "[ -~\n\r\t\"'\\\\\u{7f}\u{0}]{0,200}".prop_map(Value::Text),
            any::<i64>().prop_map(Value::Whole),
            any::<f64>()
                .prop_filter("nan", |x| !x.is_nan())
                .prop_map(Value::Number),
            prop_oneof![Just(f64::INFINITY), Just(-0.0), Just(1e300), Just(5e-324)]
                .prop_map(Value::Number),
            any::<bool>().prop_map(Value::Flag),
        ];
        leaf.prop_recursive(4, 60, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone().prop_map(node), 0..5).prop_map(Value::List),
                prop::collection::vec(tables(inner.clone()), 1..4).prop_map(|members| {
                    Value::List(members.into_iter().map(|t| node(Value::Table(t))).collect())
                }),
                tables(inner).prop_map(Value::Table),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(root in tables(values())) {
            let text = write_toml(&root);
            let back = Document::parse(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
            let (sections, singles): (Vec<_>, Vec<_>) =
                root.iter().partition(|(_, node)| has_section_form(&node.value));
            let expected = shape_of(singles.into_iter().chain(sections));
            prop_assert_eq!(shape_of(back.root().iter()), expected, "{}", text);
            prop_assert_eq!(write_toml(back.root()), text);
        }
    }

    #[test]
    fn a_resolved_config_is_readable() {
        let text = r#"seed = 7
bands = [[18, 35], [55, inf]]

[source]
type = "file"

[source.attributes]
race = { column = "RAC1P", values = { 1 = "white", 2 = "black" } }
age = { column = "AGEP", bands = { 18-34 = [18, 35], "55+" = [55, inf] }, "a\n" = 1e-8, w = 1.0 }

[feedback]
interview = { type = "gaussian_looks", sd = 0.1 }

[[policy]]
label = "greedy .05"
tolerance = 0.05

[[policy]]

[target]
"#;
        let document = Document::parse(text).unwrap();
        assert_eq!(document.to_toml(), text);
        let mut document = document;
        document.set("last=0").unwrap();
        assert!(
            document
                .to_toml()
                .starts_with("seed = 7\nbands = [[18, 35], [55, inf]]\nlast = 0\n")
        );
    }
}
