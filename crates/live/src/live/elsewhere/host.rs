//! The recorder's side of lanes that play elsewhere.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::runtime::Runtime as Tokio;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::Hosted;
use super::entries::RunHead;
use super::join::Joiner;
use super::listener::Listener;
use super::moves::Turn;
use super::publisher::Publisher;
use super::streams::RunStreams;
use crate::limits::{LANE_LOOK, LAST_MESSAGES, MOST_TURNS_WAITING};
use crate::live::stream::StreamEnd;
use kleroterion_core::arena::{Outside, OutsideMaker, SeatReply, SeatRequest};
use kleroterion_core::lock::locked;
use kleroterion_core::problem::Problem;
use kleroterion_core::protocol::{Ending, Stop};
use kleroterion_io::nats::{Client, connect};
use kleroterion_run::config::LivePlan;

/// The turns as they come, or the reason why none will.
type Turns = mpsc::Receiver<Result<Turn, String>>;

/// The lanes of a run that play elsewhere.
pub(in crate::live) struct Elsewheres {
    lanes: Vec<Option<OutsideMaker>>,
    closing: Arc<AtomicBool>,
    publisher: JoinHandle<()>,
}

/// The connection of a run to its NATS server.
pub(in crate::live) type Reached = Client;

impl Elsewheres {
    /// Connects to the NATS server.
    ///
    /// # Errors
    /// Fails if no server can be reached.
    pub(in crate::live) fn reach(plan: &LivePlan, outside: &Tokio) -> Result<Reached, Problem> {
        let (url, secrets) = (&plan.nats.url, &plan.secrets.nats);
        outside.block_on(connect(url, secrets, "klero run", |_| {}))
    }

    /// Publishes the journal and listens for the lanes.
    pub(in crate::live) fn start(hosted: &Hosted<'_>, client: Reached) -> Self {
        let plan = hosted.plan;
        let nats = &plan.live.nats;
        let (head, failed) = (
            RunHead::new(hosted.config),
            Arc::<OnceLock<String>>::default(),
        );
        let is_placed = Arc::<AtomicBool>::default();
        let _guard = hosted.outside.enter();
        let streams = RunStreams::new(client, &nats.run);
        let lanes = plan.lanes.iter().enumerate().map(|(place, lane)| {
            lane.elsewhere?;
            let (sender, turns) = mpsc::channel(MOST_TURNS_WAITING);
            hosted.watched.gauges.lanes[place].plays_elsewhere();
            let listener = Listener {
                streams: streams.clone(),
                subject: streams.lane_subject(place),
                place,
                label: lane.label.as_str().into(),
                joiner: Joiner::new(head.build()),
                turns: sender,
                watched: Arc::clone(hosted.watched),
                notes: Arc::clone(hosted.notes),
                is_placed: Arc::clone(&is_placed),
                is_following: false,
            };
            hosted.outside.spawn(listener.run());
            let (end, failed) = (Arc::clone(hosted.end), Arc::clone(&failed));
            Some(maker(turns, end, failed, nats.patience))
        });
        let lanes = lanes.collect();
        let closing = Arc::<AtomicBool>::default();
        let publisher = Publisher {
            streams: streams.clone(),
            head: head.clone(),
            replicas: nats.replicas,
            folder: hosted.folder.to_owned(),
            notes: Arc::clone(hosted.notes),
            is_placed: Arc::clone(&is_placed),
            closing: Arc::clone(&closing),
        };
        let publisher = hosted.outside.spawn(async move {
            if let Err(why) = publisher.run().await {
                tracing::error!(why, "the journal is published no more");
                let _ = failed.set(why);
            }
        });
        Self {
            lanes,
            closing,
            publisher,
        }
    }

    /// The makers of the seats of lanes that play elsewhere, by lane.
    pub(in crate::live) fn lanes(&self) -> Vec<Option<OutsideMaker>> {
        self.lanes.clone()
    }

    /// Publishes the end: no more entries come.
    pub(in crate::live) fn close(self, outside: &Tokio) {
        self.closing.store(true, Ordering::Relaxed);
        let publisher = self.publisher;
        drop(outside.block_on(async { timeout(LAST_MESSAGES, publisher).await }));
    }
}

/// Creates the maker of a lane's seat. It can be used once, since the turns come once.
fn maker(
    turns: Turns,
    end: Arc<StreamEnd>,
    failed: Arc<OnceLock<String>>,
    patience: Duration,
) -> OutsideMaker {
    let turns = Mutex::new(Some(turns));
    Arc::new(move |_| {
        let taken = locked(&turns).take();
        Box::new(Repeater {
            turns: taken.unwrap_or_else(|| mpsc::channel(1).1),
            end: Arc::clone(&end),
            failed: Arc::clone(&failed),
            patience,
        })
    })
}

/// A seat that repeats the replies of a policy that plays elsewhere.
struct Repeater {
    turns: Turns,
    end: Arc<StreamEnd>,
    failed: Arc<OnceLock<String>>,
    patience: Duration,
}

impl Repeater {
    /// The next turn of this round.
    async fn turn(&mut self, round: u64) -> Result<Turn, String> {
        let asked = Instant::now();
        loop {
            match timeout(LANE_LOOK, self.turns.recv()).await {
                Ok(Some(turn)) => return turn,
                Ok(None) => return Err(format!("round {round}: nothing is heard of it any more")),
                Err(_) => {}
            }
            if let Some(why) = self.failed.get() {
                return Err(format!("round {round}: {why}"));
            }
            let is_over = self.end.over.load(Ordering::Relaxed);
            if is_over && asked.elapsed() > self.patience {
                let seconds = self.patience.as_secs_f64();
                return Err(format!(
                    "round {round}: no worker sent its move within {seconds} s"
                ));
            }
        }
    }
}

#[async_trait]
impl Outside for Repeater {
    async fn answer(&mut self, mail: Vec<SeatRequest>) -> Result<SeatReply, Stop> {
        let round = match mail.last() {
            Some(SeatRequest::Slate { round, .. }) => *round,
            _ => 0,
        };
        let left = |why: String| Stop::because(Ending::Left, why);
        let turn = self.turn(round).await.map_err(left)?;
        if turn.round != round && !turn.is_end() {
            let other = turn.round;
            return Err(left(format!(
                "round {round}: its worker sent a move of round {other}"
            )));
        }
        turn.reply()
    }
}
