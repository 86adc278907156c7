//! The standard normal by inverse CDF.

/// Returns a standard normal: the inverse CDF at ((w >> 12) + 1/2) 2^-52, always finite (|z| <
/// 8.3).
#[inline]
#[must_use]
pub fn normal(word: u64) -> f64 {
    inverse_normal_cdf(super::open_uniform(word))
}

/// Returns Phi^-1(p) to a relative error of about 1e-16 (Wichura, Algorithm AS 241, routine PPND16,
/// Applied Statistics 37, 1988). Minus and plus infinity at 0 and 1; NaN outside.
#[must_use]
pub fn inverse_normal_cdf(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * ratio(r, &CENTRE);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail == 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let r = (-libm::log(tail)).sqrt();
    let z = if r <= 5.0 {
        ratio(r - 1.6, &MIDDLE)
    } else {
        ratio(r - 5.0, &FAR)
    };
    z.copysign(q)
}

/// Returns Phi(z), the standard normal's distribution function.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// A rational approximation: coefficients in rising powers, the denominator's constant term
/// being 1.
struct Ratio {
    above: [f64; 8],
    below: [f64; 7],
}

#[inline]
fn ratio(x: f64, coefficients: &Ratio) -> f64 {
    let above = coefficients
        .above
        .iter()
        .rev()
        .fold(0.0, |sum, c| sum * x + c);
    let below = coefficients
        .below
        .iter()
        .rev()
        .fold(0.0, |sum, c| sum * x + c)
        * x
        + 1.0;
    above / below
}

const CENTRE: Ratio = Ratio {
    above: [
        3.387_132_872_796_366_5,
        1.331_416_678_917_843_8e2,
        1.971_590_950_306_551_3e3,
        1.373_169_376_550_946e4,
        4.592_195_393_154_987e4,
        6.726_577_092_700_87e4,
        3.343_057_558_358_813e4,
        2.509_080_928_730_122_7e3,
    ],
    below: [
        4.231_333_070_160_091e1,
        6.871_870_074_920_579e2,
        5.394_196_021_424_751e3,
        2.121_379_430_158_659_7e4,
        3.930_789_580_009_271e4,
        2.872_908_573_572_194_3e4,
        5.226_495_278_852_854e3,
    ],
};

const MIDDLE: Ratio = Ratio {
    above: [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        2.417_807_251_774_506e-1,
        2.272_384_498_926_918_4e-2,
        7.745_450_142_783_414e-4,
    ],
    below: [
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        6.897_673_349_851e-1,
        1.481_039_764_274_800_8e-1,
        1.519_866_656_361_645_7e-2,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
};

const FAR: Ratio = Ratio {
    above: [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        2.965_605_718_285_048_7e-1,
        2.653_218_952_657_612_4e-2,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    below: [
        5.998_322_065_558_88e-1,
        1.369_298_809_227_358e-1,
        1.487_536_129_085_061_5e-2,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Phi by libm's erfc: an independent route.
    fn cdf(z: f64) -> f64 {
        0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
    }

    #[test]
    fn inverts_the_cdf() {
        for i in 1..4000 {
            let z = -8.0 + f64::from(i) * 0.002;
            let back = inverse_normal_cdf(cdf(z));
            assert!((back - z).abs() <= 4e-15 * z.abs().max(1.0), "{z} {back}");
        }
        for (p, z) in [
            (0.975, 1.959_963_984_540_054),
            (0.999, 3.090_232_306_167_813_5),
        ] {
            assert!((inverse_normal_cdf(p) - z).abs() < 1e-14);
            assert!((inverse_normal_cdf(1.0 - p) + z).abs() < 1e-13);
        }
    }

    #[test]
    fn the_ends() {
        assert_eq!(inverse_normal_cdf(0.0), f64::NEG_INFINITY);
        assert_eq!(inverse_normal_cdf(1.0), f64::INFINITY);
        assert_eq!(inverse_normal_cdf(0.5), 0.0);
        assert!(normal(0).is_finite() && normal(u64::MAX).is_finite());
        assert_eq!(normal(0), -normal(u64::MAX));
    }
}
