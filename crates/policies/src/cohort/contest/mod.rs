//! The contest of two cohorts: M, the best at the estimates u^, and M~, the best at u~.
//!
//! u~ is the estimate at its worst for M: u^ - rad for a member of M, u^ + rad for all others,
//! where the radius is rad = c / sqrt(T) and c the same for all (Algorithm 1, lines 6 to 13). Whom
//! one has and the other has not is *contested*.

mod boundary;
mod heads;
mod hot_set;
mod plain;

use std::fmt::Debug;

pub use boundary::GroupEdges;
pub use heads::GroupHeads;
pub use hot_set::HotSet;
pub use plain::PlainContest;

use kleroterion_core::protocol::LookStats;

/// The arms that may be interviewed next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The contested arms, as in the paper (line 17).
    #[default]
    SymmetricDifference,
    /// *Ours, not the paper's*: also an arm of both M and M~ whose radius is more than three times
    /// the widest of the contested. Under `diverse`, such arms could otherwise keep the value of
    /// both cohorts unknown for ever.
    Hybrid,
}

/// Follows M, M~ and the contested arms from interview to interview.
pub trait Contest: Clone + Debug + Send + Sync {
    /// Finds M and M~. Returns w~(M~) - w~(M), at least 0, and 0 if they are the same.
    ///
    /// `files` by slot, each with at least one interview; `seen` the slots whose files have changed
    /// since the last call, in any order, with repeats or without; `scale` is c, which never falls
    /// from call to call.
    fn settle(&mut self, files: &[LookStats], seen: &[u32], scale: f64) -> f64;

    /// Writes into `picks` the slots of the up to `looks` widest radii in scope, widest first.
    /// These are interviewed next. Ties go to the slot of least gap to the [`GroupEdges`], then to
    /// the lower slot.
    fn widest(&self, files: &[LookStats], scope: Scope, looks: usize, picks: &mut Vec<u32>);

    /// The slots of M, in any order.
    fn cohort(&self) -> Vec<u32>;
}

/// Returns 1 / sqrt(T) for the weight T. The radius is c times this.
#[inline]
fn narrowness(weight: f64) -> f64 {
    1.0 / weight.sqrt()
}

/// Returns true if a radius at weight `weight` is more than three times one at weight `other`.
#[inline]
fn much_wider(weight: f64, other: f64) -> bool {
    9.0 * weight < other
}

/// Leaves the `looks` of least weight; of equals those of least `gap`, then of lowest slot, in this
/// order.
fn keep_widest(files: &[LookStats], looks: usize, picks: &mut Vec<u32>, gap: impl Fn(u32) -> f64) {
    let weight = |slot: u32| files[slot as usize].weight;
    if looks == 1 {
        // Gaps are wanted of equals alone.
        let least = picks.iter().map(|&slot| weight(slot));
        let least = least.fold(f64::INFINITY, f64::min);
        picks.retain(|&slot| weight(slot) <= least);
    }
    if picks.len() < 2 {
        return;
    }
    let key = |slot: u32| (weight(slot), gap(slot), slot);
    let mut keys: Vec<_> = picks.drain(..).map(key).collect();
    keys.sort_unstable_by(|(x, gap, a), (y, other, b)| {
        let by_width = x.total_cmp(y).then(gap.total_cmp(other));
        by_width.then(a.cmp(b))
    });
    picks.extend(keys.iter().take(looks).map(|(.., slot)| slot));
}
