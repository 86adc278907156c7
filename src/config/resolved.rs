//! A config written out so that it gives the same run again, from wherever it is started.

use std::path::Path;

use super::Plan;
use super::located::locate;
use crate::document::Document;
use crate::document::{Key, Node, Table, Value};
use crate::problem::Place;

/// Keys that name a file, with the tables they are in.
const FILES: [&[&str]; 6] = [
    &["source", "path"],
    &["source", "joint"],
    &["source", "reviews", "path"],
    &["target", "categories"],
    &["target", "intersections"],
    &["letters", "population"],
];

impl Document {
    /// The document with what its plan filled in at the top level, and with the full paths of the
    /// files it names. `folder` as in [`check`](super::check).
    #[must_use]
    pub fn resolved(&self, plan: &Plan, folder: &Path) -> Self {
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
                put(root, key, value);
            }
        }
        for path in FILES {
            in_full(root, path, folder);
        }
        document
    }
}

/// Writes the full path of the file that a key names, where it does.
fn in_full(table: &mut Table, path: &[&str], folder: &Path) {
    match path {
        [] => {}
        [key] => {
            let Some(Value::Text(written)) = table.get(key).map(|node| &node.value) else {
                return;
            };
            let full = std::path::absolute(locate(written, folder));
            // A path that is no text can't be written in TOML: it stays as it is.
            if let Some(full) = full.ok().and_then(|full| full.to_str().map(str::to_owned)) {
                put(table, key, Value::Text(full));
            }
        }
        [section, rest @ ..] => table.replace(section, |section| {
            if let Value::Table(section) = &mut section.value {
                in_full(section, rest, folder);
            }
        }),
    }
}

fn put(table: &mut Table, name: &str, value: Value) {
    let place = Place::Request;
    let key = Key {
        name: name.to_owned(),
        place: place.clone(),
    };
    table.insert(key, Node { place, value });
}

#[cfg(test)]
mod tests {
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
