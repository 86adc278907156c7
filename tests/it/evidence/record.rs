//! Replications on record as a world of their own: what is drawn from them again has their law
//! exactly, so that times to a verdict can be held against that law's own floor.

use kleroterion::compare::Stats;
use kleroterion::compare::sequence::{BETS, Bets, Range};
use kleroterion::draw::{Draw, Key, Purpose};

use super::ALPHA;
use super::predictable::PredictableMixture;

/// Two policies' values of a metric, replication by replication, 0 to 1 of its declared range; the
/// policy with the higher mean first.
pub struct Record {
    high: Vec<f64>,
    low: Vec<f64>,
}

/// Whose draws the two policies of a replication meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// The same: both values are of one replication.
    Common,
    /// Each its own: both are of replications drawn apart.
    Independent,
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub value: f64,
    pub se: f64,
}

impl Measured {
    /// The mean of values that were drawn independently.
    pub fn of(values: &[f64]) -> Self {
        let stats = Stats::of(values).expect("there are values");
        let se = stats.se.expect("two values at least");
        let value = stats.mean;
        Self { value, se }
    }

    /// In units of another number.
    pub fn per(self, unit: f64) -> Self {
        let (value, se) = (self.value / unit, self.se / unit);
        Self { value, se }
    }

    /// The ratio of two that were measured apart.
    pub fn over(self, other: Self) -> Self {
        let value = self.value / other.value;
        let relative = (self.se / self.value).hypot(other.se / other.value);
        let se = value * relative;
        Self { value, se }
    }

    /// As high as four standard errors leave it.
    pub fn most(self) -> f64 {
        self.value + 4.0 * self.se
    }

    /// As low.
    pub fn least(self) -> f64 {
        self.value - 4.0 * self.se
    }
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = f.precision().unwrap_or(2);
        write!(f, "{:.digits$} ± {:.digits$}", self.value, self.se)
    }
}

/// How long verdicts took, over many streams drawn from a record.
pub struct Times {
    /// Replications until betting says that the higher is higher.
    pub betting: Measured,
    /// The same by the predictable mixture.
    pub mixture: Measured,
    /// By how much the evidence passes ln(2/alpha) when it reaches it, as a share of it: a verdict
    /// can't fall between two replications.
    pub overshoot: Measured,
    /// In what share of the streams betting had said the opposite before.
    pub wrong: f64,
}

/// The least replications that a law asks of any test of its level, on average.
pub struct Floor {
    pub replications: f64,
    /// The one bet that would be best, knowing the law: 1 where the range alone, not the spread,
    /// makes a verdict take long.
    pub bet: f64,
    /// The most that betting can need, as a multiple: see [`Record::floor`].
    pub bound: f64,
}

/// ln(2/alpha): what the evidence has to reach.
fn level() -> f64 {
    libm::log(2.0 / ALPHA)
}

impl Record {
    /// Of the values of two policies, within `range`.
    pub fn new(a: &[f64], b: &[f64], range: (f64, f64)) -> Self {
        assert_eq!(a.len(), b.len());
        let range = Range::new(range.0, range.1).expect("it is one");
        let unit = |value: &f64| range.unit(*value).expect("within the range");
        let (a, b): (Vec<f64>, Vec<f64>) =
            (a.iter().map(unit).collect(), b.iter().map(unit).collect());
        let (high, low) = if a.iter().sum::<f64>() > b.iter().sum() {
            (a, b)
        } else {
            (b, a)
        };
        Self { high, low }
    }

    /// (D + 1)/2 of all replications, of common draws.
    pub fn units(&self) -> Vec<f64> {
        let pairs = self.high.iter().zip(&self.low);
        pairs.map(|(high, low)| 0.5 * (high - low + 1.0)).collect()
    }

    /// After how many replications, as they are on record, betting first says that either is
    /// higher.
    pub fn stop(&self) -> u64 {
        let (mut up, mut down) = (Bets::against(0.5), Bets::against(0.5));
        let stop = self.units().into_iter().position(|unit| {
            up.add(unit);
            down.add(1.0 - unit);
            up.ln_e().max(down.ln_e()) > level()
        });
        stop.expect("it is decided") as u64 + 1
    }

    /// Another replication like those on record.
    fn unit(&self, draw: &mut Draw, draws: Draws) -> f64 {
        let among = self.high.len() as u64;
        let first = draw.below(among);
        let second = match draws {
            Draws::Common => first,
            Draws::Independent => draw.below(among),
        };
        0.5 * (self.high[first as usize] - self.low[second as usize] + 1.0)
    }

    /// The floor of common draws, ln(2/alpha)/KL: KL, the least divergence from the record's law of
    /// any law on \[0, 1\] whose mean is at most 1/2, is the greatest mean of ln(1 + f (2 z - 1))
    /// over bets f in \[0, 1\] (Honda and Takemura 2010). As that is how fast evidence can grow at
    /// best, no e-process takes fewer replications on average.
    ///
    /// Nor can betting take more than its bound: K is at least a ninth of each of its nine bets,
    /// and the one of the greatest growth g passes ln(2/alpha) + ln 9 by ln(1 + f) at most (Wald's
    /// identity).
    pub fn floor(&self) -> Floor {
        let units = self.units();
        let growth = |f: f64| {
            let all = units.iter().map(|z| libm::log1p(f * (2.0 * z - 1.0)));
            all.sum::<f64>() / units.len() as f64
        };
        // Concave in f.
        let (mut lo, mut hi) = (0.0, 1.0);
        for _ in 0..40 {
            let third = (hi - lo) / 3.0;
            if growth(lo + third) < growth(hi - third) {
                lo += third;
            } else {
                hi -= third;
            }
        }
        let (bet, best) = (hi, growth(hi).max(growth(lo)));
        let nine = BETS.into_iter().map(|f| {
            let reach = level() + libm::log(BETS.len() as f64) + libm::log1p(f);
            (reach / growth(f), growth(f))
        });
        let able = nine.filter(|(_, growth)| *growth > 0.0);
        let most = able.map(|(most, _)| most).fold(f64::INFINITY, f64::min);
        let replications = level() / best;
        let bound = most / replications;
        Floor {
            replications,
            bet,
            bound,
        }
    }

    /// Plays streams until betting, and until the predictable mixture, has a verdict.
    pub fn times(&self, draws: Draws, streams: u64) -> Times {
        let (mut betting, mut mixture, mut overshoot) = (vec![], vec![], vec![]);
        let mut wrong = 0;
        let key = Key::new(2026, draws as u64);
        for stream in 0..streams {
            let start = || key.draw(Purpose::World, stream, 0);
            let (mut draw, mut up, mut down) = (start(), Bets::against(0.5), Bets::against(0.5));
            let mut n = 0;
            while up.ln_e() < level() {
                let unit = self.unit(&mut draw, draws);
                up.add(unit);
                down.add(1.0 - unit);
                n += 1;
            }
            betting.push(f64::from(n));
            overshoot.push(up.ln_e() / level() - 1.0);
            wrong += u32::from(down.ln_greatest() >= level());
            let (mut draw, mut mixed, mut n) = (start(), PredictableMixture::new(ALPHA), 0);
            while mixed.interval().0 <= 0.5 {
                mixed.add(self.unit(&mut draw, draws));
                n += 1;
            }
            mixture.push(f64::from(n));
        }
        Times {
            betting: Measured::of(&betting),
            mixture: Measured::of(&mixture),
            overshoot: Measured::of(&overshoot),
            wrong: f64::from(wrong) / streams as f64,
        }
    }
}

/// The saving in replications by common draws where a mean is estimated: the variance of A - B with
/// independent draws over that with common ones. Its standard error is the jackknife's over twenty
/// stretches of the record.
pub fn saving(a: &[f64], b: &[f64]) -> Measured {
    const STRETCHES: usize = 20;
    let n = a.len();
    let ratio = |leave: Option<usize>| {
        let kept: Vec<usize> = (0..n)
            .filter(|at| Some(at * STRETCHES / n) != leave)
            .collect();
        let variance = |value: &dyn Fn(usize) -> f64| {
            let values: Vec<f64> = kept.iter().map(|at| value(*at)).collect();
            let sd = Stats::of(&values).and_then(|stats| stats.sd);
            sd.expect("two values at least").powi(2)
        };
        (variance(&|at| a[at]) + variance(&|at| b[at])) / variance(&|at| a[at] - b[at])
    };
    let without: Vec<f64> = (0..STRETCHES).map(|stretch| ratio(Some(stretch))).collect();
    let mean = without.iter().sum::<f64>() / STRETCHES as f64;
    let squares: f64 = without.iter().map(|one| (one - mean).powi(2)).sum();
    let share = (STRETCHES - 1) as f64 / STRETCHES as f64;
    let se = (share * squares).sqrt();
    let value = ratio(None);
    Measured { value, se }
}
