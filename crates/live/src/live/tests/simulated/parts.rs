//! The state that the tasks of a life share.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::check;
use super::promises::Promises;
use crate::watch::Watched;
use kleroterion_io::feed::{Delivery, FeedSpec};
use kleroterion_io::journal::simulated::SimulatedDisk;
use kleroterion_run::config::Plan;

/// The state that the tasks of a life share.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) disk: SimulatedDisk,
    pub(super) promises: Promises,
    /// The plan of a run in which programs play.
    pub(super) cast: Option<Arc<Plan>>,
    pub(super) watched: Arc<Watched>,
    pub(super) feed: Arc<FeedSpec>,
    pub(super) deliveries: mpsc::Sender<Delivery>,
    pub(super) stop: watch::Receiver<bool>,
    /// The lane's decisions in this life, by round.
    pub(super) decided: Rc<RefCell<BTreeMap<u64, Vec<u32>>>>,
}

impl Parts {
    /// Checks the promises against the disk as it would be if the power were cut now and all
    /// unsynced data lost.
    pub(super) fn hold_at_worst(&self) {
        let left = self.disk.at_worst();
        let rows = check::rows(&left);
        let cast = self.cast.as_deref();
        let held = rows.and_then(|rows| check::hold(&rows, &self.promises, cast));
        if let Err(wrong) = held {
            self.promises
                .wrong(format!("were the power cut now: {wrong}"));
        }
    }
}
