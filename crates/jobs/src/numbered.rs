//! Numbered panels: equally likely ones for a policy's lottery, of which a number is drawn.

use crate::ahead::{PlansAhead, keep_lottery};
use crate::draw::{DrawRequest, await_lottery, draw_title, kept_lotteries};
use crate::error::JobError;
use crate::watch::{JobProgress, JobWatch};
use kleroterion_core::problem::Problem;
use kleroterion_drawing::{CheckedInputs, Commitment, DrawFolder, NumberedRecord, NumberedStage};
use kleroterion_sortition::lottery::LotteryWatch;

/// Makes `panels` panels for the lottery of a request's policy, and commits to them in its folder.
/// `randomness` is the name of what will decide the number. The watch hears of the lottery.
///
/// # Errors
/// Fails if the request is wrong, the policy has no lottery, or the folder is in use.
pub fn make_numbered(
    what: &DrawRequest,
    panels: u32,
    randomness: &str,
    watch: &JobWatch<'_>,
) -> Result<(NumberedRecord, Commitment), JobError> {
    let title = what.title.as_deref().map(draw_title).transpose()?;
    let folder = DrawFolder::at(what.out.as_deref().ok_or_else(no_folder)?);
    let _held = folder.hold(false)?;
    let (inputs, text) = what.inputs(false)?;
    let stage = CheckedInputs::of(&inputs)?;
    let kept = kept_lotteries(&folder, Some(&text));
    let awaited = await_lottery(&stage, &kept, watch)?;
    let list = move |watch: &LotteryWatch<'_>| NumberedStage::of(stage, panels, watch);
    let said = |come| JobProgress::Computes("numbered panels", come);
    let stage = PlansAhead::new(None, watch).awaited(said, list)??;
    let (alternates, title) = (what.alternates, title.as_deref());
    let commitment = stage.commitment(&inputs, alternates, Some(randomness), title);
    let (record, files) = stage.files(&inputs, &commitment);
    let written = folder.finish(&files, None);
    let written = written.and_then(|()| folder.commit(&inputs, &commitment));
    written.map_err(JobError::failed)?;
    if let Some(lottery) = awaited {
        keep_lottery(&lottery, &kept);
    }
    Ok((record, commitment))
}

fn no_folder() -> Problem {
    let what = "numbered panels are kept in a folder of their own, and none is named";
    Problem::of_request(what).help("give a new folder: --out DIR")
}
