//! Tests of whole figures.

mod heat;
mod names;
mod odd;

use roxmltree::Document;

use super::*;

fn panel(x: Axis, y: Axis, series: Vec<Series>) -> Panel {
    Panel {
        title: String::new(),
        x,
        y,
        series,
        marks: vec![],
    }
}

fn figure(panels: Vec<Panel>) -> Figure {
    Figure {
        title: "A figure".into(),
        caption: "What it shows.".into(),
        panels,
    }
}

fn line(name: &str, values: &[f64]) -> Series {
    let points = (0..)
        .zip(values)
        .map(|(i, y)| FigurePoint::new(f64::from(i), *y));
    Series::new(name, SeriesKind::Line, points)
}

fn plain(series: Vec<Series>) -> Figure {
    figure(vec![panel(Axis::linear("x"), Axis::linear("y"), series)])
}

fn logarithmic(series: Vec<Series>) -> Figure {
    figure(vec![panel(Axis::linear("x"), Axis::log("y"), series)])
}

/// Returns all text that is drawn.
fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed XML");
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| node.text().unwrap_or_default().to_owned())
        .collect()
}

/// Well-formed, without a number that is none, and no wider than its frame.
fn check(figure: &Figure) {
    let (file, part) = (figure.svg(), figure.inline("f"));
    for svg in [&file, &part] {
        let document = Document::parse(svg).expect("well-formed XML");
        for node in document.descendants() {
            for attribute in node
                .attributes()
                .filter(|a| matches!(a.name(), "d" | "x" | "y"))
            {
                let value = attribute.value();
                assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
                let numbers = value.split(|c: char| !(c.is_ascii_digit() || "-.".contains(c)));
                for number in numbers.filter(|text| !text.is_empty()) {
                    let number: f64 = number.parse().expect("a number");
                    assert!((-10.0..2_000.0).contains(&number), "{number} in {value}");
                }
            }
        }
        for text in ["href", "url(", "@import", "<script"] {
            assert!(!svg.contains(text), "{text}");
        }
    }
}

#[test]
fn a_small_figure_keeps_its_bytes() {
    let cmdp = [(50.0, 0.118), (250.0, 0.053), (1000.0, 0.0265)];
    let cmdp = cmdp.map(|(k, loss)| FigurePoint::new(k, loss).y_from(loss - 0.003, loss + 0.003));
    let greedy =
        [(50.0, 0.039), (250.0, 0.0228), (1000.0, 0.02)].map(|(k, v)| FigurePoint::new(k, v));
    let mut small = figure(vec![panel(
        Axis::log("committee size K").unit("people"),
        Axis::linear("loss"),
        vec![
            Series::new("CMDP", SeriesKind::Line, cmdp),
            Series::new("greedy <.02>", SeriesKind::Line, greedy),
        ],
    )]);
    small.panels[0].marks.push(Mark {
        at: MarkAt::Y(0.1),
        label: "a tenth".into(),
    });
    check(&small);
    // A line for each element, so that a difference can be read.
    insta::assert_snapshot!(small.svg().replace("><", ">\n<"));
}

#[test]
fn a_point_is_where_its_value_says() {
    let svg = plain(vec![Series::new(
        "",
        SeriesKind::Line,
        [FigurePoint::new(0.0, 0.0), FigurePoint::new(10.0, 8.0)],
    )])
    .svg();
    let document = Document::parse(&svg).unwrap();
    let path = document
        .descendants()
        .filter_map(|node| Some((node.attribute("stroke-linejoin")?, node.attribute("d")?)))
        .map(|(_, path)| path)
        .next()
        .unwrap();
    // The plot is 190 high below 30 of head; both ranges go 5 % beyond the largest value.
    let (left, right) = (24.0, 360.0 - 18.0);
    let x = super::super::markup::px(left + (right - left) / 1.05);
    let y = super::super::markup::px(220.0 - 190.0 / 1.05);
    assert_eq!(path, format!("M24 220L{x} {y}"));
}

#[test]
fn a_name_keeps_its_look_in_every_panel() {
    let first = panel(
        Axis::linear("x"),
        Axis::linear("y"),
        vec![line("a", &[1.0]), line("b", &[2.0])],
    );
    let second = panel(
        Axis::linear("x"),
        Axis::linear("y"),
        vec![line("b", &[2.0])],
    );
    let svg = figure(vec![first, second]).inline("f");
    let second = svg.split("id=\"f-2-title\"").nth(1).unwrap();
    assert!(second.contains("l-s2") && !second.contains("l-s1"));
}

#[test]
fn a_name_keeps_its_look_in_every_figure_of_some() {
    let of = |names: &[&str]| {
        let lines = (1..)
            .zip(names)
            .map(|(n, name)| line(name, &[f64::from(n)]));
        plain(lines.collect())
    };
    let looks = |figure: &Figure| -> Vec<String> {
        let svg = figure.svg();
        let body = &svg[svg.find("</style>").expect("a style")..];
        let of_line = |text: &str| text.split_once("l-s").map(|(_, n)| n[..1].to_owned());
        let mut looks: Vec<String> = body.split("<g class=").filter_map(of_line).collect();
        looks.dedup();
        looks
    };
    let mut figures = [
        of(&["a", "b", "c"]),
        of(&["d", "c"]),
        of(&["c", "e", "b"]),
        of(&["d", "a", "c"]),
    ];
    assert_eq!(looks(&figures[1]), ["1", "2"]);
    alike(&mut figures);
    let all = figures.each_ref().map(looks);
    assert_eq!(all[0], ["1", "2", "3"]);
    assert_eq!(all[1], ["1", "3"], "a new name takes what is free");
    assert_eq!(all[2], ["3", "1", "2"]);
    assert_eq!(
        all[3],
        ["1", "2", "3"],
        "no two names of a figure share a look"
    );
}

#[test]
fn names_stand_at_the_lines_or_else_in_a_legend() {
    let has_legend = |figure: &Figure| figure.inline("f").contains("k-legend");
    let apart = plain(vec![line("a", &[1.0, 2.0]), line("b", &[1.0, 9.0])]);
    assert!(!has_legend(&apart));
    let near = plain(vec![line("a", &[1.0, 9.0]), line("b", &[1.0, 9.0])]);
    assert!(!has_legend(&near), "two can make room for each other");
    let crowded: Vec<Series> = ["a", "b", "c", "d"]
        .map(|name| line(name, &[1.0, 9.0]))
        .into();
    assert!(has_legend(&plain(crowded)), "four cannot");
    let early = plain(vec![line("a", &[1.0, 2.0, 3.0]), line("b", &[5.0, 9.0])]);
    assert!(has_legend(&early), "b ends far from the edge");
    let long = plain(vec![line("a name that takes a third of the panel", &[1.0])]);
    assert!(has_legend(&long));
    let unnamed = plain(vec![line("", &[1.0, 2.0])]);
    assert!(!has_legend(&unnamed));
    // One panel that needs a legend is enough for the figure.
    let mut both = apart.clone();
    both.panels.extend(early.panels);
    assert!(has_legend(&both));
    for figure in [apart, near, long, both] {
        let svg = figure.svg();
        assert_eq!(
            texts(&svg)
                .iter()
                .filter(|text| text.starts_with('a'))
                .count(),
            1
        );
        check(&figure);
    }
}

#[test]
fn lone_points_are_named_beside_them() {
    let lone = |name: &str, x, y| Series::new(name, SeriesKind::Scatter, [FigurePoint::new(x, y)]);
    let apart = plain(vec![
        lone("a", 1.0, 1.0),
        lone("b", 2.0, 2.0),
        lone("c", 3.0, 1.0),
    ]);
    assert!(!apart.inline("f").contains("k-legend"));
    let heap = (0..8).map(|i| lone(&format!("policy {i}"), 1.0 + f64::from(i) * 1e-3, 1.0));
    let mut heap = plain(heap.collect());
    heap.panels[0].series.push(lone("policy 0", 5.0, 5.0));
    assert!(
        heap.inline("f").contains("k-legend"),
        "no room for eight names"
    );
}

#[test]
fn bars_stand_side_by_side_on_zero() {
    let bars = |name: &str, y: f64| {
        Series::new(
            name,
            SeriesKind::Bars,
            [FigurePoint::new(0.0, y), FigurePoint::new(1.0, y)],
        )
    };
    let x = Axis::names("group", ["women", "men"]);
    let shares = figure(vec![panel(
        x,
        Axis::linear("share"),
        vec![bars("a", 90.0), bars("b", 100.0)],
    )]);
    check(&shares);
    let svg = shares.svg();
    assert!(
        texts(&svg).iter().any(|text| text == "0"),
        "bars start from 0"
    );
    let paths: Vec<&str> = svg
        .split("fill-opacity=\".3\" stroke-width=\"1.25\" d=\"")
        .skip(3)
        .collect();
    assert_eq!(paths.len(), 2, "after two in the legend");
    let edges = |path: &str| -> (f64, f64) {
        let left = path[1..].split(' ').next().unwrap().parse().unwrap();
        let right = path
            .split('H')
            .nth(1)
            .unwrap()
            .split('V')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        (left, right)
    };
    let (a, b) = (edges(paths[0]), edges(paths[1]));
    assert!((a.1 - b.0).abs() < 0.02, "{a:?} {b:?}");
    assert!((a.1 - a.0 - (b.1 - b.0)).abs() < 0.02);
}

#[test]
fn every_figure_is_also_a_table() {
    let mut both = plain(vec![line("a", &[1.5, f64::NAN])]);
    let spanned = FigurePoint::new(7.0, 0.1 + 0.2).y_from(0.0, 1.0);
    both.panels.push(panel(
        Axis::linear("x"),
        Axis::linear("z"),
        vec![Series::new("a, b", SeriesKind::Scatter, [spanned])],
    ));
    both.panels[1].title = "second".into();
    both.panels[1].marks.push(Mark {
        at: MarkAt::Y(0.5),
        label: "half".into(),
    });
    let table = both.table();
    let exact = |row: &Vec<Cell>| row.iter().map(Cell::exact).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(exact).collect();
    assert_eq!(
        table.headers,
        ["panel", "series", "x", "y", "y, low", "y, high"]
    );
    assert_eq!(
        rows,
        [
            ["1", "a", "0", "1.5", "", ""],
            ["1", "a", "1", "", "", ""],
            ["second", "a, b", "7", "0.30000000000000004", "0", "1"],
            ["second", "reference: half", "", "0.5", "", ""],
        ]
    );
    let names = panel(
        Axis::names("group", ["women", "men"]),
        Axis::linear("share"),
        vec![line("p", &[0.4, 0.6])],
    );
    let table = figure(vec![names]).table();
    assert_eq!(table.headers, ["series", "group", "share"]);
    assert_eq!(
        table.rows[1],
        [
            Cell::Text("p".into()),
            Cell::Text("men".into()),
            Cell::Number(0.6)
        ]
    );
    assert_eq!(Cell::Number(-0.123_456).brief(), "\u{2212}0.1235");
}

#[test]
fn it_is_told_in_words() {
    let told = logarithmic(vec![line("CMDP", &[120.0, 2465.0]), line("none", &[])]).svg();
    let document = Document::parse(&told).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let ids: Vec<&str> = root
        .attribute("aria-labelledby")
        .unwrap()
        .split(' ')
        .collect();
    let text = |id: &str| {
        let node = document
            .descendants()
            .find(|node| node.attribute("id") == Some(id));
        node.and_then(|node| node.text()).unwrap().to_owned()
    };
    assert_eq!(text(ids[0]), "A figure");
    assert_eq!(
        text(ids[1]),
        "What it shows. Across: x. Up: y, logarithmic. \
         CMDP: from 120 at 0 to 2465 at 1. none: no data."
    );
}
