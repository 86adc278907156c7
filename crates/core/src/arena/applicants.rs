//! The applicants of a round, who are on the slate: those whom the pool mustered, at most one of
//! each household.

use std::ops::Range;

use super::seated::Seated;
use crate::draw::Draw;
use crate::pool::Mustered;
use crate::protocol::{Ledger, Persons};

/// The applicants of a lane's rounds.
pub(super) struct Applicants {
    /// True if a pool chooses the applicants of each slate.
    reacts: bool,
    mustered: Option<Mustered>,
    seated: Seated,
}

impl Applicants {
    /// Makes the applicants of a lane. `lots` draws the member of a household who is on the slate;
    /// without it, it is the first.
    pub(super) fn new(reacts: bool, lots: Option<Draw>) -> Self {
        Self {
            reacts,
            mustered: None,
            seated: Seated::new(lots),
        }
    }

    /// Returns true if a pool chooses the applicants of each slate.
    pub(super) fn reacts(&self) -> bool {
        self.reacts
    }

    /// Sets the applicants of the coming round.
    pub(super) fn muster(&mut self, mustered: Mustered) {
        self.mustered = Some(mustered);
    }

    /// Returns true if the applicants of the coming round are not yet chosen.
    #[inline]
    pub(super) fn lack_muster(&self) -> bool {
        self.reacts && self.mustered.is_none()
    }

    /// The positions in the roster of those who applied; `None`: all of it.
    pub(super) fn came(&self) -> Option<&[u32]> {
        self.mustered.as_ref().map(Mustered::who)
    }

    /// The positions in the roster of those on the slate; `None`: all of it. `asked`: which
    /// positions are on it no more, because they were offered a place in this round.
    pub(super) fn offered(
        &mut self,
        persons: &Persons,
        round: (u64, Range<u32>),
        asked: &[bool],
    ) -> Option<&[u32]> {
        let who = self.mustered.as_ref().map(Mustered::who);
        if persons.households().is_empty() && asked.is_empty() {
            return who;
        }
        Some(self.seated.offered(persons, round, who, asked))
    }

    /// Writes into the ledger who of the round under way was shown, where households are kept
    /// apart.
    pub(super) fn write_shown(
        &mut self,
        persons: &Persons,
        roster: Range<u32>,
        ledger: &mut Ledger,
    ) {
        if !persons.households().is_empty() {
            let who = self.mustered.as_ref().map(Mustered::who);
            self.seated.write_shown(roster, who, ledger);
        }
    }

    /// Keeps the households of those chosen in the round under way from later slates.
    pub(super) fn seat(&mut self, persons: &Persons, ledger: &Ledger) {
        if !persons.households().is_empty() {
            self.seated.seat(persons, ledger.choosing());
        }
    }

    /// Writes who was mustered into the ledger; the next round needs a muster of its own.
    pub(super) fn write_muster(&mut self, ledger: &mut Ledger) {
        if let Some(mustered) = self.mustered.take() {
            ledger.note_muster(mustered.who(), mustered.state());
        }
    }
}
