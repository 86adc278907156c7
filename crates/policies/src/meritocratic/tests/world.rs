//! A linear world of groups, and a round loop in it.

use std::sync::Arc;

use crate::meritocratic::Contexts;
use crate::{Oracle, Policy};
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::protocol::{
    Batch, Chosen, GroupCdf, Move, Outcome, Places, Schema, Slate, Truth, View, ViewNotes,
    ViewParts,
};
use kleroterion_core::source::{LinearGroup, LinearGroups, LinearStream};

/// Candidates of groups whose rewards are linear.
#[derive(Clone)]
pub(super) struct World {
    schema: Arc<Schema>,
    groups: Arc<LinearGroups>,
    noise: f64,
    slate: u32,
    /// Rounds before an outcome is delivered, as a function of the round.
    delay: fn(u64) -> u64,
}

/// The player: a policy or an oracle.
pub(super) enum Player {
    Blind(Box<dyn Policy>),
    Sighted(Box<dyn Oracle>),
}

/// The results of a run, round by round.
pub(super) struct Played {
    pub(super) slots: Vec<u32>,
    pub(super) groups: Vec<usize>,
    /// Summed up to the round.
    pub(super) fair: Vec<f64>,
    pub(super) standard: Vec<f64>,
}

impl World {
    fn new(groups: LinearGroups, noise: f64, slate: u32) -> Self {
        Self {
            schema: Arc::clone(groups.schema()),
            groups: Arc::new(groups),
            noise,
            slate,
            delay: |_| 0,
        }
    }

    /// The simulation of Section 6: an arm a group.
    pub(super) fn s6() -> Self {
        Self::new(LinearGroups::section6(), 2.0, 4)
    }

    /// Section 7 without data: three groups, ten candidates of any.
    pub(super) fn mg() -> Self {
        let group = |name: &str, probability: f64, low: [f64; 5], width: [f64; 5]| LinearGroup {
            name: name.to_owned(),
            probability,
            low: low.to_vec(),
            width: width.to_vec(),
            from_round: 1,
        };
        let groups = vec![
            group(
                "a",
                0.2,
                [0.5, 0.0, 0.5, 0.0, 1.0],
                [1.0, 0.5, 1.5, 0.5, 1.0],
            ),
            group(
                "b",
                0.7,
                [0.0, 0.5, 0.0, 0.5, 0.5],
                [2.0, 1.0, 0.5, 1.0, 1.0],
            ),
            group(
                "c",
                0.1,
                [-0.5, 1.0, -0.5, 1.0, 0.0],
                [0.5, 2.0, 1.0, 1.5, 0.5],
            ),
        ];
        let mu = vec![1.0, -0.5, 0.8, 0.3, 0.6];
        Self::new(LinearGroups::new(mu, groups, false).unwrap(), 0.5, 10)
    }

    pub(super) fn contexts(&self) -> Contexts {
        Contexts::of(&self.schema, 0).unwrap()
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    /// Returns the same world with outcomes delivered `delay(round)` rounds late.
    pub(super) fn late(&self, delay: fn(u64) -> u64) -> Self {
        Self {
            delay,
            ..self.clone()
        }
    }

    /// Returns the same world with noisier rewards.
    pub(super) fn noisy(&self, noise: f64) -> Self {
        Self {
            noise,
            ..self.clone()
        }
    }

    /// Returns the world for people of another schema, of which it then uses only the name.
    pub(super) fn with_schema(&self, schema: &Arc<Schema>) -> Self {
        Self {
            schema: Arc::clone(schema),
            ..self.clone()
        }
    }

    pub(super) fn groups(&self) -> Arc<LinearGroups> {
        Arc::clone(&self.groups)
    }

    pub(super) fn slate(&self) -> usize {
        self.slate as usize
    }

    /// The true CDFs.
    pub(super) fn cdf(&self) -> Arc<dyn GroupCdf> {
        let cdfs = self.groups.cdfs();
        Arc::new(move |group: usize, merit: f64| cdfs[group].cdf(merit))
    }

    /// Plays a run.
    pub(super) fn play(&self, player: Player, seed: u64, rounds: u64) -> Played {
        let key = Key::new(2022, seed);
        let mut stream = LinearStream::new(Arc::clone(&self.groups), key, self.slate);
        let batch = stream.next_batch(rounds as usize * self.slate()).unwrap();
        let reward = |row: u32, merit: f64| {
            let mut draw = key.draw(Purpose::Outcome, u64::from(row), 0);
            merit + self.noise * draw.normal()
        };
        self.play_on(&batch, player, key, reward)
    }

    /// Plays a run on these people.
    pub(super) fn play_on(
        &self,
        batch: &Batch,
        mut player: Player,
        key: Key,
        reward: impl Fn(u32, f64) -> f64,
    ) -> Played {
        let cdf = self.cdf();
        let mut awaited: Vec<(u64, u64, u32, f64)> = Vec::new();
        let (mut fair, mut standard) = (0.0, 0.0);
        let mut played = Played {
            slots: Vec::new(),
            groups: Vec::new(),
            fair: Vec::new(),
            standard: Vec::new(),
        };
        for round in 0..batch.rounds() {
            let number = batch.round_number(round);
            awaited.sort_by_key(|(due, decided, ..)| (*due > number, *decided));
            let due = awaited.partition_point(|(due, ..)| *due <= number);
            for (_, decided, row, value) in awaited.drain(..due) {
                player.learn(&Outcome::new(
                    decided,
                    batch.persons().shown(row),
                    value,
                    None,
                ));
            }
            let slate = Slate::new(batch, round, None);
            let truth = Truth::new(batch, slate);
            let slot = player.choose(number, slate, &truth, key);
            let ranks = slate.candidates().zip(0..).map(|(person, slot)| {
                cdf.rank(usize::from(person.values()[0]), truth.merit(slot).unwrap())
            });
            let ranks: Vec<f64> = ranks.collect();
            let merits: Vec<f64> = (0..slate.len())
                .map(|slot| truth.merit(slot).unwrap())
                .collect();
            let lost = |values: &[f64]| {
                values.iter().copied().fold(f64::MIN, f64::max) - values[slot as usize]
            };
            fair += lost(&ranks);
            standard += lost(&merits);
            played.slots.push(slot);
            played
                .groups
                .push(usize::from(slate.candidate(slot).values()[0]));
            played.fair.push(fair);
            played.standard.push(standard);
            let row = batch.roster(round).start + slot;
            let value = reward(row, merits[slot as usize]);
            awaited.push((number + (self.delay)(number) + 1, number, row, value));
        }
        played
    }
}

impl Player {
    pub(super) fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        match self {
            Self::Blind(policy) => policy.correct(outcome, before),
            Self::Sighted(oracle) => oracle.correct(outcome, before),
        }
    }

    pub(super) fn learn(&mut self, outcome: &Outcome<'_>) {
        match self {
            Self::Blind(policy) => policy.learn(outcome),
            Self::Sighted(oracle) => oracle.learn(outcome),
        }
    }

    pub(super) fn choose(
        &mut self,
        round: u64,
        slate: Slate<'_>,
        truth: &Truth<'_>,
        key: Key,
    ) -> u32 {
        let mut draw = key.draw(Purpose::Policy, 7, round);
        let mut notes = ViewNotes::default();
        let mut view = View::of(ViewParts {
            round,
            slate,
            places: Places { min: 1, max: 1 },
            places_left: None,
            looks_left: 0,
            money_left: 0.0,
            files: &[],
            answers: &[],
            draw: &mut draw,
            notes: &mut notes,
        });
        let chosen = match self {
            Self::Blind(policy) => policy.act(&mut view),
            Self::Sighted(oracle) => oracle.act(&mut view, truth),
        };
        match chosen {
            Move::Select(selection) => match selection.chosen {
                Chosen::One(slot) => slot,
                other => panic!("one is to be chosen, not {other:?}"),
            },
            other => panic!("one is to be chosen, not {other:?}"),
        }
    }
}

impl<P: Policy + 'static> From<P> for Player {
    fn from(policy: P) -> Self {
        Self::Blind(Box::new(policy))
    }
}
