//! A worker's side of a queue: it finds sweeps, takes a unit, says that it is at it, sends it.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::{AckKind, Context};
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::StreamExt;

use super::{
    FAILED, PATIENCE, PLAN_OBJECT, QUEUE, WORKERS, bucket_name, decoded, object, queue_name,
};
use crate::{SweepPlan, UnitId};

/// How often a worker says that it is at a unit.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How long a unit is tried to be sent.
const SENDING: Duration = Duration::from_secs(60);

/// How long the servers are left alone after that did not work.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a unit stays away from workers that was given back because it failed.
const AFTER_FAILURE: Duration = Duration::from_millis(500);

/// The ids of the plans that have a queue.
///
/// # Errors
/// Where the servers do not say.
pub async fn sweeps(context: &Context) -> Result<Vec<String>, String> {
    let mut names = context.stream_names();
    let mut plans = Vec::new();
    while let Some(name) = names.next().await {
        let name = name.map_err(|error| error.to_string())?;
        plans.extend(name.strip_prefix(QUEUE).map(str::to_owned));
    }
    Ok(plans)
}

/// A sweep whose units a worker may take.
pub struct QueuedSweep {
    /// Its plan.
    pub plan: Arc<SweepPlan>,
    bucket: ObjectStore,
    workers: PullConsumer,
}

/// Why a worker leaves a sweep alone.
#[derive(Debug)]
pub enum UnfitSweep {
    /// It is not there yet, or is just being removed.
    Absent(String),
    /// Its plan is none of this version of klero; the reason.
    Plan(String),
}

impl QueuedSweep {
    /// The sweep of this plan.
    ///
    /// # Errors
    /// Where it is not there, or no plan of this version.
    pub async fn open(context: &Context, plan: &str) -> Result<Self, UnfitSweep> {
        let absent = |why: String| UnfitSweep::Absent(why);
        let bucket = context.get_object_store(bucket_name(plan)).await;
        let bucket = bucket.map_err(|error| absent(error.to_string()))?;
        let text = object(&bucket, PLAN_OBJECT).await.map_err(absent)?;
        let text = text.ok_or_else(|| absent("it has no plan yet".to_owned()))?;
        let read = SweepPlan::parse(&text).map_err(UnfitSweep::Plan)?;
        if read.id != plan {
            return Err(UnfitSweep::Plan("its plan is another".to_owned()));
        }
        let stream = context.get_stream(queue_name(plan)).await;
        let stream = stream.map_err(|error| absent(error.to_string()))?;
        let workers = stream.get_consumer(WORKERS).await;
        Ok(Self {
            plan: Arc::new(read),
            bucket,
            workers: workers.map_err(|error| absent(error.to_string()))?,
        })
    }

    /// The next unit; none where the queue has none now.
    ///
    /// # Errors
    /// Where the servers do not answer, or the queue is gone.
    pub async fn take(&self) -> Result<Option<Offered>, String> {
        let taken = self.workers.fetch().max_messages(1).messages().await;
        let mut taken = taken.map_err(|error| error.to_string())?;
        // A server may not answer where it has only units that were handed out too often.
        let Ok(Some(message)) = timeout(PATIENCE, taken.next()).await else {
            return Ok(None);
        };
        let (message, acker) = message.map_err(|error| error.to_string())?.split();
        let known = |unit: &UnitId| {
            let point = self.plan.points.get(unit.point as usize);
            point.is_some_and(|point| unit.leaf < point.leaves())
        };
        match decoded(&message.payload).filter(known) {
            Some(unit) => Ok(Some(Offered {
                unit,
                acker: Arc::new(acker),
            })),
            None => {
                // No one can play it.
                drop(acker.ack_with(AckKind::Term).await);
                Err("a message of the queue names no unit of the plan".to_owned())
            }
        }
    }

    /// Sends a unit, and acknowledges it once the servers have it.
    ///
    /// # Errors
    /// Where the servers do not take it.
    pub async fn send(&self, offered: &Offered, bytes: &[u8]) -> Result<(), String> {
        self.put(&offered.unit.name(&self.plan.id), bytes).await?;
        // Where the acknowledgement is lost, another worker plays the unit once more.
        drop(offered.acker.double_ack().await);
        Ok(())
    }

    /// Sends why a unit failed, and gives it back.
    ///
    /// # Errors
    /// Where the servers do not take it.
    pub async fn fail(&self, offered: &Offered, why: &str) -> Result<(), String> {
        let name = offered.unit.name(&self.plan.id) + FAILED;
        self.put(&name, why.as_bytes()).await?;
        offered.back(AFTER_FAILURE).await;
        Ok(())
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            match self.bucket.put(name, &mut &*bytes).await {
                Ok(_) => return Ok(()),
                Err(error) if begun.elapsed() > SENDING => return Err(error.to_string()),
                Err(error) => tracing::debug!(%error, name, "a unit can't be sent now"),
            }
            sleep(PAUSE).await;
        }
    }
}

/// A unit that a worker has taken.
pub struct Offered {
    /// It.
    pub unit: UnitId,
    acker: Arc<Acker>,
}

impl Offered {
    /// Says again and again that the worker is at it, until it is dropped.
    pub fn heartbeat(&self) -> impl Future<Output = ()> + Send + 'static {
        let acker = Arc::clone(&self.acker);
        async move {
            loop {
                sleep(HEARTBEAT).await;
                // One that is lost is followed by others.
                drop(acker.ack_with(AckKind::Progress).await);
            }
        }
    }

    /// Gives it back: others may have it after a while.
    pub async fn back(&self, after: Duration) {
        // Where this is lost, the silence says it.
        drop(self.acker.ack_with(AckKind::Nak(Some(after))).await);
    }
}
