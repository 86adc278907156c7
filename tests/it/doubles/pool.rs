//! A pool that sways with what was chosen.

use std::sync::{Arc, Mutex};

use kleroterion::draw::Draw;
use kleroterion::pool::{Mustered, Pool, PoolRound};
use kleroterion::protocol::RoundEntry;

use super::witness::number;
use super::world::People;

/// What a pool went through.
#[derive(Clone, Debug, PartialEq)]
pub enum PoolEvent {
    /// Of this round's roster, this many applied.
    Mustered(u64, usize),
    /// In this round these were shown and these chosen, with these outcomes.
    Reacted(u64, Vec<u64>, Vec<u64>, Vec<Option<f64>>),
}

/// A pool's diary.
#[derive(Clone, Default)]
pub struct SwayLog(Arc<Mutex<Vec<PoolEvent>>>);

impl SwayLog {
    pub fn read(&self) -> Vec<PoolEvent> {
        self.0.lock().unwrap().clone()
    }
}

/// A person applies where (one of 0 .. 3 + how many of its group were chosen so far) is no multiple
/// of 3; and none does in every `holiday`-th round.
#[derive(Clone)]
pub struct Sway {
    pub chosen: [u64; 3],
    pub holiday: u64,
    /// It panics in this round.
    pub panics: Option<PoolPanic>,
    pub log: SwayLog,
}

/// Where a pool panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolPanic {
    Mustering(u64),
    Reacting(u64),
}

impl Sway {
    pub fn new(holiday: u64) -> Self {
        Self {
            chosen: [0; 3],
            holiday,
            panics: None,
            log: SwayLog::default(),
        }
    }

    fn write(&self, event: PoolEvent) {
        self.log.0.lock().unwrap().push(event);
    }

    /// Positions in the roster of those who apply.
    pub fn who(&self, round: u64, roster: &[u64], draw: &mut Draw) -> Vec<u32> {
        if round.is_multiple_of(self.holiday) {
            return vec![];
        }
        let applies = |number: u64, word: u64| {
            !(word + self.chosen[usize::from(People::group(number))]).is_multiple_of(3)
        };
        let roster = roster.iter().zip(0..);
        roster
            .filter_map(|(&number, position)| applies(number, draw.below(4)).then_some(position))
            .collect()
    }

    /// What it says of itself.
    pub fn state(&self) -> Vec<f64> {
        self.chosen.iter().map(|&count| count as f64).collect()
    }

    /// Moves with those who were chosen.
    pub fn sway(&mut self, chosen: &[u64]) {
        for &number in chosen {
            self.chosen[usize::from(People::group(number))] += 1;
        }
    }
}

impl Pool for Sway {
    fn muster(&mut self, round: &PoolRound<'_>, draw: &mut Draw) -> Mustered {
        assert!(
            self.panics != Some(PoolPanic::Mustering(round.number())),
            "scripted: no muster"
        );
        let roster: Vec<u64> = (0..round.len()).map(|k| number(round.person(k))).collect();
        let who = self.who(round.number(), &roster, draw);
        self.write(PoolEvent::Mustered(round.number(), who.len()));
        Mustered::new(who, self.state(), round.len()).unwrap()
    }

    fn react(&mut self, entry: &RoundEntry<'_>) {
        assert!(
            self.panics != Some(PoolPanic::Reacting(entry.round())),
            "scripted: no reaction"
        );
        let shown = entry.applicants().candidates().map(number).collect();
        let chosen: Vec<u64> = entry.chosen().map(number).collect();
        self.sway(&chosen);
        let outcomes = entry.outcomes().to_vec();
        self.write(PoolEvent::Reacted(entry.round(), shown, chosen, outcomes));
    }
}
