//! A smallest set of bounds that can't be met together, by the deletion filter (Chinneck and
//! Dravnieks 1991).

use std::fmt;

use super::program::SeatingProgram;
use super::supply::Bound;
use kleroterion_core::watch::{Interrupted, Watch};

/// A watcher of the search for a clash.
pub type ClashWatch<'a> = Watch<'a, ClashProgress>;

/// The progress of the search for a clash: bounds are left out one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClashProgress {
    /// The number of bounds that clash, as far as is known.
    pub bounds: usize,
    /// The number of those of them that were tried.
    pub tried: usize,
}

impl fmt::Display for ClashProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bounds, tried } = self;
        write!(f, "{tried} of {bounds} quotas that may clash are tried")
    }
}

/// Returns a subset of the bounds that can't be met, and true if each of them is needed for that.
/// `None` if it is not decided that they can't be met. `proved` says that this is known.
pub(super) fn minimal(
    program: &SeatingProgram,
    mut bounds: Vec<Bound>,
    proved: bool,
    watch: &ClashWatch<'_>,
) -> Result<Option<(Vec<Bound>, bool)>, Interrupted> {
    // What not even fractions of people can meet is quickly decided, and leaves few bounds for the
    // slow program.
    let parts_too = program.meets(&bounds, false) == Some(false);
    if parts_too {
        filter(&mut bounds, |left| program.meets(left, false), watch)?;
    } else if !proved && program.meets(&bounds, true) != Some(false) {
        return Ok(None);
    }
    let decided = filter(&mut bounds, |left| program.meets(left, true), watch)?;
    Ok(Some((bounds, decided)))
}

/// Leaves out, one after another, every bound without which the others still can't be met. Whether
/// each that stays was decided to be needed.
fn filter(
    bounds: &mut Vec<Bound>,
    meets: impl Fn(&[Bound]) -> Option<bool>,
    watch: &ClashWatch<'_>,
) -> Result<bool, Interrupted> {
    let mut decided = true;
    let mut next = 0;
    while next < bounds.len() {
        watch.go_on()?;
        watch.see(ClashProgress {
            bounds: bounds.len(),
            tried: next,
        });
        let bound = bounds.remove(next);
        match meets(bounds) {
            Some(false) => continue,
            Some(true) => {}
            None => decided = false,
        }
        bounds.insert(next, bound);
        next += 1;
    }
    Ok(decided)
}
