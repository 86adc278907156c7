//! Forecasts against the joint posterior of all coefficients and all people, worked out at once.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::*;
use kleroterion_core::draw::{Draw, Key, Purpose};
use kleroterion_core::protocol::{Attribute, Batch, Person, Schema};
use kleroterion_core::source::{GaussianGroup, GaussianGroups, GaussianStream, Sizes};

const TAU: f64 = 0.4;

const GIVEN: ForecastParameters = ForecastParameters {
    spread: 0.7,
    doubt: 0.9,
    look_noise: 1.3,
    outcome_noise: Some(TAU),
    delay: 2,
    by: Some(0),
};

fn draws(nth: u64) -> Draw {
    Key::new(5, 0).draw(Purpose::World, nth, 0)
}

/// Rounds of `n` people in two groups with a score and a feature.
fn batch(rounds: usize, n: usize) -> Batch {
    let group = Attribute {
        name: "group".into(),
        values: vec!["u".into(), "v".into()],
    };
    let schema = Arc::new(Schema::new(vec![group], vec!["age".into()], true).unwrap());
    let mut batch = Batch::new(schema, 1, 0);
    let mut draw = draws(0);
    for _ in 0..rounds {
        for _ in 0..n {
            let group = u16::from(draw.uniform() < 0.4);
            let features = [30.0 + 10.0 * draw.normal()];
            let score = Some(2.0 + draw.normal());
            let persons = batch.persons_mut();
            persons.push(u32::from(group), &[group], &features, score);
        }
        batch.close_round();
    }
    batch
}

/// An observation of a person: the person, the value and the variance of its noise.
type Seen = (usize, f64, f64);

/// Mean and variance of beta (three numbers a group), by solving for it and every e at once.
fn posterior(zs: &[DVector<f64>], seen: &[Seen]) -> (DVector<f64>, DMatrix<f64>) {
    let size = 6 + zs.len();
    let mut precision = DMatrix::zeros(size, size);
    for at in 0..size {
        let sd = if at < 6 { GIVEN.doubt } else { GIVEN.spread };
        precision[(at, at)] = 1.0 / (sd * sd);
    }
    let mut sums = DVector::zeros(size);
    for &(who, value, variance) in seen {
        let mut row = DVector::zeros(size);
        row.rows_mut(0, 6).copy_from(&zs[who]);
        row[6 + who] = 1.0;
        precision += &row * row.transpose() / variance;
        sums += row * (value / variance);
    }
    let covariance = precision.try_inverse().unwrap();
    (&covariance * sums, covariance)
}

#[test]
fn forecasts_are_the_posterior_given_all_looks_and_outcomes() {
    const N: usize = 12;
    let batch = batch(4, N);
    let mut forecast = CohortForecast::new(GIVEN, 2, 2).unwrap();
    let people: Vec<_> = (0..4 * N as u32)
        .map(|row| batch.persons().shown(row))
        .collect();
    // z by the first round's means and units, which are of all twelve.
    let column = |at: usize| -> Vec<f64> {
        let first = people[..N].iter();
        first
            .map(|shown| {
                if at == 0 {
                    shown.score().unwrap()
                } else {
                    shown.features()[0]
                }
            })
            .collect()
    };
    let scales = [0, 1].map(|at| {
        let column = column(at);
        let mean = column.iter().sum::<f64>() / N as f64;
        let square = column.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        let sd = (square / N as f64).sqrt();
        (mean, if at == 0 { GIVEN.spread } else { sd })
    });
    let z = |shown: &Shown<'_>| {
        let x = [shown.score().unwrap(), shown.features()[0]];
        let mut z = DVector::zeros(6);
        let at = 3 * usize::from(shown.values()[0]);
        z[at] = 1.0;
        for (k, (x, (mean, sd))) in x.iter().zip(scales).enumerate() {
            z[at + 1 + k] = (x - mean) / sd;
        }
        z
    };
    let zs: Vec<_> = people.iter().map(z).collect();

    let mut draw = draws(1);
    let mut seen: Vec<Seen> = Vec::new();
    // (given before this round, person, value).
    let mut outcomes: Vec<(u64, usize, f64)> = Vec::new();
    for round in 1..=4u64 {
        let at = (round - 1) as usize;
        for &(_, who, value) in outcomes.iter().filter(|told| told.0 == round) {
            forecast.learn(&Outcome::new(
                (who / N) as u64 + 1,
                people[who],
                value,
                None,
            ));
            let rest = value - people[who].score().unwrap();
            seen.push((who, rest, TAU * TAU));
        }
        let slate = Slate::new(&batch, at, None);
        let files = forecast.open(slate);
        let (mean, covariance) = posterior(&zs, &seen);
        for (slot, file) in files.iter().enumerate() {
            let who = at * N + slot;
            let line = zs[who].dot(&mean.rows(0, 6));
            let foretold = people[who].score().unwrap() + line;
            assert!(
                (file.mean - foretold).abs() < 1e-9,
                "round {round}: {file:?}, {foretold}"
            );
            let doubt = (zs[who].transpose() * covariance.view((0, 0), (6, 6)) * &zs[who])[0];
            let variance = GIVEN.spread * GIVEN.spread + doubt;
            let weight = GIVEN.look_noise * GIVEN.look_noise / variance;
            assert!(
                (file.weight - weight).abs() < 1e-9,
                "round {round}: {file:?}, {weight}"
            );
            assert_eq!(file.looks, 0);
        }
        // Looks at two of three, of other weights; four are chosen, one of them not looked at.
        let mut looks = vec![LookStats::default(); N];
        for slot in (0..N).filter(|slot| slot % 3 > 0) {
            for _ in 0..=slot % 2 {
                looks[slot].add(3.0 * draw.normal(), (1 + slot % 4) as f64);
            }
            let who = at * N + slot;
            let rest = looks[slot].mean - people[who].score().unwrap();
            let variance = GIVEN.look_noise * GIVEN.look_noise / looks[slot].weight;
            seen.push((who, rest, variance));
        }
        let chosen = [0, 1, 5, 8];
        for (k, slot) in chosen.iter().enumerate() {
            let late = round + 1 + (k % 3) as u64;
            outcomes.push((late, at * N + *slot as usize, 3.0 * draw.normal()));
        }
        forecast.close(round, slate, &looks, &chosen);
        // Three of the four were looked at, and an outcome can be two rounds late.
        assert!(forecast.asked.len() <= 9, "{}", forecast.asked.len());
    }
}

#[test]
fn without_doubt_the_score_is_taken_as_it_stands() {
    let batch = batch(2, 5);
    let given = ForecastParameters {
        doubt: 0.0,
        ..GIVEN
    };
    let mut forecast = CohortForecast::new(given, 2, 2).unwrap();
    let first = forecast.open(Slate::new(&batch, 0, None));
    let mut looks = vec![LookStats::default(); 5];
    looks[2].add(9.0, 1.0);
    forecast.close(1, Slate::new(&batch, 0, None), &looks, &[2]);
    assert!(forecast.asked.is_empty());
    let second = Slate::new(&batch, 1, None);
    let files = forecast.open(second);
    for (shown, file) in second.candidates().zip(&files) {
        assert_eq!(file.mean, shown.score().unwrap());
        assert_eq!(file.weight, first[0].weight);
        assert!((file.weight - 1.69 / 0.49).abs() < 1e-12);
    }
}

#[test]
fn a_column_that_does_not_vary_and_a_score_that_is_none() {
    let schema = Arc::new(Schema::new(vec![], vec!["age".into()], true).unwrap());
    let mut batch = Batch::new(schema, 1, 0);
    for score in [1.0, f64::NAN, 2.0] {
        batch.persons_mut().push(0, &[], &[40.0], Some(score));
    }
    batch.close_round();
    let given = ForecastParameters { by: None, ..GIVEN };
    let mut forecast = CohortForecast::new(given, 2, 1).unwrap();
    let files = forecast.open(Slate::new(&batch, 0, None));
    let weights: Vec<f64> = files.iter().map(|file| file.weight).collect();
    // The mean score is 1.5: both are .5 / .7 off.
    let off = 1.0 + 0.25 / (GIVEN.spread * GIVEN.spread);
    let variance = GIVEN.spread * GIVEN.spread + off * GIVEN.doubt * GIVEN.doubt;
    let weight = GIVEN.look_noise * GIVEN.look_noise / variance;
    assert!((weights[0] - weight).abs() < 1e-12 && weights[0] == weights[2]);
    assert!(weights[1] == 0.0, "{weights:?}");
}

#[test]
fn parameters_that_cant_be_are_named_all_at_once() {
    let given = ForecastParameters {
        spread: 0.0,
        doubt: -1.0,
        look_noise: f64::NAN,
        outcome_noise: Some(f64::INFINITY),
        ..GIVEN
    };
    let wrong = CohortForecast::new(given, 2, 2).unwrap_err();
    assert_eq!(wrong.0.len(), 4, "{wrong}");
}

/// However few come first, slopes are learnt.
#[test]
fn a_first_slate_of_one_does_not_hide_the_scores() {
    let schema = Arc::new(Schema::new(vec![], vec![], true).unwrap());
    let mut batch = Batch::new(schema, 1, 0);
    let mut draw = draws(3);
    for size in [1, 400, 2] {
        for at in 0..size {
            let score = if size == 2 {
                f64::from(at) * 2.0
            } else {
                draw.normal()
            };
            batch.persons_mut().push(0, &[], &[], Some(score));
        }
        batch.close_round();
    }
    let given = ForecastParameters { by: None, ..GIVEN };
    let mut forecast = CohortForecast::new(given, 1, 1).unwrap();
    forecast.open(Slate::new(&batch, 0, None));
    for row in batch.roster(1) {
        let person = batch.persons().shown(row);
        // Worth half of the score.
        forecast.learn(&Outcome::new(
            2,
            person,
            0.5 * person.score().unwrap(),
            None,
        ));
    }
    let files = forecast.open(Slate::new(&batch, 2, None));
    let slope = (files[1].mean - files[0].mean) / 2.0;
    assert!((slope - 0.5).abs() < 0.02, "{slope}");
}

/// A score that underrates a group and is noisy: given many outcomes the forecast is the mean of
/// worth given score and group, m + (score - bias - m) v / (v + noise^2).
#[test]
fn a_biased_score_is_found_out_by_outcomes() {
    let group = |(name, mean, sd, score_bias): (&str, f64, f64, f64)| GaussianGroup {
        name: name.into(),
        mean,
        sd,
        score_bias,
    };
    let laws = [("u", 1.0, 1.2, -0.8), ("v", 0.5, 0.9, 0.3)];
    let groups = GaussianGroups::new(laws.map(group).into(), 0.8).unwrap();
    let key = Key::new(3, 0);
    let mut stream = GaussianStream::new(Arc::new(groups), Sizes::Constant(500), key);
    let batch = stream.next_batch(4000).unwrap();
    let mut forecast = CohortForecast::new(GIVEN, 1, 2).unwrap();
    forecast.open(Slate::new(&batch, 0, None));
    let mut draw = draws(2);
    for at in 0..3 {
        for row in batch.roster(at) {
            let person = Person::new(&batch, row);
            forecast.learn(&Outcome::new(
                at as u64 + 1,
                person.shown(),
                person.merit().unwrap() + TAU * draw.normal(),
                None,
            ));
        }
    }
    let slate = Slate::new(&batch, 3, None);
    for (shown, file) in slate.candidates().zip(forecast.open(slate)) {
        let (_, mean, sd, bias) = laws[usize::from(shown.values()[0])];
        let slope = sd * sd / (sd * sd + 0.64);
        let score = shown.score().unwrap();
        let foretold = mean + (score - bias - mean) * slope;
        // 1,500 outcomes a group leave the line unsure by .03 in the middle and .1 far out.
        let wide = 0.1 + 0.05 * (score - mean).abs();
        assert!(
            (file.mean - foretold).abs() < wide,
            "{} {foretold}",
            file.mean
        );
    }
}
