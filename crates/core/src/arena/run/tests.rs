//! Small arenas: who is left over, whom a run asks, and policies that can't begin.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use super::super::by_hand::{First, Numbered, batch_from, key, rules};
use super::super::lane::Play;
use super::super::mail::{AnswerFailure, Answerer, Asking};
use super::super::prototype::CannotBegin;
use super::super::seat::Blind;
use super::*;
use crate::protocol::{Batch, Until};
use crate::score::Moments;
use crate::source::FeedError;

/// Three rounds of one person; then two are left over.
struct Three(u64);

#[async_trait]
impl Source for Three {
    async fn next(&mut self, _: usize) -> Result<Option<Batch>, FeedError> {
        if self.0 == 3 {
            return Ok(None);
        }
        self.0 += 1;
        Ok(Some(batch_from(self.0, self.0 - 1, &[1])))
    }

    fn left_over(&self) -> u64 {
        2
    }
}

/// Says nothing.
struct Mute;

#[async_trait]
impl Answerer for Mute {
    async fn answer(&mut self, _: Asking) -> Result<Vec<Option<f64>>, AnswerFailure> {
        Err(AnswerFailure::Fails("mute".into()))
    }
}

fn spec<'a>(label: &'a str, prototype: &'a dyn Prototype, until: Until) -> LaneSpec<'a> {
    LaneSpec {
        label,
        rules: Arc::new(Rules { until, ..rules() }),
        prototype,
        pool: None,
        outside: None,
        answerer: None,
        scoreboard: Scoreboard::new(Vec::new(), Moments::End),
        traced: false,
        itemised: false,
    }
}

/// Plays a lane whose answerers are counted.
async fn play(until: Until, feedback: Answers, carrier: Carrier) -> (PlayedArena, usize) {
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let maker: AnswererMaker = Arc::new(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        Box::new(Mute)
    });
    let prototype = Blind(First { corrects: false });
    let mut lane = spec("me", &prototype, until);
    lane.answerer = Some(maker);
    let arena = Arena {
        key: key(),
        source: Box::new(Three(0)),
        feedback,
        carrier,
        lanes: vec![lane],
        persons: 1,
        interrupt: Arc::default(),
    };
    let played = arena.play().await.expect("no task fails");
    (played, made.load(Ordering::Relaxed))
}

/// The number of people left over does not depend on how far a source ran ahead of a lane that
/// ended.
#[tokio::test]
async fn who_is_left_over_counts_where_a_lane_came_to_the_end() {
    for (until, ending, left_over) in [
        (Until::SourceEnds, Ending::SourceEnded, 2),
        (Until::Rounds(1), Ending::Horizon, 0),
        (Until::Accepted(3), Ending::Filled, 0),
        (Until::Accepted(4), Ending::SourceEnded, 2),
    ] {
        let (played, _) = play(until, Answers::default(), Carrier::Lane).await;
        let endings: Vec<_> = played.lanes.iter().map(|(_, stop)| stop.ending).collect();
        assert_eq!((endings, played.left_over), (vec![ending], left_over));
    }
}

/// A lane that draws its answers itself needs no one to carry them.
#[tokio::test]
async fn an_answerer_is_made_only_for_a_lane_that_asks() {
    let drawn = || Answers::drawn(Arc::new(Numbered));
    for (feedback, carrier, made) in [
        (Answers::default(), Carrier::Lane, 0),
        (Answers::default(), Carrier::Task, 0),
        (drawn(), Carrier::Lane, 0),
        (drawn(), Carrier::Task, 1),
    ] {
        let (_, count) = play(Until::SourceEnds, feedback, carrier).await;
        assert_eq!(count, made);
    }
}

/// Begins in the lane of this label alone.
struct For(&'static str);

impl Prototype for For {
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        if state.label() != self.0 {
            return Err(format!("lane {:?} is not {:?}", state.label(), self.0).into());
        }
        Blind(First { corrects: false }).lane(state)
    }
}

#[tokio::test]
async fn a_policy_that_cannot_begin_ends_its_own_lane_alone() {
    let policy = For("b");
    let lanes = ["a", "b", "c"].map(|label| spec(label, &policy, Until::SourceEnds));
    let arena = Arena {
        key: key(),
        source: Box::new(Three(0)),
        feedback: Answers::drawn(Arc::new(Numbered)),
        carrier: Carrier::Task,
        lanes: lanes.into(),
        persons: 1,
        interrupt: Arc::default(),
    };
    let played = arena.play().await.expect("no task fails");
    let stops: Vec<Stop> = played.lanes.into_iter().map(|(_, stop)| stop).collect();
    let left = |label| {
        let words = format!("it can't begin: lane {label:?} is not \"b\"");
        Stop::because(Ending::Left, words)
    };
    assert_eq!(stops, [left("a"), Ending::SourceEnded.into(), left("c")]);
}
