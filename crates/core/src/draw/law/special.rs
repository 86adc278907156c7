//! The incomplete gamma and beta functions, by `libm` alone.

/// The relative size below which a term adds nothing more.
const SMALL: f64 = 1e-17;

/// A number that replaces 0 in a continued fraction (Lentz's method).
const TINY: f64 = 1e-300;

/// The most steps of a fraction or series. They need a few times the root of the parameter.
const STEPS: u32 = 200_000;

/// P(a, x), the regularised lower incomplete gamma function, a > 0: by its series below a + 1, else
/// by the continued fraction of its complement (Abramowitz and Stegun 6.5.29 and 6.5.31).
pub(super) fn lower_gamma(a: f64, x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return 0.0;
    }
    if x == f64::INFINITY {
        return 1.0;
    }
    let scale = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        for _ in 0..STEPS {
            n += 1.0;
            term *= x / n;
            sum += term;
            if term < sum * SMALL {
                break;
            }
        }
        return (sum * scale).min(1.0);
    }
    let mut fraction = Fraction::starting(x + 1.0 - a);
    for step in 1..STEPS {
        let k = f64::from(step);
        if fraction.is_settled_by(k * (a - k), x + 2.0 * k + 1.0 - a) {
            break;
        }
    }
    (1.0 - scale / fraction.value).clamp(0.0, 1.0)
}

/// I_x(a, b), the regularised incomplete beta function, a and b > 0, by its continued fraction
/// (Abramowitz and Stegun 26.5.8) on the side where it converges fast.
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x <= (a + 1.0) / (a + b + 2.0) {
        beta_fraction(a, b, x, 1.0 - x)
    } else {
        1.0 - beta_fraction(b, a, 1.0 - x, x)
    }
}

/// I_x(a, b) where x is not far above the mean; `y`: 1 - x.
fn beta_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let gammas = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b);
    let scale = libm::exp(gammas + a * libm::log(x) + b * libm::log(y)) / a;
    let mut fraction = Fraction::starting(1.0);
    for step in 0..STEPS {
        let m = f64::from(step / 2);
        let numerator = match step % 2 {
            0 => -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
            _ => {
                let m = m + 1.0;
                m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
            }
        };
        if fraction.is_settled_by(numerator, 1.0) {
            break;
        }
    }
    (scale / fraction.value).clamp(0.0, 1.0)
}

/// P(T <= t) of Student's law.
pub(super) fn student_cdf(df: f64, t: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(df / 2.0, 0.5, df / (df + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The triangular law's distribution function.
pub(super) fn triangular_cdf(low: f64, mode: f64, high: f64, x: f64) -> f64 {
    let whole = high - low;
    if x <= low {
        0.0
    } else if x <= mode {
        (x - low) * (x - low) / (whole * (mode - low))
    } else if x < high {
        1.0 - (high - x) * (high - x) / (whole * (high - mode))
    } else {
        1.0
    }
}

/// A continued fraction b0 + a1 / (b1 + a2 / (b2 + ...)), by Lentz's method.
struct Fraction {
    value: f64,
    c: f64,
    d: f64,
}

impl Fraction {
    fn starting(b: f64) -> Self {
        let b = if b == 0.0 { TINY } else { b };
        Self {
            value: b,
            c: b,
            d: 0.0,
        }
    }

    /// Takes another step. Returns true if it changed nothing significant.
    fn is_settled_by(&mut self, a: f64, b: f64) -> bool {
        let or_tiny = |x: f64| if x.abs() < TINY { TINY } else { x };
        self.d = 1.0 / or_tiny(b + a * self.d);
        self.c = or_tiny(b + a / self.c);
        let factor = self.c * self.d;
        self.value *= factor;
        (factor - 1.0).abs() < 3e-16
    }
}

/// The least number x with F(x) >= u, F being `cdf` as computed; an end of the range where there is
/// none within. Bisects the order of all numbers, so 64 steps settle it to the last bit.
pub(super) fn by_bisection(cdf: impl Fn(f64) -> f64, range: (f64, f64), u: f64) -> f64 {
    let (low, high) = range;
    if cdf(low) >= u {
        return low;
    }
    let (mut below, mut reaches) = (place(low), place(high));
    while reaches - below > 1 {
        let middle = below + (reaches - below) / 2;
        match cdf(number(middle)) >= u {
            true => reaches = middle,
            false => below = middle,
        }
    }
    number(reaches)
}

/// The place of a number in the order of all numbers.
fn place(x: f64) -> u64 {
    let bits = x.to_bits();
    match x.is_sign_negative() {
        true => !bits,
        false => bits | (1 << 63),
    }
}

/// The number at a place.
fn number(place: u64) -> f64 {
    f64::from_bits(match place >> 63 {
        0 => !place,
        _ => place & !(1 << 63),
    })
}
