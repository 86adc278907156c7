//! Points, panels and tables as the studies draw them.

use super::error::Result;
use super::estimate::StudyEstimate;
use super::played::StudyRun;
use kleroterion_report::report::figure::{
    Axis, Cell, FigurePoint, FigureTable, Mark, MarkAt, Panel, Series, SeriesKind,
};

/// The width of the span around a mean, to either side.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Spread {
    None,
    /// One standard deviation of the runs.
    Deviation,
    /// This many standard errors of the mean.
    Errors(f64),
}

impl Spread {
    /// A mean at an x, with its span.
    pub(super) fn around(self, x: f64, mean: StudyEstimate) -> FigurePoint {
        let point = FigurePoint::new(x, mean.mean);
        let se = mean.se.unwrap_or(0.0);
        let reach = match self {
            Self::None => return point,
            Self::Deviation => se * (mean.n as f64).sqrt(),
            Self::Errors(errors) => errors * se,
        };
        point.y_from(mean.mean - reach, mean.mean + reach)
    }
}

impl StudyEstimate {
    /// A point at an x, with a span of two standard errors to either side.
    pub(super) fn at(self, x: f64) -> FigurePoint {
        Spread::Errors(2.0).around(x, self)
    }
}

impl StudyRun {
    /// A line of a metric's means over the run.
    pub(super) fn line(
        &self,
        label: &str,
        metric: &str,
        name: impl Into<String>,
        spread: Spread,
    ) -> Result<Series> {
        let moments = self.moments(label, metric)?;
        let point = |at: u64| {
            let mean = self.mean(label, metric, Some(at))?;
            Ok(spread.around(at as f64, mean))
        };
        series_of(name, SeriesKind::Line, moments.into_iter().map(point))
    }
}

/// A series of points, each of which a run may lack.
pub(super) fn series_of(
    name: impl Into<String>,
    kind: SeriesKind,
    points: impl IntoIterator<Item = Result<FigurePoint>>,
) -> Result<Series> {
    let points: Result<Vec<FigurePoint>> = points.into_iter().collect();
    Ok(Series::new(name, kind, points?))
}

/// A panel without reference lines.
pub(super) fn plot(
    title: impl Into<String>,
    x: Axis,
    y: Axis,
    series: impl IntoIterator<Item = Series>,
) -> Panel {
    Panel {
        title: title.into(),
        x,
        y,
        series: series.into_iter().collect(),
        marks: vec![],
    }
}

/// A level reference line.
pub(super) fn level(y: f64, label: &str) -> Mark {
    let label = label.to_owned();
    Mark {
        at: MarkAt::Y(y),
        label,
    }
}

/// An upright reference line.
pub(super) fn upright(x: f64, label: &str) -> Mark {
    let label = label.to_owned();
    Mark {
        at: MarkAt::X(x),
        label,
    }
}

/// A table of rows under their headers.
pub(super) fn tabulate<H: Into<String>>(
    headers: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> FigureTable {
    FigureTable {
        headers: headers.into_iter().map(Into::into).collect(),
        rows: rows.into_iter().collect(),
    }
}

/// A table of estimates, each followed by its standard error; `head` is above the first cells.
pub(super) fn tabulate_estimates(
    head: &str,
    columns: impl IntoIterator<Item = String>,
    rows: impl IntoIterator<Item = (Cell, Vec<Option<StudyEstimate>>)>,
) -> FigureTable {
    let mut headers = vec![head.to_owned()];
    for column in columns {
        headers.extend([column, "± s.e.".to_owned()]);
    }
    let pair = |estimate: Option<StudyEstimate>| estimate.map_or([Cell::Empty, Cell::Empty], cells);
    let row = |(first, estimates): (Cell, Vec<Option<StudyEstimate>>)| {
        let pairs = estimates.into_iter().flat_map(pair);
        std::iter::once(first).chain(pairs).collect()
    };
    tabulate(headers, rows.into_iter().map(row))
}

/// A cell of words.
pub(super) fn text(words: impl Into<String>) -> Cell {
    Cell::Text(words.into())
}

/// A mean and its standard error, a cell each.
pub(super) fn cells(estimate: StudyEstimate) -> [Cell; 2] {
    [estimate.mean, estimate.se.unwrap_or(f64::NAN)].map(Cell::number)
}
