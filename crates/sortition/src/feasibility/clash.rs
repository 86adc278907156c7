//! A smallest set of bounds that can't be met together, by the deletion filter (Chinneck and
//! Dravnieks 1991).

use super::program::SeatingProgram;
use super::supply::Bound;

/// Returns a subset of the bounds that can't be met, and true if each of them is needed for that.
/// `None` if it is not decided that they can't be met. `proved` says that this is known.
pub(super) fn minimal(
    program: &SeatingProgram,
    mut bounds: Vec<Bound>,
    proved: bool,
) -> Option<(Vec<Bound>, bool)> {
    // What not even fractions of people can meet is quickly decided, and leaves few bounds for the
    // slow program.
    let parts_too = program.meets(&bounds, false) == Some(false);
    if parts_too {
        filter(&mut bounds, |left| program.meets(left, false));
    } else if !proved && program.meets(&bounds, true) != Some(false) {
        return None;
    }
    let decided = filter(&mut bounds, |left| program.meets(left, true));
    Some((bounds, decided))
}

/// Leaves out, one after another, every bound without which the others still can't be met. Whether
/// each that stays was decided to be needed.
fn filter(bounds: &mut Vec<Bound>, meets: impl Fn(&[Bound]) -> Option<bool>) -> bool {
    let mut decided = true;
    let mut next = 0;
    while next < bounds.len() {
        let bound = bounds.remove(next);
        match meets(bounds) {
            Some(false) => continue,
            Some(true) => {}
            None => decided = false,
        }
        bounds.insert(next, bound);
        next += 1;
    }
    decided
}
