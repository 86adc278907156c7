//! A rule for V of the virtual queue, which depends on the instance: a pilot.
//!
//! The larger V, the fewer are screened and the larger is the loss. The best stationary policy for
//! a known law screens K/g* (Do et al. 2021, Section 4), so the rule takes the smallest V with
//! which the queue screens no more than that: of all that cost no more than `cmdp`, the one with
//! the least loss. How many a queue screens before it is full has no closed form; committees are
//! selected in a pilot, on people of the known law, the same people for every V.

use std::sync::Arc;

use super::VirtualQueue;
use kleroterion_core::draw::{Key, NotALaw};
use kleroterion_core::protocol::{Law, Schema, Target};
use kleroterion_core::source::People;

/// The pilot's people are its own, whatever the run's seed: V belongs to the config.
const SEED: u64 = 0x9110;
/// Committees are selected until this number of members is, within the least and most committees.
const MEMBERS: u64 = 50_000;
const COMMITTEES: (u64, u64) = (8, 200);
/// The number of people drawn at a time.
const BLOCK: usize = 1024;
/// The values of V that are tried: 1/8 (4 + n % 4) / 4 2^(n/4), that is 1/8, 1.25/8, 1.5/8, 1.75/8,
/// 2/8 ...
const LAST: u32 = 80;

fn grid(n: u32) -> f64 {
    f64::from(4 + n % 4) / 4.0 * f64::from(1u32 << (n / 4)) / 8.0
}

/// Returns the smallest V with which a committee of `members` takes on average at most `members /
/// gain` people. V is from a grid with steps of an eighth to a quarter.
///
/// # Errors
/// Returns an error if the law can't be drawn from.
pub fn smallest_v(
    schema: &Schema,
    target: &Target,
    law: &Law,
    members: u64,
    gain: f64,
) -> Result<f64, NotALaw> {
    let people = People::new(Arc::new(schema.clone()), law)?;
    let committees = (MEMBERS / members).clamp(COMMITTEES.0, COMMITTEES.1);
    let most = (committees as f64 * members as f64 / gain) as u64;
    let suffices = |n: u32| {
        let queue = VirtualQueue::new(target, grid(n));
        let mut screened = 0;
        (0..committees).all(|committee| {
            let key = Key::new(SEED, committee);
            screened += select(&queue, &people, schema, key, members, most - screened);
            screened <= most
        })
    };
    let all: Vec<u32> = (0..LAST).collect();
    Ok(grid(all.partition_point(|&n| !suffices(n)) as u32))
}

/// Returns the number of people screened for a committee; `most` + 1 if `most` does not suffice.
fn select(
    queue: &VirtualQueue,
    people: &People,
    schema: &Schema,
    key: Key,
    members: u64,
    most: u64,
) -> u64 {
    let mut queue = queue.clone();
    let (mut screened, mut accepted) = (0, 0);
    loop {
        for cell in people.draw(key, screened, BLOCK) {
            if screened > most || accepted == members {
                return screened;
            }
            let values = schema.values(cell);
            if queue.accepts(&values) {
                queue.admit(&values);
                accepted += 1;
            }
            screened += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::protocol::Attribute;

    fn world() -> (Schema, Target, Law) {
        let attribute = Attribute {
            name: "x".into(),
            values: ["a", "b"].map(String::from).into(),
        };
        let schema = Schema::new(vec![attribute], vec![], false).unwrap();
        let target = Target::new(&schema, vec![(0, vec![0.5, 0.5])]);
        (schema, target, Law::Product(vec![vec![0.75, 0.25]]))
    }

    #[test]
    fn the_grid_rises_in_small_steps() {
        assert_eq!(
            [0, 1, 4, 12, 13].map(grid),
            [0.125, 0.15625, 0.25, 1.0, 1.25]
        );
        assert!((1..LAST).all(|n| grid(n) > grid(n - 1) && grid(n) <= 1.25 * grid(n - 1)));
    }

    #[test]
    fn it_is_the_smallest_that_screens_no_more_than_the_best_stationary_policy() {
        let (schema, target, law) = world();
        let people = People::new(Arc::new(schema.clone()), &law).unwrap();
        let (members, gain) = (100, 0.5);
        let mean = |v: f64| {
            let queue = VirtualQueue::new(&target, v);
            let screened = (0..200).map(|committee| {
                let key = Key::new(SEED, committee);
                select(&queue, &people, &schema, key, members, u64::MAX - 1)
            });
            screened.sum::<u64>() as f64 / 200.0
        };
        let v = smallest_v(&schema, &target, &law, members, gain).unwrap();
        let at = (0..LAST).find(|&n| grid(n) == v).unwrap();
        assert!(mean(v) <= 200.0, "{v}: {}", mean(v));
        assert!(at == 0 || mean(grid(at - 1)) > 200.0, "{v}");
    }

    #[test]
    fn where_everybody_can_be_accepted_nobody_need_be_refused() {
        let (schema, target, _) = world();
        let law = Law::Product(vec![vec![0.5, 0.5]]);
        let v = smallest_v(&schema, &target, &law, 20, 1.0).unwrap();
        // Twenty of one value and none of the other: that score is 10, and no sequence of twenty
        // exceeds it.
        assert!((4.0..=12.5).contains(&v), "{v}");
    }
}
