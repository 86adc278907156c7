//! The board of a hiring round: what to do next, the money, the applicants and their marks.

use super::*;
use crate::looks::{
    Audience, BEST, DeskView, HiringTerms, LookDesk, LookKey, OfferedKind, SlateMember,
};
use crate::watch::SlateStatus;
use kleroterion_core::protocol::{Attribute, Gain, OFFER, Quota};

const WHO: [&str; 4] = ["ann", "bob", "c\u{200b}em", "dan"];

fn kind(name: &str, cost: f64) -> OfferedKind {
    OfferedKind {
        name: name.into(),
        cost,
    }
}

/// A round of four, of whom two are wanted, with phone calls, visits and offers.
fn hiring(names: Names) -> (Watched, Arc<LookDesk>) {
    let mut watched = watched(true);
    let kinds = [kind("phone", 1.0), kind("visit", 3.0), kind(OFFER, 0.0)];
    let desk = Arc::new(LookDesk::new(kinds.into(), 2, Audience::All));
    let quota = |min| Quota { min, max: 2 };
    let terms = HiringTerms {
        attributes: vec![Attribute {
            name: "gender".into(),
            values: vec!["F".into(), "M".into()],
        }],
        gains: vec![Gain::Same(1.0), Gain::Same(5.0)],
        sd: Some(1.5),
        range: Some((0.0, 10.0)),
        budget: Some(14.0),
        deadline: Some(Duration::from_secs(60)),
        quotas: vec![vec![quota(1), quota(0)]],
    };
    watched.desk = Some(DeskView::new(&desk, names, terms));
    (watched, desk)
}

fn key(who: usize, kind: usize) -> LookKey {
    LookKey {
        candidate: WHO[who].into(),
        kind,
        nth: 0,
    }
}

fn people() -> Vec<SlateMember> {
    let member = |(at, id): (u16, &&str)| SlateMember {
        id: (*id).into(),
        values: vec![at % 2],
    };
    (0..).zip(&WHO).map(member).collect()
}

fn answer(desk: &LookDesk, who: usize, kind: usize, value: f64) {
    let looks = desk.book().receive(WHO[who], kind, None, value);
    assert!(
        matches!(looks, crate::looks::Received::Taken(_)),
        "{looks:?}"
    );
    desk.commit();
}

/// The first round, as the lanes ask for it: a call with each.
fn first(desk: &LookDesk) {
    let all: Vec<LookKey> = (0..4).map(|who| key(who, 0)).collect();
    desk.note_slate(0, 1, people(), Vec::new());
    desk.consult(0, 1, &all, 120_000);
}

#[test]
fn the_headline_says_what_to_do_next_and_never_that_nothing_is_compared() {
    let (watched, desk) = hiring(Names::default());
    let headline = || text(&board(&watched, None), "headline");
    let slate = |closed, people| {
        watched.note_slate(SlateStatus {
            closed,
            last: 1,
            people,
        });
    };
    assert_eq!(headline(), "Wait for applicants.");
    slate(0, 0);
    assert_eq!(headline(), "Send the first applicant.");
    slate(0, 4);
    assert_eq!(
        headline(),
        "Close the slate once all have applied: 4 so far."
    );
    slate(1, 0);
    first(&desk);
    assert_eq!(headline(), "Interviews wait: 4, first phone call with ann.");
    for (who, mark) in [(0, 9.0), (1, 3.5), (3, 5.0)] {
        answer(&desk, who, 0, mark);
    }
    let now = board(&watched, None);
    assert_eq!(
        text(&now, "headline"),
        "Hold a phone call with c\u{200b}em."
    );
    assert!(words(&now, "answer-lines").is_empty());
    answer(&desk, 2, 0, 8.0);
    assert_eq!(headline(), "\u{201c}b <i>\u{201d} decides what comes next.");
    // The policy says whom it would choose now.
    desk.note_slate(0, 1, Vec::new(), vec![WHO[0].into(), WHO[2].into()]);
    desk.consult(0, 1, &[key(3, 1)], 180_000);
    let now = board(&watched, None);
    assert_eq!(text(&now, "headline"), "Hold a visit with dan.");
    let line = "If no more is heard, \u{201c}b <i>\u{201d} proposes ann, c\u{200b}em.";
    assert_eq!(words(&now, "answer-lines"), line);
    assert_eq!(text(&now, "question"), "What to do next");
    answer(&desk, 3, 1, 6.0);
    desk.note_slate(0, 1, Vec::new(), vec![WHO[0].into(), WHO[2].into()]);
    desk.consult(0, 1, &[key(0, 2), key(2, 2)], 180_000);
    assert_eq!(headline(), "Replies to offers wait: 2, first that of ann.");
    answer(&desk, 0, 2, 1.0);
    assert_eq!(headline(), "Ask for a reply to the offer: c\u{200b}em.");
}

/// A decision of a lane.
fn decide(watched: &Watched, lane: usize, chosen: [usize; 2]) {
    let decision = Decision {
        round: 1,
        policy: LABELS[lane].into(),
        shown: WHO.map(String::from).into(),
        chosen: chosen.map(|who| WHO[who].to_owned()).into(),
        ..Decision::default()
    };
    let slots = chosen.map(|who| who as u32).into();
    watched.decisions.hand(
        lane,
        [Unplaced {
            slots,
            decision: decision.into(),
        }],
    );
    watched.note_acted(1);
}

#[test]
fn at_the_end_it_says_who_is_proposed_and_that_a_person_decides() {
    let (watched, desk) = hiring(Names::default());
    first(&desk);
    for (who, mark) in [(0, 7.0), (1, 3.5), (2, 8.0), (3, 5.0)] {
        answer(&desk, who, 0, mark);
    }
    decide(&watched, 0, [0, 2]);
    decide(&watched, 1, [2, 3]);
    watched.enter(Stage::Over);
    let now = board(&watched, None);
    assert_eq!(text(&now, "headline"), "Proposed: c\u{200b}em, ann.");
    let lines = words(&now, "answer-lines");
    assert!(lines.contains("A person decides"), "{lines}");
    assert!(
        lines.contains("\u{201c}a\u{201d} would propose c\u{200b}em, dan."),
        "{lines}"
    );
    let all = rows(&now, "applicants");
    let states: Vec<&str> = all[1..].iter().map(|row| &*row[5]).collect();
    assert_eq!(
        states,
        [
            "\u{2713} proposed",
            "\u{2713} proposed",
            "not proposed",
            "not proposed"
        ]
    );
    assert_eq!(text(&now, "quota"), "F 2 \u{b7} M 0");
}

#[test]
fn the_table_has_marks_estimates_and_who_is_in_so_far() {
    let (watched, desk) = hiring(Names::default());
    assert!(rows(&board(&watched, None), "applicants").is_empty());
    first(&desk);
    for (who, mark) in [(0, 9.0), (1, 3.5), (2, 8.0)] {
        answer(&desk, who, 0, mark);
    }
    desk.note_slate(0, 1, Vec::new(), vec![WHO[0].into(), WHO[2].into()]);
    desk.consult(0, 1, &[key(0, 1)], 240_000);
    answer(&desk, 0, 1, 8.0);
    let key = &LookKey {
        nth: 1,
        ..key(3, 0)
    };
    desk.consult(0, 1, std::slice::from_ref(key), 240_000);
    desk.change(|book| book.withdraw(WHO[1]));
    desk.commit();
    let now = board(&watched, None);
    let known = [
        [
            "Applicant",
            "What is known (0 to 10)",
            "phone",
            "visit",
            "Estimate",
            "State",
        ],
        ["ann F", "", "9", "8", "8.2 \u{b1} 1.2", "in so far"],
        [
            "c\u{200b}em F",
            "",
            "8",
            "\u{2013}",
            "8.0 \u{b1} 2.9",
            "in so far",
        ],
        [
            "dan M",
            "",
            "\u{2013}",
            "\u{2013}",
            "\u{2013}",
            "phone next (then 1 more) out so far",
        ],
        ["bob M", "", "3.5", "\u{2013}", "3.5 \u{b1} 2.9", "withdrew"],
    ];
    assert_eq!(rows(&now, "applicants"), known);
    let cell = |row: usize, column: usize| &now.tables["applicants"].rows[row][column].value;
    let drawn: serde_json::Value = serde_json::from_str(&cell(2, 1).data).expect("JSON");
    assert_eq!(drawn["range"], serde_json::json!([0.506, 1.0]));
    assert_eq!(
        (&drawn["mean"], &drawn["cut"]),
        (&0.8.into(), &0.575.into())
    );
    assert_eq!(cell(2, 0).look, "last-in");
    let asked: serde_json::Value = serde_json::from_str(&cell(3, 5).data).expect("JSON");
    assert_eq!(
        (&asked["candidate"], &asked["nth"]),
        (&"dan".into(), &1.into())
    );
    let money = &now.texts["money"].value;
    assert_eq!(money.text, "Budget: 6 of 14 spent");
    assert_eq!(
        money.below,
        "held: phone 3, visit 1; one more costs: phone 1, visit 3"
    );
    assert_eq!(money.share, Some(0.429));
    let waits = &now.texts["waits"].value;
    assert_eq!(waits.text, "2 answers are awaited");
    assert_eq!(
        waits.below,
        "asked 1970-01-01 00:02 UTC, answer by 1970-01-01 00:03 UTC, 4 answered"
    );
    let quota = &now.texts["quota"].value;
    assert_eq!(
        (&*quota.text, &*quota.below),
        ("F 2 \u{b7} M 0", "quota F 1 to 2, M at most 2: kept")
    );
}

/// An id is sent as it is, however it is shown, so that a mark goes to the right person.
#[test]
fn a_form_knows_the_id_as_it_is_written() {
    let (watched, desk) = hiring(Names::default());
    first(&desk);
    let now = board(&watched, None);
    let event = sent(&now, 0).expect("all");
    let cells = event["tables"]["applicants"].to_string();
    assert!(cells.contains("c\u{27e8}U+200B\u{27e9}em"), "{cells}");
    assert!(cells.contains(r#"c\\u200bem"#), "{cells}");
    let page = page_html(&watched, &now, None);
    assert!(page.contains("c\\u200bem") && !page.contains('\u{200b}'));
}

#[test]
fn of_hidden_people_there_are_no_ids_no_groups_and_no_marks() {
    let (watched, desk) = hiring(Names::hidden([7; 32]));
    first(&desk);
    for (who, mark) in [(0, 9.0), (2, 8.0)] {
        answer(&desk, who, 0, mark);
    }
    desk.note_slate(0, 1, Vec::new(), vec![WHO[2].into()]);
    let now = board(&watched, None);
    let all = rows(&now, "applicants");
    for row in &all[1..] {
        assert!(row[0].len() == 16 && !WHO.contains(&&*row[0]), "{row:?}");
        assert_eq!(row[4], "\u{2013}");
    }
    assert_eq!(all[1][2], "\u{2713}");
    assert_eq!(text(&now, "quota"), "Quota: kept");
    let event = sent(&now, 0).expect("all").to_string();
    for word in ["ann", "dan", "mean", "8.0"] {
        assert!(
            !event.contains(&format!("{word}\"")) && !event.contains(&format!("{word}|")),
            "{word}: {event}"
        );
    }
}

#[test]
fn the_script_of_forms_asks_for_nothing_else() {
    let [style, script] = HIRING;
    assert!(script.len() < 7_000, "{}", script.len());
    assert_eq!(script.matches("fetch(").count(), 1);
    assert!(script.contains("fetch(\"v1/looks\", head)"));
    for word in [
        "innerHTML",
        "insertAdjacent",
        "http:",
        "import",
        "eval",
        "localStorage",
        "style=",
    ] {
        assert!(!script.contains(word), "{word}");
    }
    assert!(!style.contains("url(") && style.matches('{').count() == style.matches('}').count());
    let (watched, _) = hiring(Names::default());
    let page = page_html(&watched, &board(&watched, None), None);
    assert_eq!(page.matches("<script").count(), 4);
    let page = xml(&page);
    Document::parse(&page).unwrap_or_else(|error| panic!("{error}: {page}"));
    assert_eq!(BEST, "m");
}

/// The terminal says what the board says, without what a script draws.
#[test]
fn the_round_in_words_has_the_boards_headline_and_table() {
    let (watched, desk) = hiring(Names::default());
    first(&desk);
    answer(&desk, 0, 0, 9.0);
    let words = HiringWords::of(&watched, Instant::now()).expect("a round");
    let headline = text(&board(&watched, None), "headline");
    assert_eq!(format!("{}.", words.headline), headline);
    assert_eq!(
        words.table[0],
        ["Applicant", "phone", "visit", "Estimate", "State"]
    );
    let ann = words.table.iter().find(|row| row[0] == "ann (F)");
    let ann = ann.expect("a row");
    assert_eq!(ann[1], "9");
    assert!(
        words.facts[0].starts_with("Budget: 1 of 14 spent"),
        "{:?}",
        words.facts
    );
    let without = super::watched(true);
    assert_eq!(HiringWords::of(&without, Instant::now()), None);
}
