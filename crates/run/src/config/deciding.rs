//! The columns of the people's file that a config reads: those that decide.

use std::collections::BTreeSet;

use super::handed::HandedIn;
use super::inputs::ConfigInputs;
use super::keys::TARGET;
use super::target::{self, Wanted};
use crate::document::{Document, Node, Table, Value, read};
use kleroterion_core::problem::{Given, Place};
use kleroterion_io::record::Filter;

/// Keys that name columns of the people's file, with the tables they are in: one column or a list
/// of them. `*` is every key of its table.
const COLUMNS: [&[&str]; 14] = [
    &["source", "id"],
    &["source", "weight"],
    &["source", "resample_by"],
    &["source", "utility"],
    &["source", "score"],
    &["source", "reviews"],
    &["source", "reward", "column"],
    &["source", "features", "numeric"],
    &["source", "features", "one_hot"],
    &["source", "attributes", "*", "column"],
    &HOUSEHOLDS,
    &["feedback", "outcome", "column"],
    &["dropout", "column"],
    &["yield", "column"],
];

/// The key that names the columns of households.
const HOUSEHOLDS: [&str; 2] = ["rules", "unique"];

/// Keys that hold filters of people.
const FILTERS: [&str; 2] = ["source", "where"];

/// The keys of the source that say how its file is written.
const WRITTEN: [&str; 4] = ["delimiter", "sheet", "header", "columns"];

/// The keys of the target that name sheets of workbooks.
const QUOTA_SHEETS: [&str; 2] = ["sheet", "intersections_sheet"];

/// The column that names people where no key says which.
const ID: &str = "id";

/// The format of the people's file, as far as a config states it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenPeople {
    /// The delimiter between fields.
    pub delimiter: Option<char>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// The names of all columns, if the file has no header.
    pub names: Option<Vec<String>>,
}

impl Document {
    /// Returns the names of the columns of the people's file that decide. These are the id, the
    /// attributes, the households, filters, weights and all others that a key names. `inputs` are as
    /// in [`check`](super::check).
    #[must_use]
    pub fn deciding_columns(&self, inputs: impl Into<ConfigInputs>) -> Vec<String> {
        let mut names: BTreeSet<String> = [ID.to_owned()].into();
        names.extend(COLUMNS.into_iter().flat_map(|path| self.texts_at(path)));
        for text in self.texts_at(&FILTERS) {
            let filter = Filter::parse(&text).ok();
            let clauses = filter.iter().flat_map(Filter::clauses);
            names.extend(clauses.map(|clause| clause.column().to_owned()));
        }
        let mut members = None;
        visit(self.root(), &["rules", "until", "accepted"], &mut |node| {
            if let Value::Whole(accepted) = node.value {
                members = u64::try_from(accepted).ok();
            }
        });
        let inputs = inputs.into().handed;
        let found = quota_attributes(self, &inputs, members);
        names.extend(match found.is_empty() {
            true => quota_attributes(self, &inputs, None),
            false => found,
        });
        names.into_iter().collect()
    }

    /// Returns the format of the people's file, as far as the document states it.
    #[must_use]
    pub fn written_people(&self) -> WrittenPeople {
        let source = self.root().value("source").and_then(Value::table);
        let first = |key: &str| texts(source?.get(key)?).into_iter().next();
        WrittenPeople {
            delimiter: first("delimiter").and_then(|text| text.chars().next()),
            sheet: first("sheet"),
            names: source.and_then(|source| source.get("columns")).map(texts),
        }
    }

    /// The texts at the end of some keys.
    fn texts_at(&self, path: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        visit(self.root(), path, &mut |node| found.extend(texts(node)));
        found
    }

    /// Returns the document for copies of the files of quotas as separated text.
    #[must_use]
    pub fn of_plain_quotas(mut self) -> Self {
        self.take_keys("target", &QUOTA_SHEETS);
        self
    }

    /// Returns the document for a copy of the people's file as CSV in UTF-8, with commas and a
    /// header.
    #[must_use]
    pub fn of_plain_people(mut self) -> Self {
        self.take_keys("source", &WRITTEN);
        self
    }

    /// The column that names people.
    pub fn id_column(&self) -> String {
        let mut id = ID.to_owned();
        visit(self.root(), &["source", "id"], &mut |node| {
            id = texts(node).into_iter().next().unwrap_or_default();
        });
        id
    }

    /// The columns that together name a household.
    pub fn household_columns(&self) -> Vec<String> {
        self.texts_at(&HOUSEHOLDS)
    }

    /// Returns the filters of people that can be read, each with its position among all.
    pub fn filters(&self) -> Vec<(usize, Filter)> {
        let mut is_exact = false;
        for section in ["source", "target"] {
            visit(self.root(), &[section, "exact"], &mut |node| {
                is_exact |= matches!(node.value, Value::Flag(true));
            });
        }
        let filters = self.texts_at(&FILTERS).into_iter().enumerate();
        let filters = filters.filter_map(|(at, text)| Some((at, Filter::parse(&text).ok()?)));
        let filters = filters.map(|(at, filter)| match is_exact {
            true => (at, filter.exact()),
            false => (at, filter),
        });
        filters.collect()
    }

    /// Returns the document for a copy of the people's file with added columns. One names
    /// households in place of others, and a filter replaces those at some positions.
    #[must_use]
    pub fn of_own_columns(
        mut self,
        household: Option<String>,
        filter: Option<(Vec<usize>, String)>,
    ) -> Self {
        let root = self.root_mut();
        if let Some(household) = household {
            root.edit(&HOUSEHOLDS, |node| node.value = of_texts(vec![household]));
        }
        let Some((places, filter)) = filter else {
            return self;
        };
        let [section, key] = FILTERS;
        root.edit(&[section], |node| {
            if let Value::Table(source) = &mut node.value {
                let all = source.get(key).map(texts).unwrap_or_default();
                let all = all.into_iter().enumerate();
                let kept = all.filter(|(at, _)| !places.contains(at));
                let kept = kept.map(|(_, text)| text).chain([filter]);
                source.put(key, of_texts(kept.collect()));
            }
        });
        self
    }

    /// The filters of known people, each with its place and without the values that it names, which
    /// may identify people. Empty if they name none.
    fn unvalued_filters(&self) -> Vec<(usize, Filter, String)> {
        let is = |key: &str, word: &str| self.texts_at(&["source", key]) == [word];
        if !is("type", "respondents") && !is("order", "shuffled") {
            return Vec::new();
        }
        let filters = self.filters().into_iter();
        let unvalued = filters.map(|(at, filter)| {
            let text = filter.unvalued();
            (at, filter, text)
        });
        unvalued.filter(|(_, _, text)| text.contains('…')).collect()
    }

    /// Returns the document without the values that filters of known people name. `None` if there
    /// is nothing to leave out.
    #[must_use]
    pub fn without_named_people(&self) -> Option<Self> {
        let unvalued = self.unvalued_filters();
        if unvalued.is_empty() {
            return None;
        }
        let mut document = self.clone();
        document.root_mut().edit(&FILTERS, |node| {
            let mut all = texts(node);
            for (at, _, text) in unvalued {
                all[at] = text;
            }
            node.value = of_texts(all);
        });
        Some(document)
    }

    /// Returns a note on this config without the values that filters of known people name.
    #[must_use]
    pub fn noted_without_people(&self, note: &str) -> String {
        let unvalued = self.unvalued_filters().into_iter();
        unvalued.fold(note.to_owned(), |note, (_, filter, text)| {
            note.replace(filter.text(), &text)
        })
    }
}

/// A list of some texts.
fn of_texts(texts: Vec<String>) -> Value {
    let nodes = texts
        .into_iter()
        .map(|text| Value::Text(text).at(&Place::Request));
    Value::List(nodes.collect())
}

/// Visits the values at the end of some keys.
fn visit(table: &Table, path: &[&str], take: &mut dyn FnMut(&Node)) {
    let [key, rest @ ..] = path else {
        return;
    };
    let found = table
        .iter()
        .filter(|(known, _)| *key == "*" || known.name == *key);
    for (_, node) in found {
        match (rest, &node.value) {
            ([], _) => take(node),
            (_, Value::Table(inner)) => visit(inner, rest, take),
            _ => {}
        }
    }
}

/// The text of a value, or those of a list.
fn texts(node: &Node) -> Vec<String> {
    match &node.value {
        Value::Text(text) => vec![text.clone()],
        Value::List(list) => list.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The attributes that the quotas of a config name, for a committee of `members`; what is wrong with
/// them is said where the config is checked.
fn quota_attributes(document: &Document, inputs: &HandedIn, members: Option<u64>) -> Vec<String> {
    let mut names = Vec::new();
    let _ = read(document, |mut top| {
        let wanted = TARGET.section(&mut top, |table| target::read(table, inputs, members));
        if let Given::Is(Wanted::Organiser(target)) = &wanted {
            let attributes = target.categories.attributes().iter();
            names.extend(attributes.map(|attribute| attribute.name.clone()));
        }
        Some(())
    });
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_that_names_a_column_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let quotas = "feature,value,min,max\nSex,F,1,2\nAge,old,1,2\n";
        std::fs::write(folder.path().join("quotas.csv"), quotas).unwrap();
        for (config, due) in [
            ("name = \"E-mail\"\n[source]\npath = \"Phone\"\n", &[][..]),
            (
                "[source]\nid = \"no.\"\nweight = \"w\"\nresample_by = \"r\"\n",
                &["no.", "r", "w"],
            ),
            (
                "[source]\nutility = \"u\"\nscore = \"s\"\nreviews = [\"a\", \"b\"]\n",
                &["a", "b", "s", "u"],
            ),
            (
                "[source]\nreviews = { path = \"reviews.csv\", score = \"x\" }\n",
                &[],
            ),
            (
                "[source]\nreward = { column = \"y\" }\nfeatures = { numeric = [\"n\"], one_hot = [\"o\"] }\n",
                &["n", "o", "y"],
            ),
            (
                "[source.attributes]\nsex = { column = \"SEX\" }\nage = { column = \"AGEP\", bands = { a = [0, 9] } }\n",
                &["AGEP", "SEX"],
            ),
            (
                "[source]\nwhere = [\"age >= 18\", \"'left on' == '' and x != 2\"]\n",
                &["age", "left on", "x"],
            ),
            (
                "[rules]\nunique = [\"street\", \"postcode\"]\n",
                &["postcode", "street"],
            ),
            (
                "[dropout]\ncolumn = \"leaves\"\n[feedback]\noutcome = { column = \"paid\" }\n",
                &["leaves", "paid"],
            ),
            ("[target]\ncategories = \"quotas.csv\"\n", &["Age", "Sex"]),
            ("[target]\ncategories = \"nowhere.csv\"\n", &[]),
        ] {
            let document = Document::parse(config).unwrap();
            let mut due: Vec<&str> = due.iter().copied().chain(["id"]).collect();
            due.sort_unstable();
            assert_eq!(document.deciding_columns(folder.path()), due, "{config}");
        }
    }

    #[test]
    fn how_the_file_is_written_is_taken_out_of_the_config_of_a_copy() {
        let text = "[source]\npath = \"p\"\ndelimiter = \"\\t\"\nheader = false\ncolumns = [\"a\", \"b\"]\n\
                    sheet = \"S\"\nid = \"a\"\n";
        let document = Document::parse(text).unwrap();
        let found = document.written_people();
        assert_eq!(
            (found.delimiter, found.sheet.as_deref()),
            (Some('\t'), Some("S"))
        );
        assert_eq!(
            found.names.as_deref(),
            Some(&["a".to_owned(), "b".to_owned()][..])
        );
        let quotas =
            "[target]\ncategories = \"q.xlsx\"\nsheet = \"Q\"\nintersections_sheet = \"P\"\n";
        let quotas = Document::parse(quotas).unwrap();
        let plain = quotas.of_plain_quotas();
        assert_eq!(plain.to_toml(), "[target]\ncategories = \"q.xlsx\"\n");
        let plain = document.of_plain_people();
        assert_eq!(plain.to_toml(), "[source]\npath = \"p\"\nid = \"a\"\n");
        assert_eq!(plain.written_people(), WrittenPeople::default());
    }
}
