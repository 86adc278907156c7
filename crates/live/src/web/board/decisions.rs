//! The latest decisions: a strip of the last rounds, the newest in words, and the reasons of a
//! round on request.

use std::sync::Arc;

use serde::Serialize;

use super::model::Model;
use super::moment::{COLUMNS, Moment, order, shown};
use crate::watch::decisions::LaneDecision;
use crate::watch::{Stage, Watched};
use kleroterion_io::trace::Decision;
use kleroterion_report::report::account::list;
use kleroterion_report::report::number::grouped;
use kleroterion_report::report::plain;
use kleroterion_report::report::strip::{StripColumn, StripLane, lit};

/// The most policies named in a sentence as having chosen someone.
const NAMED: usize = 3;
/// The most attributes below a column.
const ATTRIBUTES: usize = 2;
const LETTERS: usize = 3;

/// A column of the strip, without the reasons.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoardColumn {
    /// The round's number.
    pub(super) round: u64,
    /// The person or people shown, in words.
    pub(super) who: String,
    /// Their groups, separated by blanks, since a column is too narrow for two on a line.
    pub(super) groups: String,
    /// The decision of each policy, one letter each.
    pub(super) letters: String,
    pub(super) is_lit: bool,
    /// The number of the board in which the column came.
    pub(super) changed: u64,
}

/// The reasons of each policy in a round.
#[derive(Debug, Serialize)]
pub(super) struct RoundWords {
    round: u64,
    who: String,
    /// The reasons, in label order.
    lanes: Vec<String>,
}

/// The decisions of all lanes in a round, in label order.
struct Round<'a> {
    number: u64,
    lanes: Vec<Option<&'a Decision>>,
    /// The place of the lane whose decision counts.
    acting: Option<usize>,
}

/// Groups decisions by round, in order. `order` lists the lanes in label order.
fn rounds<'a>(
    events: impl IntoIterator<Item = &'a Arc<LaneDecision>>,
    watched: &Watched,
    order: &[usize],
) -> Vec<Round<'a>> {
    let place = |lane: usize| order.iter().position(|one| *one == lane);
    let mut rounds: Vec<Round<'_>> = Vec::new();
    for event in events {
        let decision = &event.event.decision;
        if rounds
            .last()
            .is_none_or(|round| round.number != decision.round)
        {
            rounds.push(Round {
                number: decision.round,
                lanes: vec![None; order.len()],
                acting: watched.acting.and_then(place),
            });
        }
        if let (Some(round), Some(place)) = (rounds.last_mut(), place(event.lane)) {
            round.lanes[place] = Some(decision);
            if event.acts {
                round.acting = Some(place);
            }
        }
    }
    rounds
}

/// The lanes as rows of the strip.
fn lanes<'a>(watched: &'a Watched, order: &[usize]) -> Vec<StripLane<'a>> {
    let lane = |lane: &usize| {
        let (label, kind) = (&*watched.labels[*lane], watched.kinds[*lane]);
        (label, kind, watched.judge.is_contender(label))
    };
    StripLane::all(order.iter().map(lane))
}

/// The columns of the strip. Columns made `before` are kept as they are.
pub(super) fn columns(
    moment: &Moment<'_>,
    before: &[BoardColumn],
    number: u64,
) -> Vec<BoardColumn> {
    let lanes = lanes(moment.watched, &moment.order);
    let mut rounds = rounds(&moment.events, moment.watched, &moment.order);
    rounds.drain(..rounds.len().saturating_sub(COLUMNS));
    let column = |round: &Round<'_>| {
        let known = before.iter().find(|column| column.round == round.number);
        if let Some(known) = known {
            return Some(known.clone());
        }
        let made = StripColumn::of(&lanes, &round.lanes, round.acting)?;
        let (who, groups) = who(round);
        Some(BoardColumn {
            round: made.round,
            who,
            groups,
            letters: made.letters(),
            is_lit: made.is_lit,
            changed: number,
        })
    };
    rounds.iter().filter_map(column).collect()
}

/// The person or people shown in a round, in words, and the first letters of their groups.
fn who(round: &Round<'_>) -> (String, String) {
    let mut all = round.lanes.iter().flatten();
    let Some(first) = all.next() else {
        return Default::default();
    };
    if all.any(|other| other.shown != first.shown) {
        return ("other people for each".into(), String::new());
    }
    let [one] = first.shown.as_slice() else {
        let many = grouped(first.shown.len() as u64);
        return (format!("{many} people"), String::new());
    };
    let word = match one.bytes().all(|byte| byte.is_ascii_digit()) {
        true => "id",
        false => "person",
    };
    let short = |(_, value): (&str, &str)| {
        let is_letter = |c: &char| c.is_alphanumeric();
        let short: String = value.chars().take_while(is_letter).take(LETTERS).collect();
        short
    };
    let groups: Vec<String> = first.values(0).take(ATTRIBUTES).map(short).collect();
    (format!("{word} {one}"), groups.join(" "))
}

/// Fills the newest decision in words, or before the first one the way to send a first person.
pub(super) fn newest(model: &mut Model, moment: &Moment<'_>, columns: &[BoardColumn]) {
    let watched = moment.watched;
    let slate = *watched.slate.borrow();
    let is_closed = slate.is_some_and(|slate| slate.closed >= slate.last);
    let has_come = watched.gauges.accepted.get() > 0 || !columns.is_empty();
    let is_waiting = moment.stage == Stage::Following && !has_come && !is_closed;
    let step = watched.first_step.get().filter(|_| is_waiting);
    let newest = match columns.last() {
        Some(newest) => said(moment, newest),
        None => "No round has been decided yet.".to_owned(),
    };
    model.text("newest", newest);
    model.text("step", step.map_or("", String::as_str));
    let lanes = lanes(moment.watched, &moment.order);
    let acts = match moment.watched.acting {
        Some(_) => {
            " A red edge: unobserved, as the acting policy did not choose this person, so that what \
             they turn out to be will never be known."
        }
        None => "",
    };
    let about = format!(
        "Filled where a policy chose, striped where it had ended; {}.{acts} Point at a column, tap it \
         or use the arrow keys: who, and why.",
        lit(&lanes).replacen("underlined", "a dot", 1)
    );
    model.text(
        "strip-about",
        if columns.is_empty() {
            String::new()
        } else {
            about
        },
    );
}

/// The round, its people, and the policies that chose them, as a sentence.
fn said(moment: &Moment<'_>, column: &BoardColumn) -> String {
    let chose = column.letters.chars().zip(&moment.order);
    let chose = chose.filter(|(letter, _)| ['1', 'u'].contains(letter));
    let chose: Vec<&str> = chose.map(|(_, lane)| moment.label(*lane)).collect();
    let by = match chose.len() {
        0 => "no policy chooses".to_owned(),
        all if all > NAMED => format!("{all} of {} policies choose", column.letters.len()),
        _ => format!("chosen by {}", list(&chose, "and")),
    };
    format!("Round {}, {}: {by}.", grouped(column.round), column.who)
}

/// The reasons of a round, as far as the board may show them; `None` if the round is no longer
/// kept.
pub(super) fn words(watched: &Watched, round: u64) -> Option<RoundWords> {
    let order = order(watched);
    let events = shown(watched, 0);
    let of_it = events.iter().filter(|event| event.round() == round);
    let found = rounds(of_it, watched, &order);
    let found = found.first()?;
    let column = StripColumn::of(&lanes(watched, &order), &found.lanes, found.acting)?;
    Some(RoundWords {
        round,
        who: plain(&column.about()),
        lanes: column.words().map(plain).collect(),
    })
}
