//! Each law against its distribution function, its moments, an independent library, and frozen
//! numbers.

use statrs::distribution as twin;
use statrs::distribution::{ContinuousCDF, DiscreteCDF};

use super::super::{Key, Purpose};
use super::*;

fn specs() -> Vec<LawSpec> {
    let mixture = vec![
        (
            0.3,
            LawSpec::Normal {
                mean: -1.0,
                sd: 0.5,
            },
        ),
        (
            0.5,
            LawSpec::Gamma {
                shape: 2.0,
                scale: 1.5,
            },
        ),
        (
            0.2,
            LawSpec::Uniform {
                low: 4.0,
                high: 6.0,
            },
        ),
    ];
    vec![
        LawSpec::Normal { mean: 3.0, sd: 2.0 },
        LawSpec::LogNormal {
            mu: 0.2,
            sigma: 0.6,
        },
        LawSpec::Beta { a: 2.5, b: 4.0 },
        LawSpec::Beta { a: 0.4, b: 0.7 },
        LawSpec::Gamma {
            shape: 3.2,
            scale: 2.0,
        },
        LawSpec::Gamma {
            shape: 0.5,
            scale: 1.5,
        },
        LawSpec::StudentT {
            df: 5.0,
            location: 1.0,
            scale: 2.0,
        },
        LawSpec::Triangular {
            low: -1.0,
            mode: 0.5,
            high: 3.0,
        },
        LawSpec::Uniform {
            low: -2.0,
            high: 5.0,
        },
        LawSpec::Exponential { mean: 4.0 },
        LawSpec::Poisson { mean: 3.5 },
        LawSpec::Poisson { mean: 40.0 },
        LawSpec::Zipf { n: 50, s: 1.2 },
        LawSpec::Mixture(mixture),
    ]
}

fn is_counted(spec: &LawSpec) -> bool {
    matches!(spec, LawSpec::Poisson { .. } | LawSpec::Zipf { .. })
}

fn sample(law: &NumberLaw, seed: u64, n: u64) -> Vec<f64> {
    let key = Key::new(seed, 0);
    let one = |who| law.draw(&mut key.draw(Purpose::Trait, who, 16));
    (0..n).map(one).collect()
}

/// The greatest distance of a sample's distribution function from the law's, times root n.
fn kolmogorov(law: &NumberLaw, mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let n = numbers.len() as f64;
    let off = numbers.iter().enumerate().map(|(at, &x)| {
        let (f, at) = (law.cdf(x), at as f64);
        (f - at / n).abs().max(((at + 1.0) / n - f).abs())
    });
    off.fold(0.0, f64::max) * n.sqrt()
}

/// Chi-square of counts, in standard deviations from its mean; a cell has 20 expected at least.
fn chi_square(law: &NumberLaw, numbers: &[f64]) -> f64 {
    let n = numbers.len() as f64;
    let (mut distance, mut cells, mut from) = (0.0, 0, f64::NEG_INFINITY);
    for edge in 0..200 {
        let to = match law.cdf(f64::from(edge)) * n > n - 20.0 {
            true => f64::INFINITY,
            false => f64::from(edge),
        };
        let above = law.cdf(to.min(1e9));
        let expected = (above - if from.is_finite() { law.cdf(from) } else { 0.0 }) * n;
        if expected < 20.0 {
            continue;
        }
        let seen = numbers.iter().filter(|x| **x > from && **x <= to).count();
        distance += (seen as f64 - expected).powi(2) / expected;
        (cells, from) = (cells + 1, to);
        if to == f64::INFINITY {
            break;
        }
    }
    let freedom = f64::from(cells - 1);
    (distance - freedom) / (2.0 * freedom).sqrt()
}

#[test]
fn numbers_have_the_laws_distribution_function() {
    for spec in specs() {
        let law = spec.law().unwrap();
        let numbers = sample(&law, 11, 20_000);
        if is_counted(law.spec()) {
            let off = chi_square(&law, &numbers);
            assert!(off.abs() < 4.0, "{:?}: {off}", law.spec());
        } else {
            // P(K > 2.2) = 1.3e-4.
            let distance = kolmogorov(&law, numbers);
            assert!(distance < 2.2, "{:?}: {distance}", law.spec());
        }
    }
}

#[test]
fn another_law_is_told_apart() {
    let law = LawSpec::Gamma {
        shape: 3.2,
        scale: 2.0,
    };
    let near = LawSpec::Gamma {
        shape: 3.2,
        scale: 2.1,
    };
    let numbers = sample(&near.law().unwrap(), 11, 20_000);
    assert!(kolmogorov(&law.law().unwrap(), numbers) > 2.2);
    let counted = sample(&LawSpec::Poisson { mean: 3.6 }.law().unwrap(), 11, 20_000);
    assert!(chi_square(&LawSpec::Poisson { mean: 3.5 }.law().unwrap(), &counted) > 4.0);
}

#[test]
fn numbers_have_the_laws_moments() {
    for spec in specs() {
        let law = spec.law().unwrap();
        let (mean, variance) = (law.mean(), law.variance());
        let numbers = sample(&law, 12, 40_000);
        let n = numbers.len() as f64;
        let average = numbers.iter().sum::<f64>() / n;
        let off = (average - mean).abs() / (variance / n).sqrt();
        assert!(off < 4.0, "{:?}: mean {average}", law.spec());
        let squares: Vec<f64> = numbers.iter().map(|x| (x - mean) * (x - mean)).collect();
        let spread = squares.iter().sum::<f64>() / n;
        let fourth = squares.iter().map(|s| (s - spread).powi(2)).sum::<f64>() / n;
        let off = (spread - variance).abs() / (fourth / n).sqrt();
        assert!(off < 4.0, "{:?}: variance {spread}", law.spec());
    }
}

#[test]
fn distribution_functions_equal_those_of_another_library() {
    let near = |name: &str, x: f64, ours: f64, theirs: f64| {
        assert!(
            (ours - theirs).abs() < 2e-11,
            "{name} at {x}: {ours}, not {theirs}"
        );
    };
    for (a, b) in [(2.5, 4.0), (0.3, 0.6), (120.0, 3.0)] {
        let law = LawSpec::Beta { a, b }.law().unwrap();
        let twin = twin::Beta::new(a, b).unwrap();
        (0..=20).for_each(|k| {
            let x = f64::from(k) / 20.0;
            near("beta", x, law.cdf(x), twin.cdf(x));
        });
    }
    for shape in [0.2, 1.0, 7.5, 300.0] {
        let law = LawSpec::Gamma { shape, scale: 2.0 }.law().unwrap();
        let twin = twin::Gamma::new(shape, 0.5).unwrap();
        (0..60).for_each(|k| {
            let x = f64::from(k) * shape / 10.0;
            near("gamma", x, law.cdf(x), twin.cdf(x));
        });
    }
    for df in [0.7, 3.0, 60.0] {
        let (location, scale) = (1.0, 2.0);
        let law = LawSpec::StudentT {
            df,
            location,
            scale,
        }
        .law()
        .unwrap();
        let twin = twin::StudentsT::new(location, scale, df).unwrap();
        (-20..=20).for_each(|k| {
            let x = f64::from(k);
            near("student_t", x, law.cdf(x), twin.cdf(x));
        });
    }
    for mean in [0.4, 12.0, 700.0] {
        let law = LawSpec::Poisson { mean }.law().unwrap();
        let twin = twin::Poisson::new(mean).unwrap();
        (0..1000).for_each(|k| near("poisson", k as f64, law.cdf(k as f64), twin.cdf(k)));
    }
    let (low, mode, high) = (-1.0, 0.5, 3.0);
    let law = LawSpec::Triangular { low, mode, high }.law().unwrap();
    let twin = twin::Triangular::new(low, high, mode).unwrap();
    for x in [-2.0, -0.3, 0.5, 1.7, 2.9, 4.0] {
        near("triangular", x, law.cdf(x), twin.cdf(x));
    }
}

#[test]
fn quantiles_invert_the_distribution_function() {
    for spec in specs() {
        let law = spec.law().unwrap();
        for k in 1..200 {
            let u = f64::from(k) / 200.0;
            let x = law.quantile(u);
            assert!(law.cdf(x) >= u - 1e-12, "{:?} at {u}: {x}", law.spec());
            let below = match is_counted(law.spec()) {
                true => x - 1.0,
                false => x - 1e-9 * x.abs().max(1e-3),
            };
            assert!(law.cdf(below) < u + 1e-12, "{:?} at {u}: {x}", law.spec());
        }
        let (low, high) = law.range();
        let ends = [law.quantile(1e-12), law.quantile(1.0 - 1e-12)];
        assert!(
            ends.iter()
                .all(|x| (low..=high).contains(x) && x.is_finite())
        );
    }
}

#[test]
fn first_numbers_are_frozen() {
    let first = |spec: &LawSpec| sample(&spec.clone().law().unwrap(), 2026, 2);
    let numbers: Vec<[f64; 2]> = specs()
        .iter()
        .map(|spec| first(spec).try_into().unwrap())
        .collect();
    let mut draw = Key::new(2026, 0).draw(Purpose::Trait, 0, 16);
    let mut shares = [0.0; 3];
    let dirichlet = DirichletLaw::new(vec![1.0, 2.0, 0.5]).unwrap();
    dirichlet.draw(&mut draw, &mut shares);
    assert_eq!(numbers, FROZEN);
    assert_eq!(
        shares,
        [0.055100584730648126, 0.867814017954161, 0.07708539731519091]
    );
}

/// Persons 0 and 1 of seed 2026, law by law.
const FROZEN: [[f64; 2]; 14] = [
    [4.65290195095513, 0.7507895703611438],
    [2.0054542331241825, 0.6220323805153237],
    [0.5781229094143365, 0.1728453330273559],
    [0.12086770302757349, 0.3784860708472525],
    [9.011943823813192, 2.7060737060692035],
    [2.723982095919303, 0.08986382291598607],
    [2.2605179090092196, -0.5805562123057735],
    [1.5707548897801211, -0.1155402276908849],
    [3.5700808904387964, -1.0873527296947265],
    [0.9140022908045651, 8.149263853950968],
    [6.0, 2.0],
    [45.0, 32.0],
    [12.0, 1.0],
    [5.3982004293588135, -0.2780588168927134],
];

#[test]
fn shares_of_dirichlet_are_those_of_its_marginals() {
    for alpha in [vec![1.0, 2.0, 0.5], vec![0.05, 0.08, 0.1]] {
        let law = DirichletLaw::new(alpha.clone()).unwrap();
        let total: f64 = alpha.iter().sum();
        let key = Key::new(5, 0);
        let drawn: Vec<[f64; 3]> = (0..20_000)
            .map(|who| {
                let mut shares = [0.0; 3];
                law.draw(&mut key.draw(Purpose::Trait, who, 16), &mut shares);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                shares
            })
            .collect();
        for (at, &alpha) in alpha.iter().enumerate() {
            assert_eq!(law.mean(at), alpha / total);
            let b = total - alpha;
            let marginal = LawSpec::Beta { a: alpha, b }.law().unwrap();
            let numbers = drawn.iter().map(|shares| shares[at]).collect();
            let distance = kolmogorov(&marginal, numbers);
            assert!(distance < 2.2, "share {at}: {distance}");
        }
    }
}

#[test]
fn parameters_without_a_law_are_refused() {
    let bad = [
        LawSpec::Beta { a: 0.0, b: 1.0 },
        LawSpec::Gamma {
            shape: -1.0,
            scale: 1.0,
        },
        LawSpec::Normal {
            mean: 0.0,
            sd: -1.0,
        },
        LawSpec::LogNormal {
            mu: 1000.0,
            sigma: 1.0,
        },
        LawSpec::Triangular {
            low: 1.0,
            mode: 0.0,
            high: 2.0,
        },
        LawSpec::Uniform {
            low: 1.0,
            high: 1.0,
        },
        LawSpec::Poisson { mean: 2e6 },
        LawSpec::Zipf { n: 0, s: 1.0 },
        LawSpec::Mixture(vec![]),
        LawSpec::Mixture(vec![(0.0, LawSpec::Exponential { mean: 1.0 })]),
    ];
    for spec in bad {
        assert!(spec.clone().law().is_err(), "{spec:?}");
    }
    assert!(DirichletLaw::new(vec![1.0]).is_err());
    assert!(DirichletLaw::new(vec![1.0, 0.0]).is_err());
}
