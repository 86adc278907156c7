//! A stock filled by hand: which interviews are drawn ahead, when they are there, and how many are
//! held.

use super::super::super::by_hand::{batch, drawn};
use super::*;
use crate::limits::{MOST_LOOKS_AHEAD, MOST_SEALS};
use crate::protocol::{Batch, Person};

/// Orders what is due after these interviews, and has it come; what was ordered.
fn fill(stock: &mut Stock, batch: &Batch, looks: &[u32]) -> Vec<(u32, u32, u32)> {
    let mut questions = Questions::default();
    let at = |slot: u32| looks[slot as usize];
    stock.order(at, |slot| slot, |kind, _| 1.0 + kind as f64, &mut questions);
    let kinds = questions.kinds.len() / questions.ahead.len().max(1);
    for (one, kinds) in questions
        .ahead
        .iter()
        .zip(questions.kinds.chunks(kinds.max(1)))
    {
        for nth in one.nth..one.nth + one.looks {
            let person = Person::new(batch, one.row);
            drawn().seal_looks(person, nth.into(), kinds, &mut questions.seals);
        }
    }
    stock.put(&questions);
    let ahead = questions.ahead.iter();
    ahead.map(|one| (one.slot, one.nth, one.looks)).collect()
}

/// The person whose interview it is, where it is here.
fn take(stock: &mut Stock, batch: &Batch, slot: u32, kind: usize, nth: u32) -> Option<f64> {
    let seal = stock.take(slot, kind, nth);
    seal.map(|seal| seal.open(Person::new(batch, slot)))
}

#[test]
fn looks_ahead_follow_how_often_a_candidate_was_looked_at() {
    let (batch, mut stock) = (batch(&[3]), Stock::default());
    stock.note(2, 0, 3);
    assert_eq!(fill(&mut stock, &batch, &[0, 0, 2]), [(2, 2, 1)]);
    assert_eq!(take(&mut stock, &batch, 2, 0, 2), Some(2.0));
    // What comes after it, what came before it, another kind and another candidate are not here.
    for (slot, kind, nth) in [(2, 0, 3), (2, 0, 1), (2, 1, 2), (1, 0, 0), (9, 0, 0)] {
        assert_eq!(take(&mut stock, &batch, slot, kind, nth), None);
    }
    // Of all that were looked at since; what is left is not drawn again.
    for (looks, nth, ahead) in [(9, 9, 4), (10, 13, 2), (14, 15, 6), (300, 300, 64)] {
        stock.note(2, 0, 3);
        assert_eq!(fill(&mut stock, &batch, &[0, 0, looks]), [(2, nth, ahead)]);
    }
    assert_eq!(fill(&mut stock, &batch, &[0, 0, 300]), []);
    assert_eq!(
        (stock.held, take(&mut stock, &batch, 2, 0, 363)),
        (64, Some(2.0))
    );
    // Whoever was looked at from the stock is refilled with the others.
    stock.note(0, 0, 3);
    assert_eq!(
        fill(&mut stock, &batch, &[8, 0, 364]),
        [(2, 364, 64), (0, 8, 4)]
    );
}

/// A kind that is new makes the shelf anew; each kind has its interview.
#[test]
fn looks_ahead_are_of_all_kinds_that_the_policy_buys() {
    let (batch, mut stock) = (batch(&[2]), Stock::default());
    stock.note(1, 4, 2);
    assert_eq!(fill(&mut stock, &batch, &[0, 8]), [(1, 8, 4)]);
    stock.note(1, 2, 2);
    assert_eq!(fill(&mut stock, &batch, &[0, 9]), [(1, 9, 4)]);
    assert_eq!(stock.held, 8);
    for (kind, nth, here) in [(4, 9, true), (2, 12, true), (2, 13, false), (3, 9, false)] {
        assert_eq!(take(&mut stock, &batch, 1, kind, nth).is_some(), here);
    }
}

#[test]
fn a_stock_is_bounded_and_empty_for_another_slate() {
    let people = MOST_SEALS as u32 / MOST_LOOKS_AHEAD + 10;
    let (batch, mut stock) = (batch(&[people]), Stock::default());
    (0..people).for_each(|slot| stock.note(slot, 0, people as usize));
    let ordered = fill(&mut stock, &batch, &vec![500; people as usize]);
    assert_eq!(
        (ordered.len(), stock.held),
        (MOST_SEALS / MOST_LOOKS_AHEAD as usize, MOST_SEALS)
    );
    stock.clear();
    assert_eq!((stock.held, take(&mut stock, &batch, 3, 0, 500)), (0, None));
    stock.note(3, 0, people as usize);
    let looks = vec![2; people as usize];
    assert_eq!(fill(&mut stock, &batch, &looks), [(3, 2, 1)]);
}

/// Feedback that can't answer what no one has asked for leaves the shelf empty.
#[test]
fn what_does_not_come_is_not_held() {
    let (batch, mut stock) = (batch(&[1]), Stock::default());
    let mut questions = Questions::default();
    stock.note(0, 0, 1);
    stock.order(|_| 8, |slot| slot, |_, _| 1.0, &mut questions);
    assert_eq!((questions.ahead.len(), stock.held), (1, 4));
    stock.put(&questions);
    assert_eq!((stock.held, take(&mut stock, &batch, 0, 0, 8)), (0, None));
}
