//! The difference of a pair for display: without rounding noise, and rounded by its own spread.

use std::borrow::Cow;

use super::super::figure::VerdictBar;
use super::super::finished::Finished;
use super::super::notes::MANY;
use super::super::number::{about, noiseless, shown};
use super::super::page::Progress;
use super::words::{signed, units};
use kleroterion_core::score::Direction;
use kleroterion_stats::{Dated, DifferencePoint, NOT_IN_THIS_RUN, Pair, PairCourse, Verdict};

/// The difference of a pair as a bar shows it, with the decimals of all differences of its measure
/// and of their intervals; none of what can't be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShownDifference {
    pub(super) bar: Option<VerdictBar>,
    decimals: [Option<i32>; 2],
}

impl ShownDifference {
    /// Returns the difference of `a` less `b`.
    pub(super) fn of(pair: &Pair, decimals: [Option<i32>; 2], run: &Finished) -> Self {
        let size = size(run, pair);
        let tidy = |value: f64| noiseless(value, size);
        let mean = pair.mean.filter(|_| pair.verdict != Verdict::NotComparable);
        let bar = mean.map(|mean| VerdictBar {
            mean: tidy(mean),
            se: pair.se.map(tidy),
            limits: pair.lo.zip(pair.hi).map(|(lo, hi)| (tidy(lo), tidy(hi))),
        });
        Self { bar, decimals }
    }

    /// `−0.0130`
    pub(super) fn words(&self) -> String {
        let words = |bar: VerdictBar| signed(bar.mean, self.decimals[0]);
        self.bar.map_or(String::new(), words)
    }

    /// Returns the size of the difference, for example `0.0130`. `None` if there is no difference.
    pub(super) fn size(&self) -> Option<String> {
        let bar = self.bar.filter(|bar| bar.mean != 0.0)?;
        let size = signed(bar.mean.abs(), self.decimals[0]);
        Some(size.trim_start_matches('+').to_owned())
    }

    /// `−0.0130 ± 0.0010`
    pub(super) fn with_error(&self) -> String {
        let error = self.bar.and_then(|bar| {
            let se = bar.se.filter(|se| *se > 0.0)?;
            Some(format!(" ± {}", shown(se, self.decimals[0])))
        });
        self.words() + &error.unwrap_or_default()
    }

    /// `−0.33 to +0.32`
    pub(super) fn interval(&self) -> String {
        let interval = self.bar.and_then(|bar| {
            let ((lo, hi), digits) = (bar.limits?, self.decimals[1]);
            Some(format!("{} to {}", signed(lo, digits), signed(hi, digits)))
        });
        interval.unwrap_or_default()
    }
}

/// Returns the comparison from the other policy's side.
pub(super) fn turned(pair: &Pair) -> Pair {
    let less = |value: Option<f64>| value.map(|value| -value);
    let mut turned = pair.clone();
    (turned.a, turned.b) = (pair.b.clone(), pair.a.clone());
    turned.mean = less(pair.mean);
    (turned.lo, turned.hi) = (less(pair.hi), less(pair.lo));
    let extras = &pair.extras;
    (turned.extras.t_lo, turned.extras.t_hi) = (less(extras.t_hi), less(extras.t_lo));
    let often = |share: Option<f64>| share.map(|share| 1.0 - share);
    turned.extras.beats = often(extras.beats);
    (turned.extras.beats_lo, turned.extras.beats_hi) =
        (often(extras.beats_hi), often(extras.beats_lo));
    turned.dated = pair.dated.map(Dated::turned);
    turned.verdict = pair.verdict.turned();
    turned
}

/// The comparison with the better by the mean first.
pub(super) fn ahead_first(pair: &Pair, direction: Direction) -> Cow<'_, Pair> {
    let is_behind = |mean: f64| match direction {
        Direction::Lower => mean > 0.0,
        Direction::Higher => mean < 0.0,
        Direction::None => false,
    };
    match pair.mean.is_some_and(is_behind) {
        true => Cow::Owned(turned(pair)),
        false => Cow::Borrowed(pair),
    }
}

/// The course of a comparison, from the side of this policy.
pub(super) fn course_of<'a>(course: &'a PairCourse, label: &str) -> Cow<'a, PairCourse> {
    if course.a == label {
        return Cow::Borrowed(course);
    }
    let turned = |point: &DifferencePoint| DifferencePoint {
        n: point.n,
        mean: -point.mean,
        interval: point.interval.map(|(lo, hi)| (-hi, -lo)),
        verdict: point.verdict.turned(),
    };
    Cow::Owned(PairCourse {
        metric: course.metric.clone(),
        a: course.b.clone(),
        b: course.a.clone(),
        points: course.points.iter().map(turned).collect(),
    })
}

/// Returns the magnitude of the values whose differences a pair is about.
pub(super) fn size(run: &Finished, pair: &Pair) -> f64 {
    let of = |label: &String| run.policies.get(label)?.metrics.get(&pair.metric);
    let both = [&pair.a, &pair.b].into_iter().filter_map(of);
    let ends = both.flat_map(|stats| [stats.min, stats.max]);
    ends.fold(0.0, |size: f64, end| size.max(end.abs()))
}

/// Returns the progress of an open pair, as the run predicted it by its own method.
pub(super) fn progress(pair: &Pair, run: &Finished) -> Option<Progress> {
    let open = |words| Progress {
        seen: pair.n,
        whole: None,
        words,
    };
    if pair.ends_before {
        return Some(open(NOT_IN_THIS_RUN.into()));
    }
    let more = pair.needed.filter(|_| pair.verdict == Verdict::Undecided)?;
    let (_, units) = units(run, pair.estimand);
    if more > MANY {
        return Some(open(format!("over a million more {units} may decide it")));
    }
    let (n, whole) = (pair.n, pair.n + more);
    let (of, more) = (about(whole), about(more));
    Some(Progress {
        whole: Some(whole),
        ..open(format!(
            "{n} of about {of} {units}: about {more} more may decide it"
        ))
    })
}
