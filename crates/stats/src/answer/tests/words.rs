//! Headlines where one policy is left and where two lead, and what a goal still needs.

use super::*;

fn headline(run: &RunResult, judge: &Judge) -> String {
    Summary::of(run, judge).answer.headline
}

/// The run with a lane of each of these policies broken off.
fn broken(mut run: RunResult, labels: &[&str]) -> RunResult {
    for policy in run
        .policies
        .iter_mut()
        .filter(|p| labels.contains(&&*p.label))
    {
        policy.change(|lanes| lanes[3].ending = Ending::Panicked);
    }
    run
}

/// The headline says nothing of policies whose lanes broke off. A policy left alone leads no other.
#[test]
fn who_is_left_after_others_broke_off_is_said() {
    let all = broken(run(&FOUR, 300), &["queue", "cmdp", "slow", "quotas"]);
    let none = "No policy can be compared, because a lane of each broke off";
    assert_eq!(headline(&all, &judge()), none);
    let text = "\u{201c}cmdp\u{201d} is compared with no policy, because a lane of each other one broke off";
    let mut one = judge();
    one.metrics.truncate(1);
    for judge in [judge(), one] {
        let two = broken(run(&FOUR[..2], 300), &["queue"]);
        assert_eq!(headline(&two, &judge), text);
        let four = broken(run(&FOUR, 300), &["queue", "slow", "quotas"]);
        assert_eq!(headline(&four, &judge), text);
    }
    let yard = broken(run(&FOUR[3..], 300), &["quotas"]);
    assert_eq!(
        headline(&yard, &judge()),
        "\u{201c}quotas\u{201d} is the only policy to choose; the others are yardsticks"
    );
}

/// Two that each are better than the same two others, on both measures, and trade off.
#[test]
fn two_leaders_are_no_winner_however_many_they_beat() {
    let made: [Made; 4] = [
        ("queue", 0.1, 0.6),
        ("quotas", 0.02, 0.4),
        ("cmdp", 0.2, 0.2),
        ("slow", 0.3, 0.1),
    ];
    let judge = Judge {
        versus: Versus::Everyone,
        ..judge()
    };
    let found = answer(&made, 300, &judge);
    assert_eq!(found.frontier, ["queue", "quotas"]);
    assert_eq!((found.dominates.len(), found.open), (5, 0));
    assert_eq!(
        found.headline,
        "No policy leads on both measures, as \u{201c}quotas\u{201d} represents best and \
         \u{201c}queue\u{201d} screens fewest"
    );
}

/// The most that any open test is likely to need; none while one has no number.
#[test]
fn a_goal_needs_what_its_slowest_open_test_needs() {
    let few = answer(&FOUR, 12, &goal(0.15)).goal.expect("a goal");
    let needs: Vec<u64> = few.tests.iter().filter_map(|test| test.needed).collect();
    assert_eq!(needs.len(), 4);
    assert!(needs.iter().min() < needs.iter().max());
    assert_eq!(few.needed, needs.iter().copied().max());
    // At the bound itself none would do.
    let held = answer(&[("at", 0.15, 0.5)], 12, &goal(0.15))
        .goal
        .expect("a goal");
    assert_eq!(held.tests.len(), 1);
    assert_eq!(held.needed, held.tests[0].needed);
}
