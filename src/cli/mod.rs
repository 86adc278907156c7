//! The command line of `klero`: one file per command.
//!
//! [`run_with`] is the whole program. A program of one's own gives it a registry with its own kinds.

mod args;
mod check;
mod collector;
mod compare;
mod draw;
mod explain;
mod failure;
mod fit;
mod held;
mod init;
mod interrupts;
mod journal;
mod kinds;
mod limits;
mod list;
mod live;
mod log;
mod look;
mod manual;
mod merge;
#[cfg(feature = "otel")]
mod otel;
mod plan;
mod preset;
mod privacy;
mod promise;
mod question;
mod replay;
mod report;
mod reproduce;
mod resume;
mod run;
mod schema;
mod screen;
mod seat;
mod show;
mod skill;
mod sweep;
mod terminal;
mod trace;
mod unparsed;
mod verify;
mod watched;
mod work;

use std::process::ExitCode;

use self::failure::Failure;
use self::log::LogFormat;
use self::look::ColorWord;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use kleroterion::Registry;

/// Runs the command line of this process with the kinds of a registry: all commands know them as
/// they know the built-in ones. Returns the exit code: 0 done, 1 a run failed, 2 the request or the
/// config is wrong, 130 interrupted.
///
/// A program that is `klero` with a policy of its own:
///
/// ```no_run
/// use kleroterion::Registry;
/// use kleroterion::policy::Policy;
/// use kleroterion::protocol::{Move, View};
/// use kleroterion::registry::PolicyKind;
///
/// #[derive(Clone)]
/// struct Coin;
///
/// impl Policy for Coin {
///     fn act(&mut self, view: &mut View<'_>) -> Move {
///         Move::decide(view.draw().uniform() < 0.5)
///     }
/// }
///
/// fn main() -> std::process::ExitCode {
///     let coin = PolicyKind::new("coin", "accepts one in two, by lot", |_, _| Some(Coin));
///     let registry = Registry::default().policy(coin).expect("the name is free");
///     kleroterion::cli::run_with(registry)
/// }
/// ```
///
/// It sets the registry once in a process: a second call keeps the first one's.
pub fn run_with(registry: Registry) -> ExitCode {
    kinds::start(registry);
    let cli = match Cli::typed() {
        Ok(cli) => cli,
        Err(error) => return unparsed(error),
    };
    // Dropped after the last span.
    let _exporting = cli.start_log();
    match cli.execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.into(),
    }
}

/// Which selection policy is better, on the same people, and how sure is that?
#[derive(Parser)]
#[command(name = "klero", version, arg_required_else_help = true)]
#[command(after_help = "Examples:
  klero run                                        the main job, with the embedded defaults
  klero run my.toml --out results                  a config of your own, with files
  klero run committee-syn6 --set 'policy.greedy .05.tolerance=0.02'
  klero check my.toml                              all that is wrong with a config, at once
  klero explain my.toml                            what to expect before a candidate is drawn
  klero plan my.toml                               how many letters to send
  klero fit looks reviews.csv                      sigma, s and j of interviews from past reviews
  klero fit scores people.csv --label y --group sex=F   the score law of each group
  klero list policies                              what there is to compare
  klero reproduce do2021-fig1 --out fig1           a paper's figure, claim by claim
  klero trace DIR --candidate 17                   what became of a candidate, lane by lane
  klero draw my.toml --policy LABEL --seed-from VALUE --out panel
  klero live live-http --out run1                  people by HTTP, a board to look at
  klero report DIR                                 what a run found, as a page: DIR/report.html
  klero compare scores.csv --metric accuracy --range 0..1   verdicts on numbers of your own
  klero seat check ./my_policy                     what a policy of your own does wrong

What happens inside: RUST_LOG=info, or kleroterion=debug for tasks and batches, =trace for rounds.
Exit codes: 0 done, 1 a run failed, 2 the request or config is wrong, 130 interrupted.")]
struct Cli {
    /// What stderr is written as, with what programs of policies write to theirs
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "text",
        value_name = "text|json",
        hide_possible_values = true
    )]
    log: LogFormat,
    /// Weight and colour: on a terminal unless NO_COLOR is set, always, or never
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "auto|always|never",
        hide_possible_values = true
    )]
    color: ColorWord,
    /// The name of the command, as typed.
    #[arg(skip)]
    name: String,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a first config from a file of people
    Init(init::InitArgs),
    /// Run a config: every policy on the same stream, all replications
    Run(run::RunArgs),
    /// Run a sweep in units: on this machine, or as shards on many
    Sweep(sweep::SweepArgs),
    /// Merge the units of a sweep's shards to the results of one machine
    Merge(merge::MergeArgs),
    /// Draw the one real panel by public randomness, so that anybody can check it
    Draw(draw::DrawArgs),
    /// Check what others say: a lottery over panels, against its quotas and by its fairness
    Verify(verify::VerifyArgs),
    /// Run policies live: people as they come, a journal, a board
    Live(live::LiveArgs),
    /// Go on with a run that was stopped or cut off
    Resume(resume::ResumeArgs),
    /// Verify, repair or copy the journal of a live run
    Journal(journal::JournalArgs),
    /// Play a live run's journal once more, maybe with other policies added to its own
    Replay(replay::ReplayArgs),
    /// Play one policy of a live run on this machine: it meets its run over NATS
    Work(work::WorkArgs),
    /// Check a config and say what a run would assume; nothing is simulated
    Check(check::CheckArgs),
    /// Say what is to be expected of a config, from closed forms; nothing is simulated
    Explain(explain::ExplainArgs),
    /// Plan a recruitment: how many letters to send, and the alternates of a panel
    Plan(plan::PlanArgs),
    /// Estimate parameters of a config from what was recorded before
    Fit(fit::FitArgs),
    /// Print the config of a preset, or write it with its files
    Show(preset::ShowArgs),
    /// List what there is: policies, sources, pools, metrics, presets
    List(list::ListArgs),
    /// Reproduce a figure, table or example of a paper: its sentences, our numbers, verdicts
    Reproduce(reproduce::ReproduceArgs),
    /// Show what was decided on a candidate or in a round, lane by lane, and why
    Trace(trace::TraceArgs),
    /// Write the report of a finished run: a page, its figures as SVG; nothing is simulated
    Report(report::ReportArgs),
    /// Compare policies on numbers from anywhere: a table with a value of each in each case
    Compare(compare::CompareArgs),
    /// Examine a policy in a program of its own, or print the protocol it speaks
    Seat(seat::SeatArgs),
    /// Print completions of commands and options for a shell
    Completions(manual::CompletionsArgs),
    /// Print the manual page, or write one for every command
    Man(manual::ManArgs),
    /// Print a page by which a program that writes configs can use klero
    Skill,
    /// Print a JSON Schema: of a config, a record, a seat's messages, a decision, a summary
    Schema(schema::SchemaArgs),
}

#[cfg(not(feature = "otel"))]
impl Command {
    /// Whether it plays a run.
    fn plays(&self) -> bool {
        matches!(
            self,
            Self::Run(_)
                | Self::Sweep(_)
                | Self::Merge(_)
                | Self::Live(_)
                | Self::Resume(_)
                | Self::Replay(_)
                | Self::Reproduce(_)
        )
    }
}

/// The exporter of spans, if there is one. It works until it is dropped.
#[cfg(feature = "otel")]
type Exporting = Option<otel::SpanExporter>;
/// A stand-in for the exporter: this build sends no spans.
#[cfg(not(feature = "otel"))]
struct Exporting;

/// The words after `klero`, with bytes that are not UTF-8 replaced.
fn words() -> impl Iterator<Item = String> {
    let words = std::env::args_os().skip(1);
    words.map(|word| word.to_string_lossy().into_owned())
}

/// The name by which the program was started, as a program with kinds of its own is no `klero`.
fn program() -> Option<String> {
    let path = std::env::args_os().next()?;
    let name = std::path::Path::new(&path).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// Reports the problem of a command line, or prints the help that it asks for. Returns the exit
/// code.
fn unparsed(error: clap::Error) -> ExitCode {
    let code = ExitCode::from(error.exit_code() as u8);
    let words: Vec<String> = words().collect();
    if words.is_empty() {
        show::say(skill::WAYS.trim_end());
        return code;
    }
    let json = LogFormat::wished(words.iter().cloned()) == LogFormat::Json;
    let mut whole = Cli::command();
    if let Some(name) = program() {
        whole = whole.bin_name(name);
    }
    whole.build();
    let error = unparsed::advised(error, &whole, &words);
    if error.use_stderr() && json {
        LogFormat::Json.start(None);
        show::say(error.render().to_string().trim_end());
    } else {
        // Nobody listens: then it is lost.
        drop(error.print());
    }
    code
}

impl Cli {
    /// Parses the command line.
    fn typed() -> Result<Self, clap::Error> {
        let color = ColorWord::wished(words());
        color.start();
        let command = Self::command().color(color.of_help());
        let matches = command.try_get_matches()?;
        let mut cli = Self::from_arg_matches(&matches)?;
        cli.name = matches.subcommand_name().unwrap_or_default().to_owned();
        Ok(cli)
    }

    /// Starts writing stderr in the requested form.
    fn start_log(&self) -> Exporting {
        kleroterion::seat::hand_errors_to(show::say);
        #[cfg(feature = "otel")]
        {
            let (layer, exporting) = otel::layer().unzip();
            self.log.start(layer);
            exporting
        }
        #[cfg(not(feature = "otel"))]
        {
            self.log.start(None);
            if self.command.plays()
                && let Some(variable) = collector::asked()
            {
                show::say(&format!(
                    "warning: spans are not sent: {variable} is set, but this klero is built \
                     without the feature otel; build it with --features otel"
                ));
            }
            Exporting
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Returns the failure that sets the exit code. All messages are already printed.
    fn execute(self) -> Result<(), Failure> {
        let _span = tracing::info_span!("klero", command = self.name).entered();
        match self.command {
            Command::Init(args) => init::init(&args),
            Command::Run(args) => run::run(&args),
            Command::Sweep(args) => sweep::sweep(args),
            Command::Merge(args) => merge::merge(args),
            Command::Draw(args) => draw::draw(&args),
            Command::Verify(args) => verify::verify(&args),
            Command::Live(args) => live::live(args),
            Command::Resume(args) => resume::resume(args),
            Command::Journal(args) => journal::journal(&args),
            Command::Replay(args) => replay::replay(args),
            Command::Work(args) => work::work(args),
            Command::Check(args) => check::check(&args),
            Command::Explain(args) => explain::explain(&args),
            Command::Plan(args) => plan::plan(&args),
            Command::Fit(args) => fit::fit(&args),
            Command::Show(args) => preset::show(&args),
            Command::List(args) => list::list(&args),
            Command::Reproduce(args) => reproduce::reproduce(&args),
            Command::Trace(args) => trace::trace(args),
            Command::Report(args) => report::report(&args),
            Command::Compare(args) => compare::compare(&args),
            Command::Seat(args) => seat::seat(&args),
            Command::Completions(args) => manual::completions(&args, Cli::command()),
            Command::Man(args) => manual::man(&args, Cli::command()),
            Command::Skill => skill::skill(),
            Command::Schema(args) => schema::schema(&args),
        }
    }
}
