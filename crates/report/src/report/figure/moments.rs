//! Marked moments of lines: a ring on the line, a dotted line up to the top of the plot, and a text
//! above it.

use super::super::markup::{at, px};
use super::labels::Label;
use super::look::Marker;
use super::palette::PAPER;
use super::places::{Rect, spread, width};
use super::ruler::{Axes, SIZE};
use super::sheet::{SheetPanel, SheetSeries};

/// The radius of a ring.
const RING: f64 = 3.6;
/// The gap between two texts.
const APART: f64 = 8.0;
/// The height of the texts above the plot.
const ABOVE: f64 = 8.0;

/// Returns the texts above the plot, apart from each other. Empty if there is no room for all.
pub(super) fn labels<'a>(drawn: &SheetPanel<'a>, axes: &Axes, plot: &Rect) -> Vec<Label<'a>> {
    let marked = drawn.series.iter();
    let marked = marked.filter_map(|shown| Some((shown.look, shown.moment?)));
    let marked: Vec<(usize, f64, &str)> = marked
        .map(|(look, (point, text))| (look, axes.x.at(point.x), text))
        .collect();
    let widest = marked.iter().map(|(.., text)| width(text, SIZE));
    let widest = widest.fold(0.0, f64::max);
    let room = plot.right - plot.left;
    if marked.len() as f64 * (widest + APART) > room {
        return Vec::new();
    }
    let wanted: Vec<f64> = marked.iter().map(|(_, x, _)| *x).collect();
    let half = widest / 2.0;
    let places = spread(&wanted, widest + APART, plot.left + half, plot.right - half);
    let label = |((look, x, text), place): ((usize, f64, &'a str), f64)| Label {
        text,
        x: place - width(text, SIZE) / 2.0,
        y: plot.top - ABOVE,
        is_end: false,
        look: Some(look),
        leader: Some((look, [(x, plot.top), (place, plot.top - ABOVE + 3.0)])),
    };
    marked.into_iter().zip(places).map(label).collect()
}

/// Returns the dotted line from a marked point up to the top of the plot.
pub(super) fn drop(shown: &SheetSeries<'_>, axes: &Axes, plot: &Rect) -> String {
    let Some((point, _)) = shown.moment else {
        return String::new();
    };
    let (x, y) = (axes.x.at(point.x), axes.y.at(point.y));
    let (from, to) = (at(x, plot.top), px(y.clamp(plot.top, plot.bottom)));
    format!(r#"<path fill="none" stroke-dasharray="1.5 3" d="M{from}V{to}"/>"#)
}

/// Returns the ring around a marked point within the frame.
pub(super) fn ring(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let within = shown.moment.filter(|(point, _)| !axes.y.is_beyond(point.y));
    within.map_or(String::new(), |(point, _)| {
        let ring = Marker::Ring.outline(axes.x.at(point.x), axes.y.at(point.y), RING);
        format!(r#"<path class="f-paper" fill="{PAPER}" stroke-width="1.75" d="{ring}"/>"#)
    })
}
