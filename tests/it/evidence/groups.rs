//! Rates of groups and their ratio: how often their intervals are ever wrong, looked at after every
//! round.

use std::sync::Arc;

use kleroterion::compare::sequence::{Boundary, StreamSequence};
use kleroterion::compare::{GroupRates, Ratio};
use kleroterion::draw::{Draw, Key, Purpose};
use kleroterion::protocol::{Attribute, Schema};

use super::{ALPHA, ROUNDS};
use crate::support::long;

/// The long form (KLERO_LONG=10) has 2,000.
const STREAMS: u64 = 200;
const GROUPS: usize = 2;

/// A round: who comes, whether the person is selected, and how likely that was given all that came
/// before.
type Round = (u16, bool, f64);

/// Two groups, of the second of which all are selected: its rate is soon known, so that the ratio,
/// exactly four fifths, is hardly less sure than the first's rate.
fn still(draw: &mut Draw) -> Vec<Round> {
    let round = |_| {
        let group = u16::from(draw.uniform() < 0.5);
        let rate = [0.8, 1.0][usize::from(group)];
        (group, draw.uniform() < rate, rate)
    };
    (0..ROUNDS).map(round).collect()
}

/// The same rate for both groups, which falls from .8 to .2 and rises again.
fn drifting(draw: &mut Draw) -> Vec<Round> {
    let round = |t: usize| {
        let rate = 0.5 + 0.3 * libm::cos(t as f64 / 160.0);
        (u16::from(draw.uniform() < 0.8), draw.uniform() < rate, rate)
    };
    (0..ROUNDS).map(round).collect()
}

/// Who was selected is selected the more: a group's rate is its own share of successes so far, from
/// two and two on. Neither group is preferred, and they come to lie far apart.
fn reinforced(draw: &mut Draw) -> Vec<Round> {
    let mut counts = [[2.0, 4.0]; GROUPS];
    let round = |_| {
        let group = u16::from(draw.uniform() < 0.5);
        let [selected, all] = &mut counts[usize::from(group)];
        let rate = *selected / *all;
        let is_selected = draw.uniform() < rate;
        *selected += f64::from(u8::from(is_selected));
        *all += 1.0;
        (group, is_selected, rate)
    };
    (0..ROUNDS).map(round).collect()
}

/// A boundary in steps, never above the true one: it sees quickly that there is no alarm.
struct Screen(Vec<f64>);

impl Screen {
    const STEP: f64 = 0.25;

    fn new() -> Self {
        let boundary = Boundary::new(ALPHA / GROUPS as f64 / 2.0, 10.0);
        let steps = (ROUNDS as f64 / Self::STEP) as usize;
        Self(
            (0..=steps)
                .map(|at| boundary.at(Self::STEP * at as f64))
                .collect(),
        )
    }

    /// The interval by so much of the boundary.
    fn interval(&self, stream: &StreamSequence, part: f64) -> (f64, f64) {
        let half = part * self.0[(stream.variance() / Self::STEP) as usize] / stream.count() as f64;
        (
            (stream.mean() - half).max(0.0),
            (stream.mean() + half).min(1.0),
        )
    }
}

/// Whether anything ever left its interval: a group's rate, the ratio.
#[derive(Clone, Copy, Default)]
struct Alarms {
    rates: bool,
    ratio: bool,
}

impl Alarms {
    /// Against the running averages of what was to be expected.
    fn of(rates: [f64; GROUPS], intervals: [(f64, f64); GROUPS], ratio: (f64, f64)) -> Self {
        let out = |value: f64, (lo, hi): (f64, f64)| value < lo - 1e-12 || value > hi + 1e-12;
        let true_ratio = rates[0].min(rates[1]) / rates[0].max(rates[1]);
        Self {
            rates: (0..GROUPS).any(|group| out(rates[group], intervals[group])),
            ratio: out(true_ratio, ratio),
        }
    }
}

/// Looks after every round: at what a run says, and at what it would say with half the width.
fn look(rounds: &[Round], schema: &Arc<Schema>, screen: &Screen) -> [Alarms; 2] {
    let mut ours = GroupRates::new(schema, None, ALPHA);
    let mut plain = [(); GROUPS].map(|()| StreamSequence::new(ALPHA, 10.0));
    let mut means = [0.0; GROUPS];
    let mut found = [Alarms::default(); 2];
    for &(group, selected, rate) in rounds {
        ours.add(&[group], selected);
        plain[usize::from(group)].add(f64::from(u8::from(selected)));
        means[usize::from(group)] += rate;
        if plain.iter().any(|stream| stream.count() == 0) {
            continue;
        }
        let truth = [0, 1].map(|group| means[group] / plain[group].count() as f64);
        let alarms = [1.0, 0.5].map(|part| {
            let intervals = [0, 1].map(|group| screen.interval(&plain[group], part));
            let joined = Ratio::of([0, 1].map(|group| (plain[group].mean(), intervals[group])));
            Alarms::of(truth, intervals, (joined.lo, joined.hi))
        });
        found[1].rates |= alarms[1].rates;
        found[1].ratio |= alarms[1].ratio;
        // What the screen can't rule out is looked at in what a run would write.
        if alarms[0].rates || alarms[0].ratio {
            let read = ours.read().attributes.remove(0);
            let intervals = [0, 1].map(|group| (read.groups[group].lo, read.groups[group].hi));
            let real = Alarms::of(truth, intervals, (read.ratio.lo, read.ratio.hi));
            found[0].rates |= real.rates;
            found[0].ratio |= real.ratio;
        }
    }
    found
}

#[test]
fn false_alarms_of_groups_and_their_ratio() {
    let attribute = Attribute {
        name: "group".into(),
        values: vec!["g".into(), "h".into()],
    };
    let schema = Arc::new(Schema::new(vec![attribute], vec![], false).expect("two cells"));
    let screen = Screen::new();
    let key = Key::new(2026, 17);
    for (what, rounds, shows) in [
        (
            "four fifths of a rate",
            still as fn(&mut Draw) -> Vec<Round>,
            true,
        ),
        ("a rate that drifts", drifting, false),
        ("rates that feed on themselves", reinforced, false),
    ] {
        let streams = STREAMS * long();
        let looks = (0..streams).map(|number| {
            let mut draw = key.draw(Purpose::World, number, 0);
            look(&rounds(&mut draw), &schema, &screen)
        });
        let looks: Vec<[Alarms; 2]> = looks.collect();
        let share = |of: &dyn Fn(&[Alarms; 2]) -> bool| {
            looks.iter().filter(|alarms| of(alarms)).count() as f64 / streams as f64
        };
        let [rates, ratio] = [share(&|a| a[0].rates), share(&|a| a[0].ratio)];
        let [half, half_ratio] = [share(&|a| a[1].rates), share(&|a| a[1].ratio)];
        println!(
            "{what}: of {streams} streams false alarms of a group in {rates:.4}, \
             of the ratio in {ratio:.4}; at half the width in {half:.4} and {half_ratio:.4}"
        );
        assert!(rates <= ALPHA && ratio <= rates, "{what}: {rates}, {ratio}");
        assert!(half > ALPHA, "{what}: {half} at half the width");
        assert!(
            !shows || half_ratio > ALPHA,
            "{what}: {half_ratio} at half the width"
        );
    }
}
