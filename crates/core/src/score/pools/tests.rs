//! The scorer of pools against numbers worked out by hand.

use std::sync::Arc;

use super::*;
use crate::protocol::{Attribute, Batch, Ending, Ledger, Stop};
use crate::score::{LaneResult, Moments, OwnAim, Scoreboard};

/// The people who could apply: group and score.
type People = [(u16, f64)];

/// A round as played: the applicants and the admitted, by their place among the people; theta; the
/// declared shares.
struct Played<'a> {
    applied: &'a [u32],
    admitted: &'a [u32],
    theta: &'a [f64],
    declared: Option<&'a [f64]>,
}

/// Plays rounds in each of which the same people could apply.
fn lane(
    groups: &[&str],
    people: &People,
    rounds: &[Played<'_>],
    aim: Option<PoolAim>,
) -> LaneResult {
    lane_of(groups, people, rounds, aim, None)
}

fn schema(groups: &[&str]) -> Arc<Schema> {
    let attribute = |name: &str, values: &[&str]| Attribute {
        name: name.into(),
        values: values.iter().map(|&value| value.into()).collect(),
    };
    // The groups are not the first attribute.
    let attributes = vec![attribute("other", &["x", "y"]), attribute("side", groups)];
    Arc::new(Schema::new(attributes, vec![], true).unwrap())
}

/// Plays rounds of a policy with an aim of its own.
fn lane_of(
    groups: &[&str],
    people: &People,
    rounds: &[Played<'_>],
    aim: Option<PoolAim>,
    own: Option<PoolAim>,
) -> LaneResult {
    let schema = schema(groups);
    let mut batch = Batch::new(Arc::clone(&schema), 1, 0);
    let mut ledger = Ledger::new(true);
    for (round, played) in rounds.iter().enumerate() {
        for &(group, score) in people {
            let values = [1, group];
            let cell = schema.cell(&values);
            batch.persons_mut().push(cell, &values, &[], Some(score));
        }
        batch.close_round();
        ledger.note_muster(played.applied, played.theta);
        for place in played.admitted {
            ledger.note_chosen((round * people.len()) as u32 + place);
        }
        if let Some(shares) = played.declared {
            ledger.note_declared(shares.into());
        }
        ledger.commit();
    }
    let moments = Moments::Rounds((1..=rounds.len() as u64).collect());
    let own = own.and_then(|own| OwnAim::new(&schema, 1, own, aim.as_ref()));
    let mut scorers: Vec<Box<dyn Scorer>> = vec![Box::new(Pools::new(&schema, 1, aim))];
    scorers.extend(own.map(|own| Box::new(own) as Box<dyn Scorer>));
    let mut board = Scoreboard::new(scorers, moments);
    board.record(&batch, &ledger);
    board.end(0, &crate::protocol::Ending::Horizon.into());
    board.finish(Stop::from(Ending::Horizon))
}

#[track_caller]
fn holds(lane: &LaneResult, expected: &[(&str, Option<f64>)]) {
    for (metric, value) in expected {
        let found = lane.at_end(metric);
        let close = |(a, b): (f64, f64)| (a - b).abs() < 1e-12;
        assert!(
            found.is_some() == value.is_some() && found.zip(*value).is_none_or(close),
            "{metric}: {found:?} for {value:?}"
        );
    }
}

fn toward(target: &[f64], steered: usize, lambda: Option<f64>) -> Option<PoolAim> {
    let target = target.to_vec();
    Some(PoolAim {
        target,
        steered,
        lambda,
    })
}

const TWO: [(u16, f64); 5] = [(0, 3.0), (1, 5.0), (1, 1.0), (0, 2.0), (0, 7.0)];

const ROUNDS: [Played<'_>; 3] = [
    // a = 1/2: off by .1; a score of 4.
    Played {
        applied: &[0, 1, 2, 3],
        admitted: &[0, 1],
        theta: &[0.1, 0.9],
        declared: None,
    },
    // Near the target by the end of round 1; no person is admitted, so neither loss nor reward has a
    // round.
    Played {
        applied: &[0, 2, 3],
        admitted: &[],
        theta: &[0.395, 0.605],
        declared: None,
    },
    // All of u, whatever share the policy declared: off by .6; a score of 4.5.
    Played {
        applied: &[0, 2, 3, 4],
        admitted: &[3, 4],
        theta: &[0.6, 0.4],
        declared: Some(&[0.7, 0.3]),
    },
];

#[test]
fn measures_of_three_rounds_by_hand() {
    let lane = lane(
        &["u", "v"],
        &TWO,
        &ROUNDS,
        toward(&[0.4, 0.6], 0, Some(2.0)),
    );
    holds(
        &lane,
        &[
            ("pool_share.u", Some(0.6)),
            ("pool_share.v", Some(0.4)),
            ("applicant_share.u", Some(0.75)),
            ("admitted_share.u", Some(1.0)),
            ("admitted_share.v", Some(0.0)),
            ("greedy_reward", Some((4.0 + 4.5) / 2.0)),
            ("admitted_score.u", Some((3.0 + 2.0 + 7.0) / 3.0)),
            ("admitted_score.v", Some(5.0)),
            ("fairness_loss", Some((0.01 + 0.36) / 2.0)),
            ("utility", Some((4.0 + 4.5) - 2.0 * (0.01 + 0.36))),
            ("rounds_to_target", Some(1.0)),
        ],
    );
    let at = |metric: &str, round| {
        let row = lane.rows();
        let mut row = row.filter(|row| &*row.metric == metric && row.at == Some(round));
        row.next().map(|row| row.value)
    };
    assert_eq!(at("rounds_to_target", 1), None);
    assert_eq!(at("rounds_to_target", 2), Some(1.0));
    assert_eq!(at("greedy_reward", 2), Some(4.0));
    assert_eq!(at("applicant_share.u", 2), Some(2.0 / 3.0));
    assert_eq!(at("admitted_share.u", 2), None);
}

#[test]
fn three_groups_lose_half_the_sum_of_squares_and_the_steered_one_is_looked_at() {
    let people = [(0, 1.0), (1, 2.0), (2, 3.0), (2, 4.0)];
    let round = Played {
        applied: &[0, 1, 2, 3],
        admitted: &[0, 1, 2, 3],
        theta: &[0.2, 0.49, 0.31],
        declared: None,
    };
    let lane = lane(
        &["u", "v", "w"],
        &people,
        &[round],
        toward(&[0.5, 0.5, 0.0], 1, None),
    );
    // a = 1/4, 1/4, 1/2.
    let loss = (0.25 * 0.25 + 0.25 * 0.25 + 0.5 * 0.5) / 2.0;
    holds(
        &lane,
        &[
            ("fairness_loss", Some(loss)),
            ("rounds_to_target", Some(0.0)),
            ("admitted_score.w", Some(3.5)),
            ("utility", None),
        ],
    );
}

#[test]
fn what_never_was_has_no_value() {
    let nothing_wanted = lane(&["u", "v"], &TWO, &ROUNDS, None);
    let names = ["fairness_loss", "utility", "rounds_to_target"];
    holds(&nothing_wanted, &names.map(|name| (name, None)));
    holds(&nothing_wanted, &[("greedy_reward", Some(4.25))]);
    let nobody = lane(
        &["u", "v"],
        &TWO,
        &ROUNDS[1..2],
        toward(&[0.9, 0.1], 0, Some(1.0)),
    );
    let names = [
        "greedy_reward",
        "fairness_loss",
        "rounds_to_target",
        "admitted_score.u",
    ];
    holds(&nobody, &names.map(|name| (name, None)));
    let pool = ("pool_share.u", Some(0.395));
    holds(&nobody, &[pool, ("utility", None)]);
}

/// A policy's own aim is measured under names of its own, and changes nothing else.
#[test]
fn an_aim_of_the_policys_own_has_names_of_its_own() {
    let of_run = || toward(&[0.4, 0.6], 0, Some(2.0));
    let play = |of_run, own| lane_of(&["u", "v"], &TWO, &ROUNDS, of_run, own);
    let names = ["own_fairness_loss", "own_utility", "rounds_to_own_target"];
    let is_own = |lane: &LaneResult| names.map(|name| lane.at_end(name).is_some());
    let plain: Vec<_> = play(of_run(), None).rows().collect();
    let schema = schema(&["u", "v"]);
    for (own, has) in [
        (of_run(), [false; 3]),
        // The same target, named by the other group.
        (toward(&[0.4, 0.6], 1, None), [false; 3]),
        (toward(&[0.4, 0.6], 0, Some(3.0)), [false, true, false]),
        (toward(&[0.6, 0.4], 0, None), [true, false, true]),
        (toward(&[0.6, 0.4], 0, Some(2.0)), [true; 3]),
    ] {
        let own_again = own.clone();
        let lane = play(of_run(), own);
        assert_eq!(is_own(&lane), has);
        let others = lane.rows().filter(|row| !names.contains(&&*row.metric));
        assert_eq!(others.collect::<Vec<_>>(), plain);
        let (own, of_run) = (own_again.unwrap(), of_run());
        let named: Vec<String> = OwnAim::metrics(&schema, &own, of_run.as_ref()).collect();
        let due = names.iter().zip(has).filter(|(_, has)| *has);
        assert_eq!(named, due.map(|(name, _)| *name).collect::<Vec<_>>());
    }
    let alone = play(None, toward(&[0.6, 0.4], 0, Some(2.0)));
    holds(
        &alone,
        &[
            ("fairness_loss", None),
            ("own_fairness_loss", Some((0.01 + 0.16) / 2.0)),
            ("own_utility", Some(8.5 - 2.0 * 0.17)),
            ("rounds_to_own_target", Some(2.0)),
        ],
    );
}

#[test]
fn the_share_of_a_group_is_of_those_who_are_there() {
    let schema = schema(&["u", "v", "w"]);
    let mut batch = Batch::new(Arc::clone(&schema), 1, 0);
    for group in [0, 1, 1, 2] {
        let values = [1, group];
        let cell = schema.cell(&values);
        batch.persons_mut().push(cell, &values, &[], Some(0.0));
    }
    batch.close_round();
    let share = |group: usize, rows: &[u32]| {
        let people = rows.iter().map(|row| batch.persons().shown(*row));
        share_of(group, 1, people)
    };
    assert_eq!(
        [0, 1, 2].map(|group| share(group, &[0, 1, 2, 3])),
        [0.25, 0.5, 0.25].map(Some)
    );
    assert_eq!(
        [0, 1, 2].map(|group| share(group, &[1, 2])),
        [0.0, 1.0, 0.0].map(Some)
    );
    assert_eq!(share(0, &[]), None);
}
