//! Loading of configs: it finds the config, applies the command line's changes, and expands the
//! sweep.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use kleroterion::config::{Document, NamedFile, Plan, alike, check};
use kleroterion::document::{PlacedKey, Point, SWEEP_HELP, Value, read_text};
use kleroterion::drawing::{Codes, Inputs};
use kleroterion::nearest::nearest;
use kleroterion::people::organisers::Roster;
use kleroterion::people::table::{LoadError, RawRows};
use kleroterion::presets::{PRESETS, Preset, preset};
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::protocol::Respondents;
use kleroterion::report::files::SUMMARY;
use kleroterion::report::kept_lotteries::KeptLotteries;
use kleroterion::report::points::{PointEntry, point_name};
use serde_json::{Map, json};

use super::args::ConfigArgs;
use super::failure::{Failure, wrong, wrong_in};
use super::text::ConfigText;

/// A run to make.
pub struct Job {
    /// Its name in the sweep and the sweep's settings; `None` for a single run.
    pub entry: Option<PointEntry>,
    /// The config.
    document: Document,
    /// The config's plan.
    pub plan: Plan,
    /// The folder in which the config's files are looked for first.
    folder: PathBuf,
    /// The folder of the config, if it is a file.
    config_folder: Option<PathBuf>,
}

impl Job {
    /// The config that reproduces this run from any folder.
    pub fn config(&self) -> String {
        self.document.resolved(&self.plan, &self.folder).to_toml()
    }

    /// The run's name in texts: the settings of a sweep's run, else the config's name.
    pub fn title(&self) -> String {
        let settings = self.entry.as_ref().map(PointEntry::settings);
        settings.unwrap_or_else(|| self.plan.name.clone())
    }

    /// The beginning of an object of the run: its name, its settings, and what is disclosed.
    pub fn object(&self, disclosures: &[String]) -> Map<String, serde_json::Value> {
        let mut object = Map::new();
        object.insert("name".into(), json!(self.plan.name));
        if let Some(entry) = &self.entry {
            object.insert("set".into(), settings(entry).into());
        }
        if !disclosures.is_empty() {
            object.insert("disclosures".into(), json!(disclosures));
        }
        object
    }

    /// The store of its lotteries, next to the config if that is a file.
    pub fn kept_lotteries(&self) -> KeptLotteries {
        KeptLotteries::of_folders(self.config_folder.as_deref())
    }

    /// The files that the config names.
    pub fn files(&self) -> Vec<NamedFile> {
        let named = self.document.with_files(&self.folder, |_| String::new());
        named.1
    }

    /// The people of the config by the names that lists may use: their ids, and the codes of a draw
    /// of this config.
    pub fn roster(&self, respondents: &Respondents) -> Roster {
        let roster = Roster::new(respondents);
        let inputs = Inputs::of(&self.document, &self.folder).ok();
        let codes = inputs.map(|inputs| Codes::of(&inputs, respondents));
        let roster = match &codes {
            Some(codes) => roster.with_codes(codes.all().to_vec()),
            None => roster,
        };
        let read = self.plan.world.file.as_ref().and_then(|file| {
            let rows = RawRows::read(&file.path, &file.how, file.columns.as_deref());
            Some((rows.ok()?, &file.rows))
        });
        match read {
            Some((rows, numbers)) => roster.with_file(&rows, numbers),
            None => roster,
        }
    }
}

/// The settings of a sweep's run as an object.
pub fn settings(entry: &PointEntry) -> Map<String, serde_json::Value> {
    let set = entry.set.iter().cloned();
    set.map(|(key, value)| (key, value.into())).collect()
}

/// Objects of runs as JSON: the object of a single run, an array of those of a sweep.
pub fn objects(jobs: &[Job], all: impl Iterator<Item = serde_json::Value>) -> String {
    let mut all: Vec<_> = all.collect();
    let is_swept = jobs.iter().any(|job| job.entry.is_some());
    let alone = if is_swept { None } else { all.pop() };
    format!("{:#}\n", alone.unwrap_or(all.into()))
}

/// Loads the config and plans each of its runs, in the sweep's order.
///
/// # Errors
/// Fails if the config or the command line is wrong. The message is already printed.
pub fn jobs(args: &ConfigArgs) -> Result<Vec<Job>, Failure> {
    let (mut document, text, folder) = document(args)?;
    let mut problems = change(&mut document, args);
    let named = args.config.as_deref().map(Path::new);
    let config_folder = named.filter(|path| path.is_file()).and_then(Path::parent);
    let config_folder = config_folder.map(Path::to_path_buf);
    let mut jobs = Vec::new();
    let points = document.points().unwrap_or_else(|found| {
        problems.0.extend(found.0);
        Vec::new()
    });
    let all = points.len();
    for (place, point) in points.into_iter().enumerate() {
        match check(&point.document, &folder) {
            Ok(plan) => jobs.push(Job {
                entry: entry(&point, place + 1, all),
                document: point.document,
                plan,
                folder: folder.clone(),
                config_folder: config_folder.clone(),
            }),
            Err(found) => {
                // What is wrong at every point of a sweep is said once.
                let known = std::mem::take(&mut problems.0);
                let same = |a: &Problem, b: &Problem| (&a.what, &a.help) == (&b.what, &b.help);
                let new = |problem: &Problem| !known.iter().any(|known| same(known, problem));
                let found = found.0.into_iter().map(with_help);
                let new: Vec<_> = found.filter(new).collect();
                problems.0 = [known, new].concat();
            }
        }
    }
    problems
        .or(jobs)
        .map_err(|found| wrong_in(found, Some(&text)))
}

/// Adds advice on writing to a problem of a `--sweep` value without advice.
fn with_help(mut problem: Problem) -> Problem {
    let is_swept =
        matches!(&problem.place, Place::Option(option) if option.starts_with("--sweep "));
    if is_swept && problem.help.is_none() {
        problem.help = Some(SWEEP_HELP.into());
    }
    problem
}

/// The job of a config that a run wrote, whatever it says about a sweep.
///
/// # Errors
/// Fails if the config is wrong. The message is already printed.
pub fn again(text: &str, entry: Option<PointEntry>) -> Result<Job, Failure> {
    let text = ConfigText::of("config.toml", text.to_owned());
    let document = parse(&text)?;
    let folder = PathBuf::from(".");
    let plan = check(&document, &folder).map_err(|found| wrong_in(found, Some(&text)))?;
    Ok(Job {
        entry,
        document,
        plan,
        folder,
        config_folder: None,
    })
}

/// Loads the config with the command line's changes, unchecked. Returns it with its text and the
/// folder in which its files are looked for first.
///
/// # Errors
/// Fails if the config can't be read or changed. The message is already printed.
pub fn changed(args: &ConfigArgs) -> Result<(Document, ConfigText, PathBuf), Failure> {
    let (mut document, text, folder) = document(args)?;
    let changed = change(&mut document, args).or(());
    changed.map_err(|found| wrong_in(found, Some(&text)))?;
    Ok((document, text, folder))
}

/// The name and the settings of a sweep's run; `None` for a single run.
fn entry(point: &Point, number: usize, all: usize) -> Option<PointEntry> {
    (!point.set.is_empty()).then(|| PointEntry {
        name: point_name(number, all),
        set: point.named(),
    })
}

/// Reads the document, its text, and the folder in which its files are looked for.
fn document(args: &ConfigArgs) -> Result<(Document, ConfigText, PathBuf), Failure> {
    let named = args.config.as_deref().unwrap_or(PRESETS[0].name);
    let path = Path::new(named);
    if let Some(preset) = preset(named)
        && !path.is_file()
    {
        brought(preset).map_err(wrong)?;
        let text = ConfigText::of(format!("{named}.toml"), preset.text.to_owned());
        return Ok((parse(&text)?, text, PathBuf::from(".")));
    }
    let text = read(path, named).map_err(wrong)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    // One text, so that what is wrong between them is found as in one file.
    let mut text = ConfigText::of(named, text);
    for (name, policies) in &args.more {
        text.add(name, policies);
    }
    Ok((parse(&text)?, text, folder))
}

/// Checks that the files of a preset are where its config looks for them.
fn brought(preset: &Preset) -> Result<(), Problem> {
    let data = std::env::var_os("KLERO_DATA").map(PathBuf::from);
    let folders: Vec<PathBuf> = data.into_iter().chain([PathBuf::from(".")]).collect();
    let is_there = |file: &str| folders.iter().any(|folder| folder.join(file).is_file());
    if preset.files.iter().all(|(file, _)| is_there(file)) {
        return Ok(());
    }
    let name = preset.name;
    let what = format!("the preset {name} names files of people that are not in this folder");
    let help = format!("write them here: klero show {name} --files . ; then klero run {name}");
    Err(Problem::of_request(what).help(help))
}

/// The text of a file that holds only policies, and their number.
pub fn policies(path: &Path) -> Result<(String, usize), Failure> {
    if is_table(&path.to_string_lossy()) {
        let what = format!("{} holds no policies, by its name", path.display());
        let help = "give a file of TOML with a [[policy]] section for each";
        return Err(wrong(Problem::of_request(what).help(help)));
    }
    let text = read_text(path).map_err(wrong)?;
    let text = ConfigText::of(path.display().to_string(), text);
    let document = parse(&text)?;
    let keys = || document.root().iter().map(|(key, _)| key);
    let others = keys().filter(|key| key.name != "policy").map(|key| {
        let what = format!("`{}` is no policy", key.name);
        let help = "only [[policy]] sections may be added: all else is as the run was begun with";
        Problem::new(key.place.clone(), what).help(help)
    });
    let mut problems = Problems(others.collect());
    if let Some(PlacedKey { place, .. }) = keys().find(|key| key.name == "policy")
        && !is_section(place, &text.text)
    {
        // It is put behind a config, whose last section would take any other way of writing them
        // for its own.
        let what = "policies that are added are sections of their own";
        let help = "write each as [[policy]] with its keys on the lines below";
        problems.push(Problem::new(place.clone(), what).help(help));
    }
    let many = document.policies().len();
    if many == 0 && problems.0.is_empty() {
        let help = "write one as in a config: [[policy]] with a label and a kind; `klero list \
                    policies` names the kinds";
        problems.push(Problem::of_file(path, "there is no policy in this file").help(help));
    }
    match problems.0.is_empty() {
        true => Ok((text.text, many)),
        false => Err(wrong_in(problems, Some(&text))),
    }
}

/// The problems of a file of people or panels. `help` is the advice if it can't be opened and no
/// other file has a name like it.
pub fn unloaded(error: LoadError, path: &Path, help: &str) -> Problems {
    let mut problems = error.problems;
    if error.unopened.is_some() {
        let near = alike(path).map(|near| format!("did you mean {near}?"));
        let help = near.unwrap_or_else(|| help.to_owned());
        for problem in &mut problems.0 {
            problem.help = Some(help.clone());
        }
    }
    problems
}

/// Returns true if a key is in double brackets.
fn is_section(place: &Place, text: &str) -> bool {
    match place {
        Place::Config { line, .. } => {
            let mut lines = text.lines().skip(line - 1);
            lines
                .next()
                .is_some_and(|line| line.trim_start().starts_with("[["))
        }
        _ => false,
    }
}

fn read(path: &Path, named: &str) -> Result<String, Problem> {
    if !path.exists() {
        let names = PRESETS.iter().map(|preset| preset.name);
        let all = "`klero list presets` names them all";
        let stem = path.file_stem().and_then(OsStr::to_str);
        let stem = stem.filter(|stem| preset(stem).is_some() && *stem != named);
        let help = match (stem, alike(path), nearest(named, names)) {
            // The shell has taken a label or a text apart at its blanks.
            _ if named.contains('=') => {
                "to change a key: --set KEY=VALUE; what holds blanks is quoted for the shell, as \
                 --set 'policy.\"greedy .05\".tolerance=0.02'"
                    .into()
            }
            _ if named == "-" => {
                "to read a config from standard input: klero run /dev/stdin".into()
            }
            (Some(name), ..) => {
                format!("the preset of this name needs no path: klero run {name}; {all}")
            }
            (_, Some(file), _) => format!("did you mean {file}? {all}"),
            (.., Some(near)) => format!("did you mean the preset {near}? {all}"),
            _ => format!("give the path of a config, or the name of a preset; {all}"),
        };
        return Err(Problem::of_request(format!("there is no config {named:?}")).help(help));
    }
    // The folder of a run, or one of its files.
    let of_run = path.is_dir().then_some(path).or(path.parent());
    let of_run = of_run.map(|folder| folder.join("config.toml"));
    let of_run = of_run.filter(|config| config.is_file() && config != path);
    let is_result = || is_table(named) && path.with_file_name(SUMMARY).is_file();
    if let Some(config) = of_run.filter(|_| path.is_dir() || is_result()) {
        let what = match path.is_dir() {
            true => "this is a folder and not a file",
            false => "this is no config",
        };
        let help = format!("name the config in the folder: {}", config.display());
        return Err(Problem::of_file(path, what).help(help));
    }
    if is_table(named) {
        let what = "a file of this name holds people, not a config";
        let help = format!("write a config for it: klero init {named}; then run that config");
        return Err(Problem::of_file(path, what).help(help));
    }
    read_text(path)
}

/// Returns true if a file holds people or results, judged by its name.
fn is_table(named: &str) -> bool {
    let named = named.to_lowercase();
    let mut endings = [".csv", ".ndjson", ".jsonl", ".json", ".tsv"].into_iter();
    endings.any(|ending| named.ends_with(ending))
}

fn parse(text: &ConfigText) -> Result<Document, Failure> {
    let document = Document::parse(&text.text);
    let document = document.map_err(|found| wrong_in(found, Some(text)))?;
    Ok(document.named(text.name()))
}

/// Applies `--set`, `--seed`, `--replications`, `--only` and `--sweep`. Returns the problems of
/// options that can't be applied.
fn change(document: &mut Document, args: &ConfigArgs) -> Problems {
    let mut problems = Problems::default();
    for assignment in &args.set {
        problems.0.extend(document.set(assignment).err());
    }
    let asked = args.question.put(document);
    problems.0.extend(asked.err().unwrap_or_default().0);
    let numbers = [("seed", args.seed), ("replications", args.replications)];
    for (key, number) in numbers.into_iter().filter_map(|(key, n)| Some((key, n?))) {
        let place = Place::Option(format!("--{key} {number}"));
        problems
            .0
            .extend(document.put(key, Value::Whole(number).at(&place)).err());
    }
    if !args.only.is_empty() {
        problems.0.extend(document.keep_only(&args.only).err());
    }
    for assignment in &args.sweep {
        problems.0.extend(document.sweep(assignment).err());
    }
    problems
}

/// Adds the policies of a file to those of a config. Returns their text and number.
pub fn join(config: &mut ConfigArgs, path: &Path) -> Result<(String, usize), Failure> {
    let (text, many) = policies(path)?;
    config.more.push((path.display().to_string(), text.clone()));
    Ok((text, many))
}
