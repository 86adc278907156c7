//! One process of a run, from its start to its end.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::sleep;

use super::cast::Cast;
use super::memory::SeatPlant;
use super::parts::Parts;
use super::promises::Promises;
use super::stage::{GivenOut, KnownRounds, Staging, TimedStream, show};
use super::{clients, lane};
use crate::limits::MOST_CHUNKS_WAITING;
use crate::live::RecorderError;
use crate::live::bad::BadFile;
use crate::live::notes::{LaneForfeits, LiveNotes, Past};
use crate::live::opening::{acting, watched};
use crate::live::past::Again;
use crate::live::recorder::{DeliveryChannels, Recorder, SlateRules};
use crate::live::stream::{Arrival, LiveStream, StreamEnd};
use crate::watch::decisions::LaneDecision;
use kleroterion_core::draw::Key;
use kleroterion_core::score::LaneResult;
use kleroterion_io::feed::FeedSpec;
use kleroterion_io::journal::simulated::SimulatedDisk;
use kleroterion_io::journal::{Journal, JournalReader};
use kleroterion_run::config::Plan;
use kleroterion_testkit::Chances;

/// The number of deliveries that may wait for the recorder, fewer than in a real run.
const DELIVERIES: usize = 3;

/// The end of a life, unless the disk ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// The process is killed after this time.
    Killed(Duration),
    /// The user stops it after this time.
    Stopped(Duration),
    /// The user stops it once all is acknowledged.
    Done,
}

/// A run that is to be played.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Arc<Plan>,
    /// The programs, where some play; with a mistake in what is noted of them, maybe.
    pub(super) cast: Option<&'a Cast>,
    pub(super) plant: Option<SeatPlant>,
    pub(super) disk: &'a SimulatedDisk,
    pub(super) promises: &'a Promises,
    /// The number of people of each sender.
    pub(super) people: u64,
}

impl Run<'_> {
    /// Creates or resumes the journal. Returns it with its past.
    pub(super) fn open(&self, is_begun: bool) -> Result<(Journal, Past), String> {
        let folder = self.disk.folder();
        let mut past = Past::of(self.plan.world.feed.as_ref(), self.key());
        let journal = match is_begun {
            true => Journal::resume(&folder, |entry| past.add(entry)),
            false => Journal::create(&folder, &[("config", self.plan.name.clone())]),
        };
        Ok((journal.map_err(|error| error.to_string())?, past))
    }

    fn key(&self) -> Key {
        Key::new(self.plan.seed, 0)
    }

    fn stream(
        &self,
        feed: &Arc<FeedSpec>,
        arrivals: mpsc::Receiver<Vec<Arrival>>,
        end: &Arc<StreamEnd>,
        interrupt: &Arc<AtomicBool>,
    ) -> LiveStream {
        LiveStream::new(
            Arc::clone(feed),
            self.key(),
            self.plan.live.reported,
            arrivals,
            Arc::clone(end),
            Arc::clone(interrupt),
        )
    }

    /// Plays a life. Returns the lanes of programs if it reached its end. The error is the reason
    /// why the recorder ended early.
    pub(super) async fn live(
        &self,
        (journal, past): (Journal, Past),
        ends: Ends,
        mut chances: Chances,
    ) -> Result<Option<Vec<LaneResult>>, RecorderError> {
        let feed = Arc::new(self.plan.world.feed.clone().expect("a feed"));
        let watched = watched(self.plan, None, Arc::default());
        watched.note_shown(past.shown);
        let acting = acting(self.plan, &watched, past.shown);
        let notes = Arc::new(LiveNotes::after(past, acting));
        let end: Arc<StreamEnd> = Arc::default();
        let (stop, stopped) = watch::channel(false);
        let (deliver, from_feed) = mpsc::channel(DELIVERIES);
        let (tell, from_interviewers) = mpsc::channel(1);
        drop(tell);
        let (out, arrivals) = mpsc::channel(MOST_CHUNKS_WAITING);
        let parts = Parts {
            disk: self.disk.clone(),
            promises: self.promises.clone(),
            cast: self.cast.map(|_| Arc::clone(self.plan)),
            watched,
            feed: Arc::clone(&feed),
            deliveries: deliver,
            stop: stopped.clone(),
            decided: Rc::default(),
        };
        let interrupt = Arc::new(AtomicBool::new(false));
        let stream = self.stream(&feed, arrivals, &end, &interrupt);
        let recorder = self.recorder(journal, &notes, &parts, out, &end, &self.disk.folder());
        let deliveries = DeliveryChannels {
            feed: from_feed,
            interviewers: from_interviewers,
        };
        let recording = spawn_local(recorder.run(deliveries, stopped));
        let playing = match self.cast {
            None => {
                spawn_lane(&parts, notes, stream, &mut chances);
                None
            }
            Some(cast) => Some(self.spawn_stage(cast, &parts, notes, stream, interrupt)),
        };
        let senders: Vec<_> = (0..2)
            .map(|sender| {
                let sending =
                    clients::send_all(parts.clone(), sender, self.people, chances.split());
                spawn_local(sending)
            })
            .collect();
        drop(parts);
        until(ends, senders, recording, &stop).await?;
        Ok(match playing {
            Some(playing) if !matches!(ends, Ends::Killed(_)) => Some(
                playing
                    .await
                    .expect("the arena panicked")
                    .expect("it plays"),
            ),
            _ => None,
        })
    }

    /// Spawns the lanes of a run with programs.
    fn spawn_stage(
        &self,
        cast: &Cast,
        parts: &Parts,
        notes: Arc<LiveNotes>,
        stream: LiveStream,
        interrupt: Arc<AtomicBool>,
    ) -> JoinHandle<Result<Vec<LaneResult>, String>> {
        let past = &notes.past;
        let known = KnownRounds {
            committed: past.last_decided(),
            noted: past.shown,
        };
        let given = GivenOut::default();
        spawn_local(show(parts.clone(), Arc::clone(&given), known));
        let staging = Staging {
            plan: Arc::clone(self.plan),
            watched: Arc::clone(&parts.watched),
            notes,
            interrupt,
            before: None,
            cast: cast.clone(),
            plant: self.plant,
        };
        spawn_local(staging.play(TimedStream { stream, given }))
    }

    /// Replays the journal without writing. Returns the lanes' results and decisions.
    pub(super) async fn again(&self) -> Result<(Vec<LaneResult>, Vec<Arc<LaneDecision>>), String> {
        let folder = self.disk.folder();
        let feed = Arc::new(self.plan.world.feed.clone().expect("a feed"));
        let mut past = Past::of(Some(&feed), self.key());
        let read = JournalReader::open(&folder).and_then(|mut reader| {
            reader.examine()?;
            reader.read_all(|entry| past.add(entry))
        });
        read.map_err(|error| error.to_string())?;
        let watched = watched(self.plan, None, Arc::default());
        let acting = acting(self.plan, &watched, u64::MAX);
        let notes = Arc::new(LiveNotes::after(past, acting));
        let (end, interrupt) = (Arc::<StreamEnd>::default(), Arc::<AtomicBool>::default());
        let (out, arrivals) = mpsc::channel(MOST_CHUNKS_WAITING);
        let stream = self.stream(&feed, arrivals, &end, &interrupt);
        let again = Again {
            folder: Some(folder),
            feed: Some(feed),
            out: Some(out),
            bad: BadFile::none(),
            watched: Arc::clone(&watched),
            end,
            notes: Arc::clone(&notes),
        };
        let handing_on = spawn_local(again.hand_on());
        let staging = Staging {
            plan: Arc::clone(self.plan),
            watched: Arc::clone(&watched),
            before: Some(notes.past.whole_rounds()),
            notes,
            interrupt,
            cast: self.cast.expect("programs play").clone(),
            plant: None,
        };
        let given = GivenOut::default();
        let lanes = staging.play(TimedStream { stream, given }).await?;
        let handed_on = handing_on.await.expect("it panicked");
        handed_on.map_err(|error| error.to_string())?;
        Ok((lanes, watched.decisions.since(0, usize::MAX)))
    }

    fn recorder(
        &self,
        journal: Journal,
        notes: &Arc<LiveNotes>,
        parts: &Parts,
        out: mpsc::Sender<Vec<Arrival>>,
        end: &Arc<StreamEnd>,
        folder: &Path,
    ) -> Recorder {
        let past = &notes.past;
        Recorder {
            journal,
            folder: Some(folder.to_owned()),
            feed: Some(Arc::clone(&parts.feed)),
            out: Some(out),
            end: Arc::clone(end),
            watched: Arc::clone(&parts.watched),
            bad: BadFile::none(),
            let_out: None,
            let_out_before: past.rounds,
            count: past.count.clone(),
            slates: SlateRules {
                last: self.plan.rules.horizon(),
                close: self.plan.live.close,
            },
            desk: None,
            held: Vec::new(),
            withdrawn: past.withdrawn(),
            refusals: past.refusals.clone(),
            notes: Arc::clone(notes),
        }
    }
}

/// Spawns the lane of a rule, whose seat is late at times.
fn spawn_lane(parts: &Parts, notes: Arc<LiveNotes>, stream: LiveStream, chances: &mut Chances) {
    let seat = LaneForfeits {
        policy: "rule".into(),
        before: notes.past.known("rule", true),
        notes,
        joins: false,
        may_end: false,
        acts: true,
        lane: 0,
        watched: Arc::clone(&parts.watched),
    };
    spawn_local(lane::play(parts.clone(), stream, seat, chances.split()));
    spawn_local(lane::show(parts.clone()));
}

/// Waits until the life ends. The error is the reason why the recorder ended early.
async fn until(
    ends: Ends,
    senders: Vec<JoinHandle<()>>,
    mut recording: JoinHandle<Result<(), RecorderError>>,
    stop: &watch::Sender<bool>,
) -> Result<(), RecorderError> {
    let all_sent = async {
        for sender in senders {
            let _ = sender.await;
        }
    };
    let comes = async {
        match ends {
            Ends::Killed(after) | Ends::Stopped(after) => sleep(after).await,
            Ends::Done => all_sent.await,
        }
    };
    tokio::select! {
        biased;
        ended = &mut recording => return ended.expect("the recorder panicked"),
        () = comes => {}
    }
    if let Ends::Killed(_) = ends {
        return Ok(());
    }
    stop.send_replace(true);
    recording.await.expect("the recorder panicked")
}
