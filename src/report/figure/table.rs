//! A figure's numbers as a table.

use std::io::{self, Write};

use super::super::number::{brief, shortest};
use super::{AxisScale, Figure, FigurePoint, Panel, SeriesKind};

/// A table: a header for each column, and rows of as many cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureTable {
    /// The columns.
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
    /// Nothing is known.
    Empty,
}

impl Cell {
    /// A number, or nothing where it is not finite.
    pub fn number(value: f64) -> Self {
        if value.is_finite() {
            Self::Number(value)
        } else {
            Self::Empty
        }
    }

    /// For machines: the shortest text that reads back as the same number.
    pub fn exact(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(value) => shortest(*value),
            Self::Empty => String::new(),
        }
    }

    /// For people: four significant digits.
    pub fn brief(&self) -> String {
        match self {
            Self::Number(value) => brief(*value, 4).replace('-', "\u{2212}"),
            other => other.exact(),
        }
    }
}

impl FigureTable {
    /// Writes the table as CSV, numbers exactly.
    pub fn write_csv(&self, out: impl Write) -> io::Result<()> {
        let mut csv = ::csv::Writer::from_writer(out);
        csv.write_record(&self.headers)?;
        for row in &self.rows {
            csv.write_record(row.iter().map(Cell::exact))?;
        }
        csv.flush()
    }
}

impl Figure {
    /// Every point of the figure, a row each, drawn or not: panel (where there are several),
    /// series, x, y, and the ends of their spans and its heat with the standard error where any
    /// point has them. Reference lines are rows of a series named `reference: …`.
    pub fn table(&self) -> FigureTable {
        let points = || {
            let series = self.panels.iter().flat_map(|panel| &panel.series);
            series.flat_map(|series| &series.points)
        };
        let has_panels = self.panels.len() > 1;
        let has_x_spans = points().any(|point| point.x_span.is_some());
        let has_heat = points().any(|point| point.heat.is_some());
        let has_y_spans = points().any(|point| point.y_span.is_some());
        let x = self.shared(|panel| panel.x.words(), "x");
        let y = self.shared(|panel| panel.y.words(), "y");
        let bounds = |name: &str| {
            let is_bin = name == x
                && self
                    .panels
                    .iter()
                    .flat_map(|panel| &panel.series)
                    .all(|s| s.kind == SeriesKind::Histogram);
            let [from, to] = if is_bin {
                ["from", "to"]
            } else {
                ["low", "high"]
            };
            [format!("{name}, {from}"), format!("{name}, {to}")]
        };
        let mut headers = Vec::new();
        if has_panels {
            headers.push("panel".to_owned());
        }
        headers.push("series".to_owned());
        headers.push(x.clone());
        if has_x_spans {
            headers.extend(bounds(&x));
        }
        headers.push(y.clone());
        if has_y_spans {
            headers.extend(bounds(&y));
        }
        if has_heat {
            headers.extend(["value", "± s.e."].map(str::to_owned));
        }
        let row = |panel: &Panel, number: usize, name: String, point: &FigurePoint| {
            let mut cells = Vec::with_capacity(headers.len());
            if has_panels {
                let title = match panel.title.as_str() {
                    "" => number.to_string(),
                    title => title.to_owned(),
                };
                cells.push(Cell::Text(title));
            }
            cells.push(Cell::Text(name));
            cells.push(named_cell(&panel.x.scale, point.x));
            let ends = |span: Option<super::ValueSpan>| match span {
                Some(span) => [Cell::number(span.lo), Cell::number(span.hi)],
                None => [Cell::Empty, Cell::Empty],
            };
            if has_x_spans {
                cells.extend(ends(point.x_span));
            }
            cells.push(named_cell(&panel.y.scale, point.y));
            if has_y_spans {
                cells.extend(ends(point.y_span));
            }
            if has_heat {
                let known = |value: Option<f64>| value.map_or(Cell::Empty, Cell::number);
                cells.push(known(point.heat.map(|heat| heat.value)));
                cells.push(known(point.heat.and_then(|heat| heat.se)));
            }
            cells
        };
        let mut rows = Vec::new();
        for (number, panel) in (1..).zip(&self.panels) {
            for series in &panel.series {
                for point in &series.points {
                    rows.push(row(panel, number, series.name.clone(), point));
                }
            }
            for mark in &panel.marks {
                let point = match mark.at {
                    super::MarkAt::X(x) => FigurePoint::new(x, f64::NAN),
                    super::MarkAt::Y(y) => FigurePoint::new(f64::NAN, y),
                };
                rows.push(row(
                    panel,
                    number,
                    format!("reference: {}", mark.label),
                    &point,
                ));
            }
        }
        FigureTable { headers, rows }
    }

    /// What all panels say, or a word for it where they differ.
    fn shared(&self, say: impl Fn(&Panel) -> String, else_word: &str) -> String {
        let mut said = self.panels.iter().map(say);
        let first = said.next().unwrap_or_default();
        if first.is_empty() || said.any(|other| other != first) {
            return else_word.to_owned();
        }
        first
    }
}

fn named_cell(scale: &AxisScale, x: f64) -> Cell {
    match scale {
        AxisScale::Names(names) if x >= 0.0 && x.fract() == 0.0 => match names.get(x as usize) {
            Some(name) => Cell::Text(name.clone()),
            None => Cell::number(x),
        },
        _ => Cell::number(x),
    }
}
