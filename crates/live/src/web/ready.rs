//! Readiness of a run to take people and decide: `GET /readyz`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::answer;
use super::metrics::stage;
use super::state::Server;
use crate::watch::{Acts, Stage};

/// Serves `GET /readyz`: 200 if the run follows its stream, takes records, and the acting policy
/// decides; or else 503 with the reason. An acting policy that has filled all its places counts as
/// ready.
pub(super) async fn ready(State(server): State<Arc<Server>>) -> Response {
    let services = &server.services;
    let watched = &services.watched;
    let is_shut = services.intake.as_ref();
    let is_shut = is_shut.is_some_and(|intake| intake.deliveries.is_closed());
    let why = match (watched.acts(), *watched.stage.borrow()) {
        (Acts::Broken { .. }, _) => watched.acting_news(),
        (_, Stage::Over) => Some("no lane runs any more".into()),
        (_, Stage::Replaying) => Some("what the journal holds is played again".into()),
        (_, Stage::Following) if is_shut => Some("nothing is taken any more".into()),
        (_, Stage::Following) => None,
    };
    let (stage, news) = (stage(watched), watched.acting_news());
    let Some(why) = why else {
        let ready = json!({"status": "ready", "stage": stage, "note": news});
        return answer::json(StatusCode::OK, &ready);
    };
    let help = matches!(watched.acts(), Acts::Broken { .. }).then(|| watched.acting_remedy());
    let not_ready = json!({"status": "not ready", "stage": stage, "error": why, "help": help});
    answer::json(StatusCode::SERVICE_UNAVAILABLE, &not_ready)
}
