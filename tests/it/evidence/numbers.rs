//! Streams of numbers: independent ones of one mean, and ones whose mean drifts.

use kleroterion::draw::{Draw, Key, Purpose};

use super::{Count, ROUNDS, Round, Screen, bet, look};
use crate::support::long;

const STREAMS: u64 = 2_000;

fn streams(rounds: impl Fn(&mut Draw) -> Vec<Round>) -> Vec<Vec<Round>> {
    let key = Key::new(2021, 7);
    let stream = |number| rounds(&mut key.draw(Purpose::World, number, 0));
    (0..STREAMS * long()).map(stream).collect()
}

/// The difference of two policies that admit one in three, each on its own: (D + 1)/2 of D in -1,
/// 0, 1.
fn alike(draw: &mut Draw) -> Vec<Round> {
    let mut admits = || f64::from(u8::from(draw.uniform() < 1.0 / 3.0));
    (0..ROUNDS)
        .map(|_| (0.5 * (admits() - admits() + 1.0), 0.5))
        .collect()
}

/// Uniform numbers.
fn even(draw: &mut Draw) -> Vec<Round> {
    (0..ROUNDS).map(|_| (draw.uniform(), 0.5)).collect()
}

/// Rare successes: of a skewed law.
fn rare(draw: &mut Draw) -> Vec<Round> {
    let success = |draw: &mut Draw| f64::from(u8::from(draw.uniform() < 0.05));
    (0..ROUNDS).map(|_| (success(draw), 0.05)).collect()
}

/// The mean of a success goes up and down, twice a stream, between .2 and .8.
fn drifting(draw: &mut Draw) -> Vec<Round> {
    let round = |t: usize| {
        let mean = 0.5 + 0.3 * libm::sin(t as f64 / 80.0);
        (f64::from(u8::from(draw.uniform() < mean)), mean)
    };
    (0..ROUNDS).map(round).collect()
}

#[test]
fn false_alarms_of_independent_rounds() {
    for (what, rounds) in [
        ("i.i.d. differences", alike as fn(&mut Draw) -> Vec<Round>),
        ("i.i.d. uniform", even),
        ("i.i.d. rare", rare),
    ] {
        let screen = Screen::new(10.0);
        let streams = streams(rounds);
        let mean = streams[0][0].1;
        let looks = streams
            .iter()
            .map(|rounds| look(rounds.iter().copied(), 10.0, &screen));
        let count = Count::of(what, looks.collect());
        count.holds();
        count.would_show();
        let bets = streams
            .iter()
            .map(|rounds| bet(rounds.iter().map(|round| round.0), mean));
        Count::of(what, bets.collect()).bets_hold();
    }
}

#[test]
fn false_alarms_where_the_mean_drifts() {
    let screen = Screen::new(10.0);
    let looks = streams(drifting)
        .into_iter()
        .map(|rounds| look(rounds, 10.0, &screen));
    let count = Count::of("drifting mean", looks.collect());
    count.holds();
    count.would_show();
}
