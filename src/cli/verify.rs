//! The check of `klero verify lottery`: any lottery over panels against its claims.

mod findings;
mod lottery;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};

use self::findings::Findings;
use self::lottery::{Claimed, Fairest, NamedLottery};
use super::ahead::{Ahead, keep_lottery};
use super::args::ConfigArgs;
use super::failure::{Failure, failed, print, wrong};
use super::load::{self, Job, unloaded};
use super::show;
use kleroterion::config::Plan;
use kleroterion::panel::PanelQuestion;
use kleroterion::panel::lottery::{AwaitedLottery, LotteryRule, LotteryWatch};
use kleroterion::people::organisers::{claimed_chances, listed_panels};
use kleroterion::people::table::LoadError;
use kleroterion::problem::{Problem, Problems};

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
    let jobs = load::jobs(&args.config)?;
    let [job] = &jobs[..] else {
        let what = "a lottery is checked against one config, and this is a sweep";
        let help = "leave out --sweep, or set its keys with --set";
        return Err(wrong(Problem::of_request(what).help(help)));
    };
    let Some(question) = job.plan.panel() else {
        return Err(wrong(no_panel(&job.plan)));
    };
    let mut problems = Problems::default();
    let policy = args.policy.as_deref();
    let roster = job.roster(&question.respondents);
    let panels = read(
        listed_panels(&args.panels, policy, &roster),
        &args.panels,
        &mut problems,
    );
    let chances = args.chances.as_deref();
    let chances =
        chances.map(|path| read(claimed_chances(path, policy, &roster), path, &mut problems));
    let chances = chances.flatten();
    let panels = problems.or(panels).map_err(wrong)?.unwrap_or_default();
    let rule = args.claim.map(LotteryRule::from);
    let fairest = rule.map(|rule| Ok((rule, fairest(rule, &question, job)?)));
    let fairest = fairest.transpose()?;
    let lottery = NamedLottery::new(&question, &job.plan.world.schema, &panels);
    let claimed = Claimed {
        chances: chances.as_deref(),
        rule: fairest,
        within: args.within,
    };
    let findings = lottery.held_against(&claimed);
    let text = match args.format {
        VerifyForm::Text => findings.text(),
        VerifyForm::Json => findings.json(),
    };
    print(&text)?;
    ended(&findings)
}

/// The fairest lottery by a rule, read or computed now, or the reason why there is none.
fn fairest(rule: LotteryRule, question: &PanelQuestion, job: &Job) -> Result<Fairest, Failure> {
    let awaited = Arc::new(AwaitedLottery::new(rule, question.clone()));
    let (ahead, kept) = (Ahead::listening(), job.kept_lotteries());
    let supply = {
        let (awaited, kept) = (Arc::clone(&awaited), kept.clone());
        move |watch: &LotteryWatch<'_>| kept.supply(&awaited, watch).map(drop)
    };
    let what = format!("computing the fairest lottery by {}", rule.name());
    let found = ahead.awaited(&what, supply)?;
    ahead.over();
    keep_lottery(&awaited, &kept);
    Ok(found.and_then(|()| awaited.work_out().cloned()))
}

fn ended(findings: &Findings) -> Result<(), Failure> {
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

/// The content of a file, or `None` after its problems are noted.
fn read<T>(loaded: Result<T, LoadError>, path: &Path, problems: &mut Problems) -> Option<T> {
    let help = "give the path of a file of separated text";
    let noted = |error| problems.0.extend(unloaded(error, path, help).0);
    loaded.map_err(noted).ok()
}

/// The problem if a config has no panels.
fn no_panel(plan: &Plan) -> Problem {
    let (what, help) = match plan.world.known.respondents {
        None => (
            "the config's people are not known beforehand",
            "name a config with type = \"respondents\": klero verify lottery PANELS CONFIG",
        ),
        Some(_) => (
            "the config has no committee of some size",
            "set until = { accepted = 40 } in [rules]",
        ),
    };
    Problem::of_request(what).help(help)
}
