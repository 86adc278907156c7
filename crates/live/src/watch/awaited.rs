//! The wait for the decisions of a round.

use std::sync::Arc;

use serde::Deserialize;

use super::decisions::LaneDecision;
use super::{Stage, Watched};

/// The policies whose decisions are waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitFor {
    /// The acting policy, until its decision is committed; all policies if none acts.
    #[default]
    Acting,
    /// All policies.
    All,
}

/// The end of a wait for the decisions of a round.
pub enum DecidedRound {
    /// The decisions that are there and can't be lost. None counts if the acting policy has ended.
    Decided(Vec<Arc<LaneDecision>>),
    /// The round was decided, and is no longer kept.
    Forgotten,
    /// No lane will decide the round.
    Over,
}

impl Watched {
    /// Waits until a round is decided. It waits for shadows only if all policies are asked for.
    pub async fn decided(&self, round: u64, whom: WaitFor) -> DecidedRound {
        let mut news = self.decisions.watch();
        let mut stage = self.stage.subscribe();
        let mut acted = self.watch_acted();
        let mut noted = self.watch_shown();
        loop {
            // Seen before looking, so that what comes while looking wakes.
            news.mark_unchanged();
            acted.mark_unchanged();
            noted.mark_unchanged();
            let over = *stage.borrow_and_update() == Stage::Over;
            let events = match whom {
                WaitFor::Acting => self.decisions.so_far(round),
                WaitFor::All => self.decisions.of_round(round),
            };
            if let Some(events) = events {
                // A decision is shown once it can't be lost. Where one counts, no shadow is
                // waited for.
                let all = whom == WaitFor::All || !events.iter().any(|event| event.acts);
                let (told, held): (Vec<_>, Vec<_>) =
                    events.into_iter().partition(|event| self.may_tell(event));
                let is_waited_for = |event: &Arc<LaneDecision>| all || event.acts;
                if !held.iter().any(is_waited_for) {
                    return DecidedRound::Decided(told);
                }
            } else {
                let oldest = self.decisions.since(0, 1);
                if oldest.first().is_some_and(|event| event.round() > round) {
                    return DecidedRound::Forgotten;
                }
                if over {
                    return DecidedRound::Over;
                }
            }
            tokio::select! {
                _ = news.changed() => {}
                _ = acted.changed() => {}
                _ = noted.changed() => {}
                _ = stage.changed() => {}
            }
        }
    }
}
