//! The objectives' best cohorts, against all cohorts there are.

use kleroterion::policy::cohort::{CohortShape, Quotas};
use kleroterion::protocol::Quota;

use super::*;

/// All cohorts of a shape.
fn cohorts(shape: &CohortShape) -> impl Iterator<Item = Vec<bool>> {
    let (n, members) = (shape.groups.len(), shape.members as u32);
    let sets = (0u32..1 << n).filter(move |set| set.count_ones() == members);
    sets.map(move |set| (0..n).map(|i| set >> i & 1 == 1).collect())
}

/// Random fields with values of any sign, many equal, some minus infinity.
fn fields() -> impl Iterator<Item = (CohortShape, Vec<f64>)> {
    (0..400).map(|seed| {
        let u = uniforms(seed, 64);
        let n = 1 + (u[0] * 9.0) as usize;
        let members = (1 + (u[1] * n as f64) as usize).min(n);
        let groups = 1.0 + (u[2] * 4.0).floor();
        let [low, step] =
            [[0.0, 1e-9], [-1.0, 1e-9], [-0.5, 0.25], [-2.0, 0.5]][(u[3] * 4.0) as usize];
        let value = |u: &f64| {
            let value = low + (2.0 * u / step).round() * step;
            if *u < 0.02 { f64::NEG_INFINITY } else { value }
        };
        let shape = CohortShape {
            members,
            groups: u[10..10 + n].iter().map(|u| (u * groups) as u16).collect(),
        };
        (shape, u[30..30 + n].iter().map(value).collect())
    })
}

/// The best of all cohorts that may be.
fn listed<O: Objective>(
    objective: &O,
    shape: &CohortShape,
    values: &[f64],
    may_be: impl Fn(&[bool]) -> bool,
) -> f64 {
    let worths = cohorts(shape).filter(|cohort| may_be(cohort));
    let worths = worths.map(|cohort| objective.worth(shape, values, &cohort));
    worths.fold(f64::NEG_INFINITY, f64::max)
}

#[track_caller]
fn is_best<O: Objective>(
    objective: &O,
    shape: &CohortShape,
    values: &[f64],
    listed: f64,
) -> Vec<bool> {
    let n = values.len();
    let mut cohort = Vec::new();
    let seated: Vec<bool> = (0..n).map(|i| i % 2 == 1).collect();
    objective.best(shape, values, &seated, &mut cohort);
    let members = cohort.iter().filter(|member| **member).count();
    assert_eq!(members, shape.members);
    let worth = objective.worth(shape, values, &cohort);
    assert!(
        worth == listed || (worth - listed).abs() < 1e-9,
        "{objective:?} {shape:?} {values:?}: {cohort:?} is worth {worth}, not {listed}"
    );
    cohort
}

#[test]
fn top_k_is_the_best_of_all_cohorts() {
    for (shape, values) in fields() {
        let listed = listed(&TopK, &shape, &values, |_| true);
        is_best(&TopK, &shape, &values, listed);
    }
}

#[test]
fn diverse_is_the_best_of_all_cohorts_also_where_values_are_negative() {
    for (shape, values) in fields() {
        let diverse = Diverse::new(0);
        let listed = listed(&diverse, &shape, &values, |_| true);
        is_best(&diverse, &shape, &values, listed);
    }
}

/// The sum over the cells of a table of two attributes, written out.
fn by_cells(values: &[f64], cohort: &[bool], of: &[[u16; 2]]) -> f64 {
    let cell = |a, b| {
        let members = (0..values.len()).filter(|&i| cohort[i] && of[i] == [a, b]);
        let sum: f64 = members.map(|i| values[i]).sum();
        sum.max(0.0).sqrt()
    };
    (0..2).flat_map(|a| (0..4).map(move |b| cell(a, b))).sum()
}

#[test]
fn of_two_attributes_diverse_is_the_best_over_the_combinations_of_their_values() {
    let schema = schema();
    let diverse = Diverse::crossed(&schema, &[1, 2]);
    let mut differs = 0;
    for (seed, (shape, values)) in (0..).zip(fields()) {
        let u = uniforms(9000 + seed, 2 * values.len());
        let pair = |u: &[f64]| [(2.0 * u[0]) as u16, (4.0 * u[1]) as u16];
        let of: Vec<[u16; 2]> = u.chunks(2).map(pair).collect();
        let group = |[a, b]: &[u16; 2]| diverse.group(&[7, *a, *b]);
        let shape = CohortShape {
            groups: of.iter().map(group).collect(),
            ..shape
        };
        let best = cohorts(&shape).map(|cohort| by_cells(&values, &cohort, &of));
        let cohort = is_best(&diverse, &shape, &values, best.fold(f64::MIN, f64::max));
        let one = CohortShape {
            groups: of.iter().map(|[a, _]| *a).collect(),
            ..shape.clone()
        };
        let by_one = Diverse::new(1).best_slots(&one, &values);
        differs += u32::from(by_one.iter().any(|slot| !cohort[*slot as usize]));
    }
    assert!(differs > 50, "{differs}");
}

#[test]
fn groups_are_numbered_by_the_attributes_that_make_them() {
    let schema = schema();
    for (attributes, count) in [(&[2][..], 4), (&[1, 2], 8), (&[0, 1, 2], 64), (&[0, 2], 32)] {
        let diverse = Diverse::crossed(&schema, attributes);
        let groups = (0..64).map(|cell| {
            let values = schema.values(cell);
            let own: Vec<u16> = attributes.iter().map(|&at| values[at]).collect();
            (own, diverse.group(&values))
        });
        let pairs: std::collections::BTreeSet<_> = groups.collect();
        // In order, one to one.
        let numbers: Vec<u16> = pairs.iter().map(|(_, group)| *group).collect();
        assert_eq!(numbers, (0..count).collect::<Vec<u16>>(), "{attributes:?}");
    }
    let [one, listed] = [Diverse::new(2), Diverse::crossed(&schema, &[2])];
    assert_eq!(one.group(&[5, 1, 3]), listed.group(&[5, 1, 3]));
}

#[test]
fn quotas_are_kept_where_they_can_be_and_there_are_always_k() {
    let (mut kept, mut broken) = (0, 0);
    for (seed, (shape, values)) in (0..).zip(fields()) {
        let u = uniforms(7000 + seed, 8);
        let quota = |u: &[f64]| {
            let min = (u[0] * 3.0) as u32;
            let max = min + (u[1] * 3.0) as u32;
            Quota { min, max }
        };
        let quotas = Quotas::new(0, u.chunks(2).take(3).map(quota).collect());
        let best = listed(&quotas, &shape, &values, |cohort| {
            quotas.are_kept(&shape, cohort)
        });
        let can_be = cohorts(&shape).any(|cohort| quotas.are_kept(&shape, &cohort));
        if can_be {
            kept += 1;
            let cohort = is_best(&quotas, &shape, &values, best);
            assert!(quotas.are_kept(&shape, &cohort));
        } else {
            broken += 1;
            assert_eq!(quotas.best_slots(&shape, &values).len(), shape.members);
        }
    }
    assert!(kept > 50 && broken > 50, "{kept} {broken}");
}

#[test]
fn of_equals_the_seated_come_first_and_then_the_lower_slot() {
    let shape = CohortShape {
        members: 2,
        groups: vec![0, 1, 0, 1, 0],
    };
    fn best<O: Objective>(objective: O, shape: &CohortShape, seated: [usize; 2]) -> Vec<usize> {
        let flags: Vec<bool> = (0..5).map(|i| seated.contains(&i)).collect();
        let mut cohort = Vec::new();
        objective.best(shape, &[0.5; 5], &flags, &mut cohort);
        (0..5).filter(|&i| cohort[i]).collect()
    }
    let none = [9, 9];
    assert_eq!(best(TopK, &shape, none), [0, 1]);
    assert_eq!(best(TopK, &shape, [2, 4]), [2, 4]);
    assert_eq!(best(TopK, &shape, [9, 3]), [0, 3]);
    assert_eq!(best(Quotas::new(0, vec![]), &shape, [2, 4]), [2, 4]);
    let diverse = Diverse::new(0);
    assert_eq!(best(diverse.clone(), &shape, none), [0, 1]);
    assert_eq!(best(diverse, &shape, [3, 4]), [3, 4]);
}

#[test]
fn swap_keeps_quotas() {
    let quotas = || Quotas::new(0, vec![Quota { min: 2, max: 2 }; 3]);
    let instance = Instance::line(15, 6, [0.05, 0.05, 5.0, 2.0])
        .with(|instance| instance.groups.sort_unstable());
    let optimum = instance.optimum(&quotas());
    assert_eq!(optimum, [3, 4, 8, 9, 13, 14]);
    for replication in 0..20 {
        let run = instance.play(instance.swap(quotas(), |_| ()), replication);
        assert_eq!(run.chosen, optimum);
        assert!(run.converged());
    }
}
