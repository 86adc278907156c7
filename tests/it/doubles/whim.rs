//! A mind of whims, the same whims every time: what it does hangs on all that it has seen and
//! heard, so that one wrong word changes everything after it.

use std::sync::Arc;

use kleroterion::draw::{Draw, Key, Purpose};
use kleroterion::protocol::{Chosen, Move, Pull, Pulls, Selection};

use super::mind::{Deed, Heard, Luck, Mind, MindMaker, Sight, Thought};

/// How often, in a thousand acts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Temper {
    pub breaks_rules: u64,
    pub panics: u64,
    pub stalls: u64,
    /// Only outside.
    pub leaves: u64,
}

#[derive(Clone)]
pub struct Whim {
    pub seed: u64,
    pub temper: Temper,
    pub kinds: usize,
    memory: u64,
    acts: u64,
}

impl Whim {
    pub fn maker(seed: u64, temper: Temper, kinds: usize) -> MindMaker {
        let whim = Self {
            seed,
            temper,
            kinds,
            memory: 0,
            acts: 0,
        };
        Arc::new(move || Box::new(whim.clone()))
    }

    /// Remembers a number, in order.
    fn note(&mut self, number: u64) {
        self.memory = (self.memory ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.memory ^= self.memory >> 29;
    }

    fn draw(&self) -> Draw {
        Key::new(self.seed, self.memory).draw(Purpose::World, self.acts, 0)
    }

    fn foul(&self, sight: &Sight, draw: &mut Draw) -> Move {
        let slate = sight.seen.len() as u32;
        let most = sight.places.1;
        let select = |slots: Vec<u32>| Selection::of(Chosen::Many(slots));
        match draw.below(7) {
            0 => Move::take_all((0..=most).collect()),
            1 => Move::take_all(vec![slate; most.max(1) as usize]),
            2 => Move::take_all(vec![0; most.max(2) as usize]),
            3 => Move::Select(select((0..most).collect()).with_probability(0.0)),
            4 => Move::Interview(Pulls::Many(vec![])),
            5 => Move::Interview(Pulls::One(Pull {
                slot: slate,
                kind: 0,
            })),
            _ => Move::Interview(Pulls::One(Pull {
                slot: 0,
                kind: self.kinds,
            })),
        }
    }

    fn looks(&self, sight: &Sight, draw: &mut Draw) -> Move {
        let pull = |_| Pull {
            slot: draw.below(sight.seen.len() as u64) as u32,
            kind: draw.below(self.kinds as u64) as usize,
        };
        let pulls: Vec<Pull> = (0..1 + self.memory % 4).map(pull).collect();
        Move::Interview(match pulls[..] {
            [pull] => Pulls::One(pull),
            _ => Pulls::Many(pulls),
        })
    }

    fn choice(&self, sight: &Sight, draw: &mut Draw) -> Move {
        let (fewest, most) = sight.places;
        let take = u64::from(fewest) + draw.below(u64::from(most - fewest) + 1);
        let mut slots: Vec<u32> = (0..sight.seen.len() as u32).collect();
        for k in 0..take as usize {
            let other = k + draw.below((slots.len() - k) as u64) as usize;
            slots.swap(k, other);
        }
        slots.truncate(take as usize);
        let mut selection = Selection::of(match slots[..] {
            [] => Chosen::None,
            [slot] => Chosen::One(slot),
            _ => Chosen::Many(slots),
        });
        if draw.below(2) == 0 {
            selection.p = Some((1 + draw.below(8)) as f64 / 8.0);
        }
        if draw.below(4) == 0 {
            selection.declared = Some((0..3).map(|_| draw.below(5) as f64 / 4.0).collect());
        }
        Move::Select(selection)
    }
}

impl Mind for Whim {
    fn act(&mut self, sight: &Sight, luck: Luck<'_>) -> Thought {
        self.acts += 1;
        self.note(sight.round);
        self.note(sight.looks_left);
        self.note(sight.money_left.to_bits());
        for seen in &sight.seen {
            self.note(seen.number);
            self.note(seen.file.mean.to_bits());
        }
        for answer in &sight.answers {
            self.note(answer.value.to_bits());
        }
        if let Some(word) = luck {
            self.note(word());
        }
        let mut draw = self.draw();
        let toss = draw.below(1000);
        let Temper {
            breaks_rules,
            panics,
            stalls,
            leaves,
        } = self.temper;
        let mut bound = 0;
        let mut falls = |often: u64| {
            bound += often;
            toss < bound
        };
        let deed: Deed = if falls(breaks_rules) {
            self.foul(sight, &mut draw).into()
        } else if falls(panics) {
            Deed::Panic("scripted: a whim")
        } else if falls(stalls) {
            Move::Stall.into()
        } else if falls(leaves) {
            Deed::Leave
        } else if sight.looks_left > 0 && draw.below(3) > 0 {
            self.looks(sight, &mut draw).into()
        } else {
            self.choice(sight, &mut draw).into()
        };
        Thought {
            deed,
            measures: match draw.below(5) {
                0 => vec![("whim", (self.memory % 1000) as f64)],
                1 => vec![("whim", 1.0), ("other", self.acts as f64)],
                _ => vec![],
            },
            reasons: vec![("toss", toss as f64)],
        }
    }

    fn decline(&mut self, round: u64, number: u64) {
        self.note(round);
        self.note(number);
    }

    fn learn(&mut self, heard: &Heard) -> Option<&'static str> {
        self.note(heard.decided);
        self.note(heard.number);
        self.note(heard.value.to_bits());
        let toss = self.draw().below(1000);
        (self.temper.panics > 0 && toss == 0).then_some("scripted: an unwelcome outcome")
    }
}
