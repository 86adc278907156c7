//! Arguments that several commands take.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use kleroterion::arena::Carrier;
use kleroterion::config::{ConfigInputs, DATA};
use kleroterion::jobs::{JobRequest, JobRun};
use kleroterion::report::medium::Medium;
use kleroterion::run::{Runtime, Settings};
use kleroterion::secrets::Secrets;

use super::failure::Failure;
use super::look;

/// The config, and what the command line changes in it.
#[derive(Args)]
pub(super) struct ConfigArgs {
    /// A config file, or the name of a preset (`klero list presets`); the main job where it is left
    /// out
    pub(super) config: Option<String>,
    /// The number of replications
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=i64::MAX))]
    pub(super) replications: Option<i64>,
    /// The seed of every draw
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0..=i64::MAX))]
    pub(super) seed: Option<i64>,
    /// Set a key of the config: path.to.key=value; may be repeated. A policy is named by its label:
    /// --set 'policy.greedy .05.tolerance=0.02'
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,
    /// Run once for each value of a key: path.to.key=a,b,c or path.to.key=from..to/step; several
    /// keys make a grid
    #[arg(long, value_name = "KEY=VALUES")]
    pub(super) sweep: Vec<String>,
    /// Run only these policies
    #[arg(long, value_name = "LABEL,…")]
    pub(super) only: Vec<String>,
}

impl ConfigArgs {
    /// The request for the config with these changes.
    pub(super) fn request(&self) -> JobRequest {
        JobRequest {
            set: self.set.clone(),
            sweep: self.sweep.clone(),
            only: self.only.clone(),
            seed: self.seed.map(i64::cast_unsigned),
            replications: self.replications.map(i64::cast_unsigned),
            ..request(self.config.clone())
        }
    }

    /// Loads the config and plans each of its runs.
    pub(super) fn runs(&self) -> Result<Vec<JobRun>, Failure> {
        Ok(self.request().runs()?)
    }

    /// Returns true if a config is named.
    pub(super) fn is_named(&self) -> bool {
        self.config.is_some()
    }
}

/// The request for a config, or for the main job. Its files are looked for in the folder that the
/// environment names, too.
pub(super) fn request(config: Option<String>) -> JobRequest {
    JobRequest {
        inputs: inputs(),
        ..config.map(JobRequest::of).unwrap_or_default()
    }
}

/// The folder of data files that the environment names.
pub(super) fn data() -> Option<PathBuf> {
    std::env::var_os(DATA).map(PathBuf::from)
}

/// The secrets of servers and connections that the environment has.
pub(super) fn secrets() -> Secrets {
    Secrets::of(|name| std::env::var_os(name))
}

/// What configs refer to outside their texts: the data files that the environment names, and the
/// kinds of the program.
pub(super) fn inputs() -> ConfigInputs {
    let inputs = ConfigInputs::default().with_data(data());
    let inputs = inputs.with_secrets(secrets());
    inputs.with_registry(Arc::clone(super::kinds::registry()))
}

/// Creates a parser of whole numbers in a range.
pub(super) fn whole(range: RangeInclusive<i64>) -> impl Fn(&str) -> Result<i64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!(
            "expected a whole number from {} to {}",
            range.start(),
            range.end()
        )),
    }
}

/// Creates a parser of counts of at least `least`.
pub(super) fn at_least(least: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(format!("expected a whole number of at least {least}")),
    }
}

/// What a result is printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Table,
    /// For papers and issues: the same as Markdown
    Markdown,
    /// summary.json, or claims.json
    Json,
    /// replications.csv, or claims.csv
    Csv,
}

impl Format {
    /// The layout of a text in this format.
    pub(super) fn medium(self) -> Medium {
        match self {
            Self::Markdown => Medium::markdown(),
            _ => look::of_stdout(),
        }
    }
}

/// What verdicts are printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Printed {
    /// For people
    Table,
    /// For papers and issues: the same as Markdown
    Markdown,
    /// For papers: the same as LaTeX that needs no package
    Latex,
    /// For programs: an object, as summary.json is one
    Json,
}

impl Printed {
    /// The layout of a text in this format.
    pub(super) fn medium(self) -> Medium {
        match self {
            Self::Markdown => Medium::markdown(),
            Self::Latex => Medium::latex(),
            Self::Table | Self::Json => look::of_stdout(),
        }
    }
}

/// Which tokio runtime an arena plays on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RuntimeWord {
    /// One thread a replication, replications side by side
    Current,
    /// One replication at a time, on all threads
    Multi,
}

/// Who draws generated answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum FeedbackWord {
    /// A task of each lane, over a channel: many sealed answers a message
    #[default]
    Task,
    /// Each lane, itself: a little faster in large farms of policies that decide in under a
    /// microsecond
    Lane,
}

/// The settings of these options, without traces.
pub(super) fn settings(
    batch: Option<usize>,
    threads: Option<usize>,
    runtime: RuntimeWord,
    feedback: FeedbackWord,
) -> Settings {
    let default = Settings::default();
    Settings {
        batch,
        threads: threads.unwrap_or(default.threads),
        runtime: match runtime {
            RuntimeWord::Current => Runtime::Current,
            RuntimeWord::Multi => Runtime::Multi,
        },
        carrier: match feedback {
            FeedbackWord::Lane => Carrier::Lane,
            FeedbackWord::Task => Carrier::Task,
        },
        ..default
    }
}

/// The word of a value as it is written on the command line.
pub(super) fn word_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// A program in which people open tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ForProgram {
    /// Excel, LibreOffice, Numbers: the tables begin with a mark (BOM) by which letters beyond ASCII
    /// are read rightly
    Spreadsheet,
}

/// What is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TraceWord {
    /// Every decision, to decisions.ndjson
    Decisions,
}

/// Which replications are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum WhichReplications {
    /// The first
    First,
    /// All
    All,
}

/// Where results go.
#[derive(Args)]
pub(super) struct OutArgs {
    /// Write the run's files into this folder (made where it is missing)
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Overwrite a run that is in the folder
    #[arg(long, requires = "out")]
    pub(super) force: bool,
    /// What to write down besides the scores
    #[arg(long, value_enum, requires = "out")]
    pub(super) trace: Option<TraceWord>,
    /// Write people.csv: all who were shown, and whom each policy selected
    #[arg(long, requires = "out")]
    pub(super) people: bool,
    /// The replications of which decisions and people are written down
    #[arg(long, value_enum, default_value = "first", requires = "out")]
    pub(super) trace_replications: WhichReplications,
    /// Write the tables of people for this program
    #[arg(long = "for", value_name = "PROGRAM", value_enum, requires = "out")]
    pub(super) for_program: Option<ForProgram>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "table")]
    pub(super) format: Format,
}
