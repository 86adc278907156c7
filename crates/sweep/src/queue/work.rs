//! The worker's side of a queue. A worker finds sweeps, takes a unit, sends signs of life while it
//! plays, and sends the result.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::{AckKind, Context};
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::StreamExt;

use super::{
    FAILED, NATS_PATIENCE, PLAN_OBJECT, QUEUE, WORKERS, bucket_name, decoded, object, queue_name,
};
use crate::limits::{SERVER_PAUSE, UNIT_HEARTBEAT, UNIT_PAUSE, UNIT_SENDING};
use crate::{SweepPlan, UnitId};

/// Returns the ids of the plans that have a queue.
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

/// A sweep in a queue, from which a worker takes units.
pub struct QueuedSweep {
    /// The plan of the sweep.
    pub plan: Arc<SweepPlan>,
    bucket: ObjectStore,
    workers: PullConsumer,
}

/// The reason why a worker leaves a sweep alone.
#[derive(Debug)]
pub enum UnfitSweep {
    /// The sweep is not in the queue yet, or is just being removed; with the error.
    Absent(String),
    /// This version of klero can't use the plan; with the reason.
    Plan(String),
}

impl QueuedSweep {
    /// Opens the queue of the plan with this id.
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

    /// Takes the next unit, or returns `None` if the queue has none now.
    ///
    /// # Errors
    /// Where the servers do not answer, or the queue is gone.
    pub async fn take(&self) -> Result<Option<Offered>, String> {
        let taken = self.workers.fetch().max_messages(1).messages().await;
        let mut taken = taken.map_err(|error| error.to_string())?;
        // A server may not answer where it has only units that were handed out too often.
        let Ok(Some(message)) = timeout(NATS_PATIENCE, taken.next()).await else {
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

    /// Sends the bytes of a unit, and acknowledges the unit once the servers have stored them.
    ///
    /// # Errors
    /// Where the servers do not take it.
    pub async fn send(&self, offered: &Offered, bytes: &[u8]) -> Result<(), String> {
        self.put(&offered.unit.name(&self.plan.id), bytes).await?;
        // Where the acknowledgement is lost, another worker plays the unit once more.
        drop(offered.acker.double_ack().await);
        Ok(())
    }

    /// Sends the reason why a unit failed, and gives the unit back to the queue.
    ///
    /// # Errors
    /// Where the servers do not take it.
    pub async fn fail(&self, offered: &Offered, why: &str) -> Result<(), String> {
        let name = offered.unit.name(&self.plan.id) + FAILED;
        self.put(&name, why.as_bytes()).await?;
        offered.back(UNIT_PAUSE).await;
        Ok(())
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            match self.bucket.put(name, &mut &*bytes).await {
                Ok(_) => return Ok(()),
                Err(error) if begun.elapsed() > UNIT_SENDING => return Err(error.to_string()),
                Err(error) => tracing::debug!(%error, name, "a unit can't be sent now"),
            }
            sleep(SERVER_PAUSE).await;
        }
    }
}

/// A unit that a worker has taken from the queue.
pub struct Offered {
    /// The id of the unit.
    pub unit: UnitId,
    acker: Arc<Acker>,
}

impl Offered {
    /// Sends signs of life about the unit until the future is dropped.
    pub fn heartbeat(&self) -> impl Future<Output = ()> + Send + 'static {
        let acker = Arc::clone(&self.acker);
        async move {
            loop {
                sleep(UNIT_HEARTBEAT).await;
                // One that is lost is followed by others.
                drop(acker.ack_with(AckKind::Progress).await);
            }
        }
    }

    /// Gives the unit back. The queue hands it to another worker after this time.
    pub async fn back(&self, after: Duration) {
        // Where this is lost, the silence says it.
        drop(self.acker.ack_with(AckKind::Nak(Some(after))).await);
    }
}
