//! The policies on slates of people.

use std::sync::Arc;

use crate::Policy;
use crate::pool::{
    FairGreedyPool, GreedyTerm, Infeasible, ProportionalPool, ScoreLaw, TargetShare, Weighing,
};
use kleroterion_core::draw::{Draw, Key, Purpose};
use kleroterion_core::protocol::{
    Attribute, Batch, Choose, Move, Schema, Selection, Slate, View, ViewNotes, ViewParts,
};

/// People of groups, with scores.
pub(super) struct People(Batch);

impl People {
    pub(super) fn new(groups: usize, people: &[(u16, f64)]) -> Self {
        let attribute = |name: &str, values: usize| Attribute {
            name: name.to_owned(),
            values: (0..values).map(|v| v.to_string()).collect(),
        };
        // The groups are not the first attribute.
        let attributes = vec![attribute("other", 2), attribute("group", groups)];
        let schema = Arc::new(Schema::new(attributes, vec![], true).unwrap());
        let mut batch = Batch::new(Arc::clone(&schema), 1, 0);
        for &(group, score) in people {
            let values = [0, group];
            let cell = schema.cell(&values);
            batch.persons_mut().push(cell, &values, &[], Some(score));
        }
        batch.close_round();
        Self(batch)
    }

    /// Ten people with scores from 0 to 9, the first four of the first of two groups.
    pub(super) fn ten() -> Self {
        let people = (0..10).map(|i| (u16::from(i >= 4), f64::from(i)));
        Self::new(2, &people.collect::<Vec<_>>())
    }

    /// Returns a policy's selection from these people if a share is to be admitted, and its
    /// measures.
    pub(super) fn shown_to(
        &self,
        policy: &mut impl Policy,
        share: f64,
    ) -> (Selection, Vec<(String, f64)>) {
        let (answer, notes) = self.answered_by(policy, share);
        let Move::Select(selection) = answer else {
            panic!("a selection");
        };
        let measures = notes.measures().iter().cloned();
        (
            selection,
            measures.map(|(name, x)| (name.into_owned(), x)).collect(),
        )
    }

    /// A policy's answer in the first round, where a share is to be admitted.
    pub(super) fn answered_by(&self, policy: &mut impl Policy, share: f64) -> (Move, ViewNotes) {
        self.answered_in(1, policy, share)
    }

    /// Returns the policy's answer in a later round.
    pub(super) fn answered_in(
        &self,
        round: u64,
        policy: &mut impl Policy,
        share: f64,
    ) -> (Move, ViewNotes) {
        let slate = Slate::new(&self.0, 0, None);
        let mut draw = Key::new(0, 0).draw(Purpose::Policy, 0, 1);
        let mut notes = ViewNotes::default();
        let mut view = View::of(ViewParts {
            round,
            slate,
            places: Choose::Share(share).places(slate.len(), None),
            places_left: None,
            looks_left: 0,
            money_left: 0.0,
            files: &[],
            answers: &[],
            draw: &mut draw,
            notes: &mut notes,
        });
        (policy.act(&mut view), notes)
    }

    pub(super) fn chosen(&self, policy: &mut impl Policy, share: f64) -> Vec<u32> {
        self.shown_to(policy, share).0.chosen.as_slice().to_vec()
    }
}

/// The best `counts` of each group, by a full sort.
fn sorted(people: &[(u16, f64)], counts: &[u32]) -> Vec<u32> {
    let mut chosen = Vec::new();
    for (g, &count) in counts.iter().enumerate() {
        let mut group: Vec<u32> = (0..people.len() as u32)
            .filter(|&slot| usize::from(people[slot as usize].0) == g)
            .collect();
        group.sort_by(|&a, &b| people[b as usize].1.total_cmp(&people[a as usize].1));
        chosen.extend(&group[..count as usize]);
    }
    chosen.sort_unstable();
    chosen
}

fn crowd(draw: &mut Draw, groups: u64, most: u64) -> Vec<(u16, f64)> {
    let n = 1 + draw.below(most);
    let person = |_| {
        // Rounded scores, so that many are equal.
        let score = (draw.normal() * 4.0).round() / 4.0 + 0.0;
        (draw.below(groups) as u16, score)
    };
    (0..n).map(person).collect()
}

fn counted(people: &[(u16, f64)], groups: usize) -> Vec<u32> {
    let mut sizes = vec![0; groups];
    for &(group, _) in people {
        sizes[usize::from(group)] += 1;
    }
    sizes
}

pub(super) fn of_groups(people: &[(u16, f64)], chosen: &[u32], groups: usize) -> Vec<u32> {
    let chosen: Vec<_> = chosen.iter().map(|&slot| people[slot as usize]).collect();
    counted(&chosen, groups)
}

pub(super) fn realised(target: &[f64], lambda: f64) -> Weighing {
    Weighing {
        target: target.to_vec(),
        lambda,
        greedy_term: GreedyTerm::Realised,
        laws: vec![],
        infeasible: Infeasible::Feasible,
    }
}

/// R of the chosen, by the scores themselves.
fn utility(people: &[(u16, f64)], chosen: &[u32], weighing: &Weighing) -> f64 {
    let places = chosen.len() as f64;
    let scores: f64 = chosen.iter().map(|&slot| people[slot as usize].1).sum();
    let counts = of_groups(people, chosen, weighing.target.len());
    let squares = counts.iter().zip(&weighing.target).map(|(&count, target)| {
        let off = f64::from(count) / places - target;
        off * off
    });
    scores / places - weighing.lambda * 0.5 * squares.sum::<f64>()
}

#[test]
fn the_slates_own_scores_are_weighed_against_the_target() {
    let mut draw = Key::new(8, 1).draw(Purpose::World, 0, 0);
    for round in 0..1_500 {
        let groups = 2 + round % 2;
        let people = crowd(&mut draw, groups as u64, 30);
        let share = draw.uniform();
        let target = if groups == 2 {
            vec![0.3, 0.7]
        } else {
            vec![0.5, 0.0, 0.5]
        };
        let lambda = [0.0, 0.5, 5.0][draw.below(3) as usize];
        let weighing = realised(&target, lambda);
        let mut policy = FairGreedyPool::new(1, weighing.clone()).unwrap();
        let chosen = People::new(groups, &people).chosen(&mut policy, share);
        let sizes = counted(&people, groups);
        let places = chosen.len() as u32;
        assert_eq!(places, (share * people.len() as f64 + 1e-9) as u32);
        if places == 0 {
            continue;
        }
        assert_eq!(
            chosen,
            sorted(&people, &of_groups(&people, &chosen, groups))
        );
        let ours = utility(&people, &chosen, &weighing);
        let mut best = f64::MIN;
        for first in 0..=sizes[0].min(places) {
            let second = if groups == 2 {
                places - first..=places - first
            } else {
                0..=places - first
            };
            for second in second {
                let mut counts = vec![first, second];
                if groups == 3 {
                    counts.push(places - first - second);
                }
                if counts.iter().zip(&sizes).all(|(count, size)| count <= size) {
                    best = best.max(utility(&people, &sorted(&people, &counts), &weighing));
                }
            }
        }
        assert!(ours >= best - 1e-12, "{ours} {best}");
    }
}

#[test]
fn without_weight_the_best_of_all_are_admitted() {
    let mut draw = Key::new(8, 2).draw(Purpose::World, 0, 0);
    for _ in 0..300 {
        let people = crowd(&mut draw, 3, 60);
        let mut policy = FairGreedyPool::score_greedy(1, 3, GreedyTerm::Realised, vec![]).unwrap();
        let chosen = People::new(3, &people).chosen(&mut policy, 0.4);
        let mut scores: Vec<f64> = people.iter().map(|person| person.1).collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        let mut ours: Vec<f64> = chosen.iter().map(|&s| people[s as usize].1).collect();
        ours.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(ours, scores[..ours.len()]);
    }
}

#[test]
fn the_expected_scores_decide_how_many_and_the_real_ones_who() {
    let mut draw = Key::new(8, 3).draw(Purpose::World, 0, 0);
    let laws = vec![
        ScoreLaw::of_variance(0.2, 1.5),
        ScoreLaw::of_variance(0.0, 1.0),
    ];
    for term in [GreedyTerm::Blom, GreedyTerm::Exact, GreedyTerm::MeanField] {
        let weighing = Weighing {
            laws: laws.clone(),
            greedy_term: term,
            ..realised(&[0.4, 0.6], 1.0)
        };
        // One policy for many slates: nothing of one is left in the next.
        let mut policy = FairGreedyPool::new(1, weighing.clone()).unwrap();
        for _ in 0..200 {
            let people = crowd(&mut draw, 2, 80);
            let chosen = People::new(2, &people).chosen(&mut policy, 0.3);
            let sizes = counted(&people, 2);
            let places = chosen.len() as u32;
            if places == 0 {
                continue;
            }
            let share = weighing.share(places, [sizes[0], sizes[1]]);
            let first = (share * f64::from(places)).round() as u32;
            assert_eq!(chosen, sorted(&people, &[first, places - first]));
        }
    }
}

#[test]
fn the_released_code_declares_what_it_meant() {
    // Two of the first group, and the target wants nine of ten.
    let mut people = vec![(1, 0.0); 18];
    people.extend([(0, 1.0), (0, 2.0)]);
    let law = ScoreLaw::of_variance(0.0, 1.0);
    let weighing = Weighing {
        laws: vec![law; 2],
        greedy_term: GreedyTerm::Blom,
        infeasible: Infeasible::Authors,
        ..realised(&[0.9, 0.1], 100.0)
    };
    let mut policy = FairGreedyPool::new(1, weighing.clone()).unwrap();
    let (selection, measures) = People::new(2, &people).shown_to(&mut policy, 0.5);
    assert_eq!(selection.declared.as_deref(), Some(&[0.9, 1.0 - 0.9][..]));
    assert_eq!(measures, [("nominal_share".to_owned(), 0.9)]);
    assert_eq!(of_groups(&people, selection.chosen.as_slice(), 2), [2, 8]);
    assert_eq!(weighing.share(10, [2, 18]), 0.9);
    let mut policy = FairGreedyPool::new(
        1,
        Weighing {
            infeasible: Infeasible::Feasible,
            ..weighing
        },
    )
    .unwrap();
    let (selection, measures) = People::new(2, &people).shown_to(&mut policy, 0.5);
    assert_eq!(selection.declared, None);
    assert!(measures.is_empty());
    // By the slate's own scores just as well.
    let weighing = Weighing {
        infeasible: Infeasible::Authors,
        ..realised(&[0.9, 0.1], 100.0)
    };
    let mut policy = FairGreedyPool::new(1, weighing).unwrap();
    let (selection, _) = People::new(2, &people).shown_to(&mut policy, 0.5);
    assert_eq!(selection.declared.as_deref(), Some(&[0.9, 1.0 - 0.9][..]));
}

#[test]
fn fixed_shares_are_the_nearest_that_can_be_made() {
    let mut draw = Key::new(8, 4).draw(Purpose::World, 0, 0);
    for round in 0..600 {
        let groups = 2 + round % 2;
        let people = crowd(&mut draw, groups as u64, 25);
        let sizes = counted(&people, groups);
        let target = if groups == 2 {
            vec![0.35, 0.65]
        } else {
            vec![0.5, 0.0, 0.5]
        };
        let slate = People::new(groups, &people);
        let n = people.len() as f64;
        let applying: Vec<f64> = sizes.iter().map(|&size| f64::from(size) / n).collect();
        for (wanted, chosen) in [
            (
                applying,
                slate.chosen(&mut ProportionalPool::new(1, groups).unwrap(), 0.4),
            ),
            (
                target.clone(),
                slate.chosen(&mut TargetShare::new(1, target.clone()).unwrap(), 0.4),
            ),
        ] {
            let places = chosen.len() as u32;
            if places == 0 {
                continue;
            }
            let counts = of_groups(&people, &chosen, groups);
            assert_eq!(chosen, sorted(&people, &counts));
            let off = |counts: &[u32]| -> f64 {
                let by =
                    |(&count, wanted): (&u32, &f64)| f64::from(count) - wanted * f64::from(places);
                counts.iter().zip(&wanted).map(by).map(|by| by * by).sum()
            };
            for from in 0..groups {
                for to in 0..groups {
                    if from != to && counts[from] > 0 && counts[to] < sizes[to] {
                        let mut other = counts.clone();
                        other[from] -= 1;
                        other[to] += 1;
                        let nearer = off(&other) - off(&counts);
                        assert!(nearer > -1e-9, "{counts:?} {other:?} for {wanted:?}");
                        // Two as near: fewer of the earlier group.
                        assert!(nearer.abs() > 1e-9 || from > to || groups > 2);
                    }
                }
            }
        }
    }
}
