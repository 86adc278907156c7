//! Institutions against all their choices, listed.

use super::slates::People;
use crate::pool::{Coordination, FairGreedyPool, GreedyTerm, Infeasible, Institutions, Weighing};
use kleroterion_core::draw::{Draw, Key, Purpose};

const TARGET: f64 = 0.4;

/// The scores of each group, best first.
fn sorted(people: &[(u16, f64)]) -> [Vec<f64>; 2] {
    [0, 1].map(|group| {
        let of = people.iter().filter(|(one, _)| *one == group);
        let mut scores: Vec<f64> = of.map(|(_, score)| *score).collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        scores
    })
}

/// The utility of an institution times its places, of `k` of `places` after `taken`; none where
/// there are too few.
fn utility(
    scores: &[Vec<f64>; 2],
    taken: [usize; 2],
    places: usize,
    k: usize,
    lambda: f64,
) -> Option<f64> {
    let part = |group: usize, many: usize| -> Option<f64> {
        let from = taken[group];
        Some(scores[group].get(from..from + many)?.iter().sum())
    };
    let off = k as f64 / places as f64 - TARGET;
    let fair = lambda * off * off * places as f64;
    Some(part(0, k)? + part(1, places - k)? - fair)
}

/// The choices of all institutions in turn, each by trying all of its own.
fn in_turn(scores: &[Vec<f64>; 2], all: &[(usize, f64)]) -> usize {
    let mut taken = [0, 0];
    for &(places, lambda) in all {
        let worth = |k: &usize| utility(scores, taken, places, *k, lambda);
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        for k in 0..=places {
            if let Some(worth) = worth(&k).filter(|worth| *worth > most) {
                (best, most) = (k, worth);
            }
        }
        taken = [taken[0] + best, taken[1] + places - best];
    }
    taken[0]
}

/// The best of all their choices together.
fn together(scores: &[Vec<f64>; 2], all: &[(usize, f64)], taken: [usize; 2]) -> Option<f64> {
    let Some((&(places, lambda), rest)) = all.split_first() else {
        return Some(0.0);
    };
    let each = (0..=places).filter_map(|k| {
        let own = utility(scores, taken, places, k, lambda)?;
        let next = [taken[0] + k, taken[1] + places - k];
        Some(own + together(scores, rest, next)?)
    });
    each.max_by(f64::total_cmp)
}

fn crowd(draw: &mut Draw, most: u64) -> Vec<(u16, f64)> {
    let n = 8 + draw.below(most - 8);
    let one = |_| (u16::from(draw.uniform() < 0.6), draw.normal() + 5.0);
    (0..n).map(one).collect()
}

#[test]
fn each_way_is_the_best_of_all_choices() {
    for case in 0..300 {
        let mut draw = Key::new(9, case).draw(Purpose::Person, 0, 0);
        let people = crowd(&mut draw, 24);
        let scores = sorted(&people);
        let lambdas = [3.0 * draw.uniform(), 0.0, 8.0 * draw.uniform()];
        let parts = [0.5, 0.25, 0.25];
        // Half of them, in fours.
        let places = people.len() / 2 / 4 * 4;
        let share = places as f64 / people.len() as f64;
        let all: Vec<(usize, f64)> = parts
            .iter()
            .zip(lambdas)
            .map(|(part, lambda)| ((part * places as f64) as usize, lambda))
            .collect();
        let chosen = |coordination| {
            let given: Vec<(f64, f64)> = parts.into_iter().zip(lambdas).collect();
            let target = [TARGET, 1.0 - TARGET];
            let policy = Institutions::new(1, &target, &given, coordination);
            let chosen = People::new(2, &people).chosen(&mut policy.unwrap(), share + 1e-9);
            assert_eq!(chosen.len(), places);
            chosen
        };
        let first = |slots: &[u32]| {
            slots
                .iter()
                .filter(|&&slot| people[slot as usize].0 == 0)
                .count()
        };
        let turn = first(&chosen(Coordination::InTurn));
        assert_eq!(turn, in_turn(&scores, &all), "{case}");
        // Together: with as many of the first group the best split is as good as any.
        let k = first(&chosen(Coordination::Together));
        let best = together(&scores, &all, [0, 0]).unwrap();
        let with = |k: usize| {
            let splits = (0..=all[0].0).flat_map(|a| (0..=all[1].0).map(move |b| (a, b)));
            let own = splits.filter_map(|(a, b)| {
                let c = k.checked_sub(a + b)?;
                let mut taken = [0, 0];
                let mut sum = 0.0;
                for (&(places, lambda), k) in all.iter().zip([a, b, c]) {
                    (k <= places).then_some(())?;
                    sum += utility(&scores, taken, places, k, lambda)?;
                    taken = [taken[0] + k, taken[1] + places - k];
                }
                Some(sum)
            });
            own.max_by(f64::total_cmp).unwrap()
        };
        assert!(
            (with(k) - best).abs() < 1e-9,
            "{case}: {k} {} {best}",
            with(k)
        );
    }
}

#[test]
fn one_institution_is_fair_greedy() {
    for case in 0..100 {
        let mut draw = Key::new(10, case).draw(Purpose::Person, 0, 0);
        let people = People::new(2, &crowd(&mut draw, 60));
        let target = [TARGET, 1.0 - TARGET];
        let weighing = Weighing {
            target: target.into(),
            lambda: 2.0,
            greedy_term: GreedyTerm::Realised,
            laws: Vec::new(),
            infeasible: Infeasible::Feasible,
        };
        let mut fair = FairGreedyPool::new(1, weighing).unwrap();
        for coordination in [Coordination::InTurn, Coordination::Together] {
            let one = Institutions::new(1, &target, &[(1.0, 2.0)], coordination);
            let chosen = people.chosen(&mut one.unwrap(), 0.3);
            assert_eq!(chosen, people.chosen(&mut fair, 0.3), "{case}");
        }
    }
}

#[test]
fn all_that_is_wrong_is_named() {
    let institutions = [(0.5, -1.0), (0.6, 2.0), (0.0, f64::NAN)];
    let wrong = Institutions::new(0, &[0.2, 0.3, 0.5], &institutions, Coordination::InTurn);
    let text = wrong.unwrap_err().to_string();
    for part in [
        "groups",
        "a part of the places",
        "the sum of the parts",
        "lambda",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
