//! Figures: pure functions from data to one SVG. This is the only drawing code of the project, used
//! by reports, index pages and boards.
//!
//! The SVG is written directly. A plotting library would draw onto a bitmap's interface (no
//! classes, no custom properties, no titles for screen readers) and bring its own fonts and
//! colours; what is left to write here is small: a scale, its ticks, a few shapes, and where the
//! labels go.
//!
//! ```text
//! Figure -> Sheet (what of it can be drawn; notes on what cannot) -> plan (scales, labels or a legend) -> SVG
//! ```
//!
//! The same data give the same bytes. Colours are custom properties that follow the reader's light
//! or dark theme; every element also carries the light colour as an attribute, for programs that
//! turn SVG into PDF without CSS. Series differ by dash and marker as well as by colour, and every
//! figure is also a [`FigureTable`].
//!
//! ```
//! use kleroterion_report::report::figure::{Axis, Figure, SeriesKind, Panel, FigurePoint, Series};
//!
//! let loss = [(50.0, 0.118), (250.0, 0.053), (1000.0, 0.026)];
//! let points = loss.map(|(k, loss)| FigurePoint::new(k, loss).y_from(loss - 0.003, loss + 0.003));
//! let figure = Figure {
//!     title: "Loss by committee size".into(),
//!     caption: "Mean of 50 simulations and its 95 % interval.".into(),
//!     panels: vec![Panel {
//!         title: String::new(),
//!         x: Axis::log("committee size K"),
//!         y: Axis::linear("representation loss"),
//!         series: vec![Series::new("CMDP", SeriesKind::Line, points)],
//!         marks: vec![],
//!     }],
//! };
//! assert!(figure.svg().starts_with("<svg "));
//! assert_eq!(figure.table().rows.len(), 3);
//! ```

mod bars;
mod bins;
mod cells;
mod frame;
mod heat;
mod labels;
mod legend;
mod look;
mod looks;
mod moments;
mod palette;
mod panel;
mod places;
mod reading;
mod ruler;
mod series;
mod sheet;
mod svg;
mod table;
mod thin;
mod ticks;
mod verdict;
mod verdict_file;

#[cfg(test)]
mod tests;

pub use bins::histogram;
pub use heat::{Heat, SURE};
pub use legend::{class_of, sample_of};
pub use looks::{PolicyLooks, alike};
pub use palette::page_style;
pub use palette::style;
pub(crate) use places::{shortened, width};
pub use table::{Cell, FigureTable};
pub use verdict::VerdictBar;
pub(crate) use verdict::{NARROW, VerdictAxis, WIDE, better_side, marker_of, progress};
pub(crate) use verdict_file::{VerdictLine, VerdictPanel, verdict_svg};

/// A figure: panels side by side under one title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The title, in a line.
    pub title: String,
    /// The caption: the quantity measured, the amount of data, and the meaning of the bars.
    pub caption: String,
    /// The panels from left to right. After every third one a new row begins.
    pub panels: Vec<Panel>,
}

/// A panel: a pair of axes with the data drawn between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The title above the panel. May be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series. A name keeps its look over all panels of the figure, so spell it the same in
    /// each. Over several figures, see [`PolicyLooks`] and [`alike`].
    pub series: Vec<Series>,
    /// The reference lines.
    pub marks: Vec<Mark>,
}

/// An axis: its label and its scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity on the axis.
    pub label: String,
    /// The unit. Empty if there is none.
    pub unit: String,
    /// The mapping from values to positions.
    pub scale: AxisScale,
    /// A span that the axis covers at least, besides the data. Panels can share an axis by it.
    pub spans: Option<ValueSpan>,
    /// The limits of the axis. Spans that go beyond them are cut, with an arrow. Values beyond them
    /// are left out.
    pub limits: Option<ValueSpan>,
    /// True if the values are counts: ticks are at whole numbers.
    pub whole: bool,
}

/// The mapping from values to positions on an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisScale {
    /// Linear. 0 is shown if it costs little room, and always under bars.
    Linear,
    /// Logarithmic. Values that are not above 0 are left out, and the caption says so.
    Log10,
    /// Names: the values 0, 1, 2… mean the names in this order. All other values are left out.
    Names(Vec<String>),
}

/// The points of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name, as in the legend. May be empty if the panel has only one series.
    pub name: String,
    /// The way its points are drawn.
    pub kind: SeriesKind,
    /// The points, in the order in which a line runs through them. A point that is not finite
    /// breaks a line.
    pub points: Vec<FigurePoint>,
    /// The number of the look, if it is fixed across figures.
    look: Option<usize>,
    /// True if the series is drawn thin and grey, behind the others.
    is_muted: bool,
    /// The text at the end of its line. `None` for the name.
    label: Option<String>,
    /// The x of a point to be marked, and the text above the plot.
    moment: Option<(f64, String)>,
}

/// The way points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesKind {
    /// A line from point to point. Intervals of y are error bars, or a band if there are many
    /// points.
    Line,
    /// A line in the band of its intervals of y, however few the points. Beyond the frame the line
    /// is left out, and the band has no edge.
    Funnel,
    /// A line whose value holds until the next point's x.
    Step,
    /// A thin line below everything else, from one series' point to another's. It has no look and
    /// is in no legend, so the caption explains it.
    Guide,
    /// Markers alone, with intervals of x and y as error bars.
    Scatter,
    /// A bar from 0 at each x, next to those of other series. Intervals of y are error bars.
    Bars,
    /// Adjacent bars from 0 over the span of x (see [`histogram`]).
    Histogram,
    /// A cell around each point in the colour of its [`Heat`], on one scale for the whole figure.
    /// It is green below 0, and purple and dotted above. A value that is not distinguished from 0
    /// is struck through. Cells reach half way to the nearest x and y.
    Cells,
    /// A cell around each point, all of one tone.
    Zone(Tone),
    /// A box over the span of x, with a marker at x. It is for rows of an axis of names.
    Box,
    /// A dot for each point, moved up or down within its row so that equal points are side by side.
    Swarm,
    /// A dot and a thin interval of x in each row, below those of the series before it.
    Lanes,
}

/// A uniform colour of cells, from the scale of heat maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The colour of values far below 0.
    Green,
    /// The colour of values far above 0.
    Purple,
    /// The colour of values somewhat above 0.
    PalePurple,
}

/// A point, and its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigurePoint {
    /// The position along the x axis, in the axis's unit.
    pub x: f64,
    /// The value, in the y axis's unit.
    pub y: f64,
    /// The interval of x. For [`SeriesKind::Histogram`], the edges of the bin.
    pub x_span: Option<ValueSpan>,
    /// The interval of y.
    pub y_span: Option<ValueSpan>,
    /// The value shown by the colour of its cell. Only for [`SeriesKind::Cells`].
    pub heat: Option<Heat>,
}

/// A span between two values, in either order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueSpan {
    /// One end, usually the lower.
    pub lo: f64,
    /// The other end.
    pub hi: f64,
}

/// A reference line.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The position of the line.
    pub at: MarkAt,
    /// The text at the line. May be empty.
    pub label: String,
}

/// The position of a reference line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MarkAt {
    /// A vertical line at this x.
    X(f64),
    /// A horizontal line at this y.
    Y(f64),
    /// A pale horizontal band between two values of y.
    Band(f64, f64),
}

impl Axis {
    /// Makes a linear axis without a unit.
    pub fn linear(label: impl Into<String>) -> Self {
        Self::new(label, AxisScale::Linear)
    }

    /// Makes a logarithmic axis without a unit.
    pub fn log(label: impl Into<String>) -> Self {
        Self::new(label, AxisScale::Log10)
    }

    /// Makes an axis of names.
    pub fn names<S: Into<String>>(
        label: impl Into<String>,
        names: impl IntoIterator<Item = S>,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self::new(label, AxisScale::Names(names))
    }

    /// Sets the unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Makes the axis span at least these two values.
    #[must_use]
    pub fn spanning(mut self, lo: f64, hi: f64) -> Self {
        self.spans = Some(ValueSpan { lo, hi });
        self
    }

    /// Limits the axis to values from `lo` to `hi`. Either may be infinite.
    #[must_use]
    pub fn within(mut self, lo: f64, hi: f64) -> Self {
        self.limits = Some(ValueSpan { lo, hi });
        self
    }

    /// Declares that the values are counts.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Returns true if a value is within the axis's limits.
    fn allows(&self, value: f64) -> bool {
        self.limits
            .is_none_or(|limits| limits.lo <= value && value <= limits.hi)
    }

    fn new(label: impl Into<String>, scale: AxisScale) -> Self {
        Self {
            label: label.into(),
            unit: String::new(),
            scale,
            spans: None,
            limits: None,
            whole: false,
        }
    }

    /// The label with its unit.
    fn words(&self) -> String {
        match self.unit.as_str() {
            "" => self.label.clone(),
            unit => format!("{} ({unit})", self.label),
        }
    }
}

impl Panel {
    /// Returns true if an axis's label differs from the title.
    fn is_labelled(&self, axis: &Axis) -> bool {
        let words = axis.words();
        let rest = self.title.strip_prefix(&words);
        !words.is_empty() && !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
    }
}

impl Series {
    /// Makes a series whose look follows from its name.
    pub fn new(
        name: impl Into<String>,
        kind: SeriesKind,
        points: impl IntoIterator<Item = FigurePoint>,
    ) -> Self {
        Self {
            name: name.into(),
            kind,
            points: points.into_iter().collect(),
            look: None,
            is_muted: false,
            label: None,
            moment: None,
        }
    }

    /// Sets the text at the end of its line, where there is room for more than its name.
    #[must_use]
    pub(crate) fn labelled(mut self, label: String) -> Self {
        self.label = Some(label);
        self
    }

    /// Returns the x of its marked point, with the text above the plot.
    pub(crate) fn moment(&self) -> Option<(f64, &str)> {
        self.moment.as_ref().map(|(x, text)| (*x, text.as_str()))
    }

    /// Marks its point at this x, with a text above the plot.
    #[must_use]
    pub(crate) fn marked(mut self, x: f64, text: String) -> Self {
        self.moment = Some((x, text));
        self
    }
}

impl SeriesKind {
    /// Returns true if points are connected by a line.
    fn is_line(self) -> bool {
        matches!(self, Self::Line | Self::Step | Self::Funnel)
    }
}

impl FigurePoint {
    /// Makes a point without intervals.
    pub fn new(x: f64, y: f64) -> Self {
        Self {
            x,
            y,
            x_span: None,
            y_span: None,
            heat: None,
        }
    }

    /// Sets the interval of x.
    #[must_use]
    pub fn x_from(mut self, lo: f64, hi: f64) -> Self {
        self.x_span = Some(ValueSpan { lo, hi });
        self
    }

    /// Sets the value that the colour of its cell shows, with its standard error.
    #[must_use]
    pub fn heated(mut self, value: f64, se: Option<f64>) -> Self {
        self.heat = Some(Heat { value, se });
        self
    }

    /// Sets the interval of y.
    #[must_use]
    pub fn y_from(mut self, lo: f64, hi: f64) -> Self {
        self.y_span = Some(ValueSpan { lo, hi });
        self
    }
}
