//! The end of a run, and policies that failed.

use super::*;

#[test]
fn a_run_that_is_over_says_what_was_done_and_leads_to_its_report() {
    use crate::watch::served::ReportPage;
    use kleroterion_core::protocol::Until;

    let mut watched = watched(false);
    watched.kinds = vec!["accept_all", "cmdp"];
    watched.until = Some(Until::Accepted(8));
    for lane in 0..2 {
        play(&watched, lane, 1..9, 1, &[0]);
        watched.gauges.lanes[lane].accepted.add(8 - 2 * lane as u64);
    }
    watched.came(9);
    let progress = text(&board(&watched, None), "progress");
    assert!(
        progress.contains("6 of 8 seats (fewest: \u{201c}a\u{201d})"),
        "{progress}"
    );
    watched.enter(Stage::Over);
    let now = board(&watched, None);
    let stage = text(&now, "stage");
    assert!(
        stage.contains("Over: 1 of 2 policies filled their 8 seats in 0 s"),
        "{stage}"
    );
    assert_eq!(
        (&*text(&now, "end"), &*text(&now, "report")),
        ("9 people came.", "")
    );
    watched.gauges.lanes[1].accepted.add(2);
    drop(watched.report.set(ReportPage::default()));
    let now = board(&watched, None);
    assert!(text(&now, "stage").contains("Over: 8 of 8 seats filled by each policy in 0 s"));
    assert_eq!(text(&now, "report"), "Read the report");
    assert!(text(&now, "progress").is_empty());
}

#[test]
fn policies_that_failed_are_named_at_the_top() {
    let watched = watched(false);
    assert!(rows(&board(&watched, None), "alerts").is_empty());
    watched.gauges.lanes[0].rounds.add(1300);
    watched.gauges.lanes[0].forfeits.add(2);
    watched.end(1, Stop::because(Ending::Disqualified, "it <chose> slot 4"));
    let alerts = words(&board(&watched, None), "alerts");
    assert!(!alerts.contains("error line"), "{alerts}");
    for words in [
        "\u{201c}a\u{201d} plays no more (disqualified, after 0 rounds): it <chose> slot 4",
        "did not answer in time in 2 of 1,300 rounds",
    ] {
        assert!(alerts.contains(words), "{alerts}");
    }
}

/// Checks that the flow precedes the answer once something was refused or outcomes are reported.
#[test]
fn the_flow_comes_first_where_something_is_wrong() {
    let parts = |watched: &Watched| {
        let now = board(watched, None);
        ["flow-first", "flow"].map(|id| rows(&now, id).len())
    };
    for gauge in [
        |watched: &Watched| watched.gauges.refused.add(1),
        |watched: &Watched| watched.gauges.outcomes.add(1),
    ] {
        let watched = watched(false);
        assert_eq!(parts(&watched)[0], 0);
        let below = parts(&watched)[1];
        gauge(&watched);
        assert_eq!(parts(&watched), [below + 1, 0]);
    }
}

/// A policy's decision to choose the only person of round 1.
fn chosen(policy: &str) -> Decision {
    Decision {
        replication: 0,
        round: 1,
        policy: policy.into(),
        shown: vec!["p".into()],
        groups: Vec::new(),
        chosen: vec!["p".into()],
        declined: Vec::new(),
        forfeit: false,
        p: None,
        reason: Vec::new(),
        cost: 0.0,
        at: Vec::new(),
        ..Decision::default()
    }
}

/// Policies are in one order and in the same colours in the strip, the table, the lines, the report.
#[test]
fn a_policy_has_one_look_everywhere() {
    use kleroterion_report::report::figure::{PolicyLooks, class_of, sample_of};
    use roxmltree::Node;

    let labels = ["lambda 10", "lambda 2", "lambda 1"];
    let judge = Judge {
        metrics: vec!["selection_rate".into()],
        ..Judge::default()
    };
    let schema = Arc::new(Schema::default());
    let watched = Watched::new(
        "a run".into(),
        schema,
        labels.map(Arc::from).into(),
        None,
        judge,
    );
    for (lane, label) in labels.into_iter().enumerate() {
        let row = MetricRow {
            metric: "selection_rate".into(),
            at: None,
            value: 0.5,
        };
        let mean = crate::watch::courses::Mean {
            value: 0.5,
            interval: None,
        };
        watched.courses.note(lane, 1, &[row], &[Some(mean)]);
        let decision = chosen(label);
        let slots = vec![0];
        watched.decisions.hand(
            lane,
            [Unplaced {
                slots,
                decision: decision.into(),
            }],
        );
        watched.gauges.lanes[lane].rounds.set(1);
    }
    let now = board(&watched, None);
    let looks = PolicyLooks::of(labels);
    let page = xml(&page_html(&watched, &now, None));
    let page = Document::parse(&page).expect("it is well-formed");
    let said = |node: Node<'_, '_>| -> String {
        let texts = node.descendants().filter(|node| node.is_text());
        texts.filter_map(|node| node.text()).collect()
    };
    let named = |name: &'static str| page.descendants().filter(move |n| n.has_attribute(name));
    let strip: Vec<_> = named("data-c").collect();
    let lanes: Vec<_> = named("data-lane").collect();
    let cells = named("data-r")
        .next()
        .expect("a column")
        .children()
        .filter(Node::is_element);
    let cells: Vec<_> = cells.filter_map(|cell| cell.attribute("class")).collect();
    let known = ["lambda 1", "lambda 2", "lambda 10"];
    for (place, label) in known.into_iter().enumerate() {
        let look = looks.look(label).expect("it has one");
        let class = class_of(look);
        assert_eq!(said(strip[place]), label);
        assert_eq!(strip[place].attribute("data-c"), Some(class));
        assert_eq!(cells[place], format!("y {class}"));
        assert_eq!(
            lanes[place].attribute("data-lane"),
            Some(&*place.to_string())
        );
        assert!(said(lanes[place]).starts_with(label));
        assert_eq!(
            lanes[place].attribute("class"),
            Some(&*format!("c-{class}"))
        );
        assert!(
            page.input_text().matches(&sample_of(look)).count() == 2,
            "{label}"
        );
    }
    // A line has a value of each, in this order.
    assert_eq!(now.charts["line-0"].points, [(1, vec![Some(50.0); 3])]);
}

/// Checks that a failed program's last error line is shown at its lane, as harmless text.
#[test]
fn a_failing_program_s_last_error_line_is_shown() {
    use kleroterion_io::seat::LastError;

    let last = Arc::new(LastError::default());
    let long = "x".repeat(100_000);
    last.note(
        format!("Traceback\nIndexError: <b>\u{1b}[2J {long}\n\n").as_bytes(),
        kleroterion_io::seat::ProgramWords::Shown,
    );
    let errors = vec![Some(Arc::clone(&last)), Some(last)];
    let mut watched = watched(false);
    watched.errors = errors;
    for name in ["alerts", "health"] {
        let html = words(&board(&watched, None), name);
        assert!(!html.contains("IndexError"), "it plays: {html}");
    }
    watched.end(1, Stop::because(Ending::Left, "its program ended"));
    watched.end(0, Ending::Filled.into());
    for name in ["alerts", "health"] {
        let html = words(&board(&watched, None), name);
        assert_eq!(
            html.matches("IndexError: <b>⟨U+001B⟩[2J xxx").count(),
            1,
            "{html}"
        );
        assert!(
            !html.contains('\u{1b}') && html.len() < 5_000,
            "{}",
            html.len()
        );
    }
}
