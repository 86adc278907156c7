//! The request of a worker, and the run and the lane that it names.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::head::RunHead;
use super::streams::{RunStreams, message};
use kleroterion_core::nearest::nearest;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_core::protocol::Stop;
use kleroterion_run::config::{Document, Plan, check};

/// The time for which a worker waits for a run that does not exist yet.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time between two looks for it.
const PAUSE: Duration = Duration::from_millis(250);

/// The request of a worker: the lane that it is to play.
pub struct Worker {
    /// The servers, separated by commas.
    pub url: String,
    /// The run's name.
    pub run: String,
    /// The lane's label.
    pub lane: String,
    /// The flag that ends it early once it is set.
    pub interrupt: Arc<AtomicBool>,
}

/// The end of a worker.
#[derive(Debug)]
pub enum WorkEnd {
    /// The lane has ended like this.
    Ended(Stop),
    /// The lane had ended before.
    Before,
    /// The user stopped it.
    Interrupted,
}

/// The reason why a worker failed.
#[derive(Debug)]
pub enum WorkError {
    /// The request can't be fulfilled.
    Asked(Problems),
    /// The worker broke off.
    Failed(String),
}

impl From<Problem> for WorkError {
    fn from(problem: Problem) -> Self {
        Self::Asked(problem.into())
    }
}

/// The time for which a worker looks for a lane that the run lacks, since the run may be resumed
/// with it.
const GRACE: Duration = Duration::from_secs(3);

/// Finds the run, its plan, and the place of the lane, once they exist. With `was_there`, the run
/// existed before and is waited for without limit.
pub(super) async fn found(
    streams: &RunStreams,
    worker: &Worker,
    was_there: bool,
) -> Result<(RunHead, Plan, usize), WorkError> {
    let asked = Instant::now();
    loop {
        let head = head(streams, worker, was_there).await?;
        let plan = plan(&head)?;
        match place(&plan, worker) {
            Ok(place) => return Ok((head, plan, place)),
            Err(error) if asked.elapsed() > GRACE => return Err(error),
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Reads the head of the run, once it exists.
async fn head(
    streams: &RunStreams,
    worker: &Worker,
    was_there: bool,
) -> Result<RunHead, WorkError> {
    let asked = Instant::now();
    loop {
        let found = match streams.journal().await {
            Ok(stream) => message(&stream, None, 1).await,
            Err(why) => Err(why),
        };
        let why = match found {
            Ok(Some(found)) => match RunHead::decode(&found.payload) {
                Some(head) if head.version == env!("CARGO_PKG_VERSION") => return Ok(head),
                Some(head) => {
                    let (own, other) = (env!("CARGO_PKG_VERSION"), head.version);
                    let what = format!("the run is played by klero {other}, and this is {own}");
                    let help =
                        "a lane decides the same only with the same version: install that one";
                    return Err(Problem::of_request(what).help(help).into());
                }
                None => "its first message is no head of a run".to_owned(),
            },
            Ok(None) => "it is empty".to_owned(),
            Err(why) => why,
        };
        if !was_there && asked.elapsed() > PATIENCE {
            let Worker { url, run, .. } = worker;
            let what = format!("there is no run {run:?} at {url}: {why}");
            let help = "is it the name of [live.nats] run, and does the run have policies with \
                        where = \"remote\"?";
            return Err(Problem::of_request(what).help(help).into());
        }
        sleep(PAUSE).await;
    }
}

/// The plan of the run.
fn plan(head: &RunHead) -> Result<Plan, WorkError> {
    let document = Document::parse(&head.config);
    let document = document.map_err(WorkError::Asked)?;
    check(&document, Path::new(".")).map_err(WorkError::Asked)
}

/// The place of the lane.
fn place(plan: &Plan, worker: &Worker) -> Result<usize, WorkError> {
    let remote = || plan.lanes.iter().filter(|lane| lane.elsewhere.is_some());
    let labels = || remote().map(|lane| &*lane.label);
    let known = plan.lanes.iter().position(|lane| lane.label == worker.lane);
    if let Some(place) = known.filter(|place| plan.lanes[*place].elsewhere.is_some()) {
        return Ok(place);
    }
    let all = labels().collect::<Vec<_>>().join(", ");
    let (lane, run) = (&worker.lane, &worker.run);
    let what = match known {
        Some(_) => format!("the policy {lane:?} of the run {run} plays at its recorder"),
        None => format!("the run {run} has no policy {lane:?}"),
    };
    let help = match nearest(lane, labels()) {
        Some(near) if known.is_none() => {
            format!("did you mean {near:?}? policies with where = \"remote\": {all}")
        }
        _ => format!("policies with where = \"remote\": {all}"),
    };
    Err(Problem::of_request(what).help(help).into())
}
