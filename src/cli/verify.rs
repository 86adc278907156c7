//! `klero verify lottery FILE --config CONFIG`: anybody's lottery over panels, checked.

mod claim;
mod file;
mod findings;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use kleroterion::panel::lottery::LotteryRule;
use kleroterion::problem::Problem;
use serde_json::json;

use self::claim::Claimed;
use self::file::LotteryFile;
use self::findings::Examined;
use super::args::ConfigArgs;
use super::failure::{Failure, failed, wrong};
use super::{load, show};

/// Options of `klero verify`.
#[derive(Args)]
pub struct VerifyArgs {
    #[command(subcommand)]
    command: VerifyCommand,
}

#[derive(Subcommand)]
enum VerifyCommand {
    /// Check a lottery over panels: each panel, the probabilities, the chances, a claim
    Lottery(VerifyLotteryArgs),
}

/// Options of `klero verify lottery`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero verify lottery panels.csv --config my.toml
  klero verify lottery panels.csv --config my.toml --claim leximin
  klero verify lottery panels.csv --config my.toml --chances chances.csv --format json

A row is a panel: its probability, then the ids of its members. Or, with the header panel,probability,id, a
row is a member of a panel. Commas, semicolons or tabs separate.
Exit codes: 0 nothing is wrong with the lottery, 1 it is refuted, 2 the request is wrong.")]
struct VerifyLotteryArgs {
    /// The file of panels
    panels: PathBuf,
    /// The config that says who the respondents are, the quotas, the size and the households
    #[arg(long, value_name = "CONFIG")]
    config: String,
    /// Set a key of the config: path.to.key=value; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Of what the lottery is claimed to be the best; the best is computed and compared
    #[arg(
        long,
        value_enum,
        value_name = "maximin|leximin|nash",
        hide_possible_values = true
    )]
    claim: Option<ClaimWord>,
    /// A file of the chances that are claimed: id and chance in each row
    #[arg(long, value_name = "FILE")]
    chances: Option<PathBuf>,
    /// Of a file of several policies' lotteries, as klero run writes it, the policy whose lottery is meant
    #[arg(long, value_name = "LABEL")]
    policy: Option<String>,
    /// How far probabilities and chances may be off
    #[arg(long, value_name = "X", default_value = "1e-6", value_parser = tolerance)]
    tolerance: f64,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "text")]
    format: VerifyForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClaimWord {
    Maximin,
    Leximin,
    Nash,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VerifyForm {
    /// For people
    Text,
    /// One object
    Json,
}

impl ClaimWord {
    fn rule(self) -> LotteryRule {
        match self {
            Self::Maximin => LotteryRule::Maximin,
            Self::Leximin => LotteryRule::Leximin,
            Self::Nash => LotteryRule::Nash,
        }
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|x| (0.0..1.0).contains(x));
    number.ok_or_else(|| "a number from 0 to below 1 is needed".into())
}

/// Checks what is claimed.
///
/// # Errors
/// Where the request is wrong, or what is claimed is refuted.
pub fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    match &args.command {
        VerifyCommand::Lottery(args) => lottery(args),
    }
}

fn lottery(args: &VerifyLotteryArgs) -> Result<(), Failure> {
    let config = ConfigArgs {
        set: args.set.clone(),
        ..ConfigArgs::of(args.config.clone())
    };
    let jobs = load::jobs(&config)?;
    let plan = match &jobs[..] {
        [job] => &job.plan,
        _ => {
            let what = "the config is a sweep, and a lottery is checked against one";
            let help = "choose its point with --set";
            return Err(wrong(Problem::of_request(what).help(help)));
        }
    };
    let Some(question) = plan.panel() else {
        let what = "the config has no committee to be filled from people known beforehand";
        let help = "it needs until = { accepted = 40 } in [rules], and a source of type \
                    \"respondents\" or \"file\" with order = \"shuffled\"";
        return Err(wrong(Problem::of_request(what).help(help)));
    };
    let names = question.respondents.names();
    let lottery = LotteryFile::read(&args.panels, names, args.policy.as_deref()).map_err(wrong)?;
    let claimed = args.chances.as_deref();
    let claimed = claimed.map(|file| file::chances(file, names, args.policy.as_deref()));
    let claimed = claimed.transpose().map_err(wrong)?;
    let mut examined = Examined::of(&question, &lottery, &plan.world.schema, args.tolerance);
    if let Some(claimed) = &claimed {
        examined.compare(claimed, names, args.tolerance);
    }
    let claim = args
        .claim
        .map(|claim| Claimed::of(claim.rule(), &question, &examined, args.tolerance));
    let claim = claim.transpose()?;
    if let Some(found) = claim.as_ref().and_then(|claim| claim.refutation.clone()) {
        examined.wrong.push(found);
    }
    let text = match args.format {
        VerifyForm::Text => examined.text(claim.iter().flat_map(Claimed::lines).collect()),
        VerifyForm::Json => {
            let object = json!({
                "refuted": !examined.wrong.is_empty(),
                "wrong": examined.wrong,
                "panels": lottery.panels.len(),
                "least": examined.least,
                "claim": claim.as_ref().map(Claimed::object),
            });
            format!("{object:#}\n")
        }
    };
    show::print(&text).map_err(|error| failed(&format!("can't print: {error}")))?;
    match examined.wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed),
    }
}
