//! Documents that a program makes from values, without a text.

use std::collections::BTreeMap;

use super::assign::{node_at, position, steps_in};
use super::depth;
use super::node::{Node, PlacedKey, Refused, Table, Value};
use super::parse::{not_a_number, too_large};
use super::path::{Refusal, join};
use super::root::Document;
use crate::limits::DEEPEST_NESTING;
use kleroterion_core::problem::{Place, Problem};

impl Document {
    /// Makes a document named `config` from a tree of values. The place of each value is the path
    /// of its keys.
    ///
    /// ```
    /// # use std::path::Path;
    /// use kleroterion_run::config::{Document, check};
    /// use kleroterion_run::document::{Table, Value};
    ///
    /// let rules = Value::of([("choose", "any".into()), ("until", Value::of([("rounds", 5)]))]);
    /// let shares = Value::of([("sex", Value::of([("F", 0.5), ("M", 0.5)]))]);
    /// let document = Document::of(Table::of([
    ///     ("source", Value::of([("type", "categorical".into()), ("shares", shares)])),
    ///     ("rules", rules),
    ///     ("policy", vec![Value::of([("label", "all"), ("kind", "acept_all")])].into()),
    /// ]));
    /// let problems = check(&document, Path::new(".")).err().unwrap();
    /// assert_eq!(
    ///     problems.to_string(),
    ///     "at policy[0].kind: unknown word `acept_all` for `policy.all.kind` \
    ///      (help: did you mean `accept_all`?)"
    /// );
    /// ```
    #[must_use]
    pub fn of(root: Table) -> Self {
        Self {
            name: "config".into(),
            text: None,
            root: placed_table(root, "", 0),
        }
    }

    /// Puts a value of a program at a path, as [`Document::set`] does with a text. Its place is the
    /// path.
    ///
    /// # Errors
    /// As [`Document::put`].
    pub fn assign(&mut self, path: &str, value: impl Into<Value>) -> Result<(), Problem> {
        let at = match steps_in(self.root(), path) {
            Ok(steps) => key_path(self.root(), &steps),
            Err(_) => path.to_owned(),
        };
        self.put(path, placed(value.into(), at, 0))
    }

    /// Adds a table to a list of the top level, and returns the path to it.
    pub(crate) fn push(&mut self, list: &str, table: Table) -> String {
        if self.root.get(list).is_none() {
            let place = Place::Key(list.to_owned());
            self.root.set(list, Value::List(Vec::new()).at(&place));
        }
        let mut path = list.to_owned();
        self.root.replace(list, |node| {
            if let Value::List(members) = &mut node.value {
                path = format!("{list}[{}]", members.len());
                members.push(placed(Value::Table(table), path.clone(), 0));
            }
        });
        path
    }

    /// The number of each path of keys that is a place of the tree, in its order.
    pub(super) fn order(&self) -> BTreeMap<&str, usize> {
        let mut order = BTreeMap::new();
        number(self.root(), &mut order);
        order
    }
}

fn number<'a>(table: &'a Table, order: &mut BTreeMap<&'a str, usize>) {
    for (key, node) in table.iter() {
        number_node(&key.place, node, order);
    }
}

fn number_node<'a>(key: &'a Place, node: &'a Node, order: &mut BTreeMap<&'a str, usize>) {
    for place in [key, &node.place] {
        if let Place::Key(path) = place {
            let next = order.len();
            order.entry(path).or_insert(next);
        }
    }
    match &node.value {
        Value::Table(table) => number(table, order),
        Value::List(members) => {
            let of = |member| number_node(key, member, order);
            members.iter().for_each(of);
        }
        _ => {}
    }
}

/// The path of some keys, with the index of a list's member.
fn key_path(root: &Table, steps: &[String]) -> String {
    let mut path = String::new();
    for (at, step) in steps.iter().enumerate() {
        let list = node_at(root, &steps[..at]).and_then(|node| node.value.list());
        let member = list.and_then(|members| position(members, "", step).ok());
        path = match member {
            Some(index) => format!("{path}[{index}]"),
            None => join(&path, step),
        };
    }
    path
}

/// A table with the path to it as its place, and in it what no config may hold as refused.
fn placed_table(table: Table, path: &str, depth: usize) -> Table {
    let entries = table.into_entries().into_iter().map(|(key, node)| {
        let (path, name) = (join(path, &key.name), key.name);
        let place = Place::Key(path.clone());
        (PlacedKey { name, place }, placed(node.value, path, depth))
    });
    Table::from_distinct(entries.collect())
}

fn placed(value: Value, path: String, depth: usize) -> Node {
    let is_deep = depth == DEEPEST_NESTING;
    let value = match value {
        Value::Table(_) | Value::List(_) if is_deep => refused(String::new(), depth::words()),
        Value::Table(table) => Value::Table(placed_table(table, &path, depth + 1)),
        Value::List(members) => {
            let members = members.into_iter().enumerate();
            let member =
                |(at, node): (usize, Node)| placed(node.value, format!("{path}[{at}]"), depth + 1);
            Value::List(members.map(member).collect())
        }
        Value::Number(number) if number.is_nan() => refused("nan".into(), not_a_number()),
        value => value,
    };
    value.at(&Place::Key(path))
}

fn refused(written: String, (what, help): Refusal) -> Value {
    Value::Refused(Refused {
        written,
        what,
        help,
    })
}

impl Value {
    /// A table of keys and their values, in order. Of a key that comes twice the later value
    /// counts.
    pub fn of<K, V>(entries: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<String>,
        V: Into<Self>,
    {
        Self::Table(Table::of(entries))
    }
}

impl Table {
    /// A table of keys and their values, in order. Of a key that comes twice the later value
    /// counts.
    pub fn of<K, V>(entries: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<String>,
        V: Into<Value>,
    {
        let entries = entries.into_iter().map(|(name, value)| {
            let place = Place::Request;
            let node = value.into().at(&place);
            let name = name.into();
            (PlacedKey { name, place }, node)
        });
        entries.collect()
    }
}

impl From<Table> for Value {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Whole(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Whole(number.into())
    }
}

/// A number that no config may hold is refused when the config is checked.
impl From<u64> for Value {
    fn from(number: u64) -> Self {
        let too_large = |_| refused(number.to_string(), too_large(number));
        i64::try_from(number).map_or_else(too_large, Self::Whole)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        (number as u64).into()
    }
}

impl<V: Into<Self>> From<Vec<V>> for Value {
    fn from(members: Vec<V>) -> Self {
        let node = |member: V| member.into().at(&Place::Request);
        Self::List(members.into_iter().map(node).collect())
    }
}

impl<V: Into<Self>, const N: usize> From<[V; N]> for Value {
    fn from(members: [V; N]) -> Self {
        Vec::from(members).into()
    }
}

#[cfg(test)]
mod tests;
