//! Maps: a cell for each pair of values, with the best policy.

use maud::{Markup, PreEscaped, html};

use super::super::figure::{Cell, FigureTable, sample_of};
use super::super::markup::{escape, px, text};
use super::map_plan::{
    MapMood, MapPanel, MapPlan, PageMap, SIZE, WIDTH, class, equals, pattern, shortened,
};
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
        figure aria-labelledby=(id) { "\n"
            figcaption id=(id) { b { (text(&map.title)) } " " (text(&map.caption)) } "\n"
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
    svg += &format!(
        r#"<text class="f-muted" y="{}">{}</text>"#,
        px(plan.top - 8.0),
        shortened(&map.up, WIDTH)
    );
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
        let hatched = pattern(id, &class(Some(*look)));
        format!(r#"{hatched}<g id="{id}-look-{look}">{sample}</g>"#)
    });
    let looks: String = looks.collect();
    format!("<defs>{}{looks}</defs>", pattern(id, "muted"))
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

#[cfg(test)]
mod tests {
    use super::super::map_plan::MapCell;
    use super::*;

    fn cell(column: usize, mood: MapMood, look: Option<usize>) -> MapCell {
        MapCell {
            column,
            row: 0,
            look,
            mood,
            words: "“a” is best".into(),
        }
    }

    #[test]
    fn a_cell_is_filled_where_it_is_sure_and_hatched_where_it_is_open() {
        let map = PageMap {
            columns: vec!["1".into(), "2".into(), "3".into()],
            rows: vec!["x".into()],
            looks: vec![("b".into(), 0), ("a".into(), 1)],
            panels: vec![MapPanel {
                title: String::new(),
                cells: vec![
                    cell(0, MapMood::Sure, Some(1)),
                    cell(1, MapMood::Open, Some(0)),
                    cell(2, MapMood::Even, Some(0)),
                ],
            }],
            ..PageMap::default()
        };
        let svg = panel_svg(&map, &map.panels[0], "m", 1);
        roxmltree::Document::parse(&svg).expect("XML");
        let count = |words: &str| svg.matches(words).count();
        assert_eq!(count("class=\"f-s2\" fill-opacity"), 1);
        assert_eq!(count("fill=\"url(#m-s1)\""), 1);
        assert_eq!(count("class=\"f-grid\""), 1);
        assert_eq!(count("<use href=\"#m-look-"), 2);
        assert_eq!(count("<title>“a” is best</title>"), 3);
        assert_eq!(count("“a” is best in 3 cells."), 1);
    }
}
