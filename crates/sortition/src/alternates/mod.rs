//! Alternates: people beyond the panel who take the seats of members who leave.
//!
//! After Assos, Baharav, Flanigan and Procaccia, *Alternates, Assemble! Selecting Optimal
//! Alternates for Citizens' Assemblies* (arXiv 2506.15716): drop-outs are sampled, and those
//! alternates are chosen that leave the fewest seats off in the mean, once of each drop-out the
//! best replacement is made. Where we differ: a seat counts one whatever the quota; the integer
//! program over alternates is not solved but searched, one alternate after another and then by
//! exchanges, next to a number of seats that no choice is below; alternates themselves are taken to
//! stay.

mod choice;
mod replacement;
mod seats;
mod stepping;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::PanelQuestion;
use super::dropout::DropOuts;
use choice::{Choice, scenarios};
use kleroterion_core::draw::{Key, Purpose};
use replacement::{Stock, replaced};
use seats::SeatPlan;
pub use stepping::{Replacement, replacement};

/// Settings by which alternates are chosen and judged.
#[derive(Clone, Copy)]
pub struct AlternateSettings {
    /// The seed of every random number.
    pub seed: u64,
    /// The number of sampled drop-outs by which alternates are chosen.
    pub samples: u32,
    /// The number of fresh sampled drop-outs by which they are judged.
    pub fresh: u32,
    /// The number of nodes after which the search for one replacement is given up.
    pub nodes: u64,
}

impl AlternateSettings {
    /// Makes the default settings: 500 drop-outs to choose by, 4,000 to judge by.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            samples: 500,
            fresh: 4_000,
            nodes: 20_000,
        }
    }
}

/// A rule for choosing alternates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlternateRule {
    /// The alternates that leave the fewest seats off in sampled drop-outs.
    Chosen,
    /// For each of the members most likely to leave, the most similar person left.
    NextOfKind,
    /// No alternates are chosen.
    None,
}

/// The result of a rule in fresh drop-outs: the seats off, each with the best replacement that its
/// alternates allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedOff {
    /// The rule.
    pub rule: AlternateRule,
    /// The mean of the seats off.
    pub mean: f64,
    /// The standard error of the mean.
    pub se: f64,
    /// The share of drop-outs after which all quotas are kept.
    pub kept: f64,
}

/// The alternates of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternates {
    /// The alternates, ordered so that each next one leaves the fewest seats off.
    pub who: Vec<u32>,
    /// The alternates of [`AlternateRule::NextOfKind`].
    pub next_of_kind: Vec<u32>,
    /// The seats off under each rule.
    pub expected_off: [ExpectedOff; 3],
    /// The mean number of members who leave.
    pub leavers: f64,
    /// The mean of the seats off in the sampled drop-outs by which the alternates were chosen.
    pub sampled_off: f64,
    /// The lower bound of the seats off in these drop-outs, for any choice of as many alternates.
    pub least_off: f64,
}

impl Alternates {
    /// The most seats by which another choice could be better, in the mean over the drop-outs by
    /// which the alternates were chosen.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.sampled_off - self.least_off
    }
}

/// Chooses up to `how_many` alternates for a panel of respondents. `chances` is the probability of
/// each respondent to leave once they are a member. No alternate shares a household with a member
/// or another alternate. Among people with the same values the alternate is drawn.
///
/// # Panics
/// Panics if the panel names no respondent, or chances are not as many as respondents.
#[must_use]
pub fn alternates(
    question: &PanelQuestion,
    panel: &[u32],
    chances: &[f64],
    how_many: u32,
    settings: AlternateSettings,
) -> Alternates {
    assert_eq!(chances.len(), question.respondents.len(), "a chance each");
    let plan = SeatPlan::new(question);
    let keys = [0, 1].map(|replication| Key::new(settings.seed, replication));
    let left = available(question, panel, keys[0]);
    let kinds = kinds(question, &plan, &left);
    let stock = Stock::of(&kinds);
    let outs = DropOuts::new(keys[0], chances);
    let samples = 0..u64::from(settings.samples);
    let drawn = samples.map(|nth| stay(question, &plan, panel, &outs.leavers(panel, nth)));
    let scenarios = scenarios(drawn);
    let choice = Choice {
        plan: &plan,
        scenarios: &scenarios,
        stock: &stock,
        nodes: settings.nodes,
    };
    let chosen = choice.made(how_many.min(left.len() as u32));
    let mut left_of: Vec<_> = kinds.values().map(|people| people.iter()).collect();
    let order = choice.ordered(&chosen.kinds).into_iter();
    let who: Vec<u32> = order
        .filter_map(|kind| left_of[kind].next())
        .copied()
        .collect();
    let next_of_kind = seats::next_of_kind(&plan, question, panel, chances, &left, how_many);
    let judge = Judge {
        question,
        plan: &plan,
        panel,
        outs: DropOuts::new(keys[1], chances),
        settings,
    };
    let rules = [
        (AlternateRule::Chosen, &who[..]),
        (AlternateRule::NextOfKind, &next_of_kind),
        (AlternateRule::None, &[]),
    ];
    let samples = f64::from(settings.samples);
    Alternates {
        expected_off: rules.map(|(rule, of)| judge.expected(rule, of)),
        leavers: panel.iter().map(|member| chances[*member as usize]).sum(),
        sampled_off: chosen.off as f64 / samples,
        least_off: chosen.least as f64 / samples,
        who,
        next_of_kind,
    }
}

/// The people who may become alternates, in a random order: one of each household, and none of a
/// member's.
fn available(question: &PanelQuestion, panel: &[u32], key: Key) -> Vec<u32> {
    let members: BTreeSet<u32> = panel.iter().copied().collect();
    let homes = question.respondents.households();
    let home = |one: u32| homes.map(|homes| homes[one as usize]);
    let mut taken: BTreeSet<u32> = members.iter().filter_map(|&one| home(one)).collect();
    let lot = |one: &u32| {
        let mut draw = key.draw(Purpose::DropOut, u64::from(*one), u64::MAX);
        (draw.word(), *one)
    };
    let all = 0..question.respondents.len() as u32;
    let mut left: Vec<u32> = all.filter(|one| !members.contains(one)).collect();
    left.sort_by_key(lot);
    left.retain(|&one| home(one).is_none_or(|home| taken.insert(home)));
    left
}

/// People by their values, each kind in the order that was drawn.
fn kinds(
    question: &PanelQuestion,
    plan: &SeatPlan,
    left: &[u32],
) -> BTreeMap<Vec<usize>, Vec<u32>> {
    let mut kinds: BTreeMap<Vec<usize>, Vec<u32>> = BTreeMap::new();
    for &one in left {
        let places = plan.places(question.respondents.values(one));
        kinds.entry(places).or_default().push(one);
    }
    kinds
}

/// Returns the number of those who stay with each value, and the number of free seats.
fn stay(
    question: &PanelQuestion,
    plan: &SeatPlan,
    panel: &[u32],
    leavers: &[u32],
) -> (Vec<u32>, u32) {
    let mut counts = plan.counts(question, panel);
    let gone = plan.counts(question, leavers);
    counts.iter_mut().zip(gone).for_each(|(n, gone)| *n -= gone);
    let stay = (panel.len() - leavers.len()) as u32;
    (counts, question.members.saturating_sub(stay))
}

/// Judges sets of alternates on the same fresh drop-outs.
struct Judge<'a> {
    question: &'a PanelQuestion,
    plan: &'a SeatPlan,
    panel: &'a [u32],
    outs: DropOuts<'a>,
    settings: AlternateSettings,
}

impl Judge<'_> {
    fn expected(&self, rule: AlternateRule, alternates: &[u32]) -> ExpectedOff {
        let kinds = kinds(self.question, self.plan, alternates);
        let stock = Stock::of(&kinds);
        let (mut sum, mut squares, mut kept) = (0_u64, 0_u64, 0_u64);
        for nth in 0..u64::from(self.settings.fresh) {
            let leavers = self.outs.leavers(self.panel, nth);
            let (counts, free) = stay(self.question, self.plan, self.panel, &leavers);
            let off = replaced(self.plan, &counts, &stock, free, self.settings.nodes).off;
            let off = u64::from(off);
            sum += off;
            squares += off * off;
            kept += u64::from(off == 0);
        }
        let n = f64::from(self.settings.fresh.max(1));
        let mean = sum as f64 / n;
        let variance = (squares as f64 - sum as f64 * mean) / (n - 1.0).max(1.0);
        ExpectedOff {
            rule,
            mean,
            se: (variance.max(0.0) / n).sqrt(),
            kept: kept as f64 / n,
        }
    }
}
