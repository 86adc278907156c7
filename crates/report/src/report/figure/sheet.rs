//! The parts of a figure that can be drawn, and notes on the others.

use super::heat::{Heat, HeatScale};
use super::look::PLAIN_LOOKS;
use super::ruler::{HALF, WHOLE, WIDTH, is_on, span_on};
use super::{
    Axis, AxisScale, Figure, FigurePoint, Mark, MarkAt, Panel, Series, SeriesKind, ValueSpan,
};

/// A figure without the parts that cannot be drawn.
pub(super) struct FigureSheet<'a> {
    /// The names that are drawn, in order of appearance, each with its look.
    pub(super) names: Vec<(&'a str, usize)>,
    /// The panels.
    pub(super) panels: Vec<SheetPanel<'a>>,
    /// Notes on the parts that the picture does not show, in whole sentences.
    pub(super) notes: Vec<String>,
}

/// A panel without what cannot be drawn.
pub(super) struct SheetPanel<'a> {
    pub(super) panel: &'a Panel,
    pub(super) series: Vec<SheetSeries<'a>>,
    pub(super) marks: Vec<&'a Mark>,
    /// The width in pixels.
    pub(super) width: f64,
    /// The scale of the cells of all panels.
    pub(super) scale: HeatScale,
}

/// A series without what cannot be drawn.
pub(super) struct SheetSeries<'a> {
    pub(super) name: &'a str,
    /// The text at the end of its line, where there is room for more than its name.
    pub(super) label: &'a str,
    /// The point that is marked, and the text above the plot.
    pub(super) moment: Option<(FigurePoint, &'a str)>,
    /// The number of its look.
    pub(super) look: usize,
    pub(super) kind: SeriesKind,
    pub(super) is_muted: bool,
    /// Points between which nothing is missing; each run holds at least one.
    pub(super) runs: Vec<Vec<FigurePoint>>,
}

/// The names of the series with points left out, by reason.
#[derive(Default)]
struct Missing<'a> {
    not_finite: Vec<&'a str>,
    not_above_zero: Vec<&'a str>,
    not_named: Vec<&'a str>,
    beyond: Vec<&'a str>,
    has_spans_off_edge: bool,
    has_spans_cut: bool,
}

/// Returns a note on points that are not drawn, with the names of their series. `None` if there are
/// no points.
fn not_drawn(names: &[&str], what: &str) -> Option<String> {
    let mut who: Vec<&str> = Vec::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        if !who.contains(name) {
            who.push(name);
        }
    }
    let who = match who.len() {
        0 => String::new(),
        _ => format!(" ({})", who.join(", ")),
    };
    let points = match names.len() {
        0 => return None,
        1 => "1 point".to_owned(),
        many => format!("{many} points"),
    };
    Some(format!("Not drawn: {points} {what}{who}."))
}

/// The names of a figure that are drawn, each with the number of its look, in the order met.
pub(super) fn drawn_names(figure: &Figure) -> Vec<(&str, usize)> {
    let mut all: Vec<(&str, Option<usize>)> = Vec::new();
    let all_series = figure.panels.iter().flat_map(|panel| &panel.series);
    for series in all_series.filter(|series| series.kind != SeriesKind::Guide) {
        if !all.iter().any(|(name, _)| *name == series.name) {
            all.push((&series.name, series.look));
        }
    }
    let kept: Vec<usize> = all.iter().filter_map(|(_, look)| *look).collect();
    let mut free = (0..PLAIN_LOOKS).filter(|look| !kept.contains(look));
    let look = |(name, look): (_, Option<usize>)| (name, look.or_else(|| free.next()).unwrap_or(0));
    all.into_iter().map(look).collect()
}

impl<'a> FigureSheet<'a> {
    pub(super) fn of(figure: &'a Figure) -> Self {
        let names = drawn_names(figure);
        let mut missing = Missing::default();
        let mut panels: Vec<SheetPanel<'_>> = figure
            .panels
            .iter()
            .map(|panel| drawn(panel, &names, &mut missing))
            .collect();
        let series = panels.iter().flat_map(|drawn| &drawn.series);
        let cells = series.filter(|shown| shown.kind == SeriesKind::Cells);
        let heats: Vec<Heat> = cells
            .flat_map(SheetSeries::points)
            .filter_map(|point| point.heat)
            .collect();
        let scale = HeatScale::over(&heats);
        for drawn in &mut panels {
            drawn.scale = scale.clone();
        }
        Self {
            names,
            panels,
            notes: missing.notes(),
        }
    }
}

impl FigureSheet<'_> {
    /// Makes its panels as wide as a desktop's page together.
    pub(super) fn whole(mut self) -> Self {
        let width = match self.panels.len() {
            0 | 1 => WHOLE,
            _ => HALF,
        };
        for drawn in &mut self.panels {
            drawn.width = width;
        }
        self
    }
}

impl<'a> SheetPanel<'a> {
    /// The series of a kind.
    pub(super) fn of_kind(&self, kind: SeriesKind) -> impl Iterator<Item = &SheetSeries<'a>> {
        let series = self.series.iter();
        series.filter(move |shown| shown.kind == kind)
    }

    /// The number of the look of a series.
    pub(super) fn look_of(&self, name: &str) -> Option<usize> {
        let mut series = self.series.iter();
        Some(series.find(|shown| shown.name == name)?.look)
    }
}

impl SheetSeries<'_> {
    /// The points of all runs.
    pub(super) fn points(&self) -> impl Iterator<Item = &FigurePoint> {
        self.runs.iter().flatten()
    }
}

impl<'a> Missing<'a> {
    fn notes(&self) -> Vec<String> {
        let off_edge = self
            .has_spans_off_edge
            .then(|| "An error bar without an end cap reaches 0 or below.".to_owned());
        let cut = self.has_spans_cut.then(|| {
            "An arrow, or a band that ends at the frame: the interval goes on beyond it.".to_owned()
        });
        let points = [
            (&self.beyond, "beyond the frame"),
            (&self.not_finite, "without a finite value"),
            (
                &self.not_above_zero,
                "at or below 0, where a logarithmic axis has no place",
            ),
            (&self.not_named, "beyond the names of its axis"),
        ];
        let points = points
            .into_iter()
            .filter_map(|(names, what)| not_drawn(names, what));
        points.chain(off_edge).chain(cut).collect()
    }

    /// Notes the spans of a point that go on where they cannot be drawn.
    fn note_spans(&mut self, panel: &Panel, point: &FigurePoint) {
        let is_open = |scale: &AxisScale, span: Option<ValueSpan>| {
            matches!(scale, AxisScale::Log10) && span.is_some_and(|span| span.lo <= 0.0)
        };
        self.has_spans_off_edge |=
            is_open(&panel.y.scale, point.y_span) || is_open(&panel.x.scale, point.x_span);
        let is_cut = |axis: &Axis, span: Option<ValueSpan>| {
            span.is_some_and(|span| !(axis.allows(span.lo) && axis.allows(span.hi)))
        };
        self.has_spans_cut |= is_cut(&panel.y, point.y_span) || is_cut(&panel.x, point.x_span);
    }

    /// Returns the list for a point that cannot be drawn.
    fn list(&mut self, panel: &Panel, point: &FigurePoint) -> &mut Vec<&'a str> {
        let is_finite = point.x.is_finite() && point.y.is_finite();
        let is_below =
            |scale: &AxisScale, value: f64| matches!(scale, AxisScale::Log10) && value <= 0.0;
        if is_finite && (is_below(&panel.x.scale, point.x) || is_below(&panel.y.scale, point.y)) {
            &mut self.not_above_zero
        } else if is_finite && matches!(panel.x.scale, AxisScale::Names(_)) {
            &mut self.not_named
        } else {
            &mut self.not_finite
        }
    }
}

/// The points of a series that can be drawn, in runs between which one is missing.
fn runs<'a>(
    panel: &'a Panel,
    series: &'a Series,
    missing: &mut Missing<'a>,
) -> Vec<Vec<FigurePoint>> {
    let (x, y) = (&panel.x.scale, &panel.y.scale);
    let mut runs = vec![vec![]];
    for point in &series.points {
        let is_empty_bin = series.kind == SeriesKind::Histogram && point.y == 0.0;
        let is_blank = series.kind == SeriesKind::Cells && !point.heat.is_some_and(Heat::is_finite);
        let is_cut = series.kind == SeriesKind::Funnel;
        let is_allowed = panel.x.allows(point.x) && (is_cut || panel.y.allows(point.y));
        if is_on(x, point.x) && is_on(y, point.y) && is_allowed && !is_blank {
            let point = FigurePoint {
                x_span: point.x_span.and_then(|span| span_on(x, span)),
                y_span: point.y_span.and_then(|span| span_on(y, span)),
                ..*point
            };
            missing.note_spans(panel, &point);
            if let Some(run) = runs.last_mut() {
                run.push(point);
            }
        } else {
            if !is_allowed && point.x.is_finite() && point.y.is_finite() {
                missing.beyond.push(&series.name);
            } else if is_blank {
                missing.not_finite.push(&series.name);
            } else if !is_empty_bin {
                missing.list(panel, point).push(&series.name);
            }
            runs.push(vec![]);
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// The panel without what cannot be drawn, which is noted as missing.
fn drawn<'a>(
    panel: &'a Panel,
    names: &[(&'a str, usize)],
    missing: &mut Missing<'a>,
) -> SheetPanel<'a> {
    let (x, y) = (&panel.x.scale, &panel.y.scale);
    let look = |series: &Series| match series.kind {
        SeriesKind::Guide => Some(0),
        _ => {
            let mut known = names.iter().filter(|(name, _)| *name == series.name);
            known.next().map(|(_, look)| *look)
        }
    };
    let mut shown = Vec::new();
    for series in &panel.series {
        if let Some(look) = look(series) {
            let runs = runs(panel, series, missing);
            let moment = series.moment().and_then(|(x, text)| {
                let mut points = runs.iter().flatten();
                Some((*points.find(|point| point.x == x)?, text))
            });
            shown.push(SheetSeries {
                name: &series.name,
                label: series.label.as_ref().unwrap_or(&series.name),
                moment: moment.filter(|_| !series.is_muted),
                look,
                kind: series.kind,
                is_muted: series.is_muted,
                runs,
            });
        }
    }
    let marks = panel.marks.iter().filter(|mark| match mark.at {
        MarkAt::X(value) => is_on(x, value),
        MarkAt::Y(value) => is_on(y, value),
        MarkAt::Band(lo, hi) => is_on(y, lo) && is_on(y, hi),
    });
    SheetPanel {
        panel,
        series: shown,
        marks: marks.collect(),
        width: WIDTH,
        scale: HeatScale::default(),
    }
}
