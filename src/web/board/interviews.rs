//! Whom to interview next, how, for which policy and since when; and the slate that is open.

use chrono::{DateTime, Utc};
use maud::{Markup, html};

use super::cohort::cohort;
use super::moment::Moment;
use crate::looks::{DeskView, ListedLook, LookState};
use crate::report::markup::text;
use crate::report::number::grouped;
use crate::report::page::{card_cell, card_heads};
use crate::watch::Watched;

/// The most interviews that are listed.
const LISTED: usize = 50;

const HEADS: [&str; 5] = ["Candidate", "Interview", "Cost", "For", "Since"];

/// The section; empty where no one holds interviews and no one closes slates.
pub(super) fn interviews(moment: &Moment<'_>) -> Markup {
    let watched = moment.watched;
    html! {
        @if let Some(line) = slate(watched) { p { (line) } }
        @if let Some(desk) = &watched.desk { (open(watched, desk)) }
        (cohort(moment))
    }
}

/// How far the slates are.
fn slate(watched: &Watched) -> Option<String> {
    let slate = (*watched.slate.borrow())?;
    let round = slate.closed + 1;
    Some(match (slate.closed < slate.last, slate.people) {
        (false, _) => "The last slate is closed.".into(),
        (true, 1) => format!("The slate of round {round} is open, with 1 candidate so far."),
        (true, people) => {
            let people = grouped(people);
            format!("The slate of round {round} is open, with {people} candidates so far.")
        }
    })
}

/// The interviews that are open.
fn open(watched: &Watched, desk: &DeskView) -> Markup {
    let listed = desk.listed(LookState::Open..=LookState::Open);
    let [open, answered, missed] = desk.counts();
    let more = listed.len().saturating_sub(LISTED);
    html! {
        @if listed.is_empty() {
            p {
                "No policy waits for an interview"
                @if desk.offers() { " or for a reply to an offer" }
                "."
            }
        } @else {
            table class="claims interviews" role="table" {
                caption.unseen { "The interviews to hold, the oldest first" }
                (card_heads(HEADS))
                tbody role="rowgroup" {
                    @for look in listed.iter().take(LISTED) { (row(look, watched, desk)) "\n" }
                }
            }
        }
        p.note {
            (grouped(open)) " open"
            @if more > 0 { ", of which the oldest " (LISTED) " are listed" }
            ", " (grouped(answered)) " answered"
            @if missed > 0 { ", " (grouped(missed)) " not answered in time" }
            ". Answers go to POST /v1/looks."
        }
    }
}

fn row(listed: &ListedLook, watched: &Watched, desk: &DeskView) -> Markup {
    let kind = &desk.kinds()[listed.look.kind];
    let nth = listed.look.nth + 1;
    let labels = listed.wanted_by.iter().map(|lane| &*watched.labels[*lane]);
    let labels = labels.collect::<Vec<_>>().join(", ");
    html! {
        tr role="row" {
            th scope="row" role="rowheader" { (text(&desk.called(&listed.look.candidate))) }
            (card_cell(HEADS[1], html! {
                (text(&kind.name)) @if nth > 1 { " (no. " (nth) ")" }
            }))
            (card_cell(HEADS[2], html! { (kind.cost) }))
            (card_cell(HEADS[3], html! { (text(&labels)) }))
            (card_cell(HEADS[4], html! { (since(listed.since)) }))
        }
    }
}

/// An instant to the minute, in UTC.
fn since(millis: u64) -> String {
    let at = DateTime::<Utc>::from_timestamp_millis(millis as i64).unwrap_or_default();
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}
