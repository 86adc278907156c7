//! The referee's desk: what a lane knows of its own run, and the rules it holds the policy to.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::draw::{Draw, Key, Purpose, label_key};
use crate::pool::Mustered;
use crate::protocol::{
    Answer, Batch, Delay, Ending, File, Ledger, Notes, Outcome, Person, Persons, Places, Pulls,
    Rules, Selection, Slate, Truth, Verdict, View,
};

/// What happened in a round, kept for the pool.
pub struct Told {
    batch: Arc<Batch>,
    round: usize,
    ledger: Ledger,
}

impl Told {
    /// The round.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'_> {
        Verdict::new(&self.batch, self.round, &self.ledger, 0)
    }
}

/// A person whose outcome is still to come.
struct Awaited {
    person: Persons,
    value: f64,
    p: Option<f64>,
}

/// A broken rule, in words.
pub(super) type Foul = String;

/// The state of one lane apart from its policy.
pub struct Desk {
    rules: Arc<Rules>,
    /// The next round, as a place in the batch at hand.
    pub(super) cursor: usize,
    rounds: u64,
    accepted: u64,
    run_spent: f64,
    draw: Draw,
    delays: Draw,
    label_key: u64,
    notes: Notes,
    /// Keyed by (due, decided, slot).
    awaited: BTreeMap<(u64, u64, u32), Awaited>,
    // The pool.
    reacts: bool,
    mustered: Option<Mustered>,
    told: Option<Told>,
    // The round under way.
    open: bool,
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

impl Desk {
    /// The desk of a lane at its start. `reacts`: a pool musters each slate. `traced`: reasons are kept.
    #[must_use]
    pub fn new(rules: Arc<Rules>, key: Key, label: &str, reacts: bool, traced: bool) -> Self {
        let label_key = label_key(label);
        Self {
            rules,
            cursor: 0,
            rounds: 0,
            accepted: 0,
            run_spent: 0.0,
            draw: key.draw(Purpose::Policy, label_key, 0),
            delays: key.draw(Purpose::Delay, 0, 0),
            label_key,
            notes: Notes {
                traced,
                ..Notes::default()
            },
            awaited: BTreeMap::new(),
            reacts,
            mustered: None,
            told: None,
            open: false,
            files: Vec::new(),
            answers: Vec::new(),
            looks: 0,
            spent: 0.0,
            exhausted: false,
            capped: false,
            asking: false,
        }
    }

    /// Whether a pool musters each slate.
    #[must_use]
    pub fn reacts(&self) -> bool {
        self.reacts
    }

    /// Hands over who applies in the coming round.
    pub fn muster(&mut self, mustered: Mustered) {
        self.mustered = Some(mustered);
    }

    /// What the pool is still to be told.
    pub fn take_told(&mut self) -> Option<Told> {
        self.told.take()
    }

    /// How many outcomes are still to come.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.awaited.len()
    }

    /// Whether the coming round lacks its muster.
    #[inline]
    pub(super) fn lacks_muster(&self) -> bool {
        self.reacts && self.mustered.is_none()
    }

    /// Starts the round at the cursor, unless it is under way already.
    #[inline]
    pub(super) fn open(&mut self, batch: &Batch) {
        if self.open {
            return;
        }
        self.open = true;
        self.draw
            .readdress(self.label_key, batch.round_number(self.cursor));
        if !self.rules.interviews.is_empty() {
            self.open_files(batch);
        }
    }

    #[cold]
    fn open_files(&mut self, batch: &Batch) {
        let slate = self.slate(batch).len() as usize;
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

    fn money_left(&self) -> f64 {
        let round = self.rules.budget - self.spent;
        round.min(self.rules.run_budget - self.run_spent)
    }

    #[inline]
    fn slate<'a>(&'a self, batch: &'a Batch) -> Slate<'a> {
        Slate::new(
            batch,
            self.cursor,
            self.mustered.as_ref().map(Mustered::who),
        )
    }

    #[inline]
    fn places(&self, slate: u32) -> Places {
        let left = self.rules.places_left(self.accepted);
        self.rules.choose.places(slate, left)
    }

    /// The round under way as the policy and the oracle see it.
    #[inline]
    pub(super) fn view<'a>(&'a mut self, batch: &'a Batch) -> (View<'a>, Truth<'a>) {
        // Spelt out, for the borrows of draw and notes must part from the rest.
        let slate = Slate::new(
            batch,
            self.cursor,
            self.mustered.as_ref().map(Mustered::who),
        );
        let left = self.rules.places_left(self.accepted);
        let view = View {
            round: batch.round_number(self.cursor),
            slate,
            places: self.rules.choose.places(slate.len(), left),
            places_left: left,
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
        };
        (view, Truth::new(batch, slate))
    }

    /// Whether nobody is shown in the round under way.
    #[inline]
    pub(super) fn slate_is_empty(&self, batch: &Batch) -> bool {
        self.slate(batch).is_empty()
    }

    /// Serves looks in order, until one does not fit the cap or the money.
    pub(super) fn serve(&mut self, pulls: &Pulls, batch: &Batch) -> Result<(), Foul> {
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
        let slate = self.slate(batch).len();
        for pull in pulls {
            if pull.slot >= slate {
                return Err(format!(
                    "asked to interview slot {} of a slate of {slate}",
                    pull.slot
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
            let person = Person::new(batch, self.slate(batch).row(pull.slot));
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
    #[inline]
    pub(super) fn choose(
        &mut self,
        selection: &Selection,
        batch: &Batch,
        ledger: &mut Ledger,
    ) -> Result<(), Foul> {
        let slots = selection.chosen.as_slice();
        let slate = self.slate(batch);
        let places = self.places(slate.len());
        if (slots.len() as u64) < u64::from(places.min)
            || slots.len() as u64 > u64::from(places.max)
        {
            return Err(miscount(slots.len(), places));
        }
        if let Some(&slot) = slots.iter().find(|&&slot| slot >= slate.len()) {
            let shown = slate.len();
            return Err(format!("chose slot {slot} of a slate of {shown}"));
        }
        for &slot in slots {
            ledger.note_chosen(slate.row(slot));
        }
        if slots.len() > 1 {
            ledger.sort_chosen();
            if ledger.choosing().windows(2).any(|pair| pair[0] == pair[1]) {
                return Err("chose somebody twice".into());
            }
        }
        if let Some(p) = selection.p {
            if !(p > 0.0 && p <= 1.0) {
                return Err(format!("gave its choice the probability {p}"));
            }
            ledger.note_p(p);
        }
        if let Some(shares) = &selection.declared {
            if shares
                .iter()
                .any(|share| !share.is_finite() || *share < 0.0)
            {
                return Err("declared a share that is no number >= 0".into());
            }
            ledger.note_declared(shares.clone());
        }
        self.accepted += slots.len() as u64;
        Ok(())
    }

    /// Ends the round: from here on it counts. Says how the lane ends, if it does.
    #[inline]
    pub(super) fn close(&mut self, batch: &Arc<Batch>, ledger: &mut Ledger) -> Option<Ending> {
        if !self.notes.measures.is_empty() || !self.notes.reason.is_empty() {
            self.write_notes(ledger);
        }
        if batch.sealed().has_outcomes() {
            self.open_outcomes(batch, ledger);
        }
        if !self.rules.interviews.is_empty() {
            ledger.note_spent(self.spent, self.looks);
        }
        if let Some(mustered) = self.mustered.take() {
            ledger.note_muster(mustered.who(), mustered.state());
        }
        ledger.commit();
        if self.reacts {
            self.told = Some(Told {
                batch: Arc::clone(batch),
                round: self.cursor,
                ledger: ledger.last(),
            });
        }
        self.open = false;
        self.cursor += 1;
        self.rounds += 1;
        self.rules.ending(self.rounds, self.accepted, self.capped)
    }

    #[cold]
    fn write_notes(&mut self, ledger: &mut Ledger) {
        for (name, value) in self.notes.measures.drain(..) {
            ledger.note_measure(name, value);
        }
        for (name, value) in self.notes.reason.drain(..) {
            ledger.note_reason(name, value);
        }
    }

    /// Opens the outcomes of those chosen in this round, and keeps them until they are due.
    fn open_outcomes(&mut self, batch: &Batch, ledger: &mut Ledger) {
        let decided = batch.round_number(self.cursor);
        let p = ledger.choosing_p();
        let rows = ledger.choosing().to_vec();
        for (row, slot) in rows.into_iter().zip(0..) {
            let person = Person::new(batch, row);
            self.asking = true;
            let outcome = batch.sealed().outcome(person);
            self.asking = false;
            let Some(value) = outcome else { continue };
            ledger.note_outcome(value);
            let due = decided + 1 + self.delay(person.number());
            let awaited = Awaited {
                person: batch.persons().keep(row),
                value,
                p,
            };
            self.awaited.insert((due, decided, slot), awaited);
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

    /// The next outcome that is due before the round after the last played, in (decided, slot) order.
    pub(super) fn deliver_next(&mut self, round: u64, mut tell: impl FnMut(&Outcome<'_>)) -> bool {
        let due = self
            .awaited
            .first_entry()
            .filter(|entry| entry.key().0 <= round);
        let Some(entry) = due else { return false };
        let ((_, decided, _), awaited) = entry.remove_entry();
        tell(&Outcome {
            decided,
            person: awaited.person.shown(0),
            value: awaited.value,
            p: awaited.p,
        });
        true
    }

    /// Whether any outcome is awaited.
    #[inline]
    pub(super) fn awaits(&self) -> bool {
        !self.awaited.is_empty()
    }
}

#[cold]
fn miscount(chose: usize, places: Places) -> Foul {
    let Places { min, max } = places;
    if min == max {
        format!("chose {chose} where exactly {min} are to be chosen")
    } else {
        format!("chose {chose} where {min} to {max} may be chosen")
    }
}
