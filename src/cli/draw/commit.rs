//! `klero draw commit`.

use std::sync::Arc;

use clap::Args;

use super::asked::{WhatArgs, undrawn, wrong};
use crate::cli::failure::{Failure, print_words};
use crate::cli::show;
use crate::cli::watched::watched;
use kleroterion::drawing::{COMMITMENT, CheckedInputs, Commitment, Earlier};
use kleroterion::jobs::{AskedDraw, keep_lottery};
use kleroterion::panel::lottery::LotteryWatch;
use kleroterion::problem::Problem;
use kleroterion::report::plain;

/// Options of `klero draw commit`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero draw commit my.toml --policy look-ahead --randomness 'drand round 4711' --out panel")]
pub(super) struct CommitArgs {
    #[command(flatten)]
    what: WhatArgs,
    /// The name of the public randomness to come, by which everybody can find it
    #[arg(long, value_name = "NAME")]
    randomness: String,
}

/// Commits to all inputs of a draw except its randomness.
pub(super) fn commit(args: &CommitArgs) -> Result<(), Failure> {
    let name = args.randomness.trim();
    if name.is_empty() {
        let help = "say where and when it will be published: \"drand round 4711\", \"the lottery \
                    numbers of 3 May\"";
        return Err(wrong(
            Problem::of_option("--randomness", "the randomness has no name").help(help),
        ));
    }
    let watch = watched(false, &Arc::default());
    let mut asked = AskedDraw::of(&args.what.request(), &watch).map_err(undrawn)?;
    let stage = asked.stage_for(false, &watch).map_err(undrawn)?;
    let folder = &asked.folder;
    let policy = stage.question.policy();
    let title = asked.title.as_deref();
    let commitment = Commitment::to(&asked.inputs, policy, asked.alternates, Some(name), title);
    folder.commit(&asked.inputs, &commitment).map_err(wrong)?;
    keep_known_lottery(&asked, &stage);
    let panel = &stage.question.panel;
    let again = match Earlier::of(&asked.inputs) {
        Ok(Some(_)) => " to join those who stay",
        _ => "",
    };
    let line = format!(
        "klero draw commitment {}: “{}” ({}) draws {} of {} respondents{again} by {name} (klero {})",
        commitment.sha256(),
        policy.0,
        policy.1,
        panel.members,
        panel.respondents.len(),
        commitment.klero,
    );
    print_words(&format!("{}\n", plain(&line)))?;
    let at = folder.path().display();
    show::say(&format!(
        "publish this line and {at}/{COMMITMENT} before the randomness is known; then: klero draw \
         {at} --seed-from VALUE"
    ));
    Ok(())
}

/// Copies a lottery that a run computed into the folder, if there is one. Otherwise the draw
/// computes it.
fn keep_known_lottery(asked: &AskedDraw, stage: &CheckedInputs) {
    let kept = asked.kept_lotteries();
    let lanes = stage.question.plan.lanes.iter();
    for lottery in lanes.filter_map(|lane| lane.policy.lottery.as_ref()) {
        if let (Some(_), _) = kept.read(lottery, &LotteryWatch::patient()) {
            keep_lottery(lottery, &kept);
        }
    }
}
