//! Numbers whose mathematics is `libm`'s, so that the algorithms of `rand_distr` give the same bits
//! on every machine.

use std::num::FpCategory;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use num_traits::{Float, FloatConst, Num, NumCast, One, ToPrimitive, Zero};
use rand::Rng;
use rand_distr::{Distribution, Exp1, Open01, StandardNormal, StandardUniform};

/// A number whose transcendental functions are those of `libm`.
///
/// `f64` itself may be given the platform's functions by any crate that turns a feature of
/// `num-traits` on, and these differ in their last digits between platforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(super) struct Exact(pub(super) f64);

impl Distribution<Exact> for StandardUniform {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Exact {
        Exact(super::uniform(rng.next_u64()))
    }
}

impl Distribution<Exact> for Open01 {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Exact {
        Exact(super::open_uniform(rng.next_u64()))
    }
}

impl Distribution<Exact> for StandardNormal {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Exact {
        Exact(super::normal(rng.next_u64()))
    }
}

impl Distribution<Exact> for Exp1 {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Exact {
        Exact(-libm::log(super::open_uniform(rng.next_u64())))
    }
}

/// Implements operators by those of `f64`.
macro_rules! operators {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Exact {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self($operator::$method(self.0, other.0))
            }
        }
    )*};
}

operators!(Add add, Sub sub, Mul mul, Div div, Rem rem);

impl Neg for Exact {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Zero for Exact {
    fn zero() -> Self {
        Self(0.0)
    }
    fn is_zero(&self) -> bool {
        self.0 == 0.0
    }
}

impl One for Exact {
    fn one() -> Self {
        Self(1.0)
    }
}

impl Num for Exact {
    type FromStrRadixErr = <f64 as Num>::FromStrRadixErr;
    fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
        f64::from_str_radix(text, radix).map(Self)
    }
}

impl ToPrimitive for Exact {
    fn to_i64(&self) -> Option<i64> {
        self.0.to_i64()
    }
    fn to_u64(&self) -> Option<u64> {
        self.0.to_u64()
    }
    fn to_f64(&self) -> Option<f64> {
        Some(self.0)
    }
}

impl NumCast for Exact {
    fn from<T: ToPrimitive>(number: T) -> Option<Self> {
        number.to_f64().map(Self)
    }
}

/// Implements functions that give a number by those of `libm`.
macro_rules! functions {
    ($($method:ident $function:ident),*) => {$(
        fn $method(self) -> Self {
            Self(libm::$function(self.0))
        }
    )*};
}

/// Implements constants of a trait by those of `f64`.
macro_rules! numbers {
    ($($name:ident $constant:expr),*) => {$(
        fn $name() -> Self {
            Self($constant)
        }
    )*};
}

/// Implements questions and exact operations by those of `f64`.
macro_rules! questions {
    ($($method:ident $result:ty),*) => {$(
        fn $method(self) -> $result {
            self.0.$method()
        }
    )*};
}

impl Float for Exact {
    numbers!(
        nan f64::NAN, infinity f64::INFINITY, neg_infinity f64::NEG_INFINITY, neg_zero -0.0,
        min_value f64::MIN, max_value f64::MAX, min_positive_value f64::MIN_POSITIVE
    );
    questions!(
        is_nan bool, is_infinite bool, is_finite bool, is_normal bool, classify FpCategory,
        is_sign_positive bool, is_sign_negative bool
    );
    functions!(
        floor floor, ceil ceil, round round, trunc trunc, abs fabs, sqrt sqrt, cbrt cbrt,
        exp exp, exp2 exp2, ln log, log2 log2, log10 log10, exp_m1 expm1, ln_1p log1p,
        sin sin, cos cos, tan tan, asin asin, acos acos, atan atan,
        sinh sinh, cosh cosh, tanh tanh, asinh asinh, acosh acosh, atanh atanh
    );

    fn fract(self) -> Self {
        self - self.trunc()
    }
    fn signum(self) -> Self {
        Self(self.0.signum())
    }
    fn mul_add(self, by: Self, plus: Self) -> Self {
        Self(libm::fma(self.0, by.0, plus.0))
    }
    fn recip(self) -> Self {
        Self(1.0 / self.0)
    }
    fn powi(self, n: i32) -> Self {
        Self(libm::pow(self.0, n.into()))
    }
    fn powf(self, n: Self) -> Self {
        Self(libm::pow(self.0, n.0))
    }
    fn log(self, base: Self) -> Self {
        self.ln() / base.ln()
    }
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }
    fn abs_sub(self, other: Self) -> Self {
        Self(libm::fdim(self.0, other.0))
    }
    fn hypot(self, other: Self) -> Self {
        Self(libm::hypot(self.0, other.0))
    }
    fn atan2(self, other: Self) -> Self {
        Self(libm::atan2(self.0, other.0))
    }
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }
    fn integer_decode(self) -> (u64, i16, i8) {
        Float::integer_decode(self.0)
    }
}

/// Implements the constants of mathematics by those of the standard library.
macro_rules! constants {
    ($($name:ident),*) => {
        #[allow(non_snake_case)]
        impl FloatConst for Exact {
            $(fn $name() -> Self {
                Self(std::f64::consts::$name)
            })*
        }
    };
}

constants!(
    E,
    FRAC_1_PI,
    FRAC_1_SQRT_2,
    FRAC_2_PI,
    FRAC_2_SQRT_PI,
    FRAC_PI_2,
    FRAC_PI_3,
    FRAC_PI_4,
    FRAC_PI_6,
    FRAC_PI_8,
    LN_10,
    LN_2,
    LOG10_E,
    LOG2_E,
    PI,
    SQRT_2
);
