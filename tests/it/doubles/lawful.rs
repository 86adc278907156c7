//! What the rules allow, in plain loops.

use kleroterion::protocol::{Choose, Quota, Selection};

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

/// Whether a choice keeps the quotas of the only attribute; `groups`: of each on the slate.
pub fn keeps(selection: &Selection, quotas: &[Vec<Quota>], groups: &[u16]) -> bool {
    let count = |group: u16| {
        let of = |slot: &&u32| groups.get(**slot as usize) == Some(&group);
        selection.chosen.as_slice().iter().filter(of).count() as u32
    };
    let there = |group: u16| groups.iter().filter(|&&of| of == group).count() as u32;
    let kept = |(group, quota): (u16, &Quota)| {
        let chosen = count(group);
        chosen <= quota.max && chosen >= quota.min.min(there(group))
    };
    quotas.first().is_none_or(|row| (0..).zip(row).all(kept))
}
