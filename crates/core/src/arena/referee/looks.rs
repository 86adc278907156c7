//! Interviews for sale: their cost, their answers and their limits.

use super::purse::Purse;
use super::{Foul, Referee, Scene, Served};
use crate::arena::questions::{Query, asks_for_looks};
use crate::arena::seat::LOOKS_UNANSWERED;
use crate::protocol::{
    Ledger, LookAnswer, LookSales, LookStats, Person, Probe, Pull, Pulls, SealedAnswers, Slate,
    SoldLook,
};

impl Referee {
    #[inline(never)]
    pub(super) fn open_files(&mut self, slate: usize) {
        self.files.clear();
        self.files.resize(slate, LookStats::default());
        self.stock.clear();
        self.answers.clear();
        self.notes.looks.clear();
        if let Some(sales) = &mut self.sales {
            // Those of a round that did not count.
            *sales = LookSales::default();
        }
        self.purse.open_round();
        self.capped = self.rules.interview_cap == 0;
        self.exhausted = self.capped || self.broke();
    }

    /// Returns true if not even the cheapest interview can be paid.
    fn broke(&self) -> bool {
        let cheapest = self.rules.interviews.iter().map(|kind| kind.cost);
        let cheapest = cheapest.fold(f64::INFINITY, f64::min);
        !self.purse.affords(&self.rules, cheapest)
    }

    #[inline]
    pub(super) fn money_left(&self) -> f64 {
        self.purse.left(&self.rules)
    }

    /// Serves interviews in order, until one does not fit the cap or the money.
    pub(in crate::arena) fn serve(
        &mut self,
        pulls: &Pulls,
        scene: Scene<'_>,
    ) -> Result<Served, Foul> {
        let pulls = pulls.as_slice();
        self.may_serve(pulls, scene.slate())?;
        self.answers.clear();
        let slate = scene.slate();
        self.notes.looks.iter_mut().for_each(|why| {
            why.put(|slot| {
                if slot < slate.len() {
                    slate.row(slot)
                } else {
                    slot
                }
            });
        });
        for (at, &pull) in pulls.iter().enumerate() {
            let cost = self.rules.interviews[pull.kind].cost;
            if !self.purse.fits(&self.rules, cost) {
                self.capped = self.purse.is_capped(&self.rules);
                self.exhausted = true;
                self.notes.looks.clear();
                return Ok(Served::Now);
            }
            let Some(value) = self.look(pull, scene)? else {
                // The reasons that are left are those of the looks that are asked for.
                let given = at.min(self.notes.looks.len().saturating_sub(1));
                self.notes.looks.drain(..given);
                self.ask(&pulls[at..], scene);
                return Ok(Served::Later);
            };
            let gain = self.gain(pull, scene);
            self.enter(pull, gain, value)?;
            self.keep(at, pull, (slate.row(pull.slot), gain), Some(value));
        }
        self.close_sale();
        Ok(Served::Now)
    }

    /// Checks that the move may be served at all.
    fn may_serve(&self, pulls: &[Pull], slate: Slate<'_>) -> Result<(), Foul> {
        if pulls.is_empty() {
            return Err("asked for an interview with no one".into());
        }
        if self.rules.interviews.is_empty() {
            return Err("asked for an interview, but the rules sell none".into());
        }
        if self.exhausted {
            return Err("asked for another interview with no looks left".into());
        }
        for Pull { slot, kind } in pulls {
            if *slot >= slate.len() {
                let slate = slate.len();
                return Err(format!(
                    "asked to interview slot {slot} of a slate of {slate}"
                ));
            }
            if *kind >= self.rules.interviews.len() {
                return Err(format!("asked for an unknown kind of interview ({kind})"));
            }
        }
        Ok(())
    }

    /// Opens the answer to an interview, where the lane has it or draws it itself.
    #[inline]
    fn look(&mut self, pull: Pull, scene: Scene<'_>) -> Result<Option<f64>, Foul> {
        let Pull { slot, kind } = pull;
        let nth = self.files[slot as usize].looks;
        let person = Person::new(scene.batch, scene.slate().row(slot));
        if asks_for_looks(scene.batch.sealed(), self.carrier) {
            let seal = self.stock.take(slot, kind, nth);
            return Ok(seal.map(|seal| seal.open(person)));
        }
        let SealedAnswers::Drawn(drawn) = scene.batch.sealed().looks() else {
            return Err("asked for an interview, but nothing answers here".into());
        };
        let probe = probe(pull, self.gain(pull, scene), nth.into());
        self.asking = true;
        let value = drawn.answer(person, probe);
        self.asking = false;
        Ok(Some(value))
    }

    /// The gain of an interview.
    fn gain(&self, pull: Pull, scene: Scene<'_>) -> f64 {
        let shown = scene.slate().candidate(pull.slot);
        self.rules.interviews[pull.kind].gain.at(shown)
    }

    /// Takes in the answer to an interview, which is paid now.
    fn enter(&mut self, pull: Pull, gain: f64, value: f64) -> Result<(), Foul> {
        if !value.is_finite() {
            return Err(format!("an interview answered {value}"));
        }
        let kind = &self.rules.interviews[pull.kind];
        self.files[pull.slot as usize].add(value, gain);
        self.answers.push(LookAnswer { pull, value });
        self.purse.pay(kind.cost);
        self.purse.strong += u64::from(pull.kind != self.weak);
        Ok(())
    }

    /// Keeps the interview of place `nth` of a move, where interviews are kept.
    #[inline]
    fn keep(&mut self, nth: usize, pull: Pull, (row, gain): (u32, f64), value: Option<f64>) {
        let Some(sales) = &mut self.sales else { return };
        let reasons = &self.notes.looks;
        let why = reasons.get(nth).or(reasons.last());
        sales.add(SoldLook {
            row,
            kind: pull.kind,
            value,
            gain,
            cost: value.map_or(0.0, |_| self.rules.interviews[pull.kind].cost),
            why: why.cloned().map(Box::new),
        });
    }

    /// Sees whether any other interview can be sold.
    fn close_sale(&mut self) {
        self.notes.looks.clear();
        self.capped = self.purse.is_capped(&self.rules);
        self.exhausted = self.capped || self.broke();
    }

    /// Writes down questions for the interviews that fit, for the feedback task; the first does.
    #[inline(never)]
    fn ask(&mut self, pulls: &[Pull], scene: Scene<'_>) {
        let mut purse = self.purse;
        self.awaited.clear();
        self.questions.clear();
        self.overran = false;
        if self.at_slot.len() < self.files.len() {
            self.at_slot.resize(self.files.len(), 0);
        }
        for &pull in pulls {
            let cost = self.rules.interviews[pull.kind].cost;
            if !purse.fits(&self.rules, cost) {
                self.overran = true;
                break;
            }
            purse.pay(cost);
            let slot = pull.slot as usize;
            let nth = u64::from(self.files[slot].looks + self.at_slot[slot]);
            self.at_slot[slot] += 1;
            let gain = self.gain(pull, scene);
            self.questions.queries.push(Query {
                row: scene.slate().row(pull.slot),
                probe: probe(pull, gain, nth),
            });
            self.awaited
                .push((pull, scene.slate().row(pull.slot), gain));
        }
        match scene.batch.sealed().looks() {
            SealedAnswers::Drawn(_) => self.ask_ahead(scene),
            _ => self.questions.why = self.notes.looks.last().cloned(),
        }
        for (pull, ..) in &self.awaited {
            self.at_slot[pull.slot as usize] = 0;
        }
    }

    /// Writes down which interviews are to be drawn ahead. Of a candidate who is interviewed for
    /// the first time there are none: most are interviewed once.
    fn ask_ahead(&mut self, scene: Scene<'_>) {
        for &(Pull { slot, kind }, ..) in &self.awaited {
            if self.files[slot as usize].looks > 0 {
                self.stock.note(slot, kind, self.files.len());
            }
        }
        let looks = |slot: u32| self.files[slot as usize].looks + self.at_slot[slot as usize];
        let gain = |kind: usize, slot: u32| {
            let shown = scene.slate().candidate(slot);
            self.rules.interviews[kind].gain.at(shown)
        };
        let row = |slot: u32| scene.slate().row(slot);
        self.stock.order(looks, row, gain, &mut self.questions);
    }

    /// Takes in the answers of the feedback task to the interviews of a move. An interview that is
    /// never answered is not paid, and no other is sold in the round.
    #[inline(never)]
    pub(in crate::arena) fn take_answers(&mut self) -> Result<(), Foul> {
        let awaited = std::mem::take(&mut self.awaited);
        self.stock.put(&self.questions);
        let answers = std::mem::take(&mut self.questions.answers);
        let before = self.unanswered;
        for (nth, (&(pull, row, gain), answer)) in awaited.iter().zip(&answers).enumerate() {
            match answer {
                Some(value) => self.enter(pull, gain, *value)?,
                None => self.unanswered += 1,
            }
            self.keep(nth, pull, (row, gain), *answer);
        }
        // Their room is used again.
        (self.awaited, self.questions.answers) = (awaited, answers);
        self.close_sale();
        self.exhausted |= self.overran;
        if self.unanswered > before {
            self.exhausted = true;
            self.note(LOOKS_UNANSWERED, self.unanswered as f64);
        }
        Ok(())
    }

    /// Writes what was spent on interviews, where they are for sale.
    pub(in crate::arena) fn write_spending(&mut self, ledger: &mut Ledger) {
        if !self.rules.interviews.is_empty() {
            let Purse { looks, strong, .. } = self.purse;
            ledger.note_spent(self.purse.spent(), looks, strong);
            if let Some(sales) = &mut self.sales {
                ledger.note_looks(sales);
            }
        }
    }
}

fn probe(Pull { kind, .. }: Pull, gain: f64, nth: u64) -> Probe {
    Probe::Interview { kind, gain, nth }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::arena::by_hand::{batch, draw, selling};
    use crate::protocol::{Batch, Rules, SealedAnswers};

    /// A slate of two whose interviews are answered from outside, and a referee who has opened it.
    fn opened(rules: Rules) -> (Batch, Referee) {
        let mut batch = batch(&[2]);
        batch.seal_looks(SealedAnswers::Outside);
        let mut referee = Referee::new(Arc::new(rules), draw(), "me", false);
        referee.open(1, 2, false);
        (batch, referee)
    }

    fn scene(batch: &Batch) -> Scene<'_> {
        Scene {
            batch,
            at: 0,
            who: None,
        }
    }

    /// Sells two interviews one after another.
    fn sold(rules: Rules) -> (Referee, Result<Served, Foul>) {
        let (batch, mut referee) = opened(rules);
        let scene = scene(&batch);
        let look = Pulls::One(Pull { slot: 0, kind: 0 });
        assert_eq!(referee.serve(&look, scene), Ok(Served::Later));
        referee.questions.answers = vec![Some(0.5)];
        assert_eq!(referee.take_answers(), Ok(()));
        let again = referee.serve(&look, scene);
        (referee, again)
    }

    /// Either end alone ends the sale, and asking for more is a foul.
    #[test]
    fn no_look_is_sold_beyond_the_cap_or_the_money() {
        for (cap, budget) in [(1, 9.0), (9, 1.5)] {
            let (mut referee, again) = sold(selling(cap, budget));
            let said = "asked for another interview with no looks left";
            assert_eq!(again, Err(said.into()));
            let (batch, offer) = (batch(&[2]), referee.offer(2));
            let view = referee.view(1, Slate::new(&batch, 0, None), offer);
            assert_eq!((view.looks_left(), view.money_left()), (0, budget - 1.0));
        }
        let (referee, again) = sold(selling(2, 2.0));
        assert_eq!((again, referee.exhausted), (Ok(Served::Later), false));
    }

    /// Two answers of one person differ, also where both were asked for at once.
    #[test]
    fn looks_at_one_person_are_counted_on_within_a_move_and_after_it() {
        let (batch, mut referee) = opened(selling(9, 9.0));
        let scene = scene(&batch);
        let mut asked = Vec::new();
        for slots in [vec![0, 1, 0, 0], vec![1, 0]] {
            let pull = |slot: &u32| Pull {
                slot: *slot,
                kind: 0,
            };
            let many = Pulls::Many(slots.iter().map(pull).collect());
            assert_eq!(referee.serve(&many, scene), Ok(Served::Later));
            for query in &referee.questions.queries {
                let Probe::Interview { nth, .. } = query.probe else {
                    panic!("another probe");
                };
                asked.push((query.row, nth));
            }
            referee.questions.answers = vec![Some(0.5); slots.len()];
            assert_eq!(referee.take_answers(), Ok(()));
        }
        let all = [(0, 0), (1, 0), (0, 1), (0, 2), (1, 1), (0, 3)];
        assert_eq!(asked, all);
    }
}
