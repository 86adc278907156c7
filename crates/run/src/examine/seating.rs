//! The setting in which a program is examined: a config with it as the only policy.

use std::path::{Path, PathBuf};

use crate::catalog::kind_list::KindList;
use crate::config::{Document, Plan};
use crate::document::{Node, PlacedKey, Table, Value};
use crate::registry::Registry;
use kleroterion_core::problem::{Place, Problem, Problems};

/// A setting that a program is examined in.
#[derive(Debug)]
pub struct ExamSetting {
    /// The name of the setting.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The config, without policies.
    pub config: &'static str,
}

/// The settings that come with the examiner.
pub const SETTINGS: &[ExamSetting] = &[
    ExamSetting {
        name: "committee",
        about: "one candidate at a time, at most one is chosen, until 20 are",
        config: include_str!("settings/committee.toml"),
    },
    ExamSetting {
        name: "exactly",
        about: "ten candidates a round, exactly three are chosen; then slates of other sizes",
        config: include_str!("settings/exactly.toml"),
    },
    ExamSetting {
        name: "interviews",
        about: "eight candidates, looks of two kinds for sale, three are chosen",
        config: include_str!("settings/interviews.toml"),
    },
    ExamSetting {
        name: "outcomes",
        about: "four candidates with features, exactly one is chosen; what came of it is reported \
             up to three rounds later",
        config: include_str!("settings/outcomes.toml"),
    },
    ExamSetting {
        name: "share",
        about: "a pool of changing size that reacts, candidates with scores; three tenths are \
             chosen",
        config: include_str!("settings/share.toml"),
    },
];

/// The label of a program that sits in for the policies of a config.
const LABEL: &str = "examined";

/// The sections that say nothing of what a policy sees and may do.
const BESIDES: [&str; 6] = ["report", "sweep", "live", "board", "letters", "dropout"];

/// A config with a program as its only policy.
#[derive(Clone, Debug)]
pub struct Seating {
    name: String,
    document: Document,
    /// The kinds that the config may name.
    registry: Registry,
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
        let place = Place::Request;
        let words = command
            .iter()
            .map(|word| Value::Text(word.clone()).at(&place));
        let mut policy = Table::default();
        policy.put("label", Value::Text(LABEL.to_owned()));
        policy.put("kind", Value::Text("exec".to_owned()));
        policy.put("command", Value::List(words.collect()));
        let policies = Value::List(vec![Value::Table(policy).at(&place)]);
        document.root_mut().put("policy", policies);
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

    /// Takes the kinds of a program's own too.
    #[must_use]
    pub fn knowing(mut self, registry: &Registry) -> Self {
        self.registry = registry.clone();
        self
    }

    /// Replaces the people of the config's source by those of a file. The columns are those that
    /// the config names.
    #[must_use]
    pub fn with_people(mut self, file: &Path) -> Self {
        let place = Place::Option(format!("--people {}", file.display()));
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let entries = self.registry.entries(KindList::Sources);
        let known = entries.iter().find(|entry| entry.name == "file");
        let known = known.map_or(&[][..], |entry| &entry.params);
        let source = self.document.take("source");
        let source = source.as_ref().and_then(|(_, node)| node.value.table());
        // What only a feed has, as its address, no file has.
        let is_known = |key: &PlacedKey| known.iter().any(|param| param.key == key.name);
        let kept = source.into_iter().flat_map(Table::iter);
        let kept = kept.filter(|(key, _)| is_known(key));
        let mut source: Table = kept.map(|(k, node)| (k.clone(), node.clone())).collect();
        source.set("type", Value::Text("file".to_owned()).at(&place));
        source.set("path", Value::Text(file.display().to_string()).at(&place));
        let root = self.document.root_mut();
        root.set("source", Value::Table(source).at(&place));
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
            registry: Registry::default(),
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
        let plan = self.registry.check(&self.document, &self.folder)?;
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
    text(outcome, "type") == Some("reported")
}

/// The labels of the policies that are programs.
fn programs(document: &Document) -> Vec<String> {
    let policies = document.policies().iter();
    let programs = policies.filter(|policy| text(policy, "kind") == Some("exec"));
    let labels = programs.filter_map(|policy| text(policy, "label"));
    labels.map(str::to_owned).collect()
}

/// The text that a table has under a key.
fn text<'n>(table: &'n Node, key: &str) -> Option<&'n str> {
    table.value.table()?.value(key)?.text()
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
