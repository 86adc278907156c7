//! Cohorts chosen through interviews (Schumann et al. 2019), played by the real lanes and referee.

mod configs;
mod edges;
mod figures;
mod identities;
mod judge;
mod kinds;
mod looks;
mod objectives;
mod order;
mod ranges;
mod stalled;
mod table;
mod trajectories;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use kleroterion::arena::{Blind, Lane, LaneState, Need, Play};
use kleroterion::draw::{Key, Purpose, inverse_normal_cdf};
use kleroterion::feedback::{BernoulliLooks, Gaussian};
use kleroterion::policy::Policy;
use kleroterion::policy::cohort::{
    Diverse, Objective, Scope, StopRule, Strong, Swap, SwapParameters, Tiers, TopK,
};
use kleroterion::protocol::{
    Attribute, Batch, Choose, Drawn, Ending, Feedback, Gain, InterviewKind, Ledger, LookAnswer,
    Move, Outcome, RoundEntry, Rules, Schema, SealedAnswers, Until, View,
};

/// n arms, of whom K are to be chosen.
#[derive(Clone)]
struct Instance {
    utilities: Vec<f64>,
    groups: Vec<u16>,
    members: u32,
    /// Yes or no, in place of normal noise.
    coins: bool,
    sigma: f64,
    delta: f64,
    /// The strong look's gain and cost.
    s: f64,
    j: f64,
    /// s of each of the 8 groups, where it depends on that.
    s_by_group: Option<[f64; 8]>,
    /// Further kinds of looks.
    more: Vec<InterviewKind>,
    cap: u64,
    budget: f64,
}

impl Instance {
    fn new(utilities: Vec<f64>, members: u32, [sigma, delta, s, j]: [f64; 4]) -> Self {
        Self {
            groups: (0..utilities.len()).map(|i| (i % 3) as u16).collect(),
            utilities,
            members,
            coins: false,
            sigma,
            delta,
            s,
            j,
            s_by_group: None,
            more: Vec::new(),
            cap: 10_000_000,
            budget: f64::INFINITY,
        }
    }

    /// u = i / (n - 1).
    fn line(n: u32, members: u32, numbers: [f64; 4]) -> Self {
        let utility = |i: u32| f64::from(i) / f64::from(n - 1);
        Self::new((0..n).map(utility).collect(), members, numbers)
    }

    /// u = mean + sd PHI((i + .5) / n).
    fn quantiles(n: u32, [mean, sd]: [f64; 2], members: u32, numbers: [f64; 4]) -> Self {
        let p = |i: u32| (f64::from(i) + 0.5) / f64::from(n);
        let utility = |i: u32| mean + sd * inverse_normal_cdf(p(i));
        Self::new((0..n).map(utility).collect(), members, numbers)
    }

    /// T2 of the reference.
    fn t2() -> Self {
        Self::line(10, 3, [0.2, 0.05, 5.0, 2.0])
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    fn kinds(&self) -> Vec<InterviewKind> {
        let kind = |name: &str, cost, gain| InterviewKind {
            name: name.into(),
            cost,
            gain,
        };
        let strong = match &self.s_by_group {
            Some(of) => Gain::ByValue {
                attribute: 0,
                of: of.as_slice().into(),
            },
            None => self.s.into(),
        };
        let pair = [
            kind("weak", 1.0, 1.0.into()),
            kind("strong", self.j, strong),
        ];
        pair.into_iter().chain(self.more.clone()).collect()
    }

    fn tiers(&self) -> Tiers {
        Tiers::of(&self.kinds()).unwrap()
    }

    /// The instance's delta and sigma, and for the rest the paper's.
    fn parameters(&self) -> SwapParameters {
        SwapParameters {
            delta: self.delta,
            sigma: self.sigma,
            ..SwapParameters::default()
        }
    }

    fn rules(&self) -> Rules {
        let mut rules = Rules::new(Choose::Exactly(self.members), Until::Rounds(1));
        rules.interviews = self.kinds();
        rules.interview_cap = self.cap;
        rules.budget = self.budget;
        rules
    }

    fn swap<O: Objective>(&self, objective: O, set: impl FnOnce(&mut SwapParameters)) -> Swap<O> {
        let mut parameters = self.parameters();
        set(&mut parameters);
        Swap::new(objective, self.tiers(), parameters).unwrap()
    }

    /// The best cohort at the true utilities.
    fn optimum(&self, objective: &impl Objective) -> Vec<u32> {
        objective.best_slots(&self.shape(), &self.utilities)
    }

    fn shape(&self) -> kleroterion::policy::cohort::CohortShape {
        kleroterion::policy::cohort::CohortShape {
            members: self.members as usize,
            groups: self.groups.clone(),
        }
    }

    /// The same people in each round.
    fn batch(&self, key: Key, rounds: usize) -> Arc<Batch> {
        let schema = Arc::new(schema());
        let mut batch = Batch::new(Arc::clone(&schema), 1, 0);
        for _ in 0..rounds {
            for (&utility, &group) in self.utilities.iter().zip(&self.groups) {
                let persons = batch.persons_mut();
                let values = [group, group / 4, group % 4];
                persons.push(schema.cell(&values), &values, &[], None);
                batch.push_merit(utility);
            }
            batch.close_round();
        }
        let feedback: Arc<dyn Feedback> = match self.coins {
            true => Arc::new(BernoulliLooks),
            false => Arc::new(Gaussian::new(self.sigma)),
        };
        batch.seal_looks(SealedAnswers::Drawn(Drawn { feedback, key }));
        Arc::new(batch)
    }

    /// Plays a policy in the lane of a label.
    fn play_as(&self, label: &str, policy: impl Policy + 'static, replication: u64) -> Run {
        let key = Key::new(2019, replication);
        let batch = self.batch(key, 1);
        let answers = Arc::new(Mutex::new(Vec::new()));
        let noting = Noting {
            policy,
            answers: Arc::clone(&answers),
        };
        let state = LaneState::new(Arc::new(self.rules()), key, label, false, true);
        let mut ledger = Ledger::new(false);
        let mut lane: Box<dyn Play> = Box::new(Lane::new(Blind(noting), state));
        let need = lane.play_guarded(&batch, &mut ledger);
        let Need::End(stop) = need else {
            panic!("one round, then the end: {need:?}");
        };
        assert_eq!(ledger.rounds(), 1, "{stop:?}");
        let entry = RoundEntry::new(&batch, 0, &ledger, 0);
        let measures = ledger.measures_in(0..1);
        Run {
            chosen: ledger.chosen_in(0..1).0.to_vec(),
            cost: entry.spent(),
            looks: entry.looks(),
            strong: entry.strong_looks(),
            ending: stop.ending,
            measures: measures.map(|(name, x)| (name.to_owned(), x)).collect(),
            answers: std::mem::take(&mut answers.lock().unwrap()),
        }
    }

    fn play(&self, policy: impl Policy + 'static, replication: u64) -> Run {
        self.play_as("lane", policy, replication)
    }
}

/// The group of eight, and two attributes whose combined values are the groups in their order.
fn schema() -> Schema {
    let attribute = |(name, count): (&str, u16)| Attribute {
        name: name.into(),
        values: (0..count).map(|value| value.to_string()).collect(),
    };
    let attributes = [("group", 8), ("half", 2), ("quarter", 4)].map(attribute);
    Schema::new(attributes.into(), vec![], false).unwrap()
}

/// What a run came to.
#[derive(Debug, PartialEq)]
struct Run {
    chosen: Vec<u32>,
    cost: f64,
    looks: u64,
    strong: u64,
    ending: Ending,
    measures: BTreeMap<String, f64>,
    answers: Vec<LookAnswer>,
}

impl Run {
    fn converged(&self) -> bool {
        self.measures["converged"] == 1.0
    }

    /// The same looks with the same answers, and the same cohort.
    #[track_caller]
    fn equals(&self, other: &Self, what: &str) {
        for (at, (a, b)) in self.answers.iter().zip(&other.answers).enumerate() {
            assert_eq!(a, b, "{what}: look {at} of {}", self.answers.len());
        }
        assert_eq!(self.answers.len(), other.answers.len(), "{what}");
        assert_eq!(self.chosen, other.chosen, "{what}");
        assert_eq!((self.cost, self.looks), (other.cost, other.looks), "{what}");
    }
}

/// A policy, and every look it was answered.
struct Noting<P> {
    policy: P,
    answers: Arc<Mutex<Vec<LookAnswer>>>,
}

impl<P: Policy> Policy for Noting<P> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        self.answers.lock().unwrap().extend(view.answers());
        self.policy.act(view)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.policy.learn(outcome);
    }
}

/// Uniform numbers of a stretch of the world's own draws.
fn uniforms(seed: u64, n: usize) -> Vec<f64> {
    let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
    (0..n).map(|_| draw.uniform()).collect()
}
