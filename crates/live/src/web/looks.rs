//! The interviews that the policies want: `GET /v1/looks`, as JSON or as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::{ACCEPT, HeaderMap};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, SecondsFormat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;

use super::answer::{HttpRefusal, json};
use super::state::Server;
use crate::limits::LOOKS_PERIOD;
use crate::looks::{DeskView, ListedLook, LookState};
use crate::watch::{SlateStatus, Watched};

/// The slate and the interviews, as people see them.
#[derive(Serialize, JsonSchema)]
pub struct LooksAnswer {
    /// The open slate, if a person closes the slates.
    #[serde(skip_serializing_if = "Option::is_none")]
    slate: Option<SlateAnswer>,
    /// The number of open interviews.
    open: u64,
    /// The number of answered interviews.
    answered: u64,
    /// The number of interviews that were not answered in time.
    missed: u64,
    looks: Vec<LookAnswer>,
}

/// The open slate.
#[derive(Serialize, JsonSchema)]
struct SlateAnswer {
    /// Its round, from 1; null after the last slate.
    round: Option<u64>,
    /// The number of candidates on it.
    candidates: u64,
    /// The number of closed slates.
    closed: u64,
}

/// An interview.
#[derive(Serialize, JsonSchema)]
struct LookAnswer {
    candidate: String,
    kind: String,
    cost: f64,
    /// The number of the interview among those of its kind with the candidate, from 1.
    nth: u64,
    /// The labels of the policies that want it.
    wanted_by: Vec<String>,
    /// The time at which people were first asked.
    since: String,
    state: &'static str,
    /// The answer, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
}

/// The query: the interviews to list.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    /// Lists settled interviews too.
    #[serde(default)]
    all: bool,
}

/// Serves `GET /v1/looks?all=true`: the open interviews, or all of them.
///
/// If `Accept` asks for `text/event-stream`, it sends an event `looks` with the same data at each
/// change.
pub(super) async fn looks(
    State(server): State<Arc<Server>>,
    which: Result<Query<Which>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, HttpRefusal> {
    let Query(Which { all }) = which.map_err(|_| {
        let help = "ask for /v1/looks, or for /v1/looks?all=true";
        HttpRefusal::new(StatusCode::BAD_REQUEST, "`all` is true or false", help)
    })?;
    let watched = Arc::clone(&server.services.watched);
    let Some(desk) = watched.desk.clone() else {
        let help = "`type = \"people\"` in [feedback.interview] or [yield] would ask them";
        let error = "no interviewer is asked for anything in this run";
        return Err(HttpRefusal::new(StatusCode::NOT_FOUND, error, help));
    };
    let accepts = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
    if !accepts.is_some_and(|accept| accept.contains("text/event-stream")) {
        return Ok(json(StatusCode::OK, &answer(&watched, &desk, all)));
    }
    let place = server.followers.clone().try_acquire_owned();
    let place = place.map_err(|_| {
        let help = "GET /v1/looks without `Accept: text/event-stream` lists them";
        HttpRefusal::unavailable("as many follow as may", help)
    })?;
    let news = WatchStream::new(desk.news()).map(drop);
    let slates = WatchStream::from_changes(watched.slate.subscribe()).map(drop);
    let stop = WatchStream::new(server.stop.clone());
    let events = news.merge(slates).throttle(LOOKS_PERIOD).map(move |()| {
        let _place = &place;
        let text = serde_json::to_string(&answer(&watched, &desk, all));
        Ok::<_, Infallible>(
            Event::default()
                .event("looks")
                .data(text.unwrap_or_default()),
        )
    });
    // The server's end ends the stream.
    let stops = stop.filter(|stop| *stop).map(|_| None);
    let events = events.map(Some).merge(stops);
    let events = events.map_while(|event| event);
    let alive = KeepAlive::default().text("still here");
    Ok(Sse::new(events).keep_alive(alive).into_response())
}

fn answer(watched: &Watched, desk: &DeskView, all: bool) -> LooksAnswer {
    let last = match all {
        true => LookState::Withdrawn,
        false => LookState::Open,
    };
    let listed = desk.listed(LookState::Open..=last);
    let [open, answered, missed] = desk.counts();
    let slate = *watched.slate.borrow();
    LooksAnswer {
        slate: slate.map(SlateAnswer::of),
        open,
        answered,
        missed,
        looks: listed
            .into_iter()
            .map(|look| LookAnswer::of(look, watched, desk))
            .collect(),
    }
}

impl SlateAnswer {
    fn of(slate: SlateStatus) -> Self {
        Self {
            round: (slate.closed < slate.last).then_some(slate.closed + 1),
            candidates: slate.people,
            closed: slate.closed,
        }
    }
}

impl LookAnswer {
    fn of(listed: ListedLook, watched: &Watched, desk: &DeskView) -> Self {
        let kind = &desk.kinds()[listed.look.kind];
        let labels = listed.wanted_by.iter().map(|lane| &watched.labels[*lane]);
        Self {
            candidate: desk.called(&listed.look.candidate),
            kind: kind.name.to_string(),
            cost: kind.cost,
            nth: listed.look.nth + 1,
            wanted_by: labels.map(ToString::to_string).collect(),
            since: instant(listed.since),
            state: listed.state.word(),
            value: listed.value,
        }
    }
}

/// A time as RFC 3339 writes it, in UTC.
fn instant(millis: u64) -> String {
    let at = DateTime::from_timestamp_millis(millis as i64).unwrap_or_default();
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
