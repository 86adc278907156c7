use proptest::prelude::*;

use super::*;
use crate::watch::decisions::Unplaced;
use kleroterion_core::protocol::{Ending, Schema};
use kleroterion_io::trace::Decision;
use kleroterion_stats::Judge;

const LABELS: [&str; 3] = ["c", "a", "b"];

/// Lane 2 acts, and lane 0 where that breaks off; programs play.
fn acting(noted: u64) -> Acting {
    let actors = Actors {
        labels: LABELS.map(Arc::from).into(),
        acting: Some(2),
        fallback: Some(0),
        are_noted: true,
    };
    let mut watched = Watched::new(
        "r".into(),
        Arc::new(Schema::default()),
        actors.labels.clone(),
        actors.acting,
        Judge::default(),
    );
    watched.decisions.fallback = actors.fallback;
    let outcomes = Arc::clone(&watched.outcomes);
    Acting::new(actors, Arc::new(watched), outcomes, noted)
}

fn slots(lane: usize, round: u64) -> Vec<u32> {
    (0..(lane as u64 + round) as u32 % 3).collect()
}

fn stop(breaks_off: bool) -> Stop {
    Stop::from(match breaks_off {
        true => Ending::Left,
        false => Ending::Horizon,
    })
}

/// What a lane says next: rounds, or its end; first to the acting room, then to those who watch.
#[derive(Clone)]
enum Saying {
    Rounds(u64, u64),
    End(Stop),
}

fn acts(acting: &Acting, lane: usize, saying: &Saying) {
    match saying {
        Saying::Rounds(from, to) => {
            acting.decided(lane, (*from..=*to).map(|round| (round, slots(lane, round))));
        }
        Saying::End(stop) => acting.ended(lane, stop),
    }
}

fn is_seen(acting: &Acting, lane: usize, saying: &Saying) {
    let decisions = &acting.watched.decisions;
    match saying {
        Saying::Rounds(from, to) => {
            let unplaced = |round| Unplaced {
                slots: slots(lane, round),
                decision: Decision {
                    round,
                    ..Decision::default()
                }
                .into(),
            };
            decisions.hand(lane, (*from..=*to).map(unplaced));
        }
        Saying::End(stop) => {
            acting.watched.end(lane, stop.clone());
            decisions.end(lane);
        }
    }
}

proptest! {
    /// Each lane says what it does to the acting room, then to those who watch, and only then goes
    /// on; between any two of these other lanes may come.
    #[test]
    fn the_fallback_acts_from_where_the_acting_lane_broke_off_in_any_interleaving(
        ends in [0u64..20, 0u64..20, 0u64..20],
        breaks_off: bool,
        fallback_breaks_off: bool,
        steps in prop::collection::vec((0usize..3, 1u64..6), 0..60),
    ) {
        let acting = acting(0);
        let (mut at, mut has_ended) = ([0_u64; 3], [false; 3]);
        let mut half: [Option<Saying>; 3] = [None, None, None];
        let (mut counted, mut shown, mut ended) = (Vec::new(), 0, None);
        let rest = (0..3).flat_map(|lane| [(lane, 99); 5]);
        for (lane, step) in steps.iter().copied().chain(rest) {
            if let Some(saying) = half[lane].take() {
                is_seen(&acting, lane, &saying);
            } else if !has_ended[lane] {
                let to = (at[lane] + step).min(ends[lane]);
                has_ended[lane] = at[lane] == to;
                let saying = match has_ended[lane] {
                    false => Saying::Rounds(at[lane] + 1, to),
                    true => Saying::End(stop(match lane {
                        0 => fallback_breaks_off,
                        _ => breaks_off && lane == 2,
                    })),
                };
                at[lane] = to;
                acts(&acting, lane, &saying);
                half[lane] = Some(saying);
            }
            let news = acting.take();
            counted.extend(news.counted);
            prop_assert!(news.shown.is_none_or(|round| round > shown));
            shown = news.shown.unwrap_or(shown);
            ended = news.ended;
            // What all have decided before those who watch see it is at most what they see then.
            let playing = (0..3).filter(|lane| !has_ended[*lane]).map(|lane| at[lane]).min();
            let all = at.iter().max().copied();
            prop_assert_eq!(shown, playing.or(all).unwrap_or(0));
        }
        prop_assert!(has_ended.iter().all(|ended| *ended) && half.iter().all(Option::is_none));
        let of = |lane: usize, by: Option<&str>, round| Counted {
            round,
            slots: slots(lane, round),
            by: by.map(Arc::from),
        };
        let own: Vec<_> = (1..=ends[2]).map(|round| of(2, None, round)).collect();
        let others = (ends[2] + 1..=ends[0]).map(|round| of(0, Some("c"), round));
        let others: Vec<_> = others.filter(|_| breaks_off).collect();
        let from = others.first().map(|counted| counted.round);
        prop_assert_eq!(acting.state().taken_over, from);
        prop_assert_eq!(counted, [own, others].concat());
        prop_assert_eq!(ended, Some(stop(breaks_off && fallback_breaks_off)));
        let seen = acting.watched.decisions.since(0, usize::MAX);
        prop_assert_eq!(seen.len() as u64, ends.iter().sum::<u64>());
        for event in seen {
            let actor = if from.is_some_and(|from| event.round() >= from) { 0 } else { 2 };
            prop_assert_eq!(event.acts, event.lane == actor);
        }
        let known = match (breaks_off, fallback_breaks_off) {
            (false, _) => Acts::Done(2, stop(false)),
            (true, false) => Acts::TakenOver { lane: 0, from: ends[2] + 1, stop: stop(true) },
            (true, true) => Acts::Broken { lane: 0, from: ends[0] + 1, stop: stop(true) },
        };
        prop_assert_eq!(acting.watched.acts(), known);
    }
}

#[test]
fn the_decision_that_counts_waits_for_no_other_lane() {
    let acting = acting(0);
    let says = |lane: usize, saying: Saying| {
        acts(&acting, lane, &saying);
        is_seen(&acting, lane, &saying);
        let counted = acting.take().counted.into_iter();
        counted.map(|counted| counted.round).collect::<Vec<_>>()
    };
    let lanes = |round| {
        let of_it = acting.watched.decisions.so_far(round)?;
        let of_it = of_it.iter().map(|told| (told.lane, told.acts));
        Some(of_it.collect::<Vec<_>>())
    };
    assert!(says(1, Saying::Rounds(1, 1)).is_empty());
    assert_eq!(lanes(1), None);
    assert_eq!(says(2, Saying::Rounds(1, 2)), [1, 2]);
    assert_eq!(lanes(1), Some(vec![(1, false), (2, true)]));
    assert_eq!(lanes(2), Some(vec![(2, true)]));
    assert_eq!(
        (lanes(3), acting.watched.decisions.of_round(1)),
        (None, None)
    );
    // From where it broke off on the fallback's count, and wait for none either.
    assert!(says(2, Saying::End(stop(true))).is_empty());
    assert_eq!(says(0, Saying::Rounds(1, 3)), [3]);
    assert_eq!(lanes(3), Some(vec![(0, true)]));
    assert_eq!(lanes(1), Some(vec![(1, false), (2, true), (0, false)]));
    assert_eq!(acting.take().ended, None);
    assert!(says(0, Saying::End(stop(false))).is_empty());
    assert_eq!(acting.take().ended, Some(stop(false)));
}

/// A decision may be committed before those who watch have it: they look again once they do.
#[test]
fn who_waits_for_the_decision_that_counts_wakes_when_it_is_seen() {
    let acting = acting(0);
    let mut news = acting.watched.decisions.watch();
    let saying = Saying::Rounds(1, 1);
    acts(&acting, 2, &saying);
    assert_eq!(acting.take().counted.len(), 1);
    acting.watched.note_acted(1);
    assert_eq!(acting.watched.decisions.so_far(1), None);
    news.mark_unchanged();
    is_seen(&acting, 2, &saying);
    assert!(news.has_changed().is_ok_and(|changed| changed));
    let seen = acting.watched.decisions.so_far(1).expect("it is there");
    assert!(seen[0].acts && acting.watched.may_tell(&seen[0]));
}

#[test]
fn what_the_journal_says_of_all_lanes_is_not_said_again() {
    let acting = acting(5);
    for lane in 0..3 {
        acts(&acting, lane, &Saying::Rounds(1, 5));
    }
    assert_eq!(acting.take().shown, None);
    for lane in 0..3 {
        assert_eq!(acting.take().shown, None);
        acts(&acting, lane, &Saying::Rounds(6, 6 + lane as u64));
    }
    assert_eq!((acting.take().shown, acting.take().shown), (Some(6), None));
}

#[tokio::test]
async fn who_records_is_woken_when_the_acting_lane_has_acted() {
    let acting = acting(0);
    let waiting = async {
        acting.news().await;
        acting.take().counted.len()
    };
    let saying = async {
        tokio::task::yield_now().await;
        acts(&acting, 2, &Saying::Rounds(1, 1));
    };
    let both = async { tokio::join!(waiting, saying).0 };
    let counted = tokio::time::timeout(std::time::Duration::from_secs(60), both).await;
    assert_eq!(counted, Ok(1));
}
