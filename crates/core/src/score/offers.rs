//! Offers: who took the place that was offered, and how many places are filled.

use std::ops::Range;

use super::readings::Readings;
use super::scoreboard::Scorer;
use crate::protocol::{Batch, Choose, Ledger, RoundEntry, Rules, Truth, Until};

/// The scorer of offers.
///
/// `declined` and `accepted_offers`: the number of the chosen who declined, and the share of offers
/// that were accepted. `seats_filled`: the share of all places that are taken, if the rules set
/// their number.
#[derive(Clone)]
pub struct Offers {
    taken: u64,
    declined: u64,
    seats: Seats,
}

/// The number of places.
#[derive(Clone, Copy)]
enum Seats {
    /// This many places in the run.
    OfRun(u64),
    /// A number of places of each slate; `sum` is that of the rounds so far.
    OfRounds { choose: Choose, sum: u64 },
}

const NAMES: [&str; 3] = ["declined", "accepted_offers", "seats_filled"];

impl Offers {
    /// Makes the scorer before any offer, under these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            taken: 0,
            declined: 0,
            seats: match rules.until {
                Until::Accepted(seats) => Seats::OfRun(seats),
                Until::Rounds(_) | Until::SourceEnds => Seats::OfRounds {
                    choose: rules.choose,
                    sum: 0,
                },
            },
        }
    }

    /// The names of the scorer's metrics under some rules.
    #[must_use]
    pub fn metrics(rules: Option<&Rules>) -> Vec<String> {
        let is_open = |rules: &Rules| {
            !matches!(rules.until, Until::Accepted(_)) && rules.choose == Choose::Any
        };
        let names = match rules.is_some_and(is_open) {
            true => &NAMES[..2],
            false => &NAMES[..],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }
}

impl Scorer for Offers {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.taken += entry.chosen().len() as u64;
        self.declined += entry.declined().len() as u64;
        if let Seats::OfRounds { choose, sum } = &mut self.seats {
            *sum += u64::from(choose.places(entry.slate().len(), None).max);
        }
    }

    fn record_all(&mut self, batch: &Batch, ledger: &Ledger, rounds: Range<usize>) {
        if let Seats::OfRun(_) = self.seats {
            let (chosen, _) = ledger.chosen_in(rounds.clone());
            self.taken += chosen.len() as u64;
            self.declined += ledger.declined_in(rounds).len() as u64;
            return;
        }
        for at in rounds {
            let entry = RoundEntry::new(batch, at, ledger, at);
            self.record(&entry, &Truth::new(batch, entry.slate()));
        }
    }

    fn read(&self, readings: &mut Readings) {
        readings.put(NAMES[0], self.declined as f64);
        let offers = self.taken + self.declined;
        readings.put(NAMES[1], self.taken as f64 / offers as f64);
        let seats = match self.seats {
            Seats::OfRun(seats) => seats,
            Seats::OfRounds {
                choose: Choose::Any,
                ..
            } => return,
            Seats::OfRounds { sum, .. } => sum,
        };
        readings.put(NAMES[2], self.taken as f64 / seats as f64);
    }
}
