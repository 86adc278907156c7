//! The scorer of pools and their people (Puranik et al. 2022).

use super::aims::{self, PoolAim, Toward, shares};
use super::readings::Readings;
use super::scoreboard::{RoundValues, Scorer, one_a_round};
use crate::protocol::{RoundEntry, Schema, Shown, Truth};

/// The scorer of a pool's shares, rewards and aim.
///
/// Values of the last round: `pool_share.GROUP` (theta, as the round's applicants were drawn from
/// it), `applicant_share.GROUP` (s) and `admitted_share.GROUP` (a).
///
/// Values over all rounds in which someone was admitted: `greedy_reward` (mean over rounds of the
/// mean score of the admitted) and `admitted_score.GROUP` (mean score of the admitted of a group).
/// With an aim of the run also `fairness_loss`, `utility` and `rounds_to_target` ([`PoolAim`]).
///
/// Shares are of those who were admitted, whatever shares a policy declared.
pub struct Pools {
    attribute: usize,
    toward: Option<Toward>,
    scored: bool,
    rounds: u64,
    theta: Vec<f64>,
    applicants: Vec<f64>,
    admitted: Vec<f64>,
    reward: f64,
    /// Score and number of the admitted, by group.
    scores: Vec<(f64, u64)>,
    counts: Vec<u64>,
    families: [Vec<String>; 4],
}

const FAMILIES: [&str; 4] = [
    "pool_share",
    "applicant_share",
    "admitted_share",
    "admitted_score",
];

const REWARD: &str = "greedy_reward";

fn family(name: &str, values: &[String]) -> Vec<String> {
    values
        .iter()
        .map(|value| format!("{name}.{value}"))
        .collect()
}

impl Pools {
    /// Makes the scorer before any round; the values of `attribute` are the groups, `aim` is the
    /// run's.
    #[must_use]
    pub fn new(schema: &Schema, attribute: usize, aim: Option<PoolAim>) -> Self {
        let values = &schema.attributes()[attribute].values;
        let groups = values.len();
        Self {
            attribute,
            toward: aim.map(|aim| Toward::new(aim, aims::OF_RUN)),
            scored: schema.scored(),
            rounds: 0,
            theta: Vec::new(),
            applicants: Vec::new(),
            admitted: Vec::new(),
            reward: 0.0,
            scores: vec![(0.0, 0); groups],
            counts: vec![0; groups],
            families: FAMILIES.map(|name| family(name, values)),
        }
    }

    /// The names of the scorer's metrics, for a run with this aim.
    #[must_use]
    pub fn metrics(schema: &Schema, attribute: usize, aim: Option<&PoolAim>) -> Vec<String> {
        let values = &schema.attributes()[attribute].values;
        let families = FAMILIES
            .iter()
            .filter(|name| schema.scored() || **name != "admitted_score");
        let mut names: Vec<String> = families.flat_map(|name| family(name, values)).collect();
        names.extend(schema.scored().then(|| REWARD.to_owned()));
        let by_aim = aim.into_iter();
        names.extend(by_aim.flat_map(|aim| aims::names(aim, schema.scored())));
        names
    }
}

/// The share of those who are of a group; none where there are none.
fn share_of<'a>(
    group: usize,
    attribute: usize,
    people: impl Iterator<Item = Shown<'a>>,
) -> Option<f64> {
    let (mut of_group, mut all) = (0u32, 0u32);
    for person in people {
        of_group += u32::from(usize::from(person.values()[attribute]) == group);
        all += 1;
    }
    (all > 0).then(|| f64::from(of_group) / f64::from(all))
}

impl Scorer for Pools {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.theta = entry.pool_state().to_vec();
        self.counts.fill(0);
        for person in entry.applicants().candidates() {
            self.counts[usize::from(person.values()[self.attribute])] += 1;
        }
        self.applicants = shares(&self.counts);
        self.counts.fill(0);
        let mut sum = 0.0;
        for person in entry.chosen() {
            let group = usize::from(person.values()[self.attribute]);
            self.counts[group] += 1;
            if let Some(score) = person.score() {
                sum += score;
                self.scores[group].0 += score;
                self.scores[group].1 += 1;
            }
        }
        self.admitted = shares(&self.counts);
        let admitted = entry.chosen().len();
        let reward = sum / admitted as f64;
        if admitted > 0 {
            self.rounds += 1;
            self.reward += reward;
        }
        if let Some(toward) = &mut self.toward {
            let admitted = (admitted > 0).then_some((&self.admitted[..], reward));
            toward.record(entry.round(), &self.theta, admitted);
        }
    }

    fn read(&self, readings: &mut Readings) {
        let shares = [&self.theta, &self.applicants, &self.admitted];
        for (names, shares) in self.families.iter().zip(shares) {
            for (name, share) in names.iter().zip(shares) {
                readings.put(name, *share);
            }
        }
        let rounds = self.rounds as f64;
        if self.scored {
            for (name, (sum, count)) in self.families[3].iter().zip(&self.scores) {
                readings.put(name, sum / *count as f64);
            }
            readings.put(REWARD, self.reward / rounds);
        }
        if let Some(toward) = &self.toward {
            toward.read_shares(readings);
            if self.scored {
                toward.read_utility(readings);
            }
        }
    }

    fn by_round(&self, metric: &str) -> Option<RoundValues> {
        let attribute = self.attribute;
        if let Some(toward) = self.toward.as_ref().filter(|_| metric == aims::OF_RUN[0]) {
            let aim = toward.aim.clone();
            return Some(one_a_round(move |entry, _| {
                let share = |group| share_of(group, attribute, entry.chosen());
                let shares: Option<Vec<f64>> = (0..aim.target.len()).map(share).collect();
                Some(aim.loss(&shares?))
            }));
        }
        let place = |names: &Vec<String>| names.iter().position(|name| name == metric);
        let [theta, applicants, admitted, _] = self.families.each_ref().map(place);
        if let Some(group) = theta {
            return Some(one_a_round(move |entry, _| {
                entry.pool_state().get(group).copied()
            }));
        }
        if let Some(group) = applicants {
            return Some(one_a_round(move |entry, _| {
                share_of(group, attribute, entry.applicants().candidates())
            }));
        }
        admitted
            .map(|group| one_a_round(move |entry, _| share_of(group, attribute, entry.chosen())))
    }
}

#[cfg(test)]
mod tests;
