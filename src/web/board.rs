//! The board: what people look at while policies play. One page, drawn here with the report's own
//! figures; the browser only puts in what has changed, as server-sent events tell it.
//!
//! ```text
//! Watched --moment--> Moment --sections--> Board --watch (lossy)--> a stream of events for each who looks
//! ```
//! A board is made while it has a viewer, at most twice a second, and takes at most a fifth of one
//! core.

mod interviews;
mod lanes;
mod latest;
mod lead;
mod lines;
mod moment;
mod shared;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use maud::{Markup, PreEscaped, html};
use tokio_stream::{Stream, StreamExt};

use self::shared::{Board, BoardShared};
use super::Services;
use crate::report::markup::text;
use crate::report::page::{THEMES, style};

const STYLE: &str = include_str!("board/board.css");
const SCRIPT: &str = include_str!("board/board.js");

/// Nothing from outside, nothing inline; the icon is an empty one of the page's own.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The time between pulses, by which a viewer notices a dead connection.
const PULSE: Duration = Duration::from_secs(5);

/// The board's pages: `/`, its style and script, and `/v1/board`, the events that keep it up to
/// date.
pub fn routes() -> Router<Services> {
    Router::new()
        .route("/", get(page))
        .route(
            "/board.css",
            get(async || file("text/css", &(style() + STYLE))),
        )
        .route("/board.js", get(async || file("text/javascript", SCRIPT)))
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
    (heads, Html(page_html(&services.watched.name, &board))).into_response()
}

/// What has changed since the last event; the first is the whole board.
async fn events(
    State(services): State<Services>,
    Extension(shared): Extension<Arc<BoardShared>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let boards = shared.follow(&services.watched);
    let mut known = 0;
    let changes = boards.filter_map(move |board| {
        let board = board?;
        let event = event(&board, known);
        known = board.number;
        event
    });
    let events = changes
        .timeout_repeating(tokio::time::interval(PULSE))
        .map(|event| Ok(event.unwrap_or_else(|_| Event::default().event("pulse").data("1"))));
    let first = Event::default()
        .retry(Duration::from_secs(1))
        .comment("the board");
    let events = tokio_stream::once(Ok(first)).chain(events);
    Sse::new(events).keep_alive(KeepAlive::default())
}

/// The sections that have changed since a board of this number; none where all are as they were.
fn event(board: &Board, known: u64) -> Option<Event> {
    let changed = board.sections.iter();
    let changed = changed.filter(|section| section.changed > known);
    let html = changed.map(|section| (section.name.to_owned(), (*section.html).into()));
    let sections: serde_json::Map<String, serde_json::Value> = html.collect();
    (!sections.is_empty()).then(|| {
        let data = serde_json::json!({ "sections": sections });
        let event = Event::default().event("board").id(board.number.to_string());
        event.data(data.to_string())
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

fn page_html(title: &str, board: &Board) -> String {
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
                script src="board.js" defer {} "\n"
            } "\n"
            body.board { "\n"
                header { "\n"
                    (THEMES)
                    p.bar { button #pause type="button" hidden { "Pause" } } "\n"
                    (of("stage", ""))
                } "\n"
                p #lost hidden {} "\n"
                noscript {
                    p.lost { "Without script this page stays as it is: load it again to see more." }
                } "\n"
                p id="said" class="unseen" role="status" {} "\n"
                main { "\n"
                    (of("interviews", "To interview next"))
                    (of("lead", "")) (of("flow", ""))
                    div.pictures { "\n" (of("course", "")) (of("intervals", "")) (of("lines", "")) } "\n"
                    (of("lanes", "Policies")) (of("verdicts", "Verdicts"))
                    (of("streams", "On this stream")) (of("latest", "Latest decisions"))
                } "\n"
            } "\n"
        } "\n"
    };
    page.into_string()
}

#[cfg(test)]
mod tests;
