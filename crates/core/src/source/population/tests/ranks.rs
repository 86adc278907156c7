//! Ranks of merits that are weighted sums: formulas, points, and when they are known of all
//! periods.

use super::*;

/// Traits of which a merit is a weighted sum of two features, by group.
fn summed(laws: [[LawSpec; 2]; 2], weights: [f64; 2], correlation: Option<f64>) -> Arc<Population> {
    let [u, v] = laws.map(|laws| laws.map(|law| law.law().unwrap()));
    let feature = |at: usize| {
        FeatureLaw::Number(ByValue::Each {
            attribute: 0,
            of: vec![u[at].clone(), v[at].clone()],
        })
    };
    let copula = correlation.map(|r| {
        let of = [Coupled::Feature(0), Coupled::Feature(1)];
        Arc::new(Copula::new(&of, &[vec![1.0, r], vec![r, 1.0]], None).unwrap())
    });
    steady(Traits {
        features: vec![feature(0), feature(1)],
        merit: Some(MeritLaw::Linear {
            constant: 0.5,
            weights: weights.to_vec(),
        }),
        copula,
        ..traits()
    })
}

/// Ranks of sums that have a formula are the formula's; of others they are uniform among people of
/// the stream, to within what 400,000 of them tell.
#[test]
fn ranks_of_weighted_sums_are_exact_or_far_nearer_than_a_run_tells() {
    let normal = |mean, sd| LawSpec::Normal { mean, sd };
    let uniform = |low, high| LawSpec::Uniform { low, high };
    let log_normal = |mu, sigma| LawSpec::LogNormal { mu, sigma };
    let gamma = |shape, scale| LawSpec::Gamma { shape, scale };
    let normals = [
        [normal(1.0, 2.0), normal(-1.0, 0.5)],
        [normal(0.0, 1.0), normal(3.0, 1.0)],
    ];
    let world = summed(normals, [2.0, -1.0], Some(0.4));
    let ranks = world.facts().merits.unwrap();
    assert_eq!(ranks.note(), None);
    // .5 + 2 x - y: mean 3.5, variance 16 + .25 - 2 * 2 * 2 * .5 * .4.
    let sd = (16.0 + 0.25 - 1.6_f64).sqrt();
    for merit in [-4.0, 3.5, 9.0] {
        let known = crate::draw::normal_cdf((merit - 3.5) / sd);
        assert!((ranks.rank(0, merit) - known).abs() < 1e-12);
    }
    let uniforms = [
        [uniform(0.0, 1.0), uniform(0.0, 1.0)],
        [uniform(0.0, 2.0), uniform(1.0, 2.0)],
    ];
    let ranks = summed(uniforms.clone(), [1.0, 1.0], None)
        .facts()
        .merits
        .unwrap();
    assert_eq!((ranks.note(), ranks.rank(0, 1.5)), (None, 0.5));
    assert!((ranks.rank(0, 1.0) - 0.125).abs() < 1e-12);
    // Of one number alone.
    let ranks = summed(uniforms, [-2.0, 0.0], None).facts().merits.unwrap();
    assert_eq!((ranks.note(), ranks.rank(0, -0.5)), (None, 0.5));
    let mixed = [
        [log_normal(2.0, 0.4), normal(0.0, 1.0)],
        [gamma(2.0, 2.0), normal(0.0, 1.0)],
    ];
    let mut off = Vec::new();
    for correlation in [None, Some(0.4)] {
        let world = summed(mixed.clone(), [0.2, 1.0], correlation);
        let ranks = world.facts().merits.unwrap();
        assert!(ranks.note().expect("no formula").contains("points"));
        let people = first(&world, &RoundCut::Sized(Sizes::Constant(1)), 4096, 400_000);
        for group in 0..2 {
            let of = people.iter().filter(|one| one.1 / 3 == group);
            let mut all: Vec<f64> = of
                .map(|one| ranks.rank(group as usize, one.4.unwrap()))
                .collect();
            all.sort_by(f64::total_cmp);
            let n = all.len() as f64;
            let gaps = (1..)
                .zip(&all)
                .map(|(at, rank)| (rank - f64::from(at) / n).abs());
            // Kolmogorov: beyond 1.95 once in a thousand.
            off.push(gaps.fold(0.0, f64::max) * n.sqrt());
        }
    }
    assert!(off.iter().all(|off| *off < 1.95), "{off:?}");
}

/// Points are as far from a known sum as is said of them.
#[test]
fn points_are_near_to_the_sums_that_have_a_formula() {
    for weights in [&[1.0, 2.0][..], &[0.3, 1.0, -0.7], &[1.0, 1.0, 1.0, 0.5]] {
        let known = crate::source::UniformSum::new(0.0, weights).unwrap();
        let mut sums = Vec::new();
        crate::source::uniform_sum::points(weights.len(), |point| {
            sums.push(point.iter().zip(weights).map(|(u, w)| u * w).sum::<f64>());
        });
        sums.sort_by(f64::total_cmp);
        let n = sums.len() as f64;
        let gaps = (1..)
            .zip(&sums)
            .map(|(at, sum)| (known.cdf(*sum) - f64::from(at) / n).abs());
        let off = gaps.fold(0.0, f64::max);
        println!("{weights:?}: {off}");
        assert!(off < 2e-4, "{weights:?}: {off}");
    }
}

/// Ranks of merits that are sums of features are known of later periods too only where nothing but
/// the shares of the groups changes.
#[test]
fn ranks_hold_while_the_shares_of_the_groups_alone_change() {
    let product =
        |group: [f64; 2], degree: [f64; 3]| Law::Product(vec![group.to_vec(), degree.to_vec()]);
    let (before, after) = ([0.3, 0.7], [0.6, 0.4]);
    let degree = [0.5, 0.3, 0.2];
    let misread = |attribute| Misreading {
        attribute,
        rate: ByValue::All(0.2),
    };
    let cells = |first| Law::Cells(vec![(0, first), (4, 1.0 - first)]);
    let cases = [
        (
            "shares of groups",
            product(before, degree),
            product(after, degree),
            vec![],
            true,
        ),
        (
            "other shares",
            product(before, degree),
            product(before, [0.2, 0.3, 0.5]),
            vec![],
            false,
        ),
        ("cells", cells(0.3), cells(0.6), vec![], false),
        (
            "groups misread",
            product(before, degree),
            product(after, degree),
            vec![misread(0)],
            false,
        ),
        (
            "degrees misread",
            product(before, degree),
            product(after, degree),
            vec![misread(1)],
            true,
        ),
    ];
    for (name, first, later, misread, is_known) in cases {
        let of = |law: Law| Traits {
            law,
            misread: misread.clone(),
            merit: Some(MeritLaw::Linear {
                constant: 0.0,
                weights: vec![1.0, 2.0],
            }),
            ..traits()
        };
        let periods = vec![
            period(PeriodStart::Round(1), of(first)),
            period(PeriodStart::Round(50), of(later)),
        ];
        let facts = population(periods, None, false).facts();
        assert_eq!(facts.merits.is_some(), is_known, "{name}");
    }
}
