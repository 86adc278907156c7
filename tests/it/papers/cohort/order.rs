//! The order of application says nothing: 200 orders of the same people, and the law of who is
//! interviewed and chosen is the same for each place in the order.

use kleroterion::policy::cohort::{Quotas, RandomInterviews, Shuffled, UniformInterviews};
use kleroterion::protocol::Quota;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::*;
use crate::support::long;

/// The marks of a round: one is in for sure, four are equals at the boundary, three are out.
const MARKS: [f64; 8] = [5.0, 8.0, 6.0, 8.0, 9.0, 8.0, 5.0, 8.0];

/// People in an order that is drawn; a look says exactly what they are worth.
struct Round {
    instance: Instance,
    /// The person in each slot.
    order: Vec<usize>,
}

fn round(replication: u64, budget: f64) -> Round {
    let mut draw = Key::new(77, replication).draw(Purpose::World, 0, 0);
    let mut order: Vec<usize> = (0..MARKS.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, draw.below(last as u64 + 1) as usize);
    }
    let utilities = order.iter().map(|&person| MARKS[person]).collect();
    let instance = Instance::new(utilities, 3, [0.0, 0.05, 5.0, 2.0]).with(|instance| {
        instance.budget = budget;
        // Groups of the people, two of the equals in each.
        instance.groups = order.iter().map(|&person| person as u16 / 4).collect();
    });
    Round { instance, order }
}

/// The places, from the first to apply to the last, of those who are worth `mark`, in their own
/// order.
fn places(round: &Round, mark: f64) -> Vec<u32> {
    let slots = (0..).zip(&round.order);
    let equals = slots.filter(|(_, person)| MARKS[**person] == mark);
    equals.map(|(slot, _)| slot).collect()
}

/// The p-value of counts that are all equally likely; `each`: how many are counted in a round, of
/// whom no one twice.
fn p_value(counts: &[f64], each: f64) -> f64 {
    let n = counts.len() as f64;
    let expected = counts.iter().sum::<f64>() / n;
    let distance: f64 = counts
        .iter()
        .map(|count| (count - expected).powi(2) / expected)
        .sum();
    // Of several without replacement the counts vary less.
    let distance = distance * (n - 1.0) / (n - each);
    1.0 - ChiSquared::new(n - 1.0).unwrap().cdf(distance)
}

/// Counts, over 200 orders, which of the equals by place are picked.
fn counted(mark: f64, budget: f64, picked: impl Fn(&Round, u64) -> Vec<u32>) -> Vec<f64> {
    let mut counts = vec![0.0; places(&round(0, budget), mark).len()];
    for replication in 0..200 * long() {
        let round = round(replication, budget);
        let equals = places(&round, mark);
        for slot in picked(&round, replication) {
            let place = equals.iter().position(|one| *one == slot);
            counts[place.expect("one of the equals")] += 1.0;
        }
    }
    counts
}

#[track_caller]
fn holds(what: &str, counts: &[f64], each: f64) {
    let p = p_value(counts, each);
    println!("{what}: {counts:?}, p = {p:.3}");
    assert!(p > 1e-4, "{what}: {counts:?}, p = {p:e}");
}

/// Those who were looked at a second time.
fn again(run: &Run) -> Vec<u32> {
    let later = run.answers.iter().skip(MARKS.len());
    later.map(|answer| answer.pull.slot).collect()
}

fn swap<O: Objective>(round: &Round, objective: O, batch: u32) -> Shuffled<Swap<O>> {
    Shuffled::new(round.instance.swap(objective, |parameters| {
        parameters.sigma = 1.0;
        parameters.strong = Strong::Always;
        parameters.stop = StopRule::Budget;
        parameters.batch = batch;
    }))
}

/// With money for one thorough look it is one of the equals at the boundary who gets it, whoever
/// applied first; and of the equals any two are chosen.
#[test]
fn who_is_looked_at_and_who_is_chosen_of_equals_is_chance() {
    let quotas = || Quotas::new(0, vec![Quota { min: 0, max: 3 }; 2]);
    let one = 8.0 + 2.0;
    let played =
        |round: &Round, replication| round.instance.play(swap(round, TopK, 1), replication);
    let looks = counted(8.0, one, |round, r| again(&played(round, r)));
    holds("top_k", &looks, 1.0);
    let looks = counted(8.0, one, |round, r| {
        again(&round.instance.play(swap(round, quotas(), 1), r))
    });
    holds("quota", &looks, 1.0);
    let looks = counted(8.0, one, |round, r| {
        again(&round.instance.play(swap(round, Diverse::new(0), 1), r))
    });
    holds("diverse", &looks, 1.0);
    let looks = counted(8.0, 8.0 + 4.0, |round, r| {
        again(&round.instance.play(swap(round, TopK, 2), r))
    });
    holds("two at once", &looks, 2.0);
    let chosen = |run: &Run, round: &Round| -> Vec<u32> {
        let equals = places(round, 8.0);
        let chosen = run.chosen.iter().copied();
        chosen.filter(|slot| equals.contains(slot)).collect()
    };
    let seats = counted(8.0, one, |round, r| chosen(&played(round, r), round));
    holds("seats of SWAP", &seats, 2.0);
    for (name, baseline) in [("uniform", true), ("random", false)] {
        let seats = counted(8.0, 8.0, |round, r| {
            let (instance, tiers) = (&round.instance, round.instance.tiers());
            let run = match baseline {
                true => instance.play(Shuffled::new(UniformInterviews::new(TopK, tiers)), r),
                false => instance.play(Shuffled::new(RandomInterviews::new(TopK, tiers)), r),
            };
            chosen(&run, round)
        });
        holds(&format!("seats of {name}"), &seats, 2.0);
    }
}

/// Where the money does not reach all, who is looked at is chance.
#[test]
fn who_is_looked_at_for_too_little_money_is_chance() {
    let seen = |run: &Run| {
        run.answers
            .iter()
            .map(|answer| answer.pull.slot)
            .collect::<Vec<_>>()
    };
    for name in ["swap", "uniform", "random"] {
        let mut counts = vec![0.0; MARKS.len()];
        for replication in 0..200 * long() {
            let round = round(replication, 3.0);
            let (instance, tiers) = (&round.instance, round.instance.tiers());
            let run = match name {
                "swap" => instance.play(swap(&round, TopK, 1), replication),
                "uniform" => instance.play(
                    Shuffled::new(UniformInterviews::new(TopK, tiers)),
                    replication,
                ),
                _ => instance.play(
                    Shuffled::new(RandomInterviews::new(TopK, tiers)),
                    replication,
                ),
            };
            assert_eq!(seen(&run).len(), 3);
            for slot in seen(&run) {
                counts[slot as usize] += 1.0;
            }
        }
        holds(name, &counts, 3.0);
    }
}

/// The test would notice who goes by the order of application.
#[test]
fn the_lower_slot_would_be_noticed() {
    let bare = |round: &Round, replication| {
        let swap = round.instance.swap(TopK, |parameters| {
            parameters.sigma = 1.0;
            parameters.strong = Strong::Always;
            parameters.stop = StopRule::Budget;
        });
        again(&round.instance.play(swap, replication))
    };
    let looks = counted(8.0, 10.0, bare);
    assert!(p_value(&looks, 1.0) < 1e-9, "{looks:?}");
}
