//! What evidence is worth: how often intervals are wrong, on streams where the truth is known,
//! looked at after every round; how often runs that stop when they are decided; how soon that is;
//! and what common draws save.

mod alike;
mod bounds;
mod course;
mod decided;
mod expected;
mod groups;
mod lanes;
mod measures;
mod numbers;
mod one_stream;
mod pairing;
mod panel;
mod power;
mod predictable;
mod record;
mod rounds;
mod standing;
mod stopping;
mod town;
mod yardsticks;

use kleroterion::compare::sequence::{Bets, Boundary, StreamSequence};

/// Rounds of a stream.
pub const ROUNDS: usize = 1_000;

/// The level of all intervals.
const ALPHA: f64 = 0.05;

/// The z-test is looked at from this round on.
const FIRST: u64 = 30;

/// A round of a stream: a value of [0, 1], and its mean given all that came before.
pub type Round = (f64, f64);

/// Whether an interval ever left out what it is to cover, on one stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alarms {
    /// [`StreamSequence`]'s, the running average of the conditional means.
    pub sequence: bool,
    /// The same by an interval of half the width: what a broken boundary would do.
    pub half: bool,
    /// The same by the plain normal interval.
    pub z: bool,
    /// Betting's, one mean; only where there is one.
    pub betting: bool,
    /// One-sided: the e-value for a higher mean reached 1/alpha.
    pub e_process: bool,
}

/// Looks at a stream after every round. `v_opt` as of [`StreamSequence::new`].
pub fn look(rounds: impl IntoIterator<Item = Round>, v_opt: f64, screen: &Screen) -> Alarms {
    let mut stream = StreamSequence::new(ALPHA, v_opt);
    let (mut alarms, mut means, mut spread) = (Alarms::default(), 0.0, 0.0);
    for (value, mean) in rounds {
        let before = stream.mean();
        stream.add(value);
        means += mean;
        let n = stream.count();
        // Welford's sum of squares about the mean.
        spread += if n > 1 {
            (value - before) * (value - stream.mean())
        } else {
            0.0
        };
        let truth = means / n as f64;
        let off = (stream.mean() - truth).abs();
        let boundary = screen.below(stream.variance());
        alarms.half |= 2.0 * off * n as f64 >= boundary;
        if !alarms.sequence && off * n as f64 >= boundary {
            let (lo, hi) = stream.interval();
            alarms.sequence = truth < lo || hi < truth;
        }
        if n >= FIRST {
            let se = (spread / (n - 1) as f64 / n as f64).sqrt();
            alarms.z |= off > 1.959_963_984_540_054 * se;
        }
    }
    alarms
}

/// Looks at a stream of one mean after every round, by betting.
pub fn bet(values: impl IntoIterator<Item = f64>, mean: f64) -> Alarms {
    let (mut above, mut below) = (Bets::against(mean), Bets::against(1.0 - mean));
    for value in values {
        above.add(value);
        below.add(1.0 - value);
    }
    let reached = |bets: &Bets, share: f64| bets.ln_greatest() >= -libm::log(ALPHA / share);
    Alarms {
        betting: reached(&above, 2.0) || reached(&below, 2.0),
        e_process: reached(&above, 1.0),
        ..Alarms::default()
    }
}

/// A boundary, in steps, never above the true one: sees quickly that there is no alarm.
pub struct Screen(Vec<f64>);

/// Steps of V.
const STEP: f64 = 0.25;

impl Screen {
    pub fn new(v_opt: f64) -> Self {
        let boundary = Boundary::new(ALPHA / 2.0, v_opt);
        let steps = (ROUNDS as f64 / STEP) as usize;
        Self(
            (0..=steps)
                .map(|at| boundary.at(STEP * at as f64))
                .collect(),
        )
    }

    fn below(&self, v: f64) -> f64 {
        self.0[(v / STEP) as usize]
    }
}

/// Of how many streams there was an alarm, by kind.
pub struct Count {
    what: &'static str,
    streams: usize,
    all: Vec<Alarms>,
}

impl Count {
    pub fn of(what: &'static str, all: Vec<Alarms>) -> Self {
        Self {
            what,
            streams: all.len(),
            all,
        }
    }

    fn share(&self, kind: fn(&Alarms) -> bool) -> f64 {
        self.all.iter().filter(|alarms| kind(alarms)).count() as f64 / self.streams as f64
    }

    /// At most 5 % by what is valid at any time, more than twice as many by the z-test. (Its
    /// standard error takes the drift of a mean for noise, so it is not always as bad as on
    /// independent rounds.)
    pub fn holds(&self) {
        let (sequence, z) = (self.share(|a| a.sequence), self.share(|a| a.z));
        let (half, streams, what) = (self.share(|a| a.half), self.streams, self.what);
        println!(
            "{what}: of {streams} streams false alarms in {sequence:.4}, \
             at half the width in {half:.4}, by the z-test in {z:.4}"
        );
        assert!(sequence <= ALPHA, "{what}: {sequence}");
        assert!(z > 2.0 * ALPHA, "{what}: {z} by the z-test");
    }

    /// That the streams could tell: at half the width the interval fails too often.
    pub fn would_show(&self) {
        let half = self.share(|a| a.half);
        assert!(half > ALPHA, "{}: {half} at half the width", self.what);
    }

    /// What [`Count::holds`] is, of betting.
    pub fn bets_hold(&self) {
        let (interval, evidence) = (self.share(|a| a.betting), self.share(|a| a.e_process));
        let (streams, what) = (self.streams, self.what);
        println!(
            "{what}: of {streams} streams false alarms by betting in {interval:.4}, \
             one-sided in {evidence:.4}"
        );
        assert!(
            interval <= ALPHA && evidence <= ALPHA,
            "{what}: {interval}, {evidence}"
        );
        // An interval that never failed would be too wide to be of use.
        assert!(
            interval > 0.005 && evidence > 0.005,
            "{what}: {interval}, {evidence}"
        );
    }
}
