//! The command line: one file per command.

mod ahead;
mod broken;
mod check;
mod explain;
mod fit;
mod list;
mod live;
mod load;
mod log;
#[cfg(feature = "otel")]
mod otel;
mod output;
mod replay;
mod report;
mod reproduce;
mod result;
mod resume;
mod run;
mod schema;
mod seat;
mod show;
mod trace;

use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use self::log::Log;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use kleroterion::config::Plan;
use kleroterion::nearest::nearest;
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::trace::Names;

/// Which selection policy is better, on the same people, and how sure is that?
#[derive(Parser)]
#[command(name = "klero", version, arg_required_else_help = true)]
#[command(after_help = "Examples:
  klero run                                        the main job, with the embedded defaults
  klero run my.toml --out results                  a config of your own, with files
  klero run committee-syn6 --set 'policy.\"greedy .05\".tolerance=0.02'
  klero check my.toml                              all that is wrong with a config, at once
  klero explain my.toml                            what to expect before anybody is drawn
  klero fit looks reviews.csv                      sigma, s and j of interviews from past reviews
  klero fit scores people.csv --label y --group sex=F   the score law of each group
  klero list policies                              what there is to compare
  klero reproduce do2021-fig1 --out fig1           a paper's figure, claim by claim
  klero trace DIR --candidate 17                   what became of somebody, lane by lane
  klero live live-http --out run1                  people by HTTP, a board to look at
  klero report DIR                                 what a run found, as a page: DIR/report.html
  klero seat check ./my_policy                     what a policy of your own does wrong

What happens inside: RUST_LOG=info, or kleroterion=debug for tasks and batches, =trace for rounds.
Exit codes: 0 done, 1 a run failed, 2 the request or config is wrong, 130 interrupted.")]
pub struct Cli {
    /// What stderr is written as; programs that are policies write theirs as they like
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "text",
        value_name = "text|json",
        hide_possible_values = true
    )]
    log: Log,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a config: every policy on the same stream, all replications
    Run(run::RunArgs),
    /// Run policies live: people as they come, a journal, a board
    Live(live::LiveArgs),
    /// Take up a live run that was stopped
    Resume(resume::ResumeArgs),
    /// Play a live run's journal once more, maybe with other policies beside its own
    Replay(replay::ReplayArgs),
    /// Check a config and say what a run would assume; nothing is simulated
    Check(check::CheckArgs),
    /// Say what is to be expected of a config, from closed forms; nothing is simulated
    Explain(explain::ExplainArgs),
    /// Estimate parameters of a config from what was recorded before
    Fit(fit::FitArgs),
    /// List what there is: policies, sources, pools, metrics, presets
    List(list::ListArgs),
    /// Reproduce a figure, table or example of a paper: its sentences beside our numbers
    Reproduce(reproduce::ReproduceArgs),
    /// Tell what was decided on a candidate or in a round, lane by lane, and why
    Trace(trace::TraceArgs),
    /// Write the report of a finished run: a page, its figures as SVG; nothing is simulated
    Report(report::ReportArgs),
    /// Examine a policy in a program of its own, or print the protocol it speaks
    Seat(seat::SeatArgs),
    /// Print a JSON Schema: of a candidate record, of a seat's messages
    Schema(schema::SchemaArgs),
}

impl Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Live(_) => "live",
            Self::Resume(_) => "resume",
            Self::Replay(_) => "replay",
            Self::Check(_) => "check",
            Self::Explain(_) => "explain",
            Self::Fit(_) => "fit",
            Self::List(_) => "list",
            Self::Reproduce(_) => "reproduce",
            Self::Trace(_) => "trace",
            Self::Report(_) => "report",
            Self::Seat(_) => "seat",
            Self::Schema(_) => "schema",
        }
    }
}

/// The config, and what the command line changes in it.
#[derive(Args)]
struct ConfigArgs {
    /// A config file, or the name of a preset (`klero list presets`); the main job where it is left out
    config: Option<String>,
    /// Replicate so many times
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=i64::MAX))]
    replications: Option<i64>,
    /// The seed of every draw
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0..=i64::MAX))]
    seed: Option<i64>,
    /// Set a key of the config: path.to.key=value; may be repeated. A label in the path is quoted:
    /// --set 'policy."greedy .05".tolerance=0.02'
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Run only these policies
    #[arg(long, value_name = "LABEL,…")]
    only: Vec<String>,
    /// More policies: the names and the texts of their files
    #[arg(skip)]
    more: Vec<(String, String)>,
}

impl ConfigArgs {
    /// A config as it stands.
    fn of(config: String) -> Self {
        Self {
            config: Some(config),
            replications: None,
            seed: None,
            set: Vec::new(),
            only: Vec::new(),
            more: Vec::new(),
        }
    }
}

impl ConfigArgs {
    /// Whether anything says which config is meant.
    fn is_named(&self) -> bool {
        self.config.is_some()
    }
}

/// Reads a whole number in a range.
fn whole(range: RangeInclusive<i64>) -> impl Fn(&str) -> Result<i64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!(
            "expected a whole number from {} to {}",
            range.start(),
            range.end()
        )),
    }
}

/// Reads a count that has a least value and no greatest.
fn at_least(least: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(format!("expected a whole number of at least {least}")),
    }
}

/// What a result is printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// summary.json, or claims.json
    Json,
    /// replications.csv, or claims.csv
    Csv,
}

/// Which tokio runtime an arena plays on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuntimeWord {
    /// One thread a replication, replications side by side
    Current,
    /// One replication at a time, on all threads
    Multi,
}

/// What is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TraceWord {
    /// Every decision, to decisions.ndjson
    Decisions,
}

/// Which replications are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WhichReplications {
    /// The first
    First,
    /// All
    All,
}

/// Where results go.
#[derive(Args)]
struct OutArgs {
    /// Write the run's files into this folder (made where it is missing)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite a run that is in the folder
    #[arg(long, requires = "out")]
    force: bool,
    /// What to write down beside the scores
    #[arg(long, value_enum, requires = "out")]
    trace: Option<TraceWord>,
    /// The replications of which decisions and the selected are written down
    #[arg(long, value_enum, default_value = "first", requires = "out")]
    trace_replications: WhichReplications,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// What is told of people.
#[derive(Args, Clone, Debug, Default)]
struct PrivacyArgs {
    /// People go by hashes of their ids in traces, in selected.csv and on the board; the key is kept with a live run's journal, else nowhere
    #[arg(long)]
    hide_identities: bool,
    /// Attributes that selected.csv leaves out
    #[arg(long, value_name = "ATTRIBUTE,…", value_delimiter = ',')]
    drop_attributes: Vec<String>,
}

impl PrivacyArgs {
    /// The names to give; `key`: that of the run, where it has one already.
    ///
    /// # Errors
    /// Where there is no such attribute.
    fn names(&self, plan: &Plan, key: Option<[u8; 32]>) -> Result<Names, Failure> {
        let attributes = plan.world.schema.attributes();
        let known = || attributes.iter().map(|a| a.name.as_str());
        let mut problems = Problems::default();
        for dropped in &self.drop_attributes {
            if !known().any(|name| name == dropped) {
                let names: Vec<&str> = known().collect();
                let help = match nearest(dropped, known()) {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("the attributes are {}", names.join(", ")),
                };
                let place = Place::Option("--drop-attributes".into());
                let what = format!("there is no attribute {dropped:?}");
                problems.push(Problem::new(place, what).help(help));
            }
        }
        let names = match self.hide_identities {
            true => Names::hidden(key.unwrap_or_else(random_key)),
            false => Names::default(),
        };
        let names = names.dropping(&self.drop_attributes);
        problems.or(names).map_err(live::wrong)
    }
}

/// A key that nobody can guess, by the system's randomness.
fn random_key() -> [u8; 32] {
    let mut key = [0; 32];
    for part in key.chunks_mut(8) {
        // Keyed by the system anew for each process, and differently each time.
        let word = RandomState::new().hash_one(part.len());
        part.copy_from_slice(&word.to_le_bytes());
    }
    key
}

/// How a command ended, where it did not end well.
pub enum Failure {
    /// The request or the config is wrong: exit 2. It has been said on stderr.
    Wrong,
    /// The run failed: exit 1. It has been said on stderr.
    Failed,
    /// The user stopped it: exit 130.
    Interrupted,
}

impl From<Failure> for ExitCode {
    fn from(failure: Failure) -> Self {
        Self::from(match failure {
            Failure::Wrong => 2,
            Failure::Failed => 1,
            Failure::Interrupted => 130,
        })
    }
}

/// What sends spans elsewhere until it is dropped, where something does.
#[cfg(feature = "otel")]
pub type Exporting = Option<otel::Exporting>;
/// Nothing: this build sends nothing.
#[cfg(not(feature = "otel"))]
pub struct Exporting;

/// Says what is wrong with a command line, or prints the help that it asks for; the exit code.
pub fn unparsed(mut error: clap::Error) -> ExitCode {
    let json = Log::wished(std::env::args()) == Log::Json;
    if error.kind() == ErrorKind::UnknownArgument && std::env::args().any(|arg| arg == "--set") {
        // The shell has taken a label or a text apart at its blanks.
        let tip = "a label or text with blanks is quoted, and the whole for the shell: --set 'policy.\"greedy .05\".tolerance=0.02'";
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
    if error.use_stderr() && json {
        Log::Json.start(None);
        show::say(error.render().to_string().trim_end());
    } else {
        // Nobody listens: then it is lost.
        drop(error.print());
    }
    ExitCode::from(error.exit_code() as u8)
}

impl Cli {
    /// Writes stderr as asked for from now on.
    pub fn start_log(&self) -> Exporting {
        #[cfg(feature = "otel")]
        {
            let (layer, exporting) = otel::layer().unzip();
            self.log.start(layer);
            exporting
        }
        #[cfg(not(feature = "otel"))]
        {
            self.log.start(None);
            Exporting
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// With what the exit code is to say; all words have been said.
    pub fn execute(self) -> Result<(), Failure> {
        let name = self.command.name();
        let _span = tracing::info_span!("klero", command = name).entered();
        match self.command {
            Command::Run(args) => run::run(args),
            Command::Live(args) => live::live(args),
            Command::Resume(args) => resume::resume(args),
            Command::Replay(args) => replay::replay(args),
            Command::Check(args) => check::check(args),
            Command::Explain(args) => explain::explain(&args),
            Command::Fit(args) => fit::fit(&args),
            Command::List(args) => list::list(&args),
            Command::Reproduce(args) => reproduce::reproduce(&args),
            Command::Trace(args) => trace::trace(args),
            Command::Report(args) => report::report(&args),
            Command::Seat(args) => seat::seat(&args),
            Command::Schema(args) => schema::schema(&args),
        }
    }
}
