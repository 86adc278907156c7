//! The last decision of a glance, and the policy from which differences are shown.

use std::ops::Range;
use std::sync::Arc;

use super::*;
use crate::watch::decisions::Unplaced;
use kleroterion_core::protocol::Schema;
use kleroterion_io::trace::Decision;
use kleroterion_stats::{Judge, Versus};

/// A run of three policies, the first of which is a yardstick.
fn watched(acting: Option<usize>) -> Watched {
    let judge = Judge {
        metrics: vec!["selection_rate".into()],
        versus: Versus::Everyone,
        alpha: 0.05,
        yardsticks: vec!["all".into()],
        ..Judge::default()
    };
    let labels = ["all", "queue", "lottery"].map(Arc::from).into();
    Watched::new(
        "t".into(),
        Arc::new(Schema::default()),
        labels,
        acting,
        judge,
    )
}

/// Has a lane choose ann in these rounds.
fn decide(watched: &Watched, lane: usize, rounds: Range<u64>) {
    for round in rounds {
        let decision = Decision {
            round,
            policy: (&*watched.labels[lane]).into(),
            shown: vec!["ann".into()],
            chosen: vec!["ann".into()],
            ..Decision::default()
        };
        let slots = vec![0];
        watched.decisions.hand(
            lane,
            [Unplaced {
                slots,
                decision: decision.into(),
            }],
        );
    }
}

#[test]
fn the_last_decision_goes_on_when_the_acting_policy_has_ended() {
    let watched = watched(Some(1));
    for lane in 0..3 {
        decide(&watched, lane, 1..4);
    }
    watched.note_acted(2);
    let newest = || last(&watched).expect("a round");
    assert_eq!(newest(), "round 2, ann: every policy chooses");
    watched.note_acted(3);
    watched.decisions.end(1);
    for lane in [0, 2] {
        decide(&watched, lane, 4..7);
    }
    assert_eq!(newest(), "round 6, ann: every policy chooses");
}

#[test]
fn differences_are_from_the_acting_policy_or_from_no_yardstick() {
    assert_eq!(against(&watched(None)), Some("queue"));
    assert_eq!(against(&watched(Some(2))), Some("lottery"));
}
