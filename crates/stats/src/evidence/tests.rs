use super::super::sequence::Bets;
use super::*;
use kleroterion_core::score::{Directions, MetricInfo};

fn known(metric: &str) -> Known {
    let info = MetricInfo::of(metric);
    Known {
        direction: Directions::default().of(metric),
        range: info.range.and_then(|(least, most)| Range::new(least, most)),
        variance: None,
    }
}

fn evidence(differences: &[f64], metric: &str) -> Evidence {
    let stats = Stats::of(differences);
    Evidence::of(differences, stats.as_ref(), known(metric), 0.05, true)
}

fn waves(count: usize) -> Vec<f64> {
    let wave = |i: usize| 0.1 + 0.3 * libm::sin(i as f64);
    (1..=count).map(wave).collect()
}

/// Two lanes of which one is filled in each of few replications and the other in none.
#[test]
fn t_knows_nothing_of_bounded_differences_that_do_not_vary() {
    let bounded = evidence(&[1.0; 3], "filled");
    assert_eq!((bounded.extras.t_lo, bounded.extras.t_hi), (None, None));
    assert!(
        bounded.interval.is_some_and(|(lo, _)| lo < 0.0),
        "{bounded:?}"
    );
    assert_eq!(evidence(&[1.0; 3], "screened").extras.t_lo, Some(1.0));
}

#[test]
fn a_declared_range_is_bet_on_and_t_stands_beside() {
    let d = waves(400);
    let bounded = evidence(&d, "representation_loss");
    assert_eq!(bounded.method, "betting (any time)");
    let units: Vec<f64> = d.iter().map(|d| (d + 1.0) / 2.0).collect();
    let (lo, hi) = Betting::interval(&units, 0.05);
    let ours = bounded.interval.unwrap();
    assert!((ours.0 - (2.0 * lo - 1.0)).abs() < 1e-12);
    assert!((ours.1 - (2.0 * hi - 1.0)).abs() < 1e-12);
    let free = evidence(&d, "screened");
    assert_eq!(free.method, "t (fixed n)");
    let (t_lo, t_hi) = free.interval.unwrap();
    let extras = bounded.extras;
    assert_eq!((extras.t_lo, extras.t_hi), (Some(t_lo), Some(t_hi)));
    assert!(ours.0 < t_lo && t_hi < ours.1);
    assert_eq!((free.extras.e_value, free.extras.p_anytime), (None, None));
}

#[test]
fn e_values_are_those_of_both_sides() {
    let d = waves(100);
    let extras = evidence(&d, "representation_loss").extras;
    let (mut above, mut below) = (Bets::against(0.5), Bets::against(0.5));
    let mut greatest = 1.0_f64;
    for d in &d {
        above.add((d + 1.0) / 2.0);
        below.add((1.0 - d) / 2.0);
        greatest = greatest.max((above.e_value() + below.e_value()) / 2.0);
    }
    let near = |ours: Option<f64>, known: f64| (ours.unwrap() / known - 1.0).abs() < 1e-9;
    assert!(near(extras.e_above, above.e_value()));
    assert!(near(extras.e_below, below.e_value()));
    assert!(near(
        extras.e_value,
        (above.e_value() + below.e_value()) / 2.0
    ));
    assert!(near(extras.p_anytime, 1.0 / greatest));
    // Where the interval leaves out 0, p is at most alpha.
    assert!(extras.p_anytime.unwrap() < 0.05);
}

#[test]
fn a_value_beyond_its_range_leaves_t_alone() {
    let odd = evidence(&[0.1, 0.2, 1.5], "representation_loss");
    assert_eq!(odd.method, "t (fixed n)");
    assert_eq!((odd.extras.e_value, odd.extras.p_anytime), (None, None));
    assert!(odd.interval.is_some());
}

#[test]
fn nothing_says_nothing_and_one_says_little() {
    let none = evidence(&[], "representation_loss");
    assert_eq!((none.interval, none.extras), (None, PairExtras::default()));
    let one = evidence(&[0.5], "representation_loss");
    let (lo, hi) = one.interval.unwrap();
    assert!((-1.0..0.0).contains(&lo) && (0.5..=1.0).contains(&hi));
    assert_eq!((one.extras.t_lo, one.extras.median_lo), (None, None));
}

#[test]
fn a_stated_variance_takes_the_place_of_a_range() {
    let d: Vec<f64> = waves(400).iter().map(|d| 1000.0 * d).collect();
    let stats = Stats::of(&d).unwrap();
    let stated = Known {
        variance: Some(1e5),
        ..known("screened")
    };
    let found = Evidence::of(&d, Some(&stats), stated, 0.05, true);
    assert_eq!(
        found.method,
        "Catoni (any time, variance bounded as stated)"
    );
    assert_eq!(found.interval, Catoni::interval(&d, 1e5, 0.05));
    let (lo, hi) = found.interval.unwrap();
    let (t_lo, t_hi) = (found.extras.t_lo.unwrap(), found.extras.t_hi.unwrap());
    assert!(lo < t_lo && t_hi < hi, "{lo} {t_lo} {t_hi} {hi}");
    assert_eq!(found.extras.variance_bound, Some(1e5));
    let (e, p) = (
        found.extras.e_above.unwrap(),
        found.extras.p_anytime.unwrap(),
    );
    assert!(lo > 0.0 && e > 40.0 && p < 0.05, "{lo} {e} {p}");
    // Where there is a range the range decides.
    let ranged = Known {
        variance: Some(1.0),
        ..known("representation_loss")
    };
    let d = waves(50);
    let found = Evidence::of(&d, Stats::of(&d).as_ref(), ranged, 0.05, true);
    assert_eq!(found.method, "betting (any time)");
    // And how many more is by the same method.
    let few = [3.0; 5];
    let stats = Stats::of(&few).unwrap();
    let stated = Known {
        variance: Some(100.0),
        ..known("screened")
    };
    let more = super::needed(&few, &stats, stated, 0.05, None).unwrap();
    let decided = |n: u64| {
        Catoni::interval(&vec![3.0; n as usize], 100.0, 0.05)
            .unwrap()
            .0
            > 0.0
    };
    assert!(decided(5 + more) && !decided(4 + more), "{more}");
}

/// Always the same D: K(1/2) grows by ln(1 + .95 D) a replication, but for the mixture.
#[test]
fn how_many_more_by_betting() {
    let needed = |d: &[f64], margin| {
        let stats = Stats::of(d).unwrap();
        super::needed(d, &stats, known("representation_loss"), 0.05, margin)
    };
    for d in [0.2, -0.2] {
        let more = needed(&[d; 5], None).unwrap();
        let decided = |n: u64| {
            let (lo, hi) = evidence(&vec![d; n as usize], "representation_loss")
                .interval
                .unwrap();
            lo > 0.0 || hi < 0.0
        };
        assert!(decided(5 + more) && !decided(4 + more), "{more}");
    }
    assert_eq!(needed(&[0.0; 5], None), None);
    let within = needed(&[0.0; 5], Some(0.3)).unwrap();
    let inside = |n: u64| {
        let (lo, hi) = evidence(&vec![0.0; n as usize], "representation_loss")
            .interval
            .unwrap();
        -0.3 <= lo && hi <= 0.3
    };
    assert!(inside(5 + within) && !inside(4 + within), "{within}");
    assert_eq!(needed(&[0.0; 5], Some(2.0)), Some(1));
}

/// One over the mean of the two e-values, and never above 1.
#[test]
fn the_p_value_of_a_stream_is_one_over_both_sides_evidence() {
    let of = |sides: [f64; 2]| PairExtras::of_stream(sides.map(libm::log));
    let is = |found: Option<f64>, due: f64| (found.expect("a value") - due).abs() < 1e-12 * due;
    let strong = of([80.0, 0.0]);
    assert!(is(strong.e_value, 40.0) && is(strong.p_anytime, 0.025));
    assert!(is(strong.e_above, 80.0) && strong.e_below == Some(0.0));
    let weak = of([0.5, 0.25]);
    assert!(is(weak.e_value, 0.375) && weak.p_anytime == Some(1.0));
}

/// By the order of the differences: lower is better, and a tie counts for half.
#[test]
fn the_median_and_how_often_a_is_better_come_with_the_interval() {
    let extras = evidence(&[-0.25, 0.5, 0.0, -0.5], "representation_loss").extras;
    assert_eq!((extras.median, extras.beats), (Some(-0.125), Some(0.625)));
    let (lo, hi) = extras.beats_lo.zip(extras.beats_hi).expect("an interval");
    assert!((0.0..0.625).contains(&lo) && (0.626..=1.0).contains(&hi));
    // Four are too few for an interval of the median, and 60 are not.
    assert_eq!((extras.median_lo, extras.median_hi), (None, None));
    let many = evidence(&waves(60), "representation_loss").extras;
    assert!(many.median_lo < many.median && many.median < many.median_hi);
}

/// A margin as wide as the range is kept from the first replication on.
#[test]
fn a_margin_at_the_end_of_the_range_needs_one_more_at_most() {
    let d = [0.5, -0.5, 0.0];
    let stats = Stats::of(&d).expect("three values");
    let needed = |margin| super::needed(&d, &stats, known("representation_loss"), 0.05, margin);
    assert_eq!((needed(Some(1.0)), needed(None)), (Some(1), None));
}
