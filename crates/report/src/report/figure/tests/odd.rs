//! Tests with unusual data.

use super::super::super::markup::escape;
use super::*;

#[test]
fn hostile_text_stays_text() {
    let nasty = "</text><script>alert('1')</script> & \"R\u{1}\"";
    let mut hostile = plain(vec![line(nasty, &[1.0, 2.0])]);
    hostile.title = nasty.into();
    hostile.caption = nasty.into();
    hostile.panels[0].title = nasty.into();
    hostile.panels[0].x.label = nasty.into();
    hostile.panels[0].marks.push(Mark {
        at: MarkAt::Y(1.5),
        label: nasty.into(),
    });
    check(&hostile);
    let read = nasty.replace('\u{1}', "⟨U+0001⟩");
    let svg = hostile.svg();
    assert!(texts(&svg).contains(&read), "the title, as it was meant");
    assert!(svg.contains(&escape(nasty)));
}

#[test]
fn odd_data_break_nothing() {
    let nan = f64::NAN;
    let odd: Vec<Vec<f64>> = vec![
        vec![],
        vec![3.0],
        vec![0.0],
        vec![5.0; 4],
        vec![nan, nan],
        vec![1.0, nan, f64::INFINITY, 2.0],
        vec![-1e-320, 1e-310],
        vec![-1e300, 1e300, 1.0],
        vec![1e149, -1e149],
        vec![1e9, 1e9 + 1e-6],
        vec![0.0, -0.0],
    ];
    let names = || Axis::names("n", ["a", "a rather long name indeed", "c"]);
    for kind in [
        SeriesKind::Line,
        SeriesKind::Step,
        SeriesKind::Funnel,
        SeriesKind::Guide,
        SeriesKind::Scatter,
        SeriesKind::Bars,
        SeriesKind::Histogram,
        SeriesKind::Cells,
        SeriesKind::Zone(Tone::Green),
    ] {
        for values in &odd {
            for x in [
                Axis::linear("x"),
                Axis::log("x"),
                names(),
                Axis::names("", [""; 0]),
            ] {
                for y in [
                    Axis::linear("y"),
                    Axis::log("y"),
                    Axis::linear("y").spanning(nan, 1.0),
                ] {
                    let points = (0..).zip(values).map(|(i, y)| {
                        FigurePoint::new(f64::from(i), *y)
                            .y_from(*y - 1.0, nan)
                            .x_from(2.0, -1.0)
                            .heated(*y, [None, Some(*y), Some(0.0)][i as usize % 3])
                    });
                    let spanned = points.clone().map(|p| p.y_from(p.y + 1.0, p.y - 1.0));
                    let series = vec![
                        Series::new("a", kind, points),
                        Series::new("b", kind, spanned),
                    ];
                    let mut odd = figure(vec![panel(x.clone(), y, series)]);
                    odd.panels[0].marks.push(Mark {
                        at: MarkAt::X(nan),
                        label: "no".into(),
                    });
                    check(&odd);
                    let _ = odd.table();
                }
            }
        }
    }
    check(&Figure::default());
    assert!(texts(&plain(vec![]).svg()).contains(&"no data".to_owned()));
}

/// The ends of error bars, as their paths draw them.
fn error_bars(svg: &str) -> String {
    let path = svg.split("stroke-width=\"1.25\" d=\"").nth(1).unwrap_or("");
    path.split('"').next().unwrap_or("").to_owned()
}

#[test]
fn what_goes_on_beyond_the_frame_has_no_cap_there() {
    let bar = |lo: f64, hi: f64, limits: Option<(f64, f64)>| {
        let series = Series::new(
            "a",
            SeriesKind::Line,
            [FigurePoint::new(1.0, 0.4).y_from(lo, hi)],
        );
        let mut one = plain(vec![series]);
        if let Some((lo, hi)) = limits {
            let y = &mut one.panels[0].y;
            *y = y.clone().within(lo, hi);
        }
        check(&one);
        (error_bars(&one.svg()), one.full_caption())
    };
    let caps = |bars: &str| bars.matches('h').count();
    assert_eq!(caps(&bar(0.0, 1.0, None).0), 2);
    assert_eq!(caps(&bar(0.0, 1.0, Some((0.0, 1.0))).0), 2, "it ends there");
    let (cut, said) = bar(0.0, 1.0, Some((0.0, 0.8)));
    assert_eq!(caps(&cut), 1, "{cut}");
    assert!(
        cut.contains('L') && said.contains("goes on beyond"),
        "{cut}: {said}"
    );
    assert_eq!(caps(&bar(-1.0, 2.0, Some((0.0, 0.8))).0), 0);
}

/// An axis says nothing of values that can't be.
#[test]
fn an_axis_does_not_reach_beyond_its_limits() {
    let values = [0.02, 0.9];
    let ticks = |axis: Axis| {
        let one = figure(vec![panel(
            Axis::linear("x"),
            axis,
            vec![line("a", &values)],
        )]);
        texts(&one.svg())
    };
    let least = |lo: f64| Axis::linear("y").spanning(lo, 1.0);
    let beyond = |texts: &[String]| texts.iter().any(|text| text.starts_with('\u{2212}'));
    assert!(beyond(&ticks(least(-1.0))));
    assert!(!beyond(&ticks(least(-1.0).within(0.0, f64::INFINITY))));
    let mut one = plain(vec![line("a", &[0.5, 3.0])]);
    one.panels[0].y = Axis::linear("y").within(0.0, 1.0);
    check(&one);
    assert!(one.full_caption().contains("1 point beyond the frame (a)"));
}

#[test]
fn what_is_not_drawn_is_said() {
    let gaps = plain(vec![line("a", &[1.0, f64::NAN, 2.0, 3.0])]);
    assert_eq!(
        gaps.full_caption(),
        "What it shows. Not drawn: 1 point without a finite value (a)."
    );
    let path = gaps.svg();
    let path = path.split("stroke-linejoin=\"round\" d=\"").nth(1).unwrap();
    assert_eq!(
        path.split('"').next().unwrap().matches('M').count(),
        2,
        "the line is broken"
    );

    let zeros = logarithmic(vec![
        line("a", &[0.0, 10.0, -1.0]),
        line("b", &[1.0, 0.0, 100.0]),
    ]);
    let note = "Not drawn: 3 points at or below 0, where a logarithmic axis has no place (a, b).";
    assert_eq!(zeros.full_caption(), format!("What it shows. {note}"));
    assert!(
        texts(&zeros.svg()).join(" ").contains(note),
        "in the picture too"
    );

    let clean = plain(vec![line("a", &[1.0, 2.0])]);
    assert_eq!(clean.full_caption(), "What it shows.");
}

#[test]
fn an_error_bar_below_a_logarithmic_axis_has_no_cap() {
    let bar = |lo: f64| {
        let points = [
            FigurePoint::new(0.0, 5.0).y_from(lo, 9.0),
            FigurePoint::new(1.0, 0.1),
        ];
        let figure = logarithmic(vec![Series::new("a", SeriesKind::Line, points)]);
        let svg = figure.svg();
        let path = svg.split("stroke-width=\"1.25\" d=\"").nth(1).unwrap();
        let path = path.split('"').next().unwrap();
        (path.matches("h6").count(), figure.full_caption())
    };
    assert_eq!(bar(1.0), (2, "What it shows.".to_owned()));
    let (caps, caption) = bar(-1.0);
    assert_eq!(caps, 1);
    assert!(caption.ends_with("An error bar without an end cap reaches 0 or below."));
}

#[test]
fn more_than_eight_names_are_all_drawn() {
    let nine = |n: u32| {
        line(
            &format!("{}", char::from_digit(n + 9, 36).unwrap()),
            &[1.0, f64::from(n)],
        )
    };
    let mut nine = plain((1..=9).map(nine).collect());
    let drawn = |svg: &str| {
        svg.matches("stroke-linejoin=\"round\" d=").count()
            + svg
                .matches("stroke-linejoin=\"round\" stroke-dasharray")
                .count()
    };
    assert_eq!(drawn(&nine.svg()), 9);
    assert!(!nine.full_caption().contains("Drawn"));
    assert_eq!(nine.table().rows.len(), 18);
    // Muted, most are grey, without markers, and named in the caption.
    nine.mute_all_but(&["a", "b"]);
    let svg = nine.svg();
    assert_eq!(svg.matches("class=\"l-faint n-").count(), 7);
    assert!(
        nine.full_caption()
            .ends_with("Thin and grey: c, d, e, f, g, h, i.")
    );
    check(&nine);
}

#[test]
fn long_lines_and_crowds_stay_small() {
    let long = |shift: f64| {
        let value = |i: i32| f64::from(i * i % 977) / 97.0 + shift;
        let points = (0..20_000).map(|i| {
            FigurePoint::new(f64::from(i), value(i)).y_from(value(i) - 1.0, value(i) + 1.0)
        });
        Series::new(format!("p{shift}"), SeriesKind::Line, points)
    };
    let lines = plain((0..8).map(|i| long(f64::from(i))).collect());
    check(&lines);
    assert!(lines.svg().len() < 100_000, "{}", lines.svg().len());
    // The extremes are kept.
    let mut peak = vec![0.0; 5_000];
    peak[2_345] = 2.0;
    let svg = plain(vec![line("", &peak)]).svg();
    let top = super::super::super::markup::px(220.0 - 190.0 / 1.05);
    assert!(svg.contains(&format!(" {top}L")), "the peak is drawn");
    let heap = (0..5_000).map(|i| FigurePoint::new(f64::from(i % 97), f64::from(i % 89)));
    for first in [0, 3, 5] {
        let mut before: Vec<Series> = (0..first).map(|i| line(&format!("{i}"), &[0.0])).collect();
        before.push(Series::new("crowd", SeriesKind::Scatter, heap.clone()));
        let crowd = plain(before);
        check(&crowd);
        assert!(crowd.svg().len() < 200_000, "{}", crowd.svg().len());
    }
}

/// A guide takes no look, is in no legend and has no place to read, also where a series bears
/// its name.
#[test]
fn a_guide_leads_the_eye_alone() {
    let point = |x: f64| {
        Series::new(
            if x > 1.0 { "frontier" } else { "a" },
            SeriesKind::Scatter,
            [FigurePoint::new(x, x)],
        )
    };
    let with = |more: Vec<Series>| {
        let mut series = more;
        series.extend([point(1.0), point(2.0)]);
        plain(series)
    };
    let guide = Series::new(
        "frontier",
        SeriesKind::Guide,
        [FigurePoint::new(1.0, 1.0), FigurePoint::new(2.0, 2.0)],
    );
    let (bare, guided) = (with(vec![]), with(vec![guide]));
    assert_eq!(sheet::drawn_names(&bare), sheet::drawn_names(&guided));
    let read = |figure: &Figure| {
        let html = figure.live("f", 10);
        html.split("data-stops=")
            .nth(1)
            .map(|rest| rest.split('>').next().map(str::to_owned))
    };
    assert!(read(&bare).is_some() && read(&bare) == read(&guided));
    let lines = |figure: &Figure| figure.svg().matches(r#"<path class="l-muted""#).count();
    assert_eq!(lines(&guided), lines(&bare) + 1);
    check(&guided);
}

/// An axis without a name is not described.
#[test]
fn an_axis_without_a_name_is_not_described() {
    let mut figure = plain(vec![line("a", &[1.0, 2.0])]);
    figure.panels[0].x.label = "share".into();
    figure.panels[0].y.label = String::new();
    for svg in [figure.svg(), figure.inline("f")] {
        assert!(svg.contains("Across: share. a: from"), "{svg}");
        assert!(!svg.contains("Up:"), "{svg}");
    }
}

/// A series that goes on beyond the frame has no edge, cap or line there, since these would look
/// like an end.
#[test]
fn a_funnel_is_cut_at_the_frame_without_a_cap() {
    let point = |n: f64| FigurePoint::new(n, 8.0 / n).y_from(8.0 / n - 4.0 / n, 8.0 / n + 4.0 / n);
    let points: Vec<FigurePoint> = (1..=9).map(|n| point(f64::from(n))).collect();
    let mut figure = plain(vec![Series::new("a", SeriesKind::Funnel, points)]);
    figure.panels[0].y = Axis::linear("d").spanning(0.0, 1.9).within(0.0, 1.9);
    check(&figure);
    let svg = figure.svg();
    let document = Document::parse(&svg).unwrap();
    let paths = document.descendants().filter(|node| {
        let is = |name: &str, value: &str| node.attribute(name) == Some(value);
        is("fill", "none") && (is("stroke-width", ".75") || is("stroke-width", "1.75"))
    });
    let paths: Vec<&str> = paths.filter_map(|node| node.attribute("d")).collect();
    assert_eq!(paths.len(), 2, "edges and a line");
    // The plot begins below 30 of head.
    for path in &paths {
        assert!(!path.contains(" 30L") && !path.ends_with(" 30"), "{path}");
        assert!(!path.contains('h'), "{path}: a cap");
    }
    assert!(figure.full_caption().contains("goes on beyond it"));
    let points_of = |path: &str| path.matches(['M', 'L']).count();
    // The line is within from n = 5 on; the upper edge from 7, the lower from 3.
    assert_eq!(points_of(paths[1]), 5);
    assert_eq!(points_of(paths[0]), 3 + 7);
}
