//! Names next to the data: at the ends of lines, next to lone points, along reference lines.

use super::places::{Rect, freest, spread, width};
use super::ruler::{Axes, Ruler, SIZE};
use super::sheet::{SheetPanel, SheetSeries};
use super::{AxisScale, Mark, MarkAt, SeriesKind};

/// The least distance of labels on one line.
const APART: f64 = 8.0;

/// The widest name that fits at the end of a line, in a narrow panel.
const WIDEST: f64 = 120.0;
/// The distance from one label's baseline to the next.
const GAP: f64 = 15.0;
/// The farthest that a label may be above or below the end of its line.
const FARTHEST: f64 = 30.0;
/// Half the width of an error bar's cap.
const CAP: f64 = 3.0;
/// The distance from the end of a line to its label, with room for a leader.
const LEADER: f64 = 14.0;

/// Text within a panel.
pub(super) struct Label<'a> {
    pub(super) text: &'a str,
    /// The left end, or the right one where `is_end`, and the baseline.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) is_end: bool,
    /// The look of the series that it names, where it names one.
    pub(super) look: Option<usize>,
    /// The series it names, by its look, and from where to where a leader runs.
    pub(super) leader: Option<(usize, [(f64, f64); 2])>,
}

/// Labels at the ends of lines, before the x axis is laid.
pub(super) struct Ends {
    /// For each series by index: the end of its line and the position of its label, in pixels
    /// downwards.
    pub(super) labels: Vec<(usize, f64, f64)>,
    /// True if they are the labels of the lines, false if they are the bare names.
    pub(super) has_labels: bool,
    /// The room they take to the right of the plot.
    pub(super) width: f64,
}

/// Labels at the ends of lines, where all series are lines that end at the right of the panel,
/// their names are short, and the labels are near their lines' ends. `x` need not be laid yet.
pub(super) fn ends(
    drawn: &SheetPanel<'_>,
    x: &Ruler,
    y: &Ruler,
    top: f64,
    bottom: f64,
) -> Option<Ends> {
    let x = x.clone().laid(0.0, 1.0);
    let mut named = Vec::new();
    let (mut widest, mut names): (f64, f64) = (0.0, 0.0);
    let rightmost = drawn
        .series
        .iter()
        .flat_map(SheetSeries::points)
        .map(|point| x.at(point.x))
        .fold(0.0, f64::max);
    for (i, series) in drawn.series.iter().enumerate() {
        let Some(last) = series.runs.last().and_then(|run| run.last()) else {
            continue;
        };
        if series.is_muted {
            continue;
        }
        let is_line = series.kind.is_line();
        if !is_line || x.at(last.x) < rightmost - 0.03 {
            return None;
        }
        named.push((i, y.at(last.y)));
        names = names.max(width(series.name, SIZE));
        widest = widest.max(width(series.label, SIZE));
    }
    let most = WIDEST.max(drawn.width / 3.0);
    let has_labels = widest <= most;
    if !has_labels {
        widest = names;
    }
    if widest > most {
        return None;
    }
    let wanted: Vec<f64> = named.iter().map(|(_, y)| *y).collect();
    let places = spread(&wanted, GAP, top, bottom);
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= FARTHEST;
    if !wanted.iter().zip(&places).all(is_near) {
        return None;
    }
    let labels = named
        .iter()
        .zip(places)
        .map(|(&(i, end), place)| (i, end, place))
        .collect();
    Some(Ends {
        labels,
        has_labels,
        width: if widest > 0.0 { widest + LEADER } else { 0.0 },
    })
}

/// Places all labels within a panel whose axes are laid out. Returns also true if every named
/// series has one.
pub(super) fn within<'a>(
    drawn: &SheetPanel<'a>,
    axes: &Axes,
    plot: &Rect,
    ends: Option<Ends>,
    with_names: bool,
) -> (Vec<Label<'a>>, bool) {
    let mut taken = data(drawn, axes);
    let mut labels = Vec::new();
    let has_ends = ends.is_some();
    let has_labels = ends.as_ref().is_some_and(|ends| ends.has_labels);
    for (i, end, place) in ends.map(|ends| ends.labels).unwrap_or_default() {
        let series = &drawn.series[i];
        let last = series.runs.last().and_then(|run| run.last());
        let from = last.map_or(plot.right, |point| axes.x.at(point.x) + 6.0);
        let to = plot.right + LEADER - 3.0;
        labels.push(Label {
            text: if has_labels {
                series.label
            } else {
                series.name
            },
            x: plot.right + LEADER,
            y: place + SIZE * 0.35,
            is_end: false,
            look: Some(series.look),
            leader: Some((series.look, [(from, end), (to, place)])),
        });
    }
    // Colours need their scale even where nothing has a name.
    let is_plain =
        |series: &SheetSeries<'_>| series.name.is_empty() && series.kind != SeriesKind::Cells;
    // A row of an axis that bears the name is named already.
    let is_row = |series: &SheetSeries<'_>| match &drawn.panel.y.scale {
        AxisScale::Names(names) => names.iter().any(|name| name == series.name),
        _ => false,
    };
    let mut has_names = has_ends || drawn.series.iter().all(|s| is_plain(s) || is_row(s));
    if with_names && !has_names {
        let bounds = Rect {
            right: drawn.width,
            ..*plot
        };
        if let Some(found) = beside(drawn, axes, &bounds, &mut taken) {
            labels.extend(found);
            has_names = true;
        }
    }
    // Upright lines part the letters of a label that lies over them.
    let mut named = upright(drawn, axes, plot);
    for mark in drawn.marks.iter().filter(|mark| !mark.label.is_empty()) {
        labels.extend(along(mark, axes, plot, drawn.width, (&taken, &mut named)));
    }
    (labels, has_names)
}

/// The upright reference lines.
fn upright(drawn: &SheetPanel<'_>, axes: &Axes, plot: &Rect) -> Vec<Rect> {
    let lines = drawn.marks.iter().filter_map(|mark| match mark.at {
        MarkAt::X(value) => Some(axes.x.at(value)),
        MarkAt::Y(_) | MarkAt::Band(..) => None,
    });
    lines
        .map(|x| Rect::of([x - 1.0, x + 1.0], [plot.top, plot.bottom]))
        .collect()
}

/// Names next to the lone points of a scatter; `None` where a series has several points or a name
/// finds no room.
fn beside<'a>(
    drawn: &SheetPanel<'a>,
    axes: &Axes,
    bounds: &Rect,
    taken: &mut Vec<Rect>,
) -> Option<Vec<Label<'a>>> {
    let mut labels = Vec::new();
    let named =
        |series: &&SheetSeries<'_>| !series.runs.is_empty() && series.kind != SeriesKind::Guide;
    for series in drawn.series.iter().filter(named) {
        let (SeriesKind::Scatter, [run]) = (series.kind, series.runs.as_slice()) else {
            return None;
        };
        let [point] = run.as_slice() else {
            return None;
        };
        let (x, y) = (axes.x.at(point.x), axes.y.at(point.y));
        let wide = width(series.name, SIZE);
        let reach = point
            .x_span
            .map_or((x, x), |span| (axes.x.at(span.lo), axes.x.at(span.hi)));
        let (left, right) = (reach.0.min(x - 3.0) - 6.0, reach.1.max(x + 3.0) + 6.0);
        let rooms = [
            room(right, y + SIZE * 0.35, wide),
            room(left - wide, y + SIZE * 0.35, wide),
            room(x + 6.0, y - 7.0, wide),
            room(x + 6.0, y + 17.0, wide),
            room(x - 6.0 - wide, y - 7.0, wide),
            room(x - 6.0 - wide, y + 17.0, wide),
        ];
        let (i, covered) = freest(&rooms, taken, bounds)?;
        if covered > 4.0 {
            return None;
        }
        taken.push(rooms[i]);
        let is_end = matches!(i, 1 | 4 | 5);
        labels.push(Label {
            text: series.name,
            x: if is_end {
                rooms[i].right
            } else {
                rooms[i].left
            },
            y: rooms[i].bottom - SIZE * 0.25,
            is_end,
            look: Some(series.look),
            leader: None,
        });
    }
    Some(labels)
}

/// The label of a reference line where it covers least of what is `taken`, and no upright line and
/// none of those `named` before where that can be; in two lines where one finds no room.
fn along<'a>(
    mark: &'a Mark,
    axes: &Axes,
    plot: &Rect,
    right: f64,
    (taken, named): (&[Rect], &mut Vec<Rect>),
) -> Vec<Label<'a>> {
    let bounds = Rect::of([plot.left, right], [plot.top - 6.0, plot.bottom]);
    let text = mark.label.as_str();
    let place = |lines: &[&'a str], must_be_apart: bool| {
        let wide = lines.iter().map(|line| width(line, SIZE));
        let size = (wide.fold(0.0, f64::max), GAP * (lines.len() - 1) as f64);
        let mut rooms = rooms(mark.at, axes, plot, size);
        let is_apart = |room: &Rect| named.iter().all(|other| room.shared(other) == 0.0);
        rooms.retain(|room| !must_be_apart || is_apart(room));
        let (i, _) = freest(&rooms, taken, &bounds)?;
        Some((lines.to_vec(), rooms[i]))
    };
    let forms = || [Some(vec![text]), halves(text).map(|halves| halves.to_vec())];
    let forms = [true, false]
        .into_iter()
        .flat_map(|must| forms().map(|form| (form, must)));
    let mut forms = forms.filter_map(|(form, must)| place(&form?, must));
    let Some((lines, found)) = forms.next() else {
        return Vec::new();
    };
    // Labels of two lines must not read as one.
    named.push(Rect {
        left: found.left - APART,
        right: found.right + APART,
        ..found
    });
    let first = found.top + SIZE * 0.75;
    let label = |(n, text): (usize, &'a str)| Label {
        text,
        x: found.left,
        y: first + GAP * n as f64,
        is_end: false,
        look: None,
        leader: None,
    };
    lines.into_iter().enumerate().map(label).collect()
}

/// A text in two lines of about one length; `None` of a word.
fn halves(text: &str) -> Option<[&str; 2]> {
    let uneven = |at: &usize| (2 * at).abs_diff(text.len());
    let spaces = text.match_indices(' ').map(|(at, _)| at);
    let at = spaces.min_by_key(uneven)?;
    Some([&text[..at], &text[at + 1..]])
}

/// Returns the candidate rectangles for the label of a reference line. The size is its width and
/// the distance of its last line below the first.
fn rooms(at: MarkAt, axes: &Axes, plot: &Rect, (wide, deep): (f64, f64)) -> Vec<Rect> {
    let block = |left: f64, baseline: f64| {
        let first = room(left, baseline, wide);
        Rect {
            bottom: first.bottom + deep,
            ..first
        }
    };
    let (lines, lefts): (Vec<f64>, Vec<f64>) = match at {
        MarkAt::Y(value) | MarkAt::Band(_, value) => {
            let y = axes.y.at(value);
            let (first, last) = (plot.left + 4.0, plot.right - wide - 2.0);
            let lefts = [1.0, 0.0, 0.5, 0.75, 0.25].map(|share| first + share * (last - first));
            (vec![y - 5.0 - deep, y + SIZE + 2.0], lefts.to_vec())
        }
        MarkAt::X(value) => {
            let x = axes.x.at(value);
            let middle = (plot.top + plot.bottom) / 2.0;
            let (first, last) = (plot.top + SIZE, plot.bottom - 6.0 - deep);
            let rows = ((last - first) / GAP).max(0.0) as usize;
            // The first, the middle and the last row, and all others where those are taken.
            let others = (1..rows).map(|row| first + GAP * row as f64);
            let lines = [first, middle, last].into_iter().chain(others);
            (lines.collect(), vec![x + 5.0, x - 5.0 - wide])
        }
    };
    let places = lines
        .iter()
        .flat_map(|line| lefts.iter().map(move |left| (*left, *line)));
    places.map(|(left, line)| block(left, line)).collect()
}

/// The room of a line of text from its left end and baseline.
fn room(left: f64, baseline: f64, wide: f64) -> Rect {
    Rect::of(
        [left, left + wide],
        [baseline - SIZE * 0.75, baseline + SIZE * 0.25],
    )
}

/// The room that data take: points, the lines between them, error bars and bars.
fn data(drawn: &SheetPanel<'_>, axes: &Axes) -> Vec<Rect> {
    let mut taken = Vec::new();
    let (x, y) = (&axes.x, &axes.y);
    for series in &drawn.series {
        for run in &series.runs {
            for (i, point) in run.iter().enumerate() {
                let (at_x, at_y) = (x.at(point.x), y.at(point.y));
                taken.push(Rect::around(at_x, at_y, 5.0));
                let (mut left, mut right) = (at_x - 1.0, at_x + 1.0);
                if let Some(span) = point.x_span {
                    (left, right) = (x.at(span.lo), x.at(span.hi));
                    taken.push(Rect::of([left, right], [at_y - CAP, at_y + CAP]));
                }
                if let Some(span) = point.y_span {
                    let (top, bottom) = (y.at(span.hi), y.at(span.lo));
                    taken.push(Rect::of([at_x - CAP, at_x + CAP], [top, bottom]));
                }
                match series.kind {
                    SeriesKind::Bars | SeriesKind::Histogram => {
                        let (top, bottom) = (at_y.min(y.ground()), at_y.max(y.ground()));
                        taken.push(Rect::of([left, right], [top, bottom]));
                    }
                    kind if i > 0 && (kind.is_line() || kind == SeriesKind::Guide) => {
                        let before = (x.at(run[i - 1].x), y.at(run[i - 1].y));
                        taken.extend(segment(before, (at_x, at_y)));
                    }
                    _ => {}
                }
            }
        }
    }
    taken
}

/// Small squares along a straight line.
fn segment(from: (f64, f64), to: (f64, f64)) -> impl Iterator<Item = Rect> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let pieces = (dx.abs().max(dy.abs()) / 6.0).ceil().max(1.0);
    (1..pieces as usize).map(move |i| {
        let share = i as f64 / pieces;
        Rect::around(from.0 + share * dx, from.1 + share * dy, 3.0)
    })
}
