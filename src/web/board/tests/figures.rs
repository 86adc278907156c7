//! What the figures of the board draw.

use super::*;

/// Courses of two lanes whose interval after these rounds is this wide.
fn followed(rounds: &[u64], half: impl Fn(u64) -> f64) -> Watched {
    let watched = watched(false);
    for (lane, value) in [(0, 0.25), (1, 0.24)] {
        for &round in rounds {
            let row = MetricRow {
                metric: "selection_rate".into(),
                at: None,
                value,
            };
            let half = half(round);
            let mean = crate::watch::courses::Mean {
                value,
                interval: Some(((value - half).max(0.0), (value + half).min(1.0))),
            };
            watched
                .courses
                .note(lane, round, &[row], &[Some(mean), None]);
        }
    }
    watched
}

/// The less is known, the longer is a whisker: it is drawn in full, whatever the lines leave free.
#[test]
fn the_interval_of_now_is_drawn_in_full() {
    for last in [1, 5, 12, 40, 100] {
        let rounds: Vec<u64> = (1..=last).collect();
        let watched = followed(&rounds, |round| 1.5 / (round as f64).sqrt());
        let mut history = History::default();
        let figure = lines::figures(&moment(&watched, &mut history)).courses;
        let figure = figure.expect("there are lines");
        let panel = &figure.panels[0];
        let half = 1.5 / (last as f64).sqrt();
        for (series, value) in panel.series.iter().zip([0.24, 0.25_f64]) {
            let span = series.points.last().and_then(|point| point.y_span);
            let span = span.unwrap_or_else(|| panic!("{last}: there is none"));
            let known = ((value - half).max(0.0), (value + half).min(1.0));
            assert_eq!((span.lo, span.hi), known, "after {last}");
        }
    }
}

/// A round is a whole number, and no share is below 0 or above 1.
#[test]
fn axes_have_no_values_that_cannot_be() {
    for last in [1, 2, 3, 40] {
        let rounds: Vec<u64> = (1..=last).collect();
        let watched = followed(&rounds, |round| 1.5 / (round as f64).sqrt());
        let html = section(&board(&watched, None), "lines");
        let document = Document::parse(&html).expect("it is well-formed");
        let texts = document
            .descendants()
            .filter(|node| node.has_tag_name("text"));
        let texts: Vec<String> = texts.map(said).collect();
        assert!(
            texts.contains(&last.min(3).to_string()) || last > 3,
            "{texts:?}"
        );
        let is_part = |text: &String| {
            let value = text.parse::<f64>();
            value.is_ok_and(|value| value.fract() != 0.0 && value > 1.0)
        };
        let is_odd = |text: &String| text.starts_with('\u{2212}') || is_part(text);
        assert!(!texts.iter().any(is_odd), "{texts:?}");
    }
}

/// Rates are those of the last seconds, and there are none of an instant.
#[test]
fn rates_are_those_of_the_last_seconds() {
    let watched = watched(false);
    let mut history = History::default();
    let start = Instant::now();
    let mut see = |seconds: u64, people: u64, held: u64| {
        watched.gauges.accepted.set(people);
        watched.gauges.lanes[1].held_back.set(held);
        watched.leave_all();
        let rates = Moment::of(&watched, &mut history, start + Duration::from_secs(seconds)).rates;
        rates.map(|rates| (rates.accepted, rates.held_back[1]))
    };
    assert_eq!(see(0, 1_000_000, 0), None);
    assert_eq!(see(1, 1_000_100, 500_000), Some((100.0, 0.5)));
    for second in 2..10 {
        see(second, 1_000_100, 500_000);
    }
    assert_eq!(see(10, 1_000_150, 500_000), Some((10.0, 0.0)));
}

/// The labels of the marks in the line charts and in the differences.
fn marks(watched: &Watched) -> (Vec<String>, Vec<String>) {
    let figures = lines::figures(&moment(watched, &mut History::default()));
    let of = |figure: Option<crate::report::figure::Figure>| -> Vec<String> {
        let panels = figure.into_iter().flat_map(|figure| figure.panels);
        let marks = panels.flat_map(|panel| panel.marks);
        marks.map(|mark| mark.label).collect()
    };
    (of(figures.courses), of(figures.course))
}

/// A lane that ended before the others is marked in each line chart, with the reason in words, and in
/// the differences from it.
#[test]
fn where_a_lane_ended_is_marked_with_the_reason() {
    let watched = watched(false);
    let round = |lane: usize, round: u64| {
        let chosen: &[u32] = if lane == 0 { &[0] } else { &[0, 1, 2] };
        play(&watched, lane, round - 1..round, 4, chosen);
        watched.gauges.lanes[lane].rounds.set(round);
        let row = |metric: &str| MetricRow {
            metric: metric.into(),
            at: None,
            value: round as f64,
        };
        let mean = crate::watch::courses::Mean {
            value: 0.5,
            interval: Some((0.0, 1.0)),
        };
        let rows = ["selection_rate", "screened"].map(row);
        watched
            .courses
            .note(lane, round, &rows, &[Some(mean), None]);
    };
    (1..=30).for_each(|n| (0..2).for_each(|lane| round(lane, n)));
    let (lines, course) = marks(&watched);
    assert!(
        !lines
            .iter()
            .chain(&course)
            .any(|label| label.contains("filled"))
    );
    watched.end(1, Ending::Filled.into());
    (31..=60).for_each(|n| round(0, n));
    let (lines, course) = marks(&watched);
    assert_eq!(lines, ["a: filled", "a: filled"], "a mark a panel");
    assert_eq!(
        course.iter().filter(|label| *label == "a: filled").count(),
        1,
        "{course:?}"
    );
    let html = section(&board(&watched, None), "lines");
    assert_eq!(html.matches(">a: filled<").count(), 2);
    // Both at once: the run is over, which its first line says.
    watched.gauges.lanes[1].rounds.set(60);
    watched.end(0, Ending::Filled.into());
    assert!(marks(&watched).0.is_empty());
    for (ending, words) in [
        (Ending::Left, "left"),
        (Ending::Disqualified, "disqualified"),
        (Ending::Interrupted, "interrupted"),
    ] {
        watched.gauges.lanes[1].rounds.set(40);
        watched.end(1, ending.into());
        assert!(marks(&watched).0.contains(&format!("a: {words}")));
    }
}

/// The differences say how sure it is, from the first round on; the lines then have no bands, which
/// would all end at one place.
#[test]
fn the_difference_over_time_is_followed_from_the_first_round() {
    let watched = watched(false);
    let followed = |lane: usize, round: u64, value: f64| {
        let mean = crate::watch::courses::Mean {
            value,
            interval: Some((0.0, 1.0)),
        };
        let means = [Some(mean), None];
        watched.courses.note(lane, round, &[], &means);
    };
    let figures = |watched: &Watched| lines::figures(&moment(watched, &mut History::default()));
    assert!(figures(&watched).course.is_none());
    let mut widths = Vec::new();
    for round in 1..=60 {
        play(&watched, 0, round - 1..round, 4, &[0]);
        play(&watched, 1, round - 1..round, 4, &[0, 1, 2]);
        followed(0, round, 0.25);
        followed(1, round, 0.75);
        let figures = figures(&watched);
        let course = figures.course.expect("it is followed");
        assert_eq!(course.panels.len(), 1);
        let panel = &course.panels[0];
        let points = &panel.series[0].points;
        assert_eq!(
            (points[0].x, points.last().map(|p| p.x)),
            (1.0, Some(round as f64))
        );
        let last = points
            .last()
            .and_then(|point| point.y_span)
            .expect("an interval");
        let limits = panel.y.limits.expect("a window");
        assert!(
            limits.lo <= last.lo && last.hi <= limits.hi,
            "{last:?} in {limits:?}"
        );
        widths.push(last.hi - last.lo);
        let lines = figures.courses.expect("there are lines");
        let mut spans = lines.panels.iter().flat_map(|panel| &panel.series);
        assert!(spans.all(|series| series.points.iter().all(|p| p.y_span.is_none())));
    }
    assert!(
        widths[0] > 1.9 && widths[59] < 0.5 * widths[0],
        "{widths:?}"
    );
    // The baseline is ahead by a half a round: the moment is marked.
    let course = figures(&watched).course.expect("it is followed");
    let marks = course.panels[0]
        .marks
        .iter()
        .map(|mark| mark.label.as_str());
    let said = marks
        .filter(|label| label.starts_with("sure since round "))
        .count();
    assert_eq!(said, 1);
    let html = section(&board(&watched, None), "course");
    assert!(html.contains("The difference over time") && html.contains("sure since round "));
}
