//! The scorer of cohorts: their worth at the true utilities (Schumann et al. 2019), whatever policy
//! chose them.

use std::sync::Arc;

use super::readings::Readings;
use super::scoreboard::Scorer;
use super::utilities::Utilities;
use crate::protocol::{Choose, CohortObjective, RoundEntry, Rules, Schema, Truth};

/// The scorer of cohorts.
///
/// `cohort_value`: w of the cohort at the true utilities, by the run's objective. `optimal`: 1 if
/// no admissible cohort of the number of places is worth more, else 0. `sqrt_top_k`: the root of
/// the sum of the cohort's utilities, whatever the objective (a sum below 0 counts as 0). With
/// further objectives, `cohort_value.OBJECTIVE` and `optimal.OBJECTIVE` are the same by each of
/// them. Over several rounds all are means.
///
/// The cohort is those who take their places. Places that stay empty because people declined, or
/// because a policy outside was late, are worth nothing, and the cohort is then not the best. If
/// the rules let a policy choose fewer, there are as many places as it offered. A round without an
/// offer does not count.
pub struct Cohort {
    rules: Arc<Rules>,
    accepted: u64,
    objectives: Vec<ByObjective>,
    rounds: u64,
    root: f64,
}

struct ByObjective {
    objective: CohortObjective,
    value: f64,
    optimal: u64,
    names: [String; 2],
}

const VALUE: &str = "cohort_value";
const OPTIMAL: &str = "optimal";
const ROOT: &str = "sqrt_top_k";

impl Cohort {
    /// Returns true if cohorts are scored under these rules without a request in the config:
    /// interviews are sold, or an exact number above one is chosen.
    #[must_use]
    pub fn applies(rules: &Rules) -> bool {
        !rules.interviews.is_empty() || matches!(rules.choose, Choose::Exactly(many) if many > 1)
    }

    /// Returns true if cohorts can be scored under these rules: those that [`Cohort::applies`] to,
    /// and those that choose a share of each slate.
    #[must_use]
    pub fn can_apply(rules: &Rules) -> bool {
        Self::applies(rules) || matches!(rules.choose, Choose::Share(_))
    }

    /// Makes the scorer before any round; the run's objective comes first.
    #[must_use]
    pub fn new(objectives: &[CohortObjective], rules: &Arc<Rules>) -> Self {
        let by = |(place, objective): (usize, &CohortObjective)| ByObjective {
            objective: objective.clone(),
            value: 0.0,
            optimal: 0,
            names: [VALUE, OPTIMAL].map(|stem| Self::metric(stem, place, &objective.name)),
        };
        Self {
            rules: Arc::clone(rules),
            accepted: 0,
            objectives: objectives.iter().enumerate().map(by).collect(),
            rounds: 0,
            root: 0.0,
        }
    }

    /// The names of the scorer's metrics, for objectives of these names.
    #[must_use]
    pub fn metrics<'a>(objectives: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let names = objectives.into_iter().enumerate();
        let mut names: Vec<String> = names
            .flat_map(|(place, name)| [VALUE, OPTIMAL].map(|stem| Self::metric(stem, place, name)))
            .collect();
        names.push(ROOT.to_owned());
        names
    }

    /// The ranges of the worth metrics for cohorts under these rules from people of these
    /// utilities. Empty if nothing bounds the size of a cohort. `short` says that places may stay
    /// empty.
    #[must_use]
    pub fn ranges(
        objectives: &[CohortObjective],
        schema: &Schema,
        rules: &Rules,
        utilities: &Utilities,
        short: bool,
    ) -> Vec<(String, (f64, f64))> {
        if objectives.is_empty() {
            return Vec::new();
        }
        let Some(sums) = utilities.sums(rules, short) else {
            return Vec::new();
        };
        let by = objectives.iter().enumerate().map(|(place, objective)| {
            let name = Self::metric(VALUE, place, &objective.name);
            (name, objective.worth.range(schema, &sums))
        });
        let mut ranges: Vec<_> = by.collect();
        let root = |sum: f64| sum.max(0.0).sqrt();
        ranges.push((ROOT.to_owned(), (root(sums.lowest), root(sums.highest))));
        ranges
    }

    /// The name of a metric for the objective in a place. The first is the run's own and adds
    /// nothing to the name.
    #[must_use]
    pub fn metric(stem: &str, place: usize, objective: &str) -> String {
        match place {
            0 => stem.to_owned(),
            _ => format!("{stem}.{objective}"),
        }
    }
}

impl Cohort {
    /// Returns the number of members that the cohort of a round was to have.
    fn members(&mut self, entry: &RoundEntry<'_>) -> usize {
        let left = self.rules.places_left(self.accepted);
        let places = self.rules.choose.places(entry.slate().len(), left);
        let (taken, declined) = (entry.chosen().len(), entry.declined().len());
        self.accepted += taken as u64;
        let offers = (taken + declined).min(places.max as usize);
        offers.max(places.min as usize)
    }
}

impl Scorer for Cohort {
    fn record(&mut self, entry: &RoundEntry<'_>, truth: &Truth<'_>) {
        let members = self.members(entry);
        if members == 0 {
            return;
        }
        let slate: Vec<_> = entry.slate().candidates().collect();
        let slots = 0..slate.len() as u32;
        let values: Option<Vec<f64>> = slots.clone().map(|slot| truth.merit(slot)).collect();
        let Some(values) = values else {
            return;
        };
        let chosen: Vec<bool> = slots.map(|slot| entry.chose(slot)).collect();
        for by in &mut self.objectives {
            let judged = by.objective.worth.judge(&slate, &values, &chosen, members);
            by.value += judged.value;
            by.optimal += u64::from(judged.optimal);
        }
        let members = values.iter().zip(&chosen).filter(|(_, member)| **member);
        let sum: f64 = members.map(|(value, _)| value).sum();
        self.rounds += 1;
        self.root += sum.max(0.0).sqrt();
    }

    fn read(&self, readings: &mut Readings) {
        let rounds = self.rounds as f64;
        for by in &self.objectives {
            readings.put(&by.names[0], by.value / rounds);
            readings.put(&by.names[1], by.optimal as f64 / rounds);
        }
        readings.put(ROOT, self.root / rounds);
    }
}
