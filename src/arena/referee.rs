//! The referee: what a lane's run has come to, and the rules it holds the policy to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::seat::Seat;
use crate::draw::Draw;
use crate::protocol::{
    Answer, Batch, Chosen, Delay, Ending, File, Ledger, Notes, Outcome, Person, Persons, Places,
    Pulls, Rules, Selection, Slate, View,
};

/// A broken rule, in words.
pub(super) type Foul = String;

/// A person whose outcome is still to come.
struct Awaited {
    person: Persons,
    value: f64,
    p: Option<f64>,
}

/// The places of a round.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    places: Places,
    left: u64,
}

/// A round of a batch, and who of its roster applied. What is rare takes its slate from here: a slate whose address
/// is taken can't stay in registers.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) batch: &'a Batch,
    pub(super) at: usize,
    pub(super) who: Option<&'a [u32]>,
}

impl<'a> Scene<'a> {
    fn slate(self) -> Slate<'a> {
        Slate::new(self.batch, self.at, self.who)
    }
}

/// Holds price, quota and legality, and keeps the outcomes until they are due.
pub(super) struct Referee {
    pub(super) rules: Arc<Rules>,
    /// When the rules may end the lane: after so many rounds, at so many accepted.
    last: u64,
    full: u64,
    /// The size of the last slate, and the places it had while there were enough.
    usual: (u32, Places),
    rounds: u64,
    accepted: u64,
    run_spent: f64,
    draw: Draw,
    delays: Draw,
    label_key: u64,
    notes: Notes,
    /// Keyed by (due, decided, slot).
    awaited: BTreeMap<(u64, u64, u32), Awaited>,
    /// Outcomes of the last round that are due at once and not told yet.
    untold: usize,
    // The round under way.
    files: Vec<File>,
    answers: Vec<Answer>,
    looks: u64,
    spent: f64,
    /// A look did not fit, or no other can.
    exhausted: bool,
    capped: bool,
    /// Feedback is being asked: what panics now is not the policy.
    pub(super) asking: bool,
}

// What a round of every setting passes through is compiled into the lane's loop (`inline(always)`: it is too much for
// the compiler to do so unasked); what only some settings need is kept out of it (`inline(never)`).
impl Referee {
    pub(super) fn new(
        rules: Arc<Rules>,
        draw: Draw,
        delays: Draw,
        label_key: u64,
        traced: bool,
    ) -> Self {
        Self {
            last: rules.horizon(),
            full: rules.places_left(0).unwrap_or(u64::MAX),
            usual: (0, Places { min: 0, max: 0 }),
            rules,
            rounds: 0,
            accepted: 0,
            run_spent: 0.0,
            draw,
            delays,
            label_key,
            notes: Notes {
                traced,
                ..Notes::default()
            },
            awaited: BTreeMap::new(),
            untold: 0,
            files: Vec::new(),
            answers: Vec::new(),
            looks: 0,
            spent: 0.0,
            exhausted: false,
            capped: false,
            asking: false,
        }
    }

    /// How many outcomes are still to come.
    pub(super) fn pending(&self) -> usize {
        self.awaited.len() + self.untold
    }

    /// Starts a round.
    #[inline(always)]
    pub(super) fn open(&mut self, round: u64, slate: u32, bare: bool) {
        self.draw.readdress(self.label_key, round);
        if !bare && !self.rules.interviews.is_empty() {
            self.open_files(slate as usize);
        }
    }

    #[inline(never)]
    fn open_files(&mut self, slate: usize) {
        self.files.clear();
        self.files.resize(slate, File::default());
        self.answers.clear();
        self.looks = 0;
        self.spent = 0.0;
        self.capped = self.rules.interview_cap == 0;
        self.exhausted = self.capped || self.broke();
    }

    /// Whether not even the cheapest look can be paid.
    fn broke(&self) -> bool {
        let cheapest = self.rules.interviews.iter().map(|kind| kind.cost);
        !self.affords(cheapest.fold(f64::INFINITY, f64::min))
    }

    fn affords(&self, cost: f64) -> bool {
        // Prices such as .1 do not add up exactly.
        cost <= self.money_left() + 1e-9
    }

    #[inline]
    fn money_left(&self) -> f64 {
        let round = self.rules.budget - self.spent;
        round.min(self.rules.run_budget - self.run_spent)
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

    /// The round under way as the policy sees it.
    #[inline(always)]
    pub(super) fn view<'a>(&'a mut self, round: u64, slate: Slate<'a>, offer: Offer) -> View<'a> {
        View {
            round,
            slate,
            places: offer.places,
            places_left: (self.full < u64::MAX).then_some(offer.left),
            looks_left: if self.exhausted || self.rules.interviews.is_empty() {
                0
            } else {
                self.rules.interview_cap - self.looks
            },
            money_left: self.money_left(),
            files: &self.files,
            answers: &self.answers,
            draw: &mut self.draw,
            notes: &mut self.notes,
        }
    }

    /// Serves looks in order, until one does not fit the cap or the money.
    pub(super) fn serve(&mut self, pulls: &Pulls, scene: Scene<'_>) -> Result<(), Foul> {
        let (batch, slate) = (scene.batch, scene.slate());
        let pulls = pulls.as_slice();
        if pulls.is_empty() {
            return Err("asked for an interview with nobody".into());
        }
        if self.rules.interviews.is_empty() {
            return Err("asked for an interview, but the rules sell none".into());
        }
        if self.exhausted {
            return Err("asked for another interview with no looks left".into());
        }
        for pull in pulls {
            if pull.slot >= slate.len() {
                return Err(format!(
                    "asked to interview slot {} of a slate of {}",
                    pull.slot,
                    slate.len()
                ));
            }
            if pull.kind >= self.rules.interviews.len() {
                return Err(format!(
                    "asked for an unknown kind of interview ({})",
                    pull.kind
                ));
            }
        }
        self.answers.clear();
        for &pull in pulls {
            let kind = &self.rules.interviews[pull.kind];
            let (cost, gain) = (kind.cost, kind.gain);
            self.capped = self.looks >= self.rules.interview_cap;
            if self.capped || !self.affords(cost) {
                self.exhausted = true;
                return Ok(());
            }
            let person = Person::new(batch, slate.row(pull.slot));
            let file = &mut self.files[pull.slot as usize];
            let nth = u64::from(file.looks);
            self.asking = true;
            let look = batch.sealed().look(person, nth, pull.kind, gain);
            self.asking = false;
            let value = look.ok_or("asked for an interview, but nothing answers here")?;
            if !value.is_finite() {
                return Err(format!("an interview answered {value}"));
            }
            file.add(value, gain);
            self.answers.push(Answer { pull, value });
            self.looks += 1;
            self.spent += cost;
            self.run_spent += cost;
        }
        self.capped = self.looks >= self.rules.interview_cap;
        self.exhausted = self.capped || self.broke();
        Ok(())
    }

    /// Writes a choice into the ledger, if the rules allow it.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        selection: Selection,
        slate: Slate<'_>,
        offer: Offer,
        scene: Scene<'_>,
        ledger: &mut Ledger,
    ) -> Result<(), Foul> {
        let Selection {
            chosen,
            p,
            declared,
        } = selection;
        let chosen = match chosen {
            Chosen::None => {
                count(0, offer.places)?;
                0
            }
            Chosen::One(slot) => {
                count(1, offer.places)?;
                note_chosen(slot, slate, ledger)?;
                1
            }
            Chosen::Many(slots) => {
                count(slots.len() as u64, offer.places)?;
                note_many(&slots, scene, ledger)?;
                slots.len() as u64
            }
        };
        if let Some(p) = p {
            if !(p > 0.0 && p <= 1.0) {
                return Err(format!("gave its choice the probability {p}"));
            }
            ledger.note_p(p);
        }
        if let Some(shares) = declared {
            declare(shares, ledger)?;
        }
        self.accepted += chosen;
        Ok(())
    }

    /// Writes what the policy said beside its moves.
    #[inline(always)]
    pub(super) fn write_notes(&mut self, ledger: &mut Ledger) {
        if self.notes.any {
            write_notes(&mut self.notes, ledger);
        }
    }

    /// Writes what was spent on looks, where they are for sale.
    pub(super) fn write_spending(&mut self, ledger: &mut Ledger) {
        if !self.rules.interviews.is_empty() {
            ledger.note_spent(self.spent, self.looks);
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

    /// Opens the outcomes of those chosen in the round under way, and keeps them until they are due.
    pub(super) fn open_outcomes(&mut self, round: u64, batch: &Batch, ledger: &mut Ledger) {
        for k in 0..ledger.choosing().len() {
            let row = ledger.choosing()[k];
            let person = Person::new(batch, row);
            self.asking = true;
            let outcome = batch.sealed().outcome(person);
            self.asking = false;
            let Some(value) = outcome else { continue };
            ledger.note_outcome(value);
            if self.rules.delay == Delay::Fixed(0) {
                self.untold += 1;
                continue;
            }
            let due = round + 1 + self.delay(person.number());
            let awaited = Awaited {
                person: batch.persons().keep(row),
                value,
                p: ledger.choosing_p(),
            };
            self.awaited.insert((due, round, k as u32), awaited);
        }
    }

    fn delay(&mut self, person: u64) -> u64 {
        match self.rules.delay {
            Delay::Fixed(rounds) => rounds,
            Delay::Uniform { low, high } => {
                self.delays.readdress(person, 0);
                low + self.delays.below(high - low + 1)
            }
        }
    }

    /// Whether any outcome is to be told, now or later.
    #[inline]
    pub(super) fn awaits(&self) -> bool {
        self.untold > 0 || !self.awaited.is_empty()
    }

    /// Tells the outcomes that are due before the round after `round`, the last in the ledger, in (decided, slot)
    /// order.
    pub(super) fn deliver(
        &mut self,
        round: u64,
        batch: &Batch,
        ledger: &Ledger,
        seat: &mut impl Seat,
    ) {
        // With no delay nothing is ever kept: the round's own outcomes are all there is.
        if self.untold > 0 {
            let at = ledger.rounds() - 1;
            let (rows, values) = ledger.chosen_in(at..at + 1);
            for (&row, &value) in rows.iter().zip(values) {
                self.untold -= 1;
                seat.learn(&Outcome {
                    decided: round,
                    person: batch.persons().shown(row),
                    value,
                    p: ledger.p_at(at),
                });
            }
        }
        while let Some(first) = self.awaited.first_entry() {
            if first.key().0 > round + 1 {
                break;
            }
            let ((_, decided, _), awaited) = first.remove_entry();
            seat.learn(&Outcome {
                decided,
                person: awaited.person.shown(0),
                value: awaited.value,
                p: awaited.p,
            });
        }
    }
}

#[inline(always)]
fn count(chosen: u64, places: Places) -> Result<(), Foul> {
    if chosen < u64::from(places.min) || chosen > u64::from(places.max) {
        return Err(miscount(chosen, places));
    }
    Ok(())
}

#[inline(always)]
fn note_chosen(slot: u32, slate: Slate<'_>, ledger: &mut Ledger) -> Result<(), Foul> {
    if slot >= slate.len() {
        return Err(outside(slot, slate.len()));
    }
    ledger.note_chosen(slate.row(slot));
    Ok(())
}

#[inline(never)]
fn note_many(slots: &[u32], scene: Scene<'_>, ledger: &mut Ledger) -> Result<(), Foul> {
    let slate = scene.slate();
    for &slot in slots {
        note_chosen(slot, slate, ledger)?;
    }
    ledger.sort_chosen();
    if ledger.choosing().windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("chose somebody twice".into());
    }
    Ok(())
}

#[inline(never)]
fn declare(shares: Box<[f64]>, ledger: &mut Ledger) -> Result<(), Foul> {
    if shares
        .iter()
        .any(|share| !share.is_finite() || *share < 0.0)
    {
        return Err("declared a share that is no number >= 0".into());
    }
    ledger.note_declared(shares);
    Ok(())
}

#[inline(never)]
fn write_notes(notes: &mut Notes, ledger: &mut Ledger) {
    notes.any = false;
    for (name, value) in notes.measures.drain(..) {
        ledger.note_measure(name, value);
    }
    for (name, value) in notes.reason.drain(..) {
        ledger.note_reason(name, value);
    }
}

#[cold]
fn outside(slot: u32, slate: u32) -> Foul {
    format!("chose slot {slot} of a slate of {slate}")
}

#[cold]
fn miscount(chose: u64, places: Places) -> Foul {
    let Places { min, max } = places;
    if min == max {
        format!("chose {chose} where exactly {min} are to be chosen")
    } else {
        format!("chose {chose} where {min} to {max} may be chosen")
    }
}
