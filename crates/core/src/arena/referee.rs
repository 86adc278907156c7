//! The referee: it counts what a lane has done, and holds its policy to the rules.

mod choice;
mod looks;
mod purse;
mod stock;

use std::sync::Arc;

use super::carrier::Carrier;
use super::questions::Questions;
use crate::draw::{Draw, label_key};
use crate::protocol::{
    Batch, Ending, InterviewKind, Ledger, LookAnswer, LookSales, LookStats, Places, Pull, Rules,
    Slate, Stop, View, ViewNotes, ViewParts,
};
use purse::Purse;
use stock::Stock;

/// A broken rule, in words.
pub(super) type Foul = String;

/// The end of serving a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Served {
    /// Each look that fits is answered.
    Now,
    /// The feedback task is to be asked first: see [`Referee::take_answers`].
    Later,
}

/// The places of a round.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    places: Places,
    left: u64,
}

/// A round of a batch, and who of its roster applied. What is rare takes its slate from here: a
/// slate whose address is taken can't stay in registers.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) batch: &'a Batch,
    pub(super) at: usize,
    pub(super) who: Option<&'a [u32]>,
}

impl<'a> Scene<'a> {
    pub(super) fn slate(self) -> Slate<'a> {
        Slate::new(self.batch, self.at, self.who)
    }
}

/// Holds a policy to the rules: legal moves, prices, quotas, endings.
pub(super) struct Referee {
    pub(super) rules: Arc<Rules>,
    /// The numbers of rounds and of accepted people at which the rules may end the lane.
    last: u64,
    full: u64,
    /// The size of the last slate, and the places it had while there were enough.
    usual: (u32, Places),
    rounds: u64,
    accepted: u64,
    draw: Draw,
    label_key: u64,
    notes: ViewNotes,
    // The round under way.
    files: Vec<LookStats>,
    answers: Vec<LookAnswer>,
    purse: Purse,
    /// The cheapest kind of interview.
    weak: usize,
    /// A look did not fit, or no other can.
    exhausted: bool,
    capped: bool,
    /// Feedback is being asked: what panics now is not the policy.
    pub(super) asking: bool,
    /// Who draws generated answers.
    pub(super) carrier: Carrier,
    /// The questions to the feedback task, and its answers.
    pub(super) questions: Questions,
    /// The looks that the feedback task is asked for, with the rows of the people and the gains.
    awaited: Vec<(Pull, u32, f64)>,
    /// How many of them are at each slot; 0 at all between two moves.
    at_slot: Vec<u32>,
    /// The looks that are drawn ahead.
    stock: Stock,
    /// Not all looks of the move fitted.
    overran: bool,
    /// How many looks of the run were never answered.
    unanswered: u64,
    /// The looks of the round, where they are kept.
    pub(super) sales: Option<LookSales>,
}

// What a round of every setting passes through is compiled into the lane's loop (`inline(always)`:
// it is too much for the compiler to do so unasked); what only some settings need is kept out of it
// (`inline(never)`).
impl Referee {
    pub(super) fn new(rules: Arc<Rules>, draw: Draw, label: &str, traced: bool) -> Self {
        Self {
            label_key: label_key(label),
            last: rules.horizon(),
            full: rules.places_left(0).unwrap_or(u64::MAX),
            usual: (0, Places { min: 0, max: 0 }),
            weak: InterviewKind::weak(&rules.interviews),
            rules,
            rounds: 0,
            accepted: 0,
            draw,
            notes: ViewNotes {
                traced,
                ..ViewNotes::default()
            },
            files: Vec::new(),
            answers: Vec::new(),
            purse: Purse::default(),
            exhausted: false,
            capped: false,
            asking: false,
            carrier: Carrier::Lane,
            questions: Questions::default(),
            awaited: Vec::new(),
            at_slot: Vec::new(),
            stock: Stock::default(),
            overran: false,
            unanswered: 0,
            sales: traced.then(LookSales::default),
        }
    }

    /// Starts a round.
    #[inline(always)]
    pub(super) fn open(&mut self, round: u64, slate: u32, bare: bool) {
        self.draw.readdress(self.label_key, round);
        if !bare && !self.rules.interviews.is_empty() {
            self.open_files(slate as usize);
        }
    }

    /// What a slate of `slate` is offered.
    #[inline(always)]
    pub(super) fn offer(&mut self, slate: u32) -> Offer {
        if slate != self.usual.0 {
            self.usual = (slate, self.rules.choose.places(slate, None));
        }
        let (_, Places { min, max }) = self.usual;
        let left = self.full - self.accepted;
        let room = left.min(u64::from(max)) as u32;
        let places = Places {
            min: min.min(room),
            max: room,
        };
        Offer { places, left }
    }

    /// The places of the slate under way, while there are enough.
    pub(super) fn places(&self) -> Places {
        self.usual.1
    }

    /// How many people were chosen and have not declined.
    pub(super) fn accepted(&self) -> u64 {
        self.accepted
    }

    /// As if these people had been chosen before.
    #[cfg(test)]
    pub(super) fn note_accepted(&mut self, people: u64) {
        self.accepted += people;
    }

    /// Counts those out who declined.
    pub(super) fn note_declined(&mut self, people: usize) {
        self.accepted -= people as u64;
    }

    /// Has the policy act again in the round under way: on a slate of so many, for these places.
    pub(super) fn reopen(&mut self, slate: u32, places: Places) {
        self.usual = (slate, places);
        self.answers.clear();
    }

    /// Forgets the places of a slate that was offered again: the next slate has its own.
    pub(super) fn forget_places(&mut self) {
        self.usual = (0, Places { min: 0, max: 0 });
    }

    /// Keeps the files of these slots, in this order; an empty one where there is none.
    pub(super) fn refile(&mut self, slots: impl Iterator<Item = Option<usize>>) {
        if self.rules.interviews.is_empty() {
            return;
        }
        let file = |slot: Option<usize>| slot.and_then(|slot| self.files.get(slot).copied());
        self.stock.clear();
        self.files = slots.map(|slot| file(slot).unwrap_or_default()).collect();
    }

    /// The round under way as the policy sees it.
    #[inline(always)]
    pub(super) fn view<'a>(&'a mut self, round: u64, slate: Slate<'a>, offer: Offer) -> View<'a> {
        View::of(ViewParts {
            round,
            slate,
            places: offer.places,
            places_left: (self.full < u64::MAX).then_some(offer.left),
            looks_left: if self.exhausted || self.rules.interviews.is_empty() {
                0
            } else {
                self.rules.interview_cap - self.purse.looks
            },
            money_left: self.money_left(),
            files: &self.files,
            answers: &self.answers,
            draw: &mut self.draw,
            notes: &mut self.notes,
        })
    }

    /// Notes a measure of the round under way.
    #[cold]
    pub(super) fn note(&mut self, name: &'static str, value: f64) {
        self.notes.measures.push((name.into(), value));
    }

    /// Writes the measures and reasons of the round into the ledger.
    #[inline(always)]
    pub(super) fn write_notes(&mut self, ledger: &mut Ledger) {
        if self.notes.any() {
            write_notes(&mut self.notes, ledger);
        }
    }

    /// Ends a round; says how the lane ends, if it does.
    #[inline(always)]
    pub(super) fn close(&mut self) -> Option<Ending> {
        self.rounds += 1;
        if self.rounds < self.last && self.accepted < self.full {
            return None;
        }
        self.rules.ending(self.rounds, self.accepted, self.capped)
    }

    /// An ending by the rules, with the reason where the word does not give it.
    #[cold]
    pub(super) fn stop(&self, ending: Ending) -> Stop {
        match ending {
            Ending::Stalled => Stop::because(ending, out_of_rounds(self.rules.max_rounds)),
            _ => ending.into(),
        }
    }
}

/// Why a lane ends as `stalled` after its last round.
fn out_of_rounds(max_rounds: u64) -> String {
    format!("max_rounds = {max_rounds} passed before `until` was met: raise max_rounds in [rules]")
}

#[inline(never)]
fn write_notes(notes: &mut ViewNotes, ledger: &mut Ledger) {
    for (name, value) in notes.measures.drain(..) {
        ledger.note_measure(name, value);
    }
    for (name, value) in notes.reason.drain(..) {
        ledger.note_reason(name, value);
    }
}

#[cfg(test)]
mod tests;
