//! The state that all requests of one server share.

use std::sync::Arc;

use axum::http::StatusCode;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use tokio::sync::{Semaphore, watch};

use super::claims::DecisionClaims;
use super::place::Places;
use super::{Limits, Services};

/// The state that all requests share.
pub(super) struct Server {
    pub(super) services: Services,
    pub(super) limits: Limits,
    /// True if only this machine can reach the server.
    pub(super) loopback: bool,
    /// The places of connections.
    pub(super) places: Arc<Places>,
    /// The places of requests with records.
    pub(super) waiting: Arc<Semaphore>,
    /// The room for bodies in progress, in KiB.
    pub(super) room: Arc<Semaphore>,
    /// The places of followers of the decisions.
    pub(super) followers: Arc<Semaphore>,
    /// The number of large bodies that may be read at once.
    pub(super) readers: Semaphore,
    /// The candidates for whom decisions were requested.
    pub(super) claims: DecisionClaims,
    /// The number of answered requests.
    pub(super) answered: Family<AnsweredRequest, Counter>,
    /// True once the server is to stop.
    pub(super) stop: watch::Receiver<bool>,
}

impl Server {
    pub(super) fn new(
        services: Services,
        limits: Limits,
        loopback: bool,
        stop: watch::Receiver<bool>,
    ) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            services,
            limits,
            loopback,
            places: Arc::new(Places::new(limits.connections, limits.idle)),
            waiting: Arc::new(Semaphore::new(limits.waiting)),
            room: Arc::new(Semaphore::new(limits.under_way >> 10)),
            followers: Arc::new(Semaphore::new(limits.followers)),
            readers: Semaphore::new(threads),
            claims: DecisionClaims::default(),
            answered: Family::default(),
            stop,
        }
    }

    /// Counts an answer. `path` is one of the routes, which bounds the number of series.
    pub(super) fn count(&self, path: &str, status: StatusCode) {
        let answered = AnsweredRequest {
            path: path.into(),
            code: status.as_u16(),
        };
        self.answered.get_or_create(&answered).inc();
    }
}

/// A path and a status, by which answers are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct AnsweredRequest {
    path: String,
    code: u16,
}

/// Waits until `stop` is true or its sender is dropped.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|&stop| stop).await;
}
