//! From the command line to plans: find the config, apply what the command line changes, spread the sweep.

use std::path::{Path, PathBuf};

use kleroterion::config::{Document, Node, Plan, Point, Value, check, nearest, read_text};
use kleroterion::presets::{PRESETS, preset};
use kleroterion::problem::{Place, Problem, Problems};

use super::show::{self, Text};
use super::{ConfigArgs, Failure};

/// One run to make.
pub struct Job {
    /// What the sweep set and the config with it.
    pub point: Point,
    /// The config's plan.
    pub plan: Plan,
    /// Where the files that the config names are looked for first.
    folder: PathBuf,
}

impl Job {
    /// The config that gives this run again, from anywhere.
    pub fn config(&self) -> String {
        self.point
            .document
            .resolved(&self.plan, &self.folder)
            .to_toml()
    }
}

/// Loads the config and plans every run that it asks for, in the sweep's order.
///
/// # Errors
/// Where anything is wrong; it has been said.
pub fn jobs(args: &ConfigArgs) -> Result<Vec<Job>, Failure> {
    let (mut document, folder) = document(args)?;
    let text = Text::from(&document);
    let mut problems = change(&mut document, args);
    let mut jobs = Vec::new();
    let points = document.points().unwrap_or_else(|found| {
        problems.0.extend(found.0);
        Vec::new()
    });
    for point in points {
        match check(&point.document, &folder) {
            Ok(plan) => jobs.push(Job {
                point,
                plan,
                folder: folder.clone(),
            }),
            Err(found) => {
                // What is wrong at every point of a sweep is said once.
                let known = std::mem::take(&mut problems.0);
                let same = |a: &Problem, b: &Problem| (&a.what, &a.help) == (&b.what, &b.help);
                let new = |problem: &Problem| !known.iter().any(|known| same(known, problem));
                let new: Vec<_> = found.0.into_iter().filter(new).collect();
                problems.0 = [known, new].concat();
            }
        }
    }
    problems.or(jobs).map_err(|problems| {
        show::problems(&problems, Some(&text));
        Failure::Wrong
    })
}

/// The document, and the folder in which its files are looked for.
fn document(args: &ConfigArgs) -> Result<(Document, PathBuf), Failure> {
    let named = args.config.as_deref().unwrap_or(PRESETS[0].name);
    let path = Path::new(named);
    if let Some(preset) = preset(named)
        && !path.is_file()
    {
        let document = parse(&format!("{named}.toml"), preset.text.to_owned())?;
        return Ok((document, PathBuf::from(".")));
    }
    let text = read(path, named).map_err(|problem| {
        show::problems(&problem.into(), None);
        Failure::Wrong
    })?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    match &args.more {
        None => Ok((parse(named, text)?, folder)),
        // One text, so that every problem has its place in it.
        Some((more, policies)) => {
            let name = format!("{named} and {more}");
            Ok((parse(&name, format!("{text}\n{policies}"))?, folder))
        }
    }
}

fn read(path: &Path, named: &str) -> Result<String, Problem> {
    if !path.exists() {
        let names = PRESETS.iter().map(|preset| preset.name);
        let all = "`klero list presets` names them all";
        let help = match nearest(named, names) {
            Some(near) => format!("did you mean the preset {near}? {all}"),
            None => format!("give the path of a config, or the name of a preset; {all}"),
        };
        return Err(Problem::of_request(format!("there is no config {named:?}")).help(help));
    }
    let ends = |ending: &str| named.to_lowercase().ends_with(ending);
    if [".csv", ".ndjson", ".jsonl", ".json", ".tsv"]
        .into_iter()
        .any(ends)
    {
        let place = Place::File {
            path: path.to_owned(),
            line: None,
            column: None,
        };
        let help = format!(
            "write a config (TOML) that names the file: [source] with type = \"file\" and path = {named:?}; see `klero list presets`"
        );
        return Err(
            Problem::new(place, "a file of this name holds people, not a config").help(help),
        );
    }
    read_text(path)
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

/// Applies `--set`, `--seed`, `--replications` and `--only`; what can't be applied is noted.
fn change(document: &mut Document, args: &ConfigArgs) -> Problems {
    let mut problems = Problems::default();
    for assignment in &args.set {
        if let Err(problem) = document.set(assignment) {
            problems.push(problem);
        }
    }
    let numbers = [("seed", args.seed), ("replications", args.replications)];
    for (key, number) in numbers.into_iter().filter_map(|(key, n)| Some((key, n?))) {
        let place = Place::Option(format!("--{key} {number}"));
        let value = Value::Whole(number);
        if let Err(problem) = document.put(key, Node { place, value }) {
            problems.push(problem);
        }
    }
    if !args.only.is_empty()
        && let Err(problem) = document.keep_only(&args.only)
    {
        problems.push(problem);
    }
    problems
}
