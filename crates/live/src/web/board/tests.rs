mod charts;
mod committee;
mod decisions;
mod end;
mod headline;
mod interviews;
mod many;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use roxmltree::Document;

use super::model::Words;
use super::moment::Moment;
use super::shared::{Board, Since};
use super::*;
use crate::watch::courses::Mean;
use crate::watch::decisions::Unplaced;
use crate::watch::rates::History;
use crate::watch::{Stage, Watched};
use kleroterion_core::protocol::Stop;
use kleroterion_core::protocol::{Ending, Schema};
use kleroterion_core::score::MetricRow;
use kleroterion_io::trace::{Decision, Names};
use kleroterion_stats::{Judge, Rounds, Versus};

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
        watched.decisions.hand(
            lane,
            [Unplaced {
                slots,
                decision: decision.into(),
            }],
        );
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
    let mean = Mean {
        value,
        interval: None,
    };
    watched
        .courses
        .note(lane, rounds.end - 1, &[row], &[Some(mean), None]);
    let gauges = &watched.gauges.lanes[lane];
    gauges.rounds.set(rounds.end - 1);
    gauges.persons.set(rounds.end - 1);
}

fn moment<'a>(watched: &'a Watched, history: &mut History) -> Moment<'a> {
    watched.leave_all();
    Moment::of(watched, history, Instant::now())
}

fn board(watched: &Watched, before: Option<&Board>) -> Board {
    Board::of(&moment(watched, &mut History::default()), before)
}

/// The body of a page as XML, which has no attributes without a value.
fn xml(page: &str) -> String {
    let (_, body) = page.split_once("<body").expect("a body");
    let (body, _) = body.split_once("</html>").expect("an end");
    let mut body = format!("<body{body}");
    for name in ["hidden", "selected", "data-rows"] {
        for end in [">", " "] {
            body = body.replace(&format!(" {name}{end}"), &format!(" {name}=\"\"{end}"));
        }
    }
    body
}

/// A text of the page.
fn text(board: &Board, id: &str) -> String {
    board.texts.get(id).expect(id).value.text.clone()
}

/// The rows of a table: of each cell its words and those below.
fn rows(board: &Board, id: &str) -> Vec<Vec<String>> {
    let cell = |cell: &Since<Words>| {
        let words = format!("{} {}", cell.value.text, cell.value.below);
        words.trim().to_owned()
    };
    let row = |row: &Vec<Since<Words>>| row.iter().map(cell).collect();
    board
        .tables
        .get(id)
        .expect(id)
        .rows
        .iter()
        .map(row)
        .collect()
}

/// All words of a list or a table.
fn words(board: &Board, id: &str) -> String {
    rows(board, id).concat().join("\n")
}

/// The changes that a viewer who knows a board of this number gets.
fn sent(board: &Board, known: u64) -> Option<serde_json::Value> {
    changes(board, known, View::default(), Some(0))
}

/// Checks that the board shows for policies elsewhere how far behind they are, when they were last
/// heard, and which one trails.
#[test]
fn it_says_which_policy_elsewhere_trails() {
    let watched = watched(false);
    let gauges = &watched.gauges;
    gauges.handed.set(1234);
    gauges.lanes[1].persons.set(1234);
    gauges.lanes[1].plays_elsewhere();
    let state = |lane: usize| rows(&board(&watched, None), "health")[lane + 1][1].clone();
    let flow = || words(&board(&watched, None), "flow");
    // In the order of the labels.
    assert_eq!(state(0), "plays elsewhere: not behind; not heard yet");
    assert_eq!(state(1), "plays");
    assert!(flow().contains("Farthest behind elsewhere\nnone"));
    gauges.lanes[0].plays_elsewhere();
    gauges.lanes[0].heard.now();
    gauges.lanes[0].damaged.add(1);
    assert_eq!(
        state(1),
        "plays elsewhere; damaged messages were asked for again: 1,234 people behind, the farthest; \
         heard 0 s ago"
    );
    assert!(flow().contains("1,234 people; heard 0 s ago"), "{}", flow());
    watched.end(0, Ending::Left.into());
    assert!(state(1).starts_with("ended: left"));
    assert!(flow().contains("elsewhere\nnone"));
    watched.enter(Stage::Over);
    assert!(!flow().contains("elsewhere"));
}

/// In every state the page is well-formed, has each id once and no markup of a label; and what is
/// sent puts no markup anywhere.
#[test]
fn the_page_is_well_formed_in_every_state() {
    let watched = watched(true);
    let check = |board: &Board| {
        let page = xml(&page_html(&watched, board, None));
        let document = Document::parse(&page).unwrap_or_else(|error| panic!("{error}: {page}"));
        assert!(!page.contains("<i>b") && !page.contains("style=") && !page.contains("NaN"));
        let nodes = || document.descendants();
        let levels = nodes().filter_map(|node| {
            let name = node.tag_name().name();
            let is_head = name.len() == 2 && name.starts_with('h');
            name[1.min(name.len())..]
                .parse::<u32>()
                .ok()
                .filter(|_| is_head)
        });
        let levels: Vec<u32> = levels.collect();
        assert_eq!(levels[0], 1);
        assert!(
            levels.windows(2).all(|two| two[1] <= two[0] + 1),
            "{levels:?}"
        );
        let mut ids: Vec<&str> = nodes().filter_map(|node| node.attribute("id")).collect();
        ids.sort_unstable();
        let all = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), all, "{ids:?}");
        // Each text and table has its place.
        let places = board.texts.keys().chain(board.tables.keys());
        for place in places.filter(|id| !id.starts_with("committee-")) {
            assert!(ids.binary_search(&place.as_str()).is_ok(), "{place}");
        }
        let event = sent(board, 0).expect("all").to_string();
        let markup = event
            .replace("b <i>", "")
            .replace("it <chose>", "")
            .replace("x<y", "");
        assert!(!markup.contains('<'), "{markup}");
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
    assert!(words(&ended, "health").contains("it <chose> slot 4"));
    watched.gauges.lanes[1].waiting.add(1);
    let waiting = rows(&board(&watched, None), "health")[1][2].clone();
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
    assert!(sent(&first, 0).is_some() && sent(&same, 1).is_none());
    watched.gauges.duplicates.add(7);
    let next = board(&watched, Some(&same));
    let event = sent(&next, 2).expect("news");
    let parts: Vec<&String> = event.as_object().unwrap().keys().collect();
    assert_eq!(parts, ["ago", "n", "people", "tables"]);
    let flow = event["tables"]["flow"].to_string();
    assert_eq!(event["tables"].as_object().unwrap().len(), 1);
    assert!(
        flow.contains("\"Repeats dropped\"") && !flow.contains("People"),
        "{flow}"
    );
    // A request that could not be read is none of a record that was refused.
    watched.gauges.refused.add(1);
    watched.gauges.unreadable.add(2);
    let refusing = board(&watched, None);
    let flow = words(&refusing, "flow-first");
    assert_eq!(
        words(&refusing, "flow"),
        "",
        "it is shown once, before the answer"
    );
    assert!(flow.contains("Refused\n1 (why"), "{flow}");
    assert!(flow.contains("Requests refused\n2 (unreadable"), "{flow}");
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
    let viewers: Option<Vec<_>> = (0..crate::limits::MOST_VIEWERS).map(|_| follow()).collect();
    let mut viewers = viewers.expect("there is room");
    assert!(follow().is_none());
    // Who leaves makes room.
    viewers.pop();
    assert!(follow().is_some());
}

#[test]
fn the_script_is_small_and_asks_for_nothing_else() {
    let script = SCRIPT.to_owned() + CHARTS;
    assert!(script.len() < 24_000, "{}", script.len());
    assert_eq!(script.matches("fetch(").count(), 1);
    assert!(script.contains("fetch(`v1/board/rounds/${round}`)"));
    for word in [
        "innerHTML",
        "insertAdjacent",
        "http:",
        "https:",
        "import",
        "eval",
        "document.write",
        "localStorage",
    ] {
        assert!(!script.contains(word), "{word}");
    }
    let style = style() + STYLE;
    assert!(!style.contains("url(") && !style.contains("@import"));
    assert_eq!(style.matches('{').count(), style.matches('}').count());
    let watched = watched(false);
    let page = page_html(&watched, &board(&watched, None), None);
    assert!(!page.contains("<style") && !page.contains("style=") && !page.contains(" onclick"));
    assert_eq!(page.matches("<script").count(), 3);
}

#[test]
fn the_board_shows_whom_each_policy_selects_and_at_what_rates() {
    use kleroterion_core::protocol::Attribute;
    use kleroterion_stats::GroupRates;

    let watched = watched(false);
    assert!(text(&board(&watched, None), "group-nothing").contains("Nothing is known"));
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
    let now = board(&watched, None);
    assert!(words(&now, "group-0").contains("F <b>"));
    assert!(words(&now, "group-2").contains("surely missed"));
    let men = &first.groups[1];
    let shown = format!("{:.3} [{:.3}, {:.3}]", 1.0 / 3.0, men.lo, men.hi);
    // Once a policy.
    let rates = words(&now, "group-1");
    assert_eq!(rates.matches(&shown).count(), 2, "{shown}: {rates}");
    // They are sent to who has them open.
    let open = View {
        groups: true,
        ..View::default()
    };
    let event = |view| changes(&now, 0, view, None).expect("all").to_string();
    assert!(event(open).contains(&shown) && !event(View::default()).contains(&shown));
}
