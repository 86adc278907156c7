//! Reports of people whom a policy chose and of others, heard by a seat that writes down all.

use std::sync::Arc;

use super::super::by_hand::Listener;
use super::*;
use crate::protocol::Schema;

fn batch() -> Batch {
    Batch::new(Arc::new(Schema::default()), 1, 0)
}

fn report(person: u64, policy: Option<&str>, value: f64, before: Option<f64>) -> Report {
    let mut about = Persons::new(Arc::new(Schema::default()), person);
    about.push(0, &[], &[], None);
    Report {
        person,
        policy: policy.map(Into::into),
        value,
        corrects: before.map(|before| Correction {
            before,
            about: Arc::new(about),
        }),
    }
}

/// The policy "me" has chosen persons 1, 3 and 4 of 0 to 5, in round 7.
fn awaiting() -> Reports {
    let mut people = batch();
    (0..6).for_each(|_| people.persons_mut().push(0, &[], &[], None));
    people.close_round();
    let mut ledger = Ledger::new(false);
    [1, 3, 4]
        .into_iter()
        .for_each(|row| ledger.note_chosen(row));
    ledger.note_p(0.5);
    let mut reports = Reports::new("me");
    reports.await_chosen(7, &people, &ledger);
    reports
}

#[test]
fn a_policy_learns_of_those_it_chose_what_is_for_it_and_once() {
    let mut reports = awaiting();
    let mut batch = batch();
    for report in [
        report(1, None, 0.25, None),
        report(2, None, 0.5, None),
        report(3, Some("other"), 0.5, None),
        report(4, Some("me"), 0.75, None),
        report(1, None, 0.9, None),
    ] {
        batch.push_report(report);
    }
    batch.close_round();
    let mut seat = Listener::default();
    assert_eq!(
        reports.hear(&batch, 0, &mut seat, &mut Ledger::new(false)),
        None
    );
    let known = [(7, 1, 0.25, Some(0.5)), (7, 4, 0.75, Some(0.5))];
    assert_eq!(seat.learnt, known);
    assert!(seat.corrected.is_empty());
}

#[test]
fn a_correction_goes_to_who_learnt_the_outcome_as_it_was_reported() {
    for corrects in [true, false] {
        let mut reports = awaiting();
        let mut batch = batch();
        batch.push_report(report(1, None, 0.25, None));
        batch.push_report(report(4, Some("me"), 0.75, None));
        batch.close_round();
        for report in [
            report(1, None, 0.5, Some(0.25)),
            report(4, Some("me"), 1.0, Some(0.75)),
            // That it learnt from a report to all, and that it has not learnt.
            report(1, Some("me"), 0.1, Some(0.25)),
            report(3, None, 0.1, Some(0.2)),
        ] {
            batch.push_report(report);
        }
        batch.close_round();
        batch.close_round();
        batch.push_report(report(1, None, 0.6, Some(0.5)));
        batch.close_round();
        let mut seat = Listener {
            corrects,
            ..Listener::default()
        };
        let heard: Vec<_> = (0..4)
            .map(|at| reports.hear(&batch, at, &mut seat, &mut Ledger::new(false)))
            .collect();
        // How many it could not learn, in all.
        let lost = |count| (!corrects).then_some(count);
        assert_eq!(heard, [None, lost(2), None, lost(3)]);
        let known = [
            (7, 1, 0.5, Some(0.5), 0.25),
            (7, 4, 1.0, Some(0.5), 0.75),
            (7, 1, 0.6, Some(0.5), 0.5),
        ];
        assert_eq!((seat.corrected, seat.learnt.len()), (known.to_vec(), 2));
    }
}

#[test]
fn nothing_more_is_heard_of_those_who_are_settled() {
    let mut reports = awaiting();
    let mut batch = batch();
    batch.push_report(report(1, None, 0.25, None));
    batch.push_report(report(4, None, 0.5, None));
    // What comes before the same round is still heard.
    batch.settle(4);
    batch.close_round();
    for report in [
        report(1, None, 0.9, Some(0.25)),
        report(3, None, 0.9, None),
        report(4, None, 0.75, Some(0.5)),
    ] {
        batch.push_report(report);
    }
    batch.close_round();
    let mut seat = Listener {
        corrects: true,
        ..Listener::default()
    };
    for at in 0..2 {
        assert_eq!(
            reports.hear(&batch, at, &mut seat, &mut Ledger::new(false)),
            None
        );
    }
    let learnt = [(7, 1, 0.25, Some(0.5)), (7, 4, 0.5, Some(0.5))];
    assert_eq!(seat.learnt, learnt);
    assert_eq!(seat.corrected, [(7, 4, 0.75, Some(0.5), 0.5)]);
}

/// The first whose outcome is still waited for is not settled.
#[test]
fn one_who_is_not_settled_is_still_heard_of() {
    let mut reports = awaiting();
    let mut batch = batch();
    batch.settle(3);
    batch.close_round();
    batch.push_report(report(1, None, 0.25, None));
    batch.push_report(report(3, None, 0.5, None));
    batch.close_round();
    let mut seat = Listener::default();
    for at in 0..2 {
        assert_eq!(
            reports.hear(&batch, at, &mut seat, &mut Ledger::new(false)),
            None
        );
    }
    assert_eq!(seat.learnt, [(7, 3, 0.5, Some(0.5))]);
}
