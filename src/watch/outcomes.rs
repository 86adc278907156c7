//! The outcomes of those whom each policy chose, as far as they were reported.
//!
//! The outcome of a person whom the acting policy refused is never known. Where one policy acts,
//! the outcomes of the others' choices are therefore not those of people like theirs, and are not
//! given at all.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::compare::RunResult;
use crate::compare::sequence::Range;
use crate::compare::{LaneStream, OUTCOME_MEAN, OutcomeMeans, OutcomeSummary};
use crate::protocol::Stop;
use crate::protocol::{Batch, Ledger, Report, RoundEntry, Schema};
use crate::score::{MetricRow, Witness, group_names};

/// The number of those chosen whose outcome was reported.
pub const OUTCOMES_TOLD: &str = "outcomes_told";

/// How many of those chosen have no outcome yet.
pub const PENDING: &str = "pending";

/// Follows who was chosen and which outcomes were reported.
#[derive(Debug)]
pub struct WatchedOutcomes {
    labels: Vec<Arc<str>>,
    acting: Option<usize>,
    schema: Arc<Schema>,
    /// The chance that any interval of a lane's means is ever wrong.
    alpha: f64,
    state: Mutex<OutcomesState>,
}

#[derive(Debug, Default)]
struct OutcomesState {
    /// Whether outcomes are reported at all.
    reported: bool,
    /// The declared range of outcomes.
    range: Option<Range>,
    /// Of each lane, the numbers of those chosen, and their cells.
    chosen: Vec<BTreeMap<u64, u32>>,
    /// In the order of the journal: the first of each person and policy, with the value that holds
    /// now.
    told: Vec<Report>,
    /// Of each lane, how many persons' rounds it has played, whether it has ended, and whether it
    /// can take back what it learnt.
    seen: Vec<u64>,
    ended: Vec<bool>,
    corrects: Vec<bool>,
    /// The lane that took over from the acting one.
    successor: Option<usize>,
}

/// The outcomes reported of a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeTally {
    /// The number of those chosen whose outcome was reported.
    pub told: u64,
    /// How many were not.
    pub pending: u64,
    /// The reported outcomes, where they are a policy's to have.
    pub means: Option<OutcomeMeans>,
}

impl WatchedOutcomes {
    /// Of these lanes; `acting`: the place of the one that counts; `alpha`: the chance that any
    /// interval of a lane's means is ever wrong.
    #[must_use]
    pub fn new(
        labels: &[Arc<str>],
        acting: Option<usize>,
        schema: &Arc<Schema>,
        alpha: f64,
    ) -> Arc<Self> {
        let state = OutcomesState {
            chosen: vec![BTreeMap::new(); labels.len()],
            seen: vec![0; labels.len()],
            ended: vec![false; labels.len()],
            corrects: vec![false; labels.len()],
            ..OutcomesState::default()
        };
        Arc::new(Self {
            labels: labels.to_vec(),
            acting,
            schema: Arc::clone(schema),
            alpha,
            state: Mutex::new(state),
        })
    }

    fn state(&self) -> std::sync::MutexGuard<'_, OutcomesState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that outcomes are reported, and which range they have where one is declared.
    pub fn expect(&self, range: Option<Range>) {
        let mut state = self.state();
        (state.reported, state.range) = (true, range);
    }

    /// Takes what became of a person; a correction takes the place of what it corrects.
    pub fn tell(&self, report: Report) {
        let mut state = self.state();
        let same =
            |told: &&mut Report| told.person == report.person && told.policy == report.policy;
        if report.corrects.is_some()
            && let Some(told) = state.told.iter_mut().rfind(same)
        {
            told.value = report.value;
            return;
        }
        state.told.push(report);
    }

    /// Notes that a lane can take back what it learnt.
    pub fn note_corrects(&self, lane: usize) {
        self.state().corrects[lane] = true;
    }

    /// The lane (`successor`) decides in place of the acting one from where that ended.
    pub fn succeed(&self, successor: Option<usize>) {
        self.state().successor = successor;
    }

    /// The policies that may have learnt what became of a person, and can't take it back; `policy`:
    /// it was reported to that one alone.
    #[must_use]
    pub fn hindered(&self, person: u64, policy: Option<&str>) -> Vec<Arc<str>> {
        let state = self.state();
        let lanes = self.labels.iter().enumerate().filter(|(lane, label)| {
            let is_meant = policy.is_none_or(|policy| *policy == ***label);
            let passed_over =
                state.seen[*lane] > person && !state.chosen[*lane].contains_key(&person);
            is_meant && !state.ended[*lane] && !state.corrects[*lane] && !passed_over
        });
        lanes.map(|(_, label)| Arc::clone(label)).collect()
    }

    /// The witness that sees whom a lane chooses.
    #[must_use]
    pub fn witness(self: &Arc<Self>, lane: usize) -> Box<dyn Witness> {
        Box::new(ChosenOutcomes {
            lane,
            outcomes: Arc::clone(self),
        })
    }

    /// The outcomes reported of each lane, in order.
    #[must_use]
    pub fn tallies(&self) -> Vec<OutcomeTally> {
        let state = self.state();
        (0..self.labels.len())
            .map(|lane| self.of(lane, &state))
            .collect()
    }

    fn of(&self, lane: usize, state: &OutcomesState) -> OutcomeTally {
        let chosen = &state.chosen[lane];
        let values = state.values(&self.labels[lane], chosen);
        let from = self.observed_from(state, lane);
        let means = from.filter(|_| state.reported).map(|from| {
            let mut means = OutcomeMeans::new(&self.schema, state.range, self.alpha);
            for (person, value) in values.iter().filter(|(person, _)| *person >= from) {
                let values: Vec<u16> = self.schema.values(chosen[person]);
                means.add(&values, *value);
            }
            means
        });
        let told = values.len() as u64;
        OutcomeTally {
            told,
            pending: chosen.len() as u64 - told,
            means,
        }
    }

    /// The number of the first person whose outcome is observed whenever a lane chooses: none of a
    /// shadow's.
    fn observed_from(&self, state: &OutcomesState, lane: usize) -> Option<u64> {
        match self.acting {
            None => Some(0),
            Some(acting) if acting == lane => Some(0),
            Some(acting) => (state.successor == Some(lane)).then(|| state.seen[acting]),
        }
    }

    /// Writes the outcomes reported of each lane into its rows, in place of what was written
    /// before.
    pub fn write(&self, result: &mut RunResult) {
        self.fill(&mut result.streams);
        let names = group_names(OUTCOME_MEAN, &self.schema).concat();
        for (policy, told) in result.policies.iter_mut().zip(self.tallies()) {
            let ours = |name: &str| {
                [OUTCOME_MEAN, OUTCOMES_TOLD, PENDING].contains(&name)
                    || names.iter().any(|own| **own == *name)
            };
            let of_people = [(OUTCOMES_TOLD, told.told), (PENDING, told.pending)];
            let of_people = of_people.map(|(metric, people)| (Arc::from(metric), people as f64));
            let means = told.means.map(|means| means.read());
            let means = means.map_or_else(Vec::new, |means| rows(&means, &names));
            let rows = means.into_iter().chain(of_people);
            let rows = rows.map(|(metric, value)| MetricRow {
                metric,
                at: None,
                value,
            });
            policy.change_first(|all| {
                all.retain(|row| !ours(&row.metric));
                all.extend(rows);
            });
        }
    }

    /// Puts the outcomes reported of each lane into what its stream says.
    pub fn fill(&self, streams: &mut [LaneStream]) {
        if !self.state().reported {
            return;
        }
        for (stream, told) in streams.iter_mut().zip(self.tallies()) {
            stream.outcomes = told.means;
        }
    }
}

/// The means that there are, by their metrics' names.
fn rows(means: &OutcomeSummary, names: &[Arc<str>]) -> Vec<(Arc<str>, f64)> {
    let groups = names.iter().cloned().zip(&means.groups);
    let groups = groups.map(|(name, group)| (name, group.mean.mean));
    let all = std::iter::once((Arc::from(OUTCOME_MEAN), means.all.mean)).chain(groups);
    all.filter_map(|(name, mean)| Some((name, mean?))).collect()
}

impl OutcomesState {
    /// The outcome of each of those chosen that was reported, in the order of the first reports,
    /// each once.
    fn values(&self, label: &str, chosen: &BTreeMap<u64, u32>) -> Vec<(u64, f64)> {
        let mut known = BTreeSet::new();
        let mine = self.told.iter().filter(|report| {
            let mine = report.policy.as_ref().is_none_or(|to| **to == *label);
            mine && chosen.contains_key(&report.person)
        });
        let first = mine.filter(|report| known.insert(report.person));
        first.map(|report| (report.person, report.value)).collect()
    }
}

struct ChosenOutcomes {
    lane: usize,
    outcomes: Arc<WatchedOutcomes>,
}

impl Witness for ChosenOutcomes {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut state = self.outcomes.state();
        for at in 0..ledger.rounds() {
            let chosen = RoundEntry::new(batch, at, ledger, at).chosen();
            let people = chosen.map(|person| (person.number(), person.cell()));
            state.chosen[self.lane].extend(people);
            if let Some(last) = batch.roster(at).last() {
                state.seen[self.lane] = batch.persons().number(last) + 1;
            }
        }
    }

    fn end(&mut self, _: &Stop) {
        self.outcomes.state().ended[self.lane] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(person: u64, policy: Option<&str>, value: f64) -> Report {
        let policy = policy.map(Into::into);
        Report {
            person,
            policy,
            value,
            corrects: None,
        }
    }

    fn told(acting: Option<usize>) -> Vec<OutcomeTally> {
        let labels = ["a", "b"].map(Arc::from);
        let outcomes = WatchedOutcomes::new(&labels, acting, &Arc::default(), 0.05);
        outcomes.expect(None);
        let people = |numbers: &[u64]| numbers.iter().map(|number| (*number, 0)).collect();
        outcomes.state().chosen = vec![people(&[1, 2, 3]), people(&[3, 4])];
        for one in [
            report(1, None, 1.0),
            report(9, None, 7.0),
            report(3, Some("b"), 5.0),
            report(3, None, 3.0),
            report(1, Some("a"), 8.0),
        ] {
            outcomes.tell(one);
        }
        outcomes.tallies()
    }

    fn mean(told: &OutcomeTally) -> Option<f64> {
        told.means.as_ref()?.read().all.mean
    }

    #[test]
    fn only_those_chosen_count_and_of_each_the_first_that_is_told() {
        let lanes = told(None);
        let lanes: Vec<_> = lanes
            .iter()
            .map(|one| (one.told, one.pending, mean(one)))
            .collect();
        assert_eq!(lanes, [(2, 1, Some(2.0)), (1, 1, Some(5.0))]);
    }

    #[test]
    fn where_one_acts_the_outcomes_of_the_others_are_not_observed() {
        let means = |acting| -> Vec<Option<f64>> { told(acting).iter().map(mean).collect() };
        assert_eq!(means(Some(0)), [Some(2.0), None]);
        assert_eq!(means(Some(1)), [None, Some(5.0)]);
    }
}
