//! Tests of room for names and labels next to upright lines, points and curves.

use super::*;

/// Labels of two upright lines never read as one.
#[test]
fn labels_of_upright_lines_do_not_run_together() {
    // Also where an interval leaves no room that is free.
    let full = |n: i32| FigurePoint::new(f64::from(25 * n), 0.5).y_from(0.0, 1.0);
    let full = Series::new("a", SeriesKind::Line, (0..=40).map(full));
    for first in 20..760 {
        let marks = [(f64::from(first), "decided at 223"), (800.0, "filled")];
        let mut figure = plain(vec![match first % 2 {
            0 => line("a", &[0.1, 0.1]),
            _ => full.clone(),
        }]);
        let panel = &mut figure.panels[0];
        panel.x = Axis::linear("rounds").spanning(1.0, 1000.0);
        panel.y = Axis::linear("y").spanning(0.0, 1.0);
        let mark = |(x, label): &(f64, &str)| Mark {
            at: MarkAt::X(*x),
            label: (*label).into(),
        };
        panel.marks = marks.iter().map(mark).collect();
        let svg = figure.svg();
        let document = roxmltree::Document::parse(&svg).expect("well-formed");
        let place = |label: &str| {
            let is_text = |node: &roxmltree::Node<'_, '_>| node.has_tag_name("text");
            let mut texts = document.descendants().filter(is_text);
            let text = texts.find(|text| text.text() == Some(label)).expect(label);
            let number = |name| {
                text.attribute(name)
                    .and_then(|value| value.parse::<f64>().ok())
            };
            number("x").zip(number("y")).expect("a place")
        };
        let [(x, y), (next, other)] = marks.map(|(_, label)| place(label));
        let [end, other_end] = [(x, marks[0].1), (next, marks[1].1)]
            .map(|(x, label)| x + super::super::places::width(label, 12.0));
        let is_apart = y != other || end + 6.0 < next || other_end + 6.0 < x;
        assert!(is_apart, "{first}: {x} to {end}, {next} to {other_end}");
    }
}

/// No label of a line lies over another line.
#[test]
fn labels_of_upright_lines_lie_over_no_line() {
    for first in (20..760).step_by(3) {
        let mut figure = plain(vec![line("a", &[0.1, 0.1])]);
        let panel = &mut figure.panels[0];
        panel.x = Axis::linear("people").spanning(1.0, 1000.0);
        panel.y = Axis::linear("y").spanning(0.0, 1.0);
        let marks = [
            (f64::from(first), "decided at person 554"),
            (780.0, "filled"),
        ];
        let mark = |(x, label): (f64, &str)| Mark {
            at: MarkAt::X(x),
            label: label.into(),
        };
        panel.marks = marks.map(mark).to_vec();
        let svg = figure.svg();
        let document = Document::parse(&svg).unwrap();
        let lines = document
            .descendants()
            .filter(|node| node.attribute("class") == Some("l-ink") && node.has_tag_name("path"));
        let lines = lines.filter_map(|node| node.attribute("d"));
        let places = lines.flat_map(|path| path.split('M').skip(1));
        let places = places.filter_map(|place| place.split(' ').next()?.parse::<f64>().ok());
        let places: Vec<f64> = places.collect();
        assert_eq!(places.len(), 2);
        for (_, label) in marks {
            // A label that is halved has room of its own.
            if !texts(&svg).contains(&label.to_owned()) {
                continue;
            }
            let (left, _) = place_of(&svg, label);
            let right = left + super::super::places::width(label, 13.0);
            let is_over = |x: &&f64| left < **x && **x < right;
            assert_eq!(places.iter().find(is_over), None, "{first}: {label}");
        }
    }
}

/// An upright line is named wherever it is, if need be in two lines.
#[test]
fn an_upright_line_is_named_wherever_it_is() {
    let label = "decided at replication 12,264";
    let mut in_two = 0;
    for at in (1..1000).step_by(7) {
        let mut figure = plain(vec![line("a policy of a long name", &[0.1, 0.1])]);
        let panel = &mut figure.panels[0];
        panel.x = Axis::linear("replications").spanning(1.0, 1000.0);
        panel.y = Axis::linear("y").spanning(0.0, 1.0);
        panel.marks = vec![Mark {
            at: MarkAt::X(f64::from(at)),
            label: label.into(),
        }];
        // As narrow as one of several side by side on a page.
        figure.panels = vec![figure.panels[0].clone(); 3];
        let svg = figure.inline("f");
        let texts = texts(&svg);
        let halves = ["decided at", "replication 12,264"];
        let is_halved = halves
            .iter()
            .all(|half| texts.contains(&(*half).to_owned()));
        assert!(
            texts.contains(&label.to_owned()) || is_halved,
            "{at}: {texts:?}"
        );
        in_two += usize::from(is_halved);
        check(&figure);
    }
    assert!(in_two > 0);
}

/// The left end and the baseline of a text that is drawn.
fn place_of(svg: &str, text: &str) -> (f64, f64) {
    let document = Document::parse(svg).unwrap();
    let mut texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let label = texts.find(|node| node.text() == Some(text)).expect(text);
    let number = |name: &str| label.attribute(name).unwrap().parse().unwrap();
    (number("x"), number("y"))
}

/// A label finds room where the curves leave some, also when they cross its ends and its middle.
#[test]
fn a_reference_is_named_where_no_line_runs_through_it() {
    // Up and down through the line at 1, but for a stretch after the first quarter.
    let wave = [
        0.0, 2.0, 0.0, 2.0, 2.0, 2.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0,
    ];
    let mut crossed = plain(vec![line("", &wave)]);
    crossed.panels[0].marks.push(Mark {
        at: MarkAt::Y(1.0),
        label: "target".into(),
    });
    let (left, _) = place_of(&crossed.svg(), "target");
    assert!((80.0..130.0).contains(&left), "{left}");
}

/// A target is ink, however many series there are: it takes the colour of none.
#[test]
fn a_reference_takes_no_look() {
    for count in [1, 4, 8, 12] {
        let lines = (0..count).map(|n| line(&format!("p{n}"), &[f64::from(n), 1.0]));
        let mut figure = plain(lines.collect());
        let colours = |figure: &Figure| {
            let svg = figure.svg();
            let classes = svg.split("class=\"l-").skip(1);
            let classes = classes.filter_map(|rest| rest.split('"').next());
            let classes = classes.filter(|class| class.starts_with('s'));
            classes.map(str::to_owned).collect::<Vec<_>>()
        };
        let bare = colours(&figure);
        figure.panels[0].marks.push(Mark {
            at: MarkAt::Y(0.5),
            label: "target".into(),
        });
        assert_eq!(colours(&figure), bare, "{count}");
        assert!(figure.svg().contains("<path class=\"l-ink\" fill=\"none\""));
    }
}

/// The name of a point keeps clear of the caps of its neighbour's error bars.
#[test]
fn no_name_is_under_a_cap() {
    let lone = |name: &str, x, y| {
        let point = FigurePoint::new(x, y).y_from(y - 0.2, y + 0.2);
        Series::new(name, SeriesKind::Scatter, [point])
    };
    for shift in 0..40 {
        let x = 1.0 + f64::from(shift) * 0.02;
        let pair = plain(vec![
            lone("greedy .05", 1.0, 1.0),
            lone("b", x, 1.3),
            lone("c", 3.0, 1.0),
        ]);
        if pair.inline("f").contains("k-legend") {
            continue;
        }
        let svg = pair.svg();
        let (left, baseline) = place_of(&svg, "greedy .05");
        let caps = svg.split('M').filter(|piece| piece.contains("h6"));
        for cap in caps {
            let mut numbers = cap
                .split(['h', ' ', 'V'])
                .filter_map(|n| n.parse::<f64>().ok());
            let (x, y) = (numbers.next().unwrap(), numbers.next().unwrap());
            let wide = svg.contains("text-anchor=\"end\">greedy .05");
            let right = if wide { left } else { left + 75.0 };
            let left = if wide { left - 75.0 } else { left };
            let is_in = x + 6.0 > left && x < right && y > baseline - 8.0 && y < baseline + 1.0;
            assert!(!is_in, "{shift}: {cap} at {left} {baseline}");
        }
    }
}

/// The moments of several lines are named above the plot, apart from each other. Where there is no
/// room for all numbers, the lines are still marked.
#[test]
fn moments_of_lines_are_named_above_the_plot_and_apart() {
    let series = |label: &str, at: usize, text: &str| {
        let point = |n: usize| FigurePoint::new(n as f64, 1.0).y_from(0.5, 1.5);
        let series = Series::new(label, SeriesKind::Funnel, (1..=100).map(point));
        series.marked(at as f64, text.into())
    };
    let marked = |moments: &[(usize, &str)]| {
        let mut all = Vec::new();
        for (place, (at, text)) in moments.iter().enumerate() {
            all.push(series(&format!("p{place}"), *at, text));
        }
        let figure = plain(all);
        check(&figure);
        let svg = figure.svg();
        let document = Document::parse(&svg).expect("well-formed");
        let texts = document
            .descendants()
            .filter(|node| node.has_tag_name("text"));
        let mut places: Vec<(f64, f64)> = Vec::new();
        for text in texts.filter(|text| moments.iter().any(|one| text.text() == Some(one.1))) {
            let number = |name| text.attribute(name).and_then(|value| value.parse().ok());
            places.push((number("x").expect("x"), number("y").expect("y")));
        }
        (places, svg.matches("stroke-dasharray=\"1.5 3\"").count())
    };
    let (places, lines) = marked(&[(31, "1,031"), (36, "1,036"), (66, "1,066")]);
    assert_eq!((places.len(), lines), (3, 3));
    let wide = super::super::places::width("1,031", 13.0);
    for pair in places.windows(2) {
        assert!(pair[1].0 - pair[0].0 > wide, "{places:?}");
        assert_eq!(pair[0].1, pair[1].1);
    }
    let many: Vec<(usize, &str)> = (1..=9).map(|n| (9 * n, "1,000,000")).collect();
    assert_eq!(marked(&many), (Vec::new(), 9));
    // A point that is not drawn is not marked.
    assert_eq!(marked(&[(500, "500")]), (Vec::new(), 0));
}
