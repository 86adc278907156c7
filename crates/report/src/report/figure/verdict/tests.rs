//! Tests of the axis and the elements of a verdict's bars.

use std::collections::BTreeSet;

use super::*;

fn bar(mean: f64, se: f64, half: f64) -> VerdictBar {
    VerdictBar {
        mean,
        se: Some(se),
        limits: Some((mean - half, mean + half)),
    }
}

fn over(bars: &[VerdictBar]) -> VerdictAxis {
    VerdictAxis::over(bars, Direction::Lower, None, 280.0)
}

/// The number of line ends with a cap, left and right.
fn caps(svg: &str) -> usize {
    svg.matches("v8").count()
}

#[test]
fn one_wide_interval_squashes_nothing_and_has_no_cap() {
    let near = [bar(-8.0, 1.0, 2.0), bar(-4.0, 1.0, 2.0)];
    let axis = over(&[near[0], near[1], bar(-6.0, 1.0, 500.0)]);
    assert!(axis.lo > -11.0 && axis.hi < 1.0, "{axis:?}");
    assert_eq!(caps(&axis.bar(&near[0], 0, 13.0)), 2);
    let cut = axis.bar(&bar(-6.0, 1.0, 500.0), 2, 13.0);
    assert_eq!(caps(&cut), 0);
    assert!(cut.contains("M6 8.5L0 13L6 17.5") && cut.contains("M274 8.5L280 13L274 17.5"));
    let half = VerdictBar {
        limits: Some((-900.0, -3.0)),
        ..near[1]
    };
    assert_eq!(caps(&axis.bar(&half, 2, 13.0)), 1);
}

/// One difference far beyond the others is an arrow with its number; the others keep their room.
#[test]
fn a_difference_far_beyond_the_others_is_an_arrow() {
    let bars = [
        bar(-96.0, 1.0, 3.0),
        bar(981.0, 4.0, 9.0),
        bar(4753.0, 9.0, 20.0),
    ];
    let axis = over(&bars);
    assert!(axis.lo < -96.0 && axis.hi < 10.0, "{axis:?}");
    let shown = axis.bar(&bars[2], 0, 13.0);
    assert!(shown.contains(">+4,753 \u{2192}</text>"), "{shown}");
    assert!(shown.contains(r#"text-anchor="end""#) && !shown.contains("<path"));
    let shown = axis.bar(&bar(-5000.0, 1.0, 2.0), 0, 13.0);
    assert!(shown.contains(">\u{2190} \u{2212}5,000</text>"), "{shown}");
    assert!(axis.bar(&bars[0], 0, 13.0).contains("<path"));
}

#[test]
fn intervals_that_are_near_are_on_the_axis() {
    let axis = over(&[bar(-272.0, 10.0, 300.0)]);
    assert!(axis.lo < -572.0 && axis.hi > 28.0, "{axis:?}");
    // All are far wider than the differences: means and standard errors are seen.
    let axis = over(&[bar(-0.013, 0.001, 0.33), bar(0.002, 0.001, 0.33)]);
    assert!(axis.lo > -0.02 && axis.hi < 0.01, "{axis:?}");
}

/// One stream gives no standard error.
#[test]
fn without_a_standard_error_the_narrowest_interval_is_on_the_axis() {
    let of = |mean: f64, half: f64| VerdictBar {
        se: None,
        ..bar(mean, 0.0, half)
    };
    let axis = over(&[of(0.001, 0.2), of(-0.002, 5.0)]);
    assert!(
        axis.lo < -0.199 && axis.lo > -0.3 && axis.hi > 0.201,
        "{axis:?}"
    );
}

#[test]
fn an_axis_has_a_breadth_whatever_there_is() {
    let none: &[VerdictBar] = &[];
    for bars in [none, &[bar(0.0, 0.0, 0.0)], &[bar(f64::NAN, 1.0, 1.0)]] {
        let axis = over(bars);
        assert!(
            axis.lo < 0.0 && axis.hi > 0.0 && axis.hi.is_finite(),
            "{axis:?}"
        );
        assert!(!axis.foot().contains("NaN"));
    }
    let axis = over(&[bar(0.0, 0.0, f64::INFINITY), bar(1.0, 0.1, 0.2)]);
    assert!(axis.hi < 2.0);
    assert_eq!(axis.bar(&bar(0.0, 0.0, f64::INFINITY), 0, 13.0), "");
}

#[test]
fn the_better_side_and_the_margin_are_behind_the_bars() {
    let bars = [bar(-8.0, 1.0, 2.0)];
    let of = |direction, margin| VerdictAxis::over(&bars, direction, margin, 280.0).row(None, 0);
    let lower = of(Direction::Lower, Some(1.0));
    assert!(lower.contains(r#"class="f-b1""#) && lower.contains(r#"x="0" y="-400""#));
    assert_eq!(lower.matches("<rect").count(), 2);
    assert_eq!(of(Direction::None, None).matches("<rect").count(), 0);
    assert!(of(Direction::Higher, None).contains("f-b1"));
}

#[test]
fn ticks_do_not_run_into_each_other() {
    for (mean, se) in [(-0.000_012_34, 0.000_001), (123_456.0, 10.0), (-0.35, 0.01)] {
        let axis = over(&[bar(mean, se, 2.0 * se)]);
        let ticks = axis.ticks();
        assert!(ticks.len() >= 2, "{ticks:?}");
        let foot = axis.foot();
        assert!(!foot.contains(">-"), "{foot}");
    }
}

#[test]
fn progress_is_a_share() {
    assert!(progress(30, 77).contains("M0 3H38.96"));
    assert!(progress(30, 3).contains("M0 3H100\"/></svg>"));
    assert!(progress(0, 0).contains("M0 3H0\""));
}

/// Policies that share a colour differ in their markers.
#[test]
fn no_policy_looks_like_another() {
    let markers: BTreeSet<String> = (0..64).map(marker_of).collect();
    assert_eq!(markers.len(), 64);
}
