//! The reported outcomes of the people whom each policy chose.
//!
//! The outcome of a person whom the acting policy refused is never known. If one policy acts, the
//! known outcomes of another policy's choices are a biased sample. They are therefore not given.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Batch, Ledger, Report, RoundEntry, Schema, Stop};
use kleroterion_core::score::{MetricRow, Witness, group_names};
use kleroterion_stats::RunResult;
use kleroterion_stats::sequence::Range;
use kleroterion_stats::{LaneStream, OUTCOME_MEAN, OutcomeMeans, OutcomeSummary};

/// The metric with the number of chosen people whose outcome was reported.
pub const OUTCOMES_TOLD: &str = "outcomes_told";

/// The metric with the number of chosen people whose outcome may still be reported.
pub const PENDING: &str = "pending";

/// The metric with the number of chosen people whose outcome will never be known: its horizon
/// passed.
pub const UNHEARD: &str = "unheard";

/// Outcomes are folded once this many more people are settled.
const TOGETHER: u64 = 1024;

/// The chosen people and their reported outcomes.
///
/// If outcomes have a horizon, the outcomes of people who are settled in all lanes are folded. The
/// horizon thus bounds the memory.
#[derive(Debug)]
pub struct ReportedOutcomes {
    labels: Vec<Arc<str>>,
    acting: Option<usize>,
    schema: Arc<Schema>,
    /// The probability that any interval of a lane's means is ever wrong.
    alpha: f64,
    state: Mutex<OutcomesState>,
}

#[derive(Debug, Default)]
struct OutcomesState {
    /// True if outcomes are reported at all.
    reported: bool,
    /// True if the wait for an outcome ends.
    has_horizon: bool,
    /// The declared range of outcomes.
    range: Option<Range>,
    lanes: Vec<LaneOutcomes>,
    /// The first report per person and policy, in journal order, each with its current value.
    /// Folded reports are left out.
    told: VecDeque<Report>,
    /// All outcomes of people before this number are folded, as far as they can be.
    folded_before: u64,
    /// The lane that took over from the acting one.
    successor: Option<usize>,
}

/// The chosen people of a lane and their outcomes.
#[derive(Clone, Debug, Default)]
struct LaneOutcomes {
    /// The number and the cell of each chosen person, without folded people.
    chosen: BTreeMap<u64, u32>,
    /// The number of folded outcomes.
    told: u64,
    /// The number of folded people without an outcome.
    unheard: u64,
    /// The means of the folded outcomes; `None` before the first.
    means: Option<OutcomeMeans>,
    /// The number of the first person whose outcome may still come.
    settled: u64,
    /// The number of persons in the rounds that the lane has played.
    seen: u64,
    ended: bool,
    /// True if it can take back what it learnt.
    corrects: bool,
}

/// The outcomes of the people that a lane chose.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeTally {
    /// The number of chosen people whose outcome was reported.
    pub told: u64,
    /// The number of chosen people whose outcome may still be reported.
    pub pending: u64,
    /// The number of chosen people whose outcome will never be known; `None` if outcomes have no
    /// horizon.
    pub unheard: Option<u64>,
    /// The means of the reported outcomes; `None` if outcomes are not reported, or for a shadow.
    pub means: Option<OutcomeMeans>,
}

impl ReportedOutcomes {
    /// Outcomes of these lanes, none reported yet. `acting` is the place of the lane that counts;
    /// `alpha` is the chance that any interval of a lane's means is ever wrong.
    #[must_use]
    pub fn new(
        labels: &[Arc<str>],
        acting: Option<usize>,
        schema: &Arc<Schema>,
        alpha: f64,
    ) -> Arc<Self> {
        let state = OutcomesState {
            lanes: vec![LaneOutcomes::default(); labels.len()],
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
        locked(&self.state)
    }

    /// Declares that outcomes are reported, with their range and whether they have a horizon.
    pub fn expect(&self, range: Option<Range>, has_horizon: bool) {
        let mut state = self.state();
        (state.reported, state.range, state.has_horizon) = (true, range, has_horizon);
    }

    /// The declared range of outcomes.
    pub fn range(&self) -> Option<Range> {
        self.state().range
    }

    /// Takes a reported outcome. A correction replaces the report that it corrects.
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
        state.told.push_back(report);
    }

    /// Notes that a lane can take back what it learnt.
    pub fn note_corrects(&self, lane: usize) {
        self.state().lanes[lane].corrects = true;
    }

    /// Sets the lane that decides from where the acting one ended.
    pub fn succeed(&self, successor: Option<usize>) {
        self.state().successor = successor;
    }

    /// The policies that may have learnt a person's outcome and can't take it back. With `policy`,
    /// the outcome was reported to that policy alone.
    #[must_use]
    pub fn hindered(&self, person: u64, policy: Option<&str>) -> Vec<Arc<str>> {
        let state = self.state();
        let lanes = self
            .labels
            .iter()
            .zip(&state.lanes)
            .filter(|(label, lane)| {
                let is_meant = policy.is_none_or(|policy| *policy == ***label);
                let passed_over = lane.seen > person && !lane.chosen.contains_key(&person);
                is_meant && !lane.ended && !lane.corrects && !passed_over
            });
        lanes.map(|(label, _)| Arc::clone(label)).collect()
    }

    /// Creates the witness that sees whom a lane chooses.
    #[must_use]
    pub fn witness(self: &Arc<Self>, lane: usize) -> Box<dyn Witness> {
        Box::new(ChosenOutcomes {
            lane,
            outcomes: Arc::clone(self),
        })
    }

    /// The outcomes of each lane, in lane order.
    #[must_use]
    pub fn tallies(&self) -> Vec<OutcomeTally> {
        self.tallies_before(u64::MAX)
    }

    /// The outcomes of each lane, of the persons before this one.
    fn tallies_before(&self, person: u64) -> Vec<OutcomeTally> {
        let mut state = self.state();
        self.fold(&mut state, 1);
        (0..self.labels.len())
            .map(|lane| self.of(lane, person, &state))
            .collect()
    }

    /// The outcomes of one lane, of the persons before `before`.
    fn of(&self, lane: usize, before: u64, state: &OutcomesState) -> OutcomeTally {
        let folded = &state.lanes[lane];
        let chosen = &folded.chosen;
        let mut values = state.values(&self.labels[lane], chosen);
        values.retain(|(person, _)| *person < before);
        let from = self.observed_from(state, lane);
        let means = from.filter(|_| state.reported).map(|from| {
            let so_far = folded.means.clone();
            let mut means = so_far.unwrap_or_else(|| self.no_means(state));
            for (person, value) in values.iter().filter(|(person, _)| *person >= from) {
                means.add(&self.schema.values(chosen[person]), *value);
            }
            means
        });
        let told = values.len() as u64;
        OutcomeTally {
            told: folded.told + told,
            pending: chosen.range(..before).count() as u64 - told,
            unheard: state.has_horizon.then_some(folded.unheard),
            means,
        }
    }

    fn no_means(&self, state: &OutcomesState) -> OutcomeMeans {
        OutcomeMeans::new(&self.schema, state.range, self.alpha)
    }

    /// Folds the outcomes that are final in all lanes, once they are of at least `at_least` people.
    fn fold(&self, state: &mut OutcomesState, at_least: u64) {
        let before = self.settled_before(state);
        if before < state.folded_before + at_least {
            return;
        }
        state.folded_before = before;
        // In the order of the reports, which is that of the sums.
        while let Some(report) = state.told.pop_front_if(|report| report.person < before) {
            for lane in 0..self.labels.len() {
                self.fold_report(state, lane, &report);
            }
        }
        for (lane, label) in self.labels.iter().enumerate() {
            let told: BTreeSet<u64> = state.told_to(label).map(|told| told.person).collect();
            let state = &mut state.lanes[lane];
            let later = state.chosen.split_off(&before);
            let all = std::mem::replace(&mut state.chosen, later);
            // Who has an outcome behind one that is not settled yet waits for it.
            let has_one = |person: &(u64, u32)| told.contains(&person.0);
            let (waiting, unheard): (Vec<_>, Vec<_>) = all.into_iter().partition(has_one);
            state.unheard += unheard.len() as u64;
            state.chosen.extend(waiting);
        }
    }

    /// Folds a report into a lane that chose the person, if it is the first for that lane.
    fn fold_report(&self, state: &mut OutcomesState, lane: usize, report: &Report) {
        let to = report.policy.as_deref();
        if to.is_some_and(|to| *to != *self.labels[lane]) {
            return;
        }
        let Some(cell) = state.lanes[lane].chosen.remove(&report.person) else {
            return;
        };
        let from = self.observed_from(state, lane);
        let is_observed = state.reported && from.is_some_and(|from| report.person >= from);
        let so_far = state.lanes[lane].means.take();
        let mut means = so_far.or_else(|| is_observed.then(|| self.no_means(state)));
        if let Some(means) = means.as_mut().filter(|_| is_observed) {
            means.add(&self.schema.values(cell), report.value);
        }
        state.lanes[lane].told += 1;
        state.lanes[lane].means = means;
    }

    /// The number of the first person whose outcome may still come in a lane that plays or played
    /// last.
    ///
    /// Where the acting policy has ended and none took over yet, it is not known whose outcomes
    /// count from there on.
    fn settled_before(&self, state: &OutcomesState) -> u64 {
        let playing = state.lanes.iter().filter(|lane| !lane.ended);
        let playing = playing.map(|lane| lane.settled).min();
        let all = || state.lanes.iter().map(|lane| lane.settled).max();
        let playing = playing.or_else(all).unwrap_or(0);
        let acting = self.acting.map(|acting| &state.lanes[acting]);
        match acting.filter(|acting| acting.ended && state.successor.is_none()) {
            Some(acting) => playing.min(acting.seen),
            None => playing,
        }
    }

    /// The number of the first person whose outcome is observed whenever this lane chooses them;
    /// `None` for a shadow.
    fn observed_from(&self, state: &OutcomesState, lane: usize) -> Option<u64> {
        match self.acting {
            None => Some(0),
            Some(acting) if acting == lane => Some(0),
            Some(acting) => (state.successor == Some(lane)).then(|| state.lanes[acting].seen),
        }
    }

    /// Writes the outcomes of each lane into its rows, in place of earlier ones.
    pub fn write(&self, result: &mut RunResult) {
        let streams = result.streams.iter_mut().map(Option::as_mut);
        self.fill(u64::MAX, streams);
        let names = group_names(OUTCOME_MEAN, &self.schema).concat();
        for (policy, told) in result.policies.iter_mut().zip(self.tallies()) {
            let ours = |name: &str| {
                [OUTCOME_MEAN, OUTCOMES_TOLD, PENDING, UNHEARD].contains(&name)
                    || names.iter().any(|own| **own == *name)
            };
            let of_people = [
                (OUTCOMES_TOLD, Some(told.told)),
                (PENDING, Some(told.pending)),
                (UNHEARD, told.unheard),
            ];
            let of_people = of_people
                .into_iter()
                .filter_map(|(metric, people)| Some((Arc::from(metric), people? as f64)));
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

    /// Puts the outcomes reported of each lane, of the persons before this one, into what its stream
    /// says.
    pub(crate) fn fill<'a>(
        &self,
        person: u64,
        streams: impl IntoIterator<Item = Option<&'a mut LaneStream>>,
    ) {
        if !self.state().reported {
            return;
        }
        let told = self.tallies_before(person);
        for (stream, told) in streams.into_iter().zip(told) {
            if let Some(stream) = stream {
                stream.outcomes = told.means;
            }
        }
    }
}

/// The known means, by the names of their metrics.
fn rows(means: &OutcomeSummary, names: &[Arc<str>]) -> Vec<(Arc<str>, f64)> {
    let groups = names.iter().cloned().zip(&means.groups);
    let groups = groups.map(|(name, group)| (name, group.mean.mean));
    let all = std::iter::once((Arc::from(OUTCOME_MEAN), means.all.mean)).chain(groups);
    all.filter_map(|(name, mean)| Some((name, mean?))).collect()
}

impl OutcomesState {
    /// Iterates over the reports that the policy `label` receives.
    fn told_to(&self, label: &str) -> impl Iterator<Item = &Report> {
        let told = self.told.iter();
        told.filter(move |report| report.policy.as_deref().is_none_or(|to| to == label))
    }

    /// The reported outcome of each chosen person, once each, in the order of the first reports.
    fn values(&self, label: &str, chosen: &BTreeMap<u64, u32>) -> Vec<(u64, f64)> {
        let mut known = BTreeSet::new();
        let mine = self.told_to(label);
        let mine = mine.filter(|report| chosen.contains_key(&report.person));
        let first = mine.filter(|report| known.insert(report.person));
        first.map(|report| (report.person, report.value)).collect()
    }
}

struct ChosenOutcomes {
    lane: usize,
    outcomes: Arc<ReportedOutcomes>,
}

impl Witness for ChosenOutcomes {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut state = self.outcomes.state();
        let lane = &mut state.lanes[self.lane];
        for at in 0..ledger.rounds() {
            let chosen = RoundEntry::new(batch, at, ledger, at).chosen();
            let people = chosen.map(|person| (person.number(), person.cell()));
            lane.chosen.extend(people);
            if let Some(last) = batch.roster(at).last() {
                lane.seen = batch.persons().number(last) + 1;
            }
            lane.settled = batch.settled(at).unwrap_or(lane.settled);
        }
        self.outcomes.fold(&mut state, TOGETHER);
    }

    fn end(&mut self, _: &Stop) {
        self.outcomes.state().lanes[self.lane].ended = true;
    }
}

#[cfg(test)]
mod tests;
