//! The parts that all figures of an account share: files, axes, intervals and captions.

use super::super::figure::{Axis, Figure, FigureTable, Panel};
use super::super::finished::Finished;
use super::super::number::reach;
use super::words::{counted, is_stopping};
use kleroterion_core::score::Direction;
use kleroterion_stats::share_interval;
use kleroterion_stats::t::t_interval;

/// The most policies with lines in colour. Beyond it, most lines are thin and grey, because the
/// colours would blend.
pub(super) const COLOURFUL: usize = 9;

/// The most panels of a figure.
pub(super) const PANELS: usize = 6;
/// The error rate of the pointwise intervals in figures.
pub(super) const POINTWISE: f64 = 0.05;
/// The ratio from which an axis is logarithmic, where all values are above 0.
pub(super) const WIDE: f64 = 30.0;

/// The approximate height of a mark, as a share of a panel.
const MARK: f64 = 0.04;

/// The smallest relative difference that a figure shows.
pub(super) const SEEN: f64 = 0.03;

/// A figure, its file's name, and its table where its points are not what a reader wants.
pub(super) struct ReportFigure {
    pub(super) file: &'static str,
    pub(super) figure: Figure,
    pub(super) table: Option<FigureTable>,
}

/// The interval of a mean of a measure that figures draw: exact of a measure that is 0 or 1 in each
/// replication, else by t. It ends where the measure does: a mean can have no value that the measure
/// cannot.
pub(crate) fn interval(
    run: &Finished,
    metric: &str,
    mean: f64,
    se: Option<f64>,
    n: u64,
) -> Option<(f64, f64)> {
    let se = se.filter(|_| !is_stopping(run))?;
    let (least, most) = run.catalogue.possible(metric);
    let scale = run.catalogue.words(metric).scale();
    if (least, most) == (0.0, 1.0)
        && let Some([lo, hi]) = share_interval(mean / scale, se / scale, n, POINTWISE)
    {
        return Some((scale * lo, scale * hi));
    }
    let (lo, hi) = t_interval(mean, se, n, POINTWISE)?;
    Some((
        lo.max(scale * least).min(mean),
        hi.min(scale * most).max(mean),
    ))
}

/// Returns a caption for the values drawn of each measure. `of` describes the values, and
/// `with_intervals` is true if intervals are drawn.
pub(super) fn drawn_means(run: &Finished, of: &str, with_intervals: bool) -> String {
    let (unit, units) = counted(run);
    match run.replications {
        1 => format!("The values {of} in the one {unit}."),
        _ if is_stopping(run) => {
            format!("Means {of} over the {units}, whose number was not fixed beforehand.")
        }
        _ if !with_intervals => format!("Means {of} over the {units}."),
        _ => format!(
            "Means {of} over the {units}, each with its pointwise 95 % interval (Student's \
             t; exact of what is 0 or 1 in each)."
        ),
    }
}

/// Returns true if an interval of some panel is wide enough to be seen behind its mark.
pub(super) fn has_seen_intervals(panels: &[Panel]) -> bool {
    panels.iter().any(|panel| {
        let points = || panel.series.iter().flat_map(|series| &series.points);
        let (lo, hi) = reach(points().map(|point| point.y));
        let spans = points().filter_map(|point| point.y_span);
        let wide = spans.map(|span| (span.hi - span.lo).abs());
        wide.fold(0.0, f64::max) > MARK * (hi - lo).max(f64::MIN_POSITIVE)
    })
}

/// An axis over values of a metric: logarithmic where they are all above 0 and far apart, and no
/// longer than the metric can reach.
pub(crate) fn axis(run: &Finished, metric: &str, values: impl Iterator<Item = f64>) -> Axis {
    let (lo, hi) = reach(values);
    let (least, most) = run.catalogue.possible(metric);
    let words = run.catalogue.words(metric);
    let axis = match lo > 0.0 && hi / lo >= WIDE {
        true => Axis::log(words.head()),
        false => Axis::linear(words.head()),
    };
    let scale = words.scale();
    axis.within(scale * least, scale * most)
}

/// Returns true if policies' means of a measure differ by more than 3 %, so that a figure shows it.
pub(super) fn is_seen_apart(run: &Finished, metric: &str) -> bool {
    let stats = run
        .policies
        .values()
        .filter_map(|policy| policy.metrics.get(metric));
    let (lo, hi) = reach(stats.map(|stats| stats.mean));
    hi - lo > SEEN * hi.abs().max(lo.abs())
}

/// A label of a measure with which way is better.
pub(crate) fn titled(metric: &str, run: &Finished) -> String {
    let head = run.catalogue.words(metric).head();
    match run.directions.of(metric) {
        Direction::Lower => format!("{head} (less is better)"),
        Direction::Higher => format!("{head} (more is better)"),
        Direction::None => head,
    }
}

/// Returns a note on the measures that a figure leaves out for lack of room.
pub(super) fn left_out(metrics: usize) -> String {
    match metrics > PANELS {
        true => format!(" Drawn are the first {PANELS} of {metrics} measures."),
        false => String::new(),
    }
}
