//! Letters against closed forms with one binding quota, and against letters sent one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::*;
use kleroterion_core::draw::Draw;

const ANY: Quota = Quota {
    min: 0,
    max: u32::MAX,
};

fn at_least(min: u32) -> Quota {
    Quota { min, ..ANY }
}

fn settings(simulations: u32) -> LettersSettings {
    LettersSettings {
        seed: 3,
        simulations,
        sure: 0.95,
    }
}

/// P(at least `least` of `n` trials of probability `p` succeed), term by term.
fn upper_tail(n: u64, p: f64, least: u32) -> f64 {
    let mut term = libm::exp(n as f64 * libm::log1p(-p));
    let mut below = 0.0;
    for k in 0..u64::from(least) {
        below += term;
        term *= (n as f64 - k as f64) / (k + 1) as f64 * p / (1.0 - p);
    }
    1.0 - below
}

/// The letters of which an interval of the simulation has to hold the fewest that suffice.
fn assert_closed(question: &LettersQuestion, p: f64, least: u32) {
    let exact = (20..)
        .find(|&n| upper_tail(n, p, least) >= 0.95)
        .expect("some number does");
    let plan = plan(question, settings(4_000)).expect("it can be reached");
    let letters = plan.letters.expect("it is");
    // 4 standard errors of the share of simulations in which these letters suffice.
    let off = (upper_tail(letters, p, least) - 0.95).abs();
    assert!(
        off <= 4.0 * (0.95 * 0.05 / 4_000.0_f64).sqrt() + 1e-3,
        "{letters} for {exact}"
    );
    assert_eq!(plan.undecided, 0);
    assert_eq!(plan.range, None);
}

#[test]
fn one_scarce_value_is_a_binomial() {
    let question = LettersQuestion {
        population: vec![(vec![0], 0.9), (vec![1], 0.1)],
        rates: Rates {
            overall: Some(Rate::Known(0.04)),
            by: vec![],
        },
        quotas: vec![vec![at_least(0), at_least(6)]],
        members: 20,
    };
    // 6 of a tenth of 4 %; 20 in all come long before.
    assert_closed(&question, 0.004, 6);
    let plan = plan(&question, settings(500)).unwrap();
    let (wait, share) = plan.waits[0];
    assert_eq!(
        wait,
        RecruitmentWait::Value {
            attribute: 0,
            value: 1
        }
    );
    assert!(share > 0.95, "{share}");
    // Without the quota twenty of anybody suffice.
    let (_, without) = plan.without[0];
    let exact = (20..).find(|&n| upper_tail(n, 0.04, 20) >= 0.95).unwrap();
    let off = without.unwrap().abs_diff(exact);
    assert!(off * 20 < exact, "{without:?} for {exact}");
}

#[test]
fn rates_by_group_are_relative_and_the_size_alone_is_a_binomial_too() {
    let by = |rates: [f64; 2]| RatesBy {
        attribute: 0,
        rates: rates.map(Rate::Known).to_vec(),
    };
    let question = |overall, members, min| LettersQuestion {
        population: vec![(vec![0], 0.75), (vec![1], 0.25)],
        rates: Rates {
            overall,
            by: vec![by([0.02, 0.06])],
        },
        quotas: vec![vec![at_least(0), at_least(min)]],
        members,
    };
    // .75 of 2 % and .25 of 6 %: 3 % in all, half of them with the second value.
    assert_closed(&question(None, 30, 0), 0.03, 30);
    assert_closed(&question(None, 10, 9), 0.015, 9);
    // 1.5 % in all: each half as readily.
    assert_closed(&question(Some(Rate::Known(0.015)), 10, 9), 0.0075, 9);
}

/// Returns true if letters sent one by one give a committee, by all subsets of the kinds of those
/// who answer.
fn plainly(question: &LettersQuestion, letters: u64, draw: &mut Draw) -> bool {
    let mut pool = Vec::new();
    for _ in 0..letters {
        let (mut u, mut kind) = (draw.uniform(), 0);
        while u >= question.population[kind].1 {
            u -= question.population[kind].1;
            kind += 1;
        }
        let Some(Rate::Known(rate)) = question.rates.overall else {
            panic!("one known rate");
        };
        if draw.uniform() < rate {
            pool.push(question.population[kind].0.clone());
        }
    }
    let kept = |set: u32| {
        let chosen = pool.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        let chosen: Vec<&Vec<u16>> = chosen.map(|(_, values)| values).collect();
        question.quotas.iter().enumerate().all(|(attribute, row)| {
            row.iter().enumerate().all(|(value, quota)| {
                let has = |one: &&&Vec<u16>| usize::from(one[attribute]) == value;
                let n = chosen.iter().filter(has).count() as u32;
                (quota.min..=quota.max).contains(&n)
            })
        })
    };
    (0_u32..1 << pool.len().min(20)).any(|set| set.count_ones() == question.members && kept(set))
}

#[test]
fn the_letters_suffice_as_often_as_they_are_to() {
    // No type has both rarer values, so quotas that each could be kept may clash.
    let exact = |n| Quota { min: n, max: n };
    let question = LettersQuestion {
        population: vec![(vec![0, 0], 0.5), (vec![0, 1], 0.3), (vec![1, 0], 0.2)],
        rates: Rates {
            overall: Some(Rate::Known(0.2)),
            by: vec![],
        },
        quotas: vec![vec![exact(3), exact(1)], vec![exact(2), exact(2)]],
        members: 4,
    };
    let sure = LettersSettings {
        sure: 0.7,
        ..settings(4_000)
    };
    let letters = plan(&question, sure).unwrap().letters.unwrap();
    let mut draw = Key::new(38, 5).draw(Purpose::World, 0, 0);
    let n = 2_000;
    let had = (0..n)
        .filter(|_| plainly(&question, letters, &mut draw))
        .count();
    let share = had as f64 / f64::from(n);
    // Both are simulations, and a letter more or less is a step.
    let se = (0.21 / f64::from(n) + 0.21 / 4_000.0_f64).sqrt();
    assert!(
        (share - 0.7).abs() <= 4.0 * se + 0.01,
        "{share} with {letters}"
    );
}

#[test]
fn uncertain_rates_ask_for_more_letters_and_have_a_range() {
    let question = |rate| LettersQuestion {
        population: vec![(vec![0], 0.5), (vec![1], 0.5)],
        rates: Rates {
            overall: Some(rate),
            by: vec![],
        },
        quotas: vec![vec![at_least(5), at_least(5)]],
        members: 10,
    };
    let counted = Rate::Counted {
        invited: 400,
        answered: 12,
    };
    let known = plan(&question(Rate::Known(counted.mean())), settings(1_000)).unwrap();
    let unsure = plan(&question(counted), settings(1_000)).unwrap();
    let [low, high] = unsure.range.expect("there is one").map(|end| end.unwrap());
    let (known, unsure) = (known.letters.unwrap(), unsure.letters.unwrap());
    assert!(unsure > known + known / 20, "{unsure} {known}");
    assert!(
        low < known && known < high && low < unsure,
        "{low} {high} {known} {unsure}"
    );
    // A rate is within 1.645 standard deviations of its mean, and letters go as 1 / rate.
    let wide = high as f64 / low as f64;
    assert!((1.8..4.5).contains(&wide), "{wide}");
}

#[test]
fn more_is_waited_for_together_than_alone_and_what_never_comes_is_said() {
    let exact = |n| Quota { min: n, max: n };
    // Each person has just one of the two wanted values, so three seats can't have two of each.
    let question = |members| LettersQuestion {
        population: vec![(vec![1, 0], 0.5), (vec![0, 1], 0.5)],
        rates: Rates {
            overall: None,
            by: vec![],
        },
        quotas: vec![vec![ANY, exact(2)], vec![ANY, exact(2)]],
        members,
    };
    assert!(matches!(
        plan(&question(3), settings(10)),
        Err(Feasibility::Clash(_))
    ));
    assert!(plan(&question(4), settings(10)).is_ok());
    // Values (1, 0) alone keep both quotas of two seats: those with neither or both are rare.
    let pairs = LettersQuestion {
        population: vec![
            (vec![1, 0], 0.49),
            (vec![0, 1], 0.49),
            (vec![1, 1], 0.01),
            (vec![0, 0], 0.01),
        ],
        rates: Rates {
            overall: None,
            by: vec![],
        },
        quotas: vec![vec![exact(2), exact(1)], vec![exact(2), exact(1)]],
        members: 3,
    };
    let found = plan(&pairs, settings(300)).unwrap();
    let together = found
        .waits
        .iter()
        .find(|(wait, _)| *wait == RecruitmentWait::Together);
    assert!(together.is_some_and(|(_, share)| *share > 0.3), "{found:?}");
    let (_, without) = found.without[0];
    assert!(without < found.letters, "{found:?}");
}

#[test]
fn a_plan_of_letters_is_given_up_at_once() {
    let question = LettersQuestion {
        population: vec![(vec![0], 0.9), (vec![1], 0.1)],
        rates: Rates {
            overall: Some(Rate::Known(0.04)),
            by: vec![],
        },
        quotas: vec![vec![at_least(0), at_least(6)]],
        members: 20,
    };
    let interrupt: Arc<AtomicBool> = Arc::default();
    let last = AtomicU32::new(0);
    let see = |(done, all): (u32, u32)| {
        assert_eq!(all, 1_000_000);
        last.store(done, Ordering::Relaxed);
        interrupt.store(done == 3, Ordering::Relaxed);
    };
    let watch = LettersWatch::new(&interrupt, &see);
    assert_eq!(
        plan_unless(&question, settings(1_000_000), &watch),
        Err(Interrupted)
    );
    assert_eq!(last.load(Ordering::Relaxed), 3);
    interrupt.store(true, Ordering::Relaxed);
    last.store(0, Ordering::Relaxed);
    assert_eq!(
        plan_unless(&question, settings(1_000_000), &watch),
        Err(Interrupted)
    );
    assert_eq!(last.load(Ordering::Relaxed), 0);
}
