//! The trail of a lane: its acts in each round besides choosing. It is kept only on request.

use std::borrow::Cow;

use super::persons::{Id, Shown};
use crate::limits::{MOST_TRAIL_LOOKS, MOST_TRAIL_NAMES};

/// The reason why a policy buys an interview: named terms, and named sets of people if it depends
/// on them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookReason {
    /// Named numbers.
    pub terms: Vec<(Cow<'static, str>, f64)>,
    /// Named sets of people, by slot until the interview is sold, then by row of the batch.
    pub people: Vec<(Cow<'static, str>, Vec<u32>)>,
}

impl LookReason {
    /// Makes a reason of these terms. Their names may be made at run time.
    #[must_use]
    pub fn of<N: Into<Cow<'static, str>>>(terms: impl IntoIterator<Item = (N, f64)>) -> Self {
        let terms = terms.into_iter();
        Self {
            terms: terms.map(|(name, value)| (name.into(), value)).collect(),
            people: Vec::new(),
        }
    }

    /// Adds a named set of people, by slot.
    #[must_use]
    pub fn naming(mut self, set: impl Into<Cow<'static, str>>, mut slots: Vec<u32>) -> Self {
        slots.sort_unstable();
        self.people.push((set.into(), slots));
        self
    }

    /// Replaces the people that the reason names.
    pub(crate) fn put(&mut self, other: impl Fn(u32) -> u32) {
        for person in self.people.iter_mut().flat_map(|(_, people)| people) {
            *person = other(*person);
        }
    }

    /// The number of people named.
    fn named(&self) -> usize {
        self.people.iter().map(|(_, people)| people.len()).sum()
    }
}

/// An interview that was bought.
#[derive(Clone, Debug, PartialEq)]
pub struct SoldLook {
    /// The person's row in the batch.
    pub(crate) row: u32,
    /// The kind of interview, by its index in the rules.
    pub kind: usize,
    /// The answer. `None` if the interview was never answered, and so not paid.
    pub value: Option<f64>,
    /// The answer's weight among the person's interviews.
    pub gain: f64,
    /// The cost of the interview.
    pub cost: f64,
    /// The policy's reason for buying the interview, if given.
    pub why: Option<Box<LookReason>>,
}

/// The interviews of a round under way.
#[derive(Debug, Default)]
pub(crate) struct LookSales {
    pub(crate) looks: Vec<SoldLook>,
    /// Interviews beyond those that are kept.
    pub(crate) more: u64,
    named: usize,
}

impl LookSales {
    /// Adds an interview.
    pub(crate) fn add(&mut self, mut look: SoldLook) {
        if self.looks.len() >= MOST_TRAIL_LOOKS {
            self.more += 1;
            return;
        }
        if let Some(why) = &mut look.why {
            self.named += why.named();
            if self.named > MOST_TRAIL_NAMES {
                why.people.clear();
            }
        }
        self.looks.push(look);
    }
}

/// The id of a person, kept when the batch is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptId {
    Number(u64),
    Name(Box<str>),
}

impl KeptId {
    pub(crate) fn of(person: Shown<'_>) -> Self {
        match person.id() {
            Id::Number(number) => Self::Number(number),
            Id::Name(name) => Self::Name(name.into()),
        }
    }

    pub fn as_id(&self) -> Id<'_> {
        match self {
            Self::Number(number) => Id::Number(*number),
            Self::Name(name) => Id::Name(name),
        }
    }
}

/// An outcome that the policy heard.
#[derive(Clone, Debug, PartialEq)]
pub struct HeardOutcome {
    /// The person.
    pub id: KeptId,
    /// The round of the choice, from 1.
    pub decided: u64,
    /// The outcome.
    pub value: f64,
    /// The number of rounds between the choice and this report: 0 if it came before the next round.
    pub late: u64,
    /// The outcome reported before, if this corrects it.
    pub corrects: Option<f64>,
}

/// An offer of a place, and the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferedPlace {
    pub(crate) row: u32,
    /// The number of the choice within the round: 1 for the first, more if the policy chose again.
    pub turn: u32,
    /// True if the person took the place.
    pub takes: bool,
}

/// The rounds of one batch, as far as a ledger does not need them to count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    looks: Vec<(u32, SoldLook)>,
    more_looks: Vec<(u32, u64)>,
    heard: Vec<(u32, HeardOutcome)>,
    offers: Vec<(u32, OfferedPlace)>,
    /// The pool's state after it has reacted.
    after: Vec<(u32, Box<[f64]>)>,
}

impl Trail {
    pub(crate) fn note_looks(&mut self, round: u32, sales: &mut LookSales) {
        let looks = sales.looks.drain(..);
        self.looks.extend(looks.map(|look| (round, look)));
        if sales.more > 0 {
            self.more_looks.push((round, sales.more));
        }
        (sales.more, sales.named) = (0, 0);
    }

    pub(crate) fn note_heard(&mut self, round: u32, heard: HeardOutcome) {
        self.heard.push((round, heard));
    }

    /// Notes the replies to the offers of one turn, in order.
    pub(crate) fn note_offers(&mut self, round: u32, replies: impl Iterator<Item = (u32, bool)>) {
        let last = self.offers.last().filter(|(of, _)| *of == round);
        let turn = last.map_or(1, |(_, offer)| offer.turn + 1);
        let offer = |(row, takes)| (round, OfferedPlace { row, turn, takes });
        self.offers.extend(replies.map(offer));
    }

    pub(crate) fn note_after(&mut self, round: u32, state: &[f64]) {
        self.after.push((round, state.into()));
    }

    /// Forgets the rounds from `rounds` on.
    pub(crate) fn truncate(&mut self, rounds: u32) {
        fn keep<T>(notes: &mut Vec<(u32, T)>, rounds: u32) {
            notes.truncate(notes.partition_point(|(round, _)| *round < rounds));
        }
        keep(&mut self.looks, rounds);
        keep(&mut self.more_looks, rounds);
        keep(&mut self.heard, rounds);
        keep(&mut self.offers, rounds);
        keep(&mut self.after, rounds);
    }

    pub(crate) fn looks_at(&self, round: u32) -> &[(u32, SoldLook)] {
        of(&self.looks, round)
    }

    pub(crate) fn more_looks_at(&self, round: u32) -> u64 {
        of(&self.more_looks, round)
            .iter()
            .map(|(_, more)| more)
            .sum()
    }

    pub(crate) fn heard_at(&self, round: u32) -> &[(u32, HeardOutcome)] {
        of(&self.heard, round)
    }

    pub(crate) fn offers_at(&self, round: u32) -> &[(u32, OfferedPlace)] {
        of(&self.offers, round)
    }

    pub(crate) fn after_at(&self, round: u32) -> Option<&[f64]> {
        of(&self.after, round).last().map(|(_, state)| &**state)
    }
}

/// The notes of a round; all are in the order of their rounds.
fn of<T>(notes: &[(u32, T)], round: u32) -> &[(u32, T)] {
    let from = notes.partition_point(|(of, _)| *of < round);
    let to = notes.partition_point(|(of, _)| *of <= round);
    &notes[from..to]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(row: u32, people: usize) -> SoldLook {
        let why = LookReason::of([("gap", 0.5)]).naming("m", vec![0; people]);
        SoldLook {
            row,
            kind: 0,
            value: Some(1.0),
            gain: 1.0,
            cost: 2.0,
            why: Some(Box::new(why)),
        }
    }

    #[test]
    fn notes_are_found_by_their_round_and_forgotten_with_it() {
        let mut trail = Trail::default();
        let mut sales = LookSales::default();
        sales.add(look(1, 1));
        sales.add(look(2, 1));
        trail.note_looks(0, &mut sales);
        trail.note_offers(0, [(1, false), (2, true)].into_iter());
        trail.note_offers(0, [(3, true)].into_iter());
        trail.note_offers(2, [(4, true)].into_iter());
        trail.note_after(0, &[0.25, 0.75]);
        sales.add(look(7, 1));
        trail.note_looks(2, &mut sales);
        let rows = |round| {
            trail
                .looks_at(round)
                .iter()
                .map(|(_, look)| look.row)
                .collect::<Vec<_>>()
        };
        assert_eq!((rows(0), rows(1), rows(2)), (vec![1, 2], vec![], vec![7]));
        let turns = |round| {
            let offers = trail.offers_at(round).iter();
            offers
                .map(|(_, offer)| (offer.row, offer.turn, offer.takes))
                .collect::<Vec<_>>()
        };
        assert_eq!(turns(0), [(1, 1, false), (2, 1, true), (3, 2, true)]);
        assert_eq!(turns(2), [(4, 1, true)]);
        assert_eq!(
            (trail.after_at(0), trail.after_at(2)),
            (Some(&[0.25, 0.75][..]), None)
        );
        trail.truncate(2);
        assert!(trail.looks_at(2).is_empty() && trail.offers_at(2).is_empty());
        assert_eq!(trail.looks_at(0).len(), 2);
    }

    /// A round keeps a bounded number of interviews, and the number that it left out.
    #[test]
    fn what_is_kept_of_a_round_is_bounded() {
        let mut sales = LookSales::default();
        let each = 100;
        for row in 0..(MOST_TRAIL_LOOKS + 7) as u32 {
            sales.add(look(row, each));
        }
        assert_eq!((sales.looks.len(), sales.more), (MOST_TRAIL_LOOKS, 7));
        let named = |look: &SoldLook| look.why.as_ref().map_or(0, |why| why.named());
        assert_eq!(
            sales.looks.iter().map(named).sum::<usize>(),
            MOST_TRAIL_NAMES
        );
        let terms = |look: &SoldLook| look.why.as_ref().map_or(0, |why| why.terms.len());
        assert!(sales.looks.iter().all(|look| terms(look) == 1));
        let mut trail = Trail::default();
        trail.note_looks(0, &mut sales);
        assert_eq!(
            (trail.more_looks_at(0), sales.more, sales.looks.len()),
            (7, 0, 0)
        );
    }
}
