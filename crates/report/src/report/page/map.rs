//! Maps: a cell for each pair of values, with the best policy.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, PreEscaped, html};

use super::super::figure::{Cell, FigureTable, class_of, sample_of};
use super::super::markup::{at, escape, px, text};
use super::pieces::{PageNumbers, table_html};

/// Maps of more cells have no words under the pointer.
const TIPS: usize = 120;
/// The most answers that a description spells out.
const SPELLED: usize = 4;

/// A figure of maps with a legend, and its answers in a table that opens.
pub(super) fn map_html(map: &PageMap, numbers: &mut PageNumbers) -> Markup {
    let id = numbers.figure_id(None);
    let table = table_html(&map.title, &table(map), numbers.most_rows, numbers);
    html! {
        figure id=(id) aria-labelledby={ (id) "-caption" } { "\n"
            figcaption id={ (id) "-caption" } {
                b { (text(&map.title)) } " " span { (text(&map.caption)) } " "
                a.anchor href={ "#" (id) } aria-label={ "Link to " (text(&map.title)) } { "#" }
            } "\n"
            div.klero-figure { (legend(map, &id)) div class="k-panels k-maps" {
                @for (n, panel) in (1..).zip(&map.panels) {
                    (PreEscaped(panel_svg(map, panel, &id, n)))
                }
            } } "\n"
            div.foot { details { "\n"
                summary { "The numbers of this figure" span.unseen { ": " (text(&map.title)) } } "\n"
                (table)
            } } "\n"
        } "\n"
    }
}

/// The names that are in some cell, with their looks, and what hatching means.
fn legend(map: &PageMap, id: &str) -> Markup {
    let cells = || map.panels.iter().flat_map(|panel| &panel.cells);
    let is_met = |look: usize| cells().any(|cell| cell.look == Some(look));
    let has = |mood: MapMood| cells().any(|cell| cell.mood == mood);
    let word = |path: &str| {
        PreEscaped(format!(
            r#"<svg class="klero-figure" aria-hidden="true" width="30" height="20" viewBox="0 0 30 20">{path}</svg>"#
        ))
    };
    html! {
        ul.k-legend {
            @for (name, look) in map.looks.iter().filter(|(_, look)| is_met(*look)) {
                li { (PreEscaped(sample_of(*look))) (text(name)) }
            }
            @if has(MapMood::Open) {
                @let hatched = format!(r#"<path class="l-muted" fill="url(#{id}-muted)" d="M3 3h24v14h-24z"/>"#);
                li { (word(&hatched)) "undecided" }
            }
            @if has(MapMood::Even) { li { (word(&equals(15.0, 10.0))) "even" } }
        }
    }
}

/// The `n`th map as SVG; the first holds what all refer to.
fn panel_svg(map: &PageMap, panel: &MapPanel, figure: &str, n: usize) -> String {
    let plan = MapPlan::of(map, panel);
    let id = format!("{figure}-{n}");
    let cells: usize = map.panels.iter().map(|panel| panel.cells.len()).sum();
    let height = plan.top + plan.high * plan.rows as f64 + 44.0;
    let mut svg = format!(
        r#"<svg role="img" aria-labelledby="{id}-title {id}-about" viewBox="0 0 {} {}" font-size="{SIZE}"><title id="{id}-title">{}</title><desc id="{id}-about">{}</desc>"#,
        px(WIDTH),
        px(height),
        escape([map.title.as_str(), panel.title.as_str()].join(" ").trim()),
        escape(&about(panel)),
    );
    if !panel.title.is_empty() {
        let title = shortened(&panel.title, WIDTH);
        svg += &format!(r#"<text class="f-ink" font-weight="600" y="14">{title}</text>"#);
    }
    let (y, up) = (px(plan.top - 8.0), shortened(&map.up, WIDTH));
    svg += &format!(r#"<text class="f-muted" y="{y}">{up}</text>"#);
    if n == 1 {
        svg += &definitions(map, figure);
    }
    svg += &plan.cells(panel, figure, cells <= TIPS);
    svg += &plan.names(map);
    svg + "</svg>"
}

/// The samples and the hatchings of all looks.
fn definitions(map: &PageMap, id: &str) -> String {
    let looks = map.looks.iter().map(|(_, look)| {
        let sample = sample_of(*look);
        let sample = sample.split_once('>').map_or("", |(_, inner)| inner);
        let sample = sample.strip_suffix("</svg>").unwrap_or(sample);
        format!(r#"<g id="{id}-look-{look}">{}</g>"#, by_variables(sample))
    });
    // Looks of one colour share its hatching.
    let colours = map.looks.iter().map(|(_, look)| class(Some(*look)));
    let colours: BTreeSet<String> = colours.chain([class(None)]).collect();
    let hatched = colours.iter().map(|colour| pattern(id, colour));
    let all: String = hatched.chain(looks).collect();
    format!("<defs>{all}</defs>")
}

/// A drawing whose colours are its own and not of the style sheet, whose selectors do not reach what
/// is drawn by `use`.
fn by_variables(drawing: &str) -> String {
    let mut parts = drawing.split(" class=\"");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (classes, rest) = part.split_once('"').unwrap_or((part, ""));
        let inks = classes
            .split(' ')
            .filter_map(|class| match class.split_once('-')? {
                ("f", ink) => Some(format!("fill:var(--k-{ink})")),
                ("l", ink) => Some(format!("stroke:var(--k-{ink})")),
                _ => None,
            });
        let inks: Vec<String> = inks.collect();
        out += &format!(r#" style="{}"{rest}"#, inks.join(";"));
    }
    out
}

/// Each answer and in how many cells it is, the most frequent first.
fn counts(panel: &MapPanel) -> Vec<(&str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for cell in &panel.cells {
        match counts.iter_mut().find(|(words, _)| *words == cell.words) {
            Some((_, count)) => *count += 1,
            None => counts.push((&cell.words, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Returns a sentence with the number of cells for each answer.
fn about(panel: &MapPanel) -> String {
    let counts = counts(panel);
    let parts = counts.iter().take(SPELLED);
    let parts = parts.map(|(words, count)| match count {
        1 => format!("{words} in 1 cell"),
        count => format!("{words} in {count} cells"),
    });
    let rest = match counts.len().saturating_sub(SPELLED) {
        0 => String::new(),
        rest => format!("; and {rest} other answers"),
    };
    format!("{}{rest}.", parts.collect::<Vec<_>>().join("; "))
}

/// A row for each map and answer; the table of runs has each run.
fn table(map: &PageMap) -> FigureTable {
    let rows = map.panels.iter().flat_map(|panel| {
        let row = |(words, count): (&str, usize)| {
            vec![
                Cell::text(&panel.title),
                Cell::text(words),
                Cell::number(count as f64),
            ]
        };
        counts(panel).into_iter().map(row)
    });
    FigureTable::of(["map", "who leads", "runs"], rows)
}

/// The width of a map.
pub(super) const WIDTH: f64 = 380.0;
/// The size of its words, and about the width of a letter.
pub(super) const SIZE: f64 = 12.0;
const LETTER: f64 = 6.6;
/// The widest name of a row.
const NAME: f64 = 120.0;
/// The size of the sample of a look.
const SAMPLE: (f64, f64) = (30.0, 20.0);
/// The widest cells, of a map and of one row.
const WIDE: f64 = 64.0;
const WIDEST: f64 = 110.0;

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
        let rows = map.rows.len().max(1);
        let widest = if rows == 1 { WIDEST } else { WIDE };
        let wide = ((WIDTH - left - 4.0) / columns as f64).min(widest);
        // As high as a sample of a look, where the map stays about as high as wide.
        let high = (300.0 / rows as f64)
            .clamp(12.0, 30.0)
            .max(60.0 / rows as f64);
        let title = if panel.title.is_empty() { 0.0 } else { 20.0 };
        Self {
            left,
            top: title + if map.up.is_empty() { 4.0 } else { 22.0 },
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
            let [across, down] = [wide, high].map(px);
            let frame = format!("M{}h{across}v{down}h-{across}z", at(x, y));
            let kind = match cell.mood {
                MapMood::Sure => (0, class(cell.look)),
                MapMood::Open => (1, class(cell.look)),
                MapMood::Even | MapMood::Nothing => (2, String::new()),
            };
            paths.entry(kind).or_default().push_str(&frame);
            signs += &self.sign(cell, id, x + wide / 2.0, y + high / 2.0);
            if with_tips {
                let words = escape(&cell.words);
                signs += &format!(
                    r#"<path class="k-cell" fill="none" pointer-events="all" d="{frame}"><title>{words}</title></path>"#
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
        let by = self.size(cell, x, y);
        let most = if by.is_empty() { 1.0 } else { 0.8 };
        let scale = scale.clamp(0.3, most);
        let x = if by.is_empty() {
            x
        } else {
            x - self.wide / 4.0 + 1.0
        };
        let (x, y) = (
            px(x - scale * SAMPLE.0 / 2.0),
            px(y - scale * SAMPLE.1 / 2.0),
        );
        let scaled = match scale {
            1.0 => String::new(),
            scale => format!(" scale({})", px(scale)),
        };
        format!(r##"<use href="#{id}-look-{look}" transform="translate({x} {y}){scaled}"/>{by}"##)
    }

    /// Returns the size of a lead in the right half of its cell, where it has room.
    fn size(&self, cell: &MapCell, x: f64, y: f64) -> String {
        let room = self.wide / 2.0 - 3.0;
        if cell.by.is_empty() || width(&cell.by) > room || self.high < SIZE + 2.0 {
            return String::new();
        }
        let (x, y) = (px(x + self.wide / 4.0), px(y + SIZE * 0.35));
        format!(
            r#"<text class="f-ink l-paper" stroke-width="3" stroke-linejoin="round" paint-order="stroke" text-anchor="middle" x="{x}" y="{y}">{}</text>"#,
            escape(&cell.by)
        )
    }

    /// The values along both sides, as many as have room.
    pub(super) fn names(&self, map: &PageMap) -> String {
        let mut svg = String::from(r#"<g class="f-muted">"#);
        let every = (SIZE + 2.0) / self.high;
        let every = (every.ceil() as usize).max(1);
        for (row, name) in map.rows.iter().enumerate().step_by(every) {
            let (x, y) = self.corner(0, row);
            let y = y + self.high / 2.0 + SIZE * 0.35;
            let (x, y, name) = (px(x - 5.0), px(y), shortened(name, NAME));
            svg += &format!(r#"<text text-anchor="end" x="{x}" y="{y}">{name}</text>"#);
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
            let (x, y, name) = (px(x), px(foot + 16.0), shortened(name, 2.0 * half));
            svg += &format!(r#"<text text-anchor="middle" x="{x}" y="{y}">{name}</text>"#);
        }
        let (x, y) = (px(self.left), px(foot + 36.0));
        let across = shortened(&map.across, WIDTH - self.left);
        svg + &format!(r#"<text x="{x}" y="{y}">{across}</text></g>"#)
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
    look.map_or("muted", class_of).to_owned()
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
    /// The size of the lead, for cells with room for it. May be empty.
    pub by: String,
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

#[cfg(test)]
mod tests;
