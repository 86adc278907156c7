//! The referee: it counts what a lane has done, and holds its policy to the rules.

mod choice;
mod looks;
mod purse;
mod stock;

use std::sync::Arc;

use super::questions::{Carrier, Questions};
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
    /// Each interview that fits is answered at once.
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
    /// An interview did not fit, or no other can.
    exhausted: bool,
    capped: bool,
    /// Feedback is being asked: what panics now is not the policy.
    pub(super) asking: bool,
    /// The task that draws generated answers.
    pub(super) carrier: Carrier,
    /// The questions to the feedback task, and its answers.
    pub(super) questions: Questions,
    /// The interviews that the feedback task is asked for, with the rows of the people and the
    /// gains.
    awaited: Vec<(Pull, u32, f64)>,
    /// The number of interviews in `awaited` at each slot; 0 everywhere between two moves.
    at_slot: Vec<u32>,
    /// The interviews that are drawn ahead.
    stock: Stock,
    /// True if not all interviews of the move fitted.
    overran: bool,
    /// The number of interviews in the run that were never answered.
    unanswered: u64,
    /// The interviews of the round, where they are kept.
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

    /// Returns the offer for a slate of `slate` candidates.
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

    /// The number of people who were chosen and have not declined.
    pub(super) fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Counts these people as if they had been chosen before.
    #[cfg(test)]
    pub(super) fn note_accepted(&mut self, people: u64) {
        self.accepted += people;
    }

    /// Counts those out who declined.
    pub(super) fn note_declined(&mut self, people: usize) {
        self.accepted -= people as u64;
    }

    /// Lets the policy act again in the current round, on a slate of this size, for these places.
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

/// The reason why a lane ends as `stalled` after its last round.
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
