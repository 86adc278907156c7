//! What the tasks of a life share.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::check;
use super::promises::Promises;
use crate::feed::{Delivery, FeedSpec};
use crate::journal::simulated::SimulatedDisk;
use crate::watch::Watched;

/// What the tasks of a life share.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) disk: SimulatedDisk,
    pub(super) promises: Promises,
    pub(super) watched: Arc<Watched>,
    pub(super) feed: Arc<FeedSpec>,
    pub(super) deliveries: mpsc::Sender<Delivery>,
    pub(super) stop: watch::Receiver<bool>,
    /// What the lane decided in this life, by round.
    pub(super) decided: Rc<RefCell<BTreeMap<u64, Vec<u32>>>>,
}

impl Parts {
    /// Holds what would be left, were the power cut now and all lost that was not synced, against
    /// what is promised.
    pub(super) fn hold_at_worst(&self) {
        let left = self.disk.at_worst();
        let rows = check::rows(&left);
        let held = rows.and_then(|rows| check::hold(&rows, &self.promises));
        if let Err(wrong) = held {
            self.promises
                .wrong(format!("were the power cut now: {wrong}"));
        }
    }
}
