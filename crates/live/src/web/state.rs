//! The state that all requests of one server share.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use super::claims::DecisionClaims;
use super::counts::RequestCounts;
use super::place::Places;
use super::{Limits, Services};

/// What all requests share.
pub(super) struct Server {
    pub(super) services: Services,
    pub(super) limits: Limits,
    /// Whether only this machine can ask.
    pub(super) loopback: bool,
    /// Connections.
    pub(super) places: Arc<Places>,
    /// Requests with records.
    pub(super) waiting: Arc<Semaphore>,
    /// KiB of bodies under way.
    pub(super) room: Arc<Semaphore>,
    /// Who may follow the decisions.
    pub(super) followers: Arc<Semaphore>,
    /// Large bodies that may be read at once.
    pub(super) readers: Semaphore,
    /// The candidates whose decisions were asked for.
    pub(super) claims: DecisionClaims,
    /// What was answered.
    pub(super) counts: RequestCounts,
    /// Whether the server is to stop.
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

/// Returns once `stop` is true or its sender is dropped.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|&stop| stop).await;
}
