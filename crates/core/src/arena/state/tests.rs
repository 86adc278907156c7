//! The state of a lane asked by hand: what a batch needs, and when its outcomes are asked for.

use super::super::by_hand::{batch, drawn, key, rules, selling, state};
use super::*;
use crate::protocol::{Delay, SealedAnswers};

/// Returns true if a round of this batch is only a slate and a choice for a lane with these rules.
fn is_bare(rules: Rules, change: impl FnOnce(&mut Batch)) -> bool {
    let mut batch = batch(&[2]);
    change(&mut batch);
    state(rules).is_bare(&batch)
}

#[test]
fn a_round_is_bare_where_nothing_comes_but_a_slate_and_a_choice() {
    assert!(is_bare(rules(), |_| {}));
    // Answers that no one can buy are never opened.
    let looks = |batch: &mut Batch| batch.seal_looks(SealedAnswers::Drawn(drawn()));
    assert!(is_bare(rules(), looks));
    assert!(!is_bare(selling(1, 1.0), |_| {}));
    for outcomes in [
        SealedOutcomes::Drawn(drawn()),
        SealedOutcomes::Recorded([None, None].into()),
        SealedOutcomes::Reported,
        SealedOutcomes::Outside,
    ] {
        assert!(!is_bare(rules(), |batch| batch.seal_outcomes(outcomes)));
    }
    for offers in [SealedAnswers::Drawn(drawn()), SealedAnswers::Outside] {
        assert!(!is_bare(rules(), |batch| batch.seal_offers(offers)));
    }
    let pooled = LaneState::new(Arc::new(rules()), key(), "me", true, false);
    assert!(!pooled.is_bare(&batch(&[2])));
    let mut housed = batch(&[]);
    housed.persons_mut().push(0, &[0], &[], None);
    housed.persons_mut().push_household(0);
    housed.close_round();
    assert!(!state(rules()).is_bare(&housed));
}

/// A batch without outcomes may follow one whose outcomes are still to come.
#[test]
fn a_round_is_not_bare_while_outcomes_of_others_are_awaited() {
    let delay = Delay::Fixed(1);
    let mut state = state(Rules { delay, ..rules() });
    let mut before = batch(&[2]);
    before.seal_outcomes(SealedOutcomes::Drawn(drawn()));
    let before = Arc::new(before);
    let mut ledger = Ledger::new(false);
    ledger.note_chosen(1);
    state.settle(1, &before, &mut ledger);
    assert_eq!(ledger.chosen_in(0..1), (&[1][..], &[Some(1.0)][..]));
    assert!(!state.is_bare(&batch(&[2])));
}

/// Returns true if a lane asks its feedback task together with the choice.
fn asks(delay: u64, reacts: bool, outcomes: SealedOutcomes, rows: &[u32]) -> bool {
    let delay = Delay::Fixed(delay);
    let rules = Arc::new(Rules { delay, ..rules() });
    let state = LaneState::new(rules, key(), "me", reacts, false);
    let mut state = state.carried(Carrier::Task, 1);
    let mut batch = batch(&[3]);
    batch.seal_outcomes(outcomes);
    let mut ledger = Ledger::new(reacts);
    rows.iter().for_each(|row| ledger.note_chosen(*row));
    let asks = state.asks_for_outcomes(&batch, &ledger);
    let asked: Vec<u32> = state
        .take_questions()
        .queries
        .iter()
        .map(|query| query.row)
        .collect();
    assert_eq!(asked, if asks { rows } else { &[] });
    asks
}

#[test]
fn late_outcomes_that_are_drawn_are_asked_for_when_they_are_due() {
    let drawn = || SealedOutcomes::Drawn(drawn());
    assert!(!asks(2, false, drawn(), &[0, 2]));
    // At once are asked: what is due at once, what a pool may look at, and people.
    assert!(asks(0, false, drawn(), &[0, 2]));
    assert!(asks(2, true, drawn(), &[0, 2]));
    assert!(asks(0, true, drawn(), &[0, 2]));
    for delay in [0, 2] {
        assert!(asks(delay, false, SealedOutcomes::Outside, &[1]));
        assert!(asks(delay, true, SealedOutcomes::Outside, &[1]));
    }
    for outcomes in [drawn(), SealedOutcomes::Outside] {
        assert!(!asks(0, false, outcomes, &[]));
    }
}

/// Returns true if a lane with this many accepted has the others' answers drawn with theirs, before
/// and after they are drawn.
fn shares(delay: u64, lanes: usize, accepted: u64, row: u32) -> (bool, bool) {
    let delay = Delay::Fixed(delay);
    let mut state = state(Rules { delay, ..rules() }).carried(Carrier::Task, lanes);
    let mut batch = batch(&[300]);
    batch.seal_outcomes(SealedOutcomes::Drawn(drawn()));
    let batch = Arc::new(batch);
    let mut ledger = Ledger::new(false);
    ledger.note_chosen(row);
    state.referee.note_accepted(accepted);
    let asks = state.asks_for_outcomes(&batch, &ledger);
    if !asks {
        state.settle(1, &batch, &mut ledger);
        assert!(state.ask_open(&batch));
    }
    let blocks = state.take_questions().blocks;
    batch.draw_block(Probe::Outcome, row);
    let mut ledger = Ledger::new(false);
    ledger.note_chosen(row);
    assert!(!state.asks_for_outcomes(&batch, &ledger));
    state.settle(2, &batch, &mut ledger);
    let value = Some(f64::from(row));
    assert_eq!(ledger.chosen_in(0..1), (&[row][..], &[value][..]));
    (asks, blocks)
}

#[test]
fn answers_are_drawn_in_blocks_where_a_message_costs_more() {
    for (delay, lanes, accepted, row, blocks) in [
        // One of ten, by one lane; then by fewer, and by more lanes.
        (0, 1, 1, 9, true),
        (0, 1, 1, 10, false),
        (0, 2, 1, 10, true),
        (0, 1, 30, 299, true),
        (0, 1, 29, 299, false),
        (0, 8, 4, 299, true),
        (0, 8, 3, 299, false),
        // Those of two rounds are one message.
        (1, 1, 1, 9, false),
        (1, 1, 2, 9, true),
        (3, 4, 1, 9, true),
    ] {
        let known = (delay == 0, blocks);
        assert_eq!(
            shares(delay, lanes, accepted, row),
            known,
            "{delay} {lanes} {accepted} {row}"
        );
    }
}
