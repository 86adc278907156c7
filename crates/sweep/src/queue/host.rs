//! The host of a sweep: it offers the missing units, and stores the units that workers send.

use std::collections::{BTreeMap, VecDeque};
use std::future::IntoFuture;
use std::path::Path;
use std::time::Instant;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::ObjectStoreErrorKind;
use async_nats::jetstream::object_store::{Config as BucketConfig, ObjectStore};
use async_nats::jetstream::stream::{Config, RetentionPolicy, Stream};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_stream::StreamExt;

use super::{FAILED, PLAN_OBJECT, WORKERS, bucket_name, encoded, object, queue_name, subject};
use crate::limits::{
    HOST_LONELY, MOST_QUIET_LOOKS, MOST_REASON_BYTES, MOST_UNITS_OFFERED, QUEUE_LOOK, SERVER_PAUSE,
    UNIT_SILENCE,
};
use crate::{SweepPlan, UnitId, Units};
use kleroterion_core::problem::Problem;

/// A sweep whose units a host offers to workers.
pub struct QueueHost<'a> {
    /// The connection to the servers.
    pub context: Context,
    /// The plan of the sweep.
    pub plan: &'a SweepPlan,
    /// The folder of the plan and the units.
    pub folder: &'a Path,
    /// The most times that a unit is handed out.
    pub tries: u64,
    /// Receives messages for the user.
    pub say: &'a dyn Fn(&str),
}

/// The reason why a look at the servers broke off.
enum Broken {
    /// A passing error; the host tries again.
    Passing(String),
    /// The folder of the units can't be written; the problem.
    Unwritten(Problem),
}

impl<E: std::error::Error> From<E> for Broken {
    fn from(error: E) -> Self {
        Self::Passing(error.to_string())
    }
}

/// Offers these units and stores what workers send. Returns once all units are stored, or once no
/// missing unit is handed out any more.
///
/// # Errors
/// Where what workers send can't be stored.
pub async fn host(host: &QueueHost<'_>, units: &[UnitId]) -> Result<(), Problem> {
    let named = units.iter().map(|unit| (unit.name(&host.plan.id), *unit));
    let mut hosting = Hosting {
        host,
        units: Units::at(host.folder),
        missing: named.collect(),
        offers: BTreeMap::new(),
    };
    let mut is_down = false;
    loop {
        let why = match hosting.play(&mut is_down).await {
            Ok(()) => return Ok(()),
            Err(Broken::Unwritten(problem)) => return Err(problem),
            Err(Broken::Passing(why)) => why,
        };
        if !std::mem::replace(&mut is_down, true) {
            (host.say)(&format!(
                "the queue can't be reached ({why}): klero tries again"
            ));
        }
        sleep(SERVER_PAUSE).await;
    }
}

/// Removes the queue and the bucket of a sweep from the servers. Errors are ignored, because
/// leftovers only take up room.
pub async fn remove(context: &Context, plan: &str) {
    // What can't be removed now costs room alone.
    drop(context.delete_stream(queue_name(plan)).await);
    drop(context.delete_object_store(bucket_name(plan)).await);
}

/// The state of a host at work.
struct Hosting<'a> {
    host: &'a QueueHost<'a>,
    units: Units,
    /// The units that are not stored yet, by name.
    missing: BTreeMap<String, UnitId>,
    /// The number of times that each unit was offered.
    offers: BTreeMap<UnitId, u64>,
}

/// The queue and the bucket of a sweep, on the servers.
struct Queue {
    stream: Stream,
    bucket: ObjectStore,
}

impl Hosting<'_> {
    async fn play(&mut self, is_down: &mut bool) -> Result<(), Broken> {
        let queue = self.made().await?;
        // Watched from before the units are offered, so that none is missed.
        let mut watch = queue.bucket.watch().await?;
        self.collect_all(&queue).await?;
        queue.stream.purge().await?;
        self.offer(&self.missing()).await?;
        if std::mem::take(is_down) {
            (self.host.say)("the queue is there again, and has the units that are missing");
        }
        let mut looks = interval(QUEUE_LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (begun, mut is_lonely, mut quiet) = (Instant::now(), true, 0);
        while !self.missing.is_empty() {
            tokio::select! {
                sent = watch.next() => match sent {
                    Some(Ok(sent)) => self.collect(&queue, &sent.name, sent.deleted).await?,
                    Some(Err(error)) => return Err(error.into()),
                    None => return Err(Broken::Passing("the bucket is gone".to_owned())),
                },
                _ = looks.tick() => {
                    let state = state(&queue).await?;
                    if is_lonely && begun.elapsed() > HOST_LONELY {
                        is_lonely = false;
                        if !state.is_served {
                            (self.host.say)("no worker has taken a unit yet: start some with \
                                `klero work --nats URL`, the same program file as this one");
                        }
                    }
                    quiet = if state.is_quiet { quiet + 1 } else { 0 };
                    if quiet >= MOST_QUIET_LOOKS && self.is_given_up(&queue, state.kept).await? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Creates the queue and the bucket if they are missing, and stores the plan in the bucket.
    async fn made(&self) -> Result<Queue, Broken> {
        let QueueHost {
            context,
            plan,
            tries,
            ..
        } = self.host;
        let config = Config {
            name: queue_name(&plan.id),
            subjects: vec![subject(&plan.id)],
            retention: RetentionPolicy::WorkQueue,
            description: Some("units of a sweep of klero".to_owned()),
            ..Config::default()
        };
        let stream = context.get_or_create_stream(config).await?;
        let workers = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: UNIT_SILENCE,
            max_deliver: i64::try_from(*tries).unwrap_or(i64::MAX),
            max_ack_pending: 1 << 16,
            ..pull::Config::default()
        };
        stream.create_consumer(workers).await?;
        let bucket = match context.get_object_store(bucket_name(&plan.id)).await {
            Ok(bucket) => bucket,
            Err(error) if error.kind() == ObjectStoreErrorKind::GetStore => {
                let config = BucketConfig {
                    bucket: bucket_name(&plan.id),
                    description: Some("plan and units of a sweep of klero".to_owned()),
                    ..BucketConfig::default()
                };
                context.create_object_store(config).await?
            }
            Err(error) => return Err(error.into()),
        };
        let text = plan.text();
        bucket.put(PLAN_OBJECT, &mut text.as_bytes()).await?;
        Ok(Queue { stream, bucket })
    }

    /// Returns the missing units, ordered by point. A worker then prepares each point only once.
    fn missing(&self) -> Vec<UnitId> {
        let mut missing: Vec<UnitId> = self.missing.values().copied().collect();
        missing.sort_unstable();
        missing
    }

    /// Puts units into the queue, and waits until the servers have stored them.
    async fn offer(&mut self, units: &[UnitId]) -> Result<(), Broken> {
        let subject = subject(&self.host.plan.id);
        let mut sent = VecDeque::new();
        for unit in units {
            let context = &self.host.context;
            let publish = context.publish(subject.clone(), encoded(*unit).into());
            sent.push_back(publish.await?.into_future());
            while sent.len() >= MOST_UNITS_OFFERED
                && let Some(kept) = sent.pop_front()
            {
                kept.await?;
            }
            *self.offers.entry(*unit).or_default() += 1;
        }
        for kept in sent {
            kept.await?;
        }
        Ok(())
    }

    /// Stores all units that are in the bucket.
    async fn collect_all(&mut self, queue: &Queue) -> Result<(), Broken> {
        let mut listed = queue.bucket.list().await?;
        let mut names = Vec::new();
        while let Some(sent) = listed.next().await {
            names.push(sent?.name);
        }
        for name in names {
            self.collect(queue, &name, false).await?;
        }
        Ok(())
    }

    /// Stores an object that a worker sent: a unit, or the reason why it failed.
    async fn collect(&mut self, queue: &Queue, name: &str, is_gone: bool) -> Result<(), Broken> {
        let plan = self.host.plan;
        let unit = name.strip_suffix(FAILED).unwrap_or(name);
        let Some(unit) = self.missing.get(unit).copied().filter(|_| !is_gone) else {
            return Ok(());
        };
        let bytes = object(&queue.bucket, name).await;
        let Some(bytes) = bytes.map_err(Broken::Passing)? else {
            return Ok(());
        };
        if name.ends_with(FAILED) {
            let why = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_REASON_BYTES)]);
            self.units
                .fail(plan, unit, &why)
                .map_err(Broken::Unwritten)?;
            (self.host.say)(&format!("{} failed: {why}", plan.names(unit)));
        } else if let Err(error) = self
            .units
            .take(plan, unit, &bytes)
            .map_err(Broken::Unwritten)?
        {
            (self.host.say)(&format!(
                "warning: what a worker sent as {} is not it: {error}",
                plan.names(unit)
            ));
            self.offer_again(&[unit]).await?;
        } else {
            self.missing.remove(name);
        }
        // What can't be removed now is removed with the bucket.
        drop(queue.bucket.delete(name).await);
        Ok(())
    }

    /// Offers lost units again. Returns true if any of them may still be handed out.
    async fn offer_again(&mut self, units: &[UnitId]) -> Result<bool, Broken> {
        let tries = self.host.tries;
        let may = |unit: &&UnitId| self.offers.get(*unit).is_none_or(|offers| *offers < tries);
        let units: Vec<UnitId> = units.iter().filter(may).copied().collect();
        self.offer(&units).await?;
        Ok(!units.is_empty())
    }

    /// Returns true if no more is to be done for the missing units. The queue has nothing to hand
    /// out; it keeps `kept` units that were handed out as often as allowed. Units that a server
    /// lost are offered again.
    async fn is_given_up(&mut self, queue: &Queue, kept: u64) -> Result<bool, Broken> {
        self.collect_all(queue).await?;
        if self.missing.is_empty() || kept > 0 {
            return Ok(true);
        }
        // Acknowledged by workers, and yet not there: a server lost it.
        let lost = self.missing();
        let units = counted(lost.len());
        (self.host.say)(&format!("lost on the way, and offered again: {units}"));
        Ok(!self.offer_again(&lost).await?)
    }
}

/// Returns a number of units in words: `1 unit`, `3 units`.
#[must_use]
pub fn counted(units: usize) -> String {
    match units {
        1 => "1 unit".to_owned(),
        many => format!("{many} units"),
    }
}

/// The state of a queue.
struct QueueState {
    /// True if no unit is under way or waiting to be handed out.
    is_quiet: bool,
    /// The number of units in the queue.
    kept: u64,
    /// True if any unit was ever handed out.
    is_served: bool,
}

async fn state(queue: &Queue) -> Result<QueueState, Broken> {
    let workers = queue.stream.consumer_info(WORKERS).await?;
    let stream = queue.stream.get_info().await?;
    Ok(QueueState {
        is_quiet: workers.num_pending == 0 && workers.num_ack_pending == 0,
        kept: stream.state.messages,
        is_served: workers.delivered.consumer_sequence > 0,
    })
}
