//! Batches made by hand, read back.

use super::super::schema::Schema;
use super::*;

fn batch() -> Batch {
    Batch::new(Arc::new(Schema::default()), 5, 0)
}

fn push(batch: &mut Batch, persons: usize) {
    (0..persons).for_each(|_| batch.persons_mut().push(0, &[], &[], None));
}

fn report(person: u64, policy: Option<&str>, value: f64, before: Option<f64>) -> Report {
    Report {
        person,
        policy: policy.map(Into::into),
        value,
        corrects: before.map(|before| Correction {
            before,
            about: Arc::new(Persons::new(Arc::new(Schema::default()), person)),
        }),
    }
}

fn values(batch: &Batch, round: usize) -> Vec<(u64, f64)> {
    let reports = batch.reports(round);
    reports
        .map(|report| (report.person, report.value))
        .collect()
}

#[test]
fn rounds_of_one_size_are_closed_as_far_as_persons_fill_them() {
    let mut batch = batch();
    push(&mut batch, 2);
    batch.close_round();
    push(&mut batch, 7);
    batch.close_rounds(3);
    assert_eq!(batch.rounds(), 3);
    let rosters: Vec<_> = (0..3).map(|round| batch.roster(round)).collect();
    assert_eq!(rosters, [0..2, 2..5, 5..8]);
    // The one who is left over comes with the two of the next.
    push(&mut batch, 2);
    batch.close_rounds(3);
    assert_eq!((batch.rounds(), batch.roster(3)), (4, 8..11));
    assert_eq!(batch.rosters(1..3).collect::<Vec<_>>(), [2..5, 5..8]);
    assert_eq!(
        format!("{batch:?}"),
        "Batch { first_round: 5, rounds: 4, persons: 11, .. }"
    );
}

#[test]
fn a_correction_takes_the_place_of_a_report_of_the_same_round_alone() {
    let mut batch = batch();
    batch.push_report(report(1, None, 0.1, None));
    batch.push_report(report(1, Some("a"), 0.2, None));
    batch.push_report(report(2, None, 0.3, None));
    batch.push_report(report(1, None, 0.4, Some(0.1)));
    batch.close_round();
    batch.close_round();
    // Its report came before another round, so that it is heard as a correction.
    batch.push_report(report(2, None, 0.5, Some(0.3)));
    batch.push_report(report(3, None, 0.6, None));
    batch.push_report(report(3, Some("a"), 0.7, Some(0.6)));
    batch.push_report(report(2, None, 0.8, Some(0.5)));
    batch.close_round();
    batch.close_round();
    assert_eq!(values(&batch, 0), [(1, 0.4), (1, 0.2), (2, 0.3)]);
    assert_eq!(values(&batch, 1), []);
    assert_eq!(values(&batch, 2), [(2, 0.8), (3, 0.6), (3, 0.7)]);
    assert_eq!(values(&batch, 3), []);
    let corrects = batch.reports(2).map(|report| report.corrects.is_some());
    assert_eq!(corrects.collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn what_is_waited_for_only_rises() {
    let mut batch = batch();
    batch.settle(0);
    batch.close_round();
    batch.settle(4);
    batch.settle(4);
    batch.settle(3);
    batch.close_round();
    batch.close_round();
    batch.settle(9);
    batch.close_round();
    let settled: Vec<_> = (0..4).map(|round| batch.settled(round)).collect();
    assert_eq!(settled, [None, Some(4), Some(4), Some(9)]);
    assert_eq!(batch.settled.len(), 2);
}

#[test]
fn truths_and_records_are_those_of_their_rows() {
    let mut batch = batch();
    assert_eq!((batch.merits(), batch.record(0)), (&[][..], &[][..]));
    push(&mut batch, 3);
    for (merit, scores) in [(0.5, &[7.0, 8.0][..]), (0.25, &[]), (0.75, &[9.0])] {
        batch.push_merit(merit);
        batch.push_record(scores);
    }
    batch.close_round();
    assert_eq!(batch.merits(), [0.5, 0.25, 0.75]);
    assert_eq!(batch.record(0), [7.0, 8.0]);
    assert!(batch.record(1).is_empty());
    assert_eq!(batch.record(2), [9.0]);
    assert!(batch.record(3).is_empty());
}

#[test]
#[should_panic = "all persons have a truth, or none"]
fn a_person_without_the_truth_that_others_have_is_refused() {
    let mut batch = batch();
    push(&mut batch, 2);
    batch.push_merit(0.5);
    batch.close_round();
}

#[test]
#[should_panic = "all persons have a record, or none"]
fn a_person_without_the_record_that_others_have_is_refused() {
    let mut batch = batch();
    push(&mut batch, 2);
    batch.push_record(&[0.5]);
    batch.close_rounds(1);
}
