use super::*;

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
        people: 1_234,
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
        answer.ends_with("the end.\n") && !answer.contains('\u{2026}'),
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
