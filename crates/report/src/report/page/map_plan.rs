//! The positions of a map's cells and of the names along its sides.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::markup::{escape, px};

/// The width of a map.
pub(super) const WIDTH: f64 = 380.0;
/// The size of its words, and about the width of a letter.
pub(super) const SIZE: f64 = 12.0;
const LETTER: f64 = 6.6;
/// The widest name of a row.
const NAME: f64 = 120.0;
/// The size of the sample of a look.
const SAMPLE: (f64, f64) = (30.0, 20.0);

/// The places of a map.
pub(super) struct MapPlan {
    left: f64,
    pub(super) top: f64,
    wide: f64,
    pub(super) high: f64,
    pub(super) rows: usize,
}

impl MapPlan {
    pub(super) fn of(map: &PageMap, panel: &MapPanel) -> Self {
        let names = map.rows.iter().map(|name| width(name));
        let left = names.fold(16.0, f64::max).min(NAME) + 8.0;
        let columns = map.columns.len().max(1);
        let wide = ((WIDTH - left - 4.0) / columns as f64).min(64.0);
        let rows = map.rows.len().max(1);
        // As high as a sample of a look, where the map stays about as high as wide.
        let high = (300.0 / rows as f64)
            .clamp(12.0, 30.0)
            .max(60.0 / rows as f64);
        let title = if panel.title.is_empty() { 0.0 } else { 20.0 };
        Self {
            left,
            top: title + 22.0,
            wide,
            high,
            rows,
        }
    }

    fn corner(&self, column: usize, row: usize) -> (f64, f64) {
        let from_top = self.rows.saturating_sub(row + 1) as f64;
        let x = self.left + self.wide * column as f64;
        (x, self.top + self.high * from_top)
    }

    /// The cells: filled where one is surely best, hatched where it is open; `with_tips` each says
    /// what it is under the pointer.
    pub(super) fn cells(&self, panel: &MapPanel, id: &str, with_tips: bool) -> String {
        let (mut paths, mut signs) = (BTreeMap::<(u8, String), String>::new(), String::new());
        for cell in &panel.cells {
            let (x, y) = self.corner(cell.column, cell.row);
            let (x, y, wide, high) = (x + 1.0, y + 1.0, self.wide - 2.0, self.high - 2.0);
            let frame = format!(
                "M{} {}h{}v{}h-{}z",
                px(x),
                px(y),
                px(wide),
                px(high),
                px(wide)
            );
            let kind = match cell.mood {
                MapMood::Sure => (0, class(cell.look)),
                MapMood::Open => (1, class(cell.look)),
                MapMood::Even | MapMood::Nothing => (2, String::new()),
            };
            paths.entry(kind).or_default().push_str(&frame);
            signs += &self.sign(cell, id, x + wide / 2.0, y + high / 2.0);
            if with_tips {
                let _ = write!(
                    signs,
                    r#"<path class="k-cell" fill="none" pointer-events="all" d="{frame}"><title>{}</title></path>"#,
                    escape(&cell.words)
                );
            }
        }
        let paths = paths.into_iter().map(|((kind, look), path)| match kind {
            0 => format!(r#"<path class="f-{look}" fill-opacity=".3" d="{path}"/>"#),
            1 => format!(
                r#"<path class="l-{look}" stroke-opacity=".5" fill="url(#{id}-{look})" d="{path}"/>"#
            ),
            _ => format!(r#"<path class="f-grid" d="{path}"/>"#),
        });
        paths.collect::<String>() + &signs
    }

    /// Returns the sign of a cell around its middle, besides its colour.
    fn sign(&self, cell: &MapCell, id: &str, x: f64, y: f64) -> String {
        let look = match (cell.mood, cell.look) {
            (MapMood::Even, _) => return equals(x, y),
            (MapMood::Sure | MapMood::Open, Some(look)) => look,
            _ => return String::new(),
        };
        let scale = ((self.wide - 4.0) / SAMPLE.0).min((self.high - 2.0) / SAMPLE.1);
        let scale = scale.clamp(0.3, 1.0);
        let (x, y) = (
            px(x - scale * SAMPLE.0 / 2.0),
            px(y - scale * SAMPLE.1 / 2.0),
        );
        let scaled = match scale {
            1.0 => String::new(),
            scale => format!(" scale({})", px(scale)),
        };
        format!(r##"<use href="#{id}-look-{look}" transform="translate({x} {y}){scaled}"/>"##)
    }

    /// The values along both sides, as many as have room.
    pub(super) fn names(&self, map: &PageMap) -> String {
        let mut svg = String::from(r#"<g class="f-muted">"#);
        let every = (SIZE + 2.0) / self.high;
        let every = (every.ceil() as usize).max(1);
        for (row, name) in map.rows.iter().enumerate().step_by(every) {
            let (x, y) = self.corner(0, row);
            let y = y + self.high / 2.0 + SIZE * 0.35;
            let _ = write!(
                svg,
                r#"<text text-anchor="end" x="{}" y="{}">{}</text>"#,
                px(x - 5.0),
                px(y),
                shortened(name, NAME)
            );
        }
        let foot = self.top + self.high * self.rows as f64;
        let mut end = f64::NEG_INFINITY;
        for (column, name) in map.columns.iter().enumerate() {
            let half = width(name).min(2.0 * self.wide - 8.0) / 2.0;
            let x = self.corner(column, 0).0 + self.wide / 2.0;
            if x - half < end + 6.0 {
                continue;
            }
            end = x + half;
            let _ = write!(
                svg,
                r#"<text text-anchor="middle" x="{}" y="{}">{}</text>"#,
                px(x),
                px(foot + 16.0),
                shortened(name, 2.0 * half)
            );
        }
        let _ = write!(
            svg,
            r#"<text x="{}" y="{}">{}</text></g>"#,
            px(self.left),
            px(foot + 36.0),
            shortened(&map.across, WIDTH - self.left)
        );
        svg
    }
}

/// A look's hatching as a pattern; its id begins with the figure's.
pub(super) fn pattern(id: &str, look: &str) -> String {
    format!(
        r#"<pattern id="{id}-{look}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="l-{look}" stroke-width="2.5" stroke-opacity=".5" d="M0 0v5"/></pattern>"#
    )
}

/// The class of a look, without its first letter.
pub(super) fn class(look: Option<usize>) -> String {
    look.map_or("muted".to_owned(), |look| format!("s{}", look + 1))
}

pub(super) fn equals(x: f64, y: f64) -> String {
    let (x, above, below) = (px(x - 4.0), px(y - 2.5), px(y + 2.5));
    format!(
        r#"<path class="l-muted" fill="none" stroke-width="2" d="M{x} {above}h8M{x} {below}h8"/>"#
    )
}

/// Returns the approximate width of some words.
fn width(words: &str) -> f64 {
    LETTER * words.chars().count() as f64
}

/// The words, cut where they have no room; escaped.
pub(super) fn shortened(words: &str, room: f64) -> String {
    let most = ((room / LETTER + 1e-9) as usize).max(2);
    if words.chars().count() <= most {
        return escape(words);
    }
    let kept: String = words.chars().take(most - 1).collect();
    escape(&format!("{}…", kept.trim_end()))
}

/// A map of the best policy at each pair of values of two keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageMap {
    /// The question that the map answers.
    pub title: String,
    /// The caption: an explanation of how to read the map.
    pub caption: String,
    /// The key along the columns.
    pub across: String,
    /// The key along the rows.
    pub up: String,
    /// The values of the columns, from left to right.
    pub columns: Vec<String>,
    /// The values of the rows, from bottom to top.
    pub rows: Vec<String>,
    /// The names and the numbers of their looks.
    pub looks: Vec<(String, usize)>,
    /// The maps.
    pub panels: Vec<MapPanel>,
}

/// One map of a set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapPanel {
    /// The setting that its cells share. May be empty.
    pub title: String,
    /// The cells that are known.
    pub cells: Vec<MapCell>,
}

/// A cell of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapCell {
    /// The column, from the left.
    pub column: usize,
    /// The row, from the bottom.
    pub row: usize,
    /// The look of the policy that is best or ahead. `None` if no policy is drawn.
    pub look: Option<usize>,
    /// The certainty of the answer.
    pub mood: MapMood,
    /// The answer in words.
    pub words: String,
}

/// The certainty of the answer in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapMood {
    /// One policy is surely best.
    Sure,
    /// Several policies are best and equal.
    Even,
    /// The answer is undecided.
    Open,
    /// No policies can be compared.
    #[default]
    Nothing,
}
