//! The ends: no person, all persons, groups that are gone, scores that are none, parameters that
//! are wrong.

use super::slates::{People, of_groups, realised};
use crate::pool::{
    FairGreedyPool, GreedyTerm, Infeasible, ProportionalPool, ScoreLaw, TargetShare, Weighing,
};

#[test]
fn a_target_of_nobody_and_a_group_that_died_out() {
    let mut people: Vec<(u16, f64)> = (0..40).map(|i| (1 + i % 2, f64::from(i))).collect();
    let weighing = realised(&[0.0, 0.5, 0.5], 3.0);
    let mut policy = FairGreedyPool::new(1, weighing).unwrap();
    let chosen = People::new(3, &people).chosen(&mut policy, 0.25);
    assert_eq!(of_groups(&people, &chosen, 3), [0, 5, 5]);
    // Nobody of a wanted group is left: the others get its places.
    let mut policy = TargetShare::new(1, vec![0.6, 0.4, 0.0]).unwrap();
    let chosen = People::new(3, &people).chosen(&mut policy, 0.25);
    assert_eq!(of_groups(&people, &chosen, 3), [0, 7, 3]);
    people.retain(|person| person.0 == 1);
    for mut policy in [
        FairGreedyPool::new(1, realised(&[0.5, 0.5], 3.0)).unwrap(),
        FairGreedyPool::new(
            1,
            Weighing {
                infeasible: Infeasible::Authors,
                greedy_term: GreedyTerm::Exact,
                laws: vec![ScoreLaw::of_variance(0.0, 1.0); 2],
                ..realised(&[0.5, 0.5], 3.0)
            },
        )
        .unwrap(),
    ] {
        let chosen = People::new(2, &people).chosen(&mut policy, 0.25);
        assert_eq!(of_groups(&people, &chosen, 2), [0, 5]);
    }
}

#[test]
fn nobody_and_everybody() {
    let people: Vec<(u16, f64)> = (0..20).map(|i| (i % 2, f64::from(i))).collect();
    let slate = People::new(2, &people);
    let laws = vec![ScoreLaw::of_variance(0.0, 1.0); 2];
    for infeasible in [Infeasible::Feasible, Infeasible::Authors] {
        for greedy_term in [
            GreedyTerm::Blom,
            GreedyTerm::Exact,
            GreedyTerm::MeanField,
            GreedyTerm::Realised,
        ] {
            let weighing = Weighing {
                greedy_term,
                infeasible,
                laws: laws.clone(),
                ..realised(&[0.4, 0.6], 2.0)
            };
            let mut policy = FairGreedyPool::new(1, weighing).unwrap();
            assert!(slate.chosen(&mut policy, 0.0).is_empty());
            assert!(slate.chosen(&mut policy, 0.04).is_empty());
            assert_eq!(slate.chosen(&mut policy, 1.0).len(), 20);
            assert!(People::new(2, &[]).chosen(&mut policy, 0.5).is_empty());
        }
    }
    let mut policy = ProportionalPool::new(1, 2).unwrap();
    assert!(slate.chosen(&mut policy, 0.0).is_empty());
    assert_eq!(slate.chosen(&mut policy, 1.0).len(), 20);
}

#[test]
fn equal_scores_go_by_slot_and_no_score_comes_last() {
    let people = [
        (0, f64::NAN),
        (0, -0.0),
        (0, 0.0),
        (0, f64::NEG_INFINITY),
        (0, -1.0),
        (0, -2.0),
        (1, 5.0),
        (0, 0.0),
        (0, f64::INFINITY),
    ];
    let slate = People::new(2, &people);
    let mut policy = TargetShare::new(1, vec![1.0, 0.0]).unwrap();
    let mut first = |places: u32| {
        let share = f64::from(places) / people.len() as f64;
        slate.chosen(&mut policy, share)
    };
    assert_eq!(first(1), [8]);
    assert_eq!(first(2), [1, 8]);
    assert_eq!(first(3), [1, 2, 8]);
    assert_eq!(first(4), [1, 2, 7, 8]);
    assert_eq!(first(5), [1, 2, 4, 7, 8]);
    assert_eq!(first(6), [1, 2, 4, 5, 7, 8]);
    assert_eq!(first(7), [1, 2, 3, 4, 5, 7, 8]);
    assert_eq!(first(8), [0, 1, 2, 3, 4, 5, 7, 8]);
}

#[test]
fn all_that_is_wrong_is_named_at_once() {
    let weighing = Weighing {
        target: vec![0.5, 0.4, -0.1],
        lambda: -1.0,
        greedy_term: GreedyTerm::Blom,
        laws: vec![ScoreLaw {
            mean: f64::NAN,
            sd: -1.0,
        }],
        infeasible: Infeasible::Authors,
    };
    let wrong = FairGreedyPool::new(1, weighing).unwrap_err();
    let names: Vec<_> = wrong.0.iter().map(|parameter| parameter.name).collect();
    assert_eq!(
        names,
        [
            "a group's target",
            "the sum of the targets",
            "lambda",
            "the number of score laws",
            "the mean of a group's scores",
            "the standard deviation of a group's scores",
            "the number of groups",
        ]
    );
    assert!(ProportionalPool::new(1, 1).is_err());
    assert!(TargetShare::new(1, vec![]).is_err());
    assert!(FairGreedyPool::score_greedy(1, 0, GreedyTerm::Realised, vec![]).is_err());
}
