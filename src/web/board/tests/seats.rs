//! Whom the policies select, against the target, and committees that fill up.

use super::four::{four, play_four};
use super::*;
use crate::compare::GroupRates;
use crate::protocol::{Attribute, Until};

/// A part of the board that is well-formed, and its words.
fn read(watched: &Watched, name: &str) -> (String, String) {
    let html = section(&board(watched, None), name);
    let words = said(Document::parse(&html).expect("it is well-formed").root());
    (html, words)
}

#[test]
fn shares_are_drawn_against_the_target_from_the_first_person_on() {
    let watched = four();
    assert_eq!(section(&board(&watched, None), "shares"), "<div></div>");
    play_four(&watched, 1..200);
    let figures = lines::figures(&moment(&watched, &mut History::default()));
    let figure = figures.shares.expect("people are selected");
    let titles: Vec<&str> = figure.panels.iter().map(|p| p.title.as_str()).collect();
    assert_eq!(titles, ["gender", "age"]);
    let first = &figure.panels[0].series[0];
    assert_eq!((first.name.as_str(), first.points.len()), ("first come", 2));
    // Of rounds 1 to 199 the first come are all, and two in five of them are men.
    let women = (1..200).filter(|round| round % 5 % 2 == 0).count() as f64 / 199.0;
    assert!((first.points[0].x - 100.0 * (women - 0.51)).abs() < 1e-9);
    assert_eq!(figure.panels[0].series.len(), 4);
    let (html, words) = read(&watched, "shares");
    assert!(
        words.contains("share less target (points)") && words.contains("F 51 %"),
        "{html}"
    );
    assert!(words.contains("The line at 0 is the target"), "{words}");
}

#[test]
fn without_a_target_the_shares_themselves_are_drawn() {
    let watched = watched(false);
    assert_eq!(section(&board(&watched, None), "shares"), "<div></div>");
    let schema = Schema::new(vec![gender()], vec![], false).expect("two cells");
    let mut rates = GroupRates::new(&Arc::new(schema), None, 0.05);
    (0..10_u16).for_each(|person| rates.add(&[person % 2], true));
    watched.all_select(&rates);
    let (_, words) = read(&watched, "shares");
    assert!(
        words.contains("share of the selected") && !words.contains("target"),
        "{words}"
    );
    // There are no seats to be filled.
    assert_eq!(section(&board(&watched, None), "seats"), "<div></div>");
}

fn gender() -> Attribute {
    Attribute {
        name: "gender".into(),
        values: vec!["F".into(), "<M>".into()],
    }
}

#[test]
fn the_committee_of_the_acting_policy_fills_up() {
    let schema = Arc::new(Schema::new(vec![gender()], vec![], false).expect("two cells"));
    let rates = GroupRates::new(&schema, None, 0.05);
    for (acting, committees) in [(true, 1), (false, 2)] {
        let watched = watched(acting).playing(vec!["cmdp", "greedy"], Until::Accepted(1000));
        watched.all_select(&rates);
        let empty = read(&watched, "seats").1;
        assert!(
            empty.contains("0 of 1,000 seats filled. A square is 3 seats."),
            "{empty}"
        );
        let shown = watched.rates.get().expect("they are known");
        for person in 0..30 {
            shown.show(0, &[u16::from(person % 3 == 0)], true);
        }
        let (html, words) = read(&watched, "seats");
        assert_eq!(html.matches("<figcaption>").count(), committees);
        assert!(
            words.contains("The committee of \u{201c}b <i>\u{201d} by gender"),
            "{words}"
        );
        assert!(words.contains("30 of 1,000 seats filled."), "{words}");
        assert!(words.contains("F20<M>10"), "{words}");
        // 20 of 3 a square are 7 squares, 30 are 10: a row holds 25.
        assert!(
            html.contains("M0 0h77v11h-77z") && html.contains("M77 0h33v11h-33z"),
            "{html}"
        );
        assert_eq!(words.contains("of \u{201c}a\u{201d} by"), !acting);
    }
}

/// Of many groups the last are one; each attribute with a target has a picture of the acting
/// policy's committee.
#[test]
fn many_groups_are_told_apart_as_far_as_there_are_shades() {
    let attribute = |name: &str, many: usize| Attribute {
        name: name.into(),
        values: (1..=many).map(|n| format!("g{n}")).collect(),
    };
    let attributes = vec![
        attribute("region", 9),
        attribute("age", 3),
        attribute("sex", 2),
    ];
    let schema = Arc::new(Schema::new(attributes, vec![], false).expect("54 cells"));
    let rows = vec![(0, vec![1.0 / 9.0; 9]), (2, vec![0.5; 2])];
    let target = Arc::new(crate::protocol::Target::new(&schema, rows));
    let mut rates = GroupRates::new(&schema, Some(&target), 0.05);
    (0..18_u16).for_each(|person| rates.add(&[person % 9, 0, person % 2], true));
    let watched = watched(true).playing(vec!["cmdp", "greedy"], Until::Accepted(30));
    watched.all_select(&rates);
    let (html, words) = read(&watched, "seats");
    assert_eq!(html.matches("<figcaption>").count(), 2, "{words}");
    assert!(words.contains("g12g22g32g42g52others8"), "{words}");
    assert!(
        !words.contains("A square is") && !words.contains("by age"),
        "{words}"
    );
}

/// Counts of groups are all that is drawn: ids stay hidden where they are hidden.
#[test]
fn no_person_is_named_by_a_picture_of_the_selected() {
    let watched = four();
    play_four(&watched, 1..40);
    for name in ["shares", "seats"] {
        let html = section(&board(&watched, None), name);
        assert!(
            !html.contains("data-w") && !html.contains("person"),
            "{html}"
        );
    }
}
