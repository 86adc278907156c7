//! The predictable-mixture empirical Bernstein interval: Waudby-Smith and Ramdas (2024),
//! "Estimating means of bounded random variables by betting", Theorem 2 with the bets of Eq. 15. No
//! running intersection.

/// The sums of one side.
#[derive(Clone, Copy, Debug)]
struct Side {
    n: u64,
    /// The sum of the values.
    sum: f64,
    /// The sum of the squares of value less m_t, for the bets.
    squares: f64,
    /// The sums of the bets, of bet times value, and of v psi(bet).
    bets: f64,
    won: f64,
    spread: f64,
}

impl Side {
    const NEW: Self = Self {
        n: 0,
        sum: 0.0,
        squares: 0.0,
        bets: 0.0,
        won: 0.0,
        spread: 0.0,
    };

    fn add(&mut self, value: f64, level: f64) {
        let before = self.n as f64;
        let variance = (0.25 + self.squares) / (before + 1.0);
        let mean = if self.n == 0 { 0.0 } else { self.sum / before };
        self.n += 1;
        let t = self.n as f64;
        let bet = (2.0 * level / (t * libm::log1p(t) * variance))
            .sqrt()
            .min(0.5);
        self.bets += bet;
        self.won += bet * value;
        let psi = -libm::log1p(-bet) - bet;
        self.spread += (value - mean) * (value - mean) * psi;
        self.sum += value;
        let centre = ((0.5 + self.sum) / (t + 1.0)).min(1.0);
        self.squares += (value - centre) * (value - centre);
    }

    fn lower(&self, level: f64) -> f64 {
        if self.n == 0 {
            return 0.0;
        }
        ((self.won - level - self.spread) / self.bets).max(0.0)
    }
}

/// The interval for the mean of values in \[0, 1\], one value at a time, in constant memory.
#[derive(Clone, Debug)]
pub struct PredictableMixture {
    /// ln(2/alpha).
    level: f64,
    low: Side,
    high: Side,
}

impl PredictableMixture {
    /// Makes an empty interval of level `1 - alpha`, above 0 and below 1.
    pub fn new(alpha: f64) -> Self {
        Self {
            level: libm::log(2.0 / alpha),
            low: Side::NEW,
            high: Side::NEW,
        }
    }

    /// Takes in a value of \[0, 1\].
    pub fn add(&mut self, value: f64) {
        self.low.add(value, self.level);
        self.high.add(1.0 - value, self.level);
    }

    /// Returns the interval after all values so far; \[0, 1\] before the first.
    pub fn interval(&self) -> (f64, f64) {
        (
            self.low.lower(self.level),
            1.0 - self.high.lower(self.level),
        )
    }
}

/// `.5 + .3 sin(i)`, i = 1, 2, ...
fn waves(count: usize) -> Vec<f64> {
    let wave = |i: usize| 0.5 + 0.3 * libm::sin(i as f64);
    (1..=count).map(wave).collect()
}

/// Values that break careless code: none, one, all at an end, constant, alternating, tiny, many.
fn extremes() -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new(), waves(100_000)];
    let tiny = f64::MIN_POSITIVE / 4.0;
    for value in [0.0, 1.0, 0.5, 0.1, 1e-300, tiny, 1.0 - 1e-16] {
        for count in [1, 2, 3, 100, 10_000] {
            all.push(vec![value; count]);
        }
    }
    all.push((0..10_000).map(|i| f64::from(i % 2)).collect());
    for is_one in [|i: u32| i >= 1_500, |i: u32| i == 0] {
        all.push((0..3_000).map(|i| f64::from(u8::from(is_one(i)))).collect());
    }
    all
}

fn interval(values: &[f64], alpha: f64) -> (f64, f64) {
    let mut mixture = PredictableMixture::new(alpha);
    values.iter().for_each(|&value| mixture.add(value));
    mixture.interval()
}

/// The formulas word by word, every sum from its start.
fn plain_lower(x: &[f64], a: f64) -> f64 {
    let sum = |t: usize| x[..t].iter().sum::<f64>();
    let m = |t: usize| ((0.5 + sum(t)) / (t as f64 + 1.0)).min(1.0);
    let s2 = |t: usize| {
        let squares = (1..=t).map(|i| (x[i - 1] - m(i)).powi(2)).sum::<f64>();
        (0.25 + squares) / (t as f64 + 1.0)
    };
    let mean = |t: usize| if t == 0 { 0.0 } else { sum(t) / t as f64 };
    let level = libm::log(1.0 / a);
    let lambda = |t: usize| {
        let n = t as f64;
        (2.0 * level / (n * libm::log(1.0 + n) * s2(t - 1)))
            .sqrt()
            .min(0.5)
    };
    let psi = |l: f64| -libm::log(1.0 - l) - l;
    let (mut bets, mut won, mut spread) = (0.0, 0.0, 0.0);
    for t in 1..=x.len() {
        bets += lambda(t);
        won += lambda(t) * x[t - 1];
        spread += (x[t - 1] - mean(t - 1)).powi(2) * psi(lambda(t));
    }
    ((won - level - spread) / bets).max(0.0)
}

#[test]
fn reference_intervals() {
    for (count, lo, hi) in [
        (100, 0.405330246267, 0.591956394672),
        (1000, 0.476453894351, 0.524155149172),
    ] {
        let ours = interval(&waves(count), 0.05);
        for (ours, known) in [(ours.0, lo), (ours.1, hi)] {
            let gap = ((ours - known) / known).abs();
            assert!(gap <= 1e-9, "{ours} against {known}: {gap:e}");
        }
    }
}

#[test]
fn the_formulas_word_by_word() {
    for count in [1, 2, 10, 60] {
        let x: Vec<f64> = waves(count).iter().map(|x| x * x).collect();
        let mirrored: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
        let (lo, hi) = interval(&x, 0.3);
        assert!((lo - plain_lower(&x, 0.15)).abs() < 1e-12);
        assert!((hi - (1.0 - plain_lower(&mirrored, 0.15))).abs() < 1e-12);
    }
}

#[test]
fn extremes_are_no_trouble() {
    for values in extremes() {
        for alpha in [0.05, 1e-9] {
            let (lo, hi) = interval(&values, alpha);
            assert!((0.0..=1.0).contains(&lo) && (0.0..=1.0).contains(&hi) && lo <= hi);
        }
    }
}
