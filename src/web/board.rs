//! The board: what people look at while policies play. One page, drawn here with the report's own
//! figures; the browser only puts in what has changed, as server-sent events tell it.
//!
//! ```text
//! Watched --moment--> Moment --sections--> Board --watch (lossy)--> a stream of events for each who looks
//! ```
//! A board is made while it has a viewer, at most twice a second, and takes at most a fifth of one
//! core.

mod cohort;
mod decisions;
mod elsewhere;
mod end;
mod interviews;
mod lanes;
mod lead;
mod lines;
mod moment;
mod patch;
mod seats;
mod shared;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use maud::{Markup, PreEscaped, html};
use tokio_stream::StreamExt;

use self::patch::patch;
use self::shared::{Board, BoardSection, BoardShared};
use super::Services;
use super::answer::HttpRefusal;
use crate::report::markup::text;
use crate::report::page::{THEMES, style};
use crate::report::strip::{STRIP_SCRIPT, STRIP_STYLE};
use crate::watch::Watched;

const STYLE: &str = include_str!("board/board.css");
const SCRIPT: &str = include_str!("board/board.js");

/// Nothing from outside, nothing inline; the icon is an empty one of the page's own.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The time between pulses, by which a viewer notices a dead connection.
const PULSE: Duration = Duration::from_secs(5);

/// The most columns of the strip in an event, but for the first: two seconds of 25 people a second.
const COLUMNS_AN_EVENT: usize = 60;

/// The board's pages: `/`, its style and script, and `/v1/board`, the events that keep it up to
/// date.
pub fn routes() -> Router<Services> {
    Router::new()
        .route("/", get(page))
        .route(
            "/board.css",
            get(async || file("text/css", &(style() + STRIP_STYLE + STYLE))),
        )
        .route("/board.js", get(async || file("text/javascript", SCRIPT)))
        .route(
            "/strip.js",
            get(async || file("text/javascript", STRIP_SCRIPT)),
        )
        .route("/report", get(async || Redirect::permanent("/report/")))
        .route("/report/", get(report))
        .route("/report/figures/{name}", get(figure))
        .route("/v1/board", get(events))
        .layer(Extension(Arc::new(BoardShared::default())))
}

fn file(kind: &str, text: &str) -> Response {
    let heads = [
        (CONTENT_TYPE, format!("{kind}; charset=utf-8")),
        // Another version of the server has others.
        (CACHE_CONTROL, "no-cache".to_owned()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    (heads, text.to_owned()).into_response()
}

/// The page of the run as it is now; without script it stays so.
async fn page(
    State(services): State<Services>,
    Extension(shared): Extension<Arc<BoardShared>>,
) -> Response {
    let board = shared.board(&services.watched).await;
    let heads = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    let ago = ago(&services.watched);
    (heads, Html(page_html(&services.watched.name, &board, ago))).into_response()
}

/// The report of the run, once it is over and its report is written.
async fn report(State(services): State<Services>) -> Response {
    let heads = [
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    match services.watched.report.get() {
        Some(report) => (heads, Html(report.html.clone())).into_response(),
        None => (
            StatusCode::NOT_FOUND,
            "the report comes once the run is over",
        )
            .into_response(),
    }
}

/// A figure of the report.
async fn figure(State(services): State<Services>, Path(name): Path<String>) -> Response {
    let figures = services.watched.report.get().map(|report| &report.figures);
    let found = figures.and_then(|figures| figures.iter().find(|(file, _)| *file == name));
    match found {
        Some((_, svg)) => file("image/svg+xml", svg),
        None => (
            StatusCode::NOT_FOUND,
            "the report has no figure of this name",
        )
            .into_response(),
    }
}

/// How many milliseconds ago the last person came.
fn ago(watched: &Watched) -> Option<u64> {
    watched.times.quiet().map(|quiet| quiet.as_millis() as u64)
}

/// What has changed since the last event; the first is the whole board.
async fn events(
    State(services): State<Services>,
    Extension(shared): Extension<Arc<BoardShared>>,
) -> Response {
    let Some(boards) = shared.follow(&services.watched) else {
        let help = "GET / shows the board as it is now";
        return HttpRefusal::unavailable("as many follow the board as may", help).into_response();
    };
    let watched = Arc::clone(&services.watched);
    let mut known = 0;
    let changes = boards.filter_map(move |board| {
        let board = board?;
        let event = event(&board, known, ago(&watched));
        known = board.number;
        event
    });
    let watched = Arc::clone(&services.watched);
    let pulse = move || {
        let data = serde_json::json!({ "ago": ago(&watched) });
        Event::default().event("pulse").data(data.to_string())
    };
    let events = changes
        .timeout_repeating(tokio::time::interval(PULSE))
        .map(move |event| Ok::<_, Infallible>(event.unwrap_or_else(|_| pulse())));
    let first = Event::default()
        .retry(Duration::from_secs(1))
        .comment("the board");
    let events = tokio_stream::once(Ok(first)).chain(events);
    let events = Sse::new(events).keep_alive(KeepAlive::default());
    events.into_response()
}

/// What has changed since a board of this number, as an event; none where all is as it was.
fn event(board: &Board, known: u64, ago: Option<u64>) -> Option<Event> {
    let data = changes(board, known, ago)?;
    let event = Event::default().event("board").id(board.number.to_string());
    Some(event.data(data.to_string()))
}

/// What has changed since a board of this number: whole sections, pieces of those that were known
/// before, and new columns; when the last person came, and how many there were.
fn changes(board: &Board, known: u64, ago: Option<u64>) -> Option<serde_json::Value> {
    let changed = |section: &&BoardSection| section.changed > known;
    let (mut sections, mut pieces) = (serde_json::Map::new(), serde_json::Map::new());
    for section in board.sections.iter().filter(changed) {
        let name = section.name.to_owned();
        let before = section
            .before
            .as_ref()
            .filter(|(became, _)| *became <= known);
        match before.and_then(|(_, before)| patch(before, &section.html)) {
            Some(patch) => drop(pieces.insert(name, serde_json::json!(patch))),
            None => drop(sections.insert(name, (*section.html).into())),
        }
    }
    let columns = board.columns.iter().filter(|column| column.changed > known);
    let columns: Vec<(u64, &str)> = columns
        .map(|column| (column.round, &*column.html))
        .collect();
    // More at once are not seen one by one.
    let skipped = match known {
        0 => 0,
        _ => columns.len().saturating_sub(COLUMNS_AN_EVENT),
    };
    let columns = &columns[skipped..];
    let is_new = !sections.is_empty() || !pieces.is_empty() || !columns.is_empty();
    is_new.then(|| {
        serde_json::json!({
            "whole": known == 0, "sections": sections, "pieces": pieces, "columns": columns,
            "ago": ago, "people": board.people,
        })
    })
}

/// A section's place on the page; those without a heading stand alone.
fn place(board: &Board, name: &str, heading: &str) -> Markup {
    let found = board.sections.iter().find(|section| section.name == name);
    let section = PreEscaped(found.map_or("", |section| &*section.html));
    html! {
        @if heading.is_empty() {
            div id=(name) { (section) } "\n"
        } @else {
            section aria-labelledby={ (name) "-head" } {
                h2 id={ (name) "-head" } { (heading) }
                div id=(name) { (section) }
            } "\n"
        }
    }
}

fn page_html(title: &str, board: &Board, ago: Option<u64>) -> String {
    let of = |name, heading| place(board, name, heading);
    let page = html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                meta name="color-scheme" content="light dark"; "\n"
                link rel="icon" href="data:,"; "\n"
                title { (text(title)) } "\n"
                link rel="stylesheet" href="board.css"; "\n"
                script src="strip.js" defer {} "\n"
                script src="board.js" defer {} "\n"
            } "\n"
            body.board { "\n"
                header { "\n"
                    (THEMES)
                    p.bar { button #pause type="button" hidden { "Pause" } } "\n"
                    (of("stage", ""))
                    p #fresh data-ago=[ago] hidden {} "\n"
                    (of("end", "")) (of("alerts", ""))
                } "\n"
                p #lost hidden {} "\n"
                noscript {
                    p.lost { "Without script this page stays as it is: load it again to see more." }
                } "\n"
                p id="said" class="unseen" role="status" {} "\n"
                main { "\n"
                    (of("interviews", "To interview next"))
                    (of("lead", "")) (of("flow", ""))
                    (of("verdicts", "Verdicts"))
                    div.pictures { "\n" (of("course", "")) (of("lines", "")) } "\n"
                    section aria-labelledby="latest-head" {
                        h2 #latest-head { "Latest decisions" }
                        (of("latest", "")) (decisions::strip(&board.lanes, &board.columns))
                    } "\n"
                    (of("lanes", "Policies"))
                    section aria-labelledby="stream-head" {
                        h2 #stream-head { "On this stream" }
                        div.pictures { "\n" (of("shares", "")) (of("seats", "")) }
                        (of("streams", ""))
                    } "\n"
                } "\n"
            } "\n"
        } "\n"
    };
    page.into_string()
}

#[cfg(test)]
mod tests;
