//! Tests of heat maps.

use super::*;

/// Cells of s = 2, 3 and j = 1, 2: surely below 0 and above, exactly 0, not distinguished.
fn cells() -> Series {
    let cells = [
        (2.0, 1.0, -40.0, 1.0),
        (3.0, 1.0, -50.0, 1.0),
        (2.0, 2.0, 8.0, 1.0),
        (3.0, 2.0, 2.0, 1.0),
        (2.0, 3.0, 0.0, 0.0),
    ];
    let cells = cells.map(|(x, y, value, se)| FigurePoint::new(x, y).heated(value, Some(se)));
    Series::new("a less b", SeriesKind::Cells, cells)
}

/// The path data of the elements that have a class.
fn paths(svg: &str, class: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed XML");
    let nodes = document
        .descendants()
        .filter(|node| node.attribute("class") == Some(class));
    nodes
        .filter_map(|node| node.attribute("d").map(str::to_owned))
        .collect()
}

#[test]
fn cells_fill_the_panel_and_neighbours_alike_are_one() {
    let figure = plain(vec![cells()]);
    check(&figure);
    let part = figure.inline("f");
    // The bounds are 10 and 30, so that -40 and -50 are alike, two steps from the palest of three
    // in the middle.
    let alike = paths(&part, "f-b4");
    assert_eq!(
        alike.len(),
        2,
        "one on the scale, one in the panel: {alike:?}"
    );
    // From the labels of the y axis to the right end, the lowest third of the plot.
    let (left, right, bottom) = (29.5, 360.0 - 18.0, 220.0);
    let top = super::super::super::markup::px(bottom - 190.0 / 3.0);
    assert_eq!(alike[1], format!("M{left} {top}H{right}V{bottom}H{left}z"));
}

#[test]
fn sides_are_told_without_colour() {
    let part = plain(vec![cells()]).inline("f");
    // Above 0 a dot, unsure a stroke, exactly 0 the colour of the grid; each once on the legend and
    // once in the panel.
    assert_eq!(part.matches("stroke-dasharray=\"0 ").count(), 2);
    let strokes = paths(&part, "l-muted");
    assert_eq!(
        strokes.iter().filter(|path| path.contains('L')).count(),
        2,
        "{strokes:?}"
    );
    assert_eq!(paths(&part, "f-grid").len(), 2);
    assert!(part.contains("not distinguished from 0 at 3 s.e.") && part.contains("exactly 0"));
}

#[test]
fn the_scale_has_numbers_and_is_there_without_names() {
    let mut figure = plain(vec![cells()]);
    let numbers = |figure: &Figure| -> Vec<String> {
        let texts = texts(&figure.svg());
        let is_number = |text: &&String| text.trim_start_matches('\u{2212}').parse::<f64>().is_ok();
        texts.iter().filter(is_number).take(3).cloned().collect()
    };
    assert_eq!(numbers(&figure), ["\u{2212}30", "\u{2212}10", "0"]);
    figure.panels[0].series[0].name = String::new();
    assert_eq!(numbers(&figure), ["\u{2212}30", "\u{2212}10", "0"]);
}

#[test]
fn a_line_over_cells_has_a_rim_and_a_name_in_the_legend() {
    let figure = plain(vec![line("border", &[1.0, 2.0, 3.0, 2.0]), cells()]);
    check(&figure);
    let part = figure.inline("f");
    let rims = |part: &str| part.matches("stroke-width=\"4.5\"").count();
    assert_eq!(rims(&part), 1);
    assert_eq!(
        rims(&plain(vec![line("border", &[1.0, 2.0])]).inline("f")),
        0
    );
    assert!(part.contains("</svg>border</li>"));
    // Cells lie below the line, whatever the order of the series.
    assert!(part.rfind("f-b4").unwrap() < part.find("stroke-width=\"4.5\"").unwrap());
}

#[test]
fn all_panels_share_a_scale() {
    let one = |value: f64| {
        let point = FigurePoint::new(1.0, 1.0).heated(value, Some(0.0));
        panel(
            Axis::linear("x"),
            Axis::linear("y"),
            vec![Series::new("d", SeriesKind::Cells, [point])],
        )
    };
    let part = figure(vec![one(-2.0), one(-200.0)]).inline("f");
    let (first, second) = part.split_once("id=\"f-2-title\"").unwrap();
    let first = first.split_once("id=\"f-1-title\"").unwrap().1;
    // The bounds are 3, 10, 30 and 100.
    assert!(
        first.contains("f-b1\"") && second.contains("f-b5\""),
        "{part}"
    );
}

#[test]
fn the_numbers_of_cells_are_in_the_table_and_in_words() {
    let figure = plain(vec![cells(), line("border", &[1.0])]);
    let table = figure.table();
    assert_eq!(table.headers, ["series", "x", "y", "value", "± s.e."]);
    let brief = |row: usize| -> Vec<String> { table.rows[row].iter().map(Cell::brief).collect() };
    assert_eq!(brief(0), ["a less b", "2", "1", "\u{2212}40", "1"]);
    assert_eq!(brief(5), ["border", "0", "1", "", ""]);
    let told = figure.svg();
    let words = "a less b: 5 cells, below 0 in 2, above 0 in 1, exactly 0 in 1, not distinguished \
                 from 0 in 1. \
                 Least: \u{2212}50 at 3, 1. Most: 8 at 2, 2.";
    assert!(told.contains(words), "{told}");
}

#[test]
fn cells_without_a_value_are_left_out_and_said() {
    let mut series = cells();
    series.points[0].heat = None;
    series.points[1].heat = Some(Heat {
        value: f64::NAN,
        se: None,
    });
    let figure = plain(vec![series]);
    check(&figure);
    assert!(
        figure
            .full_caption()
            .ends_with("Not drawn: 2 points without a finite value (a less b).")
    );
    assert!(paths(&figure.inline("f"), "f-b4").is_empty());
}

#[test]
fn a_zone_is_of_one_tone() {
    let zone = |name: &str, tone, y: f64| {
        let cells = [1.0, 2.0].map(|x| FigurePoint::new(x, y));
        Series::new(name, SeriesKind::Zone(tone), cells)
    };
    let figure = plain(vec![
        zone("both", Tone::Green, 1.0),
        zone("one", Tone::Purple, 2.0),
        zone("other", Tone::PalePurple, 3.0),
    ]);
    check(&figure);
    let part = figure.inline("f");
    for class in ["f-b5", "f-a5", "f-a2"] {
        assert_eq!(
            paths(&part, class).len(),
            2,
            "{class}: a sample and the cells"
        );
    }
    assert!(!part.contains("k-scale"));
    assert_eq!(figure.table().headers, ["series", "x", "y"]);
}

#[test]
fn cells_are_as_wide_as_their_axis_has_them() {
    let cells = |x: Axis, xs: [f64; 2]| {
        let points = xs.map(|x| FigurePoint::new(x, 0.0).heated(-1.0, Some(0.0)));
        let figure = figure(vec![panel(
            x,
            Axis::names("y", ["one"]),
            vec![Series::new("d", SeriesKind::Cells, points)],
        )]);
        check(&figure);
        paths(&figure.inline("f"), "f-b3").last().cloned()
    };
    let all = |left: &str| Some(format!("M{left} 30H342V220H{left}z"));
    assert_eq!(cells(Axis::names("g", ["a", "b"]), [0.0, 1.0]), all("33.4"));
    assert_eq!(cells(Axis::log("x"), [10.0, 100.0]), all("33.4"));
}

#[test]
fn many_cells_stay_small() {
    let cell = |i: i32| {
        let (x, y) = (f64::from(i % 19), f64::from(i / 19));
        FigurePoint::new(x, y).heated(x * x - 5.0 * y, Some(1.0))
    };
    let figure = plain(vec![Series::new(
        "d",
        SeriesKind::Cells,
        (0..342).map(cell),
    )]);
    check(&figure);
    assert!(
        figure.inline("f").len() < 10_000,
        "{}",
        figure.inline("f").len()
    );
}
