//! Measures over the replications: a box and dots for each policy.

use super::super::figure::{
    Axis, Cell, Figure, FigurePoint, FigureTable, Panel, Series, SeriesKind,
};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::drawing::{PANELS, ReportFigure, axis, left_out, titled};
use super::words::counted;
use kleroterion_stats::quantile;

/// The most dots of all policies in a panel.
const DOTS: usize = 800;
/// The most dots of a policy, at even steps of its sorted values.
const DOTS_OF_ONE: usize = 100;
/// The most policies with dots. Beyond it only the boxes are drawn, since the rows are too low for
/// dots.
const DOTTED: usize = 16;
/// The quantiles of the table.
const QUANTILES: [(&str, f64); 7] = [
    ("least", 0.0),
    ("5 %", 0.05),
    ("25 %", 0.25),
    ("median", 0.5),
    ("75 %", 0.75),
    ("95 %", 0.95),
    ("most", 1.0),
];

/// Makes the figure of spreads, with a panel for each measure that differs between replications.
/// `None` if no measure does.
pub(super) fn figure(run: &Finished, labels: &[&str], metrics: &[String]) -> Option<ReportFigure> {
    let values = |label: &str, metric: &str| -> Vec<f64> {
        let policy = run.lanes.iter().find(|policy| policy.label == label);
        let values = policy
            .into_iter()
            .flat_map(|policy| policy.column(metric, None));
        let scale = run.catalogue.words(metric).scale();
        let mut values: Vec<f64> = values.flatten().map(|value| scale * value).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let varies = |metric: &&String| {
        labels.iter().any(|label| {
            let values = values(label, metric);
            values.first() != values.last()
        })
    };
    let metrics: Vec<&String> = metrics.iter().filter(varies).collect();
    let panels = metrics.iter().take(PANELS).map(|metric| {
        let sorted = labels.iter().map(|label| (*label, values(label, metric)));
        panel(run, metric, &sorted.collect::<Vec<_>>())
    });
    let panels: Vec<Panel> = panels.collect();
    if panels.is_empty() {
        return None;
    }
    let heads = ["measure", "policy", "n"].into_iter();
    let heads = heads.chain(QUANTILES.map(|(name, _)| name));
    let rows = metrics.iter().flat_map(|metric| {
        run.policies.keys().map(|label| {
            let sorted = values(label, metric);
            let mut cells = vec![
                Cell::Text(run.catalogue.words(metric).head()),
                Cell::text(label),
                Cell::Number(sorted.len() as f64),
            ];
            cells.extend(QUANTILES.map(|(_, q)| Cell::known(quantile(&sorted, q))));
            cells
        })
    });
    let table = FigureTable::of(heads, rows);
    let (unit, units) = counted(run);
    let kept = dots(labels.len());
    let dots = match kept as u64 {
        0 => String::new(),
        kept if run.replications > kept => {
            format!("; dots: {kept} of the values, at even steps of their order")
        }
        _ => format!("; dots: each {unit}"),
    };
    let at = match unit {
        "case" => "",
        _ => " at the end of the run",
    };
    let caption = format!(
        "The value{at} in each {unit}. Box: the middle half, marked at the median{dots}.{}",
        left_out(metrics.len())
    );
    Some(ReportFigure {
        file: FIGURE_FILES[2],
        figure: Figure {
            title: format!("Over the {units}"),
            caption,
            panels,
        },
        table: Some(table),
    })
}

/// The most dots of each of some policies.
fn dots(policies: usize) -> usize {
    match policies <= DOTTED {
        true => (DOTS / policies.max(1)).min(DOTS_OF_ONE),
        false => 0,
    }
}

fn panel(run: &Finished, metric: &str, sorted: &[(&str, Vec<f64>)]) -> Panel {
    let ends = sorted
        .iter()
        .flat_map(|(_, values)| values.first().into_iter().chain(values.last()));
    let x = axis(run, metric, ends.copied());
    let mut series = Vec::new();
    // The first label is the uppermost row.
    for (row, (label, values)) in (0..sorted.len()).rev().zip(sorted) {
        let row = row as f64;
        let kept = values.len().min(dots(sorted.len()));
        let dots = (0..kept).map(|i| {
            let place = if kept > 1 {
                i * (values.len() - 1) / (kept - 1)
            } else {
                0
            };
            FigurePoint::new(values[place], row)
        });
        series.push(Series::new(*label, SeriesKind::Swarm, dots));
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|q| quantile(values, q));
        let of = |middle: f64| Some(FigurePoint::new(middle, row).x_from(low?, high?));
        series.push(Series::new(*label, SeriesKind::Box, middle.and_then(of)));
    }
    let names = sorted.iter().rev().map(|(label, _)| *label);
    Panel {
        title: titled(metric, run),
        x,
        y: Axis::names("", names),
        series,
        marks: vec![],
    }
}
