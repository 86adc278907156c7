use roxmltree::Document;

use super::*;
use crate::limits::MOST_ROUNDS_READ;

fn event(seq: u64, round: u64, policy: &str, chosen: bool) -> Event {
    let id = format!("p{round}");
    Event::new(
        seq,
        Decision {
            replication: 0,
            round,
            policy: policy.into(),
            shown: vec![id.clone()],
            groups: vec![("gender".into(), vec!["<F>".into()])],
            chosen: if chosen { vec![id] } else { vec![] },
            declined: Vec::new(),
            forfeit: false,
            p: None,
            reason: vec![("acceptance".into(), Some(1.0))],
            cost: 0.0,
            at: Vec::new(),
            ..Decision::default()
        },
    )
}

/// The decisions of two lanes, of which one chooses every person and the other every third.
fn strip(rounds: u64) -> Strip {
    let rounds = 1..=rounds;
    let events = rounds.flat_map(|round| {
        let seq = 2 * (round - 1);
        [
            event(seq, round, "a", true),
            event(seq + 1, round, "b", round % 3 == 0),
        ]
    });
    let text: String = events.map(|event| event.to_json() + "\n").collect();
    Strip::read(
        text.as_bytes(),
        &StripLane::all([
            ("a", "accept_all", true),
            ("b", "cmdp", true),
            ("c", "greedy", true),
        ]),
    )
}

#[test]
fn a_column_says_who_it_was_and_why_each_policy_decided_so() {
    let few = strip(5);
    assert_eq!((few.columns.len(), few.about.as_str()), (5, ""));
    let lit: Vec<u64> = few
        .columns
        .iter()
        .filter(|one| one.is_lit)
        .map(|one| one.round)
        .collect();
    assert_eq!(lit, [1, 2, 4, 5]);
    let html = format!("<div>{}</div>", few.html().into_string());
    assert!(Document::parse(&html).is_ok(), "{html}");
    for words in [
        "data-w=\"Round 3, person p3, gender &lt;F&gt;\"",
        "<i class=\"y s1\" data-y=\"chosen: it accepts everyone\"></i>",
        "<i data-y=\"not chosen: &lt;F&gt; is always accepted\"></i>",
        "<i class=\"e\" data-y=\"had ended\"></i>",
    ] {
        assert!(html.contains(words), "{words}: {html}");
    }
    assert!(html.contains("striped where it had ended"), "{html}");
    let third = &few.columns[2];
    assert_eq!(third.about(), "Round 3, person p3, gender <F>");
    assert_eq!(third.letters(), "11e");
}

#[test]
fn of_many_rounds_those_are_shown_on_which_policies_disagree() {
    let many = strip(MOST_ROUNDS_READ + 100);
    assert_eq!(many.columns.len(), REPORTED);
    assert!(many.columns.iter().all(|column| column.is_lit));
    assert_eq!(
        many.about,
        "Of the first 4,000 rounds, the first 180 on which policies disagree."
    );
    assert!(many.html().into_string().len() < 80_000);
    assert!(strip(0).columns.is_empty());
}

/// A yardstick that accepts everyone differs from the others nearly always, so a column is lit only
/// if the others differ.
#[test]
fn a_yardstick_disagrees_with_no_policy() {
    let decided = |round: u64, of: [bool; 3]| -> Vec<Decision> {
        let each = ["a", "b", "c"].into_iter().zip(of);
        each.map(|(label, is_chosen)| event(0, round, label, is_chosen).decision)
            .collect()
    };
    let lit = |contenders: [bool; 3], chosen: [bool; 3]| {
        let lanes = ["a", "b", "c"].into_iter().zip(contenders);
        let lanes = lanes.map(|(label, is_contender)| (label, "cmdp", is_contender));
        let decided = decided(1, chosen);
        let decided: Vec<Option<&Decision>> = decided.iter().map(Some).collect();
        let column = StripColumn::of(&StripLane::all(lanes), &decided, None);
        column.expect("all decided").is_lit
    };
    let yardstick = [false, true, true];
    assert!(!lit(yardstick, [true, false, false]));
    assert!(lit(yardstick, [true, false, true]));
    assert!(lit([true; 3], [true, false, false]));
    // One policy is compared with its yardsticks.
    assert!(lit([false, true, false], [true, false, true]));
}

/// A cell has the colour of the policy's name, and so of its lines: also where the order of the rows
/// is another, and where policies that differ in a number have a ramp of colours.
#[test]
fn cells_have_the_colours_of_their_policies() {
    let labels = ["lambda 1", "lambda 10", "lambda 2", "queue"];
    let text: String = (0..)
        .zip(labels)
        .map(|(seq, label)| event(seq, 1, label, true).to_json() + "\n")
        .collect();
    let lanes = StripLane::all(labels.map(|label| (label, "cmdp", true)));
    let strip = Strip::read(text.as_bytes(), &lanes);
    let looks = PolicyLooks::of(labels);
    for ((label, look), cell) in strip.lanes.iter().zip(&strip.columns[0].cells) {
        assert_eq!(*look, looks.look(label));
        let class = look.map(class_of).expect("it has one");
        assert_eq!(cell.class, format!("y {class}"));
        let rule = format!(".k-strip i.{class}{{background:var(--k-{class})}}");
        assert!(STRIP_STYLE.contains(&rule), "{rule}");
    }
}

#[test]
fn a_broken_line_ends_the_strip() {
    let good = event(0, 1, "a", true).to_json();
    let text = format!("{good}\nrubbish\n{good}\n");
    assert_eq!(
        Strip::read(text.as_bytes(), &StripLane::all([("a", "cmdp", true)]))
            .columns
            .len(),
        1
    );
}

/// The words of the page are in the document, never in the script.
#[test]
fn the_script_asks_for_nothing_and_writes_no_markup() {
    for word in ["fetch", "http", "import", "innerHTML", "eval", "</"] {
        assert!(!STRIP_SCRIPT.contains(word), "{word}");
    }
}
