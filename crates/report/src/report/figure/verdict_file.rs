//! The verdicts as one SVG file: the rows of the page's tables, with their names and numbers.

use super::super::markup::{escape, px};
use super::frame::{END, START, muted};
use super::look::SeriesLook;
use super::palette::INK;
use super::places::{shortened, wrap};
use super::ruler::SIZE;
use super::series::{coloured, markers};
use super::svg::document;
use super::verdict::{AXIS, HIGH, VerdictAxis, VerdictBar, WIDE, better_side};
use kleroterion_core::score::Direction;

/// The widths of the columns of names and numbers.
const NAMES: f64 = 200.0;
const NUMBERS: f64 = 400.0;
/// The room of all three.
const ROOM: f64 = NAMES + WIDE + NUMBERS;
/// The most rows of a measure.
const ROWS: usize = 60;

/// The rows of one measure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VerdictPanel {
    /// The measure, and which way is better.
    pub(crate) title: String,
    pub(crate) direction: Direction,
    pub(crate) axis: VerdictAxis,
    /// Best first.
    pub(crate) rows: Vec<VerdictLine>,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VerdictLine {
    pub(crate) name: String,
    pub(crate) look: usize,
    pub(crate) bar: Option<VerdictBar>,
    /// The difference with its interval, and the verdict, in words.
    pub(crate) words: String,
}

/// The SVG file of some measures; `about` says what the bars are.
pub(crate) fn verdict_svg(title: &str, about: &str, panels: &[VerdictPanel]) -> String {
    let mut body = heading(title, 16.0, 15.0);
    let mut y = 26.0;
    for panel in panels {
        let (svg, high) = drawn(panel, y);
        body += &svg;
        y += high + 16.0;
    }
    for line in wrap(about, SIZE, ROOM) {
        y += 17.0;
        body += &muted(&line, 0.0, y - 4.0, START);
    }
    let about = [about, &description(panels)].join(" ");
    document(title, &about, [ROOM, y], &body)
}

fn heading(words: &str, y: f64, size: f64) -> String {
    let (y, words) = (px(y), escape(words));
    format!(
        r#"<text class="f-ink" fill="{INK}" font-weight="600" font-size="{size}" y="{y}">{words}</text>"#
    )
}

/// A measure from a height on, and how high it is.
fn drawn(panel: &VerdictPanel, top: f64) -> (String, f64) {
    let mut svg = heading(&panel.title, top + 14.0, SIZE);
    if let Some(words) = better_side(panel.direction) {
        let (x, anchor) = match panel.direction {
            Direction::Lower => (NAMES, START),
            _ => (NAMES + WIDE, END),
        };
        svg += &muted(words, x, top + 33.0, anchor);
    }
    let first = top + 40.0;
    let rows = &panel.rows[..panel.rows.len().min(ROWS)];
    let bottom = first + rows.len() as f64 * HIGH;
    let mut bars = panel.axis.ground(first, bottom);
    for (n, row) in rows.iter().enumerate() {
        let y = first + (n as f64 + 0.5) * HIGH;
        if let Some(bar) = &row.bar {
            bars += &panel.axis.bar(bar, row.look, y);
        }
        svg += &words(row, y);
    }
    bars += &panel.axis.scale(bottom);
    svg += &format!(r#"<g transform="translate({} 0)">{bars}</g>"#, px(NAMES));
    let mut end = bottom + AXIS;
    if rows.len() < panel.rows.len() {
        end += 17.0;
        let rest = format!("The first {ROWS} of {}.", panel.rows.len());
        svg += &muted(&rest, 0.0, end - 4.0, START);
    }
    (svg, end - top)
}

/// A row's name with its marker, and its numbers.
fn words(row: &VerdictLine, y: f64) -> String {
    let marker = coloured(
        row.look,
        &markers(SeriesLook::of(row.look), &[(7.0, y)], 4.5),
    );
    let text = |x: f64, words: &str| {
        let (x, y, words) = (px(x), px(y + 4.5), escape(words));
        format!(r#"<text class="f-ink" fill="{INK}" x="{x}" y="{y}">{words}</text>"#)
    };
    let name = shortened(&row.name, SIZE, NAMES - 28.0);
    let numbers = shortened(&row.words, SIZE, NUMBERS - 14.0);
    marker + &text(18.0, &name) + &text(NAMES + WIDE + 14.0, &numbers)
}

/// Returns a description of all rows, in words.
fn description(panels: &[VerdictPanel]) -> String {
    let of = |panel: &VerdictPanel| {
        let rows = panel.rows.iter().take(ROWS);
        let rows: Vec<String> = rows
            .map(|row| format!("{}: {}.", row.name, row.words))
            .collect();
        format!("{}. {}", panel.title, rows.join(" "))
    };
    panels.iter().map(of).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::*;

    #[test]
    fn every_row_has_its_name_its_bar_and_its_numbers() {
        let bar = VerdictBar {
            mean: -2.0,
            se: Some(0.5),
            limits: Some((-3.0, -1.0)),
        };
        let row = |n: usize| VerdictLine {
            name: format!("policy <{n}>"),
            look: n,
            bar: Some(bar),
            words: format!("\u{2212}2.0 ± 0.5, better {n}"),
        };
        let panel = |rows: usize| VerdictPanel {
            title: "cost: less is better".into(),
            direction: Direction::Lower,
            axis: VerdictAxis::over(&[bar], Direction::Lower, None, WIDE),
            rows: (0..rows).map(row).collect(),
        };
        let svg = verdict_svg("How far apart", "Bars.", &[panel(12), panel(70)]);
        let document = Document::parse(&svg).expect("well-formed");
        let texts: Vec<&str> = document
            .descendants()
            .filter_map(|node| node.text())
            .collect();
        for n in 0..12 {
            assert!(texts.contains(&format!("policy <{n}>").as_str()), "{n}");
        }
        assert!(
            texts.contains(&"The first 60 of 70.") && texts.contains(&"\u{2190} less is better")
        );
        let about = document
            .descendants()
            .find(|node| node.has_tag_name("desc"));
        let about = about.and_then(|node| node.text()).expect("a description");
        assert!(
            about.contains("policy <3>: \u{2212}2.0 ± 0.5, better 3."),
            "{about}"
        );
    }
}
