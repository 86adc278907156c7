//! The raw config: TOML as written, with places.

use std::io;
use std::path::Path;

use super::node::{Node, PlacedKey, Refused, Table, Value};
use super::parse::parse_document;
use super::path::label;
use super::words::meant;
use super::write::write_toml;
use kleroterion_core::nearest::{listed, nearest};
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::record::{MOST_WHOLE, read_given};

/// A config as written, with the place of every key and value, and with later changes by `--set`
/// and sweeps.
///
/// ```
/// # use kleroterion_run::config::Document;
/// use kleroterion_run::document::Value;
/// let mut document = Document::parse("seed = 2021\n[rules]\nslate = 1\n")?;
/// document.set("rules.choose=at_most_one")?;
/// assert_eq!(document.root().get("seed").unwrap().value, Value::Whole(2021));
/// assert_eq!(document.to_toml(), "seed = 2021\n\n[rules]\nslate = 1\nchoose = \"at_most_one\"\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) name: String,
    /// The text, unless a program made the tree.
    pub(super) text: Option<String>,
    pub(super) root: Table,
}

impl Document {
    /// Parses TOML text as a document named `config`. A byte order mark at its start is dropped.
    ///
    /// # Errors
    /// All syntax errors and repeated keys, in the order of the text, and with them the values that
    /// no config has: dates, `nan`, numbers out of range. Of an unclosed bracket nothing behind it
    /// is judged. Where the values are all that is wrong, they stay in the tree, and
    /// [`read`](super::read) notes them with what else is wrong.
    pub fn parse(text: &str) -> Result<Self, Problems> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Self {
            name: "config".into(),
            root: parse_document(text)?,
            text: Some(text.to_owned()),
        })
    }

    /// Reads the document in a file. Its name is the path as written.
    ///
    /// # Errors
    /// As [`read_text`] and [`Document::parse`]. To show the text next to its errors, call
    /// these in turn.
    pub fn read(path: &Path) -> Result<Self, Problems> {
        Ok(Self::parse(&read_text(path)?)?.named(path.display().to_string()))
    }

    /// Sets the name of the document.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The name of the document in error messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text that the document was made from, empty if a program made it. The spans of its
    /// places index this text.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// The place of the top level.
    pub(super) fn place(&self) -> Place {
        match self.text {
            Some(_) => Place::Config {
                line: 1,
                column: 1,
                span: 0..0,
            },
            None => Place::Request,
        }
    }

    /// The top level of the tree.
    pub fn root(&self) -> &Table {
        &self.root
    }

    /// Returns the values that no config may hold, as problems at their places.
    pub fn refused(&self) -> Problems {
        let mut problems = Problems::default();
        for (_, node) in self.root.iter() {
            note_refused(node, &mut problems);
        }
        problems
    }

    /// Removes a key of the top level and returns it.
    pub fn take(&mut self, key: &str) -> Option<(PlacedKey, Node)> {
        self.root.remove(key)
    }

    /// Removes keys of a section of the top level.
    pub fn take_keys(&mut self, section: &str, keys: &[&str]) {
        self.root.edit(&[section], |node| {
            if let Value::Table(table) = &mut node.value {
                for key in keys {
                    table.remove(key);
                }
            }
        });
    }

    /// Returns the policies. Empty if there is no list of them.
    pub fn policies(&self) -> &[Node] {
        let policies = self.root.value("policy").and_then(Value::list);
        policies.unwrap_or_default()
    }

    /// Returns the labels of the policies, in the order written.
    pub fn labels(&self) -> Vec<&str> {
        self.policies().iter().filter_map(label).collect()
    }

    /// Keeps only the policies with these labels. One text may hold several labels with commas
    /// between. A baseline that is not among them is removed.
    ///
    /// # Errors
    /// Where there is no policy of a label.
    pub fn keep_only(&mut self, only: &[String]) -> Result<(), Problem> {
        let place = Place::Option(format!("--only {}", only.join(",")));
        let Some(policies) = self.root.value("policy").and_then(Value::list) else {
            return Err(Problem::new(place, "the config has no policies"));
        };
        let known = self.labels();
        // A label may itself hold a comma.
        let several = |text: &'_ String| -> Vec<String> {
            match known.contains(&text.as_str()) {
                true => vec![text.clone()],
                false => text
                    .split(',')
                    .map(|label| label.trim().to_owned())
                    .collect(),
            }
        };
        let labels: Vec<String> = only.iter().flat_map(several).collect();
        if let Some(unknown) = labels.iter().find(|only| !known.contains(&only.as_str())) {
            let all = format!("the labels are: {}", listed(known.iter().copied()));
            let near = nearest(unknown, known.iter().copied()).map(|near| format!("{near:?}"));
            let problem = Problem::new(place, format!("there is no policy {unknown:?}"));
            return Err(problem.help(meant(near, all)));
        }
        let kept = |node: &&Node| label(node).is_some_and(|has| labels.iter().any(|l| l == has));
        let value = Value::List(policies.iter().filter(kept).cloned().collect());
        self.root.replace("policy", |node| node.value = value);
        self.root.replace("report", |node| {
            if let Value::Table(report) = &mut node.value {
                let baseline = report.value("baseline").and_then(Value::text);
                if baseline.is_some_and(|kept| labels.iter().all(|label| label != kept)) {
                    report.remove("baseline");
                    // Nothing is compared, so nothing is ever decided.
                    report.remove("until");
                }
            }
        });
        Ok(())
    }

    /// Returns the tree as TOML that parses back to the same tree. The single keys of the top level
    /// come before its sections.
    pub fn to_toml(&self) -> String {
        write_toml(&self.root)
    }

    /// The top level of the tree, mutable.
    pub fn root_mut(&mut self) -> &mut Table {
        &mut self.root
    }
}

fn note_refused(node: &Node, problems: &mut Problems) {
    match &node.value {
        Value::Refused(Refused { what, help, .. }) => {
            problems.push(Problem::new(node.place.clone(), what).help(help));
        }
        Value::List(members) => members.iter().for_each(|m| note_refused(m, problems)),
        Value::Table(table) => table
            .iter()
            .for_each(|(_, node)| note_refused(node, problems)),
        _ => {}
    }
}

/// Reads the text of a file, without a byte order mark.
///
/// # Errors
/// A file that is missing, unreadable, a directory, or not UTF-8 (with line and column of the first
/// bad byte).
pub fn read_text(path: &Path) -> Result<String, Problem> {
    let at = |line, column| Place::field(path, line, column);
    let unreadable = |what: String, help: &str| Err(Problem::new(at(None, None), what).help(help));
    // Checked beforehand: the systems disagree on the error of reading a folder.
    if path.is_dir() {
        return unreadable(
            "this is a folder and not a file".into(),
            "name the config in it",
        );
    }
    let bytes = match read_given(path, MOST_WHOLE) {
        Ok(bytes) => bytes,
        Err(error) => {
            let help = match error.kind() {
                io::ErrorKind::NotFound => {
                    "check the path, which starts from the current directory"
                }
                io::ErrorKind::FileTooLarge => "name another file: none of this kind is as large",
                io::ErrorKind::PermissionDenied => "make the file readable for this user",
                _ => "check the path and the medium it is on",
            };
            return unreadable(format!("cannot be read: {error}"), help);
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        }),
        Err(error) => {
            let good =
                String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
            let line = good.matches('\n').count() as u64 + 1;
            let column = good.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
            let what = "the text is not UTF-8 from here on";
            Err(Problem::new(at(Some(line), Some(column)), what).help("save the file as UTF-8"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Value;
    use std::fs;

    #[test]
    fn order_and_places_are_kept() {
        let text =
            "b = 1\n[z]\nq.r = 1\na = { y = 1, x = [2, \"é\", 3] }\n[[p]]\nk = 1\n[[p]]\n[p.sub]\n";
        let document = Document::parse(text).unwrap();
        let at = |place: &Place| match place {
            Place::Config { line, column, span } => (*line, *column, &text[span.clone()]),
            other => panic!("{other:?}"),
        };
        let names: Vec<_> = document
            .root()
            .iter()
            .map(|(key, _)| key.name.as_str())
            .collect();
        assert_eq!(names, ["b", "z", "p"]);
        let (key, z) = document.root().iter().nth(1).unwrap();
        assert_eq!((at(&key.place), at(&z.place)), ((2, 2, "z"), (2, 1, "[z]")));
        let Value::Table(z) = &z.value else { panic!() };
        assert_eq!(at(&z.get("q").unwrap().place), (3, 1, "q"));
        let Value::Table(a) = &z.get("a").unwrap().value else {
            panic!()
        };
        let Value::List(x) = &a.get("x").unwrap().value else {
            panic!()
        };
        assert_eq!(at(&x[2].place), (4, 27, "3"));
        assert_eq!(
            a.iter().map(|(key, _)| at(&key.place)).next_back(),
            Some((4, 14, "x"))
        );
        let Value::List(p) = &document.root().get("p").unwrap().value else {
            panic!()
        };
        assert_eq!(
            (at(&p[0].place), at(&p[1].place)),
            ((5, 1, "[[p]]"), (7, 1, "[[p]]"))
        );
        let Value::Table(last) = &p[1].value else {
            panic!()
        };
        assert_eq!(at(&last.get("sub").unwrap().place), (8, 1, "[p.sub]"));
    }

    #[test]
    fn a_byte_order_mark_shifts_nothing() {
        let document = Document::parse("\u{feff}a = 1").unwrap();
        let (key, _) = document.root().iter().next().unwrap();
        let (line, column, span) = (1, 1, 0..1);
        assert_eq!(key.place, Place::Config { line, column, span });
        assert_eq!(document.text(), "a = 1");
    }

    #[test]
    fn files_that_are_no_config() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("good.toml"), "\u{feff}a = 1\r\n").unwrap();
        fs::write(path("latin.toml"), b"a = 1\nn = \"\xc3\xa9 \xe9\"\n").unwrap();
        fs::write(path("utf16.toml"), b"\xff\xfea\0").unwrap();
        fs::write(path("wrong.toml"), "a = b\nc = d").unwrap();

        let good = Document::read(&path("good.toml")).unwrap();
        assert_eq!(good.text(), "a = 1\r\n");
        assert_eq!(good.name(), path("good.toml").display().to_string());
        assert_eq!(Document::read(&path("wrong.toml")).unwrap_err().0.len(), 2);
        for (name, line, column) in [
            ("latin.toml", Some(2), Some(8)),
            ("utf16.toml", Some(1), Some(1)),
            ("missing.toml", None, None),
            ("", None, None),
        ] {
            let problem = read_text(&path(name)).unwrap_err();
            let path = path(name);
            assert_eq!(problem.place, Place::File { path, line, column });
            assert!(problem.help.is_some());
        }
    }
}
