//! `klero seat check COMMAND…` and `klero seat protocol`.

use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use super::args::whole;
use super::failure::Failure;
use super::show;
use kleroterion::examine::{Examined, Finding, SETTINGS, examine, quantile};
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

Exit codes: 0 all is well, 1 something is wrong with what it does, 2 it can't be started.")]
struct SeatCheckArgs {
    /// Only in this setting; may be repeated [default: all of them]
    #[arg(long, value_name = "NAME", value_parser = settings())]
    setting: Vec<String>,
    /// How many seconds it may be silent
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = whole(1..=3600))]
    patience: i64,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
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

fn print(text: &str) -> Result<(), Failure> {
    show::print(text).map_err(|error| {
        show::say(&format!("error: can't print: {error}"));
        Failure::Failed
    })
}

fn check(args: &SeatCheckArgs) -> Result<(), Failure> {
    let wanted = |name: &str| args.setting.is_empty() || args.setting.iter().any(|s| s == name);
    let settings: Vec<_> = SETTINGS.iter().filter(|s| wanted(s.name)).collect();
    let patience = Duration::from_secs(args.patience.unsigned_abs());
    let examined = examine(&args.command, &settings, patience).map_err(|problems| {
        show::problems(&problems, None);
        Failure::Wrong
    })?;
    let mut text: String = examined.findings.iter().map(told).collect();
    text += &summary(&examined);
    print(&text)?;
    match examined.findings.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed),
    }
}

/// How much of a message is shown.
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
    format!("{}: {}\n{said}", finding.setting, plain(&finding.what))
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
