//! The choice of one of the best.

use crate::draw::Draw;
use crate::protocol::{Chosen, Move, Selection, View};

/// A slot of the highest value, uniformly at random among those who have it; those without a number only where nobody
/// has one. Returns the slot and how many shared its value. Takes a word of the draw only where more than one do.
pub(super) fn best(values: &[f64], draw: &mut Draw) -> Option<(u32, usize)> {
    let top = values.iter().copied().fold(f64::NAN, f64::max);
    let tied = |value: f64| value == top || top.is_nan();
    let ties = values.iter().filter(|value| tied(**value)).count();
    let nth = match ties {
        0 => return None,
        1 => 0,
        _ => draw.below(ties as u64) as usize,
    };
    let mut slots = (0u32..).zip(values).filter(|(_, value)| tied(**value));
    slots.nth(nth).map(|(slot, _)| (slot, ties))
}

/// Chooses a slot of the highest value. `name`: what the values are, for a trace.
pub(super) fn take_best(name: &'static str, values: &[f64], view: &mut View<'_>) -> Move {
    if view.places().max == 0 {
        return Move::pass();
    }
    let Some((slot, ties)) = best(values, view.draw()) else {
        return Move::pass();
    };
    view.reason(|| [(name, values[slot as usize]), ("ties", ties as f64)]);
    Move::take(slot)
}

/// Chooses a slot uniformly at random, and says how likely that was.
pub(super) fn take_any(view: &mut View<'_>) -> Move {
    let slots = view.slate().len();
    if slots == 0 || view.places().max == 0 {
        return Move::pass();
    }
    let slot = view.draw().below(u64::from(slots)) as u32;
    let selection = Selection::of(Chosen::One(slot));
    Move::Select(selection.with_probability(1.0 / f64::from(slots)))
}
