//! The progress of an open comparison.

use super::super::finished::Finished;
use super::super::number::about;
use super::super::page::Progress;
use super::given::units;
use super::words::MANY;
use kleroterion_stats::NOT_IN_THIS_RUN;

/// Returns the progress of an open pair, as the run predicted it by its own method.
pub(super) fn progress(pair: &Pair, run: &Finished) -> Option<Progress> {
    if pair.ends_before {
        return Some(Progress {
            seen: pair.n,
            whole: None,
            words: NOT_IN_THIS_RUN.into(),
        });
    }
    let more = pair.needed.filter(|_| pair.verdict == Verdict::Undecided)?;
    let (_, units) = units(run, pair.estimand);
    Some(if more > MANY {
        Progress {
            seen: pair.n,
            whole: None,
            words: format!("over a million more {units} may decide it"),
        }
    } else {
        let whole = pair.n + more;
        let (of, more) = (about(whole), about(more));
        Progress {
            seen: pair.n,
            whole: Some(whole),
            words: format!(
                "{} of about {of} {units}: about {more} more may decide it",
                pair.n
            ),
        }
    })
}
