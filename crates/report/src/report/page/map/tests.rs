//! Tests of maps: their cells, their colours and their ids.

use super::*;
use crate::report::figure::{PolicyLooks, style};

fn cell(column: usize, mood: MapMood, look: Option<usize>) -> MapCell {
    MapCell {
        column,
        row: 0,
        look,
        mood,
        by: String::new(),
        words: "“a” is best".into(),
    }
}

/// A look beyond the first colours has a class of the style sheet, too, and each id is there once.
#[test]
fn every_class_of_a_map_has_a_colour() {
    let labels = ["lambda 1", "lambda 2", "lambda 10", "uniform"];
    let looks = PolicyLooks::of(labels);
    let cells = looks.pairs().iter().enumerate();
    let cells = cells.map(|(n, (_, look))| cell(n, MapMood::Sure, Some(*look)));
    let mut looks = looks.pairs().to_vec();
    looks.push(("another of the first colour".into(), 9));
    let map = PageMap {
        columns: labels.map(str::to_owned).to_vec(),
        rows: vec!["x".into()],
        panels: vec![MapPanel {
            title: String::new(),
            cells: cells.collect(),
        }],
        looks,
        ..PageMap::default()
    };
    let svg = panel_svg(&map, &map.panels[0], "m", 1);
    let page = roxmltree::Document::parse(&svg).expect("XML");
    let style = style();
    let classes = page
        .descendants()
        .filter_map(|node| node.attribute("class"));
    let inks = classes.flat_map(|class| class.split(' '));
    for ink in inks.filter(|class| class.starts_with("f-") || class.starts_with("l-")) {
        assert!(style.contains(&format!(".{ink}{{")), "{ink}");
    }
    // What is drawn by `use` has its colours itself.
    let used = page.descendants().filter(|node| {
        let id = node.attribute("id").unwrap_or_default();
        id.starts_with("m-look-")
    });
    let shapes: Vec<_> = used.flat_map(|used| used.descendants()).collect();
    assert!(
        shapes
            .iter()
            .all(|shape| shape.attribute("class").is_none())
    );
    let own = shapes.iter().filter_map(|shape| shape.attribute("style"));
    assert!(
        own.clone()
            .any(|style| style == "fill:var(--k-r1);stroke:var(--k-r1)")
    );
    let ids: Vec<&str> = page
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    let once: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), once.len(), "{ids:?}");
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
