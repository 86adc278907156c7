//! `[sweep]` and `--sweep`: one config, many runs.

use std::collections::BTreeSet;

use super::assign::{node_at, steps_in};
use super::node::{Node, PlacedKey, Table, Value};
use super::path::{join, split};
use super::root::Document;
use super::values::values;
use super::write::inline;
use crate::limits::MOST_SWEEP_RUNS;
use kleroterion_core::problem::{Place, Problem, Problems};

/// One run of a sweep.
#[derive(Clone, Debug)]
pub struct Point {
    /// The paths and values that the sweep set, in the sweep's order. Empty without a sweep.
    pub set: Vec<(String, Value)>,
    /// The config with these values set.
    pub document: Document,
}

impl Point {
    /// Returns the paths and values that the sweep set, as named in folders and tables. Texts are
    /// unquoted, all other values are TOML.
    pub fn named(&self) -> Vec<(String, String)> {
        let named = self
            .set
            .iter()
            .map(|(path, value)| (path.clone(), name(value)));
        named.collect()
    }
}

/// A key of the sweep: its steps, its path as it is named, its values and where they are written.
struct Axis<'a> {
    steps: Vec<String>,
    path: String,
    values: &'a [Node],
    place: &'a Place,
}

const EXAMPLE: &str = "for example: \"rules.until.accepted\" = [50, 100]";

/// The advice on how to write `--sweep`.
pub const SWEEP_HELP: &str = "write --sweep KEY=a,b,c or --sweep KEY=from..to/step, as --sweep \
                              seed=1,2,3 or --sweep 'policy.\"greedy .05\".tolerance=0..0.1/0.02'";

impl Document {
    /// Adds `path.to.key=VALUES` to the sweep, like `--sweep` on the command line. If the config's
    /// `[sweep]` has the key, these values replace its own.
    ///
    /// The path is one of [`Document::set`]. The values are TOML or bare words with commas between;
    /// `from..to/step` is a range of numbers with both ends.
    ///
    /// # Errors
    /// A malformed path, value or range; a key that an option sweeps over already. The document is
    /// then as it was.
    pub fn sweep(&mut self, assignment: &str) -> Result<(), Problem> {
        let place = Place::Option(format!("--sweep {assignment}"));
        let wrong = |(what, help): (String, String)| Problem::new(place.clone(), what).help(help);
        let missing = || wrong(("there is no `=`".into(), SWEEP_HELP.into()));
        let (path, text) = split(assignment).ok_or_else(missing)?;
        let steps = steps_in(self.root(), path).map_err(wrong)?;
        let values = values(text.trim(), &place).map_err(wrong)?;
        let same = |key: &PlacedKey| steps_in(self.root(), &key.name).as_ref() == Ok(&steps);
        let axes = self.root().value("sweep").and_then(Value::table);
        let old = axes.and_then(|axes| axes.iter().find(|(key, _)| same(key)));
        let path = join_all(&steps);
        if old.is_some_and(|(_, node)| matches!(node.place, Place::Option(_))) {
            let what = format!("the sweep has {path} a second time");
            return Err(wrong((what, "join the two lists".into())));
        }
        let name = old.map_or(path, |(key, _)| key.name.clone());
        let axes = self.root_mut().get_or_add_table("sweep", &place);
        // What is no table is refused where the sweep is spread.
        if let Value::Table(axes) = &mut axes.value {
            axes.set(&name, Value::List(values).at(&place));
        }
        Ok(())
    }

    /// Returns every config that the `[sweep]` of the document asks for. It is the grid over its
    /// keys, the last key fastest. Without a sweep it is the document itself.
    ///
    /// # Errors
    /// Keys that are no path, that are written twice or that the command line set as well; values
    /// that are no list, an empty one, or one that holds a value twice; a path that leads nowhere;
    /// more than 10,000 runs.
    pub fn points(mut self) -> Result<Vec<Point>, Problems> {
        let one = |document| {
            let set = Vec::new();
            vec![Point { set, document }]
        };
        let Some((_, sweep)) = self.take("sweep") else {
            return Ok(one(self));
        };
        let mut problems = Problems::default();
        let mut axes = axes(self.root(), &sweep, &mut problems);
        problems
            .0
            .extend(axes.iter().filter_map(|axis| axis.clash(self.root())));
        let runs = axes.iter().fold(1, |runs: usize, axis| {
            runs.saturating_mul(axis.values.len())
        });
        if runs > MOST_SWEEP_RUNS {
            let what = format!("the sweep has {runs} runs, and {MOST_SWEEP_RUNS} are the most");
            let help = "name fewer values, or sweep over fewer keys at once";
            problems.push(Problem::new(sweep.place.clone(), what).help(help));
            axes.clear();
        }
        let mut points = one(self);
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

/// The axes of a sweep over a tree; what is wrong is noted.
fn axes<'a>(root: &Table, sweep: &'a Node, problems: &mut Problems) -> Vec<Axis<'a>> {
    let Value::Table(table) = &sweep.value else {
        let problem = Problem::new(sweep.place.clone(), "`sweep` is not a table");
        problems.push(problem.help(format!(
            "write [sweep] on a line of its own; below it, {EXAMPLE}"
        )));
        return Vec::new();
    };
    let mut axes: Vec<Axis<'_>> = Vec::new();
    for (key, node) in table.iter() {
        match Axis::read(root, key, node, &axes, problems) {
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
        root: &Table,
        key: &PlacedKey,
        node: &'a Node,
        before: &[Self],
        problems: &mut Problems,
    ) -> Result<Self, Problem> {
        let wrong =
            |place: &Place, what: String, help: &str| Problem::new(place.clone(), what).help(help);
        let steps =
            steps_in(root, &key.name).map_err(|(what, help)| wrong(&key.place, what, &help))?;
        let path = join_all(&steps);
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
            place: &node.place,
        })
    }

    /// Returns the problem if another option of the command line sets the same key.
    fn clash(&self, root: &Table) -> Option<Problem> {
        let place = from_option(node_at(root, &self.steps)?)?;
        let path = &self.path;
        let (what, help) = match self.place {
            Place::Option(_) => (
                format!("--sweep sets {path} as well"),
                "leave one of the two out".to_owned(),
            ),
            _ => (
                format!("the config's [sweep] sets {path} as well"),
                format!(
                    "leave the option out, or sweep over other values: --sweep {}=a,b,c",
                    quoted(path)
                ),
            ),
        };
        Some(Problem::new(place.clone(), what).help(help))
    }
}

/// Keys as a path.
fn join_all(steps: &[String]) -> String {
    let join = |path: String, step: &String| join(&path, step);
    steps.iter().fold(String::new(), join)
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    match path.contains(['"', ' ']) {
        true => format!("'{path}'"),
        false => path.to_owned(),
    }
}

/// The place of a value or of one below it, where the command line put it there.
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
mod tests;
