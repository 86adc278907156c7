//! The latest decisions: a row a round, a column a policy, the newest first.

use maud::{Markup, html};

use super::lanes::named;
use super::moment::{Moment, ROUNDS};
use crate::report::account::quoted;
use crate::report::markup::text;
use crate::report::number::{brief, grouped};
use crate::report::page::card_cell;
use crate::trace::Decision;
use crate::watch::decisions::LaneDecision;

/// The most persons named of several chosen.
const NAMED: usize = 3;
/// The most reasons shown, of few policies and of many.
const REASONS: [usize; 2] = [4, 2];
/// The most policies that count as few.
const FEW: usize = 4;

/// What all lanes decided in a round; those that had ended have nothing.
struct Round<'a> {
    number: u64,
    lanes: Vec<Option<&'a Decision>>,
    /// The lane whose decision counts.
    acting: Option<usize>,
}

/// The latest rounds, the newest first.
fn rounds<'a>(moment: &'a Moment<'_>) -> Vec<Round<'a>> {
    let lanes = moment.watched.labels.len();
    let mut rounds: Vec<Round<'_>> = Vec::new();
    for event in moment.events.iter().map(|event| &**event).rev() {
        let LaneDecision {
            lane, acts, event, ..
        } = event;
        let decision = &event.decision;
        if rounds
            .last()
            .is_none_or(|round| round.number != decision.round)
        {
            if rounds.len() == ROUNDS {
                break;
            }
            rounds.push(Round {
                number: decision.round,
                lanes: vec![None; lanes],
                acting: moment.watched.acting,
            });
        }
        if let Some(round) = rounds.last_mut() {
            if *acts {
                round.acting = Some(*lane);
            }
            round.lanes[*lane] = Some(decision);
        }
    }
    rounds
}

/// The table.
pub(super) fn latest(moment: &Moment<'_>, looks: &[(String, usize)]) -> Markup {
    let rounds = rounds(moment);
    let Some(newest) = rounds.first() else {
        return html! { p { "No round has been decided yet." } };
    };
    let lanes = || moment.order.iter().copied();
    let is_unobserved = |round: &Round<'_>| lanes().any(|lane| round.is_unobserved(lane));
    html! {
        table class="claims latest" role="table" data-said=(text(&said(moment, newest))) {
            caption.unseen { "The latest decisions, the newest first" }
            thead role="rowgroup" { tr role="row" {
                th scope="col" role="columnheader" { "Round, who" }
                @for lane in lanes() {
                    th scope="col" role="columnheader" {
                        span.who { (named(moment.label(lane), looks)) (moment.acting_tag(lane)) }
                    }
                }
            } }
            tbody role="rowgroup" {
                @for round in &rounds {
                    tr role="row" {
                        th scope="row" role="rowheader" {
                            span.round { (grouped(round.number)) } " " (text(&who(round)))
                        }
                        @for lane in lanes() {
                            (card_cell(moment.label(lane), cell(round, lane)))
                        }
                    } "\n"
                }
            }
        }
        @if rounds.iter().any(is_unobserved) {
            p.note {
                "Unobserved: the acting policy did not choose this person, so what the person \
                 turns out to be will never be known."
            }
        }
    }
}

/// Who was shown: as every policy was, or of different pools how many.
fn who(round: &Round<'_>) -> String {
    let mut shown = round
        .lanes
        .iter()
        .flatten()
        .map(|event| event.shown.as_slice());
    let first = shown.next().unwrap_or_default();
    if shown.any(|other| other != first) {
        return "other people for each".into();
    }
    match first {
        [] => "nobody".into(),
        [one] => one.clone(),
        many => format!("{} people", grouped(many.len() as u64)),
    }
}

impl Round<'_> {
    /// Whether a lane chose a person whom the acting policy did not.
    fn is_unobserved(&self, lane: usize) -> bool {
        let (Some(decision), Some(acting)) = (self.lanes[lane], self.acting) else {
            return false;
        };
        let taken = self.lanes[acting].map_or(&[][..], |decision| &decision.chosen);
        acting != lane && !decision.chosen.iter().all(|id| taken.contains(id))
    }
}

/// What a lane decided in a round, and why.
fn cell(round: &Round<'_>, lane: usize) -> Markup {
    let Some(decision) = round.lanes[lane] else {
        return html! { span.open { "ended" } };
    };
    let (class, sign) = if decision.forfeit {
        ("no", "\u{d7}")
    } else if decision.chosen.is_empty() {
        ("open", "\u{2013}")
    } else {
        ("yes", "\u{2713}")
    };
    let why = why(decision, REASONS[usize::from(round.lanes.len() > FEW)]);
    html! {
        span class=(class) { span aria-hidden="true" { (sign) } " " (text(&chosen(decision))) }
        @if !why.is_empty() { span.why { (text(&why)) } }
        @if round.is_unobserved(lane) { span class="why unobserved" { "unobserved" } }
    }
}

/// How likely a choice was, and the first `most` of its reasons.
fn why(decision: &Decision, most: usize) -> String {
    let p = decision.p.map(|p| format!("p {}", brief(p, 3)));
    let terms = decision.reason.iter().take(most).map(|(name, value)| {
        let value = value.map_or("\u{2013}".to_owned(), |value| {
            brief(value, 4).replace('-', "\u{2212}")
        });
        format!("{name} {value}")
    });
    let more = decision.reason.len().saturating_sub(most);
    let more = (more > 0).then(|| format!("{more} more"));
    let why: Vec<String> = p.into_iter().chain(terms).chain(more).collect();
    why.join(", ")
}

/// Whom a policy chose, in words.
fn chosen(event: &Decision) -> String {
    match (event.chosen.as_slice(), event.shown.len()) {
        ([], _) if event.forfeit => "forfeit".into(),
        ([], 1) if !event.declined.is_empty() => "declined".into(),
        ([], _) if !event.declined.is_empty() => "all chosen declined".into(),
        ([], _) => "not chosen".into(),
        (_, 1) => "chosen".into(),
        (chosen, all) => {
            let names = chosen.iter().take(NAMED).map(String::as_str);
            let names = names.collect::<Vec<_>>().join(", ");
            let more = if chosen.len() > NAMED {
                ", \u{2026}"
            } else {
                ""
            };
            format!("{} of {all}: {names}{more}", chosen.len())
        }
    }
}

/// The newest round in a sentence.
fn said(moment: &Moment<'_>, round: &Round<'_>) -> String {
    let of = |lane: &usize| {
        let event = round.lanes[*lane].as_ref()?;
        Some(format!("{} {}", quoted(moment.label(*lane)), chosen(event)))
    };
    let lanes: Vec<String> = moment.order.iter().filter_map(of).collect();
    format!(
        "Round {}, {}: {}.",
        grouped(round.number),
        who(round),
        lanes.join("; ")
    )
}
