//! Interviews that the feedback task has drawn ahead. They are sealed; the referee opens each when
//! it is paid for, and the policy sees no more than it bought.

use crate::arena::questions::{Ahead, Questions};
use crate::limits::{MOST_LOOKS_AHEAD, MOST_SEALS};
use crate::protocol::Seal;

/// The seals of a slate. A candidate who was interviewed n times before gets about n/2 interviews
/// ahead, so the more often a candidate is interviewed, the fewer messages an interview takes.
#[derive(Default)]
pub(super) struct Stock {
    /// The shelves, by slot.
    shelves: Vec<Shelf>,
    /// The slots whose shelves were filled in this round.
    filled: Vec<u32>,
    /// The kinds that the policy buys of candidates whom it knows, as it came to them.
    kinds: Vec<usize>,
    /// The slots that were interviewed since the last message.
    recent: Vec<u32>,
    /// The number of seals held.
    held: usize,
}

/// The next interviews of a candidate: for each interview as many seals as there were kinds.
#[derive(Default)]
struct Shelf {
    /// The number of interviews of the candidate before the first seal.
    first: u32,
    kinds: usize,
    seals: Vec<Seal>,
    is_filled: bool,
    is_recent: bool,
}

impl Shelf {
    /// Drops the interviews before the nth; returns how many are left.
    fn drop_before(&mut self, nth: u32) -> u32 {
        let passed = nth.saturating_sub(self.first) as usize * self.kinds;
        self.seals.drain(..passed.min(self.seals.len()));
        self.first = nth;
        (self.seals.len() / self.kinds.max(1)) as u32
    }
}

impl Stock {
    /// Forgets all seals: another slate begins, or slots have other candidates.
    pub(super) fn clear(&mut self) {
        for slot in self.filled.drain(..).chain(self.recent.drain(..)) {
            let shelf = &mut self.shelves[slot as usize];
            shelf.seals.clear();
            (shelf.kinds, shelf.is_filled, shelf.is_recent) = (0, false, false);
        }
        self.kinds.clear();
        self.held = 0;
    }

    /// The nth interview of a kind at the candidate in a slot, where it is here.
    #[inline]
    pub(super) fn take(&mut self, slot: u32, kind: usize, nth: u32) -> Option<Seal> {
        let shelf = self.shelves.get_mut(slot as usize)?;
        let column = self.kinds.iter().position(|known| *known == kind)?;
        let look = nth.checked_sub(shelf.first)? as usize;
        if column >= shelf.kinds {
            return None;
        }
        let seal = *shelf.seals.get(look * shelf.kinds + column)?;
        if !shelf.is_recent {
            shelf.is_recent = true;
            self.recent.push(slot);
        }
        Some(seal)
    }

    /// Notes that a candidate whom the policy knows is to be interviewed.
    pub(super) fn note(&mut self, slot: u32, kind: usize, slots: usize) {
        if self.shelves.len() < slots {
            self.shelves.resize_with(slots, Shelf::default);
        }
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
        let shelf = &mut self.shelves[slot as usize];
        if !shelf.is_recent {
            shelf.is_recent = true;
            self.recent.push(slot);
        }
    }

    /// Orders interviews ahead for those interviewed since the last message. `looks`: how
    /// many each slot has had once the message is answered; `row_of`: its row; `gain`: that of a
    /// kind there.
    pub(super) fn order(
        &mut self,
        looks: impl Fn(u32) -> u32,
        row_of: impl Fn(u32) -> u32,
        gain: impl Fn(usize, u32) -> f64,
        questions: &mut Questions,
    ) {
        let kinds = self.kinds.len();
        for slot in self.recent.drain(..) {
            let shelf = &mut self.shelves[slot as usize];
            shelf.is_recent = false;
            let nth = looks(slot);
            let before = shelf.seals.len();
            if shelf.kinds != kinds {
                shelf.seals.clear();
                shelf.kinds = kinds;
            }
            let here = shelf.drop_before(nth);
            self.held -= before - shelf.seals.len();
            let wanted = (nth / 2).clamp(1, MOST_LOOKS_AHEAD).saturating_sub(here);
            if wanted == 0 || self.held + wanted as usize * kinds > MOST_SEALS {
                continue;
            }
            self.held += wanted as usize * kinds;
            questions.ahead.push(Ahead {
                slot,
                row: row_of(slot),
                nth: nth + here,
                looks: wanted,
            });
            let gains = self.kinds.iter().map(|&kind| (kind, gain(kind, slot)));
            questions.kinds.extend(gains);
        }
    }

    /// Shelves what was ordered and has come.
    pub(super) fn put(&mut self, questions: &Questions) {
        let mut seals = &questions.seals[..];
        for one in &questions.ahead {
            let shelf = &mut self.shelves[one.slot as usize];
            let ordered = one.looks as usize * shelf.kinds;
            let Some((come, rest)) = seals.split_at_checked(ordered) else {
                self.held -= ordered;
                continue;
            };
            seals = rest;
            shelf.seals.extend_from_slice(come);
            if !shelf.is_filled {
                shelf.is_filled = true;
                self.filled.push(one.slot);
            }
        }
    }
}

#[cfg(test)]
mod tests;
