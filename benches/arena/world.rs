//! The stream and the policies of the benchmark: the brexit-like committee, played for a fixed
//! number of rounds.

use std::path::Path;
use std::sync::Arc;

use kleroterion::arena::{Blind, Prototype};
use kleroterion::config::{Document, Plan, check};
use kleroterion::draw::Key;
use kleroterion::policy::committee::{AcceptAll, Cmdp, Greedy, Proportional, VirtualQueue};
use kleroterion::presets::preset;
use kleroterion::protocol::{Choose, Law, Rules, Schema, Target, Until};
use kleroterion::score::{LaneResult, Moments, Representation, Scoreboard, SelectionRates};
use kleroterion::source::{Generated, People};

use crate::plain::{Chances, Decision, Everybody, PlainLane, PlainPolicy, Product, Queue};

/// A replication of the stream.
pub struct World {
    pub schema: Arc<Schema>,
    pub law: Arc<Law>,
    pub target: Arc<Target>,
    pub key: Key,
    pub people: Arc<People>,
    pub rounds: u64,
    pub rules: Arc<Rules>,
}

/// The preset's plan.
pub fn plan() -> Plan {
    let text = preset("committee-brexit-like").unwrap().text;
    let document = Document::parse(text).unwrap();
    check(&document, Path::new(".")).unwrap_or_else(|_| panic!("a preset is sound"))
}

/// Makes a plain loop's policy.
pub type MakePlain = Box<dyn Fn(&World) -> Box<dyn PlainPolicy>>;

/// A policy with the same decisions twice: as the lanes play it, and as a plain loop would write
/// it.
pub struct Contender {
    pub label: &'static str,
    pub prototype: Box<dyn Prototype>,
    pub plain: MakePlain,
}

/// The results on which two ways of playing must agree: screened, accepted, representation loss.
pub type Score = [f64; 3];

impl World {
    pub fn new(rounds: u64) -> Self {
        let plan = plan();
        let law = Arc::clone(plan.world.known.law.get().unwrap());
        let schema = Arc::clone(&plan.world.schema);
        let people = Arc::new(People::new(Arc::clone(&schema), &law).unwrap());
        let rules = Arc::new(Rules::new(Choose::AtMost(1), Until::Rounds(rounds)));
        Self {
            schema,
            law,
            target: plan.target.clone().unwrap(),
            key: Key::new(plan.seed, 0),
            people,
            rounds,
            rules,
        }
    }

    pub fn source(&self) -> Generated {
        Generated::new(Arc::clone(&self.people), self.key, 1)
    }

    /// The scorers of a committee, read after the last round.
    pub fn scoreboard(&self) -> Scoreboard {
        let loss = Representation::new(&self.schema, Arc::clone(&self.target));
        let tally = SelectionRates::new(&self.schema);
        let last = Moments::Rounds(vec![self.rounds]);
        Scoreboard::new(vec![Box::new(tally), Box::new(loss)], last)
    }

    pub fn score(&self, lane: &LaneResult) -> Score {
        let values = lane.values();
        ["screened", "accepted", "representation_loss"]
            .map(|metric| values[&(metric, Some(self.rounds))])
    }

    /// Eight light policies; the first is one of middling cost.
    pub fn contenders(&self) -> Vec<Contender> {
        // Half the rounds' number of places: the quotas begin to bind on the way.
        let members = self.rounds / 2;
        let greedy = |tolerance| Greedy::new(&self.schema, &self.target, members, tolerance, None);
        let queue = |v| Queue {
            policy: VirtualQueue::new(&self.target, v),
            v,
        };
        let levels = self.schema.levels();
        let cmdp = Cmdp::new(&self.schema, &self.target, &self.law).unwrap();
        let solved = Chances::new(cmdp.acceptance().table(&levels), self.key, "cmdp");
        let naive = Proportional::new(&self.target, &self.law.marginals(&levels)).unwrap();
        let products = Product::new(naive.clone(), self.key, "proportional");
        let queued = |label, v| contender(label, queue(v).policy, queue(v));
        vec![
            queued("queue 2", 2.0),
            contender("greedy .05", greedy(0.05), greedy(0.05)),
            contender("cmdp", cmdp, solved),
            contender("accept all", AcceptAll, Everybody),
            contender("proportional", naive, products),
            queued("queue 1", 1.0),
            contender("greedy 0", greedy(0.0), greedy(0.0)),
            queued("queue 8", 8.0),
        ]
    }
}

fn contender<P, D>(label: &'static str, policy: P, decision: D) -> Contender
where
    Blind<P>: Prototype + 'static,
    D: Decision + Clone + 'static,
{
    Contender {
        label,
        prototype: Box::new(Blind(policy)),
        plain: Box::new(move |world| Box::new(PlainLane::new(decision.clone(), world))),
    }
}
