//! A table of a config, read key by key.

use std::collections::BTreeSet;

use super::field::{Field, Notes, all_read};
use super::node::{Node, PlacedKey, Table, Value};
use super::param::Param;
use super::path::join;
use super::root::Document;
use kleroterion_core::nearest::{advice, nearest};
use kleroterion_core::problem::{Place, Problem, Problems};

/// Reads a document with a function from its top level to a plan.
///
/// # Errors
/// All problems noted on the way and all values that no config has, those in the text first and in
/// its order.
pub fn read<T>(
    document: &Document,
    plan: impl FnOnce(Reader<'_>) -> Option<T>,
) -> Result<T, Problems> {
    let place = document.place();
    let notes = Notes::default();
    let plan = plan(Reader::new(String::new(), &place, document.root(), &notes));
    let mut problems = notes.problems.into_inner();
    let refused = document.refused();
    // What else was expected in the place of a refused value follows from that.
    let follows = |problem: &Problem| refused.0.iter().any(|value| value.place == problem.place);
    problems.0.retain(|problem| !follows(problem));
    problems.0.extend(refused.0);
    let order = document.order();
    // What a program put into a text comes behind the text, as what an option put there does.
    let rank = usize::from(!document.text().is_empty());
    problems.0.sort_by_key(|problem| match &problem.place {
        Place::Request => (0, 0),
        Place::Config { span, .. } => (1, span.start),
        Place::Key(path) => (1 + rank, order.get(&**path).copied().unwrap_or(usize::MAX)),
        Place::Option(_) => (2, 0),
        Place::File { .. } | Place::Memory { .. } => (3, 0),
    });
    problems.0.dedup();
    match plan {
        Some(plan) => problems.or(plan),
        None if problems.0.is_empty() => {
            let what = "the config was left unread without a reason";
            Err(Problem::of_request(what)
                .help("this is a fault of the program: please report it")
                .into())
        }
        None => Err(problems),
    }
}

impl<'a> Field<'a> {
    /// Reads a table.
    pub fn table(&self) -> Option<Reader<'a>> {
        match self.node? {
            Node {
                value: Value::Table(table),
                place,
            } => Some(Reader::new(self.path.clone(), place, table, self.notes)),
            _ => {
                let path = &self.path;
                let help = format!(
                    "write {path} = {{ key = value, … }}, or a section [{path}] with its keys below"
                );
                self.wrong("a table", Some(help))
            }
        }
    }

    /// Reads a table of these keys. When it is finished, each of them must have been read and no
    /// other.
    pub fn table_of(&self, keys: &[Param]) -> Option<Reader<'a>> {
        let mut table = self.table()?;
        table.declare(keys.to_vec());
        Some(table)
    }

    /// Returns the value at a free key of a table: a name that is no key of the config's own.
    pub fn entry(&self, name: &str) -> Option<Field<'a>> {
        let node = self.value()?.table()?.get(name)?;
        Some(self.child(name, node))
    }

    /// Reads a table of free keys, with all values read in the same way and in order. It reads on
    /// after a wrong value, so that every problem is noted.
    pub fn pairs<T>(&self, read: impl FnMut(&Field<'a>) -> Option<T>) -> Option<Vec<(String, T)>> {
        self.table()?.pairs(read)
    }
}

/// A cursor over one table. It notes problems and remembers which keys were read.
///
/// Read every key into a variable, [`finish`](Self::finish), and only then put the plan together
/// with `?`: so no wrong key hides another.
#[derive(Debug)]
#[must_use = "finish it, or unknown keys go unnoticed"]
pub struct Reader<'a> {
    path: String,
    place: &'a Place,
    table: &'a Table,
    asked: Vec<String>,
    /// The keys that the table may have, if they are declared.
    declared: Option<Vec<Param>>,
    /// True if the function that reads the table may stop at the first problem.
    may_stop: bool,
    /// Required keys that are not given, and what was noted of them.
    missing: Vec<(String, Problem)>,
    notes: &'a Notes,
}

impl<'a> Reader<'a> {
    pub(super) fn new(path: String, place: &'a Place, table: &'a Table, notes: &'a Notes) -> Self {
        Self {
            path,
            place,
            table,
            asked: Vec::new(),
            declared: None,
            may_stop: false,
            missing: Vec::new(),
            notes,
        }
    }

    /// The place of the table.
    pub fn place(&self) -> &'a Place {
        self.place
    }

    /// Sets the keys that the table may have. When it is finished, each of them must have been read
    /// and no other.
    pub fn declare(&mut self, keys: Vec<Param>) {
        self.declared = Some(keys);
    }

    /// Sets the keys that a kind of a program's own may have. Its function may stop at the first
    /// problem: the declared keys that it has not read then are no unknown ones.
    pub(crate) fn declare_own(&mut self, keys: Vec<Param>) {
        self.declare(keys);
        self.may_stop = true;
    }

    /// An optional key.
    pub(super) fn get(&mut self, key: &str) -> Field<'a> {
        if !self.asked.iter().any(|asked| asked == key) {
            self.asked.push(key.to_owned());
        }
        self.field(key, self.table.get(key))
    }

    /// Returns a key's value without marking the key as read.
    pub(super) fn peek(&self, key: &str) -> Option<&'a Value> {
        self.table.get(key).map(|node| &node.value)
    }

    /// Returns true if the table has keys that have not been read so far.
    pub fn has_others(&self) -> bool {
        let mut keys = self.table.iter().map(|(key, _)| &key.name);
        keys.any(|key| !self.asked.contains(key))
    }

    /// Returns a required key. If it is missing, a problem is noted at the table's place, with the
    /// example as advice: `need("slate", "slate = 1")`, `need("rules", "[rules] with slate = 1")`.
    pub(super) fn need(&mut self, key: &str, example: &str) -> Field<'a> {
        let field = self.get(key);
        if !field.is_given() {
            let what = match (example.split(" with ").next(), self.path.as_str()) {
                (Some(section), _) if section.starts_with('[') => {
                    format!("missing section {section}")
                }
                (_, "") => format!("missing key `{key}`"),
                _ => format!("missing key `{key}` in {}", self.title()),
            };
            let problem =
                Problem::new(self.place.clone(), what).help(format!("for example: {example}"));
            self.missing.push((key.to_owned(), problem.clone()));
            self.report(problem);
        }
        field
    }

    /// Returns the one of several keys that is given, with its name. Notes a problem if none or
    /// several are given.
    pub fn need_one(&mut self, keys: &[Param], example: &str) -> Option<(&'static str, Field<'a>)> {
        let names: Vec<&str> = keys.iter().map(|param| param.key).collect();
        let fields = names.iter().map(|key| (*key, self.get(key)));
        let mut given: Vec<_> = fields.filter(|(_, field)| field.is_given()).collect();
        let names = names.join(", ");
        match given.len() {
            0 => {
                let what = format!("missing one of the keys {names} in {}", self.title());
                self.refuse(what, format!("for example: {example}"));
                None
            }
            1 => given.pop(),
            _ => {
                for (key, field) in &given[1..] {
                    let first = given[0].0;
                    let what = format!(
                        "`{key}` and `{first}` can't both be given in {}",
                        self.title()
                    );
                    field.refuse(what, format!("keep one of {names}"));
                }
                None
            }
        }
    }

    /// Returns all keys that have not been read yet, in order. It is for tables with free keys, for
    /// example `[target]`.
    pub fn rest(&mut self) -> Vec<(&'a PlacedKey, Field<'a>)> {
        let table = self.table;
        self.declared = None;
        let asked = std::mem::take(&mut self.asked);
        let free = table.iter().filter(|(key, _)| !asked.contains(&key.name));
        let rest = free
            .map(|(key, node)| (key, self.field(&key.name, Some(node))))
            .collect();
        self.asked = table
            .iter()
            .map(|(key, _)| key.name.clone())
            .chain(asked)
            .collect();
        rest
    }

    /// Reads the values of all keys that have not been read yet, in order. It reads on after a
    /// wrong value, so that every problem is noted.
    pub fn pairs<T>(
        mut self,
        mut read: impl FnMut(&Field<'a>) -> Option<T>,
    ) -> Option<Vec<(String, T)>> {
        let rest = self.rest().into_iter();
        all_read(rest.map(|(key, field)| read(&field).map(|value| (key.name.clone(), value))))
    }

    /// Notes a problem for every key that was never read, with the most similar key that was. A
    /// required key with a similar spelling then counts as misspelt and not as missing.
    ///
    /// Leave a table unfinished where a wrong `kind` or `type` leaves open which keys it may have.
    pub fn finish(self) {
        self.check_declared();
        let mut known: Vec<&str> = self.asked.iter().map(String::as_str).collect();
        let declared = self.declared.iter().flatten().map(|param| param.key);
        let is_unread = |key: &&str| !self.asked.iter().any(|asked| asked == key);
        known.extend(declared.filter(|key| self.may_stop && is_unread(key)));
        for (key, _) in self
            .table
            .iter()
            .filter(|(key, _)| !known.contains(&key.name.as_str()))
        {
            let what = match self.path.as_str() {
                "" => format!("unknown key `{}`", key.name),
                _ => format!("unknown key `{}` in {}", key.name, self.title()),
            };
            let help = match nearest(&key.name, known.iter().copied()) {
                Some(near) => {
                    let misspelt = self.missing.iter().filter(|(key, _)| key == near);
                    for (_, missing) in misspelt {
                        self.notes
                            .problems
                            .borrow_mut()
                            .0
                            .retain(|problem| problem != missing);
                    }
                    format!("did you mean `{near}`?")
                }
                None => advice(&key.name, &known, "known keys"),
            };
            self.report(Problem::new(key.place.clone(), what).help(help));
        }
    }

    /// Panics in debug builds if a key was read that is not declared, or is declared and was not
    /// read.
    fn check_declared(&self) {
        let Some(declared) = self.declared.as_ref().filter(|_| cfg!(debug_assertions)) else {
            return;
        };
        let asked: BTreeSet<&str> = self.asked.iter().map(String::as_str).collect();
        let stopped = self.may_stop && !self.notes.problems.borrow().0.is_empty();
        let declared = declared.iter().map(|param| param.key);
        let declared = declared.filter(|key| !stopped || asked.contains(key));
        let declared: BTreeSet<&str> = declared.collect();
        assert_eq!(
            asked, declared,
            "the keys read, and declared, of [{}]",
            self.path
        );
    }

    /// Notes a problem with the table as a whole, and its remedy. Always returns `None`.
    pub fn refused<T>(&self, what: impl Into<String>, help: impl Into<String>) -> Option<T> {
        self.refuse(what, help);
        None
    }

    /// Notes a problem with the table as a whole, and its remedy.
    pub fn refuse(&self, what: impl Into<String>, help: impl Into<String>) {
        self.report(Problem::new(self.place.clone(), what).help(help));
    }

    /// Notes a problem at any place.
    pub fn report(&self, problem: Problem) {
        self.notes.problems.borrow_mut().push(problem);
    }

    fn title(&self) -> String {
        match self.path.as_str() {
            "" => "the config".into(),
            path => format!("[{path}]"),
        }
    }

    fn field(&self, key: &str, node: Option<&'a Node>) -> Field<'a> {
        Field {
            path: join(&self.path, key),
            place: node.map_or(self.place, |node| &node.place),
            node,
            notes: self.notes,
        }
    }
}
