//! The numbers that the charts draw.

use super::*;

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

/// The words of the marks in the lines.
fn marks(watched: &Watched) -> Vec<String> {
    let now = board(watched, None);
    let marks = now.charts["line-1"].marks.value.iter();
    marks.map(|(_, words)| words.clone()).collect()
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
    assert!(marks(&watched).is_empty());
    watched.end(1, Ending::Filled.into());
    (31..=60).for_each(|n| round(0, n));
    assert_eq!(marks(&watched), ["a: filled"]);
    // Both at once: the run is over, which its first line says.
    watched.gauges.lanes[1].rounds.set(60);
    watched.end(0, Ending::Filled.into());
    assert!(marks(&watched).is_empty());
    for (ending, words) in [
        (Ending::Left, "left"),
        (Ending::Disqualified, "disqualified"),
        (Ending::Interrupted, "interrupted"),
    ] {
        watched.gauges.lanes[1].rounds.set(40);
        watched.end(1, ending.into());
        assert!(marks(&watched).contains(&format!("a: {words}")));
    }
}

/// The difference is followed from the first round on, in its interval; the moment at which it
/// became sure is marked.
#[test]
fn the_difference_over_time_is_followed_from_the_first_round() {
    let watched = watched(false);
    assert!(board(&watched, None).charts["funnel"].points.is_empty());
    let mut widths = Vec::new();
    for round in 1..=60 {
        play(&watched, 0, round..round + 1, 4, &[0]);
        play(&watched, 1, round..round + 1, 4, &[0, 1, 2]);
        let now = board(&watched, None);
        let funnel = &now.charts["funnel"];
        let ends = [funnel.points.first(), funnel.points.last()];
        assert_eq!(ends.map(|point| point.expect("a point").0), [1, round]);
        let last = &funnel.points.last().expect("a point").1;
        let (Some(lo), Some(hi)) = (last[1], last[2]) else {
            panic!("no interval: {last:?}");
        };
        widths.push(hi - lo);
    }
    assert!(
        widths[0] > 1.9 && widths[59] < 0.5 * widths[0],
        "{widths:?}"
    );
    // The other is ahead by a half a round: the moment is marked.
    let now = board(&watched, None);
    let marks = &now.charts["funnel"].marks.value;
    assert!(
        marks.len() == 1 && marks[0].1.starts_with("sure since round "),
        "{marks:?}"
    );
    assert_eq!(text(&now, "funnel-says"), "\u{2713} sure");
}

/// Checks that a difference of policies with seats is expected to end where the first has filled
/// them, and not once one has ended.
#[test]
fn a_difference_ends_where_the_first_of_two_is_full() {
    let mut watched = watched(false);
    watched.until = Some(kleroterion_core::protocol::Until::Accepted(80));
    let until = |watched: &Watched| {
        let now = board(watched, None);
        assert!(!now.charts["funnel"].points.is_empty());
        let sent = sent(&now, 0).expect("all");
        assert_eq!(
            sent["charts"]["funnel"]["until"],
            serde_json::json!(now.charts["funnel"].until.value)
        );
        now.charts["funnel"].until.value
    };
    for lane in 0..2 {
        play(&watched, lane, 1..21, 4, &[0, 1][lane..]);
        watched.gauges.lanes[lane].accepted.set([40, 20][lane]);
    }
    assert_eq!(until(&watched), Some(40));
    watched.end(1, Ending::Left.into());
    assert_eq!(until(&watched), None);
    watched.until = Some(kleroterion_core::protocol::Until::Rounds(500));
    assert_eq!(until(&watched), Some(500));
}

/// A viewer is sent the points that are new to it, and all of another thing.
#[test]
fn charts_get_the_points_that_are_new() {
    let watched = watched(false);
    let mut history = History::default();
    let begun = Instant::now();
    let mut boards: Vec<Board> = Vec::new();
    for half in 0..50_u64 {
        for lane in 0..2 {
            play(&watched, lane, half + 1..half + 2, 1, &[0][lane..]);
        }
        watched.leave_all();
        let at = begun + Duration::from_millis(500 * half);
        boards.push(Board::of(
            &Moment::of(&watched, &mut history, at),
            boards.last(),
        ));
    }
    let now = boards.last().expect("a board");
    let chart = |known: u64| sent(now, known).expect("news")["charts"]["line-0"].clone();
    assert_eq!(chart(49)["add"], serde_json::json!([[50, 0.0, 100.0]]));
    assert_eq!(chart(45)["add"].as_array().expect("points").len(), 5);
    // Who has missed more than is kept is sent all.
    assert!(chart(5)["all"].is_array() && chart(0)["all"].is_array());
    assert!(chart(12).get("all").is_none());
}
