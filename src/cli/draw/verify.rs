//! `klero draw verify`.

use std::path::PathBuf;

use clap::Args;

use super::asked::{undrawn, wrong};
use super::randomness;
use crate::cli::args::{inputs, whole};
use crate::cli::failure::{Failure, failed, print_words, unwritten};
use crate::cli::show;
use crate::cli::watched::awaiting;
use kleroterion::drawing::{
    Commitment, DrawCheck, DrawFolder, Held, after as before, verify_drawn, verify_numbered,
};
use kleroterion::jobs::{ConfigSource, DrawRequest, JobProgress, PlansAhead};
use kleroterion::panel::lottery::LotteryWatch;
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;

/// Options of `klero draw verify`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero draw verify panel
  klero draw verify panel --commitment 8c1f… --seed-from lotto.txt --respondents respondents.csv")]
pub(super) struct VerifyArgs {
    /// The folder of the draw
    dir: PathBuf,
    /// The hash that was published as the commitment
    #[arg(long, value_name = "HASH")]
    commitment: Option<String>,
    /// The public randomness, from its own source: a text or a file, as for a draw
    #[arg(long, value_name = "TEXT|FILE")]
    seed_from: Option<String>,
    /// The file of people, from elsewhere
    #[arg(long, value_name = "FILE")]
    respondents: Option<PathBuf>,
    /// The config, from elsewhere, with the files that it names
    #[arg(long, value_name = "CONFIG")]
    config: Option<String>,
    /// Of a second draw, the folder of the draw before
    #[arg(long, value_name = "DIR")]
    after: Option<PathBuf>,
    /// Set a key of that config, as for the draw
    #[arg(long, value_name = "KEY=VALUE", requires = "config")]
    set: Vec<String>,
    /// Play on this many threads; the panel does not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1024))]
    threads: Option<i64>,
}

/// Checks a draw.
pub(super) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let folder = DrawFolder::at(&args.dir);
    if folder.commitment().is_ok_and(|one| one.is_none()) || !args.dir.is_dir() {
        folder.drawn().map_err(unchecked)?;
    }
    let held = held(args, &folder)?;
    let again = move |watch: &LotteryWatch<'_>| {
        let numbered = verify_numbered(&folder, &held, watch).transpose();
        numbered.unwrap_or_else(|| verify_drawn(&folder, &held, watch))
    };
    let found = awaiting(|watch| {
        let what = |come| JobProgress::Computes("drawing again", come);
        PlansAhead::new(None, watch).awaited(what, again)
    })?;
    let findings = found.map_err(unchecked)?;
    let text: String = findings.iter().map(line).collect();
    print_words(&text)?;
    let unread = findings
        .iter()
        .filter(|finding| !finding.is_checked)
        .count();
    let differ = findings
        .iter()
        .filter(|finding| finding.differs.is_some())
        .count();
    match differ {
        0 => {
            show::say(&match unread {
                0 => "verified: the draw matches its record".to_owned(),
                1 => {
                    "verified: the draw matches its record, but for a file that was not read: -- above".to_owned()
                }
                some => format!(
                    "verified: the draw matches its record, but for {some} files that were not read: -- above"
                ),
            });
            Ok(())
        }
        differ => {
            let all = findings.len() - unread;
            Err(failed(&format!(
                "{differ} of {all} checks: the draw is not what it says"
            )))
        }
    }
}

/// The failure if the draw could not be checked.
fn unchecked(problems: impl Into<Problems>) -> Failure {
    unwritten(problems, "the draw was not checked")
}

/// The user's own material that the draw is checked against.
fn held(args: &VerifyArgs, folder: &DrawFolder) -> Result<Held, Failure> {
    if let Some(path) = &args.respondents
        && let Err(error) = std::fs::File::open(path)
    {
        let what = format!("the file cannot be read: {error}");
        let option = format!("--respondents {}", path.display());
        return Err(wrong(
            Problem::of_option(option, what).help("name the file of people"),
        ));
    }
    let randomness = args.seed_from.as_deref().map(randomness::read);
    let commitment = folder.commitment().ok().flatten();
    let label = commitment.as_ref().map(|one| one.policy.as_str());
    let config = args.config.as_ref();
    let is_whole = commitment
        .as_ref()
        .is_some_and(Commitment::is_of_whole_files);
    let config = config.map(|config| {
        let request = DrawRequest {
            config: Some(ConfigSource::Named(config.clone())),
            policy: label.map(str::to_owned),
            set: args.set.clone(),
            outside: inputs(),
            ..DrawRequest::default()
        };
        request.inputs(is_whole).map_err(undrawn)
    });
    let after = args.after.as_ref().map(|dir| before(&DrawFolder::at(dir)));
    Ok(Held {
        commitment: args.commitment.clone(),
        randomness: randomness.transpose().map_err(wrong)?,
        config: config.transpose()?.map(|(inputs, _)| inputs),
        respondents: args.respondents.clone(),
        after: after.transpose().map_err(wrong)?,
        threads: args.threads.map(|threads| threads as usize),
    })
}

/// A finding as a line of text.
fn line(finding: &DrawCheck) -> String {
    let words = match &finding.differs {
        None if !finding.is_checked => format!("--  {}", finding.what),
        None => format!("ok  {}", finding.what),
        Some(differs) => format!("NO  {}: {differs}", finding.what),
    };
    format!("{}\n", plain(&words))
}
