//! The scorer of fair regret: what choosing by relative rank would have given (Grazzi et al. 2022).

use std::sync::Arc;

use super::readings::Readings;
use super::scoreboard::{RoundValues, Scorer, one_a_round};
use super::tally::group_names;
use crate::protocol::{Choose, GroupTruth, RoundEntry, Rules, Schema, Truth};

/// `fair_regret`, the sum over rounds of max_a F_a(m_a) - F_{a_t}(m_{a_t}) (Definition 3.2), and
/// `reward_regret`, that of max_a m_a - m_{a_t} (Remark 3.1): a the candidates of the round, m
/// their merits, F the true CDF of merits in the candidate's group, a_t who is chosen. A round
/// without a choice counts for neither, and without any choice both are absent. For rules that
/// choose one.
///
/// `selected_of_received.GROUP`: how many of those received of a group were chosen.
/// `received_share.GROUP`: the group's share of a slate, over the rounds with a choice; what
/// `share.GROUP` is under demographic parity.
pub struct Fairness {
    truth: GroupTruth,
    fair: f64,
    reward: f64,
    rounds: u64,
    groups: Vec<Group>,
    names: [Arc<str>; 2],
}

/// The counts of a group.
struct Group {
    received: u64,
    selected: u64,
    /// The sum of its shares of the slates of rounds with a choice.
    shares: f64,
    /// Of the current slate.
    here: u32,
    names: [Arc<str>; 2],
}

const REGRETS: [&str; 2] = ["fair_regret", "reward_regret"];
const FAMILIES: [&str; 2] = ["selected_of_received", "received_share"];

impl Fairness {
    /// Whether regret is scored under these rules: exactly one is chosen a round.
    #[must_use]
    pub fn applies(rules: &Rules) -> bool {
        rules.choose == Choose::Exactly(1)
    }

    /// No round yet.
    #[must_use]
    pub fn new(schema: &Schema, truth: GroupTruth) -> Self {
        let groups = names(schema, &truth).into_iter().map(|names| Group {
            received: 0,
            selected: 0,
            shares: 0.0,
            here: 0,
            names,
        });
        Self {
            groups: groups.collect(),
            truth,
            fair: 0.0,
            reward: 0.0,
            rounds: 0,
            names: REGRETS.map(Arc::from),
        }
    }

    /// The names of its metrics.
    #[must_use]
    pub fn metrics(schema: &Schema, truth: &GroupTruth) -> Vec<String> {
        let groups = names(schema, truth).into_iter().flatten();
        let regrets = REGRETS.map(str::to_owned).into_iter();
        regrets.chain(groups.map(|name| name.to_string())).collect()
    }
}

/// The names of the families, a group a row.
fn names(schema: &Schema, truth: &GroupTruth) -> Vec<[Arc<str>; 2]> {
    let [selected, received] =
        FAMILIES.map(|family| group_names(family, schema).swap_remove(truth.attribute));
    let pairs = selected.into_iter().zip(received);
    pairs
        .map(|(selected, received)| [selected, received])
        .collect()
}

/// Rank and merit given away in a round, of the best there was; none without a choice.
fn given_away(groups: &GroupTruth, entry: &RoundEntry<'_>, truth: &Truth<'_>) -> Option<[f64; 2]> {
    let (mut best_rank, mut best_merit) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut got = None;
    for (slot, person) in (0..).zip(entry.slate().candidates()) {
        let Some(merit) = truth.merit(slot) else {
            continue;
        };
        let group = usize::from(person.values()[groups.attribute]);
        let rank = groups.cdf.rank(group, merit);
        best_rank = best_rank.max(rank);
        best_merit = best_merit.max(merit);
        if entry.chose(slot) {
            got = Some((rank, merit));
        }
    }
    got.map(|(rank, merit)| [best_rank - rank, best_merit - merit])
}

impl Scorer for Fairness {
    fn record(&mut self, entry: &RoundEntry<'_>, truth: &Truth<'_>) {
        let away = given_away(&self.truth, entry, truth);
        for (slot, person) in (0..).zip(entry.slate().candidates()) {
            let group = &mut self.groups[usize::from(person.values()[self.truth.attribute])];
            group.received += 1;
            group.here += 1;
            group.selected += u64::from(away.is_some() && entry.chose(slot));
        }
        let slate = f64::from(entry.slate().len());
        for group in &mut self.groups {
            let here = std::mem::take(&mut group.here);
            if away.is_some() {
                group.shares += f64::from(here) / slate;
            }
        }
        if let Some([fair, reward]) = away {
            self.fair += fair;
            self.reward += reward;
            self.rounds += 1;
        }
    }

    fn read(&self, readings: &mut Readings) {
        if self.rounds > 0 {
            readings.put(&self.names[0], self.fair);
            readings.put(&self.names[1], self.reward);
        }
        for group in &self.groups {
            let of_received = group.selected as f64 / group.received as f64;
            readings.put(&group.names[0], of_received);
            readings.put(&group.names[1], group.shares / self.rounds as f64);
        }
    }

    fn by_round(&self, metric: &str) -> Option<RoundValues> {
        (metric == &*self.names[0]).then(|| {
            let groups = self.truth.clone();
            one_a_round(move |entry, truth| given_away(&groups, entry, truth).map(|away| away[0]))
        })
    }
}
