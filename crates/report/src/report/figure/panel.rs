//! The plan of a panel: the sizes of its parts, the positions of its axes, and the placement of
//! names next to the data.

use super::super::number::{parted, reach};
use super::cells;
use super::labels::{self, Label};
use super::moments;
use super::places::{Rect, shortened, width};
use super::ruler::{Axes, AxisFit, Ruler, SIZE, WHOLE};
use super::sheet::SheetPanel;
use super::ticks::Tick;
use super::{AxisScale, MarkAt, SeriesKind, ValueSpan};

/// The height of the area between the axes, and of a panel that has a page's width.
const PLOT: f64 = 190.0;
const WHOLE_PLOT: f64 = 277.0;
/// The height of a line of text above or below the plot.
const LINE: f64 = 20.0;
/// The widest name of an x axis before it is shortened.
const NAME_WIDTH: f64 = 110.0;
/// The widest name of a row.
const ROW_WIDTH: f64 = 170.0;

/// Rows that all panels of a figure keep free alike, so that their plots are level.
#[derive(Clone, Copy, Debug)]
pub(super) struct PanelRows {
    /// The height above the plot, for titles and the labels of y axes.
    pub(super) above: f64,
    /// The height of the texts of moments, right above the plot.
    pub(super) moments: f64,
    /// The height below the plot, for ticks and the labels of x axes.
    pub(super) below: f64,
}

/// A panel ready to be drawn.
pub(super) struct PanelPlan<'a> {
    pub(super) drawn: &'a SheetPanel<'a>,
    /// The area between the axes.
    pub(super) plot: Rect,
    pub(super) height: f64,
    /// The height of the texts of moments, right above the plot.
    pub(super) moments: f64,
    /// The axes. `None` if there is nothing to draw.
    pub(super) axes: Option<Axes>,
    /// The names and reference labels within the panel.
    pub(super) labels: Vec<Label<'a>>,
    /// True if every name found a place next to its data.
    pub(super) has_names: bool,
}

impl PanelRows {
    /// The rows that these panels need.
    pub(super) fn of(panels: &[SheetPanel<'_>]) -> Self {
        let any = |is: fn(&SheetPanel<'_>) -> bool| f64::from(u8::from(panels.iter().any(is)));
        let titles = any(|drawn| !drawn.panel.title.is_empty());
        let y_labels = any(|drawn| drawn.panel.is_labelled(&drawn.panel.y));
        let x_labels = any(|drawn| drawn.panel.is_labelled(&drawn.panel.x));
        let ticks = panels.iter().map(ticks_height).fold(LINE, f64::max);
        let mut series = panels.iter().flat_map(|drawn| &drawn.series);
        let moments = match series.any(|series| series.moment.is_some()) {
            true => LINE,
            false => 0.0,
        };
        Self {
            above: LINE * (titles + y_labels) + moments + 10.0,
            moments,
            below: ticks + LINE * x_labels + 8.0,
        }
    }
}

impl<'a> PanelPlan<'a> {
    /// Plans a panel, with room for names next to the data where `with_names`.
    pub(super) fn of(drawn: &'a SheetPanel<'a>, rows: PanelRows, with_names: bool) -> Self {
        let top = rows.above;
        let plot = if drawn.width < WHOLE {
            PLOT
        } else {
            WHOLE_PLOT
        };
        let bottom = top + height(drawn).unwrap_or(plot);
        let height = bottom + rows.below;
        let Some((x, y)) = rulers(drawn) else {
            let plot = Rect::of([12.0, drawn.width - 12.0], [top, bottom]);
            return Self {
                drawn,
                plot,
                height,
                moments: rows.moments,
                axes: None,
                labels: vec![],
                has_names: true,
            };
        };
        let y = y.laid(bottom, top);
        let mut y_ticks = y.ticks(&drawn.panel.y, 7);
        if let AxisScale::Names(_) = drawn.panel.y.scale {
            shorten(&mut y_ticks, ROW_WIDTH);
        }
        let tick_width = y_ticks.iter().filter_map(|tick| tick.label.as_deref());
        let tick_width = tick_width
            .map(|label| width(label, SIZE))
            .fold(0.0, f64::max);
        let left = (tick_width.min(ROW_WIDTH) + 10.0).max(24.0);
        // Half a tick's label may stand out to the right of the plot.
        let (ends, right) = match labels::ends(drawn, &x, &y, top, bottom) {
            Some(ends) if with_names => {
                let right = drawn.width - ends.width.max(18.0);
                (Some(ends), right)
            }
            _ => (None, drawn.width - 18.0),
        };
        let plot = Rect::of([left, right], [top, bottom]);
        let x = x.laid(left, right);
        let (x_ticks, is_slanted) = x_ticks(drawn, &x, right - left);
        let axes = Axes {
            x,
            y,
            x_ticks,
            y_ticks,
            is_slanted,
        };
        let (mut labels, has_names) = labels::within(drawn, &axes, &plot, ends, with_names);
        labels.extend(moments::labels(drawn, &axes, &plot));
        Self {
            drawn,
            plot,
            height,
            moments: rows.moments,
            axes: Some(axes),
            labels,
            has_names,
        }
    }
}

/// Rulers over all that is drawn, not yet laid; `None` where nothing is.
fn rulers(drawn: &SheetPanel<'_>) -> Option<(Ruler, Ruler)> {
    let mut xs: Vec<f64> = Vec::new();
    let mut ys: Vec<f64> = Vec::new();
    for point in drawn.series.iter().flat_map(|series| series.points()) {
        xs.push(point.x);
        ys.push(point.y);
        xs.extend(
            point
                .x_span
                .iter()
                .flat_map(|span| span_ends(point.x, *span)),
        );
        ys.extend(
            point
                .y_span
                .iter()
                .flat_map(|span| span_ends(point.y, *span)),
        );
    }
    let has_data = !xs.is_empty();
    let reaches = cells::reaches(drawn);
    if let Some([along_x, along_y]) = &reaches {
        let points = drawn.series.iter().filter(|series| series.kind.is_cells());
        for point in points.flat_map(|series| series.points()) {
            xs.extend(along_x.around(point.x));
            ys.extend(along_y.around(point.y));
        }
    }
    for mark in &drawn.marks {
        match mark.at {
            MarkAt::X(x) => xs.push(x),
            MarkAt::Y(y) => ys.push(y),
            MarkAt::Band(lo, hi) => ys.extend([lo, hi]),
        }
    }
    if !has_data {
        return None;
    }
    let panel = drawn.panel;
    for (axis, values) in [(&panel.x, &mut xs), (&panel.y, &mut ys)] {
        values.extend(axis.spans.iter().flat_map(|span| [span.lo, span.hi]));
        if let Some(limits) = axis.limits {
            let kept = |value: &mut f64| *value = value.max(limits.lo).min(limits.hi);
            values.iter_mut().for_each(kept);
        }
        values.retain(|value| super::ruler::is_on(&axis.scale, *value));
    }
    let has_bars = drawn
        .series
        .iter()
        .any(|series| matches!(series.kind, SeriesKind::Bars | SeriesKind::Histogram));
    let fit = |otherwise| {
        if reaches.is_some() {
            AxisFit::Tight
        } else {
            otherwise
        }
    };
    let ground = if has_bars {
        AxisFit::Ground
    } else {
        AxisFit::Free
    };
    let x = Ruler::over(&panel.x.scale, xs.into_iter(), fit(AxisFit::Free))?;
    let y = Ruler::over(&panel.y.scale, ys.into_iter(), fit(ground))?;
    Some((x.within(panel.x.limits), y.within(panel.y.limits)))
}

/// Returns the values that an axis must cover for a span. They are its ends and, for a lower end
/// off a logarithmic axis, a value as far below as the upper end is above. On a linear axis that
/// value is within the span.
fn span_ends(value: f64, span: ValueSpan) -> [f64; 3] {
    let mirrored = if span.hi > value {
        value * (value / span.hi)
    } else {
        value
    };
    [
        span.lo,
        if span.lo <= 0.0 && value > 0.0 {
            mirrored
        } else {
            value
        },
        span.hi,
    ]
}

/// Ticks of the x axis whose labels do not run into each other, and whether names had to be drawn
/// aslant.
fn x_ticks(drawn: &SheetPanel<'_>, x: &Ruler, room: f64) -> (Vec<Tick>, bool) {
    let axis = &drawn.panel.x;
    if let AxisScale::Names(_) = axis.scale {
        let mut ticks = x.ticks(axis, 0);
        let is_slanted = is_slanted(drawn, room);
        shorten(&mut ticks, NAME_WIDTH);
        return (ticks, is_slanted);
    }
    let most = (2..=8)
        .rev()
        .find(|most| overlaps(&x.ticks(axis, *most), x).next().is_none())
        .unwrap_or(2);
    let mut ticks = x.ticks(axis, most);
    if axis.whole {
        end_ticks(drawn, x, &mut ticks);
    }
    let idle: Vec<usize> = overlaps(&ticks, x).collect();
    for i in idle {
        ticks[i].label = None;
    }
    (ticks, false)
}

/// Ticks at the first and the last value of the lines, in the place of those that they run into.
fn end_ticks(drawn: &SheetPanel<'_>, x: &Ruler, ticks: &mut Vec<Tick>) {
    let lines = drawn
        .series
        .iter()
        .filter(|shown| matches!(shown.kind, SeriesKind::Line | SeriesKind::Funnel));
    let values = lines.flat_map(|shown| shown.points());
    let ends: [f64; 2] = reach(values.map(|point| point.x)).into();
    for end in ends.into_iter().filter(|end| end.is_finite()) {
        let label = parted(&format!("{end:.0}"));
        let room = |label: &str| width(label, SIZE) / 2.0 + 4.0;
        let is_apart = |tick: &Tick| {
            let theirs = tick.label.as_deref().map_or(0.0, room);
            (x.at(tick.value) - x.at(end)).abs() > room(&label) + theirs
        };
        let is_end = |tick: &Tick| ends.contains(&tick.value) && tick.value != end;
        ticks.retain(|tick| is_end(tick) || is_apart(tick));
        ticks.push(Tick {
            value: end,
            label: Some(label),
        });
    }
    ticks.sort_by(|a, b| a.value.total_cmp(&b.value));
    ticks.dedup_by(|a, b| a.value == b.value);
}

/// Shortens names that are longer than an axis has room for.
fn shorten(ticks: &mut [Tick], most: f64) {
    for tick in ticks {
        tick.label = tick.label.take().map(|name| shortened(&name, SIZE, most));
    }
}

/// The ticks whose labels run into the last label before them that does not.
fn overlaps(ticks: &[Tick], x: &Ruler) -> impl Iterator<Item = usize> {
    let mut end = f64::NEG_INFINITY;
    ticks.iter().enumerate().filter_map(move |(i, tick)| {
        let half = width(tick.label.as_deref()?, SIZE) / 2.0;
        let at = x.at(tick.value);
        if at - half < end + 8.0 {
            return Some(i);
        }
        end = at + half;
        None
    })
}

/// Returns true if the names of an x axis do not fit side by side.
fn is_slanted(drawn: &SheetPanel<'_>, room: f64) -> bool {
    let AxisScale::Names(names) = &drawn.panel.x.scale else {
        return false;
    };
    let slot = room / names.len().max(1) as f64;
    names.iter().any(|name| width(name, SIZE) > slot - 6.0)
}

/// The height of the tick labels of the x axis.
fn ticks_height(drawn: &SheetPanel<'_>) -> f64 {
    // The plot is at least this wide, so that names never turn out longer than planned for.
    let least_room = drawn.width * 0.6;
    match &drawn.panel.x.scale {
        AxisScale::Names(names) if is_slanted(drawn, least_room) => {
            let longest = names.iter().map(|name| width(name, SIZE).min(NAME_WIDTH));
            longest.fold(0.0, f64::max) * 0.6 + LINE
        }
        _ => LINE,
    }
}

/// About half the width of a lane's dot.
pub(super) const DOT: f64 = 3.0;
/// The height of a row of boxes.
const ROW: f64 = 26.0;
/// The distance between lanes of a row: for few lanes, and at least.
const LANE: f64 = 7.0;
const LEAST_LANE: f64 = 3.0;
/// The room between the lanes of two rows.
const BETWEEN: f64 = 9.0;
/// The most that the lanes of a row take before they draw nearer to each other.
const HIGHEST: f64 = 56.0;
/// The least height of an area between axes.
const LEAST: f64 = 56.0;

/// The height of the area between the axes of a panel whose y axis bears names; `None` of another.
fn height(drawn: &SheetPanel<'_>) -> Option<f64> {
    let AxisScale::Names(names) = &drawn.panel.y.scale else {
        return None;
    };
    if drawn.series.iter().any(|shown| shown.kind.is_cells()) {
        return None;
    }
    let row = match drawn.of_kind(SeriesKind::Lanes).count() {
        0 => ROW,
        count => count as f64 * lane(count) + BETWEEN,
    };
    Some((names.len() as f64 * row.max(LANE + BETWEEN)).max(LEAST))
}

/// The distance between lanes, for this number of lanes.
pub(super) fn lane(count: usize) -> f64 {
    (HIGHEST / count as f64).clamp(LEAST_LANE, LANE)
}
