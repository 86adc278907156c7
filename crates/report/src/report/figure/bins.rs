//! Histograms: values counted into bins with round edges.

use super::super::number::reach;
use super::ruler::FARTHEST;
use super::ticks::TickStep;
use super::{FigurePoint, Series, SeriesKind};

/// Counts values by name into at most `most` bins (at least 3) that all names share. A bin includes
/// its lower edge and excludes its upper. Edges are multiples of 1, 2 or 5 times a power of ten.
/// Values that are not finite or are beyond 1e150 are in no bin. y is the count.
pub fn histogram(values: &[(&str, &[f64])], most: usize) -> Vec<Series> {
    let finite = {
        let all = values.iter().flat_map(|(_, values)| values.iter().copied());
        all.filter(|value| value.abs() <= FARTHEST)
    };
    let (lo, hi) = reach(finite);
    let empty = |name: &str| Series::new(name, SeriesKind::Histogram, []);
    if lo > hi {
        return values.iter().map(|(name, _)| empty(name)).collect();
    }
    // Equal values stand in one bin whose width suits their size.
    let room = if hi - lo > lo.abs().max(hi.abs()) * 1e-9 {
        0.0
    } else {
        lo.abs().max(1.0) / 2.0
    };
    let most = most.max(3);
    // One multiple fewer within the range than bins over it.
    let step = TickStep::of(lo - room, hi + room, most - 1);
    let (first, last) = step.within(lo, hi);
    let first = first - i64::from(step.times(first) > lo);
    let bins = (last - first + 1).max(1) as usize;
    let edges: Vec<f64> = (0..=bins as i64).map(|n| step.times(first + n)).collect();
    values
        .iter()
        .map(|(name, values)| {
            let mut counts = vec![0_u64; bins];
            for value in values.iter().filter(|value| value.abs() <= FARTHEST) {
                let after = edges.partition_point(|edge| edge <= value);
                counts[after.saturating_sub(1).min(bins - 1)] += 1;
            }
            let points = edges.windows(2).zip(counts).map(|(edge, count)| {
                let middle = edge[0] + (edge[1] - edge[0]) / 2.0;
                FigurePoint::new(middle, count as f64).x_from(edge[0], edge[1])
            });
            Series::new(*name, SeriesKind::Histogram, points)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heights(series: &Series) -> Vec<(f64, f64, f64)> {
        let bin = |p: &FigurePoint| p.x_span.map(|span| (span.lo, span.hi, p.y));
        series.points.iter().filter_map(bin).collect()
    }

    #[test]
    fn bins_are_round_and_shared() {
        let a = [0.1, 0.2, 0.3, 0.3, f64::NAN];
        let b = [0.55, 0.9];
        let series = histogram(&[("a", &a), ("b", &b)], 6);
        let known = [
            (0.0, 0.2, 1.0),
            (0.2, 0.4, 3.0),
            (0.4, 0.6, 0.0),
            (0.6, 0.8, 0.0),
            (0.8, 1.0, 0.0),
        ];
        assert_eq!(heights(&series[0]), known);
        assert_eq!(
            heights(&series[1])
                .iter()
                .map(|bin| bin.2)
                .collect::<Vec<_>>(),
            [0.0, 0.0, 1.0, 0.0, 1.0]
        );
    }

    #[test]
    fn every_finite_value_is_in_a_bin_that_holds_it() {
        let values: Vec<f64> = (0..500)
            .map(|i| f64::from(i * i % 377) / 7.0 - 20.0)
            .collect();
        for most in 3..40 {
            let series = &histogram(&[("", &values)], most)[0];
            let bins = heights(series);
            assert!(bins.len() <= most, "{} bins of {most}", bins.len());
            assert_eq!(bins.iter().map(|bin| bin.2).sum::<f64>(), 500.0);
            for (lo, hi, count) in bins {
                let slow = values.iter().filter(|v| (lo..hi).contains(*v)).count();
                assert_eq!(count, slow as f64, "{lo}..{hi}");
            }
        }
    }

    #[test]
    fn equal_and_absent_values_are_no_trouble() {
        assert_eq!(
            heights(&histogram(&[("", &[7.0; 3])], 10)[0])
                .iter()
                .map(|b| b.2)
                .sum::<f64>(),
            3.0
        );
        assert_eq!(heights(&histogram(&[("", &[0.0])], 10)[0]).len(), 1);
        assert!(histogram(&[("", &[])], 10)[0].points.is_empty());
        assert!(histogram(&[("", &[f64::NAN])], 10)[0].points.is_empty());
    }
}
