//! The tree of a config: values with their places.

use kleroterion_core::problem::Place;

/// A key of a table, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedKey {
    /// The key, unquoted.
    pub name: String,
    /// The place of the key. For a key written several times (`[[policy]]`), the first place.
    pub place: Place,
}

/// A value, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The place of the value. For a section, the place of its header.
    pub place: Place,
    /// The value.
    pub value: Value,
}

/// A value of a config.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A string.
    Text(String),
    /// A number without point or exponent.
    Whole(i64),
    /// A number with point or exponent, or an infinite one.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A list, including a list of `[[sections]]`.
    List(Vec<Node>),
    /// A table, inline or as a section.
    Table(Table),
    /// A value that TOML allows and no config may hold: a date, `nan` or a number out of range.
    /// [`read`](super::read) notes it.
    Refused(Refused),
}

/// A value that no config may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The value as written.
    pub written: String,
    /// The problem with the value.
    pub what: String,
    /// The advice on what to write instead.
    pub help: String,
}

impl Value {
    /// Describes the value in words, for "found …". A short value is shown itself, a longer one by
    /// its kind.
    ///
    /// ```
    /// # use kleroterion_run::document::Value;
    /// assert_eq!(Value::Text("many".into()).found(), "the string \"many\"");
    /// assert_eq!(Value::Number(1.0).found(), "1.0");
    /// assert_eq!(Value::List(vec![]).found(), "a list");
    /// ```
    pub fn found(&self) -> String {
        match self {
            Self::Text(text) if text.chars().count() <= 40 => format!("the string {text:?}"),
            Self::Text(_) => "a string".into(),
            Self::Whole(number) => number.to_string(),
            Self::Number(number) => format!("{number:?}"),
            Self::Flag(flag) => flag.to_string(),
            Self::List(_) => "a list".into(),
            Self::Table(_) => "a table".into(),
            Self::Refused(Refused { written, .. }) => written.clone(),
        }
    }

    /// Returns the text, or `None` if this is something else.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the members of a list, or `None` if this is something else.
    pub fn list(&self) -> Option<&[Node]> {
        match self {
            Self::List(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the table, or `None` if this is something else.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Puts the value at a place.
    pub fn at(self, place: &Place) -> Node {
        Node {
            place: place.clone(),
            value: self,
        }
    }

    /// Returns true if two values are equal in meaning. The order of keys and the spelling of
    /// numbers do not matter.
    ///
    /// ```
    /// # use kleroterion_run::config::Document;
    /// let value = |text| Document::parse(text).unwrap().take("a").unwrap().1.value;
    /// assert!(value("a = { x = 1, y = [2.0] }").says_as(&value("a.y = [2]\na.x = 1")));
    /// assert!(!value("a = [1, 2]").says_as(&value("a = [2, 1]")));
    /// ```
    #[must_use]
    pub fn says_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Table(one), Self::Table(other)) => {
                let same = |(key, node): (&PlacedKey, &Node)| {
                    let other = other.get(&key.name);
                    other.is_some_and(|other| node.value.says_as(&other.value))
                };
                one.len() == other.len() && one.iter().all(same)
            }
            (Self::List(one), Self::List(other)) => {
                let mut pairs = one.iter().zip(other);
                one.len() == other.len() && pairs.all(|(a, b)| a.value.says_as(&b.value))
            }
            (Self::Whole(whole), Self::Number(number))
            | (Self::Number(number), Self::Whole(whole)) => *number == *whole as f64,
            _ => self == other,
        }
    }
}

/// Keys and their values in the order written. No key occurs twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    // Tables are short: a scan beats an index, and keeps the order for nothing.
    entries: Vec<(PlacedKey, Node)>,
}

impl Table {
    /// The number of keys.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the table has no keys.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Iterates over keys and values, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&PlacedKey, &Node)> + ExactSizeIterator {
        self.entries.iter().map(|(key, node)| (key, node))
    }

    /// The value of a key with its place, if the table has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.position(key).map(|at| &self.entries[at].1)
    }

    /// The value of a key, if the table has it.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.get(key).map(|node| &node.value)
    }

    /// Sets a key and returns its old value. An existing key keeps its position and place, a new
    /// one goes to the end.
    pub fn insert(&mut self, key: PlacedKey, node: Node) -> Option<Node> {
        if let Some(at) = self.position(&key.name) {
            return Some(std::mem::replace(&mut self.entries[at].1, node));
        }
        self.entries.push((key, node));
        None
    }

    /// Changes the value of a key, if the table has it.
    pub fn replace(&mut self, key: &str, change: impl FnOnce(&mut Node)) {
        if let Some(at) = self.position(key) {
            change(&mut self.entries[at].1);
        }
    }

    /// Sets a key to a value that is not from a text.
    pub fn put(&mut self, name: &str, value: Value) {
        self.set(name, value.at(&Place::Request));
    }

    /// Sets a key to a value. A new key has the value's place.
    pub fn set(&mut self, name: &str, node: Node) {
        let key = PlacedKey {
            name: name.to_owned(),
            place: node.place.clone(),
        };
        self.insert(key, node);
    }

    /// Changes the value at the end of a path of keys, if it exists.
    pub fn edit(&mut self, path: &[&str], change: impl FnOnce(&mut Node)) {
        match path {
            [] => {}
            [key] => self.replace(key, change),
            [section, rest @ ..] => {
                let at = self.position(section);
                if let Some(Value::Table(section)) = at.map(|at| &mut self.entries[at].1.value) {
                    section.edit(rest, change);
                }
            }
        }
    }

    /// Removes a key. The others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<(PlacedKey, Node)> {
        self.position(key).map(|at| self.entries.remove(at))
    }

    /// The keys and their values, in order.
    pub(super) fn into_entries(self) -> Vec<(PlacedKey, Node)> {
        self.entries
    }

    /// A table of keys that are known to differ, without the quadratic search for equals.
    pub(super) fn from_distinct(entries: Vec<(PlacedKey, Node)>) -> Self {
        Self { entries }
    }

    /// The value of a key, after putting an empty table there where the key is missing.
    pub(super) fn get_or_add_table(&mut self, key: &str, place: &Place) -> &mut Node {
        let at = self.position(key).unwrap_or_else(|| {
            self.set(key, Value::Table(Self::default()).at(place));
            self.entries.len() - 1
        });
        &mut self.entries[at].1
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|(known, _)| known.name == key)
    }
}

/// Later values of a key replace earlier ones, as in [`Table::insert`].
impl FromIterator<(PlacedKey, Node)> for Table {
    fn from_iter<I: IntoIterator<Item = (PlacedKey, Node)>>(entries: I) -> Self {
        let mut table = Self::default();
        for (key, node) in entries {
            table.insert(key, node);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, value: i64, at: &str) -> (PlacedKey, Node) {
        let place = Place::Option(at.into());
        let key = PlacedKey {
            name: name.into(),
            place: place.clone(),
        };
        let value = Value::Whole(value);
        (key, Node { place, value })
    }

    #[test]
    fn insert_keeps_position_and_key_place() {
        let entries = [
            entry("a", 1, "old"),
            entry("b", 2, "old"),
            entry("a", 3, "new"),
        ];
        let mut table: Table = entries.into_iter().collect();
        let (first, node) = table.iter().next().unwrap();
        assert_eq!((first.name.as_str(), table.len()), ("a", 2));
        assert_eq!(first.place, Place::Option("old".into()));
        assert_eq!(*node, entry("a", 3, "new").1);
        assert_eq!(table.remove("a").unwrap().1, entry("a", 3, "new").1);
        assert!(table.get("a").is_none() && table.remove("a").is_none());
        assert_eq!(
            table.get_or_add_table("b", &Place::Request).value,
            Value::Whole(2)
        );
        table.get_or_add_table("c", &Place::Request);
        let names: Vec<_> = table.iter().map(|(key, _)| key.name.as_str()).collect();
        assert_eq!(names, ["b", "c"]);
    }

    #[test]
    fn long_strings_are_not_quoted_back() {
        assert_eq!(Value::Text("é".repeat(41)).found(), "a string");
        assert_eq!(Value::Text("é".repeat(40)).found().chars().count(), 40 + 13);
    }
}
