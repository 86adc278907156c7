//! The latest decisions: a strip of the last rounds, and the newest in words.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};

use super::moment::{COLUMNS, Moment};
use crate::report::markup::text;
use crate::report::strip::{LABEL, StripColumn, StripLane, WIDE, block, lit, said};
use crate::trace::Decision;
use crate::watch::Stage;

/// A column of the strip.
#[derive(Clone, Debug)]
pub(super) struct BoardColumn {
    /// Its round.
    pub(super) round: u64,
    pub(super) html: Arc<str>,
    /// The same in words, where it was the newest.
    pub(super) said: Option<Arc<str>>,
    /// The number of the board in which it came.
    pub(super) changed: u64,
}

/// What all lanes decided in a round, in label order.
struct Round<'a> {
    number: u64,
    lanes: Vec<Option<&'a Decision>>,
    /// The place of the lane whose decision counts.
    acting: Option<usize>,
}

/// The last rounds, in order.
fn rounds<'a>(moment: &'a Moment<'_>) -> Vec<Round<'a>> {
    let place = |lane: usize| moment.order.iter().position(|one| *one == lane);
    let mut rounds: Vec<Round<'_>> = Vec::new();
    for event in &moment.events {
        let decision = &event.event.decision;
        if rounds
            .last()
            .is_none_or(|round| round.number != decision.round)
        {
            rounds.push(Round {
                number: decision.round,
                lanes: vec![None; moment.order.len()],
                acting: moment.watched.acting.and_then(place),
            });
        }
        if let (Some(round), Some(place)) = (rounds.last_mut(), place(event.lane)) {
            round.lanes[place] = Some(decision);
            if event.acts {
                round.acting = Some(place);
            }
        }
    }
    let before = rounds.len().saturating_sub(COLUMNS);
    rounds.split_off(before)
}

/// The rows of the strip.
fn lanes<'a>(moment: &'a Moment<'_>) -> Vec<StripLane<'a>> {
    let lane = |lane: &usize| {
        let (label, kind) = (moment.label(*lane), moment.watched.kinds[*lane]);
        (label, kind, moment.watched.judge.is_contender(label))
    };
    StripLane::all(moment.order.iter().map(lane))
}

/// The columns of the strip; those that were made `before` as they are.
pub(super) fn columns(
    moment: &Moment<'_>,
    before: &[BoardColumn],
    number: u64,
) -> Vec<BoardColumn> {
    let lanes = lanes(moment);
    let labels: Vec<&str> = lanes.iter().map(|lane| lane.label).collect();
    let rounds = rounds(moment);
    let newest = rounds.last().map(|round| round.number);
    let column = |round: &Round<'_>| {
        let known = before.iter().find(|column| column.round == round.number);
        // Of the newest the words are wanted too.
        if let Some(known) = known {
            return Some(known.clone());
        }
        let made = StripColumn::of(&lanes, &round.lanes, round.acting)?;
        let is_newest = Some(made.round()) == newest;
        Some(BoardColumn {
            round: made.round(),
            // Within JSON a double quote takes two bytes; none is left within an attribute.
            html: made.html().into_string().replace('"', "'").into(),
            said: is_newest.then(|| made.said(&labels).into()),
            changed: number,
        })
    };
    rounds.iter().filter_map(column).collect()
}

/// The newest decision in words; how to send the first person where there is none.
pub(super) fn newest(moment: &Moment<'_>, columns: &[BoardColumn]) -> Markup {
    let newest = columns.last().and_then(|newest| newest.said.as_deref());
    let is_waiting = moment.stage == Stage::Following && columns.is_empty();
    let step = moment.watched.first_step.get().filter(|_| is_waiting);
    let acts = moment.watched.acting.is_some();
    html! {
        @match newest {
            Some(newest) => p.newest data-said=(text(newest)) { (text(newest)) },
            None => p { "No round has been decided yet." },
        }
        @if let Some(step) = step {
            p { "Send the first person:" }
            pre tabindex="0" role="region" aria-label="A command to copy" { code { (text(step)) } }
        }
        @if !columns.is_empty() {
            p.note {
                "A column a round, a row a policy, filled where it chose, striped where it had ended; " (lit(&lanes(moment)))
                "; a gap where rounds came too fast to be shown."
                @if acts {
                    " A red edge: unobserved, as the acting policy did not choose this person, so \
                     that what they turn out to be will never be known."
                }
            }
        }
    }
}

/// The strip of a page that is asked for, the newest rounds above. The script puts in later columns.
pub(super) fn strip(lanes: &[(String, Option<usize>)], columns: &[BoardColumn]) -> Markup {
    let wide = WIDE as u64;
    let row = |column: &BoardColumn| (column.round - 1) / wide;
    let mut rows: Vec<u64> = columns.iter().map(row).collect();
    rows.dedup();
    if rows.is_empty() {
        rows.push(0);
    }
    let column = |round: u64| {
        let found = columns.iter().find(|column| column.round == round);
        match found {
            Some(column) => PreEscaped(column.html.to_string()),
            None => html! { li {} },
        }
    };
    html! {
        div #strip class="k-strip klero-figure" role="img" aria-label=(LABEL) {
            @for row in rows.iter().rev() {
                @let first = row * wide + 1;
                (block(lanes, first, None, (first..first + wide).map(column)))
            }
        }
        (said())
    }
}
