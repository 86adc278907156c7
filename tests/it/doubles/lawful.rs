//! What the rules allow, told plainly.

use kleroterion::protocol::{Choose, Selection};

/// The fewest and the most of a slate that may be chosen.
pub fn places(choose: Choose, slate: u32, left: Option<u64>) -> (u32, u32) {
    let most = left.map_or(u64::from(slate), |left| left.min(u64::from(slate))) as u32;
    match choose {
        Choose::Any => (0, most),
        Choose::AtMost(k) => (0, k.min(most)),
        Choose::Exactly(k) => (k.min(most), k.min(most)),
        Choose::Share(share) => {
            let k = (share * f64::from(slate) + 1e-9).floor() as u32;
            (k.min(most), k.min(most))
        }
    }
}

/// Whether a choice keeps to the rules.
pub fn lawful(selection: &Selection, (fewest, most): (u32, u32), slate: usize) -> bool {
    let mut slots = selection.chosen.as_slice().to_vec();
    let count = slots.len();
    slots.sort_unstable();
    slots.dedup();
    slots.len() == count
        && (fewest as usize..=most as usize).contains(&count)
        && slots.iter().all(|&slot| (slot as usize) < slate)
        && selection.p.is_none_or(|p| p > 0.0 && p <= 1.0)
        && (selection.declared.iter().flatten()).all(|share| share.is_finite() && *share >= 0.0)
}
