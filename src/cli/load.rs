//! From the command line to plans: find the config, apply what the command line changes, spread the sweep.

use std::path::{Path, PathBuf};

use kleroterion::config::{Document, Node, Plan, Value, check, read_text};
use kleroterion::presets::{PRESETS, preset};
use kleroterion::problem::{Place, Problem, Problems};

use super::show::{self, Text};
use super::{ConfigArgs, Failure};

/// One run to make.
pub struct Job {
    /// What the sweep set, as (path, value); empty without one.
    pub set: Vec<(String, String)>,
    /// The config as resolved.
    pub document: Document,
    /// Its plan.
    pub plan: Plan,
}

/// Loads the config and plans every run that it asks for, in the sweep's order.
///
/// # Errors
/// Where anything is wrong; it has been said.
pub fn jobs(args: &ConfigArgs) -> Result<Vec<Job>, Failure> {
    let (mut document, folder) = document(args)?;
    let text = Text::from(&document);
    let wrong = |problems: Problems| {
        show::problems(&problems, Some(&text));
        Failure::Wrong
    };
    change(&mut document, args).map_err(wrong)?;
    let sweep = document.take("sweep");
    let points = sweep
        .map_or(Ok(vec![vec![]]), |(_, node)| grid(&node))
        .map_err(wrong)?;
    let mut jobs = Vec::new();
    let mut problems = Problems::default();
    for point in points {
        let mut document = document.clone();
        let mut set = Vec::new();
        for (path, node) in point {
            set.push((path.clone(), shown(&node.value)));
            if let Err(problem) = document.put(&path, node) {
                problems.push(problem);
            }
        }
        match check(&document, &folder) {
            Ok(plan) => jobs.push(Job {
                set,
                document,
                plan,
            }),
            // What is wrong at every point is said once.
            Err(found) => {
                for problem in found.0 {
                    if !problems.0.contains(&problem) {
                        problems.push(problem);
                    }
                }
            }
        }
    }
    problems.or(jobs).map_err(wrong)
}

/// The document, and the folder in which its files are looked for.
fn document(args: &ConfigArgs) -> Result<(Document, PathBuf), Failure> {
    let Some(named) = &args.config else {
        return Ok((embedded(PRESETS[0].name)?, PathBuf::from(".")));
    };
    let path = Path::new(named);
    if !path.exists() {
        if preset(named).is_some() {
            return Ok((embedded(named)?, PathBuf::from(".")));
        }
        let names = PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>();
        let help = format!(
            "give the path of a config, or the name of a preset: {}",
            names.join(", ")
        );
        let what = format!("there is no config {named}");
        show::problems(&Problem::of_request(what).help(help).into(), None);
        return Err(Failure::Wrong);
    }
    let text = read_text(path).map_err(|problem| {
        show::problems(&problem.into(), None);
        Failure::Wrong
    })?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok((parse(named, text)?, folder))
}

fn embedded(name: &str) -> Result<Document, Failure> {
    let text = preset(name).map(|preset| preset.text).unwrap_or_default();
    parse(&format!("{name}.toml"), text.to_owned())
}

fn parse(name: &str, text: String) -> Result<Document, Failure> {
    match Document::parse(&text) {
        Ok(document) => Ok(document.named(name)),
        Err(problems) => {
            let name = name.to_owned();
            show::problems(&problems, Some(&Text { name, text }));
            Err(Failure::Wrong)
        }
    }
}

/// Applies `--set`, `--seed`, `--replications` and `--only`.
fn change(document: &mut Document, args: &ConfigArgs) -> Result<(), Problems> {
    let mut problems = Problems::default();
    for assignment in &args.set {
        if let Err(problem) = document.set(assignment) {
            problems.push(problem);
        }
    }
    let numbers = [("seed", args.seed), ("replications", args.replications)];
    for (key, number) in numbers.into_iter().filter_map(|(key, n)| Some((key, n?))) {
        let place = Place::Option(format!("--{key} {number}"));
        match i64::try_from(number) {
            Ok(whole) => {
                let value = Value::Whole(whole);
                if let Err(problem) = document.put(key, Node { place, value }) {
                    problems.push(problem);
                }
            }
            Err(_) => problems.push(Problem::new(place, "the number is too large")),
        }
    }
    if !args.only.is_empty()
        && let Err(problem) = document.keep_only(&args.only)
    {
        problems.push(problem);
    }
    problems.or(())
}

/// All points of a sweep: the grid of its keys' values, the last key fastest.
fn grid(sweep: &Node) -> Result<Vec<Vec<(String, Node)>>, Problems> {
    let Value::Table(table) = &sweep.value else {
        let problem = Problem::new(sweep.place.clone(), "[sweep] is not a table");
        return Err(problem
            .help("for example: \"rules.until.accepted\" = [50, 100]")
            .into());
    };
    let mut problems = Problems::default();
    let mut points: Vec<Vec<(String, Node)>> = vec![vec![]];
    for (key, node) in table.iter() {
        let values = match &node.value {
            Value::List(values) if !values.is_empty() => values,
            _ => {
                let what = format!("the sweep's `{}` is no list of values", key.name);
                problems.push(
                    Problem::new(node.place.clone(), what)
                        .help("for example: \"rules.until.accepted\" = [50, 100]"),
                );
                continue;
            }
        };
        points = points
            .iter()
            .flat_map(|point| {
                values.iter().map(|value| {
                    let mut point = point.clone();
                    point.push((key.name.clone(), value.clone()));
                    point
                })
            })
            .collect();
    }
    problems.or(points)
}

/// A value as it is named in paths and tables.
fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => other.found(),
    }
}
