//! The check of `klero verify lottery`: any lottery over panels against its claims.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::args::ConfigArgs;
use super::failure::{Failure, failed, print, print_words};
use super::show;
use super::watched::awaiting;
use kleroterion::jobs::{LotteryClaim, LotteryFindings};
use kleroterion::panel::lottery::LotteryRule;
use kleroterion::problem::Problem;

/// The tolerance of probabilities, since files have rounded ones.
const WITHIN: f64 = 1e-6;

/// Options of `klero verify`.
#[derive(Args)]
pub struct VerifyArgs {
    #[command(subcommand)]
    what: VerifyWhat,
}

#[derive(Subcommand)]
enum VerifyWhat {
    /// Check a lottery over panels: each panel, the probabilities, the chances, and its fairness
    Lottery(LotteryArgs),
}

/// Options of `klero verify lottery`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero verify lottery panels.csv my.toml
  klero verify lottery panels.csv my.toml --claim leximin
  klero verify lottery results/lotteries.csv my.toml --policy leximin --claim leximin
  klero verify lottery panels.csv my.toml --chances chances.csv --within 0.001

The file has a row a member (panel,probability,id), or a row a panel with its probability and its
members in columns of their own, or in one column `members`.
Exit codes: 0 all holds, 1 something does not, 2 the files can't be read.")]
struct LotteryArgs {
    /// The lottery: panels with probabilities
    panels: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// The rule by which the lottery is said to be the fairest
    #[arg(long, value_enum, value_name = "RULE")]
    claim: Option<ClaimWord>,
    /// The chances that it is said to give: a file with the columns id and chance
    #[arg(long, value_name = "FILE")]
    chances: Option<PathBuf>,
    /// Of a file with the lotteries of several policies, as klero run writes it, whose is meant
    #[arg(long, value_name = "LABEL")]
    policy: Option<String>,
    /// How far probabilities and chances may be off, because files have rounded ones
    #[arg(long, value_name = "SHARE", default_value_t = WITHIN, value_parser = tolerance)]
    within: f64,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "text")]
    format: VerifyForm,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClaimWord {
    /// The least chance is as large as can be
    Maximin,
    /// The least chance, then the next least, and so on
    Leximin,
    /// The product of the chances is as large as can be
    Nash,
}

#[derive(Clone, Copy, ValueEnum)]
enum VerifyForm {
    /// For people
    Text,
    /// An object
    Json,
}

impl From<ClaimWord> for LotteryRule {
    fn from(word: ClaimWord) -> Self {
        match word {
            ClaimWord::Maximin => Self::Maximin,
            ClaimWord::Leximin => Self::Leximin,
            ClaimWord::Nash => Self::Nash,
        }
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 and below 1, such as 0.000001".into()),
    }
}

/// Runs the requested check.
///
/// # Errors
/// Fails if a claim does not hold or a file can't be read. The messages are already printed.
pub fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    match &args.what {
        VerifyWhat::Lottery(args) => verify_lottery(args),
    }
}

fn verify_lottery(args: &LotteryArgs) -> Result<(), Failure> {
    let runs = args.config.runs()?;
    let [run] = &runs[..] else {
        let what = "a lottery is checked against one config, and this is a sweep";
        let help = "leave out --sweep, or set its keys with --set";
        return Err(Problem::of_request(what).help(help).into());
    };
    let claim = LotteryClaim {
        panels: args.panels.clone(),
        policy: args.policy.clone(),
        chances: args.chances.clone(),
        rule: args.claim.map(LotteryRule::from),
        within: args.within,
    };
    let findings = awaiting(|watch| claim.check(run, watch))?;
    match args.format {
        VerifyForm::Text => print_words(&findings.text()),
        VerifyForm::Json => print(&findings.json()),
    }?;
    ended(&findings)
}

fn ended(findings: &LotteryFindings) -> Result<(), Failure> {
    match findings.refuted() {
        0 => {
            show::say("the lottery is what it is said to be");
            Ok(())
        }
        refuted => {
            let all = findings.all();
            let words =
                format!("{refuted} of {all} checks: the lottery is not what it is said to be");
            Err(failed(&words))
        }
    }
}
