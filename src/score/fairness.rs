//! What choosing by relative rank would have given (Grazzi et al. 2022).

use std::sync::Arc;

use super::scoreboard::{Readings, Scorer};
use super::tally::group_names;
use crate::protocol::{Choose, GroupTruth, Rules, Schema, Truth, Verdict};

/// `fair_regret`, the sum over rounds of max_a F_a(m_a) - F_{a_t}(m_{a_t}) (Definition 3.2), and `reward_regret`, that of
/// max_a m_a - m_{a_t} (Remark 3.1): a the candidates of the round, m their merits, F the true CDF of merits in the
/// candidate's group, a_t who is chosen. A round without a choice counts for neither. For rules that choose one.
///
/// `selected_of_received.GROUP`: how many of those received of a group were chosen.
pub struct Fairness {
    truth: GroupTruth,
    fair: f64,
    reward: f64,
    received: Vec<u64>,
    selected: Vec<u64>,
    names: [Arc<str>; 2],
    shares: Vec<Arc<str>>,
}

const REGRETS: [&str; 2] = ["fair_regret", "reward_regret"];
const SELECTED: &str = "selected_of_received";

impl Fairness {
    /// Whether regret is scored under these rules: exactly one is chosen a round.
    #[must_use]
    pub fn applies(rules: &Rules) -> bool {
        rules.choose == Choose::Exactly(1)
    }

    /// No round yet.
    #[must_use]
    pub fn new(schema: &Schema, truth: GroupTruth) -> Self {
        let shares = group_names(SELECTED, schema).swap_remove(truth.attribute);
        Self {
            truth,
            fair: 0.0,
            reward: 0.0,
            received: vec![0; shares.len()],
            selected: vec![0; shares.len()],
            names: REGRETS.map(Arc::from),
            shares,
        }
    }

    /// The names of its metrics.
    #[must_use]
    pub fn metrics(schema: &Schema, truth: &GroupTruth) -> Vec<String> {
        let shares = group_names(SELECTED, schema).swap_remove(truth.attribute);
        let regrets = REGRETS.iter().map(|&name| name.to_owned());
        regrets
            .chain(shares.iter().map(|name| name.to_string()))
            .collect()
    }
}

impl Scorer for Fairness {
    fn record(&mut self, verdict: &Verdict<'_>, truth: &Truth<'_>) {
        let (mut best_rank, mut best_merit) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut got = None;
        for (slot, person) in (0..).zip(verdict.slate().candidates()) {
            let group = usize::from(person.values()[self.truth.attribute]);
            self.received[group] += 1;
            let Some(merit) = truth.merit(slot) else {
                continue;
            };
            let rank = self.truth.cdf.rank(group, merit);
            best_rank = best_rank.max(rank);
            best_merit = best_merit.max(merit);
            if verdict.chose(slot) {
                self.selected[group] += 1;
                got = Some((rank, merit));
            }
        }
        if let Some((rank, merit)) = got {
            self.fair += best_rank - rank;
            self.reward += best_merit - merit;
        }
    }

    fn read(&self, readings: &mut Readings) {
        readings.put(&self.names[0], self.fair);
        readings.put(&self.names[1], self.reward);
        let counts = self.selected.iter().zip(&self.received);
        for (name, (&selected, &received)) in self.shares.iter().zip(counts) {
            readings.put(name, selected as f64 / received as f64);
        }
    }
}
