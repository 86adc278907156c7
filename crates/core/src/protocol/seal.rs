//! Answers that are drawn before anyone pays for them, and sealed until then.

use std::sync::OnceLock;

use super::truth::Person;

/// An answer that is drawn and not yet paid for. It opens only for a caller with the person that it
/// is about. A [`Person`] is made from a `&Batch`, and a policy never holds one.
#[derive(Clone, Copy)]
pub struct Seal(f64);

impl Seal {
    /// Seals an answer.
    pub(super) fn of(answer: f64) -> Self {
        Self(answer)
    }

    /// The answer, once it is paid for.
    #[inline]
    pub(crate) fn open(self, _: Person<'_>) -> f64 {
        self.0
    }
}

/// The number of people of a batch whose answers are sealed at once.
const BLOCK: usize = 256;

/// The sealed answers to one question about the people of a batch, in blocks. All lanes open the
/// same ones: the first that needs an answer has its block drawn.
#[derive(Clone, Default)]
pub(super) struct Blocks(Box<[OnceLock<Box<[Seal]>>]>);

impl Blocks {
    /// Room for the answers of some people, none of which is drawn.
    pub(super) fn of(people: usize) -> Self {
        let blocks = people.div_ceil(BLOCK);
        Self((0..blocks).map(|_| OnceLock::new()).collect())
    }

    /// The sealed answer of the person in a row, where it is drawn.
    #[inline]
    pub(super) fn get(&self, row: u32) -> Option<Seal> {
        let row = row as usize;
        let block = self.0.get(row / BLOCK)?.get()?;
        block.get(row % BLOCK).copied()
    }

    /// Draws the block of a row, of `people` in all, where it is not drawn yet.
    pub(super) fn draw(&self, row: u32, people: usize, answer: impl Fn(u32) -> f64) {
        let number = row as usize / BLOCK;
        let Some(block) = self.0.get(number) else {
            return;
        };
        let rows = number * BLOCK..people.min((number + 1) * BLOCK);
        block.get_or_init(|| rows.map(|row| Seal::of(answer(row as u32))).collect());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// The block of 256 people around a row is drawn once, and no other of the 600 people.
    #[test]
    fn a_block_is_drawn_once_and_alone() {
        let blocks = Blocks::of(600);
        let drawn = RefCell::new(Vec::new());
        let answer = |row| {
            drawn.borrow_mut().push(row);
            f64::from(row) / 2.0
        };
        let known = || {
            let rows = [0, 255, 256, 511, 512, 599, 600, 9999];
            rows.map(|row| blocks.get(row).map(|seal| seal.0))
        };
        assert_eq!(known(), [None; 8]);
        for row in [599, 512, 599] {
            blocks.draw(row, 600, answer);
        }
        assert_eq!(*drawn.borrow(), (512..600).collect::<Vec<_>>());
        let last = [Some(256.0), Some(299.5)];
        assert_eq!((&known()[..4], &known()[4..6]), (&[None; 4][..], &last[..]));
        assert_eq!(known()[6..], [None; 2]);
        blocks.draw(300, 600, answer);
        assert_eq!(drawn.borrow().len(), 88 + 256);
        assert_eq!(known()[1..4], [None, Some(128.0), Some(255.5)]);
        // No block has this row.
        blocks.draw(9999, 600, answer);
        assert_eq!(drawn.borrow().len(), 88 + 256);
    }
}
