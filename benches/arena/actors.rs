//! The inline limit and the arena itself: the same lanes and scorers, without and with tasks and
//! channels.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kleroterion::arena::{Arena, Carrier, LaneSpec, LaneState, Need};
use kleroterion::feedback::Answers;
use kleroterion::protocol::{Ending, Ledger};
use tokio::runtime::Runtime;

use crate::world::{Contender, Score, World};

/// Plays the stream to some policies in one loop.
pub fn play_inline(world: &World, contenders: &[Contender], persons: usize) -> Vec<Score> {
    let mut source = world.source();
    let start = |contender: &Contender| {
        let rules = Arc::clone(&world.rules);
        let state = LaneState::new(rules, world.key, contender.label, false, false);
        let lane = contender.prototype.lane(state).expect("it can begin");
        (lane, world.scoreboard())
    };
    let mut lanes: Vec<_> = contenders.iter().map(start).collect();
    let mut playing = true;
    while playing {
        let batch = Arc::new(source.next_batch(persons));
        for (lane, scoreboard) in &mut lanes {
            let mut ledger = Ledger::new(false);
            // All lanes end in the same round.
            playing = lane.play_guarded(&batch, &mut ledger) == Need::Batch;
            scoreboard.record(&batch, &ledger);
        }
    }
    let ended = lanes.into_iter().map(|(_, scoreboard)| scoreboard);
    ended
        .map(|scoreboard| world.score(&scoreboard.finish(Ending::Horizon.into())))
        .collect()
}

/// The arena in which some policies meet the stream.
pub fn arena<'a>(world: &World, contenders: &'a [Contender], persons: usize) -> Arena<'a> {
    let lanes = contenders.iter().map(|contender| LaneSpec {
        label: contender.label,
        rules: Arc::clone(&world.rules),
        prototype: &*contender.prototype,
        pool: None,
        outside: None,
        answerer: None,
        scoreboard: world.scoreboard(),
        traced: false,
        itemised: false,
    });
    Arena {
        key: world.key,
        source: Box::new(world.source()),
        feedback: Answers::default(),
        carrier: Carrier::Lane,
        lanes: lanes.collect(),
        persons,
        interrupt: Arc::new(AtomicBool::new(false)),
    }
}

/// Plays the stream to some policies as actors.
pub fn play_actors(
    world: &World,
    contenders: &[Contender],
    persons: usize,
    runtime: &Runtime,
) -> Vec<Score> {
    let played = runtime.block_on(arena(world, contenders, persons).play());
    let lanes = played.unwrap().lanes.into_iter();
    lanes
        .map(|(scoreboard, stop)| world.score(&scoreboard.finish(stop)))
        .collect()
}
