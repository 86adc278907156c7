//! Lotteries over all panels of a small pool, each person a row of their own; and leximin over the
//! panels of a larger one, by cuts.

use good_lp::{Expression, ProblemVariables, Solution, SolverModel, microlp, variable};
use nalgebra::{DMatrix, DVector};

use crate::PanelQuestion;

/// The chances of leximin by the dual programs alone: weights of people, under which the heaviest
/// panel known is as light as can be; the heaviest panel there is joins them until it was known. A
/// person of positive weight is settled. All programs are those of microlp, person by person. None
/// where what the panels give and what the weights allow differ: the
/// programs are then not exact enough to judge by.
pub fn leximin_by_cuts(question: &PanelQuestion) -> Option<Vec<f64>> {
    let people = question.respondents.len();
    let mut panels = vec![heaviest(question, &vec![0.0; people])];
    let sits = |one: usize| {
        let mut alone = vec![0.0; people];
        alone[one] = 1.0;
        heaviest(question, &alone).contains(&(one as u32))
    };
    let mut chances: Vec<Option<f64>> =
        (0..people).map(|one| (!sits(one)).then_some(0.0)).collect();
    while chances.contains(&None) {
        let weights = loop {
            let (bound, weights) = lightest(&panels, &chances);
            let panel = heaviest(question, &weights);
            if weighs(&panel, &weights) <= bound + 1e-12 || panels.contains(&panel) {
                break weights;
            }
            panels.push(panel);
        };
        // The panels known suffice; what they give is more exact than the weights are.
        let known = |one: usize| chances[one].map(|chance| (one, chance));
        let settled: Vec<(usize, f64)> = (0..people).filter_map(known).collect();
        let rising: Vec<usize> = (0..people).filter(|&one| chances[one].is_none()).collect();
        let level = most(&panels, &settled, &rising, None);
        let below: f64 = settled
            .iter()
            .map(|(one, chance)| chance * weights[*one])
            .sum();
        let above: f64 = rising.iter().map(|&one| weights[one]).sum();
        let heaviest = panels.iter().map(|panel| weighs(panel, &weights));
        let bound = (heaviest.fold(0.0, f64::max) - below) / above;
        if (bound - level).abs() > 2e-8 {
            return None;
        }
        let before = chances.clone();
        for (chance, weight) in chances.iter_mut().zip(&weights) {
            if chance.is_none() && *weight > 1e-7 {
                *chance = Some(level);
            }
        }
        assert_ne!(chances, before);
    }
    Some(chances.into_iter().flatten().collect())
}

fn weighs(panel: &[u32], weights: &[f64]) -> f64 {
    panel.iter().map(|&one| weights[one as usize]).sum()
}

/// Weights of those who rise, 1 in all, and of those who are settled, under which the heaviest of
/// some panels weighs as little above the settled as can be; before them its weight.
fn lightest(panels: &[Vec<u32>], chances: &[Option<f64>]) -> (f64, Vec<f64>) {
    let mut variables = ProblemVariables::new();
    let weights = variables.add_vector(variable().min(0).max(1000), chances.len());
    let bound = variables.add(variable().min(0));
    let pairs = weights.iter().zip(chances);
    // A level is exact to 1e-10 only: a settled weight must not pay by that error.
    let settled: Expression = pairs
        .clone()
        .filter_map(|(weight, chance)| Some((chance.as_ref().copied()? - 1e-9) * *weight))
        .sum();
    let rising = pairs.filter(|(_, chance)| chance.is_none());
    let rising: Expression = rising.map(|(weight, _)| *weight).sum();
    let aim: Expression = bound - settled;
    let mut model = variables.minimise(aim).using(microlp);
    model.add_constraint(rising.eq(1));
    for panel in panels {
        let weight: Expression = panel.iter().map(|&one| weights[one as usize]).sum();
        model.add_constraint((weight - bound).leq(0));
    }
    let solved = model.solve().expect("there are weights");
    let of = weights.iter().map(|weight| solved.value(*weight).max(0.0));
    (solved.value(bound), of.collect())
}

/// The heaviest panel, by an integer program.
fn heaviest(question: &PanelQuestion, weights: &[f64]) -> Vec<u32> {
    let mut variables = ProblemVariables::new();
    let sits = variables.add_vector(variable().binary(), weights.len());
    let aim: Expression = sits
        .iter()
        .zip(weights)
        .map(|(one, weight)| *weight * *one)
        .sum();
    let mut model = variables.maximise(aim).using(microlp);
    model.add_constraint(
        sits.iter()
            .sum::<Expression>()
            .eq(f64::from(question.members)),
    );
    let values = |one: usize| question.respondents.values(one as u32);
    for (attribute, row) in question.quotas.iter().enumerate() {
        for (value, quota) in row.iter().enumerate() {
            let has = |one: &usize| usize::from(values(*one)[attribute]) == value;
            let seated: Expression = (0..sits.len()).filter(has).map(|one| sits[one]).sum();
            model.add_constraint(seated.clone().geq(f64::from(quota.min)));
            model.add_constraint(seated.leq(f64::from(quota.max)));
        }
    }
    let homes = question.respondents.households().unwrap_or_default();
    for home in 0..homes.iter().map(|home| home + 1).max().unwrap_or_default() {
        let lives = |one: &usize| homes[*one] == home;
        let together: Vec<usize> = (0..homes.len()).filter(lives).collect();
        if together.len() > 1 {
            let seated: Expression = together.iter().map(|&one| sits[one]).sum();
            model.add_constraint(seated.leq(1));
        }
    }
    let solved = model.solve().expect("there is a panel");
    let seated = (0..sits.len()).filter(|&one| solved.value(sits[one]) > 0.5);
    seated.map(|one| one as u32).collect()
}

/// The chances of leximin, or after some `stages` of it, by microlp over all panels. After each
/// stage every person is asked by a program of their own whether they could have more.
pub fn leximin(panels: &[Vec<u32>], people: usize, stages: usize) -> Vec<f64> {
    let possible = |one: &usize| panels.iter().any(|p| p.contains(&(*one as u32)));
    let mut rising: Vec<usize> = (0..people).filter(possible).collect();
    let mut settled: Vec<(usize, f64)> = Vec::new();
    let mut chances = vec![0.0; people];
    for _ in 0..stages {
        if rising.is_empty() {
            break;
        }
        let level = most(panels, &settled, &rising, None);
        let stuck: Vec<usize> = rising
            .iter()
            .copied()
            .filter(|&one| most(panels, &settled, &rising, Some((one, level))) < level + 1e-7)
            .collect();
        assert!(!stuck.is_empty());
        rising.iter().for_each(|&one| chances[one] = level);
        rising.retain(|one| !stuck.contains(one));
        settled.extend(stuck.iter().map(|&one| (one, level)));
    }
    let impossible = (0..people).filter(|one| !possible(one));
    impossible.for_each(|one| chances[one] = 1.0);
    if stages > people {
        (0..people)
            .filter(|one| !possible(one))
            .for_each(|one| chances[one] = 0.0);
    }
    chances
}

/// The largest chance of `one`, where those who rise have at least a level; or their largest least.
fn most(
    panels: &[Vec<u32>],
    settled: &[(usize, f64)],
    rising: &[usize],
    one: Option<(usize, f64)>,
) -> f64 {
    let mut variables = ProblemVariables::new();
    let p = variables.add_vector(variable().min(0), panels.len());
    let level = variables.add(variable().min(0));
    let chance = |one: usize| -> Expression {
        let sits = panels
            .iter()
            .zip(&p)
            .filter(|(panel, _)| panel.contains(&(one as u32)));
        sits.map(|(_, p)| *p).sum()
    };
    let aim: Expression = one.map_or(level.into(), |(one, _)| chance(one));
    let mut model = variables.maximise(aim.clone()).using(microlp);
    model.add_constraint(p.iter().sum::<Expression>().eq(1));
    for &(one, floor) in settled {
        model.add_constraint(chance(one).geq(floor - 1e-10));
    }
    for &riser in rising {
        match one {
            Some((_, floor)) => model.add_constraint(chance(riser).geq(floor - 1e-10)),
            None => model.add_constraint((chance(riser) - level).geq(0)),
        };
    }
    model.solve().expect("there is a lottery").eval(&aim)
}

/// The chances of the Nash lottery: first by a logarithmic barrier over all panels, then by
/// Newton's method among the panels that weigh n there, whatever their signs. None where some panel
/// weighs so near n that it is not clear whether it is one of them.
pub fn nash(panels: &[Vec<u32>], people: usize) -> Option<Vec<f64>> {
    let p = barrier(panels, people);
    let c = chances(panels, &p, people);
    let n = c.iter().filter(|chance| **chance > 0.0).count() as f64;
    let slack = |panel: &Vec<u32>| n - panel.iter().map(|&i| 1.0 / c[i as usize]).sum::<f64>();
    let slacks: Vec<f64> = panels.iter().map(slack).collect();
    if slacks.iter().any(|slack| (1e-3..1e-2).contains(slack)) {
        return None;
    }
    let tight = panels.iter().zip(&p).zip(&slacks);
    let tight = tight.filter(|(_, slack)| **slack < 1e-3);
    let (tight, mut p): (Vec<Vec<u32>>, Vec<f64>) =
        tight.map(|((panel, p), _)| (panel.clone(), *p)).unzip();
    let whole: f64 = p.iter().sum();
    p.iter_mut().for_each(|p| *p /= whole);
    Some(sharpened(&tight, p, people))
}

/// The chances of least `-sum_i log c(i)` among all weights of some panels that sum to 1, of any
/// sign.
fn sharpened(panels: &[Vec<u32>], mut p: Vec<f64>, people: usize) -> Vec<f64> {
    let sits = |one: usize, panel: &Vec<u32>| f64::from(u8::from(panel.contains(&(one as u32))));
    let possible: Vec<usize> = (0..people)
        .filter(|&one| panels.iter().any(|panel| sits(one, panel) > 0.0))
        .collect();
    for _ in 0..30 {
        let c = chances(panels, &p, people);
        // In units of each chance: row i, the change of c(i) / c(i) for a step to panel j + 1.
        let ways = DMatrix::from_fn(possible.len(), panels.len() - 1, |i, j| {
            let one = possible[i];
            (sits(one, &panels[j + 1]) - sits(one, &panels[0])) / c[one]
        });
        if ways.ncols() == 0 {
            break;
        }
        let ones = DVector::from_element(possible.len(), 1.0);
        // Newton's step is the least-squares answer of `ways step = ones`.
        let step = ways.svd(true, true).solve(&ones, 1e-9).expect("both sides");
        for (j, step) in step.iter().enumerate() {
            p[j + 1] += step;
            p[0] -= step;
        }
    }
    chances(panels, &p, people)
}

/// Probabilities near those of the Nash lottery, by a logarithmic barrier over all panels whose
/// weight falls to 1e-12: `min n sum_j p(j) - sum_i log c(i) - t sum_j log p(j)`, by Newton's
/// method in `log p`'s scale with a dense matrix.
fn barrier(panels: &[Vec<u32>], people: usize) -> Vec<f64> {
    let size = panels.len();
    let mut p = vec![1.0 / size as f64; size];
    let possible = chances(panels, &p, people);
    let n = possible.iter().filter(|chance| **chance > 0.0).count() as f64;
    let mut t = 0.1;
    while t > 1e-12 {
        t *= 0.2;
        for _ in 0..30 {
            let c = chances(panels, &p, people);
            let weight = |panel: &Vec<u32>| panel.iter().map(|&i| 1.0 / c[i as usize]).sum::<f64>();
            let slope = |j: usize| p[j] * (n - weight(&panels[j])) - t;
            let slope = DVector::from_fn(size, |j, _| slope(j));
            if slope.amax() < 1e-3 * t {
                break;
            }
            let curve = DMatrix::from_fn(size, size, |j, l| {
                let both = panels[j].iter().filter(|one| panels[l].contains(one));
                let sum: f64 = both.map(|&i| 1.0 / (c[i as usize] * c[i as usize])).sum();
                p[j] * p[l] * sum + if j == l { t } else { 0.0 }
            });
            let step = curve.cholesky().expect("it is positive").solve(&-slope);
            let least = step.min();
            let length = if least < -0.5 { -0.5 / least } else { 1.0 };
            p.iter_mut()
                .zip(step.iter())
                .for_each(|(p, step)| *p *= 1.0 + length * step);
        }
    }
    p
}

fn chances(panels: &[Vec<u32>], p: &[f64], people: usize) -> Vec<f64> {
    let mut chances = vec![0.0; people];
    for (p, panel) in p.iter().zip(panels) {
        panel.iter().for_each(|&one| chances[one as usize] += p);
    }
    chances
}
