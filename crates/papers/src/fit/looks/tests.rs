use super::*;
use kleroterion_core::draw::{Draw, Key, Purpose};

#[track_caller]
fn assert_close(ours: f64, known: f64, relative: f64) {
    let gap = ((ours - known) / known).abs();
    assert!(gap <= relative, "{ours} against {known}: {gap:e}");
}

#[track_caller]
fn assert_interval(estimate: &LookEstimate, low: f64, high: f64, relative: f64) {
    let (ours_low, ours_high) = estimate.interval.expect("there is an interval");
    assert_close(ours_low, low, relative);
    assert_close(ours_high, high, relative);
}

/// Squares 2 + 8 + 0 with 6 - 3 degrees, and 1/2 + 1/2 with 5 - 2. Chi-square of 3 degrees has
/// .2157953 and 9.348404, F of 3 and 3 15.43918 and its inverse (tables).
#[test]
fn by_hand() {
    let weak = Noise::of([
        ("a", 1.0),
        ("b", 2.0),
        ("a", 3.0),
        ("b", 4.0),
        ("b", 6.0),
        ("c", 5.0),
    ]);
    let strong = Noise::of([("a", 2.0), ("a", 3.0), ("b", 4.0), ("b", 4.5), ("b", 5.0)]);
    assert_eq!(
        (weak.reviews, weak.applicants, weak.alone, weak.freedom()),
        (6, 3, 1, 3)
    );
    assert_eq!(
        (
            strong.reviews,
            strong.applicants,
            strong.alone,
            strong.freedom()
        ),
        (5, 2, 0, 3)
    );
    assert_eq!((weak.squares, strong.squares), (10.0, 1.0));
    let sigma = sigma(&weak, 0.05).unwrap();
    assert_close(sigma.value, (10.0_f64 / 3.0).sqrt(), 1e-15);
    assert_interval(
        &sigma,
        (10.0_f64 / 9.348_404).sqrt(),
        (10.0_f64 / 0.215_795_3).sqrt(),
        1e-6,
    );
    let gain = gain(&weak, &strong, 0.05).unwrap();
    assert_close(gain.value, 10.0, 1e-15);
    assert_interval(&gain, 10.0 / 15.439_18, 154.391_8, 1e-6);
}

/// The squares about a mean are those of all pairs, over the number.
#[test]
fn squares_are_those_of_pairs() {
    let mut draw = Key::new(7, 0).draw(Purpose::World, 0, 0);
    let reviews: Vec<(u64, f64)> = (0..200)
        .map(|_| (draw.below(40), 3.0 + draw.normal()))
        .collect();
    let mut squares = 0.0;
    for (i, (who, score)) in reviews.iter().enumerate() {
        let n = reviews.iter().filter(|(other, _)| other == who).count() as f64;
        let later = reviews[i + 1..].iter().filter(|(other, _)| other == who);
        squares += later
            .map(|(_, other)| (score - other) * (score - other) / n)
            .sum::<f64>();
    }
    assert_close(Noise::of(reviews).squares, squares, 1e-12);
}

/// Worths cancel: whatever an applicant is worth, the noise is the same; equal scores have none, to
/// the last bit.
#[test]
fn worths_and_rounding_leave_no_trace() {
    let plain = Noise::of([(1, 0.0), (1, 2.0), (2, 0.0), (2, 4.0)]);
    let moved = Noise::of([(1, 1e6), (1, 1e6 + 2.0), (2, -1e6), (2, -1e6 + 4.0)]);
    assert_eq!(plain, moved);
    assert_eq!(Noise::of([(1, 0.1), (1, 0.1), (1, 0.1)]).squares, 0.0);
    assert_eq!(Costs::of(&[0.1, 0.1, 0.1]).squared_error, Some(0.0));
}

#[test]
fn no_estimate_where_there_is_none() {
    let alone = Noise::of([(1, 1.0), (2, 2.0)]);
    let some = Noise::of([(1, 1.0), (1, 2.0)]);
    let silent = Noise::of([(1, 1.0), (1, 1.0)]);
    assert_eq!((alone.alone, alone.freedom()), (2, 0));
    assert_eq!(sigma(&alone, 0.05), None);
    assert_eq!(gain(&alone, &some, 0.05), None);
    assert_eq!(gain(&some, &alone, 0.05), None);
    assert_eq!(gain(&some, &silent, 0.05), None);
    assert!(gain(&some, &some, 0.05).is_some_and(|gain| gain.value == 1.0));
}

/// Means 12 and 66, squared errors 4/3 and 36: at either end the distance is t standard errors,
/// Welch's degrees being 2.7623.
#[test]
fn the_cost_by_hand() {
    let (weak, strong) = (Costs::of(&[10.0, 12.0, 14.0]), Costs::of(&[60.0, 72.0]));
    assert_eq!((weak.mean, strong.mean), (12.0, 66.0));
    let cost = cost(&weak, &strong, 0.05);
    assert_close(cost.value, 5.5, 1e-15);
    let scaled = 5.5 * 5.5 * 4.0 / 3.0;
    let freedom = (36.0 + scaled) * (36.0 + scaled) / (36.0 * 36.0 + scaled * scaled / 2.0);
    assert_close(freedom, 2.7623, 1e-4);
    let t = t_quantile(0.025, freedom);
    let (low, high) = cost.interval.unwrap();
    assert!(low < 5.5 && high > 5.5);
    for end in [low, high] {
        let distance = (66.0 - end * 12.0).abs() / (36.0 + end * end * 4.0 / 3.0).sqrt();
        assert_close(distance, t, 1e-9);
    }
}

#[test]
fn costs_that_bound_nothing() {
    let fixed = |x: f64| Costs::of(&[x, x]);
    let exact = cost(&fixed(10.0), &fixed(60.0), 0.05);
    assert_eq!((exact.value, exact.interval), (6.0, Some((6.0, 6.0))));
    let one = Costs::of(&[10.0]);
    assert_eq!(cost(&one, &fixed(60.0), 0.05).interval, None);
    assert_eq!(cost(&fixed(10.0), &one, 0.05).interval, None);
    // The mean weak cost, 50.5, is within its noise of 0.
    let wild = Costs::of(&[1.0, 100.0]);
    assert_eq!(cost(&wild, &fixed(60.0), 0.05).interval, None);
    let tiny = cost(
        &Costs::of(&[1e-99, 1.1e-99]),
        &Costs::of(&[1e100, 0.9e100]),
        0.05,
    );
    assert!(tiny.value > 0.0);
}

/// Checks the coverage of a 95 % interval: it held in `held` of `of` samples.
fn coverage(held: u32, of: u32, what: &str) {
    let share = f64::from(held) / f64::from(of);
    let bound = 4.0 * (0.95_f64 * 0.05 / f64::from(of)).sqrt();
    println!("{what}: {share} of {of}, 0.95 +- {bound:.4}");
    assert!((share - 0.95).abs() <= bound, "{what}: {share}");
}

/// Scores of applicants of random worth, 1 to 4 of each, under normal noise.
fn season(draw: &mut Draw, applicants: u64, sd: f64) -> Noise {
    let mut reviews = Vec::new();
    for applicant in 0..applicants {
        let worth = 10.0 + 5.0 * draw.normal();
        reviews.extend((0..=applicant % 4).map(|_| (applicant, worth + sd * draw.normal())));
    }
    Noise::of(reviews)
}

#[test]
fn intervals_hold_as_often_as_they_say() {
    const SETS: u32 = 10_000;
    let (truth_sigma, truth_s) = (0.7, 4.0_f64);
    let inside = |estimate: &LookEstimate, truth: f64| {
        estimate
            .interval
            .is_some_and(|(low, high)| low <= truth && truth <= high)
    };
    let (mut of_sigma, mut of_s, mut of_j) = (0, 0, 0);
    let (mut variance, mut squares) = (0.0, 0.0);
    for set in 0..SETS {
        let mut draw = Key::new(2019, u64::from(set)).draw(Purpose::World, 0, 0);
        let weak = season(&mut draw, 12, truth_sigma);
        let strong = season(&mut draw, 5, truth_sigma / truth_s.sqrt());
        of_sigma += u32::from(inside(&sigma(&weak, 0.05).unwrap(), truth_sigma));
        of_s += u32::from(inside(&gain(&weak, &strong, 0.05).unwrap(), truth_s));
        let estimate = weak.variance().unwrap();
        variance += estimate;
        squares += estimate * estimate;
        let mut costs = |n: usize, mean: f64, sd: f64| {
            let costs: Vec<f64> = (0..n).map(|_| mean + sd * draw.normal()).collect();
            Costs::of(&costs)
        };
        let (weak, strong) = (costs(30, 10.0, 2.0), costs(20, 60.0, 15.0));
        of_j += u32::from(inside(&cost(&weak, &strong, 0.05), 6.0));
    }
    coverage(of_sigma, SETS, "sigma");
    coverage(of_s, SETS, "s");
    coverage(of_j, SETS, "j");
    let n = f64::from(SETS);
    let mean = variance / n;
    let se = ((squares / n - mean * mean) / n).sqrt();
    assert!(
        (mean - truth_sigma * truth_sigma).abs() <= 4.0 * se,
        "unbiased: {mean} +- {se}"
    );
}
