//! Runs of many policies as `live-show` has them, for what their board sends.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::super::moment::Moment;
use super::super::shared::Board;
use super::{rows, sent, text, words};
use crate::watch::courses::Mean;
use crate::watch::decisions::Unplaced;
use crate::watch::rates::History;
use crate::watch::{Stage, Watched};
use kleroterion_core::protocol::{Attribute, Ending, Schema, Stop, Target, Until};
use kleroterion_core::score::MetricRow;
use kleroterion_io::trace::Decision;
use kleroterion_stats::GroupRates;
use kleroterion_stats::{Judge, Rounds, Versus};

const LABELS: [&str; 4] = ["first come", "known shares", "queue", "learns the shares"];
const EIGHT: [&str; 8] = [
    "first come",
    "known shares",
    "queue",
    "learns the shares",
    "by proportion",
    "greedy .05",
    "a long label",
    "quotas",
];
const METRICS: [&str; 2] = ["representation_loss", "selection_rate"];

/// Four policies before their first round.
pub(super) fn four() -> Watched {
    of(&LABELS, &METRICS)
}

/// Policies before their first round.
fn of(labels: &[&str], metrics: &[&str]) -> Watched {
    let judge = Judge {
        metrics: metrics.iter().map(|name| (*name).to_owned()).collect(),
        versus: Versus::Everyone,
        alpha: 0.05,
        ..Judge::default()
    };
    let rounds = Rounds::new(labels, &judge).expect("there are pairs");
    let attribute = |name: &str, values: &[&str]| Attribute {
        name: name.into(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let attributes = vec![
        attribute("gender", &["F", "M"]),
        attribute("age", &["18-34", "35-54", "55+"]),
    ];
    let schema = Arc::new(Schema::new(attributes, vec![], false).expect("six cells"));
    let kinds = ["accept_all", "cmdp", "virtual_queue", "plugin_cmdp"];
    let kinds = kinds.into_iter().cycle().take(labels.len()).collect();
    let labels = labels.iter().map(|label| Arc::from(*label)).collect();
    let mut watched = Watched::new("show".into(), Arc::clone(&schema), labels, None, judge);
    watched.kinds = kinds;
    watched.until = Some(Until::Accepted(1000));
    watched.one_by_one = true;
    drop(watched.rounds.set(Arc::new(Mutex::new(rounds))));
    watched.stage.send_replace(Stage::Following);
    let target = Target::new(
        &schema,
        vec![(0, vec![0.51, 0.49]), (1, vec![0.3, 0.35, 0.35])],
    );
    watched.all_select(&GroupRates::new(&schema, Some(&Arc::new(target)), 0.05));
    watched
}

/// Plays some rounds in all lanes; who is chosen looks random.
pub(super) fn play_four(watched: &Watched, rounds: Range<u64>) {
    play_lanes(watched, 0, rounds);
}

/// Plays some rounds in the lanes from the `from`th on.
fn play_lanes(watched: &Watched, from: usize, rounds: Range<u64>) {
    let chosen = |round: u64, lane: usize| {
        lane == 0 || ((round * 2_654_435_761) >> 7).is_multiple_of(lane as u64 + 2)
    };
    for (lane, label) in watched.labels.iter().enumerate().skip(from) {
        for round in rounds.clone() {
            let id = round.to_string();
            let reason: &[(&str, f64)] = match lane {
                0 => &[("acceptance", 1.0)],
                2 => &[
                    ("score", 3.25111),
                    ("v", 2.0),
                    ("attribute", 2.0),
                    ("taken", 123.0),
                    ("wanted", 119.35),
                ],
                _ => &[("acceptance", 0.311_34)],
            };
            let is_chosen = chosen(round, lane);
            let person = [(round % 5 % 2) as u16, (round % 7 % 3) as u16];
            let rates = watched.rates.get().expect("groups are known");
            rates.show(lane, &person, is_chosen);
            let decision = Decision {
                replication: 0,
                round,
                policy: label.to_string(),
                shown: vec![id.clone()],
                groups: vec![
                    ("gender".into(), vec!["F".into()]),
                    ("age".into(), vec!["55+".into()]),
                ],
                chosen: is_chosen.then_some(id).into_iter().collect(),
                declined: Vec::new(),
                forfeit: false,
                p: None,
                reason: reason
                    .iter()
                    .map(|(name, value)| ((*name).into(), Some(*value)))
                    .collect(),
                cost: 0.0,
                at: Vec::new(),
                ..Decision::default()
            };
            let slots = if is_chosen { vec![0] } else { vec![] };
            watched.decisions.hand(
                lane,
                [Unplaced {
                    slots,
                    decision: decision.into(),
                }],
            );
            let gauges = &watched.gauges.lanes[lane];
            gauges.rounds.add(1);
            gauges.persons.add(1);
            gauges.accepted.add(u64::from(is_chosen));
        }
        let values = rounds
            .clone()
            .map(|round| Some(f64::from(u8::from(chosen(round, lane)))));
        let shared = watched.rounds.get().expect("they are compared");
        shared.lock().unwrap().add(
            lane,
            rounds.end - rounds.start,
            &by_round(watched, values.collect()),
        );
        let share = watched.gauges.lanes[lane].accepted.get() as f64 / rounds.end as f64;
        let half = 1.0 / (rounds.end as f64).sqrt();
        let row = |metric: &str, value| MetricRow {
            metric: metric.into(),
            at: None,
            value,
        };
        let rows = [
            row("selection_rate", share),
            row("representation_loss", (0.3 + 0.02 * lane as f64) * half),
        ];
        let mean = Mean {
            value: share,
            interval: Some((share - half, share + half)),
        };
        for round in rounds.clone() {
            let means = watched.courses.metrics.iter();
            let means: Vec<Option<Mean>> = means.map(|(_, range)| range.map(|_| mean)).collect();
            watched.courses.note(lane, round, &rows, &means);
        }
    }
    watched.came(rounds.end - rounds.start);
}

/// The values of each measure that has one in a round.
fn by_round(watched: &Watched, values: Vec<Option<f64>>) -> Vec<Vec<Option<f64>>> {
    let metrics = watched.courses.metrics.iter();
    metrics
        .filter(|(_, range)| range.is_some())
        .map(|_| values.clone())
        .collect()
}

fn board(watched: &Watched, history: &mut History, at: Instant, before: Option<&Board>) -> Board {
    watched.leave_all();
    Board::of(&Moment::of(watched, history, at), before)
}

/// Each pair stands once, in the row of who is ahead, whose curve has the same sign.
#[test]
fn a_pair_stands_in_the_row_of_who_is_ahead() {
    let watched = four();
    play_four(&watched, 1..200);
    let now = board(&watched, &mut History::default(), Instant::now(), None);
    let matrix = rows(&now, "pairs-1");
    let cells = || matrix[1..].iter().flat_map(|row| &row[1..]);
    let numbers = cells().filter(|cell| !cell.is_empty());
    assert_eq!(numbers.clone().count(), 6);
    assert!(
        numbers.clone().all(|cell| cell.starts_with('+')),
        "{matrix:?}"
    );
    // Rows and columns have one order.
    let names: Vec<&String> = matrix[1..].iter().map(|row| &row[0]).collect();
    assert_eq!(names, matrix[0][1..].iter().collect::<Vec<_>>());
    let number = text(&now, "funnel-number");
    assert!(
        numbers.clone().any(|cell| cell.starts_with(&number)),
        "{number}: {matrix:?}"
    );
    let last = now.charts["funnel"].points.last().expect("a point");
    assert!(last.1[0] > Some(0.0), "{last:?}");
    assert_eq!(text(&now, "n"), "person 199");
}

/// Checks that a matrix shows the best of more policies than it has room for, and says how many
/// there are.
#[test]
fn a_matrix_of_many_has_the_best() {
    let labels: Vec<String> = (0..20).map(|n| format!("p{n:02}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let watched = of(&labels, &METRICS);
    play_four(&watched, 1..40);
    let now = board(&watched, &mut History::default(), Instant::now(), None);
    let matrix = rows(&now, "pairs-1");
    assert_eq!((matrix.len(), matrix[0].len()), (17, 17));
    let said = words(&now, "notes-1");
    assert!(said.contains("the 16 best of 20 policies"), "{said}");
    let whole = rows(&now, "lanes");
    assert_eq!(whole.len(), 21);
}

/// A policy that ended is held against others who went on: its facts say so. Of one that is behind
/// it is said how far it is, and no number.
#[test]
fn facts_and_states_say_of_which_rounds_they_are() {
    let watched = four();
    play_four(&watched, 1..41);
    watched.end(0, Stop::from(Ending::Filled));
    watched.decisions.end(0);
    play_lanes(&watched, 1, 41..61);
    watched.leave_all();
    let run = watched.so_far(&watched.cut());
    let so_far = kleroterion_report::report::account::SoFar::of(&run);
    let notes = so_far.measures[0].pairs.iter().map(|pair| &*pair.note);
    let notes: Vec<&str> = notes.collect();
    let of_ended = |note: &&&str| note.contains("40 and 60") || note.contains("60 and 40");
    assert_eq!(notes.iter().filter(of_ended).count(), 3, "{notes:?}");
    assert!(!notes.iter().any(|note| note.contains("60 and 60")));
    let now = board(&watched, &mut History::default(), Instant::now(), None);
    let states = words(&now, "health");
    assert!(states.contains("ended: filled, at person 40"), "{states}");
    assert!(
        words(&now, "notes-0").contains("a fact of this stream"),
        "{}",
        words(&now, "notes-0")
    );
    assert!(text(&now, "strip-about").contains("striped where it had ended"));
    assert!(text(&now, "newest").starts_with("Round 60, id 60: "));
}

/// At 25 people a second, eight policies and 28 pairs an event has at most 4 KB on a rate and a fact,
/// and at most 5 KB on two measures with intervals; there are two a second.
#[test]
fn little_is_sent() {
    const HALVES: u64 = 120;
    // Early on all numbers change at once; with two measures that have intervals the most.
    for (second, bound) in [("representation_loss", 4096), ("fairness_loss", 5120)] {
        let watched = of(&EIGHT, &["selection_rate", second]);
        let mut history = History::default();
        let (start, mut before) = (Instant::now(), None::<Board>);
        let (mut sizes, mut rounds) = (Vec::new(), 1);
        let mut most = String::new();
        for half in 0..HALVES {
            let more = 12 + half % 2;
            play_four(&watched, rounds..rounds + more);
            rounds += more;
            let at = start + Duration::from_millis(500 * half);
            let now = board(&watched, &mut history, at, before.as_ref());
            let known = before.as_ref().map_or(0, |board| board.number);
            let event = sent(&now, known).expect("news").to_string();
            if known > 0 && event.len() > most.len() {
                most.clone_from(&event);
            }
            sizes.push(event.len());
            before = Some(now);
        }
        let whole = sizes.remove(0);
        let all: usize = sizes.iter().sum();
        println!(
            "{second}: {whole} at first, then {} at most, {} on average",
            most.len(),
            all / sizes.len()
        );
        // Nothing of ours has to be spelt out.
        assert!(!most.contains("\u{27e8}U+"), "{most}");
        assert!(most.len() <= bound, "{} bytes: {most}", most.len());
    }
}
