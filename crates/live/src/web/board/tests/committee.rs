//! Whom the policies have chosen so far, by their groups, against the target.

use super::many::{four, play_four};
use super::*;
use kleroterion_core::protocol::{Attribute, Target, Until};
use kleroterion_stats::GroupRates;

/// The cells of a policy's committee: a group, its share and the points from the target.
fn committee(board: &Board, place: usize) -> Vec<Vec<String>> {
    rows(board, &format!("committee-{place}"))
}

#[test]
fn shares_are_held_against_the_target_from_the_first_person_on() {
    let watched = four();
    assert!(
        committee(&board(&watched, None), 0)
            .iter()
            .all(|row| row[1].is_empty())
    );
    play_four(&watched, 1..200);
    let now = board(&watched, None);
    // Of rounds 1 to 199 the first come are all, and two in five of them are men.
    let women = (1..200).filter(|round| round % 5 % 2 == 0).count() as f64 / 199.0;
    let known = format!("{:.0} % +{:.1}", 100.0 * women, 100.0 * (women - 0.51));
    let first = committee(&now, 0);
    assert_eq!(first[0], ["F".to_owned(), known]);
    assert_eq!(first.len(), 5);
    let bar = &now.tables["committee-0"].rows[0][1].value;
    let (share, tick) = (bar.share.expect("a bar"), bar.tick.expect("a tick"));
    assert!((share / tick - women / 0.51).abs() < 0.01, "{share} {tick}");
}

#[test]
fn without_a_target_there_is_no_tick() {
    let watched = watched(false);
    assert!(committee(&board(&watched, None), 0).is_empty());
    let schema = Schema::new(vec![gender()], vec![], false).expect("two cells");
    let mut rates = GroupRates::new(&Arc::new(schema), None, 0.05);
    (0..10_u16).for_each(|person| rates.add(&[person % 2], true));
    watched.all_select(&rates);
    let now = board(&watched, None);
    assert_eq!(committee(&now, 0), [["F", "50 %"], ["<M>", "50 %"]]);
    let bar = &now.tables["committee-0"].rows[0][1].value;
    assert_eq!((bar.share, bar.tick), (Some(0.5), None));
}

fn gender() -> Attribute {
    Attribute {
        name: "gender".into(),
        values: vec!["F".into(), "<M>".into()],
    }
}

/// The acting policy's committee is shown first; else the leader's. Who has chosen another is sent
/// that one.
#[test]
fn the_committee_that_is_shown_first_is_that_of_who_acts() {
    let schema = Arc::new(Schema::new(vec![gender()], vec![], false).expect("two cells"));
    let rates = GroupRates::new(&schema, None, 0.05);
    for acting in [true, false] {
        let mut watched = watched(acting);
        watched.kinds = vec!["cmdp", "greedy"];
        watched.until = Some(Until::Accepted(1000));
        watched.all_select(&rates);
        let seats = |watched: &Watched| rows(&board(watched, None), "lanes")[2][1].clone();
        assert_eq!(seats(&watched), "0 of 1,000 seats");
        let shown = watched.rates.get().expect("they are known");
        for person in 0..30 {
            shown.show(0, &[u16::from(person % 3 == 0)], true);
            watched.gauges.lanes[0].accepted.add(1);
        }
        let now = board(&watched, None);
        assert_eq!(seats(&watched), "30 of 1,000 seats");
        // In the order of the labels the one that acts is the second.
        let first = if acting { 1 } else { now.order.value[0] };
        assert_eq!(now.foremost.value, first);
        assert_eq!(committee(&now, 1), [["F", "67 %"], ["<M>", "33 %"]]);
        let sent = |lane| {
            let view = View {
                lane,
                ..View::default()
            };
            let event = changes(&now, 0, view, None).expect("all");
            event["tables"]["committee"].to_string()
        };
        assert_eq!(sent(None).contains("67 %"), first == 1);
        assert!(sent(Some(1)).contains("67 %") && !sent(Some(0)).contains("67 %"));
    }
}

/// Checks that attributes without a target are left out if others have one, and that many groups
/// are cut to the first.
#[test]
fn groups_with_a_target_are_shown() {
    let attribute = |name: &str, many: usize| Attribute {
        name: name.into(),
        values: (1..=many).map(|n| format!("{name}{n}")).collect(),
    };
    let attributes = vec![
        attribute("region", 9),
        attribute("age", 3),
        attribute("sex", 5),
    ];
    let schema = Arc::new(Schema::new(attributes, vec![], false).expect("135 cells"));
    let targets = vec![(0, vec![1.0 / 9.0; 9]), (2, vec![0.2; 5])];
    let target = Arc::new(Target::new(&schema, targets));
    let mut rates = GroupRates::new(&schema, Some(&target), 0.05);
    (0..18_u16).for_each(|person| rates.add(&[person % 9, 0, person % 2], true));
    let mut watched = watched(true);
    watched.kinds = vec!["cmdp", "greedy"];
    watched.until = Some(Until::Accepted(30));
    watched.all_select(&rates);
    let shown = committee(&board(&watched, None), 1);
    let names: Vec<&str> = shown.iter().map(|row| &*row[0]).collect();
    assert_eq!((names.len(), names[8], names[11]), (12, "region9", "sex3"));
}

/// Counts of groups are all that is said: ids stay hidden where they are hidden.
#[test]
fn no_person_is_named_beside_the_strip() {
    let watched = four();
    play_four(&watched, 1..40);
    let now = board(&watched, None);
    let mut event = sent(&now, 0).expect("all");
    let newest = event["texts"]["newest"].take();
    assert!(newest.as_str().expect("a text").contains("id 39"));
    event["columns"].take();
    assert!(!event.to_string().contains("id 3"), "{event}");
}
