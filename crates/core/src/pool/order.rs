//! The order in which people apply: at random, whatever their group.

use crate::draw::Draw;

/// The address of the draws, in the place of nth: which group has which slot; from the next on, who
/// of group 0, 1, ...
const SLOTS: u64 = 1;

/// Returns the applicants of a round, as positions of its roster in the order of the slots:
/// `wanted` of each group, or all of it if there are fewer. `rosters` has the positions of each
/// group's people.
///
/// All orders of the applicants are equally likely. A group's applicants are its first few in a
/// random order (Fisher and Yates, from the first on). So lanes whose counts differ have the same
/// people except for the difference. Each slot then goes to the next person of a group, drawn in
/// proportion to those left. With two groups, the first slots of two lanes differ by no more people
/// of a group than the lanes' counts do.
///
/// `draw` is the round's: it is moved to (`round`, 1) for the slots and to (`round`, 2 + g) for
/// group g, a word a person each.
pub(super) fn in_order(
    mut rosters: Vec<Vec<u32>>,
    wanted: &[u32],
    round: u64,
    draw: &mut Draw,
) -> Vec<u32> {
    for ((roster, &wanted), nth) in rosters.iter_mut().zip(wanted).zip(SLOTS + 1..) {
        draw.readdress(round, nth);
        let (all, some) = (roster.len(), roster.len().min(wanted as usize));
        // Where there is one person left, there is nothing to draw.
        for at in 0..some.min(all.saturating_sub(1)) {
            roster.swap(at, at + draw.below((all - at) as u64) as usize);
        }
        roster.truncate(some);
    }
    draw.readdress(round, SLOTS);
    let mut left: usize = rosters.iter().map(Vec::len).sum();
    let mut queues: Vec<&[u32]> = rosters.iter().map(Vec::as_slice).collect();
    let mut order = Vec::with_capacity(left);
    while left > 0 {
        let mut at = draw.below(left as u64) as usize;
        for queue in &mut queues {
            if let Some((&first, others)) = queue.split_first().filter(|_| at < queue.len()) {
                order.push(first);
                *queue = others;
                break;
            }
            at -= queue.len();
        }
        left -= 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::draw::{Key, Purpose};

    fn order(rosters: &[&[u32]], wanted: &[u32], seed: u64, round: u64) -> Vec<u32> {
        let mut draw = Key::new(seed, 0).draw(Purpose::Muster, round, 0);
        // What was drawn before makes no difference.
        draw.word();
        let rosters = rosters.iter().map(|roster| roster.to_vec()).collect();
        in_order(rosters, wanted, round, &mut draw)
    }

    /// Every choice of people and every order of them, by listing.
    #[test]
    fn all_orders_are_as_likely() {
        for (rosters, wanted, all) in [
            // 3 of 4 and 1 of 2: 4 x 2 choices, 4! orders.
            (vec![&[0, 2, 4, 5][..], &[1, 3]], vec![3, 1], 8 * 24),
            // All of the first, which has fewer than are wanted; none of the second.
            (vec![&[0, 1], &[2], &[3, 4]], vec![3, 0, 1], 2 * 6),
            (vec![&[], &[3, 1]], vec![2, 2], 2),
        ] {
            let runs = 400 * all as u64;
            let mut counts = BTreeMap::<Vec<u32>, u64>::new();
            for round in 0..runs {
                *counts
                    .entry(order(&rosters, &wanted, 9, round))
                    .or_default() += 1;
            }
            assert_eq!(counts.len(), all, "{rosters:?}");
            let off = counts.values().map(|&n| (n as f64 - 400.0).powi(2) / 400.0);
            let (distance, freedom) = (off.sum::<f64>(), (all - 1) as f64);
            // Four standard deviations of chi-square.
            let bound = freedom + 4.0 * (2.0 * freedom).sqrt();
            assert!(distance < bound, "{rosters:?}: {distance} for {freedom}");
        }
    }

    /// The same people in the same order of each group, and as many slots apart as the counts are.
    #[test]
    fn lanes_differ_by_the_difference_of_their_counts() {
        let of_u: Vec<u32> = (0..60).map(|k| 2 * k).collect();
        let of_v: Vec<u32> = (0..60).map(|k| 2 * k + 1).collect();
        let is_of_u = |who: &&u32| who.is_multiple_of(2);
        for round in 1..300 {
            let (few, many) = (round as u32 % 30, 3 + round as u32 % 50);
            let (few, many) = (few.min(many), few.max(many));
            let lane = |count| order(&[&of_u, &of_v], &[count, 60 - count], 4, round);
            let (one, other) = (lane(few), lane(many));
            let people = |order: &[u32], u: bool| -> Vec<u32> {
                order
                    .iter()
                    .filter(|who| is_of_u(who) == u)
                    .copied()
                    .collect()
            };
            assert_eq!(people(&other, true)[..few as usize], people(&one, true));
            let of_v = people(&one, false);
            assert_eq!(of_v[..60 - many as usize], people(&other, false));
            for slots in 0..=60 {
                let count = |order: &[u32]| order[..slots].iter().filter(is_of_u).count();
                let more = count(&other).checked_sub(count(&one)).expect("no fewer");
                assert!(
                    more <= (many - few) as usize,
                    "round {round}, {slots} slots"
                );
            }
        }
    }

    /// Orders of the round are addressed: they may not change.
    #[test]
    fn the_order_of_a_round_is_frozen() {
        let of = |round| {
            order(
                &[&[0, 3, 6, 9], &[1, 4, 7], &[2, 5, 8]],
                &[3, 2, 2],
                2026,
                round,
            )
        };
        let orders = [[3, 5, 9, 8, 6, 4, 7], [4, 6, 7, 3, 8, 2, 9]];
        assert_eq!([1, 2].map(of), orders);
    }
}
