//! The state that all requests of one server share.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use super::claims::DecisionClaims;
use super::counts::RequestCounts;
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
    /// The counts of answers.
    pub(super) counts: RequestCounts,
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
            counts: RequestCounts::default(),
            stop,
        }
    }
}

/// Waits until `stop` is true or its sender is dropped.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|&stop| stop).await;
}
