//! The measures over the swept values: small multiples, with a line for each policy.

use super::super::account::{axis, interval, quoted, titled};
use super::super::figure::{Axis, Figure, FigurePoint, Mark, MarkAt, Panel, Series, SeriesKind};
use super::super::number::reach;
use super::axis::{SweepAxis, SweepFound};

/// The most panels of the figure.
const PANELS: usize = 12;

/// A line's points: a place on the axis and the runs that it is over.
type Stops = Vec<(f64, Vec<usize>)>;

/// The runs that a panel shows, and the key that they run over.
struct Facet<'a> {
    /// The setting that the runs share. Empty if the panel shows all runs.
    title: String,
    axis: &'a SweepAxis,
    stops: Stops,
}

/// The figure; none without a measure.
pub(super) fn figure(found: &SweepFound<'_>) -> Option<Figure> {
    let measures = &found.measures;
    let (facets, is_mean) = facets(found);
    let most = (PANELS / facets.len().max(1)).max(1);
    let drawn = measures.iter().take(most);
    let panels = drawn.flat_map(|measure| panels(found, measure, &facets));
    let panels: Vec<Panel> = panels.collect();
    if panels.is_empty() {
        return None;
    }
    let keys: Vec<String> = found.axes.iter().map(SweepAxis::short).collect();
    let mut caption = match is_mean {
        true => "Each mark is the mean over all runs with that value.".to_owned(),
        false => "Means over the replications of each run, with their pointwise 95 % intervals \
                  (Student's t) where they have one."
            .to_owned(),
    };
    if measures.len() > most {
        caption += &format!(
            " Drawn are the first {most} of {} measures.",
            measures.len()
        );
    }
    if found.axes.iter().any(SweepAxis::is_renamed) {
        caption += " Long values are shortened or numbered; the table of runs has them whole.";
    }
    Some(Figure {
        title: format!("Over {}", keys.join(" and ")),
        caption,
        panels,
    })
}

/// The panels of each measure, and whether their points are means over several runs: of one key
/// one, of two a panel for each value of the shorter where there is room, else a panel for each
/// key.
fn facets<'a>(found: &'a SweepFound<'_>) -> (Vec<Facet<'a>>, bool) {
    if let [axis] = found.axes.as_slice() {
        let stops = (0..found.runs.len()).map(|run| (axis.at(found.places(run)[0]), vec![run]));
        let facet = Facet {
            title: String::new(),
            axis,
            stops: stops.collect(),
        };
        return (vec![facet], false);
    }
    if let [first, second] = found.axes.as_slice() {
        let is_along_first = first.is_numeric() && first.values.len() > second.values.len()
            || !second.is_numeric() && first.is_numeric();
        let [along, by] = if is_along_first { [0, 1] } else { [1, 0] };
        if found.axes[by].values.len() * found.measures.len().min(2) <= PANELS {
            return (by_value(found, along, by), false);
        }
    }
    let each = (0..found.axes.len()).map(|key| {
        let axis = &found.axes[key];
        let runs_at = |place| {
            let runs = 0..found.runs.len();
            runs.filter(move |run| found.places(*run)[key] == place)
        };
        let stops = (0..axis.values.len()).map(|place| (axis.at(place), runs_at(place).collect()));
        Facet {
            title: String::new(),
            axis,
            stops: stops.collect(),
        }
    });
    (each.collect(), true)
}

/// A panel for each value of the key `by`, over the key `along`.
fn by_value<'a>(found: &'a SweepFound<'_>, along: usize, by: usize) -> Vec<Facet<'a>> {
    let (axis, facets) = (&found.axes[along], &found.axes[by]);
    let of_value = |place: usize| {
        let runs = 0..found.runs.len();
        let runs = runs.filter(|run| found.places(*run)[by] == place);
        let mut stops: Stops = runs
            .map(|run| (axis.at(found.places(run)[along]), vec![run]))
            .collect();
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        Facet {
            title: format!("{} = {}", facets.short(), facets.names[place]),
            axis,
            stops,
        }
    };
    (0..facets.values.len()).map(of_value).collect()
}

/// The figure of the differences from the baseline, with the intervals of the verdicts. `None`
/// where runs have several baselines or none, or where a point would be a mean over several runs.
pub(super) fn differences(found: &SweepFound<'_>) -> Option<Figure> {
    let (facets, is_mean) = facets(found);
    let pairs = || found.runs.iter().flat_map(|(_, run)| &run.pairs);
    let base = pairs().next()?.b.as_str();
    if is_mean || !pairs().all(|pair| pair.b == base) {
        return None;
    }
    let mut measures: Vec<&str> = Vec::new();
    for pair in pairs().filter(|pair| pair.lo.is_some()) {
        if !measures.contains(&pair.metric.as_str()) {
            measures.push(&pair.metric);
        }
    }
    measures.truncate((PANELS / facets.len().max(1)).max(1));
    let panels = measures.iter();
    let panels = panels.flat_map(|measure| against(found, measure, base, &facets));
    let panels: Vec<Panel> = panels.collect();
    (!panels.is_empty()).then(|| Figure {
        title: format!("How sure: the difference from {}", quoted(base)),
        caption: "The mean difference in each run, with the interval that its verdict rests on. \
                  The comparisons of one run are right together; over the runs of the sweep they \
                  do not. Yardsticks are left out. Grey band: the margin."
            .into(),
        panels,
    })
}

/// The panels of the differences on a measure, on one vertical axis.
fn against(found: &SweepFound<'_>, measure: &str, base: &str, facets: &[Facet<'_>]) -> Vec<Panel> {
    let contenders = found.labels.iter().copied();
    let contenders = contenders.filter(|label| *label != base && !found.yardsticks.contains(label));
    let contenders: Vec<&str> = contenders.collect();
    let mut panels = drawn(found, measure, facets, &contenders, |runs, label, x| {
        let [run] = runs else { return None };
        let mut pairs = found.runs[*run].1.pairs.iter();
        let pair = pairs.find(|pair| pair.a == label && pair.metric == measure)?;
        let (mean, (lo, hi)) = (pair.mean?, pair.lo.zip(pair.hi)?);
        Some(FigurePoint::new(x, mean).y_from(lo, hi))
    });
    let mut pairs = found.runs.iter().flat_map(|(_, run)| &run.pairs);
    let margin = pairs.find_map(|pair| pair.margin.filter(|_| pair.metric == measure));
    let points = panels.iter().flat_map(|panel| &panel.series);
    let points = points.flat_map(|series| &series.points);
    let ends = points.filter_map(|point| point.y_span);
    let (least, most) = reach(ends.flat_map(|span| [span.lo, span.hi, 0.0]));
    for panel in &mut panels {
        // Differences may be far apart, and have either sign.
        panel.y = Axis::linear(panel.y.label.clone()).spanning(least, most);
        panel.marks.push(Mark {
            at: MarkAt::Y(0.0),
            label: String::new(),
        });
        panel.marks.extend(margin.map(|margin| Mark {
            at: MarkAt::Band(-margin, margin),
            label: String::new(),
        }));
    }
    panels
}

/// The panels of a measure.
fn panels(found: &SweepFound<'_>, measure: &str, facets: &[Facet<'_>]) -> Vec<Panel> {
    drawn(found, measure, facets, &found.labels, |runs, label, x| {
        point(found, runs, label, measure, x)
    })
}

/// The panels of a measure on one vertical axis, with the points of these policies.
fn drawn(
    found: &SweepFound<'_>,
    measure: &str,
    facets: &[Facet<'_>],
    labels: &[&str],
    point: impl Fn(&[usize], &str, f64) -> Option<FigurePoint>,
) -> Vec<Panel> {
    let lines = |facet: &Facet<'_>| -> Vec<(String, Vec<FigurePoint>)> {
        let line = |label: &&str| {
            let stops = facet.stops.iter();
            let points = stops.filter_map(|(x, runs)| point(runs, label, *x));
            ((*label).to_owned(), points.collect())
        };
        labels.iter().map(line).collect()
    };
    let all: Vec<_> = facets.iter().map(lines).collect();
    let points = || all.iter().flatten().flat_map(|(_, points)| points);
    if points().next().is_none() {
        return Vec::new();
    }
    // One scale for all panels of a measure, so that they can be compared.
    let (least, most) = reach(points().map(|point| point.y));
    let first = &found.runs[0].1;
    let y = axis(first, measure, points().map(|point| point.y));
    let mut y = y.spanning(least, most);
    y.label = titled(measure, first);
    let panel = |(facet, lines): (&Facet<'_>, Vec<(String, Vec<FigurePoint>)>)| Panel {
        title: facet.title.clone(),
        x: facet.axis.figure_axis(),
        y: y.clone(),
        series: lines
            .into_iter()
            .map(|(label, points)| Series::new(label, SeriesKind::Line, points))
            .collect(),
        marks: Vec::new(),
    };
    facets.iter().zip(all.clone()).map(panel).collect()
}

/// The mean of a policy's measure over some runs; of one with its interval.
fn point(
    found: &SweepFound<'_>,
    runs: &[usize],
    label: &str,
    measure: &str,
    x: f64,
) -> Option<FigurePoint> {
    let stats = runs.iter().filter_map(|run| {
        let run = found.runs[*run].1;
        Some((run, run.policies.get(label)?.metrics.get(measure)?))
    });
    let stats: Vec<_> = stats.collect();
    if let [(run, stats)] = stats.as_slice() {
        let point = FigurePoint::new(x, stats.mean);
        let span = interval(run, measure, stats.mean, stats.se, stats.n);
        return Some(span.map_or(point, |(lo, hi)| point.y_from(lo, hi)));
    }
    let sum: f64 = stats.iter().map(|(_, stats)| stats.mean).sum();
    (!stats.is_empty()).then(|| FigurePoint::new(x, sum / stats.len() as f64))
}
