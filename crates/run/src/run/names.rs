//! Names that a policy's own measures may not take.

use kleroterion_core::protocol::Ending;
use kleroterion_core::score::LaneResult;

/// Disqualifies a lane whose policy reported a measure under a name that the run keeps: one
/// that a scorer measures, whose value would stand aside for the policy's own. The scorers' rows
/// come first and stay.
///
/// This is detected only when the lane ends, because only the rows show which names the
/// scorers of a run have.
pub(super) fn keep_names(result: &mut LaneResult) {
    if let Some(name) = result.leave_out_doubles()
        && result.ending.is_comparable(false)
    {
        let detail = format!("reported a measure called `{name}`, a name that the run keeps");
        result.ending = Ending::Disqualified;
        result.detail = Some(detail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::score::MetricRow;

    #[test]
    fn an_ending_that_says_more_stays() {
        let row = |metric: &str| MetricRow {
            metric: metric.into(),
            at: None,
            value: 1.0,
        };
        for ending in [Ending::Interrupted, Ending::Panicked] {
            let mut result = LaneResult::new(ending, None, vec![row("screened"), row("screened")]);
            keep_names(&mut result);
            assert_eq!((result.ending, result.rows().count()), (ending, 1));
        }
    }
}
