use super::super::{GlanceCourse, GlancePeople};
use super::*;
use crate::web::board::HiringWords;

/// A run of three policies, one of them with a long label.
fn glance() -> Glance {
    let lane = |label: &str, mean: f64, verdict| GlanceLane {
        label: label.into(),
        rounds: 214,
        selected: 57,
        value: Some(0.0525 + mean),
        course: (0..200).map(|n| 1.0 / f64::from(n + 4)).collect(),
        difference: Some(GlanceDifference {
            mean,
            interval: Some((mean - 0.02, mean + 0.02)),
            verdict,
            standing: Standing::Sure,
        }),
        ..GlanceLane::default()
    };
    let long = "a policy whose label goes on for longer than any terminal likes it";
    Glance {
        name: "Citizens' assembly".into(),
        stage: Stage::Following,
        headline: "\u{201c}queue\u{201d} represents best".into(),
        measure: Some(("representation_loss".into(), Direction::Lower)),
        measures: vec!["representation_loss".into()],
        shown: 0,
        left: None,
        people: Vec::new(),
        course: None,
        hiring: None,
        baseline: Some("all".into()),
        lanes: vec![
            lane(long, 0.04, Verdict::Worse),
            GlanceLane {
                label: "all".into(),
                acts: true,
                selected: 1_200,
                value: Some(0.1),
                ..GlanceLane::default()
            },
            lane("queue", -0.031, Verdict::Better),
        ],
        seats: Some(1_500),
        came: 1_234,
        rate: Some(25.2),
        last: Some("round 214, ann: chosen by \u{201c}queue\u{201d}".into()),
        holds: Some(("queue".into(), 0.34)),
        interviews: 0,
    }
}

fn text(lines: &[GlanceLine]) -> String {
    let line = |line: &GlanceLine| {
        let words: String = line.iter().map(|(_, words)| words.as_str()).collect();
        words.trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}

/// The screen without the codes of weight and colour.
fn words(shown: &str) -> String {
    let mut parts = shown.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let is_look = |codes: &str| {
        codes
            .bytes()
            .all(|code| code.is_ascii_digit() || code == b';')
    };
    let rest = parts.map(|part| match part.split_once('m') {
        Some((codes, rest)) if is_look(codes) => rest.to_owned(),
        _ => format!("\u{1b}[{part}"),
    });
    first + &rest.collect::<String>()
}

#[test]
fn the_screen_fits_at_each_size() {
    let notes = [
        "feed: 127.0.0.1:8090".to_owned(),
        "note: \u{1b}[2J".to_owned(),
    ];
    for (columns, rows) in [(80, 24), (100, 24), (120, 30), (200, 60)] {
        let view = GlanceView {
            columns,
            rows,
            ..GlanceView::default()
        };
        let lines = drawn(&glance(), &notes, &view);
        assert_eq!(lines.len(), rows);
        let text = text(&lines);
        let wide = text.lines().find(|line| line.width() > columns);
        assert_eq!(wide, None);
        // Colours repeat what the words say.
        let coloured = ansi(&lines, true);
        assert!(coloured.contains("\u{1b}[32m") && coloured.contains("\u{1b}[1m"));
        assert_eq!(words(&coloured), words(&ansi(&lines, false)), "{columns}");
        insta::assert_snapshot!(format!("screen_at_{columns}"), text.trim_end());
    }
}

#[test]
fn a_small_terminal_and_many_lanes_keep_the_keys_and_the_verdict() {
    let mut many = glance();
    many.lanes = (0..40).map(|_| many.lanes[2].clone()).collect();
    for (columns, rows) in [(80, 24), (20, 6), (1, 1), (0, 0)] {
        let view = GlanceView {
            columns,
            rows,
            has_help: true,
            ..GlanceView::default()
        };
        let lines = drawn(&many, &[], &view);
        assert_eq!(lines.len(), rows);
        let text = text(&lines);
        assert!(text.lines().all(|line| line.width() <= columns), "{text}");
        if rows == 24 {
            assert!(
                text.contains("represents best") && text.contains("q stop"),
                "{text}"
            );
            assert!(text.contains("more\n"), "{text}");
        }
    }
}

#[test]
fn without_colour_there_are_no_colours_and_never_a_control_of_a_name() {
    let view = GlanceView {
        columns: 80,
        rows: 24,
        ..GlanceView::default()
    };
    let lines = drawn(&glance(), &["note: \u{1b}[2J\u{7}".to_owned()], &view);
    let bare = ansi(&lines, false);
    assert!(!bare.contains("m") || !bare.contains("\u{1b}[3"), "{bare}");
    assert!(!bare.contains("\u{1b}[2J") && !bare.contains('\u{7}'));
    assert!(ansi(&lines, true).contains("\u{1b}[32msure: better \u{2212}0.031"));
}

#[test]
fn a_long_answer_is_read_whole_where_there_is_room() {
    let mut glance = glance();
    let measure = "\u{201c}queue\u{201d} represents best on a measure with a long name; ";
    glance.headline = measure.repeat(4) + "the end";
    let shown = |columns, rows| {
        let view = GlanceView {
            columns,
            rows,
            ..GlanceView::default()
        };
        text(&drawn(&glance, &[], &view))
    };
    let whole = shown(100, 40);
    let answer = whole.split("representation_loss").next().expect("a head");
    assert!(
        answer.ends_with("the end.\n\n") && !answer.contains('\u{2026}'),
        "{whole}"
    );
    let cut = shown(60, 6);
    let answer = cut.lines().nth(1).expect("an answer");
    assert!(answer.ends_with('\u{2026}'), "{cut}");
}

#[test]
fn it_says_what_people_are_waited_for_and_no_interval_of_a_fact() {
    let view = GlanceView {
        columns: 100,
        rows: 24,
        ..GlanceView::default()
    };
    let mut glance = glance();
    glance.holds = None;
    assert!(text(&drawn(&glance, &[], &view)).contains("holds back     no lane\n"));
    glance.interviews = 7;
    for lane in &mut glance.lanes {
        if let Some(difference) = &mut lane.difference {
            difference.interval = None;
            difference.standing = Standing::SoFar;
        }
    }
    let shown = text(&drawn(&glance, &[], &view));
    assert!(
        shown.contains("holds back     7 interviews that people are to hold\n"),
        "{shown}"
    );
    assert!(!shown.contains("interval"), "{shown}");
}

#[test]
fn the_last_error_line_of_a_program_that_failed_is_shown() {
    let mut glance = glance();
    let view = GlanceView {
        columns: 80,
        rows: 24,
        ..GlanceView::default()
    };
    assert!(!text(&drawn(&glance, &[], &view)).contains("error line"));
    glance.lanes[2].error = Some("IndexError: \u{1b}[2J".into());
    let shown = text(&drawn(&glance, &[], &view));
    let line = "error line     \u{201c}queue\u{201d}: IndexError: ⟨U+001B⟩[2J\n";
    assert!(shown.contains(line), "{shown}");
}

#[test]
fn the_measures_are_tabs_with_the_keys_that_choose_them() {
    let view = GlanceView {
        columns: 100,
        rows: 24,
        ..GlanceView::default()
    };
    let mut glance = glance();
    let one = text(&drawn(&glance, &[], &view));
    assert!(!one.contains("[1]") && one.contains("q stop   p pause   ? help"));
    glance.measures.push("Chosen of 100".into());
    let two = text(&drawn(&glance, &[], &view));
    assert!(
        two.contains("[1] representation_loss (less is better)   2 Chosen of 100\n"),
        "{two}"
    );
    assert!(
        two.contains("q stop   p pause   1-2 measure   ? help"),
        "{two}"
    );
    glance.shown = 1;
    let other = text(&drawn(&glance, &[], &view));
    assert!(
        other.contains("1 representation_loss   [2] Chosen of 100 (less is better)\n"),
        "{other}"
    );
}

#[test]
fn seats_are_bars_and_a_yardstick_has_no_verdict() {
    let view = GlanceView {
        columns: 140,
        rows: 24,
        ..GlanceView::default()
    };
    let mut glance = glance();
    let shown = text(&drawn(&glance, &[], &view));
    assert!(
        shown.contains("selected of 1,500 ") && shown.contains('\u{2591}'),
        "{shown}"
    );
    assert!(!shown.contains("yardstick") && !shown.contains("left"));
    for (left, said) in [(12.2, "13 s"), (600.0, "10 min"), (7_200.0, "2 h")] {
        glance.left = Some(left);
        let said = format!("; about {said} left");
        assert!(text(&drawn(&glance, &[], &view)).contains(&said), "{said}");
    }
    glance.seats = None;
    glance.lanes[2].is_yardstick = true;
    let shown = text(&drawn(&glance, &[], &view));
    assert!(
        shown.contains("over the run") && shown.contains('\u{2581}'),
        "{shown}"
    );
    let row = shown
        .lines()
        .find(|line| line.contains("queue  "))
        .expect("a row");
    assert!(row.ends_with("yardstick"), "{row}");
}

/// A hiring round begins with what is to be done, and never with what is compared.
#[test]
fn a_hiring_round_shows_the_next_step_and_the_applicants() {
    let view = GlanceView {
        columns: 100,
        rows: 30,
        ..GlanceView::default()
    };
    let mut glance = glance();
    glance.headline = "Nothing is compared".into();
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    glance.hiring = Some(HiringWords {
        headline: "Hold a visit with gus".into(),
        lines: vec!["If no more is heard, \u{201c}swap\u{201d} proposes ann.".into()],
        facts: vec!["8 of 14 spent (held: phone 8)".into()],
        table: vec![
            row(["Applicant", "Estimate", "State"]),
            row(["ann (F)", "7.1 \u{b1} 1.0", "in so far"]),
            row(["gus (M)", "5.0 \u{b1} 2.0", "visit next (out so far)"]),
        ],
    });
    let shown = text(&drawn(&glance, &[], &view));
    assert!(shown.contains("Hold a visit with gus.\n"), "{shown}");
    assert!(!shown.contains("compared"), "{shown}");
    assert!(
        shown.contains("gus (M)    5.0 \u{b1} 2.0  visit next (out so far)\n"),
        "{shown}"
    );
    assert!(shown.contains("8 of 14 spent"), "{shown}");
    // Lanes without a measure say nothing, until one breaks off.
    assert!(shown.contains("policy  "), "{shown}");
    glance.measure = None;
    assert!(!text(&drawn(&glance, &[], &view)).contains("policy  "));
    glance.lanes[2].ended = Some("panicked".into());
    assert!(text(&drawn(&glance, &[], &view)).contains("ended: panicked"));
    let small = GlanceView { rows: 12, ..view };
    let shown = text(&drawn(&glance, &[], &small));
    assert!(
        shown.contains("Hold a visit with gus.\n") && shown.contains("q stop"),
        "{shown}"
    );
}

#[test]
fn the_latest_people_and_the_course_lie_below_where_there_is_room() {
    let mut glance = glance();
    for (at, lane) in glance.lanes.iter_mut().enumerate() {
        lane.place = at;
    }
    let people = |round: u64| GlancePeople {
        round,
        who: format!("F{round}"),
        chose: vec![Some(round.is_multiple_of(2)), Some(true), None],
    };
    glance.people = (1..=20).map(people).collect();
    let point = |n: u64| {
        let half = 8.0 / (n as f64).sqrt();
        (n, 2.0, Some((2.0 - half, 2.0 + half)))
    };
    glance.course = Some(GlanceCourse {
        sides: ["queue", "all"].map(str::to_owned),
        points: (1..=100).map(point).collect(),
        sure: Some(17),
    });
    let shown = |columns, rows| {
        let view = GlanceView {
            columns,
            rows,
            ..GlanceView::default()
        };
        let lines = drawn(&glance, &[], &view);
        let text = text(&lines);
        assert!(text.lines().all(|line| line.width() <= columns), "{text}");
        text
    };
    let wide = shown(120, 30);
    assert!(
        wide.contains("queue less all") && wide.contains("sure since 17"),
        "{wide}"
    );
    let newest = wide
        .lines()
        .find(|line| line.contains("last people"))
        .expect("people");
    assert!(newest.ends_with("F20"), "{newest}");
    let narrow = shown(80, 30);
    assert!(
        narrow.contains("last people") && !narrow.contains("queue less all"),
        "{narrow}"
    );
    let low = shown(120, 14);
    assert!(
        !low.contains("last people") && low.contains("queue"),
        "{low}"
    );
    insta::assert_snapshot!("screen_with_people_and_a_course", wide.trim_end());
}
