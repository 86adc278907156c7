//! The scorer of pools and of the people in them (Puranik et al. 2022).

use std::sync::Arc;

use super::readings::Readings;
use super::scoreboard::{RoundValues, Scorer, one_a_round};
use crate::protocol::{RoundEntry, Schema, Shown, Truth};

/// The aim of a policy for a pool.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolAim {
    /// The share wanted of each group among the admitted.
    pub target: Vec<f64>,
    /// The group whose share is steered: the first that the target names.
    pub steered: usize,
    /// What fairness weighs against scores, where the policy says.
    pub lambda: Option<f64>,
}

/// Of the last round: `pool_share.GROUP` (theta, as the round's applicants were drawn from it),
/// `applicant_share.GROUP` (s) and `admitted_share.GROUP` (a). Over all rounds in which someone was
/// admitted: `greedy_reward` (mean over rounds of the mean score of the admitted),
/// `admitted_score.GROUP` (mean score of the admitted of a group); with an aim `fairness_loss`
/// (mean of (a - target)^2, Eq. 2; of more than two groups half the sum of their squares), with its
/// lambda `utility` (Eq. 1, summed over the rounds), and `rounds_to_target`: after how many rounds
/// theta was first within .01 of the target.
pub struct Pools {
    attribute: usize,
    aim: Option<PoolAim>,
    scored: bool,
    rounds: u64,
    theta: Vec<f64>,
    applicants: Vec<f64>,
    admitted: Vec<f64>,
    reward: f64,
    loss: f64,
    reached: Option<u64>,
    /// Score and number of the admitted, by group.
    scores: Vec<(f64, u64)>,
    counts: Vec<u64>,
    names: Names,
}

/// .01 and a rounding: from .49 to .5 is near.
const NEAR: f64 = 0.01 + 1e-12;

const FAMILIES: [&str; 4] = [
    "pool_share",
    "applicant_share",
    "admitted_share",
    "admitted_score",
];

struct Names {
    families: [Vec<Arc<str>>; 4],
    reward: Arc<str>,
    loss: Arc<str>,
    utility: Arc<str>,
    reached: Arc<str>,
}

fn family(name: &str, values: &[String]) -> Vec<String> {
    values
        .iter()
        .map(|value| format!("{name}.{value}"))
        .collect()
}

impl Pools {
    /// No round yet; the values of `attribute` are the groups.
    #[must_use]
    pub fn new(schema: &Schema, attribute: usize, aim: Option<PoolAim>) -> Self {
        let values = &schema.attributes()[attribute].values;
        let groups = values.len();
        let named = |name: &str| family(name, values).into_iter().map(Arc::from).collect();
        Self {
            attribute,
            aim,
            scored: schema.scored(),
            rounds: 0,
            theta: Vec::new(),
            applicants: Vec::new(),
            admitted: Vec::new(),
            reward: 0.0,
            loss: 0.0,
            reached: None,
            scores: vec![(0.0, 0); groups],
            counts: vec![0; groups],
            names: Names {
                families: FAMILIES.map(named),
                reward: "greedy_reward".into(),
                loss: "fairness_loss".into(),
                utility: "utility".into(),
                reached: "rounds_to_target".into(),
            },
        }
    }

    /// The names of its metrics; `aimed`: some policy has an aim, `weighed`: one has a lambda.
    #[must_use]
    pub fn metrics(schema: &Schema, attribute: usize, aimed: bool, weighed: bool) -> Vec<String> {
        let values = &schema.attributes()[attribute].values;
        let families = FAMILIES
            .iter()
            .filter(|name| schema.scored() || **name != "admitted_score");
        let mut names: Vec<String> = families.flat_map(|name| family(name, values)).collect();
        let alone = [
            ("greedy_reward", schema.scored()),
            ("fairness_loss", aimed),
            ("rounds_to_target", aimed),
            ("utility", weighed && schema.scored()),
        ];
        names.extend(
            alone
                .into_iter()
                .filter(|one| one.1)
                .map(|one| one.0.to_owned()),
        );
        names
    }

    /// The shares of the counted; empty where no one was counted.
    fn shares(&self) -> Vec<f64> {
        let all: u64 = self.counts.iter().sum();
        let share = |&count: &u64| count as f64 / all as f64;
        let counts = self.counts.iter().filter(|_| all > 0);
        counts.map(share).collect()
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

/// Half the sum of the squared gaps between shares and those wanted, Eq. 2.
fn loss(shares: &[f64], target: &[f64]) -> f64 {
    let off = shares.iter().zip(target).map(|(a, s)| (a - s) * (a - s));
    off.sum::<f64>() / 2.0
}

impl Scorer for Pools {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.theta = entry.pool_state().to_vec();
        if let Some(aim) = &self.aim
            && self.reached.is_none()
            && let Some(theta) = self.theta.get(aim.steered)
            && (theta - aim.target[aim.steered]).abs() <= NEAR
        {
            self.reached = Some(entry.round() - 1);
        }
        self.counts.fill(0);
        for person in entry.applicants().candidates() {
            self.counts[usize::from(person.values()[self.attribute])] += 1;
        }
        self.applicants = self.shares();
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
        self.admitted = self.shares();
        let admitted = entry.chosen().len();
        if admitted == 0 {
            return;
        }
        self.rounds += 1;
        self.reward += sum / admitted as f64;
        if let Some(aim) = &self.aim {
            let shares = entry.declared().unwrap_or(&self.admitted);
            self.loss += loss(shares, &aim.target);
        }
    }

    fn read(&self, readings: &mut Readings) {
        let shares = [&self.theta, &self.applicants, &self.admitted];
        for (names, shares) in self.names.families.iter().zip(shares) {
            for (name, share) in names.iter().zip(shares) {
                readings.put(name, *share);
            }
        }
        let rounds = self.rounds as f64;
        if self.scored {
            for (name, (sum, count)) in self.names.families[3].iter().zip(&self.scores) {
                readings.put(name, sum / *count as f64);
            }
            readings.put(&self.names.reward, self.reward / rounds);
        }
        if let Some(aim) = &self.aim {
            readings.put(&self.names.loss, self.loss / rounds);
            if let Some(lambda) = aim.lambda.filter(|_| self.scored && self.rounds > 0) {
                readings.put(&self.names.utility, self.reward - lambda * self.loss);
            }
            if let Some(rounds) = self.reached {
                readings.put(&self.names.reached, rounds as f64);
            }
        }
    }

    fn by_round(&self, metric: &str) -> Option<RoundValues> {
        let attribute = self.attribute;
        if let Some(aim) = self.aim.clone().filter(|_| metric == &*self.names.loss) {
            let groups = aim.target.len();
            return Some(one_a_round(move |entry, _| {
                if let Some(declared) = entry.declared() {
                    return (entry.chosen().len() > 0).then(|| loss(declared, &aim.target));
                }
                let share = |group| share_of(group, attribute, entry.chosen());
                let shares: Option<Vec<f64>> = (0..groups).map(share).collect();
                Some(loss(&shares?, &aim.target))
            }));
        }
        let place = |names: &Vec<Arc<str>>| names.iter().position(|name| **name == *metric);
        let [theta, applicants, admitted, _] = self.names.families.each_ref().map(place);
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
