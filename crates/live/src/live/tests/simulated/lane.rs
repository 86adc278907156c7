//! The acting lane: a rule, and a seat that is late at times.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::sleep;

use super::parts::Parts;
use super::rule::Rule;
use crate::live::notes::LaneForfeits;
use crate::live::stream::LiveStream;
use crate::watch::Stage;
use crate::watch::decisions::Unplaced;
use kleroterion_core::protocol::{Batch, Ending, Stop};
use kleroterion_core::source::Source;
use kleroterion_io::seat::Forfeits;
use kleroterion_io::trace::Decision;
use kleroterion_testkit::Chances;

/// Plays the stream to its end.
pub(super) async fn play(
    parts: Parts,
    mut stream: LiveStream,
    seat: LaneForfeits,
    mut chances: Chances,
) {
    let mut rule = Rule::default();
    let mut decided = BTreeMap::new();
    while let Ok(Some(batch)) = stream.next(64).await {
        for round in 0..batch.rounds() {
            let number = batch.round_number(round);
            for report in batch.reports(round) {
                rule.hear(report.person, report.value);
            }
            let is_late = seat.imposed(number, 0).unwrap_or_else(|| {
                let is_late = chances.one_in(8);
                if is_late {
                    seat.note(number, 0);
                }
                is_late
            });
            let id = id(&batch, round);
            let slots = rule.decide(&id, is_late);
            decided.insert(number, slots.clone());
            parts.decided.borrow_mut().insert(number, slots.clone());
            let decision = decision(number, id, &slots, is_late);
            let acting = &seat.notes.acting;
            acting.decided(0, [(number, slots.clone())]);
            parts.watched.decisions.hand(
                0,
                [Unplaced {
                    slots,
                    decision: decision.into(),
                }],
            );
            if chances.one_in(6) {
                sleep(Duration::from_millis(chances.below(30))).await;
            }
        }
    }
    seat.notes
        .acting
        .ended(0, &Stop::from(Ending::SourceFailed));
    parts.watched.decisions.end(0);
    parts.watched.enter(Stage::Over);
    seat.notes.end();
}

fn id(batch: &Batch, round: usize) -> String {
    let mut slate = batch.roster(round);
    let row = slate.next().expect("a slate of one");
    batch.persons().shown(row).id().to_string()
}

fn decision(round: u64, id: String, slots: &[u32], forfeit: bool) -> Decision {
    Decision {
        replication: 0,
        round,
        policy: "rule".into(),
        chosen: slots.iter().map(|_| id.clone()).collect(),
        shown: vec![id],
        groups: Vec::new(),
        declined: Vec::new(),
        forfeit,
        p: None,
        reason: Vec::new(),
        cost: 0.0,
        at: Vec::new(),
        ..Decision::default()
    }
}

/// Notes each decision that is shown, once the recorder says that it is committed.
pub(super) async fn show(parts: Parts) {
    let mut acted = parts.watched.watch_acted();
    let mut shown = 0;
    while acted.changed().await.is_ok() {
        let until = *acted.borrow_and_update();
        if !parts.disk.has_power() {
            return;
        }
        let decided = parts.decided.borrow().clone();
        parts.promises.with(|promised| {
            for (round, slots) in decided.range(shown + 1..=until) {
                let before = promised.shown.insert(*round, slots.clone());
                if before.is_some_and(|before| before != *slots) {
                    let what = format!("round {round} was shown otherwise before");
                    promised.wrong.get_or_insert(what);
                }
            }
        });
        shown = until;
        parts.hold_at_worst();
    }
}
