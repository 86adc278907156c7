//! Places offered by hand: who has declined, who is left, and what the ledger keeps.

use std::sync::Arc;

use super::super::by_hand::{batch, draw};
use super::super::referee::Referee;
use super::*;
use crate::protocol::{Choose, Rules, Until};

fn referee() -> Referee {
    let mut rules = Rules::new(Choose::Exactly(2), Until::Accepted(9));
    rules.refill = true;
    Referee::new(Arc::new(rules), draw(), "me", false)
}

/// Offers places to some rows; the answers are their replies. Returns how many declined.
fn offer(
    offers: &mut Offers,
    batch: &Batch,
    ledger: &mut Ledger,
    rows: &[u32],
    replies: &[Option<f64>],
) -> usize {
    rows.iter().for_each(|row| ledger.note_chosen(*row));
    let mut questions = Questions::default();
    assert!(offers.ask(ledger, &mut questions));
    let asked: Vec<u32> = questions.queries.iter().map(|query| query.row).collect();
    assert_eq!(asked, rows);
    let mut asking = true;
    let declined = offers.note_replies(batch, Some(replies), ledger, &mut asking);
    assert!(!asking);
    declined
}

/// Opens the places to those of a slate who were not asked.
fn reopen(
    offers: &mut Offers,
    roster: Range<u32>,
    slate: Option<&[u32]>,
    referee: &mut Referee,
) -> bool {
    let all: Vec<u32> = (0..roster.len() as u32).collect();
    let before = offers.left().or(slate).map(<[u32]>::to_vec);
    let asked = offers.mark_asked(roster, slate, referee.places());
    let left = slate.unwrap_or(&all).iter().copied();
    let left = left.filter(|position| !asked[*position as usize]).collect();
    offers.reopen(before.as_deref(), left, referee)
}

/// The fewest and the most of a slate.
fn places(referee: &mut Referee, slate: u32) -> (u32, u32) {
    referee.offer(slate);
    let Places { min, max } = referee.places();
    (min, max)
}

const NO: Option<f64> = Some(0.0);
const YES: Option<f64> = Some(1.0);

/// The second round has the rows 2 to 6.
#[test]
fn places_that_are_declined_are_open_to_those_who_were_not_asked() {
    let (batch, mut referee) = (batch(&[2, 5, 3]), referee());
    let (mut offers, mut ledger) = (Offers::default(), Ledger::new(false));
    offers.close(0..2, &mut ledger, &mut referee);
    ledger.commit();
    assert_eq!(places(&mut referee, 5), (2, 2));
    assert_eq!(offers.left(), None);
    assert_eq!(
        offer(&mut offers, &batch, &mut ledger, &[3, 6], &[NO, YES]),
        1
    );
    assert!(reopen(&mut offers, 2..7, None, &mut referee));
    assert_eq!(offers.left(), Some(&[0, 2, 3][..]));
    assert_eq!(places(&mut referee, 3), (1, 1));
    // Who never replies comes.
    assert_eq!(offer(&mut offers, &batch, &mut ledger, &[4], &[None]), 0);
    assert!(!offers.ask(&ledger, &mut Questions::default()));
    offers.close(2..7, &mut ledger, &mut referee);
    ledger.commit();
    // In the order of the slate.
    assert_eq!(ledger.chosen_in(1..2).0, [4, 6]);
    assert_eq!(ledger.declined_in(1..2), [3]);
    // The next slate is as long as the last that was offered again, and has places of its own.
    assert_eq!((offers.left(), places(&mut referee, 3)), (None, (2, 2)));
}

#[test]
fn a_place_stays_empty_where_everyone_on_the_slate_was_asked() {
    let (batch, mut referee) = (batch(&[3]), referee());
    let (mut offers, mut ledger) = (Offers::default(), Ledger::new(false));
    referee.offer(3);
    assert_eq!(
        offer(&mut offers, &batch, &mut ledger, &[0, 2], &[NO, NO]),
        2
    );
    assert!(reopen(&mut offers, 0..3, None, &mut referee));
    assert_eq!(offers.left(), Some(&[1][..]));
    assert_eq!(places(&mut referee, 1), (1, 1));
    assert_eq!(offer(&mut offers, &batch, &mut ledger, &[1], &[NO]), 1);
    assert!(!reopen(&mut offers, 0..3, None, &mut referee));
    assert_eq!(offers.left(), Some(&[][..]));
    offers.close(0..3, &mut ledger, &mut referee);
    ledger.commit();
    assert_eq!(ledger.chosen_before(1), 0);
    assert_eq!(ledger.declined_in(0..1), [0, 1, 2]);
}

/// A pool has mustered positions 3, 0 and 2 of the second round's roster, in this order.
#[test]
fn a_slate_in_any_order_is_offered_again_and_kept_in_that_order() {
    let (batch, mut referee) = (batch(&[2, 4]), referee());
    let (mut offers, mut ledger) = (Offers::default(), Ledger::new(false));
    offers.close(0..2, &mut ledger, &mut referee);
    ledger.commit();
    let slate = [3, 0, 2];
    referee.offer(3);
    assert_eq!(
        offer(&mut offers, &batch, &mut ledger, &[2, 5], &[YES, NO]),
        1
    );
    assert!(reopen(&mut offers, 2..6, Some(&slate), &mut referee));
    assert_eq!(offers.left(), Some(&[2][..]));
    assert_eq!(offer(&mut offers, &batch, &mut ledger, &[4], &[YES]), 0);
    offers.close(2..6, &mut ledger, &mut referee);
    ledger.commit();
    assert_eq!(ledger.chosen_in(1..2).0, [2, 4]);
    assert_eq!(ledger.declined_in(1..2), [5]);
}
