//! A run of four policies as `live-show` has it, for what its board sends.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::super::moment::{History, Moment};
use super::super::shared::Board;
use super::changes;
use crate::compare::GroupRates;
use crate::compare::{Judge, Rounds, Versus};
use crate::protocol::{Attribute, Ending, Schema, Stop, Target, Until};
use crate::score::MetricRow;
use crate::trace::Decision;
use crate::watch::courses::Mean;
use crate::watch::decisions::Unplaced;
use crate::watch::{Stage, Watched};

const LABELS: [&str; 4] = ["first come", "known shares", "queue", "learns the shares"];
const METRICS: [&str; 2] = ["representation_loss", "selection_rate"];

/// Before its first round.
pub(super) fn four() -> Watched {
    let judge = Judge {
        metrics: METRICS.map(str::to_owned).into(),
        versus: Versus::Everyone,
        alpha: 0.05,
        ..Judge::default()
    };
    let rounds = Rounds::new(&LABELS, &judge).expect("there are pairs");
    let attribute = |name: &str, values: &[&str]| Attribute {
        name: name.into(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let attributes = vec![
        attribute("gender", &["F", "M"]),
        attribute("age", &["18-34", "35-54", "55+"]),
    ];
    let schema = Arc::new(Schema::new(attributes, vec![], false).expect("six cells"));
    let labels = LABELS.map(Arc::from).into();
    let watched = Watched::new("show".into(), Arc::clone(&schema), labels, None, judge);
    let kinds = vec!["accept_all", "cmdp", "virtual_queue", "plugin_cmdp"];
    let watched = watched.playing(kinds, Until::Accepted(1000));
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
    for (lane, label) in LABELS.iter().enumerate().skip(from) {
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
                policy: (*label).into(),
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
            watched.decisions.hand(lane, [Unplaced { slots, decision }]);
            let gauges = &watched.gauges.lanes[lane];
            gauges.rounds.add(1);
            gauges.accepted.add(u64::from(is_chosen));
        }
        let values = rounds
            .clone()
            .map(|round| Some(f64::from(u8::from(chosen(round, lane)))));
        let shared = watched.rounds.get().expect("they are compared");
        shared
            .lock()
            .unwrap()
            .add(lane, rounds.end - rounds.start, &[values.collect()]);
        let share = watched.gauges.lanes[lane].accepted.get() as f64 / rounds.end as f64;
        let half = 1.0 / (rounds.end as f64).sqrt();
        let row = |metric: &str, value| MetricRow {
            metric: metric.into(),
            at: None,
            value,
        };
        let rows = [
            row("selection_rate", share),
            row("representation_loss", 0.3 * half),
        ];
        let mean = Mean {
            value: share,
            interval: Some((share - half, share + half)),
        };
        for round in rounds.clone() {
            watched
                .courses
                .note(lane, round, &rows, &[None, Some(mean)]);
        }
    }
    watched.came(rounds.end - rounds.start);
}

/// The tables and the curves hold the same against the same, with the same sign.
#[test]
fn curves_and_tables_have_one_direction() {
    let watched = four();
    play_four(&watched, 1..200);
    watched.leave_all();
    let moment = Moment::of(&watched, &mut History::default(), Instant::now());
    let figure = super::super::lines::figures(&moment)
        .course
        .expect("a course");
    let tables = &moment.so_far.verdicts.tables;
    let table = tables
        .iter()
        .find(|table| table.measure == "selection_rate")
        .expect("a table");
    assert_eq!(table.rows.len(), 6);
    for row in &table.rows {
        let other = row.against.as_ref().expect("a pair");
        let words = format!("{} against {}", row.who.label, other.label);
        let panel = figure
            .panels
            .iter()
            .find(|panel| panel.y.label == words)
            .expect(&words);
        let mean = row.bar.as_ref().expect("a bar").mean;
        let last = panel.series[0].points.last().expect("points").y;
        assert!((mean - last).abs() < 1e-9, "{words}: {mean} and {last}");
    }
}

/// A policy that ended is held against others who went on: its facts say so. Measures are of the
/// round in which they were read.
#[test]
fn facts_and_measures_say_of_which_rounds_they_are() {
    let watched = four();
    play_four(&watched, 1..41);
    watched.end(0, Stop::from(Ending::Filled));
    watched.decisions.end(0);
    play_lanes(&watched, 1, 41..61);
    watched.gauges.lanes[2].rounds.add(2);
    watched.leave_all();
    let board = Board::of(
        &Moment::of(&watched, &mut History::default(), Instant::now()),
        None,
    );
    let verdicts = super::section(&board, "verdicts");
    assert!(
        verdicts.contains("after 40 and 60 people") || verdicts.contains("after 60 and 40 people")
    );
    assert!(!verdicts.contains("after 60 and 60 people"));
    assert!(verdicts.contains("representation_loss</b>: "), "{verdicts}");
    let lanes = super::section(&board, "lanes");
    assert_eq!(lanes.matches("at round 60").count(), 2, "{lanes}");
    let latest = super::section(&board, "latest");
    assert!(latest.contains("striped where it had ended"), "{latest}");
    assert!(latest.contains("Round 60, id 60,"), "{latest}");
}

/// At 25 people a second and four policies a board sends at most 20 KB a second.
#[test]
fn little_is_sent() {
    const SECONDS: u64 = 60;
    let watched = four();
    let mut history = History::default();
    let (start, mut before, mut bytes) = (Instant::now(), None::<Board>, 0);
    let (mut whole, mut rounds) = (0, 1);
    let mut by = BTreeMap::<String, usize>::new();
    for half in 0..2 * SECONDS {
        let more = 12 + half % 2;
        play_four(&watched, rounds..rounds + more);
        rounds += more;
        let at = start + Duration::from_millis(500 * half);
        watched.leave_all();
        let now = Board::of(&Moment::of(&watched, &mut history, at), before.as_ref());
        let known = before.as_ref().map_or(0, |board| board.number);
        let sent = changes(&now, known, Some(0));
        for member in ["sections", "pieces"] {
            let parts = sent
                .iter()
                .filter_map(|data| data[member].as_object())
                .flatten();
            parts.for_each(|(name, data)| {
                *by.entry(name.clone()).or_insert(0) += data.to_string().len()
            });
        }
        let columns = sent
            .as_ref()
            .map_or(0, |data| data["columns"].to_string().len());
        *by.entry("columns".into()).or_insert(0) += columns;
        let sent = sent.map_or(0, |data| data.to_string().len() + 30);
        match known {
            0 => whole = sent,
            _ => bytes += sent,
        }
        before = Some(now);
    }
    let a_second = bytes as u64 / SECONDS;
    println!("{a_second} bytes a second after {whole}");
    println!("over {SECONDS} seconds: {by:?}");
    assert!(a_second <= 20_000, "{a_second} bytes a second");
}
