//! The units of a sweep in a work queue of NATS JetStream. Workers take units from it, and send
//! back the bytes of the units that they played.
//!
//! ```text
//! host --a message a unit--> stream KLERO-SWEEP_PLAN --> workers, each takes one at a time
//! folder of the units <-- host <--an object a unit-- bucket KLERO-UNITS_PLAN <-- workers
//! ```
//! The folder of the units is the truth. What a server lost is offered again, and what came twice
//! has the same bytes.

mod host;
mod work;

use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use super::UnitId;
use crate::limits::OBJECT_PATIENCE;
use kleroterion_core::problem::Problem;
use kleroterion_io::limits::NATS_PATIENCE;
use kleroterion_io::nats::connect;
use kleroterion_io::secrets::NatsSecrets;
use kleroterion_run::limits::MOST_FRAME_BYTES;

use async_nats::jetstream::object_store::ObjectStore;

pub use async_nats::jetstream::Context;
pub use host::{QueueHost, counted, host, remove};
pub use work::{Offered, QueuedSweep, UnfitSweep, sweeps};

/// The prefix of the name of a sweep's queue.
const QUEUE: &str = "KLERO-SWEEP_";

/// The name of the consumer that all workers share.
const WORKERS: &str = "workers";

/// The name of the object that holds the plan.
const PLAN_OBJECT: &str = "plan";

/// The extension of the object that holds the reason why a unit failed.
const FAILED: &str = ".failed";

/// Connects to servers as `name`; see [`connect`].
///
/// # Errors
/// Where none can be reached.
pub async fn reach(url: &str, secrets: &NatsSecrets, name: &str) -> Result<Context, Problem> {
    let client = connect(url, secrets, name, |_| {}).await?;
    let mut context = async_nats::jetstream::new(client);
    context.set_timeout(NATS_PATIENCE);
    Ok(context)
}

/// Returns the name of the queue for the plan with this id.
fn queue_name(plan: &str) -> String {
    format!("{QUEUE}{plan}")
}

/// Returns the name of the bucket for the plan with this id.
fn bucket_name(plan: &str) -> String {
    format!("KLERO-UNITS_{plan}")
}

/// Returns the subject of the queue's messages.
fn subject(plan: &str) -> String {
    format!("klero.sweep.{plan}")
}

/// Returns the text of the message that stands for a unit.
fn encoded(unit: UnitId) -> String {
    format!("{}/{}", unit.point, unit.leaf)
}

fn decoded(message: &[u8]) -> Option<UnitId> {
    let (point, leaf) = std::str::from_utf8(message).ok()?.split_once('/')?;
    let (point, leaf) = (point.parse().ok()?, leaf.parse().ok()?);
    Some(UnitId { point, leaf })
}

/// Returns the bytes of an object in a bucket, or `None` if it is missing or too large.
async fn object(bucket: &ObjectStore, name: &str) -> Result<Option<Vec<u8>>, String> {
    use async_nats::jetstream::object_store::GetErrorKind;
    let reading = async {
        let mut object = match bucket.get(name).await {
            Ok(object) => object,
            Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        if object.info().size > MOST_FRAME_BYTES as usize {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let read = object.read_to_end(&mut bytes).await;
        read.map_err(|error| error.to_string())?;
        Ok(Some(bytes))
    };
    let read = timeout(OBJECT_PATIENCE, reading).await;
    read.unwrap_or_else(|_| Err(format!("the object {name} was not to be had in time")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_read_as_it_was_written() {
        let unit = UnitId {
            point: 3,
            leaf: 70_000,
        };
        assert_eq!(decoded(encoded(unit).as_bytes()), Some(unit));
        for other in [
            &b""[..],
            b"3",
            b"3/",
            b"/3",
            b"3/4/5",
            b"-1/2",
            b"4294967296/0",
            b"\xff/1",
        ] {
            assert_eq!(decoded(other), None, "{}", other.escape_ascii());
        }
    }
}
