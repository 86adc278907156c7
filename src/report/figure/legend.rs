//! The legend: a row of names with their looks, in a file and on a page.

use std::fmt::Write as _;

use super::super::markup::{escape, px};
use super::Kind;
use super::look::{INK, LOOKS};
use super::panel::SIZE;
use super::places::width;
use super::series::{R, coloured, dash, markers};
use super::sheet::{Sheet, Shown};

/// The width of a sample.
const SAMPLE: f64 = 30.0;
/// The height of a row.
const ROW: f64 = 20.0;
/// From the end of a name to the next sample.
const APART: f64 = 18.0;

/// The legend of a file, its upper left corner at 0, `top`, and its height.
pub(super) fn rows(sheet: &Sheet<'_>, top: f64, room: f64) -> (String, f64) {
    let mut svg = String::new();
    let (mut x, mut y) = (0.0, top);
    for (look, name, kind) in entries(sheet) {
        let wide = SAMPLE + 6.0 + width(name, SIZE);
        if x > 0.0 && x + wide > room {
            (x, y) = (0.0, y + ROW);
        }
        let _ = write!(
            svg,
            r#"<g transform="translate({} {})">{}<text class="f-ink" fill="{INK}" x="{}" y="{}">{}</text></g>"#,
            px(x),
            px(y),
            sample(look, kind),
            px(SAMPLE + 6.0),
            px(ROW / 2.0 + SIZE * 0.35),
            escape(name)
        );
        x += wide + APART;
    }
    let height = if svg.is_empty() { 0.0 } else { y - top + ROW };
    (svg, height)
}

/// The legend of a page: a list that wraps by itself.
pub(super) fn list(sheet: &Sheet<'_>) -> String {
    let items: String = entries(sheet)
        .map(|(look, name, kind)| {
            format!(
                r#"<li><svg aria-hidden="true" width="{SAMPLE}" height="{ROW}" viewBox="0 0 {SAMPLE} {ROW}">{}</svg>{}</li>"#,
                sample(look, kind),
                escape(name)
            )
        })
        .collect();
    format!(r#"<ul class="k-legend">{items}</ul>"#)
}

/// Look, name and kind of every series with a name, as it is first met.
fn entries<'a>(sheet: &'a Sheet<'a>) -> impl Iterator<Item = (usize, &'a str, Kind)> {
    let names = sheet
        .names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty());
    names.map(|(look, name)| {
        let mut shown = sheet.panels.iter().flat_map(|drawn| &drawn.series);
        let kind = shown
            .find(|shown: &&Shown<'_>| shown.look == look)
            .map(|shown| shown.kind);
        (look, *name, kind.unwrap_or(Kind::Line))
    })
}

fn sample(look: usize, kind: Kind) -> String {
    let shape = &LOOKS[look];
    let (dash, y) = (dash(shape), ROW / 2.0);
    let ground = match kind {
        Kind::Line | Kind::Step => format!(
            r#"<path fill="none" stroke-width="1.75"{dash} d="M0 {}H{SAMPLE}"/>"#,
            px(y)
        ),
        Kind::Scatter => String::new(),
        Kind::Bars => {
            format!(
                r#"<path fill-opacity=".3" stroke-width="1.25" d="M4 17V{}H26V17z"/>"#,
                px(y)
            )
        }
        Kind::Histogram => format!(
            r#"<path fill-opacity=".25" stroke-width="1.5"{dash} d="M2 17V{}H28V17"/>"#,
            px(y)
        ),
    };
    coloured(look, &(ground + &markers(shape, &[(SAMPLE / 2.0, y)], R)))
}
