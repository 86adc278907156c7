//! The replacement by name: the alternates who take the places of members who left.

use std::sync::Arc;

use super::replacement::{Stock, replaced};
use super::seats::{SeatPlan, off};
use super::{PanelQuestion, kinds};
use kleroterion_core::protocol::{Quota, Respondents};

/// The alternates who step in, and the seats that the panel is then off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The places on the list of the alternates who step in, in increasing order.
    pub who: Vec<usize>,
    /// The seats that are then off. An empty place counts as one.
    pub off: u32,
    /// A lower bound of `off` for any replacement; equal to `off` if the search was completed.
    pub least: u32,
}

/// Returns the alternates who step in if only `stay` are left of a panel. They leave the fewest
/// seats off, counting empty places. Among equal choices it is the one whose people come first on
/// the list. A search is given up after `nodes` nodes.
#[must_use]
pub fn replacement(
    question: &PanelQuestion,
    stay: &[u32],
    alternates: &[u32],
    nodes: u64,
) -> Replacement {
    let question = with_places(question);
    let plan = SeatPlan::new(&question);
    let mut counts = plan.counts(&question, stay);
    let mut free = question.members.saturating_sub(stay.len() as u32);
    let search = |counts: &[u32], of: &[u32], free: u32| {
        let kinds = kinds(&question, &plan, of);
        replaced(&plan, counts, &Stock::of(&kinds), free, nodes)
    };
    let mut best = search(&counts, alternates, free);
    let least = best.least;
    let mut who = Vec::new();
    for (at, one) in alternates.iter().enumerate() {
        if free == 0 {
            break;
        }
        let mut with = counts.clone();
        let places = plan.places(question.respondents.values(*one));
        places.iter().for_each(|&place| with[place] += 1);
        let found = search(&with, &alternates[at + 1..], free - 1);
        if found.off <= best.off {
            (counts, best) = (with, found);
            free -= 1;
            who.push(at);
        }
    }
    Replacement {
        who,
        off: off(plan.quotas(), &counts),
        least,
    }
}

/// Returns the same question with one more value that all people have and every place needs. A
/// place that stays empty is then a seat off.
fn with_places(question: &PanelQuestion) -> PanelQuestion {
    let all = &*question.respondents;
    let everyone = 0..all.len() as u32;
    let values = everyone.flat_map(|one| all.values(one).iter().copied().chain([0]));
    let respondents = Respondents::new(
        question.quotas.len() + 1,
        values.collect(),
        all.households().map(<[u32]>::to_vec),
        Arc::clone(all.names()),
    );
    let places = Quota {
        min: question.members,
        max: question.members,
    };
    let mut quotas = question.quotas.clone();
    quotas.push(vec![places]);
    PanelQuestion {
        respondents: Arc::new(respondents),
        quotas,
        members: question.members,
    }
}
