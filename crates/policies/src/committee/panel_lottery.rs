//! A panel drawn from a lottery over panels, seated as its members come.
//!
//! The panel is not drawn at once. Each respondent is accepted with the probability that they are
//! on the panel, given who was accepted and passed over before; so every panel has its probability
//! in the end, and every decision its propensity.

use std::sync::Arc;

use super::{OneByOne, decide};
use crate::Policy;
use kleroterion_core::protocol::{Move, Shown, View};
use kleroterion_sortition::lottery::{AwaitedLottery, PanelLottery};

/// Seats a panel drawn from a lottery.
#[derive(Clone, Debug)]
pub struct ByLottery {
    lottery: Arc<AwaitedLottery>,
    /// The panels that agree with all decisions so far; before the first decision none is listed.
    left: Option<Vec<u32>>,
    likely: f64,
}

impl ByLottery {
    /// Makes the policy of a lottery, which must be known when it plays.
    #[must_use]
    pub fn new(lottery: Arc<AwaitedLottery>) -> Self {
        Self {
            left: None,
            lottery,
            likely: 0.0,
        }
    }

    /// The lottery, and the panels that are left. A run sees to it that its lotteries are known
    /// before it plays; where there is none, no one is seated.
    fn known(&mut self) -> Option<(&PanelLottery, &mut Vec<u32>)> {
        let lottery = self.lottery.work_out().ok()?;
        let all = lottery.panels.len() as u32;
        let left = self.left.get_or_insert_with(|| (0..all).collect());
        Some((lottery, left))
    }

    fn keep(&mut self, person: Shown<'_>, seated: bool) {
        let Some(person) = person.respondent() else {
            return;
        };
        if let Some((lottery, left)) = self.known() {
            left.retain(|panel| has(lottery, *panel, person) == seated);
        }
    }
}

fn has(lottery: &PanelLottery, panel: u32, person: u32) -> bool {
    let members = &lottery.panels[panel as usize].members;
    members.binary_search(&person).is_ok()
}

impl OneByOne for ByLottery {
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        let Some(person) = person.respondent() else {
            return 0.0;
        };
        let (mut with, mut without) = (0.0, 0.0);
        let Some((lottery, left)) = self.known() else {
            return 0.0;
        };
        for &panel in &*left {
            let probability = lottery.panels[panel as usize].probability;
            match has(lottery, panel, person) {
                true => with += probability,
                false => without += probability,
            }
        }
        self.likely = match (with > 0.0, without > 0.0) {
            (true, true) => with / (with + without),
            (true, false) => 1.0,
            (false, _) => 0.0,
        };
        self.likely
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        let person = person.respondent().map(|one| one as usize);
        let lottery = self.lottery.lottery();
        let chance = person.and_then(|one| lottery?.chances.get(one));
        vec![
            ("acceptance", self.likely),
            ("chance", chance.copied().unwrap_or(0.0)),
        ]
    }

    fn accept(&mut self, person: Shown<'_>) {
        self.keep(person, true);
    }

    fn pass(&mut self, person: Shown<'_>) {
        self.keep(person, false);
    }
}

impl Policy for ByLottery {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        decide(self, view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
