//! Aims for a pool, and the distance of a lane from them (Puranik et al. 2022).

use super::readings::Readings;
use super::scoreboard::Scorer;
use crate::protocol::{RoundEntry, Schema, Truth};

/// The aim for a pool, of the run or of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolAim {
    /// The share wanted of each group among the admitted.
    pub target: Vec<f64>,
    /// The group whose share is steered: the first that the target names.
    pub steered: usize,
    /// The weight of fairness against scores, if given.
    pub lambda: Option<f64>,
}

impl PoolAim {
    /// Returns true if two aims want the same shares. With more than two groups, the steered group
    /// must be the same too.
    #[must_use]
    pub fn is_toward(&self, other: &Self) -> bool {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        self.target.iter().zip(&other.target).all(near)
            && (self.target.len() == 2 || self.steered == other.steered)
    }

    /// Half the sum of the squared gaps between shares and those wanted, Eq. 2.
    pub(super) fn loss(&self, shares: &[f64]) -> f64 {
        let off = shares.iter().zip(&self.target);
        off.map(|(a, s)| (a - s) * (a - s)).sum::<f64>() / 2.0
    }
}

/// Sums over a lane's rounds toward an aim: `fairness_loss` (mean over the rounds in which someone
/// was admitted of (a - target)^2, Eq. 2; of more than two groups half the sum of their squares),
/// with a lambda `utility` (Eq. 1, summed over these rounds), and `rounds_to_target`: after how
/// many rounds theta was first within .01 of the target.
pub(super) struct Toward {
    pub(super) aim: PoolAim,
    rounds: u64,
    reward: f64,
    loss: f64,
    reached: Option<u64>,
    names: [&'static str; 3],
}

/// .01 and a rounding: from .49 to .5 is near.
const NEAR: f64 = 0.01 + 1e-12;

/// The names of what is measured by the run's aim.
pub(super) const OF_RUN: [&str; 3] = ["fairness_loss", "utility", "rounds_to_target"];

/// The names of what is measured by a policy's own aim.
const OWN: [&str; 3] = ["own_fairness_loss", "own_utility", "rounds_to_own_target"];

/// The names of the run's, by an aim; `scored`: whether people have scores.
pub(super) fn names(aim: &PoolAim, scored: bool) -> impl Iterator<Item = String> + use<> {
    which(OF_RUN, [true, aim.lambda.is_some() && scored])
}

/// The names of the loss and the rounds, and of the utility, as far as there are these.
fn which(names: [&str; 3], [shares, weighed]: [bool; 2]) -> impl Iterator<Item = String> + use<> {
    let [loss, utility, reached] = names.map(str::to_owned);
    let has = [(loss, shares), (utility, weighed), (reached, shares)];
    has.into_iter()
        .filter_map(|(name, has)| has.then_some(name))
}

impl Toward {
    pub(super) fn new(aim: PoolAim, names: [&'static str; 3]) -> Self {
        Self {
            aim,
            rounds: 0,
            reward: 0.0,
            loss: 0.0,
            reached: None,
            names,
        }
    }

    /// Takes in a round: its number, theta, and the shares and the mean score of the admitted, if
    /// anyone is.
    pub(super) fn record(&mut self, round: u64, theta: &[f64], admitted: Option<(&[f64], f64)>) {
        let steered = self.aim.steered;
        if self.reached.is_none()
            && let Some(theta) = theta.get(steered)
            && (theta - self.aim.target[steered]).abs() <= NEAR
        {
            self.reached = Some(round - 1);
        }
        if let Some((shares, reward)) = admitted {
            self.rounds += 1;
            self.reward += reward;
            self.loss += self.aim.loss(shares);
        }
    }

    pub(super) fn read_shares(&self, readings: &mut Readings) {
        let [loss, _, reached] = self.names;
        readings.put(loss, self.loss / self.rounds as f64);
        if let Some(rounds) = self.reached {
            readings.put(reached, rounds as f64);
        }
    }

    pub(super) fn read_utility(&self, readings: &mut Readings) {
        if let Some(lambda) = self.aim.lambda.filter(|_| self.rounds > 0) {
            readings.put(self.names[1], self.reward - lambda * self.loss);
        }
    }
}

/// The scorer of a policy's own aim: `own_fairness_loss`, `own_utility` and `rounds_to_own_target`.
/// They are `fairness_loss`, `utility` and `rounds_to_target` by the policy's aim, as far as it
/// differs from the run's. No other lane need have the same aim, so they are never compared.
pub struct OwnAim {
    attribute: usize,
    /// True, first, if the target differs from the run's; second, if utilities use a weight or
    /// target of its own.
    has: [bool; 2],
    toward: Toward,
    counts: Vec<u64>,
}

impl OwnAim {
    /// Makes the scorer; the values of `attribute` are the groups. `None` if the policy has no aim
    /// apart from the run's.
    #[must_use]
    pub fn new(
        schema: &Schema,
        attribute: usize,
        aim: PoolAim,
        of_run: Option<&PoolAim>,
    ) -> Option<Self> {
        let has = Self::has(schema, &aim, of_run);
        has.contains(&true).then(|| Self {
            attribute,
            has,
            counts: vec![0; aim.target.len()],
            toward: Toward::new(aim, OWN),
        })
    }

    /// Returns whether a policy has a target of its own, and a utility of its own.
    fn has(schema: &Schema, aim: &PoolAim, of_run: Option<&PoolAim>) -> [bool; 2] {
        let target = !of_run.is_some_and(|of_run| of_run.is_toward(aim));
        let is_weighed = schema.scored() && aim.lambda.is_some();
        let weight = aim.lambda != of_run.and_then(|of_run| of_run.lambda);
        [target, is_weighed && (target || weight)]
    }

    /// The names of the scorer's metrics.
    pub fn metrics(
        schema: &Schema,
        aim: &PoolAim,
        of_run: Option<&PoolAim>,
    ) -> impl Iterator<Item = String> + use<> {
        which(OWN, Self::has(schema, aim, of_run))
    }
}

impl Scorer for OwnAim {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.counts.fill(0);
        let mut sum = 0.0;
        for person in entry.chosen() {
            self.counts[usize::from(person.values()[self.attribute])] += 1;
            sum += person.score().unwrap_or(0.0);
        }
        let shares = shares(&self.counts);
        let admitted = entry.chosen().len();
        let admitted = (admitted > 0).then(|| (&shares[..], sum / admitted as f64));
        self.toward
            .record(entry.round(), entry.pool_state(), admitted);
    }

    fn read(&self, readings: &mut Readings) {
        let [shares, utility] = self.has;
        if shares {
            self.toward.read_shares(readings);
        }
        if utility {
            self.toward.read_utility(readings);
        }
    }
}

/// The shares of the counted; empty where no one was counted.
pub(super) fn shares(counts: &[u64]) -> Vec<f64> {
    let all: u64 = counts.iter().sum();
    let share = |&count: &u64| count as f64 / all as f64;
    counts.iter().filter(|_| all > 0).map(share).collect()
}

/// The definition of a measure: everything its values depend on besides the rounds of its lane.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasureDefinition {
    /// The world, the rules and the report, which are the same in all lanes of a run.
    Run,
    /// The aim of the lane's own policy.
    Aim(PoolAim),
    /// The measure of a policy of this kind, by the rule it is set up with.
    Policy(&'static str, Option<String>),
}

impl MeasureDefinition {
    /// Returns true if lanes with these definitions can be compared. Lanes with aims of their own
    /// never can: an easier aim does not make a lane better.
    #[must_use]
    pub fn is_comparable(&self, other: &Self) -> bool {
        self == other && !matches!(self, Self::Aim(_))
    }
}
