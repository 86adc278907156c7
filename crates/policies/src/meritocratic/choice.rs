//! The choice of one of the best.

use crate::{Policy, margin, no_place};
use kleroterion_core::draw::Draw;
use kleroterion_core::protocol::{Chosen, Move, Selection, View};

/// A slot of the highest value, uniformly at random among those who have it; those without a number
/// only where no one has one. Returns the slot and how many shared its value. Takes a word of the
/// draw only where more than one do.
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

/// Chooses a slot of the highest value. `name`: what the values are, for a trace. `random`: the
/// slots whose values were drawn, as independent uniform numbers from 0 to 1, for want of anything
/// known. The propensity is given where there were any, or equals.
pub(super) fn take_best(
    name: &'static str,
    values: &[f64],
    random: &[u32],
    view: &mut View<'_>,
) -> Move {
    if view.places().max == 0 {
        return no_place(view);
    }
    let Some((slot, ties)) = best(values, view.draw()) else {
        return Move::pass();
    };
    view.reason(|| {
        let [_, highest] = margin(values, &[slot]);
        [
            (name, values[slot as usize]),
            highest,
            ("ties", ties as f64),
        ]
    });
    let mut selection = Selection::of(Chosen::One(slot));
    if ties > 1 || !random.is_empty() {
        selection.p = Some(propensity(values, random, slot));
    }
    Move::Select(selection)
}

/// Returns the probability that a slot was chosen, given these values, of which those of `random`
/// were drawn. Let m be the highest of the others and k the number drawn. One of those with m is
/// chosen with probability m^k, each of the drawn with (1 - m^k)/k.
fn propensity(values: &[f64], random: &[u32], slot: u32) -> f64 {
    let known = || {
        let known = (0..).zip(values).filter(|(at, _)| !random.contains(at));
        known.map(|(_, value)| *value)
    };
    let k = random.len();
    let top = known().fold(f64::NAN, f64::max);
    if top.is_nan() {
        // Those without a number only where no one has one.
        return 1.0 / (if k > 0 { k } else { values.len() }) as f64;
    }
    let below: f64 = std::iter::repeat_n(top.clamp(0.0, 1.0), k).product();
    if random.contains(&slot) {
        (1.0 - below) / k as f64
    } else {
        let ties = known().filter(|value| *value == top).count();
        below / ties as f64
    }
}

/// The slot that a move takes, where it takes one.
pub(super) fn taken(answer: &Move) -> Option<u32> {
    match answer {
        Move::Select(Selection {
            chosen: Chosen::One(slot),
            ..
        }) => Some(*slot),
        _ => None,
    }
}

/// Chooses a slot uniformly at random, and says how likely that was.
pub(super) fn take_any(view: &mut View<'_>) -> Move {
    let slots = view.slate().len();
    if slots == 0 || view.places().max == 0 {
        return no_place(view);
    }
    let slot = view.draw().below(u64::from(slots)) as u32;
    view.reason(|| [("acceptance", 1.0 / f64::from(slots))]);
    let selection = Selection::of(Chosen::One(slot));
    Move::Select(selection.with_probability(1.0 / f64::from(slots)))
}

// Uniform choice (Grazzi et al. 2022, Section 6, "Uniform Random"): its fair regret is
// K/(K+1) - 1/2 a round.

/// Chooses any candidate with equal probability.
#[derive(Clone, Copy, Debug)]
pub struct UniformChoice;

impl Policy for UniformChoice {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        take_any(view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::{Key, Purpose};

    /// Chooses many times, the values of `random` drawn anew, and holds the shares against what
    /// each choice says of itself.
    #[track_caller]
    fn shares_are_as_said(known: &[f64], random: &[u32]) {
        const TIMES: u32 = 40_000;
        let mut draw = Key::new(3, 0).draw(Purpose::Policy, 1, 1);
        let mut said = vec![f64::NAN; known.len()];
        let mut chosen = vec![0_u32; known.len()];
        for _ in 0..TIMES {
            let mut values = known.to_vec();
            for &slot in random {
                values[slot as usize] = draw.uniform();
            }
            let (slot, _) = best(&values, &mut draw).expect("somebody");
            chosen[slot as usize] += 1;
            said[slot as usize] = propensity(&values, random, slot);
        }
        let mut total = 0.0;
        for (&p, &times) in said.iter().zip(&chosen).filter(|(p, _)| !p.is_nan()) {
            let share = f64::from(times) / f64::from(TIMES);
            let se = (p * (1.0 - p) / f64::from(TIMES)).sqrt();
            assert!((share - p).abs() <= 4.0 * se, "{share} for {p}: {known:?}");
            total += p;
        }
        assert!((total - 1.0).abs() < 1e-12, "{said:?}");
    }

    #[test]
    fn a_choice_by_lot_says_how_likely_it_was() {
        const NONE: f64 = f64::NAN;
        shares_are_as_said(&[0.5, 0.7, 0.7, 0.7], &[]);
        shares_are_as_said(&[NONE, NONE, NONE], &[]);
        shares_are_as_said(&[NONE, 0.2, NONE, 0.2], &[]);
        shares_are_as_said(&[NONE; 4], &[0, 1, 2, 3]);
        shares_are_as_said(&[0.6, NONE, 0.3, NONE], &[1, 3]);
        shares_are_as_said(&[0.8, NONE, 0.8], &[1]);
        shares_are_as_said(&[0.0, NONE, NONE], &[1]);
        shares_are_as_said(&[NONE, 1.0, 1.0], &[0]);
    }
}
