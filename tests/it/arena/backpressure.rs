//! The slowest lane holds the source back; nothing is lost, little is in flight, and a lane that
//! has ended holds no other back.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use kleroterion::arena::{
    Arena, Blind, Carrier, LaneSpec, Outside, OutsideMaker, Prototype, Remote, SeatReply,
    SeatRequest,
};
use kleroterion::draw::Key;
use kleroterion::feedback;
use kleroterion::policy::Policy;
use kleroterion::protocol::Stop;
use kleroterion::protocol::{Choose, Ending, Move, Rules, Until, View};
use kleroterion::score::{Moments, Scoreboard};
use tokio::sync::Semaphore;
use tokio::task::yield_now;

use crate::doubles::{Answers, Passed, Recording, STAGES, Scripted, Stage, Then, World, taken};

/// Batches that a lane has in its hands, in its channel and at its door.
const IN_FLIGHT: usize = 1 + 2 + 1;
/// And those on the way to the feedback task and in its hands.
const IN_FLIGHT_SEALED: usize = IN_FLIGHT + 2 + 1;

static REMOTE: LazyLock<Remote> = LazyLock::new(Remote::default);

/// Takes slot 0 of every slate.
#[derive(Clone)]
struct Taker;

impl Policy for Taker {
    fn act(&mut self, _: &mut View<'_>) -> Move {
        Move::take(0)
    }
}

/// A policy outside that answers only when the test lets it.
#[derive(Clone)]
struct Gated {
    asked: Arc<AtomicUsize>,
    leave: Arc<Semaphore>,
}

impl Default for Gated {
    fn default() -> Self {
        Self {
            asked: Arc::default(),
            leave: Arc::new(Semaphore::new(0)),
        }
    }
}

#[async_trait]
impl Outside for Gated {
    async fn answer(&mut self, _: Vec<SeatRequest>) -> Result<SeatReply, Stop> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.leave.acquire().await.unwrap().forget();
        Ok(SeatReply::Move(Move::take(0).into()))
    }
}

/// An arena of lanes with these places; the lane at `slow` is gated.
struct Setup {
    source: Scripted,
    answers: Option<Arc<Answers>>,
    carrier: Carrier,
    places: Vec<u64>,
    slow: Option<usize>,
    gate: Gated,
}

impl Setup {
    fn new(world: World, places: &[u64], slow: Option<usize>) -> Self {
        Self {
            source: Scripted::new(world),
            answers: None,
            carrier: Carrier::Lane,
            places: places.into(),
            slow,
            gate: Gated::default(),
        }
    }

    /// What each lane recorded, and how it ended.
    async fn play(self, persons: usize) -> Vec<(Vec<Passed>, Ending)> {
        let recordings = [(); 3].map(|()| Recording::default());
        let lane = |(places, k): (&u64, usize)| {
            let mut scoreboard = Scoreboard::new(vec![], Moments::End);
            scoreboard.add_witness(Box::new(Arc::clone(&recordings[k])));
            let slow = self.slow == Some(k);
            let gate = self.gate.clone();
            LaneSpec {
                label: ["a", "b", "c"][k],
                rules: Arc::new(Rules::new(Choose::AtMost(1), Until::Accepted(*places))),
                prototype: if slow {
                    &*REMOTE
                } else {
                    &Blind(Taker) as &dyn Prototype
                },
                pool: None,
                answerer: None,
                outside: slow
                    .then(|| -> OutsideMaker { Arc::new(move |_| Box::new(gate.clone())) }),
                scoreboard,
                traced: false,
                itemised: false,
            }
        };
        let arena = Arena {
            key: Key::new(6, 0),
            interrupt: Arc::clone(&self.source.interrupt),
            source: Box::new(self.source),
            feedback: self
                .answers
                .map_or_else(feedback::Answers::default, |answers| {
                    feedback::Answers::drawn(answers)
                }),
            carrier: self.carrier,
            lanes: self.places.iter().zip(0..).map(lane).collect(),
            persons,
        };
        let played = arena.play().await.unwrap();
        let ended = played.lanes.into_iter().zip(&recordings);
        ended
            .map(|((_, stop), recording)| (taken(recording), stop.ending))
            .collect()
    }
}

/// Lets everything else go on until it can't: exact on the current-thread runtime, where a task
/// that can run does.
async fn settle() {
    for _ in 0..1000 {
        yield_now().await;
    }
}

/// Asks that each lane saw persons 0, 1, 2 ... to its end, one a round, and took them all.
fn nothing_is_lost(lanes: Vec<(Vec<Passed>, Ending)>, ends: &[(u64, Ending)]) {
    assert_eq!(lanes.len(), ends.len());
    for ((rounds, ending), &(last, expected)) in lanes.iter().zip(ends) {
        let persons: Vec<u64> = rounds
            .iter()
            .flat_map(|passed| passed.shown.clone())
            .collect();
        assert_eq!(persons, (0..last).collect::<Vec<_>>());
        assert!(rounds.iter().all(|passed| passed.chosen == passed.shown));
        assert_eq!(*ending, expected);
    }
}

#[test]
fn a_lane_that_waits_holds_the_source_back() {
    for (slow, answered) in [(0, false), (1, false), (2, false), (0, true), (2, true)] {
        let mut setup = Setup::new(World::of([1; 70]), &[70, 70, 70], Some(slow));
        setup.answers = answered.then(Arc::default);
        let in_flight = if answered {
            IN_FLIGHT_SEALED
        } else {
            IN_FLIGHT
        };
        let (gate, emitted) = (setup.gate.clone(), Arc::clone(&setup.source.emitted));
        // Who answers is held by the test, by the feedback task, and by every batch that is sealed.
        let sealed = setup.answers.clone();
        let control = async {
            for batch in 0..10 {
                settle().await;
                assert_eq!(gate.asked.load(Ordering::SeqCst), batch * 7 + 1);
                let out = emitted.load(Ordering::SeqCst);
                assert_eq!(out, (batch + in_flight).min(10), "lane {slow} waits");
                if let Some(sealed) = &sealed
                    && batch + in_flight < 10
                {
                    // All that are out, but those on the way to the feedback task; and the waiting
                    // lane's witness has let go of the batches before.
                    // For looks and for outcomes.
                    assert_eq!(Arc::strong_count(sealed), 1 + 2 * (1 + IN_FLIGHT));
                }
                gate.leave.add_permits(7);
            }
        };
        let runtime = Stage::Current.runtime();
        let (played, ()) = runtime.block_on(async { tokio::join!(setup.play(7), control) });
        nothing_is_lost(played, &[(70, Ending::Filled); 3]);
    }
}

#[test]
fn little_is_in_flight_on_every_stage() {
    for stage in STAGES {
        for (slow, answered) in [(0, false), (1, true)] {
            let mut setup = Setup::new(World::of([1; 300]), &[300, 300], Some(slow));
            setup.carrier = stage.carrier();
            setup.answers = answered.then(Arc::default);
            let in_flight = if answered {
                IN_FLIGHT_SEALED
            } else {
                IN_FLIGHT
            };
            let (gate, emitted) = (setup.gate.clone(), Arc::clone(&setup.source.emitted));
            let control = async {
                for round in 1..=300 {
                    while gate.asked.load(Ordering::SeqCst) < round {
                        yield_now().await;
                    }
                    let out = emitted.load(Ordering::SeqCst);
                    let read = round.div_ceil(3);
                    assert!(
                        (read..read + in_flight).contains(&out),
                        "{out} of {read}, {stage:?}"
                    );
                    gate.leave.add_permits(1);
                }
            };
            let runtime = stage.runtime();
            let (played, ()) = runtime.block_on(async { tokio::join!(setup.play(3), control) });
            nothing_is_lost(played, &[(300, Ending::Filled); 2]);
        }
    }
}

#[test]
fn a_lane_that_has_ended_does_not_hold_the_source() {
    for (slow, answered) in [(0, false), (1, true)] {
        let mut setup = Setup::new(World::of([1; 200]), &[200, 200], Some(slow));
        setup.places[slow] = 1;
        setup.answers = answered.then(Arc::default);
        let gate = setup.gate.clone();
        // It answers once, and is never let go on.
        gate.leave.add_permits(1);
        let played = unless_it_hangs(setup.play(1));
        let mut ends = [(200, Ending::Filled); 2];
        ends[slow].0 = 1;
        nothing_is_lost(played, &ends);
        assert_eq!(gate.asked.load(Ordering::SeqCst), 1);
    }
}

/// Plays on the current-thread runtime, where it is certain that an arena that does not end in
/// these turns never will.
fn unless_it_hangs<T>(play: impl Future<Output = T>) -> T {
    Stage::Current.runtime().block_on(async {
        let mut play = pin!(play);
        let patience = async {
            for _ in 0..100 {
                settle().await;
            }
        };
        tokio::select! {
            biased;
            played = &mut play => played,
            () = patience => panic!("the arena hangs"),
        }
    })
}

#[test]
fn a_quiet_source_ends_with_its_last_lane() {
    // Quiet as soon as the lanes have all they need; later; and with all channels full.
    for (rounds, persons) in [(5, 1), (5, 1024), (6, 1), (40, 1), (40, 7)] {
        for answered in [false, true] {
            let mut world = World::of(vec![1; rounds]);
            world.then = Then::Stays;
            let setup = || {
                let mut setup = Setup::new(world.clone(), &[5, 3, 5], Some(1));
                setup.answers = answered.then(Arc::default);
                setup.gate.leave.add_permits(3);
                setup
            };
            let ends = [
                (5, Ending::Filled),
                (3, Ending::Filled),
                (5, Ending::Filled),
            ];
            nothing_is_lost(unless_it_hangs(setup().play(persons)), &ends);
            for stage in &STAGES[1..] {
                let played = stage.runtime().block_on(setup().play(persons));
                nothing_is_lost(played, &ends);
            }
        }
    }
}

#[test]
fn what_is_in_flight_at_an_interrupt_is_played() {
    let setup = Setup::new(World::of([1; 200]), &[200, 200], Some(1));
    let (gate, emitted) = (setup.gate.clone(), Arc::clone(&setup.source.emitted));
    let interrupt = Arc::clone(&setup.source.interrupt);
    let control = async {
        settle().await;
        assert_eq!(emitted.load(Ordering::SeqCst), IN_FLIGHT);
        interrupt.store(true, Ordering::SeqCst);
        gate.leave.add_permits(200);
    };
    let runtime = Stage::Current.runtime();
    let (played, ()) = runtime.block_on(async { tokio::join!(setup.play(10), control) });
    nothing_is_lost(played, &[(10 * IN_FLIGHT as u64, Ending::Interrupted); 2]);
}
