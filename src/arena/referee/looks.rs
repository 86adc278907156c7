//! Looks for sale: what they cost, who answers, when there are no more.

use super::{Foul, Referee, Scene};
use crate::protocol::{Ledger, LookAnswer, LookStats, Person, Pulls};

impl Referee {
    #[inline(never)]
    pub(super) fn open_files(&mut self, slate: usize) {
        self.files.clear();
        self.files.resize(slate, LookStats::default());
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
        // Prices like .1 do not add up exactly.
        cost <= self.money_left() + 1e-9
    }

    #[inline]
    pub(super) fn money_left(&self) -> f64 {
        let round = self.rules.budget - self.spent;
        round.min(self.rules.run_budget - self.run_spent)
    }

    /// Serves looks in order, until one does not fit the cap or the money.
    pub(in crate::arena) fn serve(&mut self, pulls: &Pulls, scene: Scene<'_>) -> Result<(), Foul> {
        let (batch, slate) = (scene.batch, scene.slate());
        let pulls = pulls.as_slice();
        if pulls.is_empty() {
            return Err("asked for an interview with no one".into());
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
            self.answers.push(LookAnswer { pull, value });
            self.looks += 1;
            self.spent += cost;
            self.run_spent += cost;
        }
        self.capped = self.looks >= self.rules.interview_cap;
        self.exhausted = self.capped || self.broke();
        Ok(())
    }

    /// Writes what was spent on looks, where they are for sale.
    pub(in crate::arena) fn write_spending(&mut self, ledger: &mut Ledger) {
        if !self.rules.interviews.is_empty() {
            ledger.note_spent(self.spent, self.looks);
        }
    }
}
