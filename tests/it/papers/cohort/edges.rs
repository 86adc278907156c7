//! The ends of what can be asked for.

use kleroterion::policy::cohort::{
    BoundaryParameters, BoundaryReviews, RandomInterviews, Stopped, UniformInterviews,
};

use super::judge::{Aim, PlainSwap};
use super::*;

fn plain(instance: &Instance, replication: u64) -> Run {
    instance.play(instance.swap(TopK, |_| ()), replication)
}

fn stop(run: &Run) -> f64 {
    run.measures["last_stop"]
}

fn is(stopped: Stopped) -> f64 {
    f64::from(stopped as u8)
}

#[test]
fn everybody_is_chosen_after_one_look_each() {
    for n in [2, 7] {
        let run = plain(&Instance::line(n, n, [0.5, 0.05, 5.0, 2.0]), 0);
        assert_eq!(run.chosen, (0..n).collect::<Vec<_>>());
        assert_eq!((run.cost, run.converged()), (f64::from(n), true));
        assert_eq!(stop(&run), is(Stopped::Exact));
    }
    let alone = Instance::new(vec![3.0], 1, [0.5, 0.05, 5.0, 2.0]);
    assert_eq!(plain(&alone, 0).chosen, [0]);
    // More places than people: all of a smaller slate.
    let few = Instance::new(vec![3.0, 1.0], 5, [0.5, 0.05, 5.0, 2.0]);
    assert_eq!(plain(&few, 0).chosen, [0, 1]);
}

#[test]
fn one_is_chosen() {
    let one = Instance::line(10, 1, [0.1, 0.05, 5.0, 2.0]);
    for replication in 0..20 {
        let run = plain(&one, replication);
        assert_eq!((&run.chosen[..], run.converged()), (&[9][..], true));
    }
}

#[test]
fn no_candidate_is_chosen_where_there_is_no_place() {
    let none = Instance::line(4, 0, [0.1, 0.05, 5.0, 2.0]);
    let run = none.play(none.swap(TopK, |_| ()), 0);
    assert_eq!((run.chosen.len(), run.cost), (0, 0.0));
}

#[test]
fn without_noise_one_look_each_is_enough() {
    let exact = Instance::line(30, 7, [0.0, 0.05, 5.0, 2.0]);
    let run = plain(&exact, 0);
    assert_eq!(run.chosen, exact.optimum(&TopK));
    assert_eq!((run.cost, run.converged()), (30.0, true));
    // Identical arms, known exactly: any cohort is best, so the lower slots.
    let equal = Instance::new(vec![0.5; 9], 4, [0.0, 0.05, 5.0, 2.0]);
    for (objective, chosen) in [(false, [0, 1, 2, 3]), (true, [0, 1, 2, 3])] {
        let run = match objective {
            false => equal.play(equal.swap(TopK, |_| ()), 0),
            true => equal.play(equal.swap(Diverse::new(0), |_| ()), 0),
        };
        assert_eq!(run.chosen, chosen);
        assert_eq!((run.cost, run.converged()), (9.0, true));
    }
}

#[test]
fn identical_arms_are_looked_at_until_the_cap() {
    for coins in [false, true] {
        let equal = Instance::new(vec![0.5; 12], 4, [0.2, 0.05, 5.0, 2.0]).with(|instance| {
            instance.coins = coins;
            instance.cap = 3000;
        });
        for diverse in [false, true] {
            let run = match diverse {
                false => plain(&equal, 0),
                true => equal.play(equal.swap(Diverse::new(0), |_| ()), 0),
            };
            assert_eq!((run.looks, run.chosen.len()), (3000, 4));
            assert_eq!((run.ending, run.converged()), (Ending::Capped, false));
            assert_eq!(stop(&run), is(Stopped::Cap));
        }
        // Within any epsilon of the best they are all.
        let near = equal.swap(TopK, |p| p.stop = StopRule::Within(1.0));
        let run = equal.play(near, 0);
        assert!(run.converged() && run.looks < 3000);
        assert_eq!(stop(&run), is(Stopped::Within));
    }
}

#[test]
fn coins_that_all_show_the_same_are_ties_everywhere() {
    // u = 0 and u = 1: every mean is exactly 0 or 1.
    let coins = Instance::new(vec![1.0, 0.0, 1.0, 0.0, 0.0, 1.0], 3, [0.5, 0.05, 5.0, 2.0])
        .with(|instance| instance.coins = true);
    let run = plain(&coins, 0);
    assert_eq!((&run.chosen[..], run.converged()), (&[0, 2, 5][..], true));
    let tied = Instance {
        members: 2,
        cap: 500,
        ..coins
    };
    let run = plain(&tied, 0);
    assert_eq!((run.converged(), run.looks), (false, 500));
    assert!(run.chosen.iter().all(|slot| [0, 2, 5].contains(slot)));
}

#[test]
fn a_cap_of_n_chooses_by_the_first_looks() {
    let capped = Instance::t2().with(|instance| instance.cap = 10);
    let run = plain(&capped, 0);
    assert_eq!((run.looks, run.cost), (10, 10.0));
    assert_eq!((run.ending, run.converged()), (Ending::Capped, false));
    let mut order: Vec<(f64, u32)> = (run.answers.iter())
        .map(|answer| (-answer.value, answer.pull.slot))
        .collect();
    order.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let mut best: Vec<u32> = order[..3].iter().map(|(_, slot)| *slot).collect();
    best.sort_unstable();
    assert_eq!(run.chosen, best);
    // It may pass the stop test with the last look all the same.
    let easy = Instance::line(5, 2, [1e-6, 0.05, 5.0, 2.0]).with(|instance| instance.cap = 5);
    let run = plain(&easy, 0);
    assert_eq!((run.ending, run.converged()), (Ending::Capped, true));
    assert_eq!(stop(&run), is(Stopped::Exact));
}

#[test]
fn fewer_looks_than_people_leave_the_unseen_for_last() {
    let quotas = Diverse::new(0);
    for (cap, budget) in [
        (4, f64::INFINITY),
        (100, 4.0),
        (100, 4.7),
        (0, 9.0),
        (9, 0.5),
    ] {
        let poor = Instance::line(10, 3, [1e-9, 0.05, 5.0, 2.0]).with(|instance| {
            instance.cap = cap;
            instance.budget = budget;
        });
        let served = cap.min(budget as u64);
        let run = plain(&poor, 0);
        let expected: [u32; 3] = if served == 4 { [1, 2, 3] } else { [0, 1, 2] };
        assert_eq!((run.looks, &run.chosen[..]), (served, &expected[..]));
        assert!(!run.converged());
        let which = if cap <= served {
            Stopped::Cap
        } else {
            Stopped::Budget
        };
        assert_eq!(stop(&run), is(which));
        assert_eq!(
            poor.play(poor.swap(quotas.clone(), |_| ()), 0).chosen.len(),
            3
        );
        let uniform = poor.play(UniformInterviews::new(TopK, poor.tiers()), 0);
        assert_eq!(uniform.chosen, expected);
        let random = poor.play(RandomInterviews::new(TopK, poor.tiers()), 0);
        assert_eq!(random.chosen, expected);
    }
}

#[test]
fn a_look_that_does_not_fit_the_money_ends_the_run() {
    let tight = Instance::t2().with(|instance| instance.budget = 11.5);
    let strong = tight.play(tight.swap(TopK, |p| p.strong = Strong::Always), 0);
    assert_eq!((strong.cost, strong.ending), (10.0, Ending::Horizon));
    assert_eq!(
        (strong.converged(), stop(&strong)),
        (false, is(Stopped::Budget))
    );
    let weak = tight.play(tight.swap(TopK, |p| p.strong = Strong::Never), 0);
    assert_eq!(weak.cost, 11.0);
}

#[test]
fn with_the_weight_inside_the_logarithm_the_stop_never_comes() {
    // T11 takes some 30 with T outside, as the same judge shows.
    let t11 = Instance::line(5, 2, [0.1, 0.05, 8.0, 3.0]).with(|instance| instance.cap = 5000);
    for replication in 0..5 {
        let mut judge = PlainSwap::new(Aim::TopK, t11.kinds(), [0.05, 0.1, 1.0]);
        let outside = t11.play(judge.clone(), replication);
        assert!(
            outside.converged() && outside.looks < 50,
            "{}",
            outside.looks
        );
        judge.as_printed = true;
        let inside = t11.play(judge, replication);
        assert_eq!((inside.looks, inside.converged()), (5000, false));
        assert_eq!(inside.ending, Ending::Capped);
    }
}

#[test]
fn parameters_that_cant_be_are_named_all_at_once() {
    let tiers = Instance::t2().tiers();
    let wrong = SwapParameters {
        delta: 1.0,
        sigma: f64::NAN,
        strong: Strong::Probability(1.5),
        stop: StopRule::Within(-1.0),
        batch: 0,
        ..SwapParameters::default()
    };
    let error = Swap::new(TopK, tiers, wrong).unwrap_err();
    let names: Vec<&str> = error.0.iter().map(|wrong| wrong.name).collect();
    assert_eq!(names, ["delta", "sigma", "strong", "within", "batch"]);
}

#[test]
fn uniform_interviews_look_weakly_at_all_and_then_strongly() {
    let looks = |run: &Run| -> Vec<(u32, usize)> {
        let pulls = run.answers.iter().map(|answer| answer.pull);
        pulls.map(|pull| (pull.slot, pull.kind)).collect()
    };
    let four = Instance::line(4, 2, [0.2, 0.05, 5.0, 2.0]).with(|instance| instance.budget = 15.0);
    let run = four.play(UniformInterviews::new(TopK, four.tiers()), 0);
    let turn = |kind| (0..4).map(move |slot| (slot, kind));
    let expected: Vec<_> = turn(0).chain(turn(1)).chain(turn(0).take(3)).collect();
    assert_eq!(looks(&run), expected);
    // Where nothing ends the looks there is one pass: n (1 + j).
    let endless = four.with(|instance| {
        instance.budget = f64::INFINITY;
        instance.cap = u64::MAX;
    });
    let run = endless.play(UniformInterviews::new(TopK, endless.tiers()), 0);
    assert_eq!(run.cost, 12.0);
    let run = endless.play(RandomInterviews::new(TopK, endless.tiers()), 0);
    assert_eq!(run.looks, 8);
}

#[test]
fn random_interviews_toss_a_fair_coin_over_uniform_arms() {
    let five = Instance::line(5, 2, [0.2, 0.05, 5.0, 2.0]).with(|instance| instance.cap = 4005);
    let run = five.play(RandomInterviews::new(TopK, five.tiers()), 0);
    let (first, rest) = run.answers.split_at(5);
    assert!(
        (0..)
            .zip(first)
            .all(|(slot, a)| (a.pull.slot, a.pull.kind) == (slot, 0))
    );
    let strong = rest.iter().filter(|answer| answer.pull.kind == 1).count();
    assert!((1880..2120).contains(&strong), "{strong}");
    for slot in 0..5 {
        let looks = rest
            .iter()
            .filter(|answer| answer.pull.slot == slot)
            .count();
        assert!((700..900).contains(&looks), "{slot}: {looks}");
    }
}

/// "Applicants at the top … and applicants at the bottom … only need one review. Applicants on the
/// boundary, however, may go through multiple reviews."
#[test]
fn the_boundary_alone_is_reviewed_several_times() {
    let ten = Instance::line(10, 4, [1e-9, 0.05, 5.0, 2.0]);
    for (band, reviews, boundary) in [
        (0.25, 3, vec![5, 6]),
        (0.5, 4, vec![4, 5, 6, 7]),
        (0.25, 1, vec![]),
        (9.0, 2, (0..10).collect()),
    ] {
        let parameters = BoundaryParameters { band, reviews };
        let policy = BoundaryReviews::new(TopK, ten.tiers(), parameters).expect("sound");
        let run = ten.play(policy, 0);
        assert!(run.answers.iter().all(|answer| answer.pull.kind == 0));
        for slot in 0..10 {
            let of_slot = run.answers.iter().filter(|answer| answer.pull.slot == slot);
            let known = if boundary.contains(&slot) { reviews } else { 1 };
            assert_eq!(
                of_slot.count(),
                known as usize,
                "{slot} at {band}, {reviews}"
            );
        }
        let mut chosen = run.chosen.clone();
        chosen.sort_unstable();
        assert_eq!(chosen, [6, 7, 8, 9]);
    }
}

#[test]
fn every_round_starts_anew() {
    let instance = Instance::t2();
    let key = Key::new(2019, 0);
    let batch = instance.batch(key, 3);
    let mut rules = instance.rules();
    rules.until = Until::Rounds(3);
    let state = LaneState::new(Arc::new(rules), key, "lane", false, false);
    let mut lane = Lane::new(Blind(instance.swap(TopK, |_| ())), state);
    let mut ledger = Ledger::new(false);
    assert!(matches!(lane.play(&batch, &mut ledger), Need::End(_)));
    let spent: Vec<(f64, u64)> = ledger.spending_in(0..3).collect();
    // The first round is that of a run of its own; the others have other noise.
    let alone = plain(&instance, 0);
    assert_eq!(spent[0], (alone.cost, alone.looks));
    assert!(spent[1] != spent[0] && spent[2] != spent[1]);
    for round in 0..3 {
        let first = 10 * round as u32;
        let chosen = ledger.chosen_in(round..round + 1).0;
        assert_eq!(chosen, [first + 7, first + 8, first + 9]);
    }
}

#[test]
fn means_beyond_all_numbers_end_the_looks() {
    // Every look is a number, but their sum is not.
    let vast = Instance::new(vec![1.7e308; 6], 2, [1e300, 0.05, 5.0, 2.0]);
    let run = plain(&vast, 0);
    assert_eq!((run.chosen.len(), run.converged()), (2, false));
    let diverse = vast.play(vast.swap(Diverse::new(0), |_| ()), 0);
    assert_eq!(diverse.chosen.len(), 2);
}
