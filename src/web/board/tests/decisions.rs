//! The strip of the latest decisions, and the newest in words.

use super::*;

/// Of each column of the strip who was shown, and the class and the words of each cell.
fn columns(board: &Board) -> Vec<(String, Vec<(String, String)>)> {
    let column = |column: &crate::web::board::decisions::BoardColumn| {
        let document = Document::parse(&column.html).expect("it is well-formed");
        let column = document.root_element();
        let of =
            |node: Node<'_, '_>, name: &str| node.attribute(name).unwrap_or_default().to_owned();
        let cells = column
            .children()
            .map(|cell| (of(cell, "class"), of(cell, "data-y")));
        (of(column, "data-w"), cells.collect())
    };
    board.columns.iter().map(column).collect()
}

#[test]
fn whom_only_a_shadow_would_have_taken_is_unobserved() {
    for acting in [true, false] {
        let watched = watched(acting);
        let decide = |round: u64, of: [&[u32]; 2]| {
            for (lane, chosen) in of.into_iter().enumerate() {
                play(&watched, lane, round..round + 1, 3, chosen);
            }
        };
        decide(1, [&[0, 2], &[2]]);
        decide(2, [&[0], &[0, 1]]);
        decide(3, [&[], &[]]);
        decide(4, [&[1], &[1]]);
        // The last is not committed yet, and not shown where a policy acts.
        watched.acted.send_replace(if acting { 3 } else { 0 });
        let mut columns = columns(&board(&watched, None));
        if !acting {
            assert_eq!(columns.pop().unwrap().0, "Round 4, 3 people");
        }
        let all: Vec<&str> = columns.iter().map(|(who, _)| who.as_str()).collect();
        assert_eq!(
            all,
            [
                "Round 1, 3 people",
                "Round 2, 3 people",
                "Round 3, 3 people"
            ]
        );
        // In label order: the shadow, then the one that acts.
        let marked = |column: usize, cell: usize| columns[column].1[cell].0.contains('u');
        assert_eq!(marked(1, 0), acting);
        assert!(!marked(1, 1) && !marked(2, 0) && !marked(0, 0) && !marked(0, 1));
        assert_eq!(columns[0].1[1].1, "2 of 3 (p0, p2): x<y \u{2212}1.5");
        assert_eq!(
            columns[2].1[0],
            (String::new(), "not chosen: x<y \u{2212}1.5".to_owned())
        );
        let said = columns[1].1[0].1.contains("unobserved");
        assert_eq!(said, acting);
    }
}

#[test]
fn the_latest_decisions_go_on_when_the_acting_policy_has_ended() {
    let watched = watched(true);
    for lane in 0..2 {
        play(&watched, lane, 1..34, 1, &[0]);
    }
    watched.acted.send_replace(32);
    watched.decisions.end(0);
    watched.end(0, Ending::Filled.into());
    play(&watched, 1, 34..61, 1, &[0]);
    let newest = || columns(&board(&watched, None)).pop().expect("a column").0;
    assert_eq!(
        newest(),
        "Round 32, person p0",
        "round 33 is not committed yet"
    );
    watched.acted.send_replace(33);
    assert_eq!(newest(), "Round 60, person p0");
    assert_eq!(columns(&board(&watched, None)).pop().unwrap().1[1].0, "e");
    let now = board(&watched, None);
    let stage = section(&now, "stage");
    assert!(
        !stage.contains(" acts") && stage.contains("has ended"),
        "{stage}"
    );
    assert!(!section(&now, "lanes").contains(">acting<"));
}

#[test]
fn only_the_latest_rounds_are_shown_and_the_newest_is_said() {
    let watched = watched(false);
    for lane in 0..2 {
        play(&watched, lane, 1..201, 1, &[0][lane..]);
    }
    let now = board(&watched, None);
    let all = columns(&now);
    assert_eq!((all.len(), &*all[0].0), (120, "Round 81, person p0"));
    let said = "data-said=\"Round 200, person p0: \u{201c}a\u{201d} not chosen; \u{201c}b \
                &lt;i&gt;\u{201d} chosen.\"";
    let html = section(&now, "latest");
    assert!(html.contains(said), "{html}");
    // Rounds stay in their rows of the page: 181 to 240, 121 to 180, 61 to 120.
    let page = page_html("t", &now, None);
    let rows = page.split("data-first=\"").skip(1);
    let rows: Vec<&str> = rows.filter_map(|row| row.split('"').next()).collect();
    assert_eq!(rows, ["181", "121", "61"]);
    // What was there before is not sent again.
    for lane in 0..2 {
        play(&watched, lane, 201..204, 1, &[0][lane..]);
    }
    let next = board(&watched, Some(&now));
    let sent = changes(&next, now.number, None).expect("news");
    let rounds: Vec<u64> = sent["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one[0].as_u64().unwrap())
        .collect();
    assert_eq!(
        (rounds, &sent["whole"]),
        (vec![201, 202, 203], &false.into())
    );
}

/// Of "accept all" nearly every column would be lit.
#[test]
fn columns_are_lit_where_policies_disagree_that_are_no_yardsticks() {
    use super::four::{four, play_four};
    let lit = |watched: &Watched| -> Vec<u64> {
        let now = board(watched, None);
        let lit = now
            .columns
            .iter()
            .filter(|column| column.html.contains("class='x'"));
        lit.map(|column| column.round).collect()
    };
    let mut watched = four();
    play_four(&watched, 1..60);
    let all = lit(&watched);
    watched.judge.yardsticks = vec!["first come".into()];
    let of_policies = lit(&watched);
    assert!(
        !of_policies.is_empty() && of_policies.len() < all.len(),
        "{of_policies:?}"
    );
    assert!(section(&board(&watched, None), "latest").contains("yardsticks do not count"));
}

#[test]
fn an_empty_board_says_how_to_send_the_first_person() {
    let watched = watched(false);
    let latest = || section(&board(&watched, None), "latest");
    assert!(latest().contains("No round has been decided yet") && !latest().contains("curl"));
    let step = "curl --json '{\"id\":\"ann\"}' http://127.0.0.1:8090/v1/decisions";
    drop(watched.first_step.set(step.into()));
    assert!(
        latest().contains("curl --json &#39;{&quot;id&quot;"),
        "{}",
        latest()
    );
    play(&watched, 0, 1..2, 1, &[0]);
    play(&watched, 1, 1..2, 1, &[0]);
    assert!(!latest().contains("curl"));
}
