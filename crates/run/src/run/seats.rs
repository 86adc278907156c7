//! The respondents chosen by each lane, if they are known beforehand.

use std::sync::{Arc, Mutex};

use crate::config::Plan;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Batch, Ending, Ledger, Respondents, RoundEntry, Until};
use kleroterion_core::score::{PolicyRun, Witness};
use kleroterion_sortition::PanelKinds;
use kleroterion_sortition::lottery::{self, PanelLottery};
use kleroterion_stats::SeatCounts;

/// The respondents whose chances a run counts: those who are known beforehand, where a committee is
/// chosen of them more than once.
pub(super) fn counted(plan: &Plan) -> Option<&Arc<Respondents>> {
    let is_committee = matches!(plan.rules.until, Until::Accepted(_));
    let respondents = plan.world.known.respondents.as_ref();
    respondents.filter(|_| is_committee && plan.replications > 1)
}

/// The most kinds of respondents for which those on no possible panel are searched.
const KINDS: usize = 2_000;
/// The nodes allowed to a search for a panel of theirs.
const NODES: u64 = 2_000;

/// The counts, with the chances that lotteries state, and with who can be on no panel.
pub(super) fn with_exact(counts: SeatCounts, plan: &Plan, policies: &[PolicyRun]) -> SeatCounts {
    let lotteries = plan
        .lanes
        .iter()
        .map(|lane| lane.policy.lottery.as_ref()?.lottery());
    let lotteries: Vec<Option<&Arc<PanelLottery>>> = lotteries.collect();
    // Who declines, and a lane that ends early, change the chances of who is chosen.
    let may_decline = plan.feedback.offers.is_some();
    let exact = lotteries.iter().zip(policies).map(|(lottery, policy)| {
        let mut endings = policy.endings().iter();
        let is_whole = !may_decline && endings.all(|ending| *ending == Ending::Filled);
        lottery.filter(|_| is_whole).map(|lottery| lottery.least())
    });
    let mut known = lotteries.iter().flatten();
    SeatCounts {
        exact: exact.collect(),
        impossible: match known.next() {
            Some(lottery) => lottery.impossible.clone(),
            None => impossible(plan),
        },
        ..counts
    }
}

/// The respondents who can be on no panel that keeps the quotas, as far as that is decided.
fn impossible(plan: &Plan) -> Vec<u32> {
    let kinds = plan.panel().map(|question| PanelKinds::new(&question));
    let kinds = kinds.filter(|kinds| kinds.kinds().len() <= KINDS);
    let found = kinds.and_then(|kinds| lottery::impossible(&kinds, NODES).ok());
    found.unwrap_or_default()
}

/// The respondents whom one lane chose, as they are shared with its witness.
#[derive(Clone, Default)]
pub(super) struct SharedPanel(Arc<Mutex<Vec<u32>>>);

impl SharedPanel {
    /// The respondents, in the order in which they were chosen.
    pub(super) fn take(&self) -> Vec<u32> {
        let mut panel = locked(&self.0);
        std::mem::take(&mut panel)
    }
}

impl Witness for SharedPanel {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut panel = locked(&self.0);
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            panel.extend(entry.chosen().filter_map(|person| person.respondent()));
        }
    }
}
