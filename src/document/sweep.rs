//! `[sweep]`: one config, many runs.

use std::collections::BTreeSet;

use super::assign::position;
use super::node::{Key, Node, Table, Value};
use super::path::{join, steps};
use super::root::Document;
use super::write::inline;
use crate::problem::{Place, Problem, Problems};

/// One run of a sweep.
#[derive(Clone, Debug)]
pub struct Point {
    /// What the sweep set: paths and values, in the sweep's order; empty without a sweep.
    pub set: Vec<(String, Value)>,
    /// The config with it set.
    pub document: Document,
}

impl Point {
    /// What the sweep set, as it is named in folders and tables: texts bare, all else as TOML.
    pub fn named(&self) -> Vec<(String, String)> {
        let named = self
            .set
            .iter()
            .map(|(path, value)| (path.clone(), name(value)));
        named.collect()
    }
}

/// A key of the sweep: its steps, its path as it is named, its values.
struct Axis<'a> {
    steps: Vec<String>,
    path: String,
    values: &'a [Node],
}

const EXAMPLE: &str = "for example: \"rules.until.accepted\" = [50, 100]";

impl Document {
    /// Every config that its `[sweep]` asks for: the grid over its keys, the last key fastest.
    /// Without one, itself.
    ///
    /// # Errors
    /// Keys that are no path, that stand there twice or that the command line set as well; values
    /// that are no list, an empty one, or one that holds a value twice; a path that leads nowhere.
    pub fn points(mut self) -> Result<Vec<Point>, Problems> {
        let Some((_, sweep)) = self.take("sweep") else {
            let set = Vec::new();
            return Ok(vec![Point {
                set,
                document: self,
            }]);
        };
        let mut problems = Problems::default();
        let axes = axes(&sweep, &mut problems);
        for axis in &axes {
            if let Some(place) = set_by_option(self.root(), &axis.steps) {
                let path = &axis.path;
                let what = format!("the config's [sweep] sets {path} as well");
                let help = format!(
                    "leave the option out, or sweep over other values: --set 'sweep.{}=[…]'",
                    join("", path)
                );
                problems.push(Problem::new(place.clone(), what).help(help));
            }
        }
        let set = Vec::new();
        let mut points = vec![Point {
            set,
            document: self,
        }];
        for axis in axes {
            let mut longer = Vec::new();
            for point in &points {
                for node in axis.values {
                    let mut point = point.clone();
                    point.set.push((axis.path.clone(), node.value.clone()));
                    match point.document.put(&axis.path, node.clone()) {
                        Ok(()) => longer.push(point),
                        // It goes wrong in the same way at the other values.
                        Err(problem)
                            if !problems.0.iter().any(|known| known.what == problem.what) =>
                        {
                            problems.push(problem)
                        }
                        Err(_) => {}
                    }
                }
            }
            points = longer;
        }
        problems.or(points)
    }
}

/// The axes of a sweep; what is wrong is noted.
fn axes<'a>(sweep: &'a Node, problems: &mut Problems) -> Vec<Axis<'a>> {
    let Value::Table(table) = &sweep.value else {
        let problem = Problem::new(sweep.place.clone(), "`sweep` is not a table");
        problems.push(problem.help(format!(
            "write [sweep] on a line of its own; below it, {EXAMPLE}"
        )));
        return Vec::new();
    };
    let mut axes: Vec<Axis<'_>> = Vec::new();
    for (key, node) in table.iter() {
        match Axis::read(key, node, &axes, problems) {
            Ok(axis) => axes.push(axis),
            Err(problem) => problems.push(problem),
        }
    }
    axes
}

impl<'a> Axis<'a> {
    /// A key of the sweep; values that come twice are noted, and whatever leaves no axis is the
    /// error. `before`: the axes of the keys before it.
    fn read(
        key: &Key,
        node: &'a Node,
        before: &[Self],
        problems: &mut Problems,
    ) -> Result<Self, Problem> {
        let wrong =
            |place: &Place, what: String, help: &str| Problem::new(place.clone(), what).help(help);
        let steps = steps(&key.name).map_err(|(what, help)| wrong(&key.place, what, &help))?;
        let path = steps
            .iter()
            .fold(String::new(), |path, step| join(&path, step));
        if before.iter().any(|axis| axis.steps == steps) {
            let what = format!("the sweep has {path} a second time");
            problems.push(wrong(&key.place, what, "join the two lists"));
        }
        let values = match &node.value {
            Value::List(values) if values.is_empty() => {
                let what = format!("the sweep has no values for {path}");
                return Err(wrong(&node.place, what, EXAMPLE));
            }
            Value::List(values) => values,
            Value::Table(_) => {
                let what = format!("the sweep's {path} is a table");
                let help = format!("put the whole path in quotes, {EXAMPLE}");
                return Err(wrong(&key.place, what, &help));
            }
            other => {
                let found = other.found();
                let what = format!("the sweep's {path} is {found}, not a list of values");
                return Err(wrong(&node.place, what, EXAMPLE));
            }
        };
        let mut seen = BTreeSet::new();
        for value in values {
            let name = name(&value.value);
            if !seen.insert(name.clone()) {
                let what = format!("the sweep has {path} = {name} twice");
                problems.push(wrong(&value.place, what, "name each value once"));
            }
        }
        Ok(Self {
            steps,
            path,
            values,
        })
    }
}

/// The place of the value at a path or below it, where the command line put it there.
fn set_by_option<'a>(table: &'a Table, steps: &[String]) -> Option<&'a Place> {
    let (first, rest) = steps.split_first()?;
    let mut node = table.get(first)?;
    for step in rest {
        node = match &node.value {
            Value::Table(table) => table.get(step)?,
            Value::List(members) => &members[position(members, "", step).ok()?],
            _ => return None,
        };
    }
    from_option(node)
}

fn from_option(node: &Node) -> Option<&Place> {
    if matches!(node.place, Place::Option(_)) {
        return Some(&node.place);
    }
    match &node.value {
        Value::Table(table) => table.iter().find_map(|(_, node)| from_option(node)),
        Value::List(members) => members.iter().find_map(from_option),
        _ => None,
    }
}

fn name(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => inline(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "seed = 1\n[rules]\nslate = 1\nuntil = { accepted = 5 }\n[[policy]]\nlabel = \"a \
         b\"\nv = 1\n[sweep]\n";

    fn points(sweep: &str) -> Result<Vec<Point>, Problems> {
        Document::parse(&format!("{CONFIG}{sweep}"))
            .unwrap()
            .points()
    }

    fn names(sweep: &str) -> Vec<String> {
        let point = |point: &Point| {
            let named = point
                .named()
                .into_iter()
                .map(|(path, value)| format!("{path}={value}"));
            named.collect::<Vec<_>>().join(" ")
        };
        points(sweep).unwrap().iter().map(point).collect()
    }

    #[test]
    fn a_grid_with_the_last_key_fastest() {
        let two = "\"rules . slate\" = [1, 2]\n\"policy.'a b'.v\" = [0.5, 1e-7]\n";
        let known = [
            "rules.slate=1 policy.\"a b\".v=0.5",
            "rules.slate=1 policy.\"a b\".v=1e-7",
            "rules.slate=2 policy.\"a b\".v=0.5",
            "rules.slate=2 policy.\"a b\".v=1e-7",
        ];
        assert_eq!(names(two), known);
        let text = points(two).unwrap()[3].document.to_toml();
        assert!(
            text.contains("slate = 2") && text.contains("v = 1e-7") && !text.contains("sweep"),
            "{text}"
        );
    }

    #[test]
    fn values_of_all_shapes_have_names_that_differ() {
        let until =
            "\"rules.until\" = [{ accepted = 5 }, { accepted = 6 }, [1], [2], \"x\", true]\n";
        let known = [
            "{ accepted = 5 }",
            "{ accepted = 6 }",
            "[1]",
            "[2]",
            "x",
            "true",
        ];
        assert_eq!(
            names(until),
            known.map(|value| format!("rules.until={value}"))
        );
    }

    #[test]
    fn without_a_sweep_it_is_itself() {
        assert_eq!(names(""), [""]);
        let document = Document::parse("seed = 1\n").unwrap();
        assert_eq!(
            document.clone().points().unwrap()[0].document.to_toml(),
            document.to_toml()
        );
    }

    #[test]
    fn what_is_set_elsewhere_is_not_swept_in_silence() {
        for (assignment, clash) in [
            ("seed=5", false),
            ("rules.slate=5", true),
            ("rules={ slate = 5 }", true),
            ("rules.until.accepted=5", true),
            ("policy.'a b'.v=5", true),
            ("policy.'a b'.w=5", false),
        ] {
            let text = format!(
                "{CONFIG}\"rules.slate\" = [1, 2]\n\"rules.until\" = [3]\n\"policy.'a \
                 b'.v\" = [0]\n"
            );
            let mut document = Document::parse(&text).unwrap();
            document.set(assignment).unwrap();
            let problems = document.points().err();
            assert_eq!(problems.is_some(), clash, "{assignment}");
            if let Some(problems) = problems {
                assert!(
                    problems
                        .to_string()
                        .starts_with(&format!("option --set {assignment}: ")),
                    "{problems}"
                );
            }
        }
    }
}
