//! The view's contents and a policy's notes, by hand.

use std::sync::Arc;

use super::super::schema::Schema;
use super::*;
use crate::draw::{Key, Purpose};

#[test]
fn a_file_holds_the_mean_by_gain() {
    let mut file = LookStats::default();
    for (value, gain) in [(1.0, 1.0), (3.0, 3.0), (-2.0, 4.0)] {
        file.add(value, gain);
    }
    let known = LookStats {
        looks: 3,
        weight: 8.0,
        mean: 0.25,
    };
    assert_eq!(file, known);
}

#[test]
fn a_slate_is_a_roster_or_those_of_it_who_applied() {
    let mut batch = Batch::new(Arc::new(Schema::default()), 1, 7);
    (0..5).for_each(|_| batch.persons_mut().push(0, &[], &[], None));
    batch.close_rounds(5);
    let numbers = |slate: Slate<'_>| {
        slate
            .candidates()
            .map(|who| who.number())
            .collect::<Vec<_>>()
    };
    let whole = Slate::new(&batch, 0, None);
    assert_eq!((whole.len(), whole.is_empty()), (5, false));
    assert_eq!(numbers(whole), [7, 8, 9, 10, 11]);
    let some = whole.showing(&[4, 1]);
    assert_eq!((some.len(), numbers(some)), (2, vec![11, 8]));
    assert_eq!((some.row(0), some.position(1)), (4, 1));
    let none = Slate::new(&batch, 0, Some(&[]));
    assert_eq!((none.len(), none.is_empty()), (0, true));
}

#[test]
fn an_outcome_is_read_back() {
    let mut batch = Batch::new(Arc::new(Schema::default()), 1, 7);
    (0..2).for_each(|_| batch.persons_mut().push(0, &[], &[], None));
    let person = batch.persons().shown(1);
    for p in [None, Some(0.25)] {
        let outcome = Outcome::new(3, person, 0.5, p);
        let read = (outcome.decided(), outcome.value(), outcome.p());
        assert_eq!((outcome.person().number(), read), (8, (3, 0.5, p)));
    }
}

/// The reasons of a policy are kept if they are requested, and only if they are finite numbers.
#[test]
fn reasons_are_kept_where_they_are_traced() {
    let batch = Batch::new(Arc::new(Schema::default()), 1, 0);
    let mut draw = Key::new(1, 0).draw(Purpose::World, 0, 0);
    for traced in [false, true] {
        let mut notes = ViewNotes {
            traced,
            ..ViewNotes::default()
        };
        let mut view = View::of(ViewParts {
            round: 3,
            slate: Slate::of(batch.persons(), 0..0, None),
            places: Places { min: 0, max: 1 },
            places_left: Some(2),
            looks_left: 4,
            money_left: 5.0,
            files: &[],
            answers: &[],
            draw: &mut draw,
            notes: &mut notes,
        });
        view.reason(|| [("a", 1.0), ("b", f64::NAN)]);
        let said = view.0.notes.reason.clone();
        assert_eq!(said, vec![(Cow::Borrowed("a"), 1.0); usize::from(traced)]);
        view.reason_instead(|| [("c", 2.0)]);
        view.reason(|| vec![(format!("d{}", 1), 3.0), ("e".into(), f64::INFINITY)]);
        let inner = view.showing(Slate::of(batch.persons(), 0..0, None), &[], &[]);
        assert_eq!(
            (inner.round(), inner.places_left(), inner.looks_left()),
            (3, Some(2), 4)
        );
        let left = inner.money_left();
        assert_eq!((left, view.money_left()), (5.0, 5.0));
        let known: &[(Cow<'static, str>, f64)] = match traced {
            true => &[(Cow::Borrowed("c"), 2.0), (Cow::Borrowed("d1"), 3.0)],
            false => &[],
        };
        assert_eq!((&*notes.reason, notes.any()), (known, traced));
        notes.repeat(vec![], vec![("e".into(), 4.0)]);
        assert_eq!(
            (notes.any(), notes.reason.len()),
            (traced, usize::from(traced))
        );
        notes.repeat(vec![("m".into(), 1.0)], vec![]);
        assert_eq!((notes.any(), notes.measures.len()), (true, 1));
        notes.repeat(vec![], vec![]);
        assert!(!notes.any() && notes.measures.is_empty() && notes.reason.is_empty());
    }
}
