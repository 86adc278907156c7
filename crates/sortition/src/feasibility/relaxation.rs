//! The smallest relaxation of quotas within flexible bounds that lets a committee exist.

use super::program::SeatingProgram;
use super::supply::{Bound, Relaxation, Shift, Supply};
use kleroterion_core::protocol::{Quota, Side};

/// Returns the relaxation of `quotas` that changes bounds by the fewest seats in all. No bound
/// moves beyond its bound in `flexible` (in the same shape). The rest is as in
/// [`feasibility`](super::feasibility()).
///
/// The tools that these bounds come from weigh a seat below a low minimum more than one above a
/// maximum; here each seat counts one.
///
/// ```
/// use kleroterion_sortition::feasibility::{NODES, Relaxation, Supply, relaxation};
/// use kleroterion_core::protocol::Quota;
///
/// let people = [[0_u16], [0], [0], [1]];
/// let supply = Supply::people(people.iter().map(<[u16; 1]>::as_slice), None);
/// let quotas = [vec![Quota { min: 0, max: 2 }, Quota { min: 2, max: 2 }]];
/// let flexible = [vec![Quota { min: 0, max: 2 }, Quota { min: 1, max: 2 }]];
/// let found = relaxation(&quotas, &flexible, 2, &supply, NODES);
/// let Relaxation::Shifts { shifts, .. } = &found else { panic!() };
/// assert_eq!((shifts.len(), shifts[0].to), (1, 1));
/// let relaxed = found.applied(&quotas).unwrap();
/// assert_eq!(relaxed[0][1], Quota { min: 1, max: 2 });
/// assert_eq!(relaxation(&quotas, &quotas, 2, &supply, NODES), Relaxation::None);
/// ```
#[must_use]
pub fn relaxation(
    quotas: &[Vec<Quota>],
    flexible: &[Vec<Quota>],
    members: u32,
    supply: &Supply,
    nodes: u64,
) -> Relaxation {
    let bounds = super::bounds(quotas, members, supply);
    let room = |bound: &Bound| {
        let flexible = &flexible[bound.attribute][bound.value];
        match bound.side {
            Side::Min => bound.seats.saturating_sub(flexible.min),
            Side::Max => flexible.max.min(members).saturating_sub(bound.seats),
        }
    };
    let room: Vec<u32> = bounds.iter().map(room).collect();
    let program = SeatingProgram::new(supply, members, nodes);
    program.nearest(&bounds, Some(&room))
}

impl Relaxation {
    /// Returns the quotas with the changes made. `None` if no changes make them keepable.
    #[must_use]
    pub fn applied(&self, quotas: &[Vec<Quota>]) -> Option<Vec<Vec<Quota>>> {
        let Self::Shifts { shifts, .. } = self else {
            return None;
        };
        let mut relaxed = quotas.to_vec();
        for Shift { bound, to } in shifts {
            let quota = &mut relaxed[bound.attribute][bound.value];
            match bound.side {
                Side::Min => quota.min = *to,
                Side::Max => quota.max = *to,
            }
        }
        Some(relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::NODES;
    use super::*;
    use kleroterion_core::draw::{Key, Purpose};

    /// Returns the number of seats by which a committee misses quotas. `None` if it misses a
    /// flexible bound.
    fn missed(quotas: &[Vec<Quota>], flexible: &[Vec<Quota>], chosen: &[&[u16]]) -> Option<u64> {
        let mut off = 0;
        for (attribute, (row, wide)) in quotas.iter().zip(flexible).enumerate() {
            for (value, (quota, wide)) in row.iter().zip(wide).enumerate() {
                let has = |one: &&&[u16]| usize::from(one[attribute]) == value;
                let count = chosen.iter().filter(has).count() as u32;
                if !(wide.min..=wide.max).contains(&count) {
                    return None;
                }
                let short = quota.min.saturating_sub(count) + count.saturating_sub(quota.max);
                off += u64::from(short);
            }
        }
        Some(off)
    }

    #[test]
    fn no_committee_within_the_flexible_bounds_misses_fewer_seats() {
        let mut words = Key::new(38, 0).draw(Purpose::World, 0, 0);
        let mut found = [0; 3];
        for _ in 0..150 {
            let people: Vec<[u16; 2]> = (0..8)
                .map(|_| [words.below(2) as u16, words.below(3) as u16])
                .collect();
            let mut row = |values: usize| -> Vec<(Quota, Quota)> {
                let quota = |_| {
                    let (min, max) = (words.below(4) as u32, words.below(3) as u32);
                    let (down, up) = (words.below(3) as u32, words.below(3) as u32);
                    let wide = Quota {
                        min: min.saturating_sub(down),
                        max: min + max + up,
                    };
                    (
                        Quota {
                            min,
                            max: min + max,
                        },
                        wide,
                    )
                };
                (0..values).map(quota).collect()
            };
            let both = [row(2), row(3)];
            let quotas = both
                .clone()
                .map(|row| row.into_iter().map(|(q, _)| q).collect());
            let wide = both.map(|row| row.into_iter().map(|(_, w)| w).collect());
            let supply = Supply::people(people.iter().map(<[u16; 2]>::as_slice), None);
            let sets = (0_u32..1 << people.len()).filter(|set| set.count_ones() == 4);
            let least = sets.filter_map(|set| {
                let of = people.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
                missed(
                    &quotas,
                    &wide,
                    &of.map(|(_, p)| p.as_slice()).collect::<Vec<_>>(),
                )
            });
            let least = least.min();
            let found_now = relaxation(&quotas, &wide, 4, &supply, NODES);
            let seats = match &found_now {
                Relaxation::Shifts { shifts, least } => {
                    assert!(least);
                    Some(shifts.iter().map(Shift::seats).sum())
                }
                Relaxation::None => None,
                Relaxation::Undecided => panic!("eight people"),
            };
            assert_eq!(seats, least, "{quotas:?} {wide:?} {people:?}");
            if let Some(relaxed) = found_now.applied(&quotas) {
                let again = relaxation(&relaxed, &relaxed, 4, &supply, NODES);
                assert!(matches!(again, Relaxation::Shifts { shifts, .. } if shifts.is_empty()));
            }
            found[least.map_or(0, |least| 1 + usize::from(least > 0))] += 1;
        }
        assert!(found.iter().all(|n| *n > 10), "{found:?}");
    }
}
