//! The paths of config keys, looked up by name for users who give a key as an option.

use super::CONFIG;
use crate::document::param::{Param, Shape};
use crate::registry::Registry;

/// A key of a config: its path, as `--set` takes it, and an example of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedKey {
    /// The path. The path of a policy's key contains `LABEL`.
    pub path: String,
    /// The shape of its value.
    pub value: NamedShape,
}

/// The shape of a key's value, as far as its example depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedShape {
    /// A list.
    List,
    /// A text or a word.
    Text,
    /// A table, with its first required key, or else its first key.
    Table(Option<&'static str>),
    /// Any other value: a number, true or false.
    Other,
}

impl NamedKey {
    /// Returns the key with a value, as typed after `--set`. `value` is the user's, if there is
    /// one.
    #[must_use]
    pub fn assignment(&self, value: Option<&str>) -> String {
        let path = &self.path;
        let text = |value: &str| format!("{:?}", value.trim());
        let assigned = match &self.value {
            NamedShape::List => {
                let members: Vec<String> = value.unwrap_or("A,B").split(',').map(text).collect();
                format!("{path}=[{}]", members.join(", "))
            }
            NamedShape::Text => format!("{path}={}", text(value.unwrap_or("WORD"))),
            NamedShape::Table(Some(first)) => {
                let words = value.and_then(|value| value.split_whitespace().next());
                format!("{path}.{first}={}", words.unwrap_or("VALUE"))
            }
            NamedShape::Table(None) | NamedShape::Other => {
                format!("{path}={}", value.unwrap_or("VALUE"))
            }
        };
        format!("--set '{assigned}'")
    }
}

/// Returns the keys of a config with this name, in the order of the sections, of the built-in kinds.
/// `-` is read as `_`.
#[must_use]
pub fn keys_named(name: &str) -> Vec<NamedKey> {
    Registry::default().keys_named(name)
}

impl Registry {
    /// Returns the keys of a config with this name, in the order of the sections. `-` is read as
    /// `_`.
    #[must_use]
    pub fn keys_named(&self, name: &str) -> Vec<NamedKey> {
        let name = name.replace('-', "_");
        let mut found = Vec::new();
        within(self, CONFIG, "", &name, &mut found);
        found
    }
}

fn within(
    registry: &Registry,
    params: &[Param],
    prefix: &str,
    name: &str,
    found: &mut Vec<NamedKey>,
) {
    for param in params {
        let path = match prefix {
            "" => param.key.to_owned(),
            _ => format!("{prefix}.{}", param.key),
        };
        // Policies are sections of their own: no value sets them.
        let is_sections =
            matches!(param.shape, Shape::List(kinds) if registry.kinds_of(kinds).is_some());
        if param.key == name
            && !is_sections
            && !found.iter().any(|known: &NamedKey| known.path == path)
        {
            let value = shape(&param.shape);
            let path = path.clone();
            found.push(NamedKey { path, value });
        }
        let (kinds, path) = match &param.shape {
            Shape::Table(members) | Shape::Open(members, _) => {
                within(registry, members, &path, name, found);
                continue;
            }
            Shape::List(kinds) => (*kinds, format!("{path}.LABEL")),
            kinds => (kinds, path),
        };
        let entries = registry.kinds_of(kinds).map(|(_, entries)| entries);
        for entry in entries.into_iter().flatten() {
            within(registry, &entry.params, &path, name, found);
        }
    }
}

fn shape(of: &Shape) -> NamedShape {
    match of {
        Shape::List(_) => NamedShape::List,
        Shape::Text | Shape::Word(_) => NamedShape::Text,
        Shape::Table(members) => {
            let needed = members.iter().find(|param| param.is_needed);
            NamedShape::Table(needed.or(members.first()).map(|param| param.key))
        }
        Shape::Kinds(key, _) => NamedShape::Table(Some(*key)),
        Shape::Registered(list) => NamedShape::Table(Some(list.tag())),
        _ => NamedShape::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_wherever_they_are() {
        let paths = |name: &str| -> Vec<String> {
            let keys = keys_named(name);
            keys.into_iter().map(|key| key.path).collect()
        };
        assert_eq!(paths("judge"), ["report.judge"]);
        assert_eq!(paths("max-rounds"), ["rules.max_rounds"]);
        assert_eq!(paths("tolerance"), ["policy.LABEL.tolerance"]);
        assert_eq!(paths("seed"), ["seed"]);
        assert!(paths("path").contains(&"source.path".to_owned()));
        assert_eq!(paths("colour"), [""; 0]);
        assert_eq!(paths("policy"), [""; 0]);
    }

    #[test]
    fn a_key_is_set_as_it_can_be_typed() {
        for (name, value, typed) in [
            ("judge", Some("a,b"), r#"--set 'report.judge=["a", "b"]'"#),
            ("judge", None, r#"--set 'report.judge=["A", "B"]'"#),
            ("goal", Some("a where b <= 1"), "--set 'report.goal.best=a'"),
            (
                "baseline",
                Some("greedy .05"),
                r#"--set 'report.baseline="greedy .05"'"#,
            ),
            ("alpha", Some("0.01"), "--set 'report.alpha=0.01'"),
            ("alpha", None, "--set 'report.alpha=VALUE'"),
        ] {
            assert_eq!(keys_named(name)[0].assignment(value), typed, "{name}");
        }
    }
}
