//! The latest decisions: a row a round, a column a policy, the newest first.

use super::lanes::{grouped, named};
use super::moment::{Moment, ROUNDS};
use crate::report::account::quoted;
use crate::report::markup::escape;
use crate::report::number::brief;
use crate::trace::Decision;
use crate::watch::decisions::LaneDecision;

/// Of several chosen so many are named.
const NAMED: usize = 3;
/// So many reasons are told, of few policies and of many.
const REASONS: [usize; 2] = [4, 2];
/// So many policies are few.
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
pub(super) fn latest(moment: &Moment<'_>, looks: &[(String, usize)]) -> String {
    let rounds = rounds(moment);
    let Some(newest) = rounds.first() else {
        return "<p>No round has been decided yet.</p>".into();
    };
    let mut has_unobserved = false;
    let rows = rounds.iter().map(|round| {
        let cells = moment.order.iter().map(|&lane| {
            let mut cell = cell(round, lane, round.acting);
            has_unobserved |= cell.is_unobserved;
            if cell.is_unobserved {
                cell.html.push_str("<span class=\"why unobserved\">unobserved</span>");
            }
            let head = escape(moment.label(lane));
            format!("<td role=\"cell\" data-head=\"{head}\"><span>{}</span></td>", cell.html)
        });
        let cells: String = cells.collect();
        format!(
            "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"><span class=\"round\">{}</span> {}</th>{cells}</tr>\n",
            grouped(round.number),
            escape(&who(round))
        )
    });
    let rows: String = rows.collect();
    let head = |lane: &usize| {
        let tag = moment.acting_tag(*lane);
        let name = named(moment.label(*lane), looks);
        format!(
            "<th scope=\"col\" role=\"columnheader\"><span class=\"who\">{name}{tag}</span></th>"
        )
    };
    let heads: String = moment.order.iter().map(head).collect();
    let note = match has_unobserved {
        true => {
            "<p class=\"note\">Unobserved: the acting policy did not choose this person, so what the person turns out to be will never be known.</p>"
        }
        false => "",
    };
    format!(
        "<table class=\"claims latest\" role=\"table\" data-said=\"{}\"><caption class=\"unseen\">The latest decisions, the newest first</caption>\
         <thead role=\"rowgroup\"><tr role=\"row\"><th scope=\"col\" role=\"columnheader\">Round, who</th>{heads}</tr></thead>\
         <tbody role=\"rowgroup\">{rows}</tbody></table>{note}",
        escape(&said(moment, newest))
    )
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

struct Cell {
    html: String,
    /// Whether it chose somebody whom the acting policy did not.
    is_unobserved: bool,
}

fn cell(round: &Round<'_>, lane: usize, acting: Option<usize>) -> Cell {
    let Some(event) = &round.lanes[lane] else {
        return Cell {
            html: "<span class=\"open\">ended</span>".into(),
            is_unobserved: false,
        };
    };
    let (class, sign) = if event.forfeit {
        ("no", "\u{d7}")
    } else if event.chosen.is_empty() {
        ("open", "\u{2013}")
    } else {
        ("yes", "\u{2713}")
    };
    let mut html = format!(
        "<span class=\"{class}\"><span aria-hidden=\"true\">{sign}</span> {}</span>",
        escape(&chosen(event))
    );
    let p = event.p.map(|p| format!("p {}", brief(p, 3)));
    let most = REASONS[usize::from(round.lanes.len() > FEW)];
    let terms = event.reason.iter().take(most).map(|(name, value)| {
        let value = value.map_or("\u{2013}".to_owned(), |value| {
            brief(value, 4).replace('-', "\u{2212}")
        });
        format!("{name} {value}")
    });
    let more = event.reason.len().saturating_sub(most);
    let more = (more > 0).then(|| format!("{more} more"));
    let why: Vec<String> = p.into_iter().chain(terms).chain(more).collect();
    if !why.is_empty() {
        html += &format!("<span class=\"why\">{}</span>", escape(&why.join(", ")));
    }
    let taken = |acting: usize| {
        let chosen = round.lanes[acting]
            .as_ref()
            .map(|event| event.chosen.as_slice());
        let chosen = chosen.unwrap_or_default();
        event.chosen.iter().all(|id| chosen.contains(id))
    };
    Cell {
        html,
        is_unobserved: acting.is_some_and(|acting| acting != lane && !taken(acting)),
    }
}

/// Whom a policy chose, in words.
fn chosen(event: &Decision) -> String {
    match (event.chosen.as_slice(), event.shown.len()) {
        ([], _) if event.forfeit => "forfeit".into(),
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
