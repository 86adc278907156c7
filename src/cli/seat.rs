//! `klero seat check COMMAND…` and `klero seat protocol`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use super::args::{request, whole};
use super::failure::{Failure, print, print_words, wrong_in};
use super::show;
use kleroterion::examine::{Examined, Finding, SETTINGS, Seating, examine, quantile};
use kleroterion::jobs::{ConfigText, JobRequest, LoadedConfig};
use kleroterion::problem::Problems;
use kleroterion::report::plain;
use kleroterion::seat::PAGE;

/// What to do with policies in programs of their own.
#[derive(Args)]
pub struct SeatArgs {
    #[command(subcommand)]
    command: SeatCommand,
}

#[derive(Subcommand)]
enum SeatCommand {
    /// Have a program play several settings, and say what it does wrong
    Check(SeatCheckArgs),
    /// Print the page of the protocol, as Markdown
    Protocol,
}

/// Options of `klero seat check`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero seat check python3 examples/policy.py lottery
  klero seat check --setting committee ./my_policy --verbose
  klero seat check --config my.toml ./my_policy    in your own config, in place of its policies
  klero seat check --config my.toml                the programs that are policies there
  klero seat check --config live.toml --people people.csv ./my_policy

Exit codes: 0 all is well, 1 something is wrong with what it does, 2 it can't be started.")]
struct SeatCheckArgs {
    /// Only in this setting; may be repeated [default: all of them]
    #[arg(long, value_name = "NAME", value_parser = settings())]
    setting: Vec<String>,
    /// In this config or preset: its people, its rules, its features; the program sits in for the
    /// policies there
    #[arg(long, value_name = "CONFIG", conflicts_with = "setting")]
    config: Option<String>,
    /// People of this file in place of those of that config's source, as where they come from outside
    #[arg(long, value_name = "FILE", requires = "config")]
    people: Option<PathBuf>,
    /// Set a key of that config: path.to.key=value; may be repeated
    #[arg(long, value_name = "KEY=VALUE", requires = "config")]
    set: Vec<String>,
    /// How many seconds it may be silent
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = whole(1..=3600))]
    patience: i64,
    /// The program and its arguments [default: the programs of --config]
    #[arg(
        required_unless_present = "config",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    command: Vec<String>,
}

fn settings() -> PossibleValuesParser {
    let known = SETTINGS.iter();
    PossibleValuesParser::new(
        known.map(|s| clap::builder::PossibleValue::new(s.name).help(s.about)),
    )
}

/// Runs the command.
pub fn seat(args: &SeatArgs) -> Result<(), Failure> {
    match &args.command {
        SeatCommand::Check(args) => check(args),
        SeatCommand::Protocol => print(PAGE),
    }
}

fn check(args: &SeatCheckArgs) -> Result<(), Failure> {
    let (seatings, text) = match &args.config {
        Some(config) => in_config(config, args).map(|(seatings, text)| (seatings, Some(text)))?,
        None => (in_settings(args)?, None),
    };
    let patience = Duration::from_secs(args.patience.unsigned_abs());
    let examined = examine(&seatings, patience);
    let examined = examined.map_err(|problems| wrong_in(problems, text.as_ref()))?;
    let mut text: String = examined.findings.iter().map(told).collect();
    text += &summary(&examined);
    print_words(&text)?;
    if examined.findings.is_empty() {
        return Ok(());
    }
    if args.config.is_none() && seatings.len() > 1 {
        show::say(
            "help: a policy that is made for one setting is examined in that one: --setting NAME, \
             or in your own config, with its features: --config CONFIG",
        );
    }
    Err(Failure::Failed)
}

/// The program in each of the requested settings.
fn in_settings(args: &SeatCheckArgs) -> Result<Vec<Seating>, Problems> {
    let wanted = |name: &str| args.setting.is_empty() || args.setting.iter().any(|s| s == name);
    let settings = SETTINGS.iter().filter(|setting| wanted(setting.name));
    let seatings = settings.map(|setting| Seating::in_setting(setting, &args.command));
    seatings.collect()
}

/// The program in a config of the user's, or the programs of that config, with the config's text.
fn in_config(config: &str, args: &SeatCheckArgs) -> Result<(Vec<Seating>, ConfigText), Failure> {
    let asked = JobRequest {
        set: args.set.clone(),
        ..request(Some(config.to_owned()))
    };
    let LoadedConfig {
        document,
        text,
        inputs,
    } = asked.changed()?;
    let seatings = match args.command.is_empty() {
        true => Seating::own(config, &document, inputs.folder())?,
        false => vec![Seating::in_config(
            config,
            document,
            inputs.folder(),
            &args.command,
        )],
    };
    let with = |seating: Seating| {
        let seating = seating.knowing(&inputs.registry());
        match &args.people {
            Some(file) => seating.with_people(file),
            None => seating,
        }
    };
    Ok((seatings.into_iter().map(with).collect(), text))
}

/// The most characters of a message that are shown.
const SHOWN: usize = 600;

fn told(finding: &Finding) -> String {
    let line = |what: &str, line: Option<&str>| {
        let line = line.unwrap_or("nothing");
        let mut start: String = plain(line).chars().take(SHOWN).collect();
        if line.chars().nth(SHOWN).is_some() {
            start.push('…');
        }
        format!("    {what}: {start}\n")
    };
    let said = match finding.told {
        Some(_) => line("told", finding.told.as_deref()) + &line("said", finding.said.as_deref()),
        None => String::new(),
    };
    format!(
        "{}: {}\n{said}",
        plain(&finding.setting),
        plain(&finding.what)
    )
}

fn summary(examined: &Examined) -> String {
    let exchanges = match examined.exchanges() {
        1 => "1 exchange".to_owned(),
        many => format!("{many} exchanges"),
    };
    let findings = match examined.findings.len() {
        0 => "all well".to_owned(),
        1 => "1 finding".to_owned(),
        many => format!("{many} findings"),
    };
    let mut text = format!("{exchanges}, {findings}");
    let times = [
        ("it was ready after", &examined.started),
        ("a decision took", &examined.took),
    ];
    for (what, took) in times {
        let ms = |share| quantile(took, share).map(|took| took.as_secs_f64() * 1e3);
        if let (Some(median), Some(p99)) = (ms(0.5), ms(0.99)) {
            text += &format!("; {what} {median:.3} ms (median), {p99:.3} ms (p99)");
        }
    }
    text + "\n"
}
