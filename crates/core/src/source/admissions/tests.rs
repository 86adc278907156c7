//! The season is what its documentation says.

use super::*;
use crate::draw::Key;
use crate::protocol::Person;

fn seasons(parameters: SeasonParameters, many: u64) -> Vec<Season> {
    let admissions = Arc::new(Admissions::new(parameters));
    (0..many)
        .map(|at| Season::draw(&admissions, Key::new(5, 0), at))
        .collect()
}

/// Everything of `many` people, as numbers.
fn stream(persons: usize, many: usize) -> Vec<Vec<f64>> {
    let admissions = Arc::new(Admissions::new(SeasonParameters::default()));
    let mut stream = SeasonStream::new(admissions, Key::new(3, 1));
    let mut people = Vec::new();
    while people.len() < many {
        let batch = stream.next_batch(persons);
        for row in 0..batch.persons().len() as u32 {
            let person = Person::new(&batch, row);
            assert_eq!(person.number() as usize, people.len());
            let mut told = vec![person.merit().unwrap()];
            told.extend(person.shown().values().iter().map(|&v| f64::from(v)));
            told.extend(person.record());
            people.push(told);
        }
    }
    people.truncate(many);
    people
}

#[test]
fn sizes_utilities_and_places() {
    let parameters = SeasonParameters::default();
    assert_eq!((parameters.applicants(), parameters.places()), (1600, 150));
    for season in seasons(parameters, 3) {
        let programmes = season.groups(0);
        assert_eq!(programmes.iter().filter(|&&one| one == 0).count(), 1000);
        let utilities = season.utilities();
        assert!(utilities.iter().all(|u| (0.0..1.0).contains(u)));
        // A calibrated classifier: 3 % of 1000 and 20 % of 600.
        let expected = |programme: u16| {
            let both = utilities.iter().zip(&programmes);
            let of = both.filter(|(_, one)| **one == programme);
            of.map(|(u, _)| u).sum::<f64>()
        };
        assert!((expected(0) - 30.0).abs() < 1e-9 && (expected(1) - 120.0).abs() < 1e-9);
        // Table 1's SWAP.
        let mut best = utilities.to_vec();
        best.sort_by(|a, b| b.total_cmp(a));
        let top: f64 = best[..150].iter().sum();
        assert!((top - 80.1).abs() < 0.05, "{top}");
    }
}

#[test]
fn who_is_near_the_boundary_is_reviewed_more_often() {
    let parameters = SeasonParameters {
        review_sd: 0.0,
        ..SeasonParameters::default()
    };
    let all = seasons(parameters, 40);
    let reviews: usize = all.iter().map(Season::reviews).sum();
    let each = reviews as f64 / (40.0 * 1600.0);
    // 225 of 1600 have a Bernoulli review each: s.d. .47 sqrt(225) a season.
    assert!((each - 1.21).abs() < 4.0 * 0.5 * 225f64.sqrt() / 40f64.sqrt() / 1600.0);
    let season = &all[0];
    for programme in 0..2 {
        let mut slots: Vec<usize> = (0..1600)
            .filter(|&slot| usize::from(season.values(slot)[0]) == programme)
            .collect();
        slots.sort_by(|&a, &b| season.utilities()[b].total_cmp(&season.utilities()[a]));
        let near = parameters.programmes[programme].boundary();
        assert_eq!(near, [15..60, 60..240][programme]);
        for (slot, rank) in slots.into_iter().zip(0..) {
            let scores = season.scores(slot);
            let many = if near.contains(&rank) { 2..=3 } else { 1..=1 };
            assert!(many.contains(&scores.len()), "rank {rank}");
            assert!(
                scores
                    .iter()
                    .all(|&score| score == season.utilities()[slot])
            );
        }
    }
}

#[test]
fn scores_and_judgements_have_their_noise() {
    let parameters = SeasonParameters {
        review_sd: 0.1,
        ..SeasonParameters::default()
    };
    let all = seasons(parameters, 10);
    let mut errors = Vec::new();
    for season in &all {
        for slot in 0..1600 {
            let scores = season.scores(slot).iter();
            errors.extend(scores.map(|score| (score - season.utilities()[slot]) / 0.1));
        }
    }
    let n = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let square = errors.iter().map(|e| e * e).sum::<f64>() / n;
    assert!(mean.abs() < 4.0 / n.sqrt() && (square - 1.0).abs() < 4.0 * (2.0 / n).sqrt());
}

#[test]
fn shares_are_those_documented_and_independent_of_the_rest() {
    let all = seasons(SeasonParameters::default(), 40);
    for (attribute, (name, shares)) in (1..).zip(shares()) {
        assert!((shares.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
        for (value, (label, p)) in (0u16..).zip(&shares) {
            // Of everybody, of the Ph.D. applicants, and of the best 150.
            let mut counts = [(0.0, 0.0); 3];
            for season in &all {
                let groups = season.groups(attribute);
                let mut best: Vec<usize> = (0..1600).collect();
                best.sort_by(|&a, &b| season.utilities()[b].total_cmp(&season.utilities()[a]));
                let sets = [
                    &(0..1600).collect(),
                    &(1000..1600).collect(),
                    &best[..150].to_vec(),
                ];
                for (count, set) in counts.iter_mut().zip(sets) {
                    count.0 += set.iter().filter(|&&slot| groups[slot] == value).count() as f64;
                    count.1 += set.len() as f64;
                }
            }
            for (of, all) in counts {
                let sd = (p * (1.0 - p) / all).sqrt();
                assert!(
                    (of / all - p).abs() < 4.5 * sd,
                    "{name} {label}: {of} of {all}"
                );
            }
        }
    }
    assert_eq!(shares()[1].1.len(), 9);
    assert_eq!(shares()[2].1.len(), 16);
}

#[test]
fn the_chair_admits_by_programme_and_worse_than_the_best() {
    for season in seasons(SeasonParameters::default(), 10) {
        let actual = season.actual();
        let admitted =
            |range: std::ops::Range<usize>| actual.admitted[range].iter().filter(|&&a| a).count();
        assert_eq!((admitted(0..1000), admitted(1000..1600)), (30, 120));
        let both = season.utilities().iter().zip(&actual.admitted);
        let worth: f64 = both.filter(|(_, a)| **a).map(|(u, _)| u).sum();
        assert!((70.0..78.3).contains(&worth), "{worth}");
        assert_eq!(actual.cost, season.reviews() as f64 + 60.0);
    }
    // Without noise the best of each programme.
    let sure = SeasonParameters {
        review_sd: 0.0,
        chair_sd: 0.0,
        ..SeasonParameters::default()
    };
    let season = &seasons(sure, 1)[0];
    let actual = season.actual();
    for programme in [0..1000, 1000..1600] {
        let utilities = |admitted: bool| {
            let slots = programme
                .clone()
                .filter(|&slot| actual.admitted[slot] == admitted);
            slots
                .map(|slot| season.utilities()[slot])
                .collect::<Vec<f64>>()
        };
        let last = utilities(true).into_iter().fold(1.0, f64::min);
        let first = utilities(false).into_iter().fold(0.0, f64::max);
        assert!(last > first);
    }
}

#[test]
fn a_stream_has_the_same_people_in_batches_of_any_size() {
    let all = stream(1, 4 * 1600);
    for persons in [7, 64, 1024, 3300, 10_000] {
        assert_eq!(stream(persons, 4 * 1600), all, "{persons}");
    }
    assert_ne!(all[..1600], all[1600..3200]);
}

/// Women's mean quality less men's, in standard deviations, where they are moved by -1: each
/// group's utilities come from its own normal law, so the share of women among the better half is
/// the one that these laws have.
#[test]
fn an_advantage_moves_who_is_worth_what_and_not_what_there_is() {
    let parameters = SeasonParameters::default();
    let moved = |by: f64| {
        let admissions = Admissions::new(parameters).with_advantages(vec![(1, vec![by, 0.0])]);
        let admissions = Arc::new(admissions);
        let draw = |at| Season::draw(&admissions, Key::new(5, 0), at);
        (0..30).map(draw).collect::<Vec<_>>()
    };
    let (plain, same, less) = (seasons(parameters, 30), moved(0.0), moved(-1.0));
    let mut better = [0.0; 2];
    for ((plain, same), less) in plain.iter().zip(&same).zip(&less) {
        assert_eq!(plain.utilities(), same.utilities());
        assert_eq!(plain.groups(1), less.groups(1));
        let sorted = |season: &Season| {
            let mut all = season.utilities().to_vec();
            all.sort_by(f64::total_cmp);
            all
        };
        assert_eq!(sorted(plain), sorted(less));
        // Of the 500 better ones of the 1,000 Master's applicants, how many are women.
        for (count, season) in better.iter_mut().zip([plain, less]) {
            let mut order: Vec<usize> = (0..1000).collect();
            order.sort_by(|&a, &b| season.utilities()[b].total_cmp(&season.utilities()[a]));
            let women = order[..500]
                .iter()
                .filter(|&&slot| season.values(slot)[1] == 0);
            *count += women.count() as f64 / (30.0 * 500.0);
        }
    }
    // The median m has .265 Phi(m + 1) + .735 Phi(m) = 1/2.
    let below = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
    let excess = |m: &f64| WOMEN * below(m + 1.0) + (1.0 - WOMEN) * below(*m) - 0.5;
    let grid = (-30_000..30_000).map(|step| f64::from(step) / 10_000.0);
    let median = grid
        .min_by(|a, b| excess(a).abs().total_cmp(&excess(b).abs()))
        .unwrap();
    let expected = 2.0 * WOMEN * (1.0 - below(median + 1.0));
    let sd = (0.25 / 15_000.0_f64).sqrt();
    assert!((better[0] - WOMEN).abs() < 4.0 * sd && (better[1] - expected).abs() < 4.0 * sd);
    assert!(expected < 0.15, "{expected}");
}
