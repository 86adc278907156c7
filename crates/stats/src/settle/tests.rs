use super::*;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::MetricRow;

fn lane(value: Option<f64>) -> LaneResult {
    let row = |value| MetricRow {
        metric: "representation_loss".into(),
        at: None,
        value,
    };
    LaneResult::new(Ending::Filled, None, value.map(row))
}

fn test(bound: GoalBound, alpha: f64) -> Test {
    let constraint = Constraint {
        metric: "representation_loss".into(),
        bound,
    };
    Test::new(&constraint, &Judge::default(), alpha)
}

/// `.5 + .3 sin(i)`, i = 1, 2, ...
fn wave(i: usize) -> f64 {
    0.5 + 0.3 * libm::sin(i as f64)
}

fn close(ours: f64, known: f64) {
    assert!((ours / known - 1.0).abs() < 1e-9, "{ours} against {known}");
}

#[test]
fn e_values_meet_the_reference() {
    let mut at_least = test(GoalBound::AtLeast(0.45), 1e-300);
    let mut above = test(GoalBound::AtLeast(0.6), 1e-300);
    let mut known = [
        (10, 1.684_339_447_707_06, 1.249_723_522_436_45),
        (100, 5.394_967_052_017_99, 26_091.042_959_107_4),
        (1000, 173_509_421_561.149, 6.803_535_820_248_5e49),
    ]
    .into_iter();
    let mut next = known.next();
    for i in 1..=1000 {
        at_least.add(&lane(Some(wave(i))));
        above.add(&lane(Some(wave(i))));
        let Some((at, _, _)) = next else { break };
        if i == at {
            let (_, meets, _) = next.unwrap();
            close(at_least.tested("a").e_meets, meets);
            next = known.next();
        }
    }
    assert!(next.is_none());
    // K- for c = .6 at t = 1000 is 6.80353602482085e49.
    close(above.tested("a").e_fails, 6.803_536_024_820_85e49);
}

#[test]
fn at_most_is_at_least_of_what_is_left() {
    let (mut most, mut least) = (
        test(GoalBound::AtMost(0.4), 0.01),
        test(GoalBound::AtLeast(0.6), 0.01),
    );
    for i in 1..200 {
        most.add(&lane(Some(wave(i))));
        least.add(&lane(Some(1.0 - wave(i))));
        let (ours, twin) = (most.tested("a"), least.tested("a"));
        assert_eq!((ours.meets, ours.needed), (twin.meets, twin.needed), "{i}");
        close(ours.e_fails, twin.e_fails);
    }
    assert_eq!(most.meets(), Meets::SurelyNot);
}

#[test]
fn the_first_look_that_is_sure_settles_it_for_good() {
    let mut test = test(GoalBound::AtMost(0.5), 0.05);
    let mut first = None;
    for i in 0..400 {
        test.add(&lane(Some(if i < 60 { 0.1 } else { 0.9 })));
        if test.meets() == Meets::Surely && first.is_none() {
            first = Some(i);
        }
    }
    assert!(first.unwrap() < 20, "{first:?}");
    assert_eq!(test.meets(), Meets::Surely);
}

#[test]
fn a_bound_at_the_end_of_the_range_can_only_be_refuted_or_always_holds() {
    let mut all = test(GoalBound::AtLeast(1.0), 0.05);
    (0..10_000).for_each(|_| all.add(&lane(Some(1.0))));
    assert_eq!(all.meets(), Meets::Open);
    all.add(&lane(Some(0.999)));
    assert_eq!(all.meets(), Meets::SurelyNot);
    let mut none = test(GoalBound::AtMost(0.0), 0.05);
    (0..10_000).for_each(|_| none.add(&lane(Some(0.0))));
    assert_eq!(none.meets(), Meets::Open);
    none.add(&lane(Some(0.001)));
    assert_eq!(none.meets(), Meets::SurelyNot);
    assert_eq!(test(GoalBound::AtLeast(0.0), 0.05).meets(), Meets::Surely);
    assert_eq!(test(GoalBound::AtMost(1.0), 0.05).meets(), Meets::Surely);
}

#[test]
fn what_has_no_value_counts_for_nothing_and_a_value_beyond_the_range_settles_nothing() {
    let mut test = test(GoalBound::AtMost(0.5), 0.05);
    (0..100).for_each(|_| test.add(&lane(None)));
    assert_eq!((test.tested("a").n, test.meets()), (0, Meets::Open));
    (0..100).for_each(|_| test.add(&lane(Some(0.1))));
    assert_eq!(test.meets(), Meets::Surely);
    test.add(&lane(Some(7.0)));
    assert_eq!(test.meets(), Meets::Open);
}

/// The number is exact for values that are all alike.
#[test]
fn needed_is_how_many_settle_it() {
    for value in [0.3, 0.45] {
        let mut test = test(GoalBound::AtMost(0.4), 0.01);
        (0..20).for_each(|_| test.add(&lane(Some(value))));
        let needed = test.tested("a").needed.expect("one side gains");
        for _ in 1..needed {
            test.add(&lane(Some(value)));
            assert_eq!(test.meets(), Meets::Open);
        }
        test.add(&lane(Some(value)));
        assert_ne!(test.meets(), Meets::Open);
        assert_eq!(test.tested("a").needed, None);
    }
}

/// Places 0 to 3 with these words; `order` lists who is surely better than whom.
fn settled(meets: [Meets; 4], order: &[(usize, usize)], even: &[(usize, usize)]) -> Settled {
    let relation = |a, b| match () {
        () if order.contains(&(a, b)) => Relation::Better,
        () if order.contains(&(b, a)) => Relation::Worse,
        () if even.contains(&(a, b)) || even.contains(&(b, a)) => Relation::Even,
        () => Relation::Open,
    };
    settle(&[0, 1, 2, 3], |place| meets[place], relation)
}

#[test]
fn the_best_of_those_that_surely_meet_it_and_those_not_told_from_it() {
    use Meets::{Open, Surely, SurelyNot};
    let one = settled([Surely, Surely, SurelyNot, SurelyNot], &[(0, 1)], &[]);
    assert_eq!((one.answer, one.is_settled), (vec![0], true));
    let two = settled([Surely, Surely, SurelyNot, SurelyNot], &[], &[]);
    assert_eq!((two.answer, two.is_settled), (vec![0, 1], false));
    assert_eq!(two.open, [(0, 1)]);
    let even = settled([Surely, Surely, SurelyNot, SurelyNot], &[], &[(0, 1)]);
    assert_eq!((even.answer, even.is_settled), (vec![0, 1], true));
    let none = settled([SurelyNot; 4], &[], &[]);
    assert_eq!((none.answer, none.is_settled), (vec![], true));
    // Whoever is surely worse than one that meets the goal can stay open.
    let behind = settled([Surely, Open, SurelyNot, SurelyNot], &[(0, 1)], &[]);
    assert_eq!((behind.answer, behind.is_settled), (vec![0], true));
    let ahead = settled([Surely, Open, SurelyNot, SurelyNot], &[(1, 0)], &[]);
    assert_eq!((ahead.unsure, ahead.is_settled), (vec![1], false));
    // One that fails is no reason to leave another out.
    let failing = settled([Surely, SurelyNot, SurelyNot, SurelyNot], &[(1, 0)], &[]);
    assert_eq!((failing.answer, failing.is_settled), (vec![0], true));
}

#[test]
fn several_constraints_together() {
    use Meets::{Open, Surely, SurelyNot};
    assert_eq!(Meets::all([]), Surely);
    assert_eq!(Meets::all([Surely, Open]), Open);
    assert_eq!(Meets::all([Open, SurelyNot, Surely]), SurelyNot);
}

#[test]
fn what_is_tested_is_summed_up() {
    let mut test = test(GoalBound::AtMost(0.5), 0.01);
    assert_eq!(test.tested("a").mean, None);
    for value in [0.25, 0.5] {
        test.add(&lane(Some(value)));
    }
    let tested = test.tested("a");
    assert_eq!((tested.n, tested.mean), (2, Some(0.375)));
    assert_eq!((tested.alpha, tested.bound.as_str()), (0.01, "<= 0.5"));
    let mut all = self::test(GoalBound::AtMost(0.5), 0.01);
    all.add_all(&PolicyRun::new("a", "k").with([0.25, 0.5].map(|value| lane(Some(value)))));
    assert_eq!(all.tested("a"), tested);
}

#[test]
fn alpha_is_halved_and_split_over_policies_times_constraints() {
    let constraint = |metric: &str| Constraint {
        metric: metric.into(),
        bound: GoalBound::AtMost(0.5),
    };
    let goal = |constraints| Goal {
        best: "selection_rate".into(),
        constraints,
    };
    let judge = Judge {
        alpha: 0.06,
        ..Judge::default()
    };
    let two = goal(vec![
        constraint("representation_loss"),
        constraint("regret"),
    ]);
    assert!((two.alpha(&judge, 3) - 0.005).abs() < 1e-15);
    assert!((goal(vec![]).alpha(&judge, 3) - 0.03).abs() < 1e-15);
}

/// On one stream that has ended the value itself says whether it keeps the bound.
#[test]
fn a_fact_keeps_its_bound_or_does_not() {
    for (bound, meets) in [
        (GoalBound::AtLeast(0.25), Meets::Surely),
        (GoalBound::AtLeast(0.5), Meets::SurelyNot),
        (GoalBound::AtMost(0.25), Meets::Surely),
        (GoalBound::AtMost(0.125), Meets::SurelyNot),
    ] {
        let constraint = Constraint {
            metric: "representation_loss".into(),
            bound,
        };
        let fact = |value| {
            let policy = PolicyRun::new("a", "k").with([lane(value)]);
            Tested::fact(&constraint, &policy)
        };
        assert_eq!(fact(Some(0.25)).meets, meets, "{bound}");
        assert_eq!(fact(Some(0.25)).mean, Some(0.25));
        assert_eq!((fact(None).meets, fact(None).n), (Meets::Open, 0));
    }
}

/// Nor is there a number of values that would settle it then.
#[test]
fn nothing_is_likely_to_settle_what_a_value_beyond_the_range_has_opened() {
    let mut test = test(GoalBound::AtMost(0.5), 0.01);
    (0..4).for_each(|_| test.add(&lane(Some(0.2))));
    assert!(test.tested("a").needed.is_some());
    test.add(&lane(Some(7.0)));
    let tested = test.tested("a");
    assert_eq!(
        (tested.n, tested.meets, tested.needed),
        (4, Meets::Open, None)
    );
}
