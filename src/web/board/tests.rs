mod decisions;
mod end;
mod figures;
mod four;
mod seats;

use std::sync::Mutex;
use std::time::Instant;

use roxmltree::{Document, Node};

use super::moment::{History, Moment};
use super::*;
use crate::compare::{Judge, Rounds, Versus};
use crate::protocol::Stop;
use crate::protocol::{Ending, Schema};
use crate::score::MetricRow;
use crate::trace::{Decision, Names};
use crate::watch::decisions::Unplaced;
use crate::watch::{Stage, Watched};

const LABELS: [&str; 2] = ["b <i>", "a"];

/// A run of two, the first of which acts where `acting`.
fn watched(acting: bool) -> Watched {
    let judge = Judge {
        metrics: vec!["selection_rate".into(), "screened".into()],
        versus: Versus::Everyone,
        alpha: 0.05,
        ..Judge::default()
    };
    let rounds = Rounds::new(&LABELS, &judge).expect("there are pairs");
    let labels = LABELS.map(Arc::from).into();
    let acting = acting.then_some(0);
    let watched = Watched::new(
        "R&D".into(),
        Arc::new(Schema::default()),
        labels,
        acting,
        judge,
    );
    drop(watched.rounds.set(Arc::new(Mutex::new(rounds))));
    watched.stage.send_replace(Stage::Following);
    watched
}

/// Plays rounds `from..to` of a lane in which slots `chosen` of `shown` are chosen.
fn play(watched: &Watched, lane: usize, rounds: std::ops::Range<u64>, shown: u32, chosen: &[u32]) {
    let names =
        |slots: &mut dyn Iterator<Item = u32>| slots.map(|s| format!("p{s}")).collect::<Vec<_>>();
    for round in rounds.clone() {
        let decision = Decision {
            replication: 0,
            round,
            policy: LABELS[lane].into(),
            shown: names(&mut (0..shown)),
            chosen: names(&mut chosen.iter().copied()),
            declined: Vec::new(),
            groups: Vec::new(),
            forfeit: false,
            p: Some(0.25),
            reason: vec![("x<y".into(), Some(-1.5))],
            cost: 0.0,
            at: Vec::new(),
            ..Decision::default()
        };
        let slots = chosen.to_vec();
        watched.decisions.hand(lane, [Unplaced { slots, decision }]);
    }
    let value = f64::from(chosen.len() as u32) / f64::from(shown);
    let values = vec![vec![Some(value); (rounds.end - rounds.start) as usize]];
    let shared = watched.rounds.get().expect("they are compared");
    shared
        .lock()
        .unwrap()
        .add(lane, rounds.end - rounds.start, &values);
    let row = MetricRow {
        metric: "selection_rate".into(),
        at: None,
        value,
    };
    watched
        .courses
        .note(lane, rounds.end - 1, &[row], &[None, None]);
    watched.gauges.lanes[lane].rounds.set(rounds.end - 1);
}

fn moment<'a>(watched: &'a Watched, history: &mut History) -> Moment<'a> {
    watched.leave_all();
    Moment::of(watched, history, Instant::now())
}

fn board(watched: &Watched, before: Option<&Board>) -> Board {
    Board::of(&moment(watched, &mut History::default()), before)
}

fn section(board: &Board, name: &str) -> String {
    let mut found = board.sections.iter().filter(|section| section.name == name);
    format!("<div>{}</div>", found.next().expect("there is one").html)
}

fn said(node: Node<'_, '_>) -> String {
    node.descendants()
        .filter_map(|n| n.text().filter(|_| n.is_text()))
        .collect()
}

/// The words of each cell of the rows of a table.
fn cells(html: &str) -> Vec<Vec<String>> {
    let document = Document::parse(html).expect("it is well-formed");
    let body = document
        .descendants()
        .find(|node| node.has_tag_name("tbody"))
        .expect("a table");
    let rows = body.children().filter(Node::is_element);
    rows.map(|row| row.children().filter(Node::is_element).map(said).collect())
        .collect()
}

/// Of policies elsewhere it says how far behind they are, since when they are silent, and which
/// trails.
#[test]
fn it_says_which_policy_elsewhere_trails() {
    let watched = watched(false);
    let gauges = &watched.gauges;
    gauges.handed.set(1234);
    gauges.lanes[1].persons.set(1234);
    gauges.lanes[1].plays_elsewhere();
    let state = |lane: usize| cells(&section(&board(&watched, None), "lanes"))[lane][1].clone();
    let flow = || section(&board(&watched, None), "flow");
    // In the order of the labels.
    assert_eq!(state(0), "plays elsewhere not behind; not heard yet");
    assert_eq!(state(1), "plays");
    assert!(flow().contains("<dt>Farthest behind elsewhere</dt><dd>none</dd>"));
    gauges.lanes[0].plays_elsewhere();
    gauges.lanes[0].heard.now();
    gauges.lanes[0].damaged.add(1);
    assert_eq!(
        state(1),
        "plays elsewhere; damaged messages were asked for again 1,234 people behind, the farthest; \
         heard 0 s ago"
    );
    assert!(
        flow().contains("1,234 people; heard 0 s ago</dd>"),
        "{}",
        flow()
    );
    watched.end(0, Ending::Left.into());
    assert!(state(1).starts_with("ended: left"));
    assert!(flow().contains("<dd>none</dd>"));
    watched.enter(Stage::Over);
    assert!(!flow().contains("elsewhere"));
}

#[test]
fn it_says_whom_to_interview_for_whom_and_how() {
    use crate::looks::{Audience, DeskView, LookDesk, LookKey, OfferedKind};
    use crate::watch::SlateStatus;

    let watched = watched(true);
    assert_eq!(section(&board(&watched, None), "interviews"), "<div></div>");
    let kind = OfferedKind {
        name: "a <call>".into(),
        cost: 1.5,
    };
    let desk = Arc::new(LookDesk::new([kind].into(), 2, Audience::All));
    let watched = watched.with_desk(Some(DeskView::new(&desk, Names::default())));
    let slate = |closed, people| {
        watched.slate.send_replace(Some(SlateStatus {
            closed,
            last: 2,
            people,
        }));
        section(&board(&watched, None), "interviews")
    };
    assert!(slate(0, 1).contains("round 1 is open, with 1 candidate so far"));
    let wanted: Vec<LookKey> = (0..60)
        .map(|n| LookKey {
            candidate: format!("p{n:02}").into(),
            kind: 0,
            nth: n / 59,
        })
        .collect();
    // Later in a later call.
    desk.consult(1, 1, &wanted, 120_000);
    desk.consult(0, 1, &wanted[..1], 240_000);
    let html = slate(1, 0);
    let rows = cells(&html);
    assert_eq!(rows.len(), 50);
    let first = ["p00", "a <call>", "1.5", "b <i>, a", "1970-01-01 00:02 UTC"];
    assert_eq!(rows[0], first);
    assert_eq!(rows[1][3], "a");
    assert!(html.contains("60 open, of which the oldest 50 are listed, 0 answered."));
    for n in 0..59 {
        desk.receive(&format!("p{n:02}"), 0, None, 3.0);
    }
    desk.commit();
    let html = slate(2, 0);
    assert_eq!(cells(&html)[0][..2], ["p59", "a <call> (no. 2)"]);
    assert!(html.contains("1 open, 59 answered.") && html.contains("The last slate is closed."));
    desk.change(|book| book.miss(&wanted[59]));
    let html = slate(2, 0);
    assert!(
        html.contains("No policy waits") && html.contains("1 not answered in time"),
        "{html}"
    );
}

#[test]
fn every_section_is_well_formed_in_every_state() {
    let watched = watched(true);
    let check = |board: &Board| {
        for part in &board.sections {
            let html = section(board, part.name);
            assert!(Document::parse(&html).is_ok(), "{}: {html}", part.name);
            assert!(!html.contains("<i>") && !html.contains("style=") && !html.contains("NaN"));
            assert!(
                !html.contains("Up: .") && !html.contains("Across: ."),
                "{html}"
            );
        }
        let page = page_html("R&D", board, None);
        let levels = page
            .split("<h")
            .skip(1)
            .filter_map(|rest| rest[..1].parse().ok());
        let levels: Vec<u32> = levels.collect();
        assert_eq!(levels[0], 1);
        assert!(
            levels.windows(2).all(|two| two[1] <= two[0] + 1),
            "{levels:?}"
        );
        let ids: Vec<&str> = page
            .split(" id=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "{ids:?}");
    };
    check(&board(&watched, None));
    play(&watched, 0, 1..9, 1, &[0]);
    check(&board(&watched, None));
    play(&watched, 1, 1..30, 1, &[]);
    check(&board(&watched, None));
    watched.end(1, Stop::because(Ending::Disqualified, "it <chose> slot 4"));
    watched.decisions.end(1);
    play(&watched, 0, 9..200, 1, &[0]);
    let ended = board(&watched, None);
    check(&ended);
    assert!(section(&ended, "lanes").contains("it &lt;chose&gt; slot 4"));
    watched.gauges.lanes[1].waiting.add(1);
    let waiting = cells(&section(&board(&watched, None), "lanes"))[0][6].clone();
    assert_eq!(
        waiting, "\u{2013}",
        "nothing waits for a lane that has ended"
    );
    watched.stage.send_replace(Stage::Over);
    check(&board(&watched, None));
}

#[test]
fn what_has_not_changed_is_not_sent_again() {
    let watched = watched(false);
    let first = board(&watched, None);
    let same = board(&watched, Some(&first));
    assert_eq!((first.number, same.number), (1, 2));
    assert!(same.sections.iter().all(|section| section.changed == 1));
    assert!(event(&first, 0, None).is_some() && event(&same, 1, None).is_none());
    watched.gauges.duplicates.add(7);
    let next = board(&watched, Some(&same));
    let changed = next.sections.iter().filter(|section| section.changed == 3);
    assert_eq!(
        changed.map(|section| section.name).collect::<Vec<_>>(),
        ["flow"]
    );
    assert!(section(&next, "flow").contains("<dt>Repeats dropped</dt><dd>7</dd>"));
    // A request that could not be read is none of a record that was refused.
    watched.gauges.refused.add(1);
    watched.gauges.unreadable.add(2);
    let flow = section(&board(&watched, None), "flow");
    assert!(flow.contains("<dt>Refused</dt><dd>1 (why"), "{flow}");
    assert!(
        flow.contains("<dt>Requests refused</dt><dd>2 (unreadable"),
        "{flow}"
    );
}

#[test]
fn who_leads_is_said_once_it_is_sure_and_before_that_how_many_rounds_it_may_take() {
    let watched = watched(false);
    let answer = |watched: &Watched| {
        let lead = section(&board(watched, None), "lead");
        let document = Document::parse(&lead).expect("it is well-formed");
        let is_head = |node: &Node<'_, '_>| {
            let class = node.attribute("class").unwrap_or_default();
            node.has_tag_name("b") || class.starts_with("answer")
        };
        let heads = document.descendants().filter(is_head).map(said);
        let heads = heads.map(|head| head.trim_end_matches('.').to_owned());
        let verdicts = section(&board(watched, None), "verdicts");
        (heads.collect::<Vec<_>>(), lead.clone() + &verdicts)
    };
    assert_eq!(answer(&watched).0, ["Nothing has been compared so far"]);
    for lane in 0..2 {
        play(&watched, lane, 1..4, 1, &[]);
    }
    let (heads, _) = answer(&watched);
    let open = "On this stream, no policy is surely better than another on selection_rate yet";
    assert_eq!(heads[0], open);
    assert!(heads[1].starts_with("No difference seen"), "{heads:?}");
    for lane in 0..2 {
        play(&watched, lane, 4..9, 1, &[0][lane..]);
    }
    let (heads, lead) = answer(&watched);
    assert_eq!(heads[0], open);
    assert!(heads[1].starts_with("Open"), "{heads:?}");
    assert!(lead.contains("more may decide it"), "{lead}");
    for lane in 0..2 {
        play(&watched, lane, 9..200, 1, &[0][lane..]);
    }
    let (heads, lead) = answer(&watched);
    assert!(
        heads[0].starts_with("On this stream, \u{201c}b <i>\u{201d} screens fewest"),
        "{heads:?}"
    );
    assert_eq!(heads[1], "\u{201c}b <i>\u{201d} leads");
    assert!(lead.contains("with 95 % confidence") && lead.contains("screened"));
}

#[tokio::test]
async fn boards_are_made_while_there_is_a_viewer() {
    let watched = Arc::new(watched(false));
    let shared = Arc::new(BoardShared::default());
    let mut boards = shared.follow(&watched).expect("there is room");
    let next = async |boards: &mut tokio_stream::wrappers::WatchStream<Option<Arc<Board>>>| loop {
        if let Some(board) = boards.next().await.expect("it goes on") {
            break board.number;
        }
    };
    assert_eq!(next(&mut boards).await, 1);
    // Another has the same boards.
    let mut others = shared.follow(&watched).expect("there is room");
    let second = next(&mut others).await.max(next(&mut boards).await);
    assert!(second >= 2);
    drop((boards, others));
    let ended = async {
        while shared.is_making() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(60), ended).await;
    assert!(ended.is_ok(), "boards are made without a viewer");
    let mut again = shared.follow(&watched).expect("there is room");
    assert_eq!(next(&mut again).await, 1);
}

#[tokio::test]
async fn no_more_follow_the_board_than_may() {
    let watched = Arc::new(watched(false));
    let viewed = Arc::new(BoardShared::default());
    let follow = || viewed.follow(&watched);
    let viewers: Option<Vec<_>> = (0..shared::VIEWERS).map(|_| follow()).collect();
    let mut viewers = viewers.expect("there is room");
    assert!(follow().is_none());
    // Who leaves makes room.
    viewers.pop();
    assert!(follow().is_some());
}

#[test]
fn the_script_is_small_and_asks_for_nothing_else() {
    assert!(SCRIPT.len() < 15_000, "{}", SCRIPT.len());
    for word in [
        "fetch",
        "http:",
        "https:",
        "import",
        "eval",
        "document.write",
        "localStorage",
    ] {
        assert!(!SCRIPT.contains(word), "{word}");
    }
    let style = style() + STYLE;
    assert!(!style.contains("url(") && !style.contains("@import"));
    assert_eq!(style.matches('{').count(), style.matches('}').count());
    let page = page_html("t", &board(&watched(false), None), None);
    assert!(!page.contains("<style") && !page.contains("style=") && !page.contains(" onclick"));
    assert_eq!(page.matches("<script").count(), 2);
}

#[test]
fn the_board_shows_whom_each_policy_selects_and_at_what_rates() {
    use crate::compare::GroupRates;
    use crate::protocol::Attribute;

    let watched = watched(false);
    assert!(section(&board(&watched, None), "streams").contains("Nothing is known"));
    let gender = Attribute {
        name: "gender".into(),
        values: vec!["F <b>".into(), "M".into()],
    };
    let schema = Schema::new(vec![gender], vec![], false).expect("two cells");
    let mut rates = GroupRates::new(&Arc::new(schema), None, 0.05);
    for person in 0..300_u16 {
        rates.add(&[person % 2], person % 2 == 0 || person % 3 == 0);
    }
    let first = rates.read().attributes.remove(0);
    watched.all_select(&rates);
    let html = section(&board(&watched, None), "streams");
    assert!(Document::parse(&html).is_ok(), "{html}");
    assert!(
        html.contains("F &lt;b&gt;") && html.contains("surely missed"),
        "{html}"
    );
    let men = &first.groups[1];
    let shown = format!("{:.3} [{:.3}, {:.3}]", 1.0 / 3.0, men.lo, men.hi);
    // Once a policy.
    assert_eq!(html.matches(&shown).count(), 2, "{shown}: {html}");
}
