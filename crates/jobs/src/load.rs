//! Loading of configs: a request names the config and its changes, and is expanded to its runs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::checked::checked;
use crate::error::JobError;
use crate::parsed::{is_table, parse};
use crate::question::RunQuestion;
use crate::run::JobRun;
use crate::text::ConfigText;
use kleroterion_core::nearest::nearest;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_report::report::files::SUMMARY;
use kleroterion_report::report::points::{PointEntry, point_name};
use kleroterion_run::Registry;
use kleroterion_run::config::{ConfigInputs, Document, alike};
use kleroterion_run::document::{Point, SWEEP_HELP, Value, read_text};
use kleroterion_run::presets::{PRESETS, Preset, preset};

/// A config, and the changes to make in it before it is checked.
#[derive(Clone, Debug, Default)]
pub struct JobRequest {
    /// The config itself.
    pub config: ConfigSource,
    /// Assignments `path.to.key=value`. A policy is named by its label.
    pub set: Vec<String>,
    /// Lists of values `path.to.key=a,b,c` or `path.to.key=from..to/step`. Several make a grid.
    pub sweep: Vec<String>,
    /// The labels of the only policies to run. Empty for all.
    pub only: Vec<String>,
    /// The seed, if it is not the config's own.
    pub seed: Option<u64>,
    /// The number of replications, if it is not the config's own.
    pub replications: Option<u64>,
    /// The values that `replications.csv` keeps, in the words of the key `report.keep`.
    pub keep: Option<String>,
    /// The question asked of a run that was played.
    pub question: RunQuestion,
    /// The names and the texts of files with more policies.
    pub more: Vec<(String, String)>,
    /// All that the config refers to outside its text. Its folder is that of the config.
    pub inputs: ConfigInputs,
}

/// The origin of a config.
#[derive(Clone, Debug)]
pub enum ConfigSource {
    /// The path of a file, or the name of a preset.
    Named(String),
    /// A text with its name. Its files are in this folder.
    Text(String, String, PathBuf),
    /// A document. Its files are in this folder.
    Document(Box<Document>, PathBuf),
}

impl Default for ConfigSource {
    /// The main job.
    fn default() -> Self {
        Self::Named(PRESETS[0].name.to_owned())
    }
}

impl JobRequest {
    /// The config in a file, or the preset of this name.
    pub fn of(config: impl Into<String>) -> Self {
        ConfigSource::Named(config.into()).into()
    }

    /// The config in a text. Messages call it by `name`. Its files are in `folder`.
    pub fn text(name: &str, text: &str, folder: impl Into<PathBuf>) -> Self {
        ConfigSource::Text(name.to_owned(), text.to_owned(), folder.into()).into()
    }

    /// The config in a document whose files are in `folder`.
    pub fn document(document: Document, folder: impl Into<PathBuf>) -> Self {
        ConfigSource::Document(Box::new(document), folder.into()).into()
    }

    /// The same request, whose config may name the kinds and metrics of a registry.
    #[must_use]
    pub fn with_registry(mut self, registry: Registry) -> Self {
        self.inputs = self.inputs.with_registry(registry);
        self
    }

    /// The path or the name of the config, if it has one.
    pub fn name(&self) -> Option<&str> {
        match &self.config {
            ConfigSource::Named(name) => Some(name),
            ConfigSource::Text(..) | ConfigSource::Document(..) => None,
        }
    }

    /// Adds the policies of a file to those of the config. Returns their text and number.
    ///
    /// # Errors
    /// Fails if the file can't be read, or holds anything but policies.
    pub fn join(&mut self, path: &Path) -> Result<(String, usize), JobError> {
        let (text, many) = crate::policies::policies(path)?;
        self.more.push((path.display().to_string(), text.clone()));
        Ok((text, many))
    }

    /// Loads the config with its changes, unchecked.
    ///
    /// # Errors
    /// Fails if the config can't be read or changed.
    pub fn changed(&self) -> Result<LoadedConfig, JobError> {
        let mut loaded = self.read()?;
        let changed = self.change(&mut loaded.document).or(());
        changed.map_err(|found| JobError::in_text(found, &loaded.text))?;
        Ok(loaded)
    }

    /// Loads the config and plans each of its runs, in the sweep's order.
    ///
    /// # Errors
    /// Returns all that is wrong with the config and its changes.
    pub fn runs(&self) -> Result<Vec<JobRun>, JobError> {
        let LoadedConfig {
            mut document,
            text,
            inputs,
        } = self.read()?;
        let mut problems = self.change(&mut document);
        let named = self.name().map(Path::new);
        let config_folder = named.filter(|path| path.is_file()).and_then(Path::parent);
        let config_folder = config_folder.map(Path::to_path_buf);
        let mut runs = Vec::new();
        let points = document.points().unwrap_or_else(|found| {
            problems.0.extend(found.0);
            Vec::new()
        });
        let all = points.len();
        for (place, point) in points.into_iter().enumerate() {
            match checked(&point.document, &inputs) {
                Ok(plan) => runs.push(JobRun {
                    entry: entry(&point, place + 1, all),
                    document: point.document,
                    plan,
                    inputs: inputs.clone(),
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
        let runs = problems.or(runs);
        runs.map_err(|found| JobError::in_text(found, &text))
    }

    /// Reads the document, its text, and the folder in which its files are looked for.
    fn read(&self) -> Result<LoadedConfig, JobError> {
        let (mut text, folder, document) = match &self.config {
            ConfigSource::Named(named) => {
                let (text, folder) = self.read_named(named)?;
                (text, folder, None)
            }
            ConfigSource::Text(name, text, folder) => {
                (ConfigText::of(name, &**text), folder.clone(), None)
            }
            ConfigSource::Document(document, folder) => {
                // What joins a changed document goes behind the document as it is now.
                let text = match self.more.is_empty() {
                    true => document.text().to_owned(),
                    false => document.to_toml(),
                };
                let text = ConfigText::of(document.name(), text);
                (text, folder.clone(), Some(Document::clone(document)))
            }
        };
        // One text, so that what is wrong between them is found as in one file.
        for (name, policies) in &self.more {
            text.add(name, policies);
        }
        let document = match document {
            Some(document) if self.more.is_empty() => document,
            _ => parse(&text)?,
        };
        Ok(LoadedConfig {
            document,
            text,
            inputs: self.inputs.in_folder(folder),
        })
    }

    /// Reads the text of a file or of a preset, and the folder of its files.
    fn read_named(&self, named: &str) -> Result<(ConfigText, PathBuf), JobError> {
        let path = Path::new(named);
        if let Some(preset) = preset(named)
            && !path.is_file()
        {
            brought(preset, self.inputs.data())?;
            let text = ConfigText::of(format!("{named}.toml"), preset.text);
            return Ok((text, PathBuf::from(".")));
        }
        let text = ConfigText::of(named, read(path, named)?);
        let folder = path.parent().map(Path::to_path_buf);
        Ok((text, folder.unwrap_or_default()))
    }

    /// Makes the changes. Returns the problems of those that can't be made.
    fn change(&self, document: &mut Document) -> Problems {
        let mut problems = Problems::default();
        let keep = self
            .keep
            .iter()
            .map(|which| format!("report.keep={which:?}"));
        for assignment in self.set.iter().cloned().chain(keep) {
            problems.0.extend(document.set(&assignment).err());
        }
        let asked = self.question.put(document);
        problems.0.extend(asked.err().unwrap_or_default().0);
        let numbers = [("seed", self.seed), ("replications", self.replications)];
        for (key, number) in numbers.into_iter().filter_map(|(key, n)| Some((key, n?))) {
            let place = Place::Option(format!("--{key} {number}"));
            let value = Value::Whole(number.cast_signed());
            problems.0.extend(document.put(key, value.at(&place)).err());
        }
        if !self.only.is_empty() {
            problems.0.extend(document.keep_only(&self.only).err());
        }
        for assignment in &self.sweep {
            problems.0.extend(document.sweep(assignment).err());
        }
        problems
    }
}

impl From<ConfigSource> for JobRequest {
    fn from(config: ConfigSource) -> Self {
        Self {
            config,
            ..Self::default()
        }
    }
}

impl From<&str> for JobRequest {
    /// The config in a file, or the preset of this name.
    fn from(config: &str) -> Self {
        Self::of(config)
    }
}

impl From<&Path> for JobRequest {
    /// The config in a file.
    fn from(config: &Path) -> Self {
        Self::of(config.display().to_string())
    }
}

impl From<Document> for JobRequest {
    /// The config in a document whose files are in the current folder.
    fn from(document: Document) -> Self {
        Self::document(document, ".")
    }
}

/// A config with its changes, not checked yet.
#[derive(Clone, Debug)]
pub struct LoadedConfig {
    /// The config.
    pub document: Document,
    /// Its text, in which problems are shown.
    pub text: ConfigText,
    /// All that it refers to outside its text. Its folder is that of the config's files.
    pub inputs: ConfigInputs,
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

/// The name and the settings of a sweep's run; `None` for a single run.
fn entry(point: &Point, number: usize, all: usize) -> Option<PointEntry> {
    (!point.set.is_empty()).then(|| PointEntry {
        name: point_name(number, all),
        set: point.named(),
    })
}

/// Checks that the files of a preset are where its config looks for them.
fn brought(preset: &Preset, data: Option<&Path>) -> Result<(), Problem> {
    let folders = || data.into_iter().chain([Path::new(".")]);
    let is_there = |file: &str| folders().any(|folder| folder.join(file).is_file());
    if preset.files.iter().all(|(file, _)| is_there(file)) {
        return Ok(());
    }
    let name = preset.name;
    let what = format!("the preset {name} names files of people that are not in this folder");
    let help = format!("write them here: klero show {name} --files . ; then klero run {name}");
    Err(Problem::of_request(what).help(help))
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
