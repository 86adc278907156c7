//! A config written out so that it repeats the same run from any folder.

use std::path::PathBuf;

use super::Plan;
use super::inputs::ConfigInputs;
use super::located::located;
use super::memory;
use crate::document::{Document, Table, Value};
use kleroterion_core::problem::Place;
use kleroterion_io::record::file::MemoryTable;

/// The role of the file of the people.
const PEOPLE: &str = "people";

/// Keys that name a file, with the tables they are in, and what the file is.
const FILES: [(&[&str], &str); 8] = [
    (&["source", "path"], PEOPLE),
    (&["source", "joint"], "joint"),
    (&["source", "reviews", "path"], "reviews"),
    (&["source", "features", "standardise", "fit"], "features"),
    (&["source", "reward", "standardise", "fit"], "reward"),
    (&["target", "categories"], "categories"),
    (&["target", "intersections"], "intersections"),
    (&["letters", "population"], "population"),
];

/// A file that a config names, or a table from memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Its role in the config, for example `people` or `categories`.
    pub role: &'static str,
    /// The path of the file. Of a table from memory, the path by which problems name it.
    pub path: PathBuf,
    /// The table from memory, in place of a file.
    pub held: Option<MemoryTable>,
}

impl Document {
    /// Returns the document with the values that its plan filled in at the top level, and with full
    /// paths of files. `inputs` are as in [`check`](super::check).
    #[must_use]
    pub fn resolved(&self, plan: &Plan, inputs: impl Into<ConfigInputs>) -> Self {
        let inputs = inputs.into();
        let mut document = self.clone();
        let root = document.root_mut();
        for (key, value) in [
            ("name", Value::Text(plan.name.clone())),
            ("seed", Value::Whole(plan.seed.cast_signed())),
            (
                "replications",
                Value::Whole(plan.replications.cast_signed()),
            ),
        ] {
            if root.get(key).is_none() {
                root.put(key, value);
            }
        }
        let full = |written: &str| {
            let full = std::path::absolute(located(written, inputs.folder(), inputs.data()));
            // A path that is no text can't be written in TOML: it stays as it is.
            full.ok().and_then(|full| full.to_str().map(str::to_owned))
        };
        for (path, role) in FILES {
            rename(root, path, &mut |written| full(written));
            root.edit(path, |node| {
                if let Value::Table(named) = &mut node.value {
                    memory::resolve(named, plan, &inputs.handed, role == PEOPLE);
                }
            });
        }
        document
    }

    /// Returns the files and the tables from memory that the document names, and the document with
    /// new paths for them from `name`. `inputs` are as in [`check`](super::check).
    #[must_use]
    pub fn with_files(
        &self,
        inputs: impl Into<ConfigInputs>,
        name: impl Fn(&NamedFile) -> String,
    ) -> (Self, Vec<NamedFile>) {
        let inputs = inputs.into();
        let mut document = self.clone();
        let mut files = Vec::new();
        for (path, role) in FILES {
            document.root_mut().edit(path, |node| {
                let Some(file) = named(&node.value, role, &inputs) else {
                    return;
                };
                (node.place, node.value) = (Place::Request, Value::Text(name(&file)));
                files.push(file);
            });
        }
        (document, files)
    }
}

/// The file or the table from memory that a value names.
fn named(value: &Value, role: &'static str, inputs: &ConfigInputs) -> Option<NamedFile> {
    if let Value::Text(written) = value {
        let path = located(written, inputs.folder(), inputs.data());
        return Some(NamedFile {
            role,
            path,
            held: None,
        });
    }
    let name = memory::name(Some(value))?;
    let held = inputs.handed.table(name)?;
    Some(NamedFile {
        role,
        path: held.path(name),
        held: Some(held.clone()),
    })
}

/// Gives the file that a key names another path, where there is another.
fn rename(table: &mut Table, path: &[&str], other: &mut dyn FnMut(&str) -> Option<String>) {
    table.edit(path, |node| {
        if let Value::Text(written) = &node.value
            && let Some(other) = other(written)
        {
            (node.place, node.value) = (Place::Request, Value::Text(other));
        }
    });
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::check;

    const CONFIG: &str = "[source]\ntype = \"categorical\"\njoint = \"types.csv\"\n[rules]\nchoose = \"any\"\n\
        until = { rounds = 5 }\n[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n";

    #[test]
    fn what_was_assumed_is_written_and_files_are_found_from_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("types.csv"), "sex,p\nF,0.5\nM,0.5\n").unwrap();
        let document = Document::parse(CONFIG).unwrap().named("my.toml");
        let plan = check(&document, folder.path()).unwrap();
        let text = document.resolved(&plan, folder.path()).to_toml();
        let again = Document::parse(&text).unwrap().named("config.toml");
        let plan = check(&again, Path::new("/")).unwrap();
        assert_eq!((&*plan.name, plan.seed, plan.replications), ("my", 1, 1));
        assert_eq!(again.resolved(&plan, Path::new("/")).to_toml(), text);
    }

    #[test]
    fn a_file_of_reviews_is_found_from_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("people.csv", "id,sex,worth\n1,F,0.5\n2,M,0.25\n"),
            ("reviews.csv", "applicant,score\n1,0.75\n"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let text = "[source]\ntype = \"file\"\npath = \"people.csv\"\nid = \"id\"\nutility = \"worth\"\n\
            reviews = { path = \"reviews.csv\" }\nattributes = { sex = { column = \"sex\" } }\n[rules]\n\
            choose = \"any\"\nuntil = { rounds = 1 }\n[[policy]]\nlabel = \"all\"\nkind = \
                 \"accept_all\"\n";
        let document = Document::parse(text).unwrap();
        let plan = check(&document, folder.path()).unwrap_or_else(|wrong| panic!("{wrong}"));
        let text = document.resolved(&plan, folder.path()).to_toml();
        check(&Document::parse(&text).unwrap(), Path::new("/")).unwrap();
    }

    #[test]
    fn what_is_given_stays() {
        let text = "name = \"n\"\nseed = 7\nreplications = 3\n";
        let text = text.to_owned()
            + &CONFIG.replace("joint = \"types.csv\"", "shares = { a = { x = 1.0 } }");
        let document = Document::parse(&text).unwrap();
        let plan = check(&document, Path::new("")).unwrap();
        assert_eq!(
            document.resolved(&plan, Path::new("")).to_toml(),
            document.to_toml()
        );
    }
}
