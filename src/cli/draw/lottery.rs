//! The lottery of a draw: read if it was kept, or else computed with progress and Ctrl-C.

use std::sync::Arc;

use crate::cli::ahead::Ahead;
use crate::cli::failure::Failure;
use crate::cli::show;
use kleroterion::drawing::CheckedInputs;
use kleroterion::panel::lottery::AwaitedLottery;
use kleroterion::report::kept_lotteries::KeptLotteries;
use kleroterion::report::plain;

/// Makes the lottery of the drawing policy known, if the policy has one.
pub(super) fn await_lottery(
    stage: &CheckedInputs,
    kept: &KeptLotteries,
) -> Result<Option<Arc<AwaitedLottery>>, Failure> {
    let lane = stage.question.plan.lanes.first();
    let Some((lane, lottery)) = lane.and_then(|lane| Some((lane, lane.policy.lottery.as_ref()?)))
    else {
        return Ok(None);
    };
    let ahead = Ahead::listening();
    let said = ahead.lottery(&lane.label, lottery, kept)?;
    let known = lottery.lottery();
    if known.is_some_and(|known| known.certificate.is_undecided()) {
        for sentence in said {
            show::say(&format!("note: {}", plain(&sentence)));
        }
    }
    ahead.over();
    Ok(Some(Arc::clone(lottery)))
}
