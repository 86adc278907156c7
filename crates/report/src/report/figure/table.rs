//! A figure's numbers as a table.

use super::super::number::{brief, minus};
use super::{AxisScale, Figure, FigurePoint, MarkAt, Panel, SeriesKind, ValueSpan};
use kleroterion_io::record::shortest;

/// A table: a heading for each column, and rows with as many cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureTable {
    /// The headings of the columns.
    pub headers: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A finite number.
    Number(f64),
    /// An unknown value.
    Empty,
}

impl FigureTable {
    /// Makes a table of these heads and rows.
    pub fn of<S: Into<String>>(
        heads: impl IntoIterator<Item = S>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        Self {
            headers: heads.into_iter().map(Into::into).collect(),
            rows: rows.into_iter().collect(),
        }
    }
}

impl Cell {
    /// Makes a cell of words.
    pub fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// Makes a cell of a number, which is empty if the number is unknown or not finite.
    pub fn known(value: Option<f64>) -> Self {
        value.map_or(Self::Empty, Self::number)
    }

    /// Makes a cell of a number. A number that is not finite gives an empty cell.
    pub fn number(value: f64) -> Self {
        if value.is_finite() {
            Self::Number(value)
        } else {
            Self::Empty
        }
    }

    /// Returns the shortest text that reads back as the same number, for machines.
    pub fn exact(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(value) => shortest(*value),
            Self::Empty => String::new(),
        }
    }

    /// Formats the number with four significant digits, for people.
    pub fn brief(&self) -> String {
        match self {
            Self::Number(value) => minus(&brief(*value, 4)),
            other => other.exact(),
        }
    }
}

impl Figure {
    /// Returns every point of the figure as a row, drawn or not. The columns are the panel (if
    /// there are several), the series, x and y. Interval ends, and heat with its standard error,
    /// follow if any point has them. Reference lines are rows of a series named `reference: …`.
    pub fn table(&self) -> FigureTable {
        let columns = Columns::of(self);
        let mut rows = Vec::new();
        for (number, panel) in (1..).zip(&self.panels) {
            for series in &panel.series {
                let points = series.points.iter();
                rows.extend(points.map(|point| columns.row(panel, number, &series.name, point)));
            }
            for mark in &panel.marks {
                let point = match mark.at {
                    MarkAt::Band(lo, hi) => FigurePoint::new(f64::NAN, f64::NAN).y_from(lo, hi),
                    MarkAt::X(x) => FigurePoint::new(x, f64::NAN),
                    MarkAt::Y(y) => FigurePoint::new(f64::NAN, y),
                };
                let name = format!("reference: {}", mark.label);
                rows.push(columns.row(panel, number, &name, &point));
            }
        }
        FigureTable {
            headers: columns.headers(self),
            rows,
        }
    }

    /// Returns the text that all panels share, or `else_word` if they differ or it is empty.
    fn shared(&self, say: impl Fn(&Panel) -> String, else_word: &str) -> String {
        let mut said = self.panels.iter().map(say);
        let first = said.next().unwrap_or_default();
        if first.is_empty() || said.any(|other| other != first) {
            return else_word.to_owned();
        }
        first
    }
}

/// The columns that a figure's table has besides series, x and y.
struct Columns {
    panels: bool,
    x_spans: bool,
    y_spans: bool,
    heat: bool,
}

impl Columns {
    fn of(figure: &Figure) -> Self {
        let points = || {
            let series = figure.panels.iter().flat_map(|panel| &panel.series);
            series.flat_map(|series| &series.points)
        };
        Self {
            panels: figure.panels.len() > 1,
            x_spans: points().any(|point| point.x_span.is_some()),
            y_spans: points().any(|point| point.y_span.is_some()),
            heat: points().any(|point| point.heat.is_some()),
        }
    }

    fn headers(&self, figure: &Figure) -> Vec<String> {
        let x = figure.shared(|panel| panel.x.words(), "x");
        let y = figure.shared(|panel| panel.y.words(), "y");
        let series = || figure.panels.iter().flat_map(|panel| &panel.series);
        let has_bins = series().all(|s| s.kind == SeriesKind::Histogram);
        let bounds = |name: &str| {
            let [from, to] = match has_bins && name == x {
                true => ["from", "to"],
                false => ["low", "high"],
            };
            [format!("{name}, {from}"), format!("{name}, {to}")]
        };
        let mut headers = Vec::new();
        headers.extend(self.panels.then(|| "panel".to_owned()));
        headers.push("series".to_owned());
        headers.push(x.clone());
        headers.extend(self.x_spans.then(|| bounds(&x)).into_iter().flatten());
        headers.push(y.clone());
        headers.extend(self.y_spans.then(|| bounds(&y)).into_iter().flatten());
        if self.heat {
            headers.extend(["value", "± s.e."].map(str::to_owned));
        }
        headers
    }

    fn row(&self, panel: &Panel, number: usize, name: &str, point: &FigurePoint) -> Vec<Cell> {
        let ends = |span: Option<ValueSpan>| {
            let ends = [span.map(|span| span.lo), span.map(|span| span.hi)];
            ends.map(Cell::known)
        };
        let mut cells = Vec::new();
        if self.panels {
            cells.push(Cell::Text(match panel.title.as_str() {
                "" => number.to_string(),
                title => title.to_owned(),
            }));
        }
        cells.push(Cell::Text(name.to_owned()));
        cells.push(named_cell(&panel.x.scale, point.x));
        if self.x_spans {
            cells.extend(ends(point.x_span));
        }
        cells.push(named_cell(&panel.y.scale, point.y));
        if self.y_spans {
            cells.extend(ends(point.y_span));
        }
        if self.heat {
            cells.push(Cell::known(point.heat.map(|heat| heat.value)));
            cells.push(Cell::known(point.heat.and_then(|heat| heat.se)));
        }
        cells
    }
}

/// The cell of a value on an axis: a name where the axis has names.
fn named_cell(scale: &AxisScale, x: f64) -> Cell {
    match scale {
        AxisScale::Names(names) if x >= 0.0 && x.fract() == 0.0 => match names.get(x as usize) {
            Some(name) => Cell::Text(name.clone()),
            None => Cell::number(x),
        },
        _ => Cell::number(x),
    }
}
