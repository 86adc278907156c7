//! The setting in which a program is examined: a config with it as the only policy.

use std::path::{Path, PathBuf};

use super::settings::ExamSetting;
use crate::config::{Document, Plan, check, source_entries};
use crate::document::{Node, PlacedKey, Table, Value};
use kleroterion_core::problem::{Place, Problem, Problems};

/// The label of a program that sits in for the policies of a config.
const LABEL: &str = "examined";

/// The sections that say nothing of what a policy sees and may do.
const BESIDES: [&str; 6] = ["report", "sweep", "live", "board", "letters", "dropout"];

/// A config with a program as its only policy.
#[derive(Clone, Debug)]
pub struct Seating {
    name: String,
    document: Document,
    /// The folder in which the config's files are looked up first.
    folder: PathBuf,
}

impl Seating {
    /// Seats a program in one of the examiner's own settings.
    ///
    /// # Errors
    /// None, as long as the settings are sound.
    pub fn in_setting(setting: &ExamSetting, command: &[String]) -> Result<Self, Problems> {
        let document = Document::parse(setting.config)?;
        Ok(Self::in_config(
            setting.name,
            document,
            Path::new("."),
            command,
        ))
    }

    /// Seats a program in a config, in place of the policies there.
    #[must_use]
    pub fn in_config(
        name: &str,
        mut document: Document,
        folder: &Path,
        command: &[String],
    ) -> Self {
        document.take("policy");
        let words = command.iter().map(|word| node(Value::Text(word.clone())));
        let mut policy = Table::default();
        for (key, value) in [
            ("label", Value::Text(LABEL.to_owned())),
            ("kind", Value::Text("exec".to_owned())),
            ("command", Value::List(words.collect())),
        ] {
            policy.insert(named(key), node(value));
        }
        let policies = Value::List(vec![node(Value::Table(policy))]);
        document.root_mut().insert(named("policy"), node(policies));
        Self::of(name, document, folder)
    }

    /// Returns the programs that are policies of a config, each seated alone in it.
    ///
    /// # Errors
    /// Where no policy is a program.
    pub fn own(name: &str, document: &Document, folder: &Path) -> Result<Vec<Self>, Problem> {
        let labels = programs(document);
        if labels.is_empty() {
            let what = format!("no policy of {name} is a program of its own (kind = \"exec\")");
            let help = format!("name the program: klero seat check --config {name} ./my_policy");
            return Err(Problem::of_request(what).help(help));
        }
        let alone = labels.iter().map(|label| {
            let mut document = document.clone();
            document.keep_only(std::slice::from_ref(label))?;
            let name = match labels.len() {
                1 => name.to_owned(),
                _ => format!("{name}, {label}"),
            };
            Ok(Self::of(&name, document, folder))
        });
        alone.collect()
    }

    /// Replaces the people of the config's source by those of a file. The columns are those that
    /// the config names.
    #[must_use]
    pub fn with_people(mut self, file: &Path) -> Self {
        let place = Place::Option(format!("--people {}", file.display()));
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let entries = source_entries();
        let known = entries.iter().find(|entry| entry.name == "file");
        let known = known.map_or(&[][..], |entry| &entry.params);
        let mut source = match self.document.take("source") {
            Some((_, node)) => match node.value {
                Value::Table(table) => table,
                _ => Table::default(),
            },
            None => Table::default(),
        };
        // What only a feed has, as its address, no file has.
        let keys: Vec<String> = source.iter().map(|(key, _)| key.name.clone()).collect();
        for key in keys {
            if !known.iter().any(|param| param.key == key) {
                source.remove(&key);
            }
        }
        for (key, text) in [
            ("type", "file".to_owned()),
            ("path", file.display().to_string()),
        ] {
            let (place, value) = (place.clone(), Value::Text(text));
            source.insert(named(key), Node { place, value });
        }
        let value = Value::Table(source);
        let node = Node { place, value };
        let root = self.document.root_mut();
        root.insert(named("source"), node);
        // Nothing is reported of people who are in a file.
        let mut is_empty = false;
        root.replace("feedback", |node| {
            if let Value::Table(feedback) = &mut node.value
                && feedback.get("outcome").is_some_and(is_reported)
            {
                feedback.remove("outcome");
                is_empty = feedback.is_empty();
            }
        });
        if is_empty {
            root.remove("feedback");
        }
        self
    }

    fn of(name: &str, mut document: Document, folder: &Path) -> Self {
        for section in BESIDES {
            document.take(section);
        }
        document.take("replications");
        Self {
            name: name.to_owned(),
            document,
            folder: folder.to_owned(),
        }
    }

    /// The name of the setting in findings.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The plan of a run of it.
    ///
    /// # Errors
    /// All that is wrong with the config; people who come from outside.
    pub(super) fn plan(&self) -> Result<Plan, Problems> {
        let plan = check(&self.document, &self.folder)?;
        if plan.world.feed.is_some() {
            let what = format!(
                "the people of {} come from outside, and an examination plays people that are there",
                self.name
            );
            let help = "give a file of people like them: --people people.csv";
            return Err(Problem::of_request(what).help(help).into());
        }
        if plan.live.interviewers.is_some() {
            let what = format!(
                "the interviews of {} are held by people, who are not there in an examination",
                self.name
            );
            let help = "have answers drawn: --set feedback.interview='{ type = \"gaussian_looks\", sd \
                        = 0.1 }', or examine it in the setting that sells looks: --setting \
                        interviews";
            return Err(Problem::of_request(what).help(help).into());
        }
        Ok(plan)
    }
}

/// Returns true if a table's type says that people report outcomes.
fn is_reported(outcome: &Node) -> bool {
    let Value::Table(table) = &outcome.value else {
        return false;
    };
    let kind = table.get("type").map(|node| &node.value);
    matches!(kind, Some(Value::Text(kind)) if kind == "reported")
}

/// The labels of the policies that are programs.
fn programs(document: &Document) -> Vec<String> {
    let Some(Value::List(policies)) = document.root().get("policy").map(|node| &node.value) else {
        return Vec::new();
    };
    let text = |policy: &Node, key: &str| match &policy.value {
        Value::Table(table) => match &table.get(key)?.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    let programs = policies.iter();
    let programs = programs.filter(|policy| text(policy, "kind").as_deref() == Some("exec"));
    programs
        .filter_map(|policy| text(policy, "label"))
        .collect()
}

fn named(key: &str) -> PlacedKey {
    PlacedKey {
        name: key.to_owned(),
        place: Place::Request,
    }
}

fn node(value: Value) -> Node {
    Node {
        place: Place::Request,
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::super::SETTINGS;
    use super::*;

    #[test]
    fn all_settings_are_sound_but_for_the_program() {
        for setting in SETTINGS {
            let seating = Seating::in_setting(setting, &["/nowhere/to/be/found".to_owned()]);
            let found = seating.expect("it is TOML").plan();
            let found = found.err().map(|problems| problems.to_string());
            assert!(
                found.as_ref().is_some_and(|f| f.contains("/nowhere")),
                "{}: {found:?}",
                setting.name
            );
            assert_eq!(found.unwrap().lines().count(), 1, "{}", setting.name);
        }
    }

    #[test]
    fn a_program_sits_in_for_the_policies_of_a_config() {
        let text = SETTINGS[0].config.to_owned()
            + "[[policy]]\nlabel = \"a\"\nkind = \"accept_all\"\n[report]\nbaseline = \"a\"\n";
        let document = Document::parse(&text).expect("it is TOML");
        let sh = ["sh".to_owned()];
        let seating = Seating::in_config("my.toml", document.clone(), Path::new("."), &sh);
        let plan = seating.plan().expect("it is sound");
        let labels: Vec<_> = plan.lanes.iter().map(|lane| &*lane.label).collect();
        assert_eq!(labels, [LABEL]);
        let none = Seating::own("my.toml", &document, Path::new("."));
        assert!(none.is_err_and(|problem| problem.what.contains("no policy of my.toml")));
    }

    #[test]
    fn people_of_a_file_sit_for_those_of_a_feed() {
        let folder = std::env::temp_dir().join(format!("klero-seating-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let people = folder.join("people.csv");
        std::fs::write(&people, "id,sex\na,F\nb,M\n").expect("it can be written");
        let text = "[source]\ntype = \"http\"\naddress = \"127.0.0.1:8090\"\nid = \"id\"\n\
                    [source.attributes]\n\
                    sex = { column = \"sex\", values = { F = \"F\", M = \"M\" } }\n\
                    [rules]\nslate = 1\nchoose = \"at_most_one\"\nuntil = \"source_ends\"\n\
                    [feedback.outcome]\ntype = \"reported\"\n";
        let document = Document::parse(text).expect("it is TOML");
        let sh = ["sh".to_owned()];
        let seating = Seating::in_config("live.toml", document, Path::new("."), &sh);
        let refused = seating.plan().err().map(|problems| problems.to_string());
        assert!(refused.is_some_and(|words| words.contains("--people people.csv")));
        let plan = seating.with_people(&people).plan();
        std::fs::remove_dir_all(&folder).expect("it is ours");
        assert!(plan.expect("it is sound").world.feed.is_none());
    }

    #[test]
    fn each_program_of_a_config_is_alone() {
        let policy = |label: &str| {
            format!("[[policy]]\nlabel = \"{label}\"\nkind = \"exec\"\ncommand = [\"sh\"]\n")
        };
        let text = SETTINGS[0].config.to_owned() + &policy("a") + &policy("b, c");
        let document = Document::parse(&text).expect("it is TOML");
        let own = Seating::own("my.toml", &document, Path::new(".")).expect("two programs");
        let names: Vec<_> = own.iter().map(Seating::name).collect();
        assert_eq!(names, ["my.toml, a", "my.toml, b, c"]);
        for seating in &own {
            assert_eq!(seating.plan().expect("it is sound").lanes.len(), 1);
        }
    }
}
