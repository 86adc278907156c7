//! Whom a lane chose, of respondents who are known beforehand.

use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Plan;
use crate::protocol::{Batch, Ledger, Respondents, RoundEntry, Until};
use crate::score::Witness;

/// The respondents whose chances a run counts: those who are known beforehand, where a committee is
/// chosen of them more than once.
pub(super) fn counted(plan: &Plan) -> Option<&Arc<Respondents>> {
    let is_committee = matches!(plan.rules.until, Until::Accepted(_));
    let respondents = plan.world.known.respondents.as_ref();
    respondents.filter(|_| is_committee && plan.replications > 1)
}

/// The respondents whom one lane chose, as they are shared with its witness.
#[derive(Clone, Default)]
pub(super) struct SharedPanel(Arc<Mutex<Vec<u32>>>);

impl SharedPanel {
    /// The respondents, in the order in which they were chosen.
    pub(super) fn take(&self) -> Vec<u32> {
        let mut panel = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut panel)
    }
}

impl Witness for SharedPanel {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut panel = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            panel.extend(entry.chosen().filter_map(|person| person.respondent()));
        }
    }
}
