//! The board: the page on which people watch the policies play. The server draws one page of the
//! numbers of one moment. The browser only inserts the numbers that have changed, which come as
//! server-sent events.
//!
//! ```text
//! Watched --moment--> Moment --filled--> Model --Board--> watch (lossy) --changes--> each who looks
//! ```
//! A board is made only while it has a viewer, at most twice a second. It takes at most a fifth of
//! one core.

mod answer;
mod applicants;
mod changes;
mod charts;
mod committee;
mod decisions;
mod elsewhere;
mod end;
mod health;
mod hiring;
mod hiring_words;
mod interviews;
mod lanes;
mod model;
mod moment;
mod page;
mod pairs;
mod shared;

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde::Deserialize;
use tokio_stream::StreamExt;

use self::changes::{View, changes};
pub use self::hiring_words::HiringWords;
use self::page::page_html;
use self::shared::BoardShared;
use super::Services;
use super::answer::{HttpRefusal, json};
use crate::limits::{BOARD_RETRY, PULSE_PERIOD};
use crate::watch::Watched;
use kleroterion_report::report::page::style;
use kleroterion_report::report::strip::{STRIP_SCRIPT, STRIP_STYLE};

const STYLE: &str = include_str!("board/board.css");
const SCRIPT: &str = include_str!("board/board.js");
const CHARTS: &str = include_str!("board/charts.js");
const HIRING: [&str; 2] = [
    include_str!("board/hiring.css"),
    include_str!("board/hiring.js"),
];

/// The content security policy of the page: nothing from outside and nothing inline. The icon is an
/// empty one of the page's own.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The routes of the board: the page `/` with its style and scripts, the events `/v1/board` that
/// keep it up to date, and the reasons of a round.
pub fn routes() -> Router<Services> {
    let script = |text| get(async move || file("text/javascript", text));
    Router::new()
        .route("/", get(page))
        .route(
            "/board.css",
            get(async || file("text/css", &(style() + STRIP_STYLE + STYLE))),
        )
        .route("/board.js", script(SCRIPT))
        .route("/charts.js", script(CHARTS))
        .route("/strip.js", script(STRIP_SCRIPT))
        .route("/hiring.css", get(async || file("text/css", HIRING[0])))
        .route("/hiring.js", script(HIRING[1]))
        .route("/report", get(async || Redirect::permanent("/report/")))
        .route("/report/", get(report))
        .route("/report/figures/{name}", get(figure))
        .route("/v1/board", get(events))
        .route("/v1/board/rounds/{round}", get(round))
        .layer(Extension(Arc::new(BoardShared::default())))
}

/// The headers of all pages.
const HEADS: [(HeaderName, &str); 3] = [
    (CACHE_CONTROL, "no-store"),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

fn absent(why: &'static str) -> Response {
    (StatusCode::NOT_FOUND, why).into_response()
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

/// Serves the page of the run as it is now. Without a script it stays like that.
async fn page(
    State(services): State<Services>,
    Extension(shared): Extension<Arc<BoardShared>>,
) -> Response {
    let board = shared.board(&services.watched).await;
    let page = page_html(&services.watched, &board, ago(&services.watched));
    (HEADS, [(CONTENT_SECURITY_POLICY, POLICY)], Html(page)).into_response()
}

/// Serves the report of the run, once it is written.
async fn report(State(services): State<Services>) -> Response {
    match services.watched.report.get() {
        Some(report) => (HEADS, Html(report.html.clone())).into_response(),
        None => absent("the report comes once the run is over"),
    }
}

/// Serves a figure of the report.
async fn figure(State(services): State<Services>, Path(name): Path<String>) -> Response {
    let figures = services.watched.report.get().map(|report| &report.figures);
    let found = figures.and_then(|figures| figures.iter().find(|(file, _)| *file == name));
    match found {
        Some((_, svg)) => file("image/svg+xml", svg),
        None => absent("the report has no figure of this name"),
    }
}

/// The time since the last person came, in milliseconds; `None` before the first.
fn ago(watched: &Watched) -> Option<u64> {
    watched.times.quiet().map(|quiet| quiet.as_millis() as u64)
}

/// The query: the parts of the board that this viewer wants and not all viewers do.
#[derive(Debug, Default, Deserialize)]
struct Wanted {
    /// The policy whose committee is shown, by its place among the labels.
    lane: Option<usize>,
    /// Shows rates and outcomes unless it is 0 or missing.
    groups: Option<u8>,
}

/// Serves the changes of the board as events. The first event is the whole board.
async fn events(
    State(services): State<Services>,
    Extension(shared): Extension<Arc<BoardShared>>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, HttpRefusal> {
    let Query(wanted) = wanted.map_err(|_| {
        let help = "lane is the place of a policy, groups 0 or 1: /v1/board?lane=0&groups=1";
        let error = "`lane` or `groups` is no number";
        HttpRefusal::new(StatusCode::BAD_REQUEST, error, help)
    })?;
    let view = View {
        lane: wanted.lane,
        groups: wanted.groups.is_some_and(|groups| groups > 0),
    };
    let Some(boards) = shared.follow(&services.watched) else {
        let (error, help) = (
            "as many follow the board as may",
            "GET / shows the board as it is now",
        );
        return Err(HttpRefusal::unavailable(error, help));
    };
    let watched = Arc::clone(&services.watched);
    let mut known = 0;
    let changes = boards.filter_map(move |board| {
        let board = board?;
        let mut data = changes(&board, known, view, ago(&watched))?;
        if known == 0 {
            data["run"] = changes::run_of(&watched).into();
        }
        known = board.number;
        let event = Event::default().event("board").id(board.number.to_string());
        Some(event.data(data.to_string()))
    });
    let watched = Arc::clone(&services.watched);
    let pulse = move || {
        let data = serde_json::json!({ "ago": ago(&watched) });
        Event::default().event("pulse").data(data.to_string())
    };
    let events = changes
        .timeout_repeating(tokio::time::interval(PULSE_PERIOD))
        .map(move |event| Ok::<_, Infallible>(event.unwrap_or_else(|_| pulse())));
    let first = Event::default().retry(BOARD_RETRY).comment("the board");
    let events = tokio_stream::once(Ok(first)).chain(events);
    let events = Sse::new(events).keep_alive(KeepAlive::default());
    Ok(events.into_response())
}

/// Serves the people of a round, and the reasons of each policy's decision.
async fn round(
    State(services): State<Services>,
    Path(round): Path<String>,
) -> Result<Response, HttpRefusal> {
    let help = "ask for a round that the strip shows: /v1/board/rounds/1";
    let number = round
        .parse()
        .map_err(|_| HttpRefusal::new(StatusCode::BAD_REQUEST, "a round is a number", help))?;
    let words = decisions::words(&services.watched, number).ok_or_else(|| {
        let error = "the round is not decided yet, or kept no more";
        HttpRefusal::new(StatusCode::NOT_FOUND, error, help)
    })?;
    Ok(json(StatusCode::OK, &words))
}

#[cfg(test)]
mod tests;
