//! The legend: names with their looks, in a file and on a page.

use super::super::markup::{at, escape, px};
use super::SeriesKind;
use super::cells;
use super::heat::{HeatScale, SURE, Shade};
use super::look::SeriesLook;
use super::palette::{INK, MUTED};
use super::places::{Rect, width};
use super::ruler::SIZE;
use super::series::{R, coloured, markers};
use super::sheet::{FigureSheet, SheetSeries};
use super::ticks::one_digit;

/// The width of a sample.
const SAMPLE: f64 = 30.0;
/// The height of a row.
const ROW: f64 = 20.0;
/// The width of a shade on the scale of colours.
const STEP: f64 = 30.0;
/// The height of the numbers below that scale, and their size.
const NUMBERS: f64 = 14.0;
const NUMBER: f64 = 9.5;
/// The sample of a cell.
const CELL: Rect = Rect::of([4.0, 26.0], [3.0, 17.0]);
/// The distance from the end of a name to the next sample.
const APART: f64 = 18.0;

/// A name with a sample of how it looks.
struct LegendEntry {
    name: String,
    sample: String,
    wide: f64,
    high: f64,
    /// The look of the policy that it is of.
    look: Option<usize>,
}

impl LegendEntry {
    /// Returns true if the entry is the scale of colours. It takes a row of its own, with its name
    /// above it.
    fn is_scale(&self) -> bool {
        self.high > ROW
    }
}

/// The legend of a file, its upper left corner at 0, `top`, and its height.
pub(super) fn rows(sheet: &FigureSheet<'_>, top: f64, room: f64) -> (String, f64) {
    let mut svg = String::new();
    let (mut x, mut y, mut bottom) = (0.0, top, top);
    for entry in entries(sheet) {
        let is_scale = entry.is_scale();
        let indent = if is_scale { 0.0 } else { entry.wide + 6.0 };
        let wide = indent + width(&entry.name, SIZE);
        if x > 0.0 && (x + wide > room || is_scale) {
            (x, y) = (0.0, bottom);
        }
        let below = if is_scale && !entry.name.is_empty() {
            ROW
        } else {
            0.0
        };
        let (place, sample, name) = (at(x, y + below), &entry.sample, escape(&entry.name));
        let (text_x, text_y) = (px(x + indent), px(y + ROW / 2.0 + SIZE * 0.35));
        svg += &format!(
            r#"<g transform="translate({place})">{sample}</g><text class="f-ink" fill="{INK}" x="{text_x}" y="{text_y}">{name}</text>"#
        );
        bottom = bottom.max(y + below + entry.high);
        (x, y) = if is_scale {
            (0.0, bottom)
        } else {
            (x + wide + APART, y)
        };
    }
    (svg, bottom - top)
}

/// Returns the legend of a page: a list that wraps by itself.
pub fn list(sheet: &FigureSheet<'_>) -> String {
    let item = |entry: LegendEntry| {
        let (wide, high) = (px(entry.wide), px(entry.high));
        let svg = format!(
            r#"<svg aria-hidden="true" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">{}</svg>"#,
            entry.sample
        );
        let name = escape(&entry.name);
        if entry.is_scale() {
            format!(r#"<li class="k-scale">{name}{svg}</li>"#)
        } else {
            let class = entry.look.map(|look| format!(r#" class="n-{}""#, look + 1));
            format!("<li{}>{svg}{name}</li>", class.unwrap_or_default())
        }
    };
    let items: String = entries(sheet).into_iter().map(item).collect();
    format!(r#"<ul class="k-legend">{items}</ul>"#)
}

/// Every series with a name, as it is first met; last the scale of the cells and what it does not
/// hold.
fn entries(sheet: &FigureSheet<'_>) -> Vec<LegendEntry> {
    let shown = || sheet.panels.iter().flat_map(|drawn| &drawn.series);
    let mut entries = Vec::new();
    let mut coloured = Vec::new();
    for &(name, look) in &sheet.names {
        let is_it =
            |shown: &&SheetSeries<'_>| shown.name == name && shown.kind != SeriesKind::Guide;
        let first = shown().find(is_it);
        if first.is_some_and(|shown| shown.is_muted) {
            continue;
        }
        let kind = first.map_or(SeriesKind::Line, |shown| shown.kind);
        if kind == SeriesKind::Cells {
            coloured.push(name);
        } else if !name.is_empty() {
            entries.push(LegendEntry {
                look: Some(look),
                ..entry(name, sample(look, kind))
            });
        }
    }
    let scale = sheet.panels.iter().map(|drawn| &drawn.scale).next();
    if let Some(scale) = scale.filter(|_| !coloured.is_empty()) {
        let (sample, wide) = scale_bar(scale);
        entries.push(LegendEntry {
            wide,
            high: ROW + NUMBERS,
            ..entry(&coloured.join("; "), sample)
        });
        let cell = |shade| cells::filled(shade, &[CELL]);
        if scale.has_unsure {
            let name = format!("not distinguished from 0 at {SURE} s.e.");
            entries.push(entry(&name, cell(Shade::Unsure)));
        }
        if scale.has_even {
            entries.push(entry("exactly 0", cell(Shade::Even)));
        }
    }
    entries
}

fn entry(name: &str, sample: String) -> LegendEntry {
    LegendEntry {
        name: name.to_owned(),
        sample,
        wide: SAMPLE,
        high: ROW,
        look: None,
    }
}

/// The shades in use side by side with what parts them, and how wide they are.
fn scale_bar(scale: &HeatScale) -> (String, f64) {
    let steps = |side: usize| match scale.deepest[side] {
        Some(deepest) => deepest + 1 - scale.depth(0),
        None => 0,
    };
    let [below, above] = [steps(0), steps(1)];
    let room = |place: usize| {
        Rect::of(
            [place as f64 * STEP + 1.0, (place + 1) as f64 * STEP - 1.0],
            [2.0, ROW - 2.0],
        )
    };
    let mut svg = String::new();
    for place in 0..below + above {
        let shade = match place < below {
            true => Shade::Below(scale.depth(below - 1 - place)),
            false => Shade::Above(scale.depth(place - below)),
        };
        svg.push_str(&cells::filled(shade, &[room(place)]));
    }
    let mut numbers = String::new();
    let mut end = 0.0;
    for place in 0..=below + above {
        let bound = match place.abs_diff(below) {
            0 => Some(0.0),
            step => scale.bounds.get(step - 1).copied(),
        };
        // Beyond the outermost shades nothing is parted.
        let is_end = place == 0 && below > 0 || place == below + above && above > 0;
        let Some(bound) = bound.filter(|_| !is_end) else {
            continue;
        };
        let sign = if place < below { "\u{2212}" } else { "" };
        let text = match bound {
            0.0 => "0".to_owned(),
            _ => format!("{sign}{}", one_digit(bound)),
        };
        let (x, half) = (place as f64 * STEP, width(&text, NUMBER) / 2.0);
        let x = x.max(half);
        if x - half >= end {
            end = x + half;
            let (x, y) = (px(x), px(ROW + 9.0));
            numbers += &format!(r#"<text x="{x}" y="{y}">{text}</text>"#);
        }
    }
    svg += &format!(
        r#"<g class="f-muted" fill="{MUTED}" font-size="{NUMBER}" text-anchor="middle">{numbers}</g>"#
    );
    (svg, ((below + above) as f64 * STEP).max(STEP))
}

/// Returns the class of a look's colour, as the style sheet names it.
pub fn class_of(look: usize) -> &'static str {
    SeriesLook::of(look).paint.class
}

/// Returns a sample of a look's line, for controls of a page.
pub fn sample_of(look: usize) -> String {
    let (wide, high) = (px(SAMPLE), px(ROW));
    format!(
        r#"<svg class="klero-figure" aria-hidden="true" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">{}</svg>"#,
        sample(look, SeriesKind::Line)
    )
}

fn sample(look: usize, kind: SeriesKind) -> String {
    let shape = SeriesLook::of(look);
    let (dash, y) = (shape.dash_attribute(), ROW / 2.0);
    let ground = match kind {
        SeriesKind::Line | SeriesKind::Step | SeriesKind::Funnel => format!(
            r#"<path fill="none" stroke-width="1.75"{dash} d="M0 {}H{SAMPLE}"/>"#,
            px(y)
        ),
        SeriesKind::Scatter | SeriesKind::Swarm | SeriesKind::Guide | SeriesKind::Lanes => {
            String::new()
        }
        SeriesKind::Cells => return String::new(),
        SeriesKind::Zone(tone) => return cells::sample(tone, CELL),
        SeriesKind::Bars | SeriesKind::Box => {
            format!(
                r#"<path fill-opacity=".3" stroke-width="1.25" d="M4 17V{}H26V17z"/>"#,
                px(y)
            )
        }
        SeriesKind::Histogram => format!(
            r#"<path fill-opacity=".25" stroke-width="1.5"{dash} d="M2 17V{}H28V17"/>"#,
            px(y)
        ),
    };
    coloured(look, &(ground + &markers(shape, &[(SAMPLE / 2.0, y)], R)))
}
