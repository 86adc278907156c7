//! The money and the cap that bound interviews.

use crate::protocol::Rules;

/// The spending on interviews.
#[derive(Clone, Copy, Default)]
pub(super) struct Purse {
    /// Interviews of the round.
    pub(super) looks: u64,
    /// The number of these interviews that were not of the cheapest kind.
    pub(super) strong: u64,
    /// Money of the round.
    spent: f64,
    /// Money of the run.
    run_spent: f64,
}

impl Purse {
    /// Begins a round, in which nothing is spent yet.
    pub(super) fn open_round(&mut self) {
        self.looks = 0;
        self.strong = 0;
        self.spent = 0.0;
    }

    /// The money that is spent in the round.
    pub(super) fn spent(&self) -> f64 {
        self.spent
    }

    /// The money that is left.
    pub(super) fn left(&self, rules: &Rules) -> f64 {
        let round = rules.budget - self.spent;
        round.min(rules.run_budget - self.run_spent)
    }

    pub(super) fn affords(&self, rules: &Rules, cost: f64) -> bool {
        // Prices like .1 do not add up exactly.
        cost <= self.left(rules) + 1e-9
    }

    pub(super) fn is_capped(&self, rules: &Rules) -> bool {
        self.looks >= rules.interview_cap
    }

    /// Returns true if another interview fits the cap and the money.
    pub(super) fn fits(&self, rules: &Rules, cost: f64) -> bool {
        !self.is_capped(rules) && self.affords(rules, cost)
    }

    pub(super) fn pay(&mut self, cost: f64) {
        self.looks += 1;
        self.spent += cost;
        self.run_spent += cost;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Choose, Until};

    /// The round's budget begins anew with each round, that of the run does not.
    #[test]
    fn a_round_has_what_its_budget_and_the_runs_leave() {
        let rules = Rules {
            budget: 3.0,
            run_budget: 5.0,
            interview_cap: 2,
            ..Rules::new(Choose::Any, Until::SourceEnds)
        };
        let mut purse = Purse::default();
        assert_eq!((purse.left(&rules), purse.spent()), (3.0, 0.0));
        purse.pay(1.0);
        assert_eq!((purse.left(&rules), purse.spent()), (2.0, 1.0));
        assert!(purse.fits(&rules, 2.0) && !purse.fits(&rules, 2.1));
        purse.pay(2.0);
        assert_eq!((purse.left(&rules), purse.spent()), (0.0, 3.0));
        assert!(purse.is_capped(&rules) && purse.affords(&rules, 0.0));
        assert!(!purse.fits(&rules, 0.0));
        purse.open_round();
        assert_eq!(
            (purse.left(&rules), purse.spent(), purse.looks),
            (2.0, 0.0, 0)
        );
        assert!(purse.fits(&rules, 2.0) && !purse.fits(&rules, 2.1));
        // Prices of a tenth do not add up exactly.
        purse.pay(0.1 + 0.2);
        assert!(purse.affords(&rules, 1.7) && !purse.affords(&rules, 1.701));
    }
}
