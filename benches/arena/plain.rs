//! The plain limit: what one would write by hand for this setting alone. The same people, decisions
//! and tallies; no batch, view, referee or ledger.

use kleroterion::draw::{Categorical, Draw, Key, Purpose, label_key};
use kleroterion::policy::committee::{Greedy, Proportional, VirtualQueue};
use kleroterion::protocol::Law;

use crate::world::{Contender, Score, World};

/// So many persons are drawn at a time.
const STRETCH: usize = 1024;

/// Decides on one person.
pub trait Decision {
    fn accepts(&mut self, round: u64, cell: u32, values: &[u16]) -> bool;
}

#[derive(Clone)]
pub struct Everybody;

impl Decision for Everybody {
    #[inline]
    fn accepts(&mut self, _: u64, _: u32, _: &[u16]) -> bool {
        true
    }
}

impl Decision for Greedy {
    #[inline]
    fn accepts(&mut self, _: u64, _: u32, values: &[u16]) -> bool {
        let fits = self.fits(values);
        if fits {
            self.admit(values);
        }
        fits
    }
}

#[derive(Clone)]
pub struct Queue {
    pub policy: VirtualQueue,
    pub v: f64,
}

impl Decision for Queue {
    #[inline]
    fn accepts(&mut self, _: u64, _: u32, values: &[u16]) -> bool {
        let short = self.policy.score(values) <= self.v;
        if short {
            self.policy.admit(values);
        }
        short
    }
}

/// The draws that the lane of a label has.
#[derive(Clone)]
struct Chance {
    label_key: u64,
    draw: Draw,
}

impl Chance {
    fn new(key: Key, label: &str) -> Self {
        let label_key = label_key(label);
        let draw = key.draw(Purpose::Policy, label_key, 0);
        Self { label_key, draw }
    }

    #[inline]
    fn accepts(&mut self, round: u64, likely: f64) -> bool {
        if likely >= 1.0 {
            return true;
        }
        if likely <= 0.0 {
            return false;
        }
        self.draw.readdress(self.label_key, round);
        self.draw.uniform() < likely
    }
}

/// Accepts with a probability for each cell.
#[derive(Clone)]
pub struct Chances {
    likely: Vec<f64>,
    chance: Chance,
}

impl Chances {
    pub fn new(likely: Vec<f64>, key: Key, label: &str) -> Self {
        let chance = Chance::new(key, label);
        Self { likely, chance }
    }
}

impl Decision for Chances {
    #[inline]
    fn accepts(&mut self, round: u64, cell: u32, _: &[u16]) -> bool {
        self.chance.accepts(round, self.likely[cell as usize])
    }
}

/// Accepts with a probability that is a product over the attributes.
#[derive(Clone)]
pub struct Product {
    policy: Proportional,
    chance: Chance,
}

impl Product {
    pub fn new(policy: Proportional, key: Key, label: &str) -> Self {
        let chance = Chance::new(key, label);
        Self { policy, chance }
    }
}

impl Decision for Product {
    #[inline]
    fn accepts(&mut self, round: u64, _: u32, values: &[u16]) -> bool {
        let likely = self.policy.probability(values);
        self.chance.accepts(round, likely)
    }
}

/// The people: a cell each, and the values of every cell.
pub struct Crowd {
    law: Categorical,
    values: Vec<u16>,
    attributes: usize,
    key: Key,
    words: Vec<u64>,
    cells: Vec<u32>,
}

impl Crowd {
    pub fn new(world: &World) -> Self {
        let Law::Product(marginals) = &*world.law else {
            panic!("the preset's law is a product");
        };
        let shares = marginals.iter().fold(vec![1.0], |shares, marginal| {
            let with = |share: &f64| marginal.iter().map(|p| share * p).collect::<Vec<f64>>();
            shares.iter().flat_map(with).collect()
        });
        let cells = (0..world.schema.cells()).map(|cell| world.schema.values(cell));
        Self {
            law: Categorical::new(&shares).unwrap(),
            values: cells.flatten().collect(),
            attributes: marginals.len(),
            key: world.key,
            words: vec![0; STRETCH],
            cells: vec![0; STRETCH],
        }
    }

    fn draw(&mut self, from: u64, persons: usize) {
        let words = &mut self.words[..persons];
        self.key.fill(Purpose::Person, from, words);
        self.cells.clear();
        let cells = words.iter().map(|&word| self.law.pick(word));
        self.cells.extend(cells);
    }

    #[inline]
    fn values(&self, cell: u32) -> &[u16] {
        let start = cell as usize * self.attributes;
        &self.values[start..start + self.attributes]
    }
}

/// A decision and the tallies of a committee's scorers: who was shown, who was chosen, who is a
/// member.
pub struct PlainLane<D> {
    decision: D,
    shown: Vec<u64>,
    chosen: Vec<u64>,
    members: Vec<u64>,
    counts: [u64; 3],
}

impl<D: Decision> PlainLane<D> {
    pub fn new(decision: D, world: &World) -> Self {
        let cells = world.schema.cells() as usize;
        Self {
            decision,
            shown: vec![0; cells],
            chosen: vec![0; cells],
            members: vec![0; cells],
            counts: [0; 3],
        }
    }
}

/// A plain lane, whatever its decision: one dynamic call a stretch.
pub trait PlainPolicy {
    fn play(&mut self, crowd: &Crowd, from: u64);
    fn score(&self, world: &World) -> Score;
}

impl<D: Decision> PlainPolicy for PlainLane<D> {
    fn play(&mut self, crowd: &Crowd, from: u64) {
        for (round, &cell) in (from + 1..).zip(&crowd.cells) {
            self.shown[cell as usize] += 1;
            self.counts[0] += 1;
            if self.decision.accepts(round, cell, crowd.values(cell)) {
                self.chosen[cell as usize] += 1;
                self.counts[1] += 1;
                self.members[cell as usize] += 1;
                self.counts[2] += 1;
            }
        }
    }

    fn score(&self, world: &World) -> Score {
        let levels = world.schema.levels();
        let mut counts: Vec<Vec<u64>> = levels.iter().map(|&n| vec![0; n]).collect();
        for (cell, members) in (0..).zip(&self.members) {
            for (counts, value) in counts.iter_mut().zip(world.schema.values(cell)) {
                counts[usize::from(value)] += members;
            }
        }
        let loss = world.target.loss(&counts, self.counts[2]).unwrap();
        [self.counts[0] as f64, self.counts[1] as f64, loss]
    }
}

/// Plays the stream to some policies.
pub fn play(world: &World, contenders: &[Contender]) -> Vec<Score> {
    let mut crowd = Crowd::new(world);
    let mut lanes: Vec<_> = contenders.iter().map(|c| (c.plain)(world)).collect();
    let mut from = 0;
    while from < world.rounds {
        let persons = (world.rounds - from).min(STRETCH as u64);
        crowd.draw(from, persons as usize);
        for lane in &mut lanes {
            lane.play(&crowd, from);
        }
        from += persons;
    }
    lanes.iter().map(|lane| lane.score(world)).collect()
}
