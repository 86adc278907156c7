//! A policy whose outcomes were corrected decides as one that got the right ones at once.

use super::world::Player;
use super::*;
use crate::Policy;
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::protocol::{Outcome, Slate, Truth};
use kleroterion_core::source::LinearStream;

const ROUNDS: u64 = 120;
/// Wrong outcomes are delivered up to this round, and corrected before the next.
const WRONG: u64 = 60;

/// The choices of one that got the right outcomes at once, and of one that got others first;
/// the latter's are the same from the round on that this gives.
fn choices(world: &World, make: &dyn Fn() -> Player, seed: u64) -> [Vec<u32>; 2] {
    let key = Key::new(41, seed);
    let mut stream = LinearStream::new(world.groups(), key, world.slate() as u32);
    let batch = stream.next_batch(ROUNDS as usize * world.slate()).unwrap();
    let [mut right, mut wrong] = [make(), make()];
    let mut told = Vec::new();
    let mut choices = [Vec::new(), Vec::new()];
    for round in 0..batch.rounds() {
        let number = batch.round_number(round);
        let slate = Slate::new(&batch, round, None);
        let truth = Truth::new(&batch, slate);
        if number == WRONG + 1 {
            // In another order than they were delivered.
            for (decided, row, value, before) in told.drain(..).rev() {
                let person = batch.persons().shown(row);
                let p = None;
                let outcome = Outcome::new(decided, person, value, p);
                wrong.correct(&outcome, before);
            }
        }
        choices[0].push(right.choose(number, slate, &truth, key));
        choices[1].push(wrong.choose(number, slate, &truth, key));
        // Whoever was chosen, they hear of the same people.
        let slot = (number % u64::from(slate.len())) as u32;
        let row = batch.roster(round).start + slot;
        let mut draw = key.draw(Purpose::Outcome, u64::from(row), 0);
        let value = truth.merit(slot).unwrap() + draw.normal();
        let before = if number <= WRONG {
            3.0 * draw.normal()
        } else {
            value
        };
        for (player, value) in [(&mut right, value), (&mut wrong, before)] {
            player.learn(&Outcome::new(
                number,
                batch.persons().shown(row),
                value,
                None,
            ));
        }
        if number <= WRONG {
            told.push((number, row, value, before));
        }
    }
    choices
}

#[test]
fn a_correction_leaves_no_trace_of_what_was_told_first() {
    let world = World::s6();
    let oful = |bonus| Oful::new(world.contexts(), 0.1, bonus).unwrap();
    let make: [(&str, &dyn Fn() -> Player); 5] = [
        ("ridge_greedy", &|| {
            RidgeGreedy::new(world.contexts(), 0.1).unwrap().into()
        }),
        ("oful", &|| oful(Bonus::Authors { ec: 1.0 }).into()),
        ("oracle_cdf", &|| {
            let oracle = OracleCdf::new(world.contexts(), 0.1, world.cdf()).unwrap();
            Player::Sighted(Box::new(oracle))
        }),
        ("fair_greedy", &|| fair_greedy(&world).into()),
        ("fair_greedy_all", &|| fair_greedy_all(&world).into()),
    ];
    for (name, make) in make {
        let mut parted = 0;
        for seed in 0..8 {
            let [right, wrong] = choices(&world, make, seed);
            // Fair-Greedy draws its noise anew in every second round.
            let after = WRONG as usize + 2;
            assert_eq!(right[after..], wrong[after..], "{name}, seed {seed}");
            parted += usize::from(right[..after] != wrong[..after]);
        }
        assert!(parted > 0, "{name} learns nothing");
    }
}

#[test]
fn a_replaced_reward_is_as_if_it_had_been_observed() {
    let mut draw = Key::new(5, 0).draw(Purpose::World, 0, 0);
    let (mut plain, mut replaced) = (Ridge::new(6, 0.1), Ridge::new(6, 0.1));
    let mut told = Vec::new();
    for _ in 0..200 {
        let x: Vec<f64> = (0..6).map(|_| draw.normal()).collect();
        let (first, then) = (draw.normal(), draw.normal());
        plain.observe(&x, then);
        replaced.observe(&x, first);
        told.push((x, first, then));
    }
    let far = |a: &Ridge, b: &Ridge| {
        let (a, b) = (a.estimate(), b.estimate());
        let far = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
        far.fold(0.0, f64::max)
    };
    assert!(far(&plain, &replaced) > 1e-3);
    for (x, first, then) in &told {
        replaced.replace(x, *first, *then);
    }
    // One that was left out, and one that would be.
    replaced.replace(&[f64::MAX; 6], 1.0, 2.0);
    replaced.replace(&[1.0; 6], 1.0, f64::INFINITY);
    assert!(far(&plain, &replaced) < 1e-12, "{}", far(&plain, &replaced));
    assert_eq!(plain.log_det(), replaced.log_det());
}

#[test]
fn who_learns_from_no_outcome_can_be_corrected_and_who_does_not_say_so_can_not() {
    struct Silent;
    impl Policy for Silent {
        fn act(
            &mut self,
            _: &mut kleroterion_core::protocol::View<'_>,
        ) -> kleroterion_core::protocol::Move {
            kleroterion_core::protocol::Move::pass()
        }
    }
    assert!(!Silent.corrects());
    assert!(UniformChoice.corrects());
}
