//! Reference values, the definition word by word, extremes.

use super::super::{Range, assert_close, extremes, waves};
use super::*;
use kleroterion_core::draw::{Key, Purpose};

/// The factor by which the long form of the tests plays more.
fn long() -> u64 {
    let long = std::env::var("KLERO_LONG").ok();
    long.and_then(|long| long.parse().ok()).unwrap_or(1)
}

/// K by its definition; fit for few values that are not extreme.
fn plain_k(values: &[f64], m: f64) -> f64 {
    let bets = [0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95];
    let k = |f: f64| {
        values
            .iter()
            .map(|z| 1.0 + f * (z / m - 1.0))
            .product::<f64>()
    };
    bets.into_iter().map(k).sum::<f64>() / 9.0
}

/// The limit by going up in steps of a hundredth part of the last, as long as K was ever enough.
fn plain_lower(values: &[f64], alpha: f64) -> f64 {
    let was_enough = |m: f64| (1..=values.len()).any(|n| plain_k(&values[..n], m) >= 1.0 / alpha);
    let mut m = 0.0;
    for step in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        while was_enough(m + step) && m + step < 1.0 {
            m += step;
        }
    }
    m
}

/// a = .6 + .3 sin i less b = .5 + .3 sin(i + .3), i = 1, 2, ...
fn differences(count: usize) -> Vec<f64> {
    let difference = |i: usize| {
        let i = i as f64;
        (0.6 + 0.3 * libm::sin(i)) - (0.5 + 0.3 * libm::sin(i + 0.3))
    };
    (1..=count).map(difference).collect()
}

fn units(differences: &[f64]) -> Vec<f64> {
    let range = Range::new(-1.0, 1.0).unwrap();
    differences
        .iter()
        .map(|&d| range.unit(d).unwrap())
        .collect()
}

#[test]
fn reference_intervals() {
    // By the last K alone, and intersected over time.
    for (count, lo, hi, lo_met, hi_met) in [
        (
            10,
            0.288655179587,
            0.761140487663,
            0.288655179587,
            0.761140487663,
        ),
        (
            100,
            0.434066686968,
            0.565250736184,
            0.439298867866,
            0.565250736184,
        ),
        (
            1000,
            0.477430533558,
            0.523053203409,
            0.477684183387,
            0.522815897617,
        ),
    ] {
        let last = of_the_last(&waves(count), 0.05);
        assert_close(last.0, lo);
        assert_close(last.1, hi);
        let ours = Betting::interval(&waves(count), 0.05);
        assert_close(ours.0, lo_met);
        assert_close(ours.1, hi_met);
    }
}

#[test]
fn reference_intervals_of_paired_differences() {
    let range = Range::new(-1.0, 1.0).unwrap();
    for (count, lo, hi, lo_met) in [
        (10, -0.357951433386, 0.490217017458, -0.357951433386),
        (100, 0.038458473570, 0.151750799412, 0.038678207317),
        (1000, 0.092152595771, 0.106990077283, 0.092318714662),
    ] {
        let last = of_the_last(&units(&differences(count)), 0.05);
        assert_close(range.value(last.0), lo);
        assert_close(range.value(last.1), hi);
        let ours = Betting::interval(&units(&differences(count)), 0.05);
        assert_close(range.value(ours.0), lo_met);
        assert_close(range.value(ours.1), hi);
    }
}

#[test]
fn reference_evidence() {
    let mut bets = Bets::against(0.5);
    let mut plain = Vec::new();
    for (n, value) in units(&differences(1000)).into_iter().enumerate() {
        bets.add(value);
        plain.push(value);
        let (known, digits) = match n + 1 {
            10 => (1.56780277, 1e-8),
            100 => (1138.36257, 1e-8),
            1000 => (6.1366139e37, 1e-7),
            _ => continue,
        };
        let gap = (bets.e_value() / known - 1.0).abs();
        assert!(gap < digits, "{} for {known}", bets.e_value());
        assert_close(bets.e_value(), plain_k(&plain, 0.5));
        assert!(bets.p() <= 1.0 / bets.e_value() * (1.0 + 1e-12));
    }
}

#[test]
fn the_definition_word_by_word() {
    let some = |seed: usize, count: usize| -> Vec<f64> {
        let value = |i: usize| ((i * 7919 + seed * 104_729) % 1009) as f64 / 1008.0;
        let square = |i: usize| value(i) * value(i);
        (1..=count).map(square).collect()
    };
    for seed in 0..4 {
        for count in [1, 2, 5, 30, 200] {
            let values = some(seed, count);
            for m in [0.05, 0.1, 0.3, 0.5, 0.9, 1.0] {
                let mut bets = Bets::against(m);
                values.iter().for_each(|&value| bets.add(value));
                let gap = bets.ln_e() - libm::log(plain_k(&values, m));
                assert!(gap.abs() < 1e-9, "{gap}");
            }
            for alpha in [0.05, 0.001] {
                let gap = Betting::lower(&values, alpha) - plain_lower(&values, alpha);
                assert!((-1e-12..=2e-12).contains(&gap), "{gap:e}");
            }
        }
    }
}

#[test]
fn a_limit_is_passed_exactly_where_the_evidence_says() {
    let values = units(&differences(300));
    let (mut above, mut below) = (Bets::against(0.5), Bets::against(0.5));
    for n in 1..=values.len() {
        above.add(values[n - 1]);
        below.add(1.0 - values[n - 1]);
        let (lo, hi) = Betting::interval(&values[..n], 0.05);
        let level = libm::log(2.0 / 0.05);
        assert_eq!(lo > 0.5, above.ln_greatest() > level, "{n}");
        assert_eq!(hi < 0.5, below.ln_greatest() > level, "{n}");
    }
}

#[test]
fn extremes_are_no_trouble() {
    for values in extremes() {
        for alpha in [0.05, 1e-9] {
            let (lo, hi) = Betting::interval(&values, alpha);
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            let what = || format!("{} of {:?}: {lo} {hi}", values.len(), values.first());
            assert!(
                (0.0..=1.0).contains(&lo) && (lo..=1.0).contains(&hi),
                "{}",
                what()
            );
            // The mean of those of 3,000 moves: what was left out early stays out.
            if !values.is_empty() && values.len() != 3_000 {
                assert!(lo <= mean + 1e-12 && mean <= hi + 1e-12, "{}", what());
            }
        }
        for m in [1e-100, 0.5, 1.0] {
            let mut bets = Bets::against(m);
            values.iter().for_each(|&value| bets.add(value));
            assert!(bets.ln_e().is_finite() && bets.e_value().is_finite());
            assert!((0.0..=1.0).contains(&bets.p()));
        }
    }
    assert_eq!(Betting::interval(&[], 0.05), (0.0, 1.0));
    // All at an end: (1 + .95 (1/m - 1))^n / 9 alone is already enough to see that hardly more than
    // 1/n is left.
    let (lo, hi) = Betting::interval(&vec![1.0; 1000], 0.05);
    assert!((0.99..1.0).contains(&lo) && hi == 1.0, "{lo} {hi}");
}

#[test]
fn how_many_are_likely_to_decide() {
    let values = units(&differences(1000));
    // What 100 of them say of all: K passes 40 at the 47th or thereabouts.
    let mut bets = Bets::against(0.5);
    let passed = values.iter().position(|&value| {
        bets.add(value);
        bets.ln_e() >= libm::log(40.0)
    });
    let passed = passed.unwrap() as f64 + 1.0;
    let likely = Betting::likely(&values[..500], 0.5, 0.025).unwrap();
    assert!(
        (0.7..1.4).contains(&(likely / passed)),
        "{likely} for {passed}"
    );
    // Alike ones: exactly (ln 40) / ln K, but for the mixture.
    let alike = vec![0.75; 10];
    let likely = Betting::likely(&alike, 0.5, 0.025).unwrap();
    let n = likely.ceil() as usize;
    let e = |n: usize| plain_k(&vec![0.75; n], 0.5);
    assert!(e(n) >= 40.0 && e(n - 1) < 40.0, "{likely}");
    for (values, m) in [
        (vec![], 0.5),
        (vec![0.5; 9], 0.5),
        (vec![0.1; 9], 0.5),
        (vec![1.0], 1.0),
    ] {
        assert_eq!(Betting::likely(&values, m, 0.05), None);
    }
}

/// Limits that are searched for one after the other lie at most a hair outside.
#[test]
fn intervals_at_several_counts_are_those_at_each() {
    let mut streams = extremes();
    streams.push(units(&differences(700)));
    streams.extend(turning());
    // Of those of 3,000 no mean is left in the end: what stays then is what was left at the counts
    // that were looked at.
    let has_mean = |values: &&Vec<f64>| values.len() < 10_000 && values.len() != 3_000;
    for values in streams.iter().filter(has_mean) {
        let at: Vec<usize> = [1, 2, 3, 5, 8, 64, 100, 300, 699, 2000, 2999]
            .into_iter()
            .filter(|n| *n <= values.len())
            .collect();
        let intervals = Betting::intervals(values, 0.01, &at);
        assert_eq!(intervals.len(), at.len());
        for (n, (lo, hi)) in at.iter().zip(intervals) {
            let (low, high) = Betting::interval(&values[..*n], 0.01);
            let of = format!("{n} of {:?}", values.get(..3));
            assert!(low - 1.1e-8 <= lo && lo <= low + 1e-12, "{of}: {lo} {low}");
            assert!(
                high - 1e-12 <= hi && hi <= high + 1.1e-8,
                "{of}: {hi} {high}"
            );
        }
    }
}

#[test]
fn the_greatest_evidence_stays_and_p_is_one_over_it() {
    let mut bets = Bets::against(0.5);
    assert_eq!((bets.ln_greatest(), bets.p()), (0.0, 1.0));
    bets.add(0.0);
    assert!(bets.ln_e() < 0.0 && bets.p() == 1.0);
    (0..20).for_each(|_| bets.add(1.0));
    let greatest = bets.ln_e();
    assert!(greatest > 3.0);
    (0..5).for_each(|_| bets.add(0.0));
    assert!(bets.ln_e() < greatest);
    assert_eq!(bets.ln_greatest(), greatest);
    assert_eq!(bets.p(), libm::exp(-greatest));
}

/// Equal values, of which each alone multiplies K many times over, and a level that one bet hardly
/// reaches: the number at which K, as a number of values that need not be whole, is at its level.
#[test]
fn strong_evidence_and_weak_levels_need_as_many_as_the_definition_says() {
    for (m, alpha) in [(0.01, 1e-20), (0.01, 0.5), (0.5, 0.95), (0.5, 1e-20)] {
        let n = Betting::likely(&[1.0; 3], m, alpha).unwrap();
        let bets = [0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95];
        let k = |f: f64| libm::pow(1.0 + f * (1.0 / m - 1.0), n);
        let mean = bets.into_iter().map(k).sum::<f64>() / 9.0;
        assert!(
            (mean * alpha - 1.0).abs() < 1e-9,
            "{m} {alpha}: {n}, {mean}"
        );
    }
}

/// Few bets gain in the long run on values on both sides, and K comes from these alone.
#[test]
fn a_mixed_stream_needs_as_many_as_the_bets_that_gain_take() {
    for alpha in [0.95, 0.5, 0.025, 1e-12] {
        let n = Betting::likely(&[1.0, 0.0, 1.0, 0.0, 1.0], 0.5, alpha).unwrap();
        let bets = [0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95];
        let k = |f: f64| libm::exp(n / 5.0 * (3.0 * libm::log1p(f) + 2.0 * libm::log1p(-f)));
        let mean = bets.into_iter().map(k).sum::<f64>() / 9.0;
        assert!((mean * alpha - 1.0).abs() < 1e-9, "{alpha}: {n}, {mean}");
    }
}

/// Streams whose plain intervals widen again: the mean of the first part is not that of the rest.
fn turning() -> Vec<Vec<f64>> {
    let key = Key::new(62, 2);
    let stream = |number: u64| {
        let mut draw = key.draw(Purpose::World, number, 0);
        let value = |at: usize| {
            let mean = if at < 120 { 0.58 } else { 0.5 };
            match number % 2 {
                0 => f64::from(u8::from(draw.uniform() < mean)),
                _ => mean + 0.4 * (draw.uniform() - 0.5),
            }
        };
        (0..400).map(value).collect()
    };
    (0..12).map(stream).collect()
}

/// The interval by K after the last value alone.
fn of_the_last(values: &[f64], alpha: f64) -> (f64, f64) {
    let lower = |values: &[f64]| {
        let refuted = |m: f64| {
            let mut bets = Bets::against(m);
            values.iter().for_each(|value| bets.bet(*value));
            bets.ln_e() >= libm::log(2.0 / alpha)
        };
        bisect((0.0, 1.0), HALVINGS, refuted).0
    };
    let mirrored: Vec<f64> = values.iter().map(|value| 1.0 - value).collect();
    (lower(values), 1.0 - lower(&mirrored))
}

/// A value that an interval left out stays out, at each number of values and from row to row of a
/// course.
#[test]
fn no_interval_widens() {
    let mut plain_ones_widen = 0;
    for (number, values) in turning().iter().enumerate() {
        let at: Vec<usize> = (1..=values.len()).step_by(7).collect();
        let rows = Betting::intervals(values, 0.05, &at);
        let (mut before, mut row_before, mut met) = ((0.0, 1.0), (0.0, 1.0), (0.0_f64, 1.0_f64));
        let mut plain_before = (0.0, 1.0);
        for (n, row) in at.iter().zip(rows) {
            let exact = Betting::interval(&values[..*n], 0.05);
            for (now, then) in [(exact, before), (row, row_before)] {
                assert!(
                    then.0 <= now.0 && now.1 <= then.1,
                    "{number} at {n}: {now:?} {then:?}"
                );
                assert!(now.0 <= now.1, "{number} at {n}");
            }
            assert!(row.0 <= exact.0 && exact.1 <= row.1, "{row:?} {exact:?}");
            assert!(
                exact.0 - row.0 <= 1e-8 && row.1 - exact.1 <= 1e-8,
                "{row:?} {exact:?}"
            );
            // It lies within all plain ones, looked at here and there, while some mean is left.
            let plain = of_the_last(&values[..*n], 0.05);
            plain_ones_widen += usize::from(plain.0 < plain_before.0 || plain_before.1 < plain.1);
            met = (met.0.max(plain.0), met.1.min(plain.1));
            let mirrored: Vec<f64> = values[..*n].iter().map(|value| 1.0 - value).collect();
            let [lo, down] = [&values[..*n], &mirrored].map(|of| Betting::lower(of, 0.025));
            let is_left = lo <= 1.0 - down;
            assert!(
                !is_left || met.0 <= exact.0 + 1e-12 && exact.1 <= met.1 + 1e-12,
                "{number} at {n}"
            );
            (before, row_before, plain_before) = (exact, row, plain);
        }
    }
    assert!(plain_ones_widen > 100, "{plain_ones_widen}");
}

/// 2,000 null streams (ten times as many in the long form), a look after each value: an intersected
/// interval leaves the mean out where, and only where, some plain one did. So false alarms are as
/// many as before, and 5 % at most.
#[test]
fn intersected_intervals_have_the_false_alarms_of_plain_ones() {
    let streams = 2_000 * long();
    let key = Key::new(62, 3);
    let level = libm::log(2.0 / 0.05);
    let (mut ever, mut at_the_end) = (0, 0);
    for number in 0..streams {
        let mut draw = key.draw(Purpose::World, number, 0);
        let mut coin = || f64::from(u8::from(draw.uniform() < 1.0 / 3.0));
        let values: Vec<f64> = (0..150).map(|_| 0.5 * (coin() - coin() + 1.0)).collect();
        let (mut above, mut below) = (Bets::against(0.5), Bets::against(0.5));
        for value in &values {
            above.add(*value);
            below.add(1.0 - value);
        }
        let alarm = above.ln_greatest() > level || below.ln_greatest() > level;
        ever += u64::from(alarm);
        at_the_end += u64::from(above.ln_e() > level || below.ln_e() > level);
        let (lo, hi) = Betting::interval(&values, 0.05);
        assert_eq!(lo > 0.5 || hi < 0.5, alarm, "{number}");
    }
    assert!(ever * 20 <= streams, "{ever} of {streams}");
    assert!(
        at_the_end < ever && ever > streams / 200,
        "{at_the_end} {ever}"
    );
}
